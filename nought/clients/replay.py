"""Stepping through a finished game in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from nought.games.draw import draw, status
from nought.games.notation import format_move
from nought.selfplay.record import GameRecord

HELP = "[dim]Enter: next · [bold]b[/]ack · a number: that move · [bold]e[/]nd · [bold]q[/]uit[/]"


def step_through(record: GameRecord, out: Console, ask: Callable[[str], str] = input) -> None:
    """Show positions as the person asks for them."""
    positions = list(record.positions())
    out.print(HELP)
    at = 0
    while True:
        show(record, at, out)
        try:
            text = ask(f"{at}/{len(positions) - 1}: ").strip().lower()
        except EOFError:
            return
        if text.startswith("q"):
            return
        if text.isdigit():
            at = min(int(text), len(positions) - 1)
        else:
            at = {"": at + 1, "b": at - 1, "e": len(positions) - 1}.get(text[:1], at)
            at = min(max(at, 0), len(positions) - 1)


def show_all(record: GameRecord, out: Console) -> None:
    """Every position, one below the other."""
    for at in range(len(record.moves) + 1):
        show(record, at, out)


def show(record: GameRecord, at: int, out: Console) -> None:
    """The position after so many moves."""
    position = list(record.positions())[at]
    out.print()
    if at > 0:
        value = (
            f" [dim](first player expected {50 * (1 + record.values[at - 1]):.0f} %)[/]"
            if record.values
            else ""
        )
        out.print(f"move {at}: [bold]{format_move(record.game, record.moves[at - 1])}[/]{value}")
    out.print(draw(position, hints=False))
    out.print(status(position))
