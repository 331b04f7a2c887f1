"""A game as the rest of nought sees it: its facts, its plain rules, and positions for people to play with."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, wraps
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.games import contract
from nought.games.ground import Ground, cells_of_actions, ground_of, notation_of, turned_cells
from nought.games.symmetry import Symmetry, symmetries_of

Number = TypeVar("Number", int, float)
T = TypeVar("T")
FACTS = ("STATE", "ACTIONS", "PLANES", "LONGEST")
RULES = ("player", "legal_moves", "play", "finished", "result", "planes")
OPTIONAL_RULES = ("start", "margin")
FOR_PEOPLE = (
    "text",
    "picture",
    "move_text",
)  # functions in plain Python: never compiled, no part of the rules


class IllegalMove(NoughtError):
    """A move that the rules do not allow in this position."""


class BrokenRule(NoughtError):
    """A game's own function has raised an exception: its file is to be mended."""


def fact(read: Callable[[Any], T]) -> cached_property[T]:
    """Something that follows from what a game's file says. Files may say anything, an array for a word or an object that
    cannot be compared: what fails in reading that is the file's to mend."""

    @wraps(read)
    def careful(game: Game) -> T:
        try:
            return read(game)
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
            raise NoughtError(
                f"{game.name}: its {read.__name__} cannot be read: {in_words(error)}"
            ) from error

    return cached_property(careful)


