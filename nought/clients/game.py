"""A game of a person against an agent, wherever it is played: what the console needs to know of it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.notation import format_line, format_move
from nought.oracle import find_oracle
from nought.oracle.mistakes import Mistake, mistakes
from nought.search import Analysis
from nought.selfplay import Player, SearchPlayer, choose_move

SHOWN_MOVES = 3  # that would have been better


class Reply(NamedTuple):
    """What the agent played, and what it thinks, in words."""

    moves: tuple[int, ...] = ()
    opinion: str = ""


class Hint(NamedTuple):
    """A move that could be played, in words."""

    move: str
    score: str
    visits: int
    line: str


class ClientGame(Protocol):
    """A game of a person against an agent. What cannot be done is a NoughtError that says why."""

    game: Game
    human: int  # which player the person is

    @property
    def players(self) -> tuple[str, str]:
        """The names, who moves first first."""
        ...

    @property
    def title(self) -> str:
        """What is played against whom, in words."""
        ...

    @property
    def position(self) -> Position: ...

    @property
    def result(self) -> float | None:
        """For the first player; None while the game is open."""
        ...

    def begin(self) -> Reply:
        """The agent moves until it is the person's turn."""
        ...

    def play(self, action: int) -> Reply:
        """The person moves, and the agent until it is the person's turn again."""
        ...

    def undo(self) -> None:
        """Back to before the person's last move."""
        ...

    def resign(self) -> None: ...

    def hints(self) -> list[Hint]:
        """What an agent would play in the person's place, best first."""
        ...

    def afterwards(self) -> list[str]:
        """What there is to say of a finished game, line by line."""
        ...

    def resuming(self) -> str | None:
        """The command that goes on with an open game; None where nobody but the person keeps it."""
        ...


class LocalGame:
    """A game against a player on this machine."""

    def __init__(self, game: Game, agent: Player, *, human: int, start: Position | None = None) -> None:
        self.game, self.agent, self.human = game, agent, human
        self.history = [start or game.start()]
        self.resigned = False

    @property
    def players(self) -> tuple[str, str]:
        return ("you", self.agent.name) if self.human == 0 else (self.agent.name, "you")

    @property
    def title(self) -> str:
        return f"{self.game.title} against {self.agent.name}"

    @property
    def position(self) -> Position:
        return self.history[-1]

    @property
    def result(self) -> float | None:
        if self.resigned:
            return -1.0 if self.human == 0 else 1.0
        return self.position.result if self.position.finished else None

    def begin(self) -> Reply:
        moves, opinion = [], ""
        while not self.position.finished and self.position.player != self.human:
            if isinstance(self.agent, SearchPlayer):
                analysis = self.agent.analyse(self.position)
                move, opinion = analysis.best.action, opinion_text(analysis)
            else:
                move = choose_move(self.agent, self.position)
            self.history.append(self.position.play(move))
            moves.append(move)
        return Reply(tuple(moves), opinion)

    def play(self, action: int) -> Reply:
        self.history.append(self.position.play(action))
        return self.begin()

    def undo(self) -> None:
        turns = [i for i, position in enumerate(self.history[:-1]) if position.player == self.human]
        if not turns:
            raise NoughtError("there is nothing to take back")
        del self.history[turns[-1] + 1 :]

    def resign(self) -> None:
        self.resigned = True

    def hints(self) -> list[Hint]:
        if not isinstance(self.agent, SearchPlayer):
            raise NoughtError(f"{self.agent.name} gives no hints: it does not say what it thinks")
        analysis = self.agent.analyse(self.position)
        return [
            Hint(
                format_move(self.position, move.action),
                score(move.value, move.proven),
                move.visits,
                format_line(self.position, move.line[:8]),
            )
            for move in analysis.moves
        ]

    def afterwards(self) -> list[str]:
        """The mistakes of both, where the truth is known."""
        try:
            judged = mistakes(find_oracle(self.game), self.game, self.position.moves)
        except NoughtError as error:
            return [f"mistakes are not shown: {error}"]
        moves = self.position.moves
        lines = [
            explain(self.game.position(moves[: mistake.number - 1]), mistake, self.human)
            for mistake in judged.mistakes
        ]
        if judged.first <= len(self.position.moves) and self.human not in (m.player for m in judged.mistakes):
            since = f" from move {judged.first} on" if judged.first > 1 else ""
            lines.append(f"you made no mistake{since}")
        return lines

    def resuming(self) -> None:
        return None


def explain(before: Position, mistake: Mistake, human: int) -> str:
    """A mistake made in a position, in words: `move 7: 3 threw away a win; 4 kept it`."""
    kept = [format_move(before, move) for move in mistake.kept[:SHOWN_MOVES]]
    better = " or ".join(kept) + (" or …" if len(mistake.kept) > SHOWN_MOVES else "")
    who = "you" if mistake.player == human else "the agent"
    what = "a win" if mistake.before == 1 else "a draw"
    played = format_move(before, mistake.move)
    return f"move {mistake.number}: {who} threw away {what} with {played}; {better} kept it"


def score(value: float | None, proven: bool) -> str:
    """A value for people."""
    if value is None:
        return "–"
    words = {1.0: "wins", 0.0: "draws", -1.0: "loses"} if proven else {}
    return words.get(value, f"{50 * (1 + value):.0f} %")


def opinion_text(analysis: Analysis) -> str:
    """The agent's opinion of its own prospects, in words."""
    if analysis.proven and analysis.plies is not None:
        outcome = {1.0: "wins", 0.0: "draws", -1.0: "loses"}.get(
            analysis.value, f"gets {analysis.value:+.2f}"
        )
        return (
            f"it {outcome} in {analysis.plies} {'move' if analysis.plies == 1 else 'moves at most'}, proven"
        )
    return f"it expects to score {50 * (1 + analysis.value):.0f} %"
