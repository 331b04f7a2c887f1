"""The rules of a game, called with care and asked in three ways that must agree.

Plain rules come first, always: a wrong index is an error there. What they have answered is asked of the rules
compiled with every index checked (compiled numbers may be others than plain ones), and only then of the rules as
the search calls them, where a wrong index would write into memory that belongs to others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.compile import compiled
from nought.errors import NoughtError
from nought.games.conformance.report import COMPILED, COMPILING, PLAIN, Failed, Trace, called
from nought.games.conformance.view import View, shown
from nought.games.game import OPTIONAL_RULES, RULES, Game, Position, in_words
from nought.games.notation import format_move

State = NDArray[Any]
WHOLE = (int, np.integer)


class _Way(NamedTuple):
    """One way to call the rules."""

    how: str
    rules: ModuleType


class Referee:
    """Asks the rules, each answer in every way there is; what is wrong with it is raised as Failed, or, where it
    may be meant so, handed to `warn` as a check's name and a message."""

    def __init__(self, game: Game, trace: Trace, warn: Callable[[str, str], None]) -> None:
        self.game, self.trace, self.warn = game, trace, warn
        self.plain = _Way(PLAIN, game.rules)
        self.others: list[_Way] = []  # the compiled ones
        self.narrow = game.compilable and game.state_dtype.kind in "iu" and game.state_dtype.itemsize <= 2

    def compile(self) -> float:
        """Have the rules compiled, in both ways; the seconds it took."""
        began = time.perf_counter()
        self.trace.asking(COMPILED, COMPILING)
        modules = [compiled(self.game, checked=checked) for checked in (True, False)]
        for module in modules:
            self._compile(module)
        self.others = [_Way(COMPILED, module) for module in modules]
        return time.perf_counter() - began

    def _compile(self, module: ModuleType) -> None:
        from numba import typeof

        state, move = self.game.zero_state(), 0
        moves, out = np.zeros(self.game.actions, np.int32), np.zeros(self.game.planes_shape, np.float32)
        more: dict[str, tuple[Any, ...]] = {"legal_moves": (moves,), "play": (move,), "planes": (out,)}
        for rule in (*RULES, *OPTIONAL_RULES):
            try:
                getattr(module, rule).compile(tuple(typeof(value) for value in (state, *more.get(rule, ()))))
            except Exception as error:
                raise Failed("compiles", f"{rule} does not compile: {_why_not_compiled(error)}") from None

    # ---- what a check asks ----------------------------------------------------------------------------------
    def start(self) -> State:
        """The starting position."""
        first, *others = (self._start(way) for way in (self.plain, *self.others))
        if any(other.tobytes() != first.tobytes() for other in others):
            raise Failed("compiled", "start: the state is another compiled than uncompiled")
        return first

    def _start(self, way: _Way) -> State:
        state = self.game.zero_state()
        self.call(way, "start", state)
        return state

    def play(self, state: State, move: int) -> State:
        """The state after a move."""
        after = state.copy()
        self.call(self.plain, "play", after, move)
        if self.narrow:
            self._look_for_overflow(state, move, after)
        for way in self.others:
            other = state.copy()
            self.call(way, "play", other, move)
            if other.tobytes() != after.tobytes():
                written = self._written(state, move)
                raise Failed("compiled", f"play {written}: another state compiled than uncompiled")
        return after

    def _written(self, state: State, move: int) -> str:
        """A move in a message: its name or, where that cannot be had, its number."""
        try:
            return format_move(Position(self.game, state), move)
        except NoughtError:
            return str(move)

    def _look_for_overflow(self, state: State, move: int, after: State) -> None:
        """The same move in wide numbers: where its outcome is the same but for a wrap-around, that is a mistake, and
        in numbers without a sign, which may be used as bits, perhaps one."""
        wide = state.astype(np.int64)
        try:
            self.game.rules.play(wide, move)
        except Exception:  # rules that depend on the kind of their numbers cannot be tried so
            return
        wrapped = np.flatnonzero(wide != after)
        if len(wrapped) == 0 or wide.astype(after.dtype).tobytes() != after.tobytes():
            return
        place = int(wrapped[0])
        message = (
            f"play {self._written(state, move)}: state[{place}] becomes {wide[place]}, which np.{after.dtype} "
            f"cannot hold: it wraps around to {after[place]}"
        )
        if after.dtype.kind == "i":
            raise Failed("overflow", message)
        self.warn("overflow", f"{message} (if that is on purpose, all is well)")

    def view(self, state: State) -> View:
        """What the rules say about a position."""
        view = self._tested(state)
        for way in self.others:
            other = self._ask(way, state).difference(view)
            if other is not None:
                self.ask_again(state, view)
                raise Failed("compiled", other.words("compiled", "uncompiled"))
        return view

    def ask_again(self, state: State, view: View) -> None:
        """Whether the plain rules say the same once more."""
        other = self._ask(self.plain, state).difference(view)
        if other is not None:
            told = other.words("the second time", "the first time")
            raise Failed("repeatable", f"the same state gives different answers when asked again: {told}")

    # ---- one rule, one way ----------------------------------------------------------------------------------
    def call(self, way: _Way, rule: str, state: State, *arguments: Any) -> Any:
        """Call a rule; what it raises, and a state changed without leave, are failures."""
        before = state.tobytes()
        self.trace.asking(way.how, rule)
        try:
            value = getattr(way.rules, rule)(state, *arguments)
        except (Exception, SystemExit) as error:
            line = self.game.line_of(error)
            where = "" if line is None else f" (line {line})"
            raise Failed("raises", f"{called(way.how, rule)} raises {in_words(error)}{where}") from None
        if rule not in ("start", "play") and state.tobytes() != before:
            raise Failed("changes", f"{rule} changes the state; only play may")
        return value

    def _ask(self, way: _Way, state: State) -> View:
        """What one kind of rules says, as it says it."""
        player = self.call(way, "player", state)
        moves = np.full(self.game.actions, -1, np.int32)
        count = self.call(way, "legal_moves", state, moves)
        if not isinstance(count, WHOLE) or not 0 <= count <= self.game.actions:
            raise Failed("legal", f"legal_moves returns {count!r}, not how many moves it wrote")
        finished = self.call(way, "finished", state)
        result, margin = (
            self._number(way, rule, state) if finished else None for rule in ("result", "margin")
        )
        planes = np.zeros(self.game.planes_shape, np.float32)
        self.call(way, "planes", state, planes)
        return View(player, moves[:count], finished, result, margin, planes)

    def _number(self, way: _Way, rule: str, state: State) -> float:
        value = self.call(way, rule, state)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise Failed(rule, f"{rule} returns {value!r}, not a number") from None

    def _tested(self, state: State) -> View:
        """What the plain rules say, each answer tested by itself."""
        view = self._ask(self.plain, state)
        if not isinstance(view.player, WHOLE) or view.player not in (0, 1):
            raise Failed("player", f"player is {view.player}, not 0 or 1")
        legal = view.legal
        if len(legal) and not 0 <= legal.min() <= legal.max() < self.game.actions:
            raise Failed(
                "legal", f"legal_moves gives {shown(legal)}; actions are 0 to {self.game.actions - 1}"
            )
        if np.any(legal[:-1] >= legal[1:]):
            raise Failed("order", f"legal_moves gives {shown(legal)}: they must ascend, each once")
        if not isinstance(view.finished, (*WHOLE, np.bool_)):
            raise Failed("finished", f"finished returns {view.finished!r}, not True or False")
        if view.finished and len(legal):
            raise Failed("end", f"the game is finished, but legal_moves gives {shown(legal)}")
        if not view.finished and not len(legal):
            raise Failed("stuck", "the game is not finished, but there is no legal move")
        self._test_the_end(view)
        if not np.all(np.isfinite(view.planes)):
            raise Failed("planes", "planes holds a number that is infinite or not a number")
        return view

    def _test_the_end(self, view: View) -> None:
        if view.result is None or view.margin is None:
            return
        if not -1 <= view.result <= 1:  # NaN is not, either
            raise Failed("result", f"result is {view.result:g}, not between -1 and 1")
        if not np.isfinite(view.margin):
            raise Failed("margin", f"margin is {view.margin:g}")
        if view.result * view.margin < 0:
            raise Failed(
                "margin",
                f"result is {view.result:g} but margin is {view.margin:g}: both are as player 0 sees it, so they "
                "have the same sign",
            )


def _why_not_compiled(error: Exception) -> str:
    """The line and the reason out of the pages that Numba writes."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [
        line for line in lines if line and not line.startswith(("Failed in nopython", "- Resolution failure"))
    ]
    if not lines:
        return type(error).__name__
    reason = lines[0]
    call = next((line.removeprefix(">>> ") for line in lines if line.startswith(">>> ")), None)
    if reason.startswith("No implementation of function") and call is not None:
        reason = f"Numba has no {call}"
        detail = next((line for line in lines if line.startswith("TypingError: ")), None)
        reason += f" ({detail.removeprefix('TypingError: ')})" if detail is not None else ""
    reason = reason.split(", defined at ")[0].split(" for '$")[0]  # less Numba's own names
    where = next((line for line in lines if line.startswith("File ") and ", line " in line), None)
    if where is None:
        return reason
    marked = next((i for i, line in enumerate(lines) if line.startswith("^")), None)
    code = f", `{lines[marked - 1]}`" if marked else ""
    return f"line {where.rsplit(', line ', 1)[1].rstrip(':')}{code}: {reason}"
