"""Positions of random games on which networks are tried."""

from __future__ import annotations

import numpy as np

from nought.games import load
from nought.network.sample import random_sample


def test_a_sample_has_different_positions_with_their_legal_moves() -> None:
    game = load("connect4")
    planes, legal = random_sample(game, 100, seed=1)
    assert planes.shape == (100, 2, 6, 7) and legal.shape == (100, 7)
    assert len(np.unique(planes, axis=0)) == 100
    full = planes[:, :, :, :].sum(1).sum(1) == 6  # columns
    assert np.array_equal(legal, ~full)
    assert not np.array_equal(planes, random_sample(game, 100, seed=2).planes)
    random_sample.cache_clear()
    assert np.array_equal(planes, random_sample(game, 100, seed=1).planes)


def test_a_small_game_has_fewer_positions() -> None:
    game = load("dots-and-boxes:1x1")
    planes, legal = random_sample(game, 300)
    assert 4 < len(planes) == len(legal) < 300
    assert len(np.unique(planes, axis=0)) == len(planes)
