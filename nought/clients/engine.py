"""An agent behind the text protocol of docs/reference/engines.md, for programs that want to play against it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TextIO

from nought.agents import agent
from nought.agents.program import GREETING
from nought.errors import NoughtError
from nought.games import Game, load
from nought.games.notation import format_move
from nought.selfplay import Player, SearchPlayer, choose_move

MOST_SIMULATIONS = 200_000  # simulations at most where seconds are the limit
COMMANDS = f"{GREETING}, game GAME, position MOVES, go [simulations N | seconds S], quit"


class Engine:
    """An agent that answers a line with a line."""

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self._begin(game)

    def answer(self, line: str) -> str | None:
        """The answer to a line; None to one that asks nothing: an empty one or a comment."""
        try:
            return self._answer(line)
        except NoughtError as error:
            text = str(error)
        except Exception as error:  # whatever it is, who asked gets a line, and the next one is answered
            text = f"{type(error).__name__}: {error}"
        return f"error {' '.join(text.split())}"

    def _answer(self, line: str) -> str | None:
        text = line.replace("\t", " ").strip()
        if not text or text.startswith("#"):
            return None
        if not text.isprintable():
            raise NoughtError("a line is printable text")
        word, _, rest = text.partition(" ")
        match word, rest.split():
            case "nought", [version]:
                if f"nought {version}" != GREETING:
                    raise NoughtError(f"this engine speaks {GREETING!r}")
                return f"{GREETING} {self.name}"
            case "game", [_, *_]:
                self._begin(load(rest.strip()))
                return "ok"
            case "position", _:
                self.position = self.game.position(rest)
                return "ok"
            case "go", limits:
                return self._go(limits)
        shown = text if len(text) <= 60 else text[:60] + "…"
        raise NoughtError(f"{shown!r} is not understood; there are {COMMANDS}")

    def _begin(self, game: Game) -> None:
        """Play this game from now on; if it cannot be, go on with the one before."""
        player = agent(self.name, game)
        if isinstance(player, SearchPlayer):  # compile now, not in the time of the first move
            player.search.begin(0, game.start().state, simulations=1)
            player.search.run(player.evaluator)
        self.game, self.position = game, game.start()
        self.players: dict[int | None, Player] = {None: player}  # by their number of simulations

    def _go(self, limits: list[str]) -> str:
        if self.position.finished:
            raise NoughtError("the game is over")
        player = self._player(*_limits(limits))
        if not isinstance(player, SearchPlayer):
            return f"move {format_move(self.position, choose_move(player, self.position))}"
        analysis = player.analyse(self.position)
        best, value = analysis.best, round(analysis.value, 3) + 0.0  # -0.0 is 0
        return f"move {format_move(self.position, best.action)} value {value:.3f} visits {best.visits}"

    def _player(self, simulations: int | None, seconds: float) -> Player:
        if simulations not in self.players:
            new = agent(self.name, self.game, simulations=simulations)
            # one besides: each has its own memory
            self.players = {None: self.players[None], simulations: new}
        player = self.players[simulations]
        if isinstance(player, SearchPlayer):
            player.seconds = seconds
        return player


def _limits(words: list[str]) -> tuple[int | None, float]:
    """Simulations (None: the agent's own number) and seconds."""
    match words:
        case []:
            return None, math.inf
        case ["simulations", number] if number.isdecimal() and len(number) < 10:
            return int(number), math.inf
        case ["seconds", number]:
            try:
                seconds = float(number)
            except ValueError:
                seconds = math.nan
            if 0 < seconds <= 3600:
                return MOST_SIMULATIONS, seconds
            raise NoughtError(f"seconds are more than 0 and at most 3600, not {number!r}")
    raise NoughtError(f"go takes nothing, `simulations N` or `seconds S`, not {' '.join(words)!r}")


def serve(engine: Engine, lines: Iterable[str], out: TextIO) -> None:
    """Answer lines until `quit` or the end."""
    for line in lines:
        if line.strip() == "quit":
            return
        if (answer := engine.answer(line)) is not None:
            out.write(f"{answer}\n")
            out.flush()
