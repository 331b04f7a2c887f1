"""Tables in terminals of any width."""

import io

import pytest
from rich.console import Console

from nought.cli.tables import Numbers


def shown(width):
    table = Numbers("player", "Elo", "95 %", "games", words=("player",))
    table.add_row("search:connect4-1@12:64", "[bold]1,234[/]", "1,150 to 1,317", "12,000")
    table.add_row("  random", "-1,050", "given", "8")
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(table)
    return out.getvalue()


def test_a_wide_terminal_has_a_row_in_a_line():
    lines = shown(80).splitlines()
    assert len(lines) == 3
    assert lines[1].split() == ["search:connect4-1@12:64", "1,234", "1,150", "to", "1,317", "12,000"]


@pytest.mark.parametrize("width", range(20, 81))
def test_numbers_are_never_cut_and_words_are_all_there(width):
    text = shown(width)
    for number in ("1,234", "1,150 to 1,317" if width >= 40 else "1,150", "12,000", "-1,050", "given", "8"):
        assert number in text
    assert "…" not in text
    joined = "".join(text.split())
    assert all(part in joined for part in ("search:connect", "random"))
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width


def test_where_a_row_does_not_fit_its_cells_are_below_each_other():
    lines = [line.rstrip() for line in shown(36).splitlines()]
    assert lines[:2] == ["search:connect4-1@12:64", "  Elo    1,234"]
    assert lines[4:6] == ["  random", "    Elo    -1,050"]
