"""Is a game right? Random games that test everything the contract promises."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.games.compile import compiled
from nought.games.notation import format_move, format_moves, parse_moves
from nought.games.spec import OPTIONAL_RULES, RULES, Game, Symmetry

State = NDArray[Any]
WHOLE = (int, np.integer)
REMEMBERED = 50_000  # positions, to be recognised when another order of moves leads to them


@dataclass(frozen=True)
class Finding:
    """Something wrong with a game, and where it shows first."""

    check: str  # which promise is broken; a report has one finding for each
    message: str
    moves: tuple[int, ...]  # that lead there from the start
    line: str  # the same moves as people write them


@dataclass
class Report:
    """What a check found, and how much it looked at."""

    game: str
    games: int = 0
    positions: int = 0
    longest: int = 0  # moves in the longest game seen
    transpositions: int = 0  # positions met again by another order of moves
    symmetries: int = 1
    symmetries_played: int = 1  # that the starting position has, so that mirrored games can be played
    compile_seconds: float | None = None  # None: not compiled
    failures: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.failures


def check_game(
    game: Game, games: int = 100, seed: int = 0, listener: Callable[[Report], None] = lambda report: None
) -> Report:
    """Play random games and test the rules in every position; `listener` hears of every game played."""
    return _Check(game, np.random.default_rng(seed)).run(games, listener)


class _Failed(Exception):
    def __init__(self, check: str, message: str, moves: Sequence[int] | None = None) -> None:
        self.check, self.message, self.moves = check, message, moves


@dataclass(frozen=True)
class _View:
    """All that the rules say about a state."""

    player: int
    legal: tuple[int, ...]
    finished: bool
    result: float | None  # of a finished game
    margin: float | None
    planes: NDArray[np.float32]

    def difference(self, other: _View, mine: str, others: str) -> str | None:
        """In what two views differ, in words."""
        for name in ("finished", "player", "legal", "result", "margin"):
            a, b = getattr(self, name), getattr(other, name)
            if a != b and not (isinstance(a, float) and isinstance(b, float) and np.isclose(a, b)):
                rule = "legal_moves" if name == "legal" else name
                return f"{rule}: {_shown(a)} {mine}, {_shown(b)} {others}"
        if not np.allclose(self.planes, other.planes, rtol=1e-5, atol=1e-6):
            plane, row, column = np.argwhere(~np.isclose(self.planes, other.planes, rtol=1e-5, atol=1e-6))[0]
            a, b = self.planes[plane, row, column], other.planes[plane, row, column]
            return f"planes: [{plane}, {row}, {column}] is {a:g} {mine}, {b:g} {others}"
        return None

    def seen_through(self, symmetry: Symmetry) -> _View:
        legal = tuple(sorted(int(symmetry.actions[move]) for move in self.legal))
        planes = symmetry.apply_planes(self.planes)
        return _View(self.player, legal, self.finished, self.result, self.margin, planes)

    def key(self) -> tuple[Any, ...]:
        return self.player, self.legal, self.planes.tobytes()


class _Check:
    def __init__(self, game: Game, random: np.random.Generator) -> None:
        self.game = game
        self.random = random
        self.plain: ModuleType = game.rules
        self.fast: ModuleType | None = None
        self.moves: list[int] = []  # of the game being played
        self.report = Report(game.name)
        # by state: by which moves it was reached, and what it is
        self.reached: dict[bytes, tuple[tuple[int, ...], _View]] = {}
        self.states: dict[Any, bytes] = {}  # by what it is: which state
        self.symmetries: Sequence[Symmetry] = ()
        # how much the stones' planes change at a turn, if they stay or change sides
        self.kept = self.swapped = 0.0

    def run(self, games: int, listener: Callable[[Report], None]) -> Report:
        for stage in (self.facts, self.compile):
            try:
                stage()
            except _Failed as failed:
                self.note(self.report.failures, failed.check, failed.message, failed.moves)
                if stage == self.facts:
                    return self.report
        for _ in range(games):
            self.moves = []
            try:
                self.play_a_game()
            except _Failed as failed:
                self.note(self.report.failures, failed.check, failed.message, failed.moves)
            self.report.games += 1
            listener(self.report)
        if 2 * self.kept < self.swapped:
            self.note(
                self.report.failures,
                "perspective",
                "planes 0 and 1 stay with the same players when the turn passes; planes are what the player to "
                "move sees: its own stones in plane 0, the opponent's in plane 1",
                moves=(),
            )
        return self.report

    def note(
        self, findings: list[Finding], check: str, message: str, moves: Sequence[int] | None = None
    ) -> None:
        """Keep the finding, or the shorter of two ways to it; the moves are those played unless given."""
        moves = tuple(self.moves if moves is None else moves)
        finding = Finding(check, message, moves, format_moves(self.game, moves) if moves else "")
        known = next((i for i, finding in enumerate(findings) if finding.check == check), None)
        if known is None:
            findings.append(finding)
        elif len(moves) < len(findings[known].moves):
            findings[known] = finding

    # ---- before the games -----------------------------------------------------------------------------------
    def facts(self) -> None:
        try:
            symmetries = self.game.symmetries[1:]
            _ = self.game.board, self.game.cell_of_action
            everything = list(range(self.game.actions))
            if parse_moves(self.game, format_moves(self.game, everything)) != everything:
                raise _Failed("notation", "moves that are written cannot be read again")
        except NoughtError as error:
            raise _Failed("facts", str(error).removeprefix(f"{self.game.name}: ")) from None
        view = self.view(self.plain, self.start(self.plain))
        if view.finished:
            raise _Failed("start", "the game is finished before its first move")
        self.symmetries = [s for s in symmetries if np.array_equal(s.apply_planes(view.planes), view.planes)]
        self.report.symmetries, self.report.symmetries_played = 1 + len(symmetries), 1 + len(self.symmetries)

    def compile(self) -> None:
        """Compile every rule. They are first called on states where the plain rules have made no mistake."""
        if not self.game.compilable:
            return
        from numba import typeof

        began = time.perf_counter()
        fast = compiled(self.game)
        state, move = self.game.zero_state(), 0
        moves, out = np.zeros(self.game.actions, np.int32), np.zeros(self.game.planes_shape, np.float32)
        more: dict[str, tuple[Any, ...]] = {"legal_moves": (moves,), "play": (move,), "planes": (out,)}
        for rule in (*RULES, *OPTIONAL_RULES):
            try:
                getattr(fast, rule).compile(tuple(typeof(value) for value in (state, *more.get(rule, ()))))
            except Exception as error:
                raise _Failed("compiles", f"{rule} does not compile: {_why_not_compiled(error)}") from None
        self.report.compile_seconds = time.perf_counter() - began
        self.fast = fast

    # ---- one game -------------------------------------------------------------------------------------------
    def play_a_game(self) -> None:
        rules = self.fast or self.plain
        state = self.start(self.plain)
        if self.fast is not None and not np.array_equal(state, self.start(self.fast)):
            raise _Failed("compiled", "start: the state is another compiled than uncompiled")
        mirrored = [state.copy() for _ in self.symmetries]
        history = [state]
        view = self.look(state, mirrored)
        while not view.finished:
            if len(self.moves) >= self.game.longest:
                raise _Failed("longest", f"the game goes on after LONGEST = {self.game.longest} moves")
            move = int(self.random.choice(view.legal))
            before, old = state, view
            state = before.copy()
            self.call(self.plain, "play", state, move)
            if self.fast is not None:
                also = before.copy()
                self.call(self.fast, "play", also, move)
                if not np.array_equal(state, also):
                    raise _Failed(
                        "compiled",
                        f"play {format_move(self.game, move)}: another state compiled than uncompiled",
                    )
            for symmetry, image in zip(self.symmetries, mirrored, strict=True):
                self.call(rules, "play", image, int(symmetry.actions[move]))
            self.moves.append(move)
            history.append(state)
            view = self.look(state, mirrored)
            self.turn(old, view)
            self.reorder(history, view)
        self.report.longest = max(self.report.longest, len(self.moves))

    def look(self, state: State, mirrored: Sequence[State]) -> _View:
        """Test everything about one position."""
        self.report.positions += 1
        view = self.view(self.plain, state)
        if self.fast is None:
            other = self.view(self.plain, state).difference(view, "the second time", "the first time")
        else:
            other = self.view(self.fast, state).difference(view, "compiled", "uncompiled")
        if other is not None and self.view(self.plain, state).difference(view, "", "") is not None:
            raise _Failed("repeatable", f"the same state gives different answers when asked again: {other}")
        if other is not None:
            raise _Failed("compiled", other)
        for symmetry, image in zip(self.symmetries, mirrored, strict=True):
            through = view.seen_through(symmetry)
            other = self.view(self.fast or self.plain, image).difference(
                through, "after the mirrored moves", "expected"
            )
            if other is not None:
                raise _Failed("symmetry", f"a symmetry of the board does not fit the rules: {other}")
        self.remember(state, tuple(self.moves), view)
        return view

    def remember(self, state: State, moves: tuple[int, ...], view: _View) -> None:
        """Positions reached in several ways: one state must be one position, and one position one state."""
        key = state.tobytes()
        if not self.game.compilable or (key not in self.reached and len(self.reached) >= REMEMBERED):
            return
        first, known = self.reached.setdefault(key, (moves, view))
        if first != moves:
            self.report.transpositions += 1
            other = view.difference(known, "here", f"after {self.line(first)}")
            if other is not None:
                why = "equal states give different answers, so the rules hold more than the state"
                raise _Failed("hidden", f"{why}: {other}", moves)
        same = self.states.setdefault(view.key(), key)
        if same != key:
            why = (
                f"the board looks as it does after {self.line(self.reached[same][0])}, but the state is another: it "
                "holds something that does not matter (the search will not see that they are one position), or the "
                "planes do not show something that does"
            )
            self.note(self.report.warnings, "canonical", why, moves)

    def line(self, moves: Sequence[int]) -> str:
        return format_moves(self.game, moves) or "no moves"

    def turn(self, before: _View, after: _View) -> None:
        """Whether the planes of stones change sides with the player to move (where they are planes of stones)."""
        if self.game.board != "stones" or hasattr(self.plain, "text") or len(after.planes) < 2:
            return
        stones = after.planes[:2]
        if (
            before.player == after.player
            or np.any(stones[0] * stones[1])
            or not np.all((stones == 0) | (stones == 1))
        ):
            return
        self.kept += float(np.abs(stones - before.planes[:2]).sum())
        self.swapped += float(np.abs(stones - before.planes[1::-1]).sum())

    def reorder(self, history: list[State], view: _View) -> None:
        """Try the last three moves with the first and the third exchanged: often it is the same position."""
        if len(self.moves) < 3 or not self.game.compilable:
            return
        rules = self.fast or self.plain
        state = history[-4].copy()
        a, b, c = self.moves[-3:]
        for move in (c, b, a):
            if move not in self.view(rules, state).legal:
                return
            self.call(rules, "play", state, move)
        self.remember(state, (*self.moves[:-3], c, b, a), self.view(rules, state))

    # ---- the rules, called with care ------------------------------------------------------------------------
    def start(self, rules: ModuleType) -> State:
        state = self.game.zero_state()
        self.call(rules, "start", state)
        return state

    def call(self, rules: ModuleType, rule: str, state: State, *arguments: Any) -> Any:
        """Call a rule; what it raises, and a state changed without leave, are failures."""
        before = state.copy()
        try:
            with np.errstate(over="ignore"):
                value = getattr(rules, rule)(state, *arguments)
        except Exception as error:
            how = "" if rules is self.plain else "compiled, "
            raise _Failed(
                "raises", f"{how}{rule} raises {type(error).__name__}: {error}{self.place(error)}"
            ) from None
        if rule not in ("start", "play") and not np.array_equal(before, state):
            raise _Failed("changes", f"{rule} changes the state; only play may")
        return value

    def number(self, rules: ModuleType, rule: str, state: State) -> float:
        value = self.call(rules, rule, state)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise _Failed(rule, f"{rule} returns {value!r}, not a number") from None

    def place(self, error: Exception) -> str:
        path = getattr(self.plain, "__file__", None)
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path
        ]
        return f" (line {lines[-1]})" if lines else ""

    def view(self, rules: ModuleType, state: State) -> _View:
        """What the rules say about a state, each answer tested by itself."""
        player = self.call(rules, "player", state)
        if not isinstance(player, WHOLE) or player not in (0, 1):
            raise _Failed("player", f"player is {player}, not 0 or 1")
        moves = np.full(self.game.actions, -1, np.int32)
        count = self.call(rules, "legal_moves", state, moves)
        if not isinstance(count, WHOLE) or not 0 <= count <= self.game.actions:
            raise _Failed("legal", f"legal_moves returns {count!r}, not how many moves it wrote")
        legal = tuple(int(move) for move in moves[:count])
        if legal and not 0 <= min(legal) <= max(legal) < self.game.actions:
            raise _Failed(
                "legal", f"legal_moves gives {_shown(legal)}; actions are 0 to {self.game.actions - 1}"
            )
        if any(a >= b for a, b in pairwise(legal)):
            raise _Failed("order", f"legal_moves gives {_shown(legal)}: they must ascend, each once")
        finished = self.call(rules, "finished", state)
        if not isinstance(finished, (*WHOLE, np.bool_)):
            raise _Failed("finished", f"finished returns {finished!r}, not True or False")
        if finished and legal:
            raise _Failed("end", f"the game is finished, but legal_moves gives {_shown(legal)}")
        if not finished and not legal:
            raise _Failed("stuck", "the game is not finished, but there is no legal move")
        result = self.number(rules, "result", state) if finished else None
        if result is not None and not -1 <= result <= 1:  # NaN is not, either
            raise _Failed("result", f"result is {result:g}, not between -1 and 1")
        margin = self.number(rules, "margin", state) if finished else None
        planes = np.zeros(self.game.planes_shape, np.float32)
        self.call(rules, "planes", state, planes)
        if not np.all(np.isfinite(planes)):
            raise _Failed("planes", "planes holds a number that is infinite or not a number")
        return _View(int(player), legal, bool(finished), result, margin, planes)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value[:20])) + (" …" if len(value) > 20 else "") if value else "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


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
