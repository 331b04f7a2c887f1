"""The window on a GPU gives the same batches as the one on the host. Without a GPU, the CPU runs the GPU's kernels."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from nought.config import LearningParameters, NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games import Game, load
from nought.learning.device_window import DeviceWindow
from nought.learning.trainer import Trainer
from nought.learning.window import Window
from nought.network import build_network
from nought.selfplay.device import OnGpu, OnHost
from nought.selfplay.worker import Samples
from tests.support.skips import slow

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def launcher(game: Game) -> OnGpu | OnHost:
    return OnGpu(game) if DEVICE.type == "cuda" else OnHost(game)


def some_samples(game: Game, count: int, seed: int) -> Samples:
    """Positions of random games, each with numbers of its own."""
    random = np.random.default_rng(seed)
    states = []
    position = game.start()
    while len(states) < count:
        states.append(position.state)
        position = position.play(int(random.choice(position.legal)))
        if position.finished:
            position = game.start()
    return Samples(
        np.stack(states),
        random.random((count, game.actions), np.float32),
        *(random.uniform(-1, 1, count).astype(np.float32) for _ in range(3)),
        random.random(count) < 0.3,
        random.random(count, np.float32),
    )


def windows(game: Game, parameters: LearningParameters) -> tuple[Window, DeviceWindow]:
    return Window(game, parameters), DeviceWindow(game, parameters, launcher(game), DEVICE)


def assert_same_batches(host: Window, device: DeviceWindow) -> None:
    assert len(host) == len(device)
    random = np.random.default_rng(5)
    expected = [host.batch(host.draw(50, random)) for _ in range(2)]
    drawn = device.draws(2, 50, np.random.default_rng(5))
    for batch, found in zip(expected, map(device.look_up, drawn), strict=True):
        arrays = (batch.planes, batch.legal, batch.policy, batch.value, batch.margin)
        for wanted, tensor in zip(arrays, found, strict=True):
            np.testing.assert_array_equal(tensor.cpu().numpy(), wanted)
    device.check()


@pytest.mark.parametrize(
    "name", ["tictactoe", "connect4", "dots-and-boxes:2x2", pytest.param("othello:6x6", marks=slow)]
)
@pytest.mark.parametrize("symmetries", [True, False])
def test_the_same_positions_in_the_same_symmetries(name: str, symmetries: bool) -> None:
    game = load(name)
    both = windows(game, LearningParameters(window=100, symmetries=symmetries, search_share=0.3))
    # it grows, is full, goes round, and takes in more than it holds
    for seed, (new, size) in enumerate([(30, 40), (30, 40), (50, 70), (60, 100), (130, 100), (7, 100)]):
        samples = some_samples(game, new, seed)
        for window in both:
            window.add(samples, size)
        assert_same_batches(*both)


def test_surprising_positions_are_drawn_as_often() -> None:
    game = load("tictactoe")
    both = windows(game, LearningParameters(window=40, surprise=0.7))
    for seed in range(3):
        for window in both:
            window.add(some_samples(game, 25, seed), 40)
        assert_same_batches(*both)


def test_a_network_learns_the_same_from_both() -> None:
    game = load("tictactoe")
    learning = LearningParameters(batch=32, window=200, average=0.9)
    p = Parameters(learning=learning, network=NetworkParameters(filters=8, blocks=1, value_hidden=8))
    learned = []
    for window in windows(game, learning):
        window.add(some_samples(game, 150, 0), 200)
        trainer = Trainer(build_network(game, p.network, 3), p, DEVICE)
        report = trainer.train(window, 5, 0.01, np.random.default_rng(1))
        learned.append((trainer.state(), report.policy_loss))
    (host, loss), (device, same_loss) = learned
    assert loss == pytest.approx(same_loss, rel=1e-5)
    torch.testing.assert_close(host, device, rtol=1e-3, atol=1e-5)  # sums may be added up in another order


def test_rules_that_fail_are_not_silent() -> None:
    """On a GPU a failure is a number beside the state."""
    game = load("tictactoe")
    _, window = windows(game, LearningParameters(window=10))
    window.add(some_samples(game, 5, 0), 10)
    window.states[:, -1] = 3
    for drawn in window.draws(1, 4, np.random.default_rng(0)):
        window.look_up(drawn)
    with pytest.raises(NoughtError, match="tictactoe raised an exception"):
        window.check()
