"""Random play to the end: the evaluation of plain Monte-Carlo tree search."""

from nought.games.contract import finished, legal_moves, play, player, result
from nought.search.kernels.random import uniform


def play_out(state, words, stream, moves):
    """The result of one random game from a state, for its player to move. Changes the state."""
    mover = player(state)
    while not finished(state):
        count = legal_moves(state, moves)
        play(state, moves[int(uniform(words, stream) * count)])
    outcome = result(state)
    return outcome if mover == 0 else -outcome


def rollouts(states, words, moves, value):
    """The result of one random game from each state, for its player to move, into `value`. Changes states."""
    for i in range(states.shape[0]):
        value[i] = play_out(states[i], words, 0, moves)
