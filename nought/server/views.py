"""Games and positions as clients see them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import lru_cache

from nought.games import Game, Position
from nought.games.board import boxes, cell_of_move, last_cell, owners, winning_line
from nought.games.game import IllegalMove
from nought.games.notation import format_move, format_moves, parse_moves
from nought.wire.analysis import LineMove
from nought.wire.games import Box, DrawnBoard, DrawnEdge, GameAnswer, LegalMove, OfferedAgent, PositionAnswer

LONGEST_RULES = 4_000  # letters


def title(game: Game) -> str:
    """What people call a game: the beginning of its description, and its size where the name gives one."""
    size = game.name.removeprefix(game.base).lstrip(":")
    name = game.description.partition(":")[0].strip() or game.base.removesuffix(".py")
    return f"{name} {size.replace('x', '×').replace(':', ', ')}".strip()


def rules(game: Game) -> str:
    """How a game is played, as the docstring of its file says."""
    return inspect.cleandoc(game.rules.__doc__ or "")[:LONGEST_RULES]


def game_view(
    game: Game, agents: Sequence[OfferedAgent], *, oracle: bool, compiled: bool = True
) -> GameAnswer:
    """A game as clients see it."""
    _, rows, columns = game.planes_shape
    cells = game.cell_of_action
    return GameAnswer(
        name=game.name,
        title=title(game),
        board=game.board,  # type: ignore[arg-type]  # `board` and `notation` have seen to it
        notation=game.notation,  # type: ignore[arg-type]
        rows=rows,
        columns=columns,
        actions=game.actions,
        cell_of_action=None if cells is None else tuple(cells.tolist()),
        counts_points=game.counts_points,
        oracle=oracle,
        agents=tuple(agents),
        rules=rules(game),
        compiled=compiled,
    )


@lru_cache(maxsize=4096)
def position_after(game: Game, moves: tuple[int, ...]) -> Position:
    """The position after these moves. Games go on from positions that were asked for before, so those are kept."""
    if not moves:
        return game.start()
    before = position_after(game, moves[:-1])
    try:
        return before.play(moves[-1])
    except IllegalMove as error:
        raise IllegalMove(f"move {len(moves)}: {error}") from None


def parse_position(game: Game, text: str) -> Position:
    """The position after the moves in a text; an error says which of them is wrong."""
    position = position_after(game, ())
    moves = tuple(parse_moves(game, text))
    for count in range(1, len(moves) + 1):  # one by one: a long game is no deep recursion
        position = position_after(game, moves[:count])
    return position


def board_view(position: Position) -> DrawnBoard:
    """What is to be seen on a board."""
    game = position.game
    _, rows, columns = game.planes_shape
    if game.board == "stones":
        stones = owners(position)
        cells = tuple(stones.get(cell) for cell in range(rows * columns))
        return DrawnBoard(cells=cells, edges=(), boxes=())
    drawn, closed = position.planes()[-1].reshape(-1), boxes(position)
    assert game.cell_of_action is not None  # a board of dots has one
    return DrawnBoard(
        cells=(),
        edges=tuple(
            DrawnEdge(action=action, cell=int(cell), drawn=bool(drawn[cell]))
            for action, cell in enumerate(game.cell_of_action)
        ),
        boxes=tuple(
            Box(cell=row * columns + column, owner=closed.get((row, column)))
            for row in range(1, rows, 2)
            for column in range(1, columns, 2)
        ),
    )


def position_view(position: Position) -> PositionAnswer:
    """A position as clients see it."""
    game = position.game
    stones = owners(position) if game.board == "stones" else {}
    return PositionAnswer(
        **dict(board_view(position)),
        game=game.name,
        moves=format_moves(game, position.moves),
        actions=position.moves,
        names=tuple(format_move(game, move) for move in position.moves),
        movers=position.movers,
        player=position.player,
        finished=position.finished,
        result=position.result if position.finished else None,
        margin=position.margin if game.counts_points else None,
        legal=tuple(
            LegalMove(action=move, name=format_move(game, move), cell=cell_of_move(position, move))
            for move in position.legal
        ),
        last=last_cell(position, stones),
        line=tuple(winning_line(position, stones)),
    )


def line_view(position: Position, line: Sequence[int]) -> tuple[LineMove, ...]:
    """The moves of a line of play that begins in this position."""
    found = []
    for move in line:
        player, position = position.player, position.play(move)
        found.append(LineMove(name=format_move(position.game, move), cell=last_cell(position), player=player))
    return tuple(found)
