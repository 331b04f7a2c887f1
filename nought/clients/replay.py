"""Stepping through a game in the terminal: one from a file, or one that a server keeps."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from nought.clients.remote import Server
from nought.clients.saved import players_of
from nought.errors import NoughtError
from nought.games import Position
from nought.games.draw import draw, status, stone
from nought.games.notation import format_move
from nought.games.registry import load_found
from nought.games.state_names import state_name
from nought.selfplay.notes import SearchNote
from nought.selfplay.record import GameRecord, read_games

HELP = "[dim]→ or Enter: next · ← or [bold]b[/]: back · Home, End · a number and Enter: that move · [bold]q[/]uit[/]"
LINES_HELP = "[dim]Enter: next · [bold]b[/]ack · a number: that move · [bold]e[/]nd · [bold]q[/]uit[/]"
MOVES_SHOWN = 3  # of a search
KEY = re.compile(
    r"\x1b(?:\[[\d;]*[A-Za-z~]|O[A-Z])|[\x00\xe0].|.", re.DOTALL
)  # of what a terminal sends at once
NEXT, BACK, START, END, QUIT = "next", "back", "start", "end", "quit"
KEYS = {  # as terminals send them, and as Windows does
    NEXT: ("\x1b[C", "\x1bOC", "\xe0M", "\x00M", "\r", "\n", " ", "n", "l"),
    BACK: ("\x1b[D", "\x1bOD", "\xe0K", "\x00K", "\x7f", "\x08", "b", "p", "h"),
    START: ("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\xe0G", "\x00G", "s"),
    END: ("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\xe0O", "\x00O", "e"),
    QUIT: ("q", "\x1b"),
}
MEANINGS = {key: meaning for meaning, keys in KEYS.items() for key in keys}
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
    game = load_found(played.game)
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


def step_through(titled: Titled, out: Console, read_key: Callable[[], str] | None = None) -> None:
    """Show positions as the person asks for them: with keys where they can be read, or else line by line."""
    heading, record = titled
    out.print(heading)
    try:
        if read_key is not None:
            out.print(HELP)
            _by_keys(record, out, read_key)
        else:
            out.print(LINES_HELP)
            _by_lines(record, out)
    except (EOFError, KeyboardInterrupt):
        out.print()


def _by_keys(record: GameRecord, out: Console, read_key: Callable[[], str]) -> None:
    at, last, number = 0, len(record.moves), ""  # `number`: what has been typed of one
    show(record, at, out)
    while True:
        out.print(f"\r{at}/{last} [dim]← → Home End q[/] {number}", end="")
        pressed = read_key()
        if not pressed:  # the terminal is gone
            raise EOFError
        for key in KEY.findall(pressed):
            if key.isdecimal():
                number = (number + key)[: len(str(last))]
                continue
            meaning = MEANINGS.get(key.lower(), MEANINGS.get(key, ""))
            if meaning == QUIT:
                out.print()
                return
            there = {NEXT: int(number or at + 1), BACK: at - 1, START: 0, END: last}.get(meaning, at)
            there, number = min(max(there, 0), last), ""
            if there != at:
                at = there
                out.print()
                show(record, at, out)


def _by_lines(record: GameRecord, out: Console) -> None:
    at, last = 0, len(record.moves)
    while True:
        show(record, at, out)
        text = input(f"{at}/{last}: ").strip().lower()
        if text.startswith("q"):
            return
        if text.isdecimal():
            at = min(int(text), last)
        else:
            at = {"": at + 1, "n": at + 1, "b": at - 1, "s": 0, "e": last}.get(text[:1], at)
            at = min(max(at, 0), last)


def show_all(titled: Titled, out: Console) -> None:
    """Every position, one below the other."""
    heading, record = titled
    out.print(heading)
    for at in range(len(record.moves) + 1):
        show(record, at, out)


def show(record: GameRecord, at: int, out: Console) -> None:
    """Show the position after the first moves, as many as `at` says."""
    positions = list(record.positions())
    position = positions[at]
    out.print()
    if at > 0:
        move = escape(format_move(positions[at - 1], record.moves[at - 1]))
        expected = (
            f" [dim](first player expected {50 * (1 + record.values[at - 1]):.0f} %)[/]"
            if record.values
            else ""
        )
        out.print(f"move {at}: [bold]{move}[/]{expected}")
        if at <= len(record.notes) and (note := record.notes[at - 1]):
            out.print(f"[dim]{escape(_searched(positions[at - 1], note))}[/]")
    out.print(draw(position, hints=False))
    out.print(status(position))
    if name := state_name(position):
        out.print(f"[dim]{name}[/]")


def _searched(position: Position, note: SearchNote) -> str:
    """What a search had found: the moves that it visited most, each with its value and prior."""
    best = sorted(note.moves, key=lambda m: (m.visits, m.prior), reverse=True)[:MOVES_SHOWN]
    shown = (
        f"{format_move(position, m.move)} {m.visits} ("
        + ("" if m.value is None else f"{50 * (1 + m.value):.0f} %, ")
        + f"prior {100 * m.prior:.0f} %)"
        for m in best
    )
    return f"expected {50 * (1 + note.value):.0f} %; visits: {', '.join(shown)}"
