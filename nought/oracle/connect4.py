"""Connect 4 on the board of 6 × 7, by the solver bitbully and its opening book."""

from __future__ import annotations

from nought.errors import NoughtError
from nought.games import Position
from nought.oracle.truth import Truth, require_unfinished, truth

SIZE = (6, 7, 4)  # rows, columns, how many in a row


class Connect4:
    """Judges every position, most within milliseconds, the slowest about a second.

    The score of a move is Pons's: 0 draws, a positive one wins: 1 with the winner's last stone, 2 with the last but
    one, and so on; negative ones lose likewise.
    """

    name = "bitbully"

    def __init__(self) -> None:
        try:
            from bitbully import BitBully
        except ImportError:
            raise NoughtError(
                "perfect play of connect4 needs the solver bitbully: pip install 'nought[oracle]'"
            ) from None
        self.solver = BitBully()

    def knows(self, position: Position) -> bool:
        return not position.finished

    def judge(self, position: Position) -> Truth:
        from bitbully import Board

        require_unfinished(position)
        mine, theirs = position.planes().astype(int)
        mover = 1 + position.player
        cells = mover * mine + (3 - mover) * theirs  # [rows, columns] 1: the first player's, 2: the second's
        scores = self.solver.score_all_moves(Board(cells.tolist()))
        return truth({move: scores[move % SIZE[1]] for move in position.legal})  # a column, or a cell of it
