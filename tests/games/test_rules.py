"""The rules of every game: properties under random and illegal moves, compiled and not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nought.compile import compiled
from nought.errors import NoughtError
from nought.games import IllegalMove, Position, load

NAMES = [
    "tictactoe",
    "connect4",
    "connect4:4x5:3",
    "connect4:8x8:5",
    "connect4:32x2:4",
    "dots-and-boxes:1x1",
    "dots-and-boxes:2x3",
    "dots-and-boxes:6x6",
    "othello",
    "othello:4x4",
    "othello:6x4",
]
choices = st.lists(st.floats(0, 1, exclude_max=True), max_size=120)


def random_position(name: str, choices: list[float]) -> Position:
    position = load(name).start()
    for choice in choices:
        if position.finished:
            break
        position = position.play(position.legal[int(choice * len(position.legal))])
    return position


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(choices=choices, illegal=st.integers(-3, 1000))
def test_random_and_illegal_moves(name: str, choices: list[float], illegal: int) -> None:
    position = random_position(name, choices)
    game, before = position.game, position.state.copy()
    assert position.player in (0, 1)
    assert position.finished == (position.legal == [])
    assert position.legal == sorted(set(position.legal))
    assert len(position.moves) <= game.longest
    if illegal not in position.legal:
        with pytest.raises(IllegalMove) as caught:
            position.play(illegal)
        assert game.name in str(caught.value)
        assert "\n" not in str(caught.value)
    for action in {0, game.actions - 1, game.actions // 2} - set(position.legal):
        with pytest.raises(IllegalMove):
            position.play(action)
    assert np.array_equal(position.state, before)
    if position.finished:
        assert position.result in (-1, 0, 1)
        if game.counts_points:
            assert position.result == np.sign(position.margin)
    else:
        with pytest.raises(NoughtError, match="not finished"):
            _ = position.result
    assert game.position(position.moves) == position


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(choices=choices)
def test_compiled_rules_are_the_plain_rules(name: str, choices: list[float]) -> None:
    position = random_position(name, choices)
    game, rules = position.game, compiled(position.game)
    state, moves = game.zero_state(), np.zeros(game.actions, np.int32)
    rules.start(state)
    for move in position.moves:
        rules.play(state, move)
    assert np.array_equal(state, position.state)
    assert rules.player(state) == position.player
    assert moves[: rules.legal_moves(state, moves)].tolist() == position.legal
    assert rules.finished(state) == position.finished
    assert rules.margin(state) == position.margin
    if position.finished:
        assert rules.result(state) == position.result
    out = np.zeros(game.planes_shape, np.float32)
    rules.planes(state, out)
    assert np.array_equal(out, position.planes())


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10, deadline=None)
@given(choices=choices)
def test_symmetries_commute_with_play(name: str, choices: list[float]) -> None:
    position = random_position(name, choices)
    start = position.game.start().planes()
    for symmetry in position.game.symmetries:
        if not np.array_equal(symmetry.apply_planes(start), start):
            continue  # of Othello's start, which has 4 of the 8; the rest are tested in test_othello
        image = position.game.position(int(symmetry.actions[move]) for move in position.moves)
        assert np.array_equal(image.planes(), symmetry.apply_planes(position.planes()))
        assert image.legal == sorted(int(symmetry.actions[move]) for move in position.legal)
        assert (image.player, image.finished, image.margin) == (
            position.player,
            position.finished,
            position.margin,
        )


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("tictactoe", 8),
        ("connect4", 2),
        ("connect4:8x8", 2),
        ("dots-and-boxes:3x3", 8),
        ("dots-and-boxes:2x3", 4),
        ("othello", 8),
        ("othello:4x6", 4),
    ],
)
def test_symmetries_are_a_group(name: str, count: int) -> None:
    game = load(name)
    maps = {(tuple(s.cells), tuple(s.actions)) for s in game.symmetries}
    assert len(maps) == len(game.symmetries) == count
    assert np.array_equal(game.symmetries[0].cells, np.arange(len(game.symmetries[0].cells)))
    for a in game.symmetries:
        for b in game.symmetries:
            assert (tuple(a.cells[b.cells]), tuple(a.actions[b.actions])) in maps
    policy = np.arange(game.actions, dtype=float)
    for symmetry in game.symmetries:
        turned = symmetry.apply_policy(policy)
        assert np.array_equal(symmetry.undo_policy(turned), policy)
        assert turned[symmetry.actions[2]] == policy[2]
    cells = game.cell_of_action
    assert cells is not None
    if not name.startswith("connect4"):  # whose actions are columns, shown in the top row
        for symmetry in game.symmetries:
            assert np.array_equal(cells[symmetry.actions], symmetry.cells[cells])


def test_planes_are_what_the_mover_sees() -> None:
    position = load("tictactoe").position([0, 4, 8])  # X in two corners, O in the middle, O to move
    mine, theirs = position.planes()
    assert mine.nonzero() == ([1], [1])
    assert theirs.sum() == 2
    assert theirs[0, 0] == theirs[2, 2] == 1


def test_tic_tac_toe_ends() -> None:
    game = load("tictactoe")
    assert game.position([0, 3, 1, 4, 2]).result == 1
    assert game.position([0, 3, 1, 4, 8, 5]).result == -1
    assert game.position([0, 1, 2, 4, 3, 5, 7, 6, 8]).result == 0
