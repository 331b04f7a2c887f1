"""Games of all kinds of boards and notations: those that come with the package and some that are made here."""

from pathlib import Path

from nought.games import Game, examples, load
from nought.games.registry import game_from_source
from tests.games.broken import TICTACTOE

EXAMPLES = Path(examples.__file__).parent

RACE = '''"""Pawn race: each player's one pawn walks up its own column; who promotes first, to a queen or a knight, wins."""

import numpy as np

STATE = (np.int8, 6)  # how far each pawn is, whether each player has passed, who has won (1 or 2), who is to move
WON, MOVER = 4, 5
ACTIONS = 5  #          a step, another one, a third that makes a queen or a knight; and one pass
PLANES = (4, 4, 2)
LONGEST = 8
ORIGIN_OF_ACTION = [6, 4, 2, 2, -1]
CELL_OF_ACTION = [4, 2, 0, 0, -1]
BOARD_TURNED = "half"
BOARD_A1 = "bottom left"


def player(state):
    return state[MOVER]


def legal_moves(state, moves):
    n = 0
    if state[WON]:
        return n
    far = state[state[MOVER]]
    for action in range(4):
        if min(action, 2) == far:
            moves[n] = action
            n += 1
    if not state[2 + state[MOVER]]:
        moves[n] = 4
        n += 1
    return n


def play(state, action):
    mover = state[MOVER]
    if action == 4:
        state[2 + mover] = 1
    else:
        state[mover] += 1
        state[WON] = mover + 1 if action >= 2 else 0
    state[MOVER] = 1 - mover


def finished(state):
    return state[WON] != 0


def result(state):
    return 1.0 if state[WON] == 1 else -1.0


def planes(state, out):
    me = state[MOVER]
    out[0, 3 - state[me], 0] = 1.0
    out[1, state[1 - me], 1] = 1.0
    out[2], out[3] = state[2 + me], state[3 - me]


def picture(state):
    me = int(state[MOVER])
    cells = [None] * 8
    cells[2 * (3 - int(state[me]))] = (me, "Q" if state[me] == 3 else "P")
    cells[2 * int(state[1 - me]) + 1] = (1 - me, "Q" if state[1 - me] == 3 else "P")
    return cells
'''
PROMOTIONS = """

def move_text(state, move):
    if move == 4:
        return "pass"
    column, rows = ("b", "4321") if state[MOVER] else ("a", "1234")
    step = min(move, 2)
    return f"{column}{rows[step]}-{column}{rows[step + 1]}" + ("", "", "=Q", "=N")[move]
"""


def example(name: str) -> Game:
    """One of the games in nought/games/examples, with a size where the name has one: hex, kalah:4:3."""
    file, _, size = name.partition(":")
    return load(f"{EXAMPLES / file}.py{size and ':'}{size}")


def race() -> Game:
    """Promotions, a pass, letters on pieces, a board that is turned, names of its own."""
    return game_from_source("race.py", RACE + PROMOTIONS, path="race.py")


def with_pass() -> Game:
    """Tic-tac-toe with one number more for a move that is never legal: a pass."""
    source = TICTACTOE.replace("ACTIONS = 9", "ACTIONS = 10\nCELL_OF_ACTION = [*range(9), -1]")
    return game_from_source("pass.py", source)
