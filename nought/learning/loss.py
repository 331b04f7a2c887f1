"""What a gradient step makes smaller."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from nought.config import LearningParameters, NetworkParameters
from nought.network.resnet import Output


class Targets(NamedTuple):
    """What the network is to say of n positions."""

    legal: Tensor  #    [n, actions] bool
    policy: Tensor  #   [n, actions]
    value: Tensor  #    [n] for the player to move
    margin: Tensor  #   [n]


class Losses(NamedTuple):
    """The errors of a batch, each a mean over its positions."""

    total: Tensor
    policy: Tensor
    value: Tensor
    entropy: Tensor  #  of the policy targets: the least their cross-entropy can be


def losses(
    output: Output, targets: Targets, learning: LearningParameters, network: NetworkParameters
) -> Losses:
    """The losses of a batch, each a mean over its positions."""
    logits = output.policy.float().masked_fill(~targets.legal, network.masked)
    log_policy = F.log_softmax(logits, dim=1)
    entropy = -torch.special.xlogy(targets.policy, targets.policy).sum(1).mean()
    if learning.policy_loss == "mse":  # over legal moves only
        squared = ((log_policy.exp() - targets.policy) ** 2).masked_fill(~targets.legal, 0.0)
        policy = (squared.sum(1) / targets.legal.sum(1)).mean()
    elif learning.policy_loss in ("logits", "visited"):
        # 000, equations 41 and 42: the target of an illegal move is the output itself, so the mean is over all moves.
        # In 003's code that goes for every move without a visit.
        counted = targets.legal if learning.policy_loss == "logits" else targets.policy > 0
        policy = ((logits - targets.policy) ** 2).masked_fill(~counted, 0.0).mean()
    else:
        policy = -(targets.policy * log_policy.masked_fill(~targets.legal, 0.0)).sum(1).mean()
    if output.outcomes is not None:
        value = _outcome_loss(output.outcomes.float(), targets.value)
    else:
        value = F.mse_loss(output.value.float(), targets.value)
    total = learning.policy_weight * policy + learning.value_weight * value
    if output.margin is not None:
        total = total + learning.margin_weight * F.huber_loss(output.margin.float(), targets.margin)
    return Losses(total, policy, value, entropy)


def _outcome_loss(logits: Tensor, value: Tensor) -> Tensor:
    """Cross-entropy of win, draw and loss; a value between is a mixture of draw and the nearer of the others."""
    target = torch.stack([value.clamp(min=0), 1 - value.abs(), (-value).clamp(min=0)], dim=1)
    return -(target * F.log_softmax(logits, dim=1)).sum(1).mean()
