"""Where the papers are wrong: the evidence for docs/reference/papers.md."""

from itertools import permutations

import numpy as np
import pytest
import torch

from nought.games import load
from nought.rating.elo import papers_elo_difference, papers_gain

CONSOLE_LINE = (14, 22, 30, 28)  # 003, game.cpp of the console client


def test_the_one_box_of_a_1x1_board_is_the_second_players() -> None:
    """002, table 1: the net score of the player who begins is −1, not 1, whatever is played."""
    game = load("dots-and-boxes:1x1")
    games = [game.position(moves) for moves in permutations(range(4))]
    assert len(games) == 24
    assert {position.result for position in games} == {-1.0}


def test_the_example_of_a_convolution_is_printed_transposed() -> None:
    """000 and 003, below equation 24."""
    board = torch.tensor([[3.0, 0, 1, 5], [2, 6, 2, 4], [2, 4, 1, 0], [3, 0, 1, 5]])
    kernel, printed = torch.tensor([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]]), torch.tensor([[4.0, 3], [4, 2]])
    found = torch.conv2d(board[None, None], kernel[None, None], torch.tensor([7.0]))[0, 0]
    assert found[0, 0] == 4  # as in equation 24
    assert torch.equal(found, printed.T) and not torch.equal(found, printed)


def test_state_1847_has_eight_edges_and_no_box() -> None:
    """002, figures 7.1.3 and 7.1.4: the caption counts edge 0 among the nine, and the score is −2."""
    edges = [edge for edge in range(12) if 1847 >> (11 - edge) & 1]  # edge 0 is the highest bit: 2048
    assert edges == [1, 2, 3, 6, 7, 9, 10, 11]
    game = load("dots-and-boxes:2x2")
    position = game.position(edges)
    drawn, score = position.planes()[[2, 1]]
    printed = ["00010", "10100", "00010", "10001", "01010"]  # the picture is right: edge 0 is not drawn in it
    assert ["".join(str(int(n)) for n in row) for row in drawn] == printed
    assert not score.any()  # no box is closed, so nobody has points
    assert not game.position([0, *edges]).planes()[1].any()


def test_a_gradient_is_multiplied_by_the_activations_derivative() -> None:
    """000's equation 36 is right; 003's equation 41 divides by the derivative."""
    inside = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
    wanted = torch.tensor([0.2, -0.4, 0.9])
    (((torch.tanh(inside) - wanted) ** 2).mean()).backward()
    with torch.no_grad():
        outer = 2 / 3 * (torch.tanh(inside) - wanted)
        slope = 1 - torch.tanh(inside) ** 2
    assert torch.allclose(inside.grad, outer * slope)
    assert not torch.allclose(inside.grad, outer / slope, rtol=0.2)


def test_a_four_made_with_the_last_stone_wins() -> None:
    """003, game.cpp looks for a full board first, and calls that a tie."""
    moves = "571376236345225146673541242612413735415776"
    game = load("connect4")
    before = game.position([int(column) - 1 for column in moves[:-1]])
    assert len(moves) == 42 and not before.finished
    after = before.play(int(moves[-1]) - 1)
    assert after.finished
    assert after.result == -1  # the second player's, who makes the 42nd move


def test_othello_has_moves_that_touch_stones_only_diagonally() -> None:
    """003, game.cpp of Othello asks for a stone beside, above or below an empty cell before it looks for what is turned."""
    position = load("othello").position([19, 18, 17, 34])
    move, stones = 45, position.planes()[:2].sum(axis=0)
    row, column = divmod(move, 8)
    beside = [
        stones[row + 1, column],
        stones[row - 1, column],
        stones[row, column + 1],
        stones[row, column - 1],
    ]
    assert move in position.legal
    assert beside == [0, 0, 0, 0]


def test_four_cells_in_a_row_are_equally_far_apart() -> None:
    """003, game.cpp of the console client has one line that is none: 28 stands where 38 belongs."""
    assert len(set(np.diff(CONSOLE_LINE))) > 1
    assert set(np.diff((14, 22, 30, 38))) == {8}  # one down, one to the right


def test_with_draws_a_gate_of_wins_promises_less_than_105() -> None:
    """000, equation 52, and 003, equation 63, hold where there are no ties. 5 wins, 12 draws and 3 losses pass the gate."""
    assert papers_gain(1.3) == pytest.approx(104.9, abs=0.1)
    assert 5 > 1.3 * 3
    assert papers_elo_difference((5 + 12 / 2) / 20) == pytest.approx(80.3, abs=0.1)


def test_visits_over_the_root_of_visits_are_no_policy() -> None:
    """002, algorithm 2 has a root sign where a sum belongs; 004 raises a share to a power and leaves it at that."""
    visits, power = np.array([30.0, 15.0, 5.0]), 1 / 0.5
    for wrong in (visits**power / np.sqrt(visits**power), (visits / visits.sum()) ** power):
        assert wrong.sum() != pytest.approx(1, abs=0.1)
    assert (visits**power / (visits**power).sum()).sum() == pytest.approx(1)
