"""The one loop in which players play games."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from nought.games import Position
from nought.selfplay.players import Player


def play_games(
    players: tuple[Player, Player],
    openings: Sequence[Position],
    *,
    swapped: Container[int] = (),
    first: int = 0,
    progress: Callable[[int], None] = lambda finished: None,
) -> list[Position]:
    """Play from each opening to the end, all games at once. The last positions.

    players[0] has the first side, but not in the games of the openings whose places are in `swapped`. The games
    are numbered from `first` on; players may remember a game by its number, so that games which must not know of
    each other need numbers of their own.
    """
    positions = dict(enumerate(openings, first))
    while running := {g: position for g, position in positions.items() if not position.finished}:
        progress(len(positions) - len(running))
        for side, player in enumerate(players):
            to_move = {
                g: position
                for g, position in running.items()
                if position.player == (1 - side if g - first in swapped else side)
            }
            if to_move:
                positions |= {g: positions[g].play(move) for g, move in player.choose(to_move).items()}
    return list(positions.values())
