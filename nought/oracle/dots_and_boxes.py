"""Dots and boxes: a table of every position of small boards, endgames of larger ones by search."""

from __future__ import annotations

import contextlib
import io
import zipfile
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.files import cache_folder, write_whole
from nought.games import Game, Position
from nought.oracle.kernels.dots_and_boxes import BEST, WORST, closed_by, net_search, net_table
from nought.oracle.truth import Truth, ahead, require_unfinished, truth

TABLE_EDGES = 24  # edges of the largest board whose every position is in a table: 3×3, a second and 16 MB
ENDGAME_EDGES = 28  # edges left on larger boards that are searched in seconds
HASH_BITS = 22  # the search's hash table holds 2 to this many positions


class DotsAndBoxes:
    """Judges every position of boards of up to 24 edges, and those of larger ones with up to 28 edges left.

    The score of a move is how many boxes more than the opponent the mover gains from here on.
    """

    def __init__(self, game: Game) -> None:
        self.name = (
            f"every position of {game.name}" if game.actions <= TABLE_EDGES else f"endgames of {game.name}"
        )
        self.game = game

    def knows(self, position: Position) -> bool:
        return not position.finished and (
            self.game.actions <= TABLE_EDGES or len(position.legal) <= ENDGAME_EDGES
        )

    def judge(self, position: Position) -> Truth:
        require_unfinished(position)
        if not self.knows(position):
            raise NoughtError(
                f"{self.game.name}: perfect play is known from {ENDGAME_EDGES} edges left, here are {len(position.legal)}"
            )
        if self.game.actions <= TABLE_EDGES:
            edges: Sequence[int] = range(self.game.actions)
            net: Callable[[int], int] = _table(self.game).__getitem__
        else:  # only the edges that are left matter
            edges = position.legal
            net = _searching(boxes_of(self.game, edges))
        boxes = boxes_of(self.game, edges)
        left = sum(1 << number for number, edge in enumerate(edges) if edge in position.legal)
        scores = {}
        for number, edge in enumerate(edges):
            if edge in position.legal:
                closed, rest = closed_by(number, left, boxes), int(net(left ^ 1 << number))
                scores[edge] = closed + rest if closed else -rest
        return truth(scores, ahead(position))


def boxes_of(game: Game, edges: Sequence[int]) -> NDArray[np.int64]:
    """[edges, 2] the boxes beside each of these edges as masks of these edges, numbered in this order."""
    number = {edge: n for n, edge in enumerate(edges)}
    boxes = np.zeros((len(edges), 2), np.int64)
    rows, columns = game.size
    for box in (game.rules.edges_of_box(r, c) for r in range(rows) for c in range(columns)):
        numbers = [number[edge] for edge in box if edge in number]
        for n in numbers:
            boxes[n, 1 if boxes[n, 0] else 0] = sum(1 << m for m in numbers)
    return boxes


def _searching(boxes: NDArray[np.int64]) -> Callable[[int], int]:
    size = 1 << min(len(boxes), HASH_BITS)
    table = np.zeros(size, np.int64), np.zeros(size, np.int8), np.zeros(size, np.int8)
    return lambda left: net_search(left, WORST, BEST, boxes, *table)


@cache
def _table(game: Game) -> NDArray[np.int8]:
    """[edges left] the mover's net boxes: from the cache folder, or made and put there."""
    path = cache_folder() / "oracle" / f"dots-and-boxes-{'x'.join(map(str, game.size))}.npz"
    damaged = (EOFError, KeyError, ValueError, zipfile.BadZipFile)  # the checksum does not fit, and worse
    with contextlib.suppress(OSError, *damaged), np.load(path) as stored:
        table: NDArray[np.int8] = stored["net"]
        if table.shape == (1 << game.actions,) and table.dtype == np.int8:
            return table
    table = net_table(boxes_of(game, range(game.actions)))
    with contextlib.suppress(OSError):  # no place on the disk: it is made again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        content = io.BytesIO()
        np.savez(content, net=table)
        write_whole(path, content.getvalue())
    return table
