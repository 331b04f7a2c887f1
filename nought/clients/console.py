"""Playing against an agent in the terminal."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.status import Status
from rich.table import Table
from rich.text import Text

from nought.clients.game import ClientGame, Hint, Reply
from nought.clients.saved import require_new, save
from nought.errors import NoughtError
from nought.games.draw import draw, status, stone
from nought.games.notation import format_move, format_moves, how_written, move_names, parse_move
from nought.shell import command

with contextlib.suppress(ImportError):  # where there is one: arrow keys edit the line
    import readline  # noqa: F401

HELP = (
    "a move{like} · [bold]u[/]ndo · [bold]h[/]int · [bold]m[/]oves so far · [bold]s[/]ave \\[FILE] · "
    "[bold]r[/]esign · [bold]q[/]uit"
)
SHOWN_HINTS = 5  # moves that a hint shows


class ConsoleGame:
    """One game of a person against an agent."""

    def __init__(
        self,
        current: ClientGame,
        *,
        hints: bool = False,
        save_in: Path | None = None,
        console: Console | None = None,
        ask: Callable[[str], str] = input,
    ) -> None:
        self.current, self.game, self.hints = current, current.game, hints
        self.save_in = save_in  # where the game is kept after every move
        self.out = console or Console(highlight=False)
        self.ask = ask

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        side = "first" if self.current.human == 0 else "second"
        self.out.print(f"[bold]{escape(self.current.title)}[/]")
        self.out.print(Text.assemble("You are ", stone(self.current.human), f" and move {side}."))
        self._help()
        with self._thinking():
            reply = self.current.begin()
        self._show(reply)
        while self.current.result is None:
            if not self._turn():
                self._leave()
                return
        self._say_result()

    # ---- the person's turn ----------------------------------------------------------------------------------
    def _turn(self) -> bool:
        """Ask until the person has moved or taken a move back; False to leave."""
        if self.hints:
            self._try(self._hint)
        while True:
            try:
                text = self.ask("your move: ").strip()
            except (EOFError, KeyboardInterrupt):
                self.out.print()
                return False
            word, _, rest = text.partition(" ")
            if self._is_legal(text):  # a move that is called like a command is a move
                word = ""
            match word.lower():
                case "" if not text:
                    continue
                case "q" | "quit" | "exit":
                    return False
                case "?" | "help":
                    self._help()
                case "h" | "hint":
                    self._try(self._hint)
                case "m" | "moves":
                    self.out.print(self._moves())
                case "s" | "save":
                    self._try(self._save_as, rest.strip())
                case "u" | "undo":
                    if self._try(self._undo):
                        return True
                case "r" | "resign":
                    if self._sure("resign?") and self._try(self.current.resign):
                        return True
                case _:
                    if self._try(self._move, text):
                        return True

    def _is_legal(self, text: str) -> bool:
        position = self.current.position
        return text.casefold() in (format_move(position, move).casefold() for move in position.legal)

    def _help(self) -> None:
        like = how_written(self.current.position)
        self.out.print(f"[dim]Type {HELP.format(like=f' {escape(like)}' if like else '')}[/]")

    def _try(self, action: Callable[..., None], *words: str) -> bool:
        """Do what the person asked for, or say why it cannot be done."""
        try:
            action(*words)
        except NoughtError as error:
            # whose game it is stands above the board
            self.out.print(f"[yellow]{escape(str(error).removeprefix(f'{self.game.name}: '))}[/]")
            return False
        return True

    def _sure(self, question: str) -> bool:
        try:
            return self.ask(f"{question} y/n: ").strip().lower() in ("y", "yes")
        except EOFError:
            return False

    def _move(self, text: str) -> None:
        action = parse_move(self.current.position, text)
        self.current.position.play(action)  # what is not legal is said at once
        with self._thinking():
            reply = self.current.play(action)
        self._show(reply)
        self._keep()

    def _undo(self) -> None:
        self.current.undo()
        self._show(Reply())
        self._keep()

    def _hint(self) -> None:
        """What the agent would play in the person's place, and why."""
        with self._thinking():
            hints = self.current.hints()
        self.out.print(hint_table(hints[:SHOWN_HINTS]))

    # ---- what is shown and kept -----------------------------------------------------------------------------
    def _thinking(self) -> Status:
        return self.out.status("thinking …")

    def _show(self, reply: Reply) -> None:
        position = self.current.position
        self.out.print()
        self.out.print(draw(position, hints=position.player == self.current.human))
        if reply.moves:
            played = ", ".join(move_names(self.game.start(), position.moves)[-len(reply.moves) :])
            opinion = f"; {reply.opinion}" if reply.opinion and not position.finished else ""
            self.out.print(
                Text.assemble(stone(1 - self.current.human), " played ", (played, "bold"), (opinion, "dim"))
            )
        self.out.print(status(position))

    def _moves(self) -> str:
        return escape(format_moves(self.game, self.current.position.moves)) or "no moves"

    def _leave(self) -> None:
        self._keep()
        self.out.print(f"[dim]Left after[/] {self._moves()}")
        again = self.current.resuming() or (self.save_in and command("play", "--resume", str(self.save_in)))
        if again:
            self.out.print(f"[dim]Go on with[/] {escape(again)}", soft_wrap=True)

    def _say_result(self) -> None:
        self._keep()
        result = self.current.result or 0.0
        mine = result if self.current.human == 0 else -result
        text = "[bold green]You win.[/]" if mine > 0 else "[bold red]You lose.[/]"
        self.out.print(f"\n{text if mine else '[bold]A draw.[/]'} [dim]Moves:[/] {self._moves()}")
        with self.out.status("looking for mistakes … (Ctrl-C skips)"):
            try:
                lines = self.current.afterwards()
            except KeyboardInterrupt:
                lines = []
        for line in lines:
            self.out.print(escape(line), soft_wrap=True)
        if self.save_in:
            again = escape(command("replay", str(self.save_in)))
            self.out.print(f"[dim]Step through it with[/] {again}", soft_wrap=True)

    def _save_as(self, name: str) -> None:
        """Keep the game in a file, from now on."""
        if name or self.save_in is None:
            path = Path(name or time.strftime(f"{self.game.base}-%Y%m%d-%H%M%S.json"))
            if path != self.save_in:
                require_new(path)
            self.save_in = path
        self._keep()
        self.out.print(f"[dim]saved in[/] {escape(str(self.save_in))}[dim], and after every move[/]")

    def _keep(self) -> None:
        if self.save_in:
            human, (first, second) = self.current.human, self.current.players
            players = ("you", second) if human == 0 else (first, "you")
            save(self.save_in, self.game, self.current.position.moves, players, self.current.result)


def hint_table(hints: list[Hint]) -> Table:
    """The best moves of an analysis, for people."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("move", no_wrap=True)
    for column in ("score", "visits"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("best line")
    for hint in hints:
        table.add_row(escape(hint.move), hint.score, f"{hint.visits:,}", escape(hint.line))
    return table
