"""Playing against an agent in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.draw import draw, status
from nought.games.notation import format_move, format_moves, parse_move
from nought.search import Analysis
from nought.selfplay import Player, SearchPlayer

HELP = "a move · [bold]u[/]ndo · [bold]h[/]int · [bold]m[/]oves so far · [bold]q[/]uit"


class ConsoleGame:
    """One game of a person against an agent."""

    def __init__(
        self,
        game: Game,
        agent: Player,
        *,
        human: int,
        hints: bool = False,
        console: Console | None = None,
        ask: Callable[[str], str] = input,
    ) -> None:
        self.game, self.agent, self.human, self.hints = game, agent, human, hints
        self.out = console or Console(highlight=False)
        self.ask = ask
        self.history = [game.start()]

    @property
    def position(self) -> Position:
        return self.history[-1]

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        side = "first" if self.human == 0 else "second"
        self.out.print(
            f"[bold]{escape(self.game.name)}[/] against [bold]{escape(self.agent.name)}[/]; you move {side}."
        )
        self.out.print(f"[dim]Type {HELP}[/]")
        self._show()
        while not self.position.finished:
            if self.position.player != self.human:
                self._agent_moves()
            elif not self._person_moves():
                self.out.print(f"[dim]Left after[/] {self._moves()}")
                return
        self._say_result()

    def _person_moves(self) -> bool:
        """Ask until the person has moved or taken a move back; False to leave."""
        if self.hints:
            self._hint()
        while True:
            try:
                text = self.ask("your move: ").strip()
            except EOFError:
                self.out.print()
                return False
            match text.lower():
                case "":
                    continue
                case "q" | "quit" | "exit":
                    return False
                case "?" | "help":
                    self.out.print(f"[dim]Type {HELP}[/]")
                case "h" | "hint":
                    self._hint()
                case "m" | "moves":
                    self.out.print(self._moves())
                case "u" | "undo":
                    if self._undo():
                        return True
                case _:
                    try:
                        position = self.position.play(parse_move(self.game, text))
                    except NoughtError as error:
                        self.out.print(f"[yellow]{escape(str(error))}[/]")
                        continue
                    self.history.append(position)
                    if position.finished or position.player == self.human:
                        self._show()  # else the agent's answer is shown with it
                    return True

    def _undo(self) -> bool:
        """Back to the person's last move."""
        turns = [i for i, p in enumerate(self.history[:-1]) if p.player == self.human]
        if not turns:
            self.out.print("[yellow]there is nothing to take back[/]")
            return False
        del self.history[turns[-1] + 1 :]
        self._show()
        return True

    def _agent_moves(self) -> None:
        with self.out.status("thinking …"):
            if isinstance(self.agent, SearchPlayer):
                analysis = self.agent.analyse(self.position)
                move, opinion = analysis.best.action, f"; {judgement(analysis)}"
            else:
                move, opinion = self.agent.choose({0: self.position})[0], ""
        self.history.append(self.position.play(move))
        self._show()
        self.out.print(
            f"[dim]{escape(self.agent.name)} played[/] [bold]{format_move(self.game, move)}[/][dim]{opinion}[/]"
        )

    def _hint(self) -> None:
        """What the agent would play in the person's place, and why."""
        if not isinstance(self.agent, SearchPlayer):
            self.out.print(
                f"[yellow]{escape(self.agent.name)} gives no hints: it does not say what it thinks[/]"
            )
            return
        with self.out.status("thinking …"):
            analysis = self.agent.analyse(self.position)
        self.out.print(analysis_table(self.game, analysis, limit=5))

    def _show(self) -> None:
        self.out.print()
        self.out.print(draw(self.position, hints=self.position.player == self.human))
        self.out.print(status(self.position))

    def _moves(self) -> str:
        return escape(format_moves(self.game, self.position.moves)) or "no moves"

    def _say_result(self) -> None:
        result = self.position.result if self.human == 0 else -self.position.result
        text = (
            "[bold green]You win.[/]"
            if result > 0
            else "[bold red]You lose.[/]"
            if result < 0
            else "[bold]A draw.[/]"
        )
        self.out.print(f"\n{text} [dim]Moves:[/] {self._moves()}")


def judgement(analysis: Analysis) -> str:
    """The agent's opinion of its own prospects, in words."""
    if analysis.proven and analysis.plies is not None:
        outcome = {1.0: "wins", 0.0: "draws", -1.0: "loses"}.get(
            analysis.value, f"gets {analysis.value:+.2f}"
        )
        return f"it {outcome} in {analysis.plies} moves at most, proven"
    return f"it expects to score {50 * (1 + analysis.value):.0f} %"


def analysis_table(game: Game, analysis: Analysis, limit: int) -> Table:
    """The best moves of an analysis, for people."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("move", "score", "visits", "best line"):
        table.add_column(column, justify="right" if column in ("score", "visits") else "left")
    for move in analysis.moves[:limit]:
        score = "–" if move.value is None else f"{50 * (1 + move.value):.0f} %"
        if move.proven:
            score = {1.0: "wins", 0.0: "draws", -1.0: "loses"}.get(move.value or 0.0, score)
        table.add_row(
            format_move(game, move.action),
            score,
            f"{move.visits:,}",
            escape(format_moves(game, move.line[:8])),
        )
    return table