class Game:
    """The facts of a game and its rules, uncompiled. Two games are equal when their source is."""

    def __init__(self, name: str, rules: ModuleType, source: str, *, compilable: bool = True) -> None:
        missing = [n for n in (*FACTS, *RULES) if not hasattr(rules, n)]
        if missing:
            raise NoughtError(
                f"{name}: the game does not define {', '.join(missing)} (see docs/guide/your-own-game.md)"
            )
        for function in (*RULES, *OPTIONAL_RULES):
            if not hasattr(rules, function):
                setattr(rules, function, getattr(contract, function))
            elif not callable(getattr(rules, function)):
                raise NoughtError(f"{name}: {function} must be a function")
        self.name = name
        self.rules = rules
        self.source = source
        self.compilable = compilable
        try:
            self.state_dtype = np.dtype(rules.STATE[0])
            self.state_length = int(rules.STATE[1])
            self.actions = int(rules.ACTIONS)
            self.longest = int(rules.LONGEST)
            planes, rows, columns = (int(n) for n in rules.PLANES)
        except (TypeError, ValueError, LookupError, OverflowError) as error:
            raise NoughtError(
                f"{name}: STATE is (kind, count), PLANES is (planes, rows, columns): {error}"
            ) from None
        size = getattr(rules, "SIZE", ())
        if not isinstance(size, tuple) or not all(isinstance(number, int) for number in size):
            raise NoughtError(f"{name}: SIZE is a tuple of whole numbers, as (6, 7), not {size!r}")
        if min(self.state_length, self.actions, self.longest, planes, rows, columns) < 1:
            raise NoughtError(f"{name}: the numbers in STATE, ACTIONS, PLANES and LONGEST must be 1 or more")
        if self.state_dtype.kind not in "iub":
            raise NoughtError(
                f"{name}: STATE must be whole numbers (np.int8 … np.uint64), not {self.state_dtype}"
            )
        self.planes_shape = (planes, rows, columns)

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.source) == (other.name, other.source)

    def __hash__(self) -> int:
        return hash((self.name, self.source))

    @property
    def base(self) -> str:
        """The name without a size: connect4, where the game is connect4:8x8:5."""
        return base_name(self.name)

    @property
    def size(self) -> tuple[int, ...]:
        """The numbers of its size, which a user may change; empty where the rules know one board only."""
        return tuple(getattr(self.rules, "SIZE", ()))

    @property
    def description(self) -> str:
        """The first line of the game's docstring."""
        lines = self.explanation.splitlines()
        return lines[0] if lines else ""

    @property
    def title(self) -> str:
        """What people call the game: the beginning of its description, and its size where the name gives one."""
        size = self.name.removeprefix(self.base).lstrip(":")
        name = self.description.partition(":")[0].strip() or self.base.removesuffix(".py")
        return f"{name} {size.replace('x', '×').replace(':', ', ')}".strip()

    @property
    def explanation(self) -> str:
        """The docstring of the game's file."""
        text = self.rules.__doc__
        return inspect.cleandoc(text) if isinstance(text, str) else ""

    # ---- for people: see ground.py -----------------------------------------------------------------------------
    @fact
    def ground(self) -> Ground:
        """The empty board, as it is drawn."""
        return ground_of(self)

    @property
    def board(self) -> str:
        """The shape of the board: stones on squares, hexagons, pits, edges between dots, or the game's own text."""
        return self.ground.shape

    @fact
    def notation(self) -> str:
        """How moves are written: squares, moves from square to square, columns, numbers, or the game's own names."""
        return notation_of(self)

    @fact
    def cell_of_action(self) -> NDArray[np.intp] | None:
        """[actions] the cell (row by row) on which an action ends, -1 for none; None when the game does not say."""
        return cells_of_actions(self, "CELL_OF_ACTION")

    @fact
    def origin_of_action(self) -> NDArray[np.intp] | None:
        """[actions] the cell on which an action begins, -1 for none; None in games that set pieces only."""
        return cells_of_actions(self, "ORIGIN_OF_ACTION")

    @fact
    def turned(self) -> NDArray[np.intp] | None:
        """[cells] where a cell stands that player 1 sees as number i; None where both players see the same board."""
        return turned_cells(self)

    def place(self, cell: int, player: int) -> int | None:
        """Where on the board a cell stands that a player sees as this number; None for -1, no cell."""
        if cell < 0:
            return None
        return cell if self.turned is None or player == 0 else int(self.turned[cell])

    @property
    def counts_points(self) -> bool:
        """Whether the game has a margin beside its result."""
        return self.rules.margin is not contract.margin

    @fact
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries, the identity first."""
        return symmetries_of(self)

    def zero_state(self) -> NDArray[Any]:
        """The state that `start` makes the starting position."""
        return np.zeros(self.state_length, self.state_dtype)

    def start(self) -> Position:
        """The starting position."""
        state = self.zero_state()
        self.call("start", state)
        return Position(self, state)

    def call(self, rule: str, state: NDArray[Any], *arguments: Any) -> Any:
        """What a plain rule answers; where it raises, a BrokenRule that says in which line of the game's file."""
        try:
            with np.errstate(over="ignore"):  # whole numbers wrap around in rules, as they do when compiled
                return getattr(self.rules, rule)(state, *arguments)
        except NoughtError:
            raise
        except Exception as error:
            line = self.line_of(error)
            where = "" if line is None else f" in line {line} of {self.rules.__file__}"
            raise BrokenRule(f"{self.name}: {rule} raises {in_words(error)}{where}") from error

    def number(self, rule: str, state: NDArray[Any], *arguments: Any, kind: type[Number] = int) -> Number:
        """What a plain rule answers that is to answer with a number."""
        answer = self.call(rule, state, *arguments)
        try:
            return kind(answer)
        except (TypeError, ValueError, OverflowError):
            raise BrokenRule(
                f"{self.name}: {rule} returns {str(answer)[:60]!r}, which is no number"
            ) from None

    def line_of(self, error: BaseException) -> int | None:
        """The line of the game's file in which an exception was raised, or passed through last."""
        path = getattr(self.rules, "__file__", None)
        frames = traceback.extract_tb(error.__traceback__)
        return next((frame.lineno for frame in reversed(frames) if frame.filename == path), None)

    def position(self, moves: str | Iterable[int]) -> Position:
        """The position after these moves: their numbers, or a text as people write it, `44325` or `f5d6c3`; in dots
        and boxes also the state of a name as in 002, `2048:-1:0`."""
        from nought.games.notation import parse_moves  # which are written in terms of this module
        from nought.games.state_names import named_state

        if isinstance(moves, str) and (named := named_state(self, moves)):
            return named
        position = self.start()
        moves = parse_moves(self, moves) if isinstance(moves, str) else moves
        for move in moves:
            position = position.play(move)
        return position


