"""Gradient steps on positions from the window."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
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

LEAST_PART = 64  # positions that are worth a thread


class Trainer:
    """The network that learns, its optimizer, and the averaged weights that play.

    On a CPU each thread has a copy of the network and finds the gradient of its part of a batch. That is faster
    than torch's own threads, which share every convolution of these small boards, and it does not stand still when
    another program needs a core.
    """

    def __init__(
        self,
        network: Network,
        parameters: Parameters,
        device: torch.device,
        precision: str = "float32",
        threads: int = 1,
    ) -> None:
        self.parameters = parameters
        self.lowered = precision == "bfloat16"  # the tower's arithmetic; weights and losses stay float32
        self.device = device
        self.network = network.to(device)
        self.average = copy.deepcopy(self.network) if parameters.learning.average > 0 else None
        learning = parameters.learning
        parts = 1 if device.type == "cuda" else max(1, min(threads, learning.batch // LEAST_PART))
        self.copies = [self.network] if parts == 1 else [copy.deepcopy(self.network) for _ in range(parts)]
        one_thread_each = partial(torch.set_num_threads, 1) if device.type == "cpu" else None
        self.pool = ThreadPoolExecutor(parts, initializer=one_thread_each)
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
        for copied in self.copies:
            copied.load_state_dict(self.network.state_dict())
            copied.train()
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
        parts = batch.split(len(self.copies))
        shares = [len(part) / len(batch) for part in parts]
        found = list(self.pool.map(self._find_gradients, self.copies, parts))
        if len(self.copies) > 1:
            self._gather(shares)
        if self.parameters.learning.clip > 0:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.parameters.learning.clip)
        self.optimizer.step()
        if self.average is not None:
            self._average(self.parameters.learning.average)
        return torch.stack([share * part for share, part in zip(shares, found, strict=True)]).sum(0)

    def _find_gradients(self, network: Network, batch: TrainingBatch) -> Tensor:
        """Of the losses' mean over a batch; the losses."""
        if network is not self.network:
            with torch.no_grad():
                for own, learned in zip(network.parameters(), self.network.parameters(), strict=True):
                    own.copy_(learned)
        put = lambda array: torch.from_numpy(array).to(self.device, non_blocking=True)  # noqa: E731
        targets = Targets(*map(put, (batch.legal, batch.policy, batch.value, batch.margin)))
        planes = put(batch.planes).contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.lowered):
            output = network(planes)
        loss = losses(output, targets, self.parameters.learning, self.parameters.network)
        network.zero_grad(set_to_none=True)
        loss.total.backward()
        return torch.stack([loss.policy, loss.value, loss.entropy]).detach()

    @torch.no_grad()
    def _gather(self, shares: list[float]) -> None:
        """The gradient of the whole batch, and the mean of what batch norm has seen."""
        for learned, *owns in zip(
            self.network.parameters(), *(c.parameters() for c in self.copies), strict=True
        ):
            learned.grad = sum(share * own.grad for share, own in zip(shares, owns, strict=True))
        for kept, *seen in zip(self.network.buffers(), *(c.buffers() for c in self.copies), strict=True):
            if kept.is_floating_point():
                kept.copy_(sum(share * own for share, own in zip(shares, seen, strict=True)))
            else:
                kept.copy_(seen[0])

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
