"""Help in words, for every verb."""

import re

import pytest
from typer.testing import CliRunner

from nought.cli import app

VERBS = [command.name or command.callback.__name__ for command in app.registered_commands]


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_no_type_of_python_is_shown(verb):
    text = CliRunner().invoke(app, [*([verb] if verb else []), "--help"], env={"COLUMNS": "120"}).stdout
    assert "--help" in text
    assert not re.search(r"<(bool|int|float|str|path|list)|BOOLEAN", text)


def test_a_paragraph_is_as_wide_as_the_terminal():
    text = CliRunner().invoke(app, ["evaluate", "--help"], env={"COLUMNS": "200"}).stdout
    assert "by distance or points." in text
    assert CliRunner().invoke(app, ["serve", "--help"]).stdout.count("Example:") == 5  # paragraphs stay apart


def test_values_still_have_a_name_and_a_range():
    text = CliRunner().invoke(app, ["match", "--help"], env={"COLUMNS": "120"}).stdout
    assert re.search(r"--games +NUMBER \[2<=x<=1000000\]", text)
    assert re.search(r"--save +FILE", text)
