import numpy as np
import pytest

from nought.errors import NoughtError
from nought.games import load


def test_edges_are_numbered_row_by_row() -> None:
    game = load("dots-and-boxes:2x3")
    cells = game.cell_of_action
    assert cells is not None
    assert (game.actions, game.planes_shape) == (17, (3, 5, 7))
    rows = [[divmod(int(cell), 7)[0] for cell in cells].count(row) for row in range(5)]
    assert rows == [3, 4, 3, 4, 3]
    assert [int(cell) for cell in cells[:7]] == [1, 3, 5, 7, 9, 11, 13]


def test_closing_a_box_moves_again_and_counts() -> None:
    game = load("dots-and-boxes:1x2")  # 0 1 / 2 3 4 / 5 6
    position = game.position([0, 2, 5])
    assert position.player == 1
    position = position.play(3)  # closes the left box
    assert (position.player, position.margin, position.finished) == (1, -1, False)
    position = position.play(1)
    assert position.player == 0
    position = position.play(4)
    assert position.player == 1
    position = position.play(6)
    assert (position.finished, position.margin, position.result) == (True, -2, -1)


def test_one_edge_closes_two_boxes() -> None:
    position = load("dots-and-boxes:1x2").position([0, 2, 5, 1, 4, 6])
    mover = position.player
    position = position.play(3)
    assert position.finished
    assert position.margin == (2 if mover == 0 else -2)


def test_taking_a_box_is_optional() -> None:
    position = load("dots-and-boxes:1x2").position([0, 2, 5])
    assert position.legal == [1, 3, 4, 6]
    assert position.play(1).player == 0


def test_planes_are_edges_score_and_drawn_edges() -> None:
    position = load("dots-and-boxes:1x1").position([0, 1, 2])  # player 1 closes the box
    for drawn, score in ((3, 0), (4, 1)):
        mask, net, edges = position.planes()
        assert mask.tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
        assert np.all(net == score)
        assert edges.sum() == drawn
        assert position.player == 1
        position = position if position.finished else position.play(3)
    assert position.result == -1


def test_the_order_of_moves_does_not_matter() -> None:
    game = load("dots-and-boxes:3x3")
    assert game.position([0, 5, 20]) == game.position([20, 0, 5])
    assert game.position([0, 5]) != game.position([0, 5, 20])


def test_many_words_of_edges() -> None:
    game = load("dots-and-boxes:20x20")
    position = game.start()
    for edge in reversed(range(game.actions)):
        position = position.play(edge)
    assert position.finished
    assert position.state[:14].tolist() == game.rules.FULL.tolist()
    with pytest.raises(NoughtError, match="1 to 20 rows and columns"):
        load("dots-and-boxes:21x3")