def base_name(name: str) -> str:
    """The name of a game without its size."""
    return name.partition(":")[0]


def in_words(error: BaseException) -> str:
    """An exception as one line: its kind, and what it says."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")


class Position:
    """A position of a game, played by the plain rules: for people, tests and files. It never changes."""

    def __init__(
        self, game: Game, state: NDArray[Any], moves: Sequence[int] = (), movers: Sequence[int] = ()
    ) -> None:
        self.game = game
        self.state = state
        self.moves = tuple(moves)  #   that led here from the start, where known
        self.movers = tuple(movers)  # who made each of them: 0 or 1, not always in turn

    def __repr__(self) -> str:
        return f"Position({self.game.name!r}, moves={list(self.moves)})"

    def _repr_svg_(self) -> str:
        """The board, where a notebook shows the position."""
        from nought.games.svg import draw_svg  # which is written in terms of this module

        return draw_svg(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.game == other.game
            and np.array_equal(self.state, other.state)
        )

    def __hash__(self) -> int:
        return hash(self.state.tobytes())

    @property
    def player(self) -> int:
        """Who is to move: 0 or 1."""
        player = self.game.number("player", self.state)
        if player not in (0, 1):
            raise BrokenRule(f"{self.game.name}: player returns {player}, not 0 or 1")
        return player

    @cached_property
    def legal(self) -> list[int]:
        """The legal moves, ascending."""
        moves = np.zeros(self.game.actions, np.int32)
        count = self.game.number("legal_moves", self.state, moves)
        found: list[int] = moves[: max(count, 0)].tolist()
        if len(found) != count or (found and not 0 <= min(found) <= max(found) < self.game.actions):
            raise BrokenRule(
                f"{self.game.name}: legal_moves returns {count} moves, among them some that are none"
            )
        return found

    @cached_property
    def finished(self) -> bool:
        return bool(self.game.number("finished", self.state))

    @property
    def result(self) -> float:
        """The result of a finished game for player 0: 1 won, -1 lost, 0 drawn, or anything between."""
        if not self.finished:
            raise NoughtError("the game is not finished: it has no result yet")
        return self.game.number("result", self.state, kind=float)

    @property
    def margin(self) -> int:
        """By how many points player 0 is ahead, in games that count points."""
        return self.game.number("margin", self.state)

    def planes(self) -> NDArray[np.float32]:
        """[planes, rows, columns] the board as the player to move sees it."""
        out = np.zeros(self.game.planes_shape, np.float32)
        self.game.call("planes", self.state, out)
        return out

    def cells_of(self, action: int) -> tuple[int | None, int | None]:
        """The cells of the board on which a move of the player to move begins and ends; None where there is none."""
        game = self.game
        player = 0 if game.turned is None else self.player
        begin, end = (
            -1 if cells is None else int(cells[action])
            for cells in (game.origin_of_action, game.cell_of_action)
        )
        return game.place(begin, player), game.place(end, player)

    def play(self, action: int) -> Position:
        """The position after a legal move; an illegal one raises IllegalMove."""
        if action not in self.legal:
            raise IllegalMove(self._why_illegal(action))
        state = self.state.copy()
        self.game.call("play", state, action)
        return Position(self.game, state, (*self.moves, int(action)), (*self.movers, self.player))

    def _why_illegal(self, action: int) -> str:
        from nought.games.notation import format_move, legal_names  # which is written in terms of this module

        if not 0 <= action < self.game.actions:
            return (
                f"{self.game.name}: there is no move number {action}; moves are 0 to {self.game.actions - 1}"
            )
        move = format_move(self, action)
        if self.finished:
            return f"{self.game.name}: {move} is not legal: the game is over"
        return f"{self.game.name}: {move} is not legal here; legal: {legal_names(self)}"
