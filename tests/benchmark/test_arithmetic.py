"""The arithmetic of a network, counted by hand."""

from nought.benchmark.arithmetic import operations
from nought.config import NetworkParameters
from nought.games import load
from nought.network import build_network


def test_operations_of_a_small_network() -> None:
    game = load("tictactoe")
    planes, cells = game.planes_shape[0], 9
    shape = NetworkParameters(filters=4, blocks=2, policy_filters=3, value_filters=2, value_hidden=5)
    tower = 9 * planes * 4 + 2 * 2 * 9 * 4 * 4  # weights of 3×3 convolutions, used once on each cell
    heads = 4 * 3 + 4 * 2  # and of 1×1 convolutions
    linear = cells * 3 * game.actions + cells * 2 * 5 + 5 * 1
    assert operations(build_network(game, shape)) == 2 * (cells * (tower + heads) + linear)
