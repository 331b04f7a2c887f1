"""Several processes that learn are as good as one, and always agree."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest
import torch

from nought.config import LearningParameters, NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.learning.loop import learn
from nought.learning.together import TrainerOfSeveral
from nought.learning.trainer import Trainer
from nought.learning.window import Window
from nought.network import build_network
from nought.presets import override, preset
from nought.search import Uniform
from nought.selfplay.worker import SelfPlay
from tests.learning.test_loop import new_run
from tests.support.skips import slow


@pytest.fixture(scope="module")
def window() -> Window:
    game = load("tictactoe")
    parameters = override(preset("best", "tictactoe"), {"selfplay.games": 16, "search.simulations": 20})
    window = Window(game, LearningParameters(symmetries=False))
    window.add(SelfPlay(game, parameters, [Uniform(game)], 0).play(300, 20).samples, 10000)
    return window


def parameters(norm: str, devices: int) -> Parameters:
    return Parameters(
        learning=LearningParameters(batch=100, devices=devices, average=0.9),
        network=NetworkParameters(filters=8, blocks=1, value_hidden=8, norm=norm),
    )


def test_two_processes_take_the_steps_of_one_and_always_have_equal_weights(window: Window) -> None:
    """Without batch norm, whose statistics are of each part; Adam's first steps magnify the smallest differences."""
    game, cpu = load("tictactoe"), torch.device("cpu")
    alone = Trainer(build_network(game, parameters("none", 1).network), parameters("none", 1), cpu)
    both = TrainerOfSeveral(build_network(game, parameters("none", 2).network), parameters("none", 2), cpu)
    try:
        for steps in (1, 4):
            expected = alone.train(window, steps, 0.001, np.random.default_rng(steps))
            found = both.train(window, steps, 0.001, np.random.default_rng(steps))
            assert found.policy_loss == pytest.approx(expected.policy_loss, abs=1e-5)
            assert found.value_loss == pytest.approx(expected.value_loss, abs=1e-5)
            own, other = both.states()
            assert own.keys() == other.keys()
            assert all(torch.equal(own[name], other[name]) for name in own)
            for name, tensor in alone.state().items():
                assert torch.allclose(own[name], tensor, atol=1e-5), name
        process, _ = both.others[0]
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(NoughtError, match=r"one of the processes that learn has ended \(code -9\)"):
            both.train(window, 2, 0.001, np.random.default_rng(0))
    finally:
        both.close()
    assert not process.is_alive()


@slow
def test_a_run_learns_with_two_processes(tmp_path) -> None:
    run = new_run(tmp_path, **{"learning.devices": 2, "run.iterations": 2, "exam.games": 0})
    learn(run)
    assert run.progress().iteration == 2
    assert not torch.distributed.is_initialized()
