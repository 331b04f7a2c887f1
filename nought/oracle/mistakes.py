"""The moves of a game that gave something away, by perfect play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nought.games import Game
from nought.oracle.truth import Oracle


class Mistake(NamedTuple):
    """A move after which the player could no longer get what was there before it."""

    number: int  #              of the move in the game, from 1
    player: int
    move: int
    kept: tuple[int, ...]  #    the moves that would have kept it
    before: int  #              what perfect play gives the player: 1 a win, 0 a draw, -1 a loss
    after: int


class Judged(NamedTuple):
    """What perfect play says of a game."""

    first: int  #                   the number of the first move that could be judged; all later ones were
    mistakes: list[Mistake]


def mistakes(oracle: Oracle, game: Game, moves: Sequence[int]) -> Judged:
    """The mistakes of a game, first to last, as far back from its end as the oracle knows the truth."""
    positions = [game.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    first, found = len(moves) + 1, []
    for at in reversed(range(len(moves))):
        if not oracle.knows(positions[at]):
            break  # nor does it know what is further from the end
        first = at + 1
        truth, move = oracle.judge(positions[at]), moves[at]
        if truth.outcomes[move] < truth.outcome:
            player, kept = positions[at].player, tuple(truth.keeping)
            found.append(Mistake(first, player, move, kept, truth.outcome, truth.outcomes[move]))
    return Judged(first, found[::-1])
