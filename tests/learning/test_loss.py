"""Losses, worked out by hand."""

import math

import pytest
import torch

from nought.config import LearningParameters, NetworkParameters
from nought.learning.loss import Targets, losses
from nought.network.resnet import Output

CROSS, MSE = LearningParameters(), LearningParameters(policy_loss="mse")
LN2, LN3 = math.log(2), math.log(3)


def output(logits, value=0.0, outcomes=None, margin=None):
    return Output(
        torch.tensor([logits], requires_grad=True),
        torch.tensor([value], requires_grad=True),
        None if outcomes is None else torch.tensor([outcomes], requires_grad=True),
        None if margin is None else torch.tensor([margin], requires_grad=True),
    )


def targets(policy, value=0.0, margin=0.0, legal=None):
    legal = [True] * len(policy) if legal is None else legal
    return Targets(
        torch.tensor([legal]), torch.tensor([policy]), torch.tensor([value]), torch.tensor([margin])
    )


def test_cross_entropy_by_hand():
    # softmax(0, ln 3) = (1/4, 3/4): −½ ln ¼ − ½ ln ¾
    loss = losses(output([0.0, LN3]), targets([0.5, 0.5]), CROSS, NetworkParameters())
    assert loss.policy.item() == pytest.approx(-0.5 * math.log(1 / 4) - 0.5 * math.log(3 / 4))
    assert loss.entropy.item() == pytest.approx(LN2)


def test_illegal_moves_take_no_part_however_high_their_logit():
    legal = [True, True, False]
    loss = losses(output([0.0, LN3, 9.0]), targets([0.5, 0.5, 0.0], legal=legal), CROSS, NetworkParameters())
    same = losses(output([0.0, LN3]), targets([0.5, 0.5]), CROSS, NetworkParameters())
    assert loss.policy.item() == pytest.approx(same.policy.item())
    given = output([0.0, LN3, 9.0])
    losses(given, targets([0.5, 0.5, 0.0], legal=legal), CROSS, NetworkParameters()).policy.backward()
    assert given.policy.grad[0, 2] == 0


def test_squared_error_on_legal_moves_by_hand():
    # (1/4 − 1)² and (3/4 − 0)², mean over the two legal moves
    loss = losses(
        output([0.0, LN3, 5.0]), targets([1.0, 0.0, 0.0], legal=[True, True, False]), MSE, NetworkParameters()
    )
    assert loss.policy.item() == pytest.approx((0.5625 + 0.5625) / 2)


def test_squared_error_before_the_softmax_by_hand():
    given = [0.25, 0.5, 5.0, 9.0], [0.75, 0.25, 0.0, 0.0], [True, True, True, False]
    for kind, squares in (
        ("logits", 0.5**2 + 0.25**2 + 5**2),  # illegal moves are as they are: the mean is over all four
        ("visited", 0.5**2 + 0.25**2),  # so is what was not visited
    ):
        learning = LearningParameters(policy_loss=kind)
        loss = losses(output(given[0]), targets(given[1], legal=given[2]), learning, NetworkParameters())
        assert loss.policy.item() == pytest.approx(squares / 4)


def test_what_is_least_before_the_softmax_prefers_no_move_much():
    """Where the logits are the visits' shares, a move with all of seven moves' visits has a prior of e / (e + 6)."""
    shares = [1.0] + 6 * [0.0]
    least = losses(
        output(shares), targets(shares), LearningParameters(policy_loss="logits"), NetworkParameters()
    )
    assert least.policy.item() == 0
    assert torch.softmax(torch.tensor(shares), 0)[0].item() == pytest.approx(math.e / (math.e + 6))  # 31 %


def test_gradient_of_the_cross_entropy_is_policy_less_target():
    given = output([0.0, LN3])
    losses(given, targets([1.0, 0.0]), CROSS, NetworkParameters()).policy.backward()
    assert given.policy.grad[0].tolist() == pytest.approx([0.25 - 1, 0.75])


def test_value_loss_and_the_total_by_hand():
    learning = LearningParameters(value_weight=2.0)
    loss = losses(
        output([0.0, 0.0], value=0.5), targets([0.5, 0.5], value=-1.0), learning, NetworkParameters()
    )
    assert loss.value.item() == pytest.approx(1.5**2)
    assert loss.total.item() == pytest.approx(LN2 + 2 * 2.25)


def test_both_losses_have_their_weight():
    learning = LearningParameters(policy_weight=0.5, value_weight=0.5)
    loss = losses(
        output([0.0, 0.0], value=0.5), targets([0.5, 0.5], value=-1.0), learning, NetworkParameters()
    )
    assert loss.total.item() == pytest.approx((LN2 + 2.25) / 2)


def test_outcomes_by_hand():
    # a value of 0.25 is a quarter of a win and three quarters of a draw; logits 0 give each outcome 1/3
    given = output([0.0, 0.0], outcomes=[0.0, 0.0, 0.0])
    loss = losses(given, targets([0.5, 0.5], value=0.25), CROSS, NetworkParameters())
    assert loss.value.item() == pytest.approx(LN3)
    loss.value.backward()
    assert given.outcomes.grad[0].tolist() == pytest.approx([1 / 3 - 0.25, 1 / 3 - 0.75, 1 / 3])


def test_the_margin_counts_with_its_weight():
    learning = LearningParameters(margin_weight=0.25)
    with_margin = losses(
        output([0.0, 0.0], margin=5.0), targets([0.5, 0.5], margin=2.0), learning, NetworkParameters()
    )
    without = losses(output([0.0, 0.0]), targets([0.5, 0.5]), learning, NetworkParameters())
    # Huber's loss of an error of 3 is 3 − ½
    assert (with_margin.total - without.total).item() == pytest.approx(0.25 * 2.5)
