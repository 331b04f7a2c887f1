"""Positions of dots and boxes as the thesis (002, 7.1) names them: configuration:player:score.

The configuration is a number in base two with a digit for each edge, edge 0 the first; the player is 1 or -1, and the
score that of the player to move, less the other's. `2048:-1:0` is the board of 2 × 2 with edge 0 drawn.
"""

from __future__ import annotations

import re

from nought.errors import NoughtError
from nought.games.game import Game, Position

GAME = "dots-and-boxes"
NAME = re.compile(r"\s*(?P<edges>\d{1,300}):(?P<player>1|-1):(?P<score>-?\d{1,4})\s*", re.ASCII)


def state_name(position: Position) -> str | None:
    """The name of a position; None in other games than dots and boxes."""
    game = position.game
    if game.base != GAME:
        return None
    free = set(position.legal)
    edges = sum(1 << (game.actions - 1 - edge) for edge in range(game.actions) if edge not in free)
    sign = -1 if position.player else 1
    return f"{edges}:{sign}:{sign * position.margin}"


def named_state(game: Game, text: str) -> Position | None:
    """The position of this name, whose moves nobody knows; None if the text is no such name, or the game another."""
    found = NAME.fullmatch(text) if game.base == GAME else None
    if found is None:
        return None
    rules, number, score = game.rules, int(found["edges"]), int(found["score"])
    drawn = {edge for edge in range(game.actions) if number >> (game.actions - 1 - edge) & 1}
    closed = sum(
        drawn.issuperset(rules.edges_of_box(row, column))
        for row in range(rules.ROWS)
        for column in range(rules.COLUMNS)
    )
    second = found["player"] == "-1"
    wrong_turn = closed == 0 and second != len(drawn) % 2  # nobody has moved twice
    if number >> game.actions or abs(score) > closed or (score - closed) % 2 or wrong_turn:
        raise NoughtError(f"{game.name}: no game leads to the state {text.strip()}")
    state = game.zero_state()
    for edge in drawn:
        state[rules.WORD[edge]] |= rules.BIT[edge]
    state[rules.SCORE], state[rules.MOVER] = score % (1 << 64), second
    return Position(game, state)
