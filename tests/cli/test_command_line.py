"""The command `nought` itself: what it lists, and that nobody waits for verbs that were not asked for."""

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

import nought.cli
from nought import __version__
from nought.cli import VERBS, app, find_verb
from tests.support.programs import run_program


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_is_listed_with_the_first_sentence_of_its_help(verb):
    documented = inspect.getdoc(find_verb(verb))
    assert documented is not None
    assert " ".join(documented.partition("\n\n")[0].split()) == VERBS[verb]
    shown = CliRunner().invoke(app, [verb, "--help"]).stdout
    assert VERBS[verb].split()[0] in shown


def test_every_verb_is_listed_in_order():
    files = {path.stem for path in Path(nought.cli.__file__).parent.glob("[a-z]*.py")}
    assert {name for name in files if hasattr(import_module(f"nought.cli.{name}"), name)} == set(VERBS)
    shown = CliRunner().invoke(app, ["--help"]).stdout
    assert re.findall(rf"^│ ({'|'.join(VERBS)}) +[A-Z]", shown, re.MULTILINE) == list(VERBS)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--version"], ["runs", "--help"]])
def test_help_needs_nothing_that_is_slow_to_import(arguments):
    program = (
        "import sys; from nought.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print('imported', sorted({'numpy', 'numba', 'torch', 'fastapi', 'nought.games'} & set(sys.modules)))"
    )
    ended = run_program([sys.executable, "-c", program, *arguments])
    assert ended.stdout.splitlines()[-1] == "imported []", ended.stderr
    assert ended.stdout.count("Usage:") == ("--version" not in arguments)


def test_the_version():
    ended = run_program([sys.executable, "-m", "nought", "--version"])
    assert (ended.returncode, ended.stdout) == (0, f"nought {__version__}\n")


def test_a_verb_that_is_none_is_one_line_with_a_guess():
    ended = run_program([sys.executable, "-m", "nought", "trian"])
    assert ended.returncode == 2
    assert "No such command 'trian'. Did you mean 'train'?" in ended.stderr
    assert ended.stderr.count("\n") == 1
