"""Gradient steps."""

import numpy as np
import pytest
import torch

from nought.config import LearningParameters, NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.learning.trainer import Trainer
from nought.learning.window import Window
from nought.network import build_network
from nought.presets import override, preset
from nought.search import Uniform
from nought.selfplay.worker import SelfPlay


@pytest.fixture(scope="module")
def samples():
    game = load("tictactoe")
    parameters = override(preset("best", "tictactoe"), {"selfplay.games": 16, "search.simulations": 60})
    return SelfPlay(game, parameters, [Uniform(game)], 0).play(500, 60)[0]


def trainer(samples, **learning):
    game = load("tictactoe")
    parameters = Parameters(
        learning=LearningParameters(batch=64, **learning),
        network=NetworkParameters(filters=16, blocks=2, value_hidden=16),
    )
    window = Window(game, parameters.learning)
    window.add(samples, 10000)
    return Trainer(build_network(game, parameters.network), parameters, torch.device("cpu")), window


@pytest.mark.parametrize(
    "learning", [{}, {"optimizer": "adamw"}, {"optimizer": "sgd"}, {"policy_loss": "mse"}]
)
def test_steps_lower_the_losses(samples, learning):
    learner, window = trainer(samples, **learning)
    random = np.random.default_rng(0)
    rate = 0.05 if learning.get("optimizer") == "sgd" else 0.005
    first = learner.train(window, 20, rate, random)
    learner.train(window, 200, rate, random)
    last = learner.train(window, 20, rate, random)
    floor = 0 if learning.get("policy_loss") == "mse" else first.policy_entropy
    assert last.policy_loss - floor < 0.7 * (first.policy_loss - floor)
    assert last.value_loss < 0.75 * first.value_loss


def test_torchs_own_threads_stay_out_of_the_steps_of_a_cpu(samples):
    learner, window = trainer(samples)
    before, seen = torch.get_num_threads(), []
    torch.set_num_threads(2)
    try:
        learner.train(
            window, 1, 0.01, np.random.default_rng(0), lambda _: seen.append(torch.get_num_threads())
        )
        assert (seen, torch.get_num_threads()) == ([1], 2)
    finally:
        torch.set_num_threads(before)


def test_averaged_weights_follow_slowly(samples):
    learner, window = trainer(samples, average=0.9)
    start = learner.average.stem.conv.weight.clone()
    learner.train(window, 1, 0.01, np.random.default_rng(0))
    new = learner.network.stem.conv.weight
    # after one step: 0.9 of the old and 0.1 of the new weights
    assert torch.allclose(learner.average.stem.conv.weight, 0.9 * start + 0.1 * new, atol=1e-7)
    assert learner.playing is learner.average


def test_one_step_of_sgd_by_hand(samples):
    """Without momentum and decay a step is weight less rate times gradient."""
    learner, window = trainer(samples, optimizer="sgd", momentum=0.0, weight_decay=0.0, clip=0.0)
    before = learner.network.policy.last.weight.clone()
    learner.train(window, 1, 0.1, np.random.default_rng(0))
    gradient = learner.network.policy.last.weight.grad
    assert gradient.abs().sum() > 0
    assert torch.allclose(learner.network.policy.last.weight, before - 0.1 * gradient, atol=1e-7)


def test_a_restored_trainer_goes_on_to_the_same_weights(samples):
    for learning in ({}, {"optimizer": "sgd", "average": 0.5}, {"optimizer": "adamw"}):
        learner, window = trainer(samples, **learning)
        learner.train(window, 5, 0.01, np.random.default_rng(0))
        saved = {name: tensor.clone() for name, tensor in learner.state().items()}
        learner.train(window, 5, 0.01, np.random.default_rng(1))
        other, window = trainer(samples, **learning)
        other.restore(saved)
        other.train(window, 5, 0.01, np.random.default_rng(1))
        for name, tensor in learner.state().items():
            assert torch.equal(tensor, other.state()[name]), name


def test_what_is_restored_lies_as_the_weights_do(samples):
    """On a GPU weights have their channels side by side, and its optimizer takes all that belongs together in one order."""
    learner, window = trainer(samples, optimizer="adamw")
    learner.train(window, 2, 0.01, np.random.default_rng(0))
    other, _ = trainer(samples, optimizer="adamw")
    other.network.to(memory_format=torch.channels_last)
    other.restore(learner.state())
    assert other.network.stem.conv.weight.stride() != learner.network.stem.conv.weight.stride()
    for weights, state in other.optimizer.state.items():
        assert weights.stride() == state["exp_avg"].stride() == state["exp_avg_sq"].stride()
    assert all(torch.equal(tensor, other.state()[name]) for name, tensor in learner.state().items())


def test_a_loss_that_is_no_number_stops(samples):
    learner, window = trainer(samples, optimizer="sgd", clip=0.0)
    with pytest.raises(NoughtError, match="the loss is no longer a number"):
        learner.train(window, 20, 1e30, np.random.default_rng(0))


def test_threads_find_the_gradient_of_the_whole_batch(samples):
    """Without batch norm, whose statistics are of each part, three parts of a batch are as good as the whole."""
    game = load("tictactoe")
    parameters = Parameters(
        learning=LearningParameters(batch=200, symmetries=False),
        network=NetworkParameters(filters=8, blocks=1, norm="none"),
    )
    window = Window(game, parameters.learning)
    window.add(samples, 10000)
    weights, reports = [], []
    for threads in (1, 3):
        network = build_network(game, parameters.network)
        learner = Trainer(network, parameters, torch.device("cpu"), threads=threads)
        assert len(learner.copies) == threads
        reports.append(learner.train(window, 1, 0.01, np.random.default_rng(0)))
        weights.append(torch.cat([p.grad.flatten() for p in learner.network.parameters()]))
    assert torch.allclose(weights[0], weights[1], atol=1e-6)
    assert reports[0].policy_loss == pytest.approx(reports[1].policy_loss, abs=1e-5)
    assert reports[0].value_loss == pytest.approx(reports[1].value_loss, abs=1e-5)


def test_copies_learn_what_batch_norm_has_seen(samples):
    game = load("tictactoe")
    parameters = Parameters(learning=LearningParameters(batch=128))
    window = Window(game, parameters.learning)
    window.add(samples, 10000)
    learner = Trainer(build_network(game, parameters.network), parameters, torch.device("cpu"), threads=2)
    learner.train(window, 3, 0.01, np.random.default_rng(0))
    kept = dict(learner.network.named_buffers())
    seen = [dict(c.named_buffers()) for c in learner.copies]
    names = [name for name in kept if name.endswith("running_mean")]
    assert names
    for name in names:
        assert torch.allclose(kept[name], (seen[0][name] + seen[1][name]) / 2)
        assert not torch.equal(seen[0][name], seen[1][name])


def test_a_batch_is_learned_from_as_often_in_a_row_as_the_parameters_say(samples):
    learner, window = trainer(samples, repeats=3)
    seen = []
    learner._step = lambda batch: seen.append(batch) or torch.zeros(3)
    learner.train(window, 7, 0.01, np.random.default_rng(0))
    first = [next(i for i, other in enumerate(seen) if other is batch) for batch in seen]
    assert first == [0, 0, 0, 3, 3, 3, 6]
