"""What a game file defines: the contract between rules and everything else.

A game is one Python file with the facts and functions below. This module is their documentation and the
stand-in that the search is written against; when a game is compiled, its file takes this module's place.

Three rules keep a game fast and correct:
- a state is a fixed number of numbers of one kind (`STATE`); two positions are the same exactly when their
  states are equal, so a state holds nothing that does not matter for the rest of the game;
- the functions use only arrays, numbers, loops and NumPy's and math's functions (what Numba compiles), and
  nothing from other files of yours;
- players are 0 (who starts) and 1. They need not alternate: `player` says who moves.
"""

import numpy as np

# ---- facts ------------------------------------------------------------------------------------------------
SIZE = (3, 3)  #                optional: whole numbers a user may change, as in `connect4:8x8:5`
STATE = (np.int8, 10)  #        kind and count of the numbers in a state
ACTIONS = 9  #                  moves are numbered 0 … ACTIONS-1, whether legal now or not
PLANES = (2, 3, 3)  #           the network's input: planes, rows, columns
LONGEST = 9  #                  no game has more moves than this
SYMMETRY = "square"  #          optional: "none", "mirror" (left-right), "rectangle" (4), "square" (8),
#                               or a list of (cells, actions) permutations: number i goes to permutation[i]

# ---- facts for people, all optional -----------------------------------------------------------------------
CELL_OF_ACTION = range(9)  #    the cell (row by row) on which an action ends, -1 for none: a pass
ORIGIN_OF_ACTION = [-1] * 9  #  the cell on which it begins, in games whose pieces move
NOTATION = "squares"  #         "squares" (b3), "moves" (a2-b3), "columns" (1 2 …) or "numbers" (0 1 …)
LENGTH = 3  #                   this many stones in a row win; the row is then shown
BOARD = "stones"  #             "stones" on squares, "hexagons" (each row half a cell further to the right),
#                               "pits" with counts, or "dots": edges between dots (last plane: drawn)
BOARD_SIZE = (3, 3)  #          rows and columns that are drawn, where they are not those of PLANES
BOARD_A1 = "top left"  #        which cell is called a1; or "bottom left", as in chess
BOARD_COLOURS = "plain"  #      or "checkered", or for each cell "plain", "light", "dark", "first" and
#                               "second" (the players' colours) or "off" (no part of the board)
BOARD_SIDES = (None,) * 4  #    which player's are the top, right, bottom and left side
BOARD_TURNED = None  #          "half" or "flip": everything about cells is as the player to move sees it, and
#                               player 1 sees the board after half a turn or upside down; or a list: the cell on
#                               which each one stands that player 1 sees


# ---- rules ------------------------------------------------------------------------------------------------
def start(state):
    """Make the zeroed `state` the starting position (optional: zeros are the default)."""


def player(state):
    """Who is to move: 0 or 1. After the end: anyone."""
    return 0


def legal_moves(state, moves):
    """Write the legal actions into `moves`, ascending, and return how many; 0 exactly when finished."""
    return 0


def play(state, action):
    """Change `state` by a legal action."""


def finished(state):
    """Whether the game is over."""
    return False


def result(state):
    """The result of a finished game for player 0: 1 won, -1 lost, 0 drawn, or anything between."""
    return 0.0


def margin(state):
    """By how many points player 0 is ahead; of a finished game, by how many it won: the sign is the result's
    (optional)."""
    return 0


def planes(state, out):
    """Fill the zeroed float32 array `out` [planes, rows, columns] as the player to move sees the board.

    By custom plane 0 holds the mover's stones and plane 1 the opponent's: the default drawing shows those. The board
    may be turned to the player to move.
    """


# ---- functions for people, all optional; plain Python: never compiled ---------------------------------------
#
# def picture(state):           what stands on each cell of the board, as a list: None, a player (0 or 1), a label
#                               ("w"), or both: (0, "K"), (1, 12)
# def text(state):              the whole board as a string, where no picture will do
# def move_text(state, move):   what a legal move is called, without spaces or commas: "a7-a8=Q"
