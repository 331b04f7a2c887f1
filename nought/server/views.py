"""Games and positions as clients see them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nought.games import Game, Position
from nought.games.board import Scene, boxes, cells_of_move, last_cell, scene
from nought.games.game import IllegalMove
from nought.games.notation import format_move, format_moves, move_names, parse_moves
from nought.wire.analysis import LineMove
from nought.wire.games import Box, DrawnBoard, DrawnEdge, GameAnswer, LegalMove, OfferedAgent, PositionAnswer

LONGEST_RULES = 4_000  # letters


def rules(game: Game) -> str:
    """How a game is played, as the docstring of its file says."""
    return game.explanation[:LONGEST_RULES]


def game_view(
    game: Game, agents: Sequence[OfferedAgent], *, oracle: bool, compiled: bool = True
) -> GameAnswer:
    """A game as clients see it."""
    ground, cells = game.ground, game.cell_of_action
    fixed = cells is not None and game.turned is None and cells.min() >= 0
    return GameAnswer(
        name=game.name,
        title=game.title,
        board=game.board,  # type: ignore[arg-type]  # `board` and `notation` have seen to it
        notation=game.notation,  # type: ignore[arg-type]
        rows=ground.rows,
        columns=ground.columns,
        a1=ground.a1,  # type: ignore[arg-type]
        colours=ground.colours,
        sides=ground.sides,
        actions=game.actions,
        cell_of_action=tuple(cells.tolist()) if cells is not None and fixed else None,
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
    return _dots_view(position) if position.game.board == "dots" else _cells_view(scene(position))


def _cells_view(shown: Scene) -> DrawnBoard:
    everywhere = range(shown.ground.cells) if shown.ground.shape != "text" else ()
    labelled = any(piece.label for piece in shown.pieces.values())
    return DrawnBoard(
        cells=tuple(shown.owner(cell) for cell in everywhere),
        labels=tuple(shown.label(cell) for cell in everywhere) if labelled else (),
        text=shown.text,
        edges=(),
        boxes=(),
    )


def _dots_view(position: Position) -> DrawnBoard:
    game = position.game
    _, rows, columns = game.planes_shape
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
    game, shown = position.game, scene(position)
    board = _dots_view(position) if game.board == "dots" else _cells_view(shown)
    return PositionAnswer(
        **dict(board),
        game=game.name,
        moves=format_moves(game, position.moves),
        actions=position.moves,
        names=tuple(move_names(game.start(), position.moves)),
        movers=position.movers,
        player=position.player,
        finished=position.finished,
        result=position.result if position.finished else None,
        margin=position.margin if game.counts_points else None,
        legal=tuple(_legal_view(position, move) for move in position.legal),
        last=shown.last,
        came_from=shown.came_from,
        line=shown.won,
    )


def _legal_view(position: Position, move: int) -> LegalMove:
    begin, end = cells_of_move(position, move)
    return LegalMove(action=move, name=format_move(position, move), cell=end, origin=begin)


def line_view(position: Position, line: Sequence[int]) -> tuple[LineMove, ...]:
    """The moves of a line of play that begins in this position."""
    found = []
    for move in line:
        name, player, position = format_move(position, move), position.player, position.play(move)
        found.append(LineMove(name=name, cell=last_cell(position), player=player))
    return tuple(found)
