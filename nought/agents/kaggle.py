"""A Kaggle ConnectX agent's file as a player of Connect 4."""

from __future__ import annotations

import contextlib
import io
import operator
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nought.errors import NoughtError
from nought.export.kaggle import connectx_size
from nought.games import Game, Position


class Struct(dict[str, Any]):
    """A dictionary whose keys are attributes too, as agents are handed on Kaggle."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        super().__init__(entries)
        self.__dict__.update(entries)


class KagglePlayer:
    """Plays by calling the last function that a file defines, as Kaggle does, in this process: a file is run as
    it is, and its time is not limited."""

    def __init__(self, path: Path, game: Game) -> None:
        size = connectx_size(game)
        if size is None:
            raise NoughtError(f"kaggle:{path} plays connect4 (in any size), not {game.name}")
        self.name = f"kaggle:{path}"
        self.configuration = dict(zip(("rows", "columns", "inarow"), size, strict=True)) | {
            "actTimeout": 2, "timeout": 2, "agentTimeout": 60, "episodeSteps": 1000, "runTimeout": 1200,
        }  # fmt: skip
        self.agent = self._load(path)
        code = getattr(self.agent, "__code__", None)
        self.arguments = code.co_argcount if code else 2  # some take the observation alone

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {g: self._choose(position) for g, position in positions.items()}

    def _choose(self, position: Position) -> int:
        arguments = (Struct(observation(position)), Struct(self.configuration))
        answer = self._run(lambda: self.agent(*arguments[: self.arguments]))
        try:
            move = operator.index(answer)
            position.play(move)
        except TypeError:
            raise NoughtError(f"{self.name} answers {answer!r:.60}, not the number of a column") from None
        except NoughtError as error:
            raise NoughtError(f"{self.name} answers column {move} (counted from 0): {error}") from None
        return move

    def _load(self, path: Path) -> Callable[..., Any]:
        try:
            source = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise NoughtError(f"{self.name} cannot be read: {error}") from None
        names: dict[str, Any] = {}
        self._run(lambda: exec(compile(source, str(path), "exec"), names))
        functions = [value for value in names.values() if callable(value)]
        if not functions:
            raise NoughtError(f"{self.name} defines no function")
        return functions[-1]

    def _run(self, work: Callable[[], Any]) -> Any:
        """Call the agent; what it raises is a NoughtError of one line, and what it prints is dropped."""
        nothing = io.StringIO()
        try:
            with contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing):
                return work()
        except (Exception, SystemExit) as error:
            text = " ".join(str(error).split())[:200]
            raise NoughtError(f"{self.name} fails: {type(error).__name__}: {text}") from None


def observation(position: Position) -> dict[str, Any]:
    """What Kaggle tells an agent: the board row by row from the top, and which stones are its own."""
    mark = position.player + 1
    mine, theirs = position.planes().astype(int)
    board = (mark * mine + (3 - mark) * theirs).reshape(-1).tolist()
    return {
        "board": board, "mark": mark, "step": sum(stone > 0 for stone in board), "remainingOverageTime": 60,
    }  # fmt: skip
