"""What people see and write: names of moves, pictures and texts of positions, a board that is not turned round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.games.board import Piece, pieces
from nought.games.conformance.referee import Referee, State
from nought.games.conformance.report import Failed
from nought.games.conformance.view import View
from nought.games.game import Game, Position
from nought.games.notation import SEPARATORS, format_line, format_move, format_moves, is_fixed, parse_line

LONGEST_NAME = 20  # letters
MOST_TURNS = 2_000  # that are looked at to see whether the board is turned
Seen = dict[int, Piece]  # by cell, as the player to move sees it


def written(game: Game, moves: Sequence[int]) -> str:
    """Moves in a message: their names or, where those cannot be had, their numbers."""
    try:
        return format_moves(game, moves)
    except NoughtError:
        return " ".join(map(str, moves))


class ForPeople:
    """Looks at every position as people would. `warn` is told the name of a check and what may be wrong."""

    def __init__(self, game: Game, referee: Referee, warn: Callable[[str, str], None]) -> None:
        self.game, self.referee, self.warn = game, referee, warn
        self.cells = game.board not in ("dots", "text")
        self.turning = Turning(game)

    def look(self, state: State, view: View) -> None:
        """Test names and picture of a position."""
        self._call("picture", state)
        if hasattr(self.game.rules, "text") and not isinstance(text := self._call("text", state), str):
            raise Failed("shown", f"text returns {text!r:.40}, not a string")
        position = Position(self.game, state)
        try:
            if not is_fixed(self.game):
                self._names(position, view)
            shown = pieces(position, view.planes) if self.cells else {}
        except NoughtError as error:
            raise Failed("shown", str(error).removeprefix(f"{self.game.name}: ")) from None
        if self.cells:
            self._origins(position, view, shown)
            self.turning.look(shown, view.player)

    def _call(self, function: str, state: State, *arguments: int) -> Any:
        """With care: what raises, changes the state or does not return is a finding."""
        if not hasattr(self.game.rules, function):
            return None
        return self.referee.call(self.referee.plain, function, state, *arguments)

    def _names(self, position: Position, view: View) -> None:
        known: dict[str, int] = {}
        for move in map(int, view.legal):
            self._call("move_text", position.state, move)
            name = format_move(position, move)
            if not name or len(name) > LONGEST_NAME or not name.isprintable() or set(name) & set(SEPARATORS):
                raise Failed(
                    "names",
                    f"the move {move} is called {name[:40]!r}: a name has 1 to {LONGEST_NAME} letters, "
                    "without spaces, commas or semicolons",
                )
            other = known.setdefault(name.casefold(), move)
            if other != move:
                raise Failed(
                    "names",
                    f"two legal moves, {other} and {move}, are both called {name!r}: "
                    "move_text(state, move) can tell them apart",
                )
        for name, move in list(known.items())[:1]:
            if parse_line(position, format_line(position, [move])) != [move]:
                raise Failed("names", f"the move {move} is written {name!r}, which cannot be read again")

    def _origins(self, position: Position, view: View, shown: Seen) -> None:
        """A piece that is moved should be seen where the move begins."""
        if self.game.origin_of_action is None:
            return
        for move in map(int, view.legal):
            begin, _ = position.cells_of(move)
            if begin is not None and (begin not in shown or shown[begin].owner == 1 - view.player):
                name = self.game.ground.square(begin)
                self.warn(
                    "origin",
                    f"the legal move {format_move(position, move)} begins on {name}, where no piece of the player to "
                    "move is seen (are ORIGIN_OF_ACTION and BOARD_TURNED right?)",
                )
                return


class Turning:
    """Is the board turned to the player to move without saying so, or the other way? Seen from how much of it changes
    from move to move, which is least where the board is shown as it stands."""

    def __init__(self, game: Game) -> None:
        self.game = game
        rows, columns = game.ground.rows, game.ground.columns
        grid = np.arange(rows * columns).reshape(rows, columns)
        self.ways: dict[str, NDArray[np.intp] | None] = {
            "None": None,
            '"half"': grid[::-1, ::-1].reshape(-1),
            '"flip"': grid[::-1].reshape(-1),
        }
        self.before: dict[str, Seen] = {}
        self.changes = dict.fromkeys(self.ways, 0)
        self.declared, self.turns = 0, 0  # changes as the game says the board is turned
        self.last: Seen = {}

    def begin(self) -> None:
        """A new game is played."""
        self.before = {}

    def look(self, shown: Seen, player: int) -> None:
        """A position that follows on the last one, as it is shown."""
        if self.turns >= MOST_TURNS:
            return
        turned = self.game.turned if player == 1 else None
        back = None if turned is None else np.argsort(turned)
        seen = {int(back[cell]) if back is not None else cell: piece for cell, piece in shown.items()}
        after = {
            way: {
                int(cells[cell]) if cells is not None and player == 1 else cell: p for cell, p in seen.items()
            }
            for way, cells in self.ways.items()
        }
        if self.before:
            self.turns += 1
            self.declared += _difference(self.last, shown)
            for way in self.ways:
                self.changes[way] += _difference(self.before[way], after[way])
        self.before, self.last = after, shown

    def better(self) -> str | None:
        """The value of BOARD_TURNED with which the board would change much less, if there is one."""
        best = min(self.changes, key=lambda way: self.changes[way])
        return best if self.turns and 2 * self.changes[best] < self.declared else None


def _difference(one: Seen, other: Seen) -> int:
    """On how many cells two boards differ."""
    return sum(one.get(cell) != other.get(cell) for cell in one.keys() | other.keys())
