"""The one loop in which players play games."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from nought.games import Position
from nought.selfplay.players import Player


def play_games(
    players: tuple[Player, Player],
    openings: Sequence[Position],
    *,
    swapped: Container[int] = (),
    first: int = 0,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Position]:
    """Play from each opening to the end, all games at once. The last positions, in the order of the openings."""
    ended = dict(games_as_they_end(players, openings, swapped=swapped, first=first, progress=progress))
    return [ended[place] for place in range(len(openings))]


def games_as_they_end(
    players: tuple[Player, Player],
    openings: Sequence[Position],
    *,
    swapped: Container[int] = (),
    first: int = 0,
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[int, Position]]:
    """Play from each opening to the end, all games at once. The place of its opening and the last position of every
    game, as soon as it is over.

    players[0] has the first side, but not in the games of the openings whose places are in `swapped`. The games
    are numbered from `first` on; players may remember a game by its number, so that games which must not know of
    each other need numbers of their own.
    """
    running = dict(enumerate(openings))
    while True:
        ended = {place: position for place, position in running.items() if position.finished}
        yield from ended.items()
        running = {place: position for place, position in running.items() if place not in ended}
        if not running:
            return
        progress(len(openings) - len(running))
        before = dict(running)
        for side, player in enumerate(players):
            to_move = {
                first + place: position
                for place, position in before.items()
                if position.player == (1 - side if place in swapped else side)
            }
            if to_move:
                chosen = player.choose(to_move)
                running |= {g - first: to_move[g].play(move) for g, move in chosen.items()}
