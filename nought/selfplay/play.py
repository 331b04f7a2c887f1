"""The one loop in which players play games."""

from __future__ import annotations

from collections.abc import Sequence

from nought.games import Position
from nought.selfplay.players import Player


def play_games(players: tuple[Player, Player], openings: Sequence[Position]) -> list[Position]:
    """Play from each opening to the end, all games at once; players[0] has the first side. The last positions."""
    positions = dict(enumerate(openings))
    while running := {g: position for g, position in positions.items() if not position.finished}:
        for side, player in enumerate(players):
            to_move = {g: position for g, position in running.items() if position.player == side}
            if to_move:
                positions |= {g: positions[g].play(move) for g, move in player.choose(to_move).items()}
    return [positions[g] for g in range(len(openings))]
