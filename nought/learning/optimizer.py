"""What turns gradients into new weights: plain descent, AdamW, or Muon."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.optim.adamw import adamw

from nought.config import LearningParameters


def make_optimizer(
    weights: Iterable[Tensor], learning: LearningParameters, device: torch.device
) -> torch.optim.Optimizer:
    """The one that the parameters ask for. On a GPU it can be captured in a graph, which then reads its rate."""
    on_gpu = device.type == "cuda"
    rate = torch.tensor(learning.rate, device=device) if on_gpu else learning.rate
    decay = learning.weight_decay
    if learning.optimizer == "sgd":
        return torch.optim.SGD(weights, rate, momentum=learning.momentum, weight_decay=decay, fused=on_gpu)
    if learning.optimizer == "muon":
        return Muon(weights, rate, weight_decay=decay, capturable=on_gpu)
    return torch.optim.AdamW(weights, rate, weight_decay=decay, capturable=on_gpu, fused=True)


class Muon(torch.optim.Optimizer):
    """Steps of a convolution's weights are orthogonal matrices (Jordan and others, 2024).

    Gradients of a matrix point almost all in a few directions, and so do their means over many steps: what a layer
    has to learn in the others takes long. The nearest orthogonal matrix goes equally far in all of them. Everything
    that is no convolution (the norms, biases and last layers) is AdamW's.
    """

    MOMENTUM = 0.95
    BETAS = 0.9, 0.999  # of AdamW

    def __init__(
        self, weights: Iterable[Tensor], lr: float | Tensor, *, weight_decay: float, capturable: bool
    ) -> None:
        super().__init__(weights, {"lr": lr, "weight_decay": weight_decay, "capturable": capturable})

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """Change all weights that have a gradient."""
        for group in self.param_groups:
            learned = [weights for weights in group["params"] if weights.grad is not None]
            for same in _of_one_shape(weights for weights in learned if weights.ndim == 4):
                self._turn(same, group)
            self._adapt([weights for weights in learned if weights.ndim != 4], group)

    def _turn(self, layers: list[Tensor], group: dict[str, Any]) -> None:
        """Change convolutions of one shape by orthogonal matrices: a row for each of their filters."""
        gradients = _gradients(layers)
        means = [self._kept(layer, "mean") for layer in layers]
        torch._foreach_lerp_(means, gradients, 1 - self.MOMENTUM)
        ahead = torch._foreach_lerp(gradients, means, self.MOMENTUM)  # Nesterov's
        matrices = torch.stack([mean.flatten(1) for mean in ahead])
        # nearly orthogonal is enough, and a GPU is faster then
        rounded = torch.bfloat16 if matrices.is_cuda else matrices.dtype
        turned = orthogonal(matrices.to(rounded)).to(matrices.dtype)
        # as large as a step of AdamW, whose every number is about 1
        steps = turned * (group["lr"] * math.sqrt(max(turned.shape[1:])))
        torch._foreach_mul_(layers, 1 - group["lr"] * group["weight_decay"])
        torch._foreach_sub_(layers, [step.view(layers[0].shape) for step in steps])

    def _adapt(self, learned: list[Tensor], group: dict[str, Any]) -> None:
        """A step of AdamW."""
        adamw(
            learned,
            _gradients(learned),
            [self._kept(weights, "mean") for weights in learned],
            [self._kept(weights, "square") for weights in learned],
            [],
            [self._count(weights) for weights in learned],
            fused=True,
            capturable=group["capturable"],
            amsgrad=False,
            beta1=self.BETAS[0],
            beta2=self.BETAS[1],
            lr=group["lr"],
            weight_decay=group["weight_decay"],
            eps=1e-8,
            maximize=False,
        )

    def _kept(self, weights: Tensor, name: str) -> Tensor:
        """What is remembered of some weights: at first zeros."""
        state = self.state[weights]
        if name not in state:
            state[name] = torch.zeros_like(weights)
        return state[name]

    def _count(self, weights: Tensor) -> Tensor:
        """How many steps some weights have taken."""
        state = self.state[weights]
        if "step" not in state:
            state["step"] = torch.zeros((), dtype=torch.float32, device=weights.device)
        return state["step"]


def orthogonal(matrices: Tensor, steps: int = 5) -> Tensor:
    """About the nearest orthogonal matrix to each of [n, rows, columns]: the same directions, each as long as the others.

    Newton and Schulz's iteration with Jordan's coefficients, which brings every singular value between 0.7 and 1.2.
    """
    if matrices.shape[1] > matrices.shape[2]:
        return orthogonal(matrices.transpose(1, 2), steps).transpose(1, 2)
    found = matrices / (matrices.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        square = found @ found.transpose(1, 2)
        change = torch.baddbmm(square, square, square, beta=-4.7750, alpha=2.0315)
        found = torch.baddbmm(found, change, found, beta=3.4445)
    return found


def _gradients(learned: Iterable[Tensor]) -> list[Tensor]:
    return [weights.grad for weights in learned if weights.grad is not None]


def _of_one_shape(weights: Iterable[Tensor]) -> Iterator[list[Tensor]]:
    """Weights of the same shape together."""
    together: dict[torch.Size, list[Tensor]] = defaultdict(list)
    for one in weights:
        together[one.shape].append(one)
    yield from together.values()
