"""Gradient steps on positions from the window."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nought.config import Parameters
from nought.errors import NoughtError
from nought.events import LearningReport
from nought.learning.loss import Targets, losses
from nought.learning.memory import TrainingBatch, Window
from nought.network.resnet import Network


class Trainer:
    """The network that learns, its optimizer, and the averaged weights that play."""

    def __init__(
        self, network: Network, parameters: Parameters, device: torch.device, precision: str = "float32"
    ) -> None:
        self.parameters = parameters
        self.lowered = precision == "bfloat16"  # the tower's arithmetic; weights and losses stay float32
        self.device = device
        self.network = network.to(device)
        self.average = copy.deepcopy(self.network) if parameters.learning.average > 0 else None
        learning = parameters.learning
        self.optimizer: torch.optim.Optimizer
        if learning.optimizer == "sgd":
            self.optimizer = torch.optim.SGD(
                self.network.parameters(),
                lr=learning.rate,
                momentum=learning.momentum,
                weight_decay=learning.weight_decay,
            )
        else:
            self.optimizer = torch.optim.AdamW(
                self.network.parameters(),
                lr=learning.rate,
                weight_decay=learning.weight_decay,
                fused=True,
            )

    @property
    def playing(self) -> Network:
        """The network that plays: with averaged weights if they are kept."""
        return self.average if self.average is not None else self.network

    def train(
        self,
        window: Window,
        steps: int,
        rate: float,
        random: np.random.Generator,
        progress: Callable[[float], None] = lambda done: None,
    ) -> LearningReport:
        """So many gradient steps at this learning rate."""
        begin = time.perf_counter()
        learning = self.parameters.learning
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        sums = torch.zeros(3, device=self.device)
        for step in range(steps):
            sums += self._step(window.batch(learning.batch, random))
            if step % 16 == 0:
                progress(step / steps)
        self.network.eval()
        policy, value, entropy = (sums / max(steps, 1)).tolist()
        if not math.isfinite(policy + value):
            raise NoughtError(
                f"the loss is no longer a number (policy {policy}, value {value}): the learning rate {rate:g} may be too "
                "high; the last good state is kept, try --set learning.rate with a smaller value"
            )
        return LearningReport(steps, time.perf_counter() - begin, rate, policy, entropy, value)

    def _step(self, batch: TrainingBatch) -> Tensor:
        learning, network = self.parameters.learning, self.parameters.network
        put = lambda array: torch.from_numpy(array).to(self.device, non_blocking=True)  # noqa: E731
        targets = Targets(*map(put, (batch.legal, batch.policy, batch.value, batch.margin)))
        planes = put(batch.planes).contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.lowered):
            output = self.network(planes)
        loss = losses(output, targets, learning, network)
        self.optimizer.zero_grad(set_to_none=True)
        loss.total.backward()
        if learning.clip > 0:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), learning.clip)
        self.optimizer.step()
        if self.average is not None:
            self._average(learning.average)
        return torch.stack([loss.policy, loss.value, loss.entropy]).detach()

    @torch.no_grad()
    def _average(self, decay: float) -> None:
        assert self.average is not None
        for kept, new in zip(
            self.average.state_dict().values(), self.network.state_dict().values(), strict=True
        ):
            if kept.is_floating_point():
                kept.lerp_(new, 1 - decay)
            else:
                kept.copy_(new)

    # ---- stopping and going on -----------------------------------------------------------------------------
    def state(self) -> dict[str, Tensor]:
        """All tensors that learning depends on."""
        tensors = {f"network.{name}": t for name, t in self.network.state_dict().items()}
        if self.average is not None:
            tensors |= {f"average.{name}": t for name, t in self.average.state_dict().items()}
        for i, state in self.optimizer.state_dict()["state"].items():
            tensors |= {
                f"optimizer.{i}.{name}": torch.as_tensor(t) for name, t in state.items() if t is not None
            }
        return {name: t.detach().cpu().contiguous() for name, t in tensors.items()}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        def part(prefix: str) -> dict[str, Tensor]:
            return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}

        self.network.load_state_dict(part("network."))
        if self.average is not None:
            self.average.load_state_dict(part("average."))
        state: dict[int, dict[str, Any]] = {}
        for name, tensor in part("optimizer.").items():
            number, _, field = name.partition(".")
            state.setdefault(int(number), {})[field] = tensor
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": state})
