"""Stepping through a game in the terminal: one from a file, or one that a server keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from nought.clients.remote import Server
from nought.clients.saved import players_of
from nought.errors import NoughtError
from nought.games import load
from nought.games.draw import draw, status, stone
from nought.games.notation import format_move
from nought.selfplay.record import GameRecord, read_games

HELP = "[dim]Enter: next · [bold]b[/]ack · a number: that move · [bold]e[/]nd · [bold]q[/]uit[/]"
Titled = tuple[Text, GameRecord]


def game_of_file(path: Path, number: int) -> Titled:
    """A game of a file, and who played it where it says so."""
    games = read_games(path)
    if number > len(games):
        raise NoughtError(f"{path} has {len(games)} games; there is no game {number}")
    record = games[number - 1]
    return title(record, players_of(path, number), record.result), record


def game_of_server(server: Server, id: str) -> Titled:
    """A game that a server keeps."""
    played = server.played(id)
    game = load(played.game)
    record = GameRecord(game, game.start(), played.position.actions, (), played.result)
    first, second = played.players
    return title(record, (first.name, second.name), played.result, played.ended), record


def link(text: str) -> tuple[str, str] | None:
    """The server and the game in a link as the web page has it, http://host/game/ID; None for other text."""
    before, slash, id = text.rpartition("/game/")
    if slash and id and "/" not in id and urlsplit(text).scheme in ("http", "https"):
        return before, id
    return None


def title(
    record: GameRecord, players: tuple[str, str] | None, result: float | None, ended: str | None = None
) -> Text:
    """The game, who played it and how it ended."""
    parts = [Text(record.game.name, "bold")]
    if players:
        parts += [Text.assemble(stone(player), f" {name}") for player, name in enumerate(players)]
    if result is not None:
        how = ": the other resigned" if ended == "resigned" else ""
        parts.append(Text.assemble(stone(0 if result > 0 else 1), f" won{how}") if result else Text("drawn"))
    return Text(" · ").join(parts)


def step_through(titled: Titled, out: Console, ask: Callable[[str], str] = input) -> None:
    """Show positions as the person asks for them."""
    heading, record = titled
    positions = list(record.positions())
    out.print(heading)
    out.print(HELP)
    at = 0
    while True:
        show(record, at, out)
        try:
            text = ask(f"{at}/{len(positions) - 1}: ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            out.print()
            return
        if text.startswith("q"):
            return
        if text.isdecimal():
            at = min(int(text), len(positions) - 1)
        else:
            at = {"": at + 1, "n": at + 1, "b": at - 1, "e": len(positions) - 1}.get(text[:1], at)
            at = min(max(at, 0), len(positions) - 1)


def show_all(titled: Titled, out: Console) -> None:
    """Every position, one below the other."""
    heading, record = titled
    out.print(heading)
    for at in range(len(record.moves) + 1):
        show(record, at, out)


def show(record: GameRecord, at: int, out: Console) -> None:
    """The position after so many moves."""
    position = list(record.positions())[at]
    out.print()
    if at > 0:
        move = escape(format_move(record.game, record.moves[at - 1]))
        expected = (
            f" [dim](first player expected {50 * (1 + record.values[at - 1]):.0f} %)[/]"
            if record.values
            else ""
        )
        out.print(f"move {at}: [bold]{move}[/]{expected}")
    out.print(draw(position, hints=False))
    out.print(status(position))
