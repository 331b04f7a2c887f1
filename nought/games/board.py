"""What is to be seen on a board, for any game: whose stones, which boxes, the last move, the winning line."""

from __future__ import annotations

from nought.games.game import Position
from nought.games.notation import format_move

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # row and column steps


def owners(position: Position) -> dict[int, int]:
    """Whose stone stands on a cell. Planes 0 and 1 are the mover's and the opponent's by custom."""
    planes = position.planes()[:2].reshape(-1, position.game.planes_shape[1] * position.game.planes_shape[2])
    players = (position.player, 1 - position.player)
    return {int(cell): players[i] for i, plane in enumerate(planes) for cell in plane.nonzero()[0]}


def last_cell(position: Position, stones: dict[int, int] | None = None) -> int | None:
    """The cell of the last move. `stones`: the owners, where they are known already."""
    cells = position.game.cell_of_action
    if not position.moves or cells is None:
        return None
    cell = int(cells[position.moves[-1]])
    if position.game.notation != "columns":
        return cell
    _, rows, columns = position.game.planes_shape
    stones = owners(position) if stones is None else stones
    # a dropped stone has come to rest below the cell of its action
    return next((below for below in range(cell, rows * columns, columns) if below in stones), None)


def cell_of_move(position: Position, action: int) -> int | None:
    """The cell that a legal move would fill; None when the game does not say."""
    if position.game.notation == "columns":
        return last_cell(position.play(action))
    cells = position.game.cell_of_action
    return None if cells is None else int(cells[action])


def winning_line(position: Position, stones: dict[int, int]) -> list[int]:
    """The cells of the row, or rows, that won; none in games whose file does not say how long a row wins."""
    length = getattr(position.game.rules, "LENGTH", None)
    last = last_cell(position, stones)
    if not isinstance(length, int) or last not in stones or not position.finished or position.result == 0:
        return []
    cells: set[int] = set()
    for direction in DIRECTIONS:
        row = _row_through(position, stones, last, direction)
        cells |= set(row) if len(row) >= length else set()
    return sorted(cells)


def _row_through(
    position: Position, stones: dict[int, int], cell: int, direction: tuple[int, int]
) -> list[int]:
    """The cells in a straight line through `cell` that hold stones of the same player."""
    _, rows, columns = position.game.planes_shape
    found = [cell]
    for way in (1, -1):
        row, column = divmod(cell, columns)
        while True:
            row, column = row + way * direction[0], column + way * direction[1]
            inside = 0 <= row < rows and 0 <= column < columns
            if not inside or stones.get(row * columns + column) != stones[cell]:
                break
            found.append(row * columns + column)
    return found


def legal_marks(position: Position, stones: dict[int, int]) -> dict[int, str]:
    """What to write on the cells of legal moves: their numbers, or a sign where some empty cells are not legal."""
    cells = position.game.cell_of_action
    if cells is None or position.game.notation == "columns":
        return {}
    moves = {int(cells[move]): format_move(position.game, move) for move in position.legal}
    if position.game.notation == "numbers":
        several = len(moves) < len(position.legal)  # moves on one cell, which then has no one number
        return {} if several else moves
    empty = set(range(position.game.planes_shape[1] * position.game.planes_shape[2])) - set(stones)
    return dict.fromkeys(moves, "+") if set(moves) != empty else {}


def boxes(position: Position) -> dict[tuple[int, int], int | None]:
    """The closed boxes, by place on the grid, and who closed them: known only from the moves, not from the state."""
    found: dict[tuple[int, int], int | None] = {}
    at = position.game.start()
    for move in position.moves:
        mover, at = at.player, at.play(move)
        found |= dict.fromkeys(_closed(at) - set(found), mover)
    closed = _closed(position)
    return found if set(found) == closed else dict.fromkeys(closed)


def _closed(position: Position) -> set[tuple[int, int]]:
    drawn = position.planes()[-1]
    _, rows, columns = position.game.planes_shape
    sides = ((-1, 0), (1, 0), (0, -1), (0, 1))
    inside = [(row, column) for row in range(1, rows, 2) for column in range(1, columns, 2)]
    return {(r, c) for r, c in inside if all(drawn[r + dr, c + dc] for dr, dc in sides)}
