"""The window of positions."""

import numpy as np
import pytest

from nought.config import LearningParameters
from nought.games import load
from nought.learning.window import Window, policy_target, value_target
from nought.selfplay.worker import Samples


def samples(game, moves_of_games, first=0):
    """One sample per position of these games, numbered by their policy's first entry."""
    positions = [game.position(moves[:n]) for moves in moves_of_games for n in range(len(moves) + 1)]
    count = len(positions)
    policy = np.zeros((count, game.actions), np.float32)
    for row, position in zip(policy, positions, strict=True):
        row[position.legal[0]] = 1
    return Samples(
        states=np.stack([p.state for p in positions]),
        policy=policy,
        outcome=np.arange(first, first + count, dtype=np.float32),
        margin=np.zeros(count, np.float32),
        value=np.zeros(count, np.float32),
        proven=np.zeros(count, np.bool_),
        surprise=np.linspace(0, 1, count, dtype=np.float32),
    )


def test_the_newest_positions_replace_the_oldest():
    game = load("tictactoe")
    window = Window(game, LearningParameters())
    window.add(samples(game, [[0, 4, 8]]), 6)
    window.add(samples(game, [[2, 4, 6]], first=4), 6)
    assert window.samples.outcome.tolist() == [2, 3, 4, 5, 6, 7]
    assert len(window) == 6


def test_what_is_learned_from_leaves_a_window_that_is_consumed():
    game, random = load("tictactoe"), np.random.default_rng(0)
    window = Window(game, LearningParameters(consumed=True))
    window.add(samples(game, [[0, 4, 8]]), 6)
    assert len(window) == window.held == 4
    drawn = [window.draw(8, random) for _ in range(3)]  # of 4 positions in 8 images each
    seen = [(int(c), int(t)) for draw in drawn for c, t in zip(*draw, strict=True)]
    assert len(set(seen)) == 24 and len(window) == 1 and window.held == 4
    other = Window(game, LearningParameters(consumed=True))  # as a run that goes on has it
    other.add(samples(game, [[0, 4, 8]]), 6)
    other.consume_again(window.left.tobytes())
    window.add(samples(game, [[2, 4, 6]], first=4), 6)  # the two oldest go, whatever is left of them
    rest = {(c, t) for c in range(4) for t in range(8)} - set(seen)
    alive = {(c + 2, t) for c in range(6) for t in range(8) if window.left[c] >> t & 1}
    assert alive == {(c, t) for c, t in rest if c >= 2} | {(c, t) for c in range(4, 8) for t in range(8)}
    last = other.draw(8, random)
    assert {(int(c), int(t)) for c, t in zip(*last, strict=True)} == rest and len(other) == 0
    assert len(set(zip(*map(tuple, other.draw(8, random)), strict=True))) == 8  # all have come back


def test_without_symmetries_a_position_is_consumed_as_it_is():
    game = load("tictactoe")
    window = Window(game, LearningParameters(consumed=True, symmetries=False))
    window.add(samples(game, [[0, 4, 8]]), 6)
    drawn = window.draw(3, np.random.default_rng(0))
    assert drawn.turn is None and len(set(drawn.chosen.tolist())) == 3 and len(window) == 1


def test_a_batch_shows_each_position_with_its_own_policy_in_some_symmetry():
    game = load("tictactoe")
    window = Window(game, LearningParameters(search_share=0, proven_targets=False))
    window.add(samples(game, [[0, 4, 8]]), 100)
    batch = window.batch(window.draw(500, np.random.default_rng(0)))
    seen = set()
    for planes, legal, policy, value in zip(
        batch.planes, batch.legal, batch.policy, batch.value, strict=True
    ):
        position = game.position([0, 4, 8][: int(value)])
        matches = [
            s for s in game.symmetries
            if np.array_equal(s.apply_planes(position.planes()), planes)
            and np.array_equal(s.apply_policy(window.samples.policy[int(value)]), policy)
        ]  # fmt: skip
        assert matches
        assert policy[legal].sum() == pytest.approx(1)
        assert legal.sum() == len(position.legal)
        seen.add((int(value), planes.tobytes()))
    assert len(seen) > 8  # more pictures than the four positions


def test_without_symmetries_positions_are_shown_as_they_are():
    game = load("tictactoe")
    window = Window(game, LearningParameters(symmetries=False, search_share=0, proven_targets=False))
    window.add(samples(game, [[0, 4, 8]]), 100)
    batch = window.batch(window.draw(50, np.random.default_rng(0)))
    for planes, value in zip(batch.planes, batch.value, strict=True):
        assert np.array_equal(planes, game.position([0, 4, 8][: int(value)]).planes())


def test_surprising_positions_are_drawn_more_often():
    game = load("tictactoe")
    window = Window(game, LearningParameters(surprise=1.0, search_share=0, proven_targets=False))
    window.add(samples(game, [[0, 4, 8]]), 100)  # surprises 0, 1/3, 2/3, 1
    values = window.batch(window.draw(3000, np.random.default_rng(0))).value
    shares = np.bincount(values.astype(int), minlength=4) / 3000
    assert shares == pytest.approx([0, 1 / 6, 1 / 3, 1 / 2], abs=0.03)


def test_the_value_target_by_hand():
    fields = {
        "states": np.zeros((3, 1)),
        "policy": np.zeros((3, 1)),
        "margin": np.zeros(3),
        "surprise": np.zeros(3),
    }
    made = Samples(
        **fields,
        outcome=np.array([1, -1, -1], np.float32),
        value=np.array([0.5, 0.2, 1.0], np.float32),
        proven=np.array([False, False, True]),
    )
    everything = np.arange(3)
    mixed = LearningParameters(search_share=0.25, proven_targets=True)
    # 0.75·1 + 0.25·0.5; 0.75·(−1) + 0.25·0.2; proven: 1 although the game was lost
    assert value_target(made, everything, mixed) == pytest.approx([0.875, -0.7, 1.0])
    papers = LearningParameters(search_share=0, proven_targets=False)
    assert value_target(made, everything, papers) == pytest.approx([1, -1, -1])


def test_a_target_with_a_temperature_is_sharper():
    policy = np.array([[0.5, 0.25, 0.25, 0.0]], np.float32)
    assert policy_target(policy, LearningParameters()) is policy
    # squares in proportion: 4, 1, 1, 0
    sharper = policy_target(policy, LearningParameters(target_temperature=0.5))
    assert sharper[0].tolist() == pytest.approx([4 / 6, 1 / 6, 1 / 6, 0])
