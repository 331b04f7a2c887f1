"""Gradient steps on positions from the window."""

from __future__ import annotations

import copy
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nought.arithmetic import ceil_div
from nought.config import Parameters
from nought.errors import NoughtError
from nought.events import LearningReport
from nought.learning.device_window import DeviceDraw, DeviceWindow
from nought.learning.loss import Targets, losses
from nought.learning.optimizer import make_optimizer
from nought.learning.window import TrainingBatch, Window
from nought.network.cuda_graph import Captured
from nought.network.fused_norm import fuse_norms
from nought.network.resnet import Network
from nought.network.threads import on_threads

Tensors = tuple[Tensor, ...]  # planes, and then as in Targets

LEAST_PART = 64  # positions that are worth a thread
BATCHES_AHEAD = 4  # batches that are made while others are learned from


class Trainer:
    """The network that learns, its optimizer, and the averaged weights that play.

    On a CPU each thread has a copy of the network and finds the gradient of its part of a batch. That is faster
    than torch's own threads, which share every convolution of these small boards, and it does not stand still when
    another program needs a core. On a GPU a whole step is one captured graph, which also looks up what was drawn if the
    window is there.
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
        if device.type == "cuda":
            # as a GPU's convolutions want it: else it would turn every layer's weights and gradients in every step
            self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average = copy.deepcopy(self.network) if parameters.learning.average > 0 else None
        if self.lowered:
            fuse_norms(self.network, device)
        learning = parameters.learning
        parts = 1 if device.type == "cuda" else max(1, min(threads, learning.batch // LEAST_PART))
        self.copies = [self.network] if parts == 1 else [copy.deepcopy(self.network) for _ in range(parts)]
        one_thread_each = partial(torch.set_num_threads, 1) if device.type == "cpu" else None
        self.pool = ThreadPoolExecutor(parts, initializer=one_thread_each)
        self.losses = np.zeros(
            (0, 3), np.float32
        )  # of every step of the last training, as _find_gradients has them
        self.captured: tuple[Window, Captured] | None = None  # a whole step from a window, as a graph
        self.optimizer = make_optimizer(self.network.parameters(), learning, device)

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
        progress: Callable[[float], None] = lambda _: None,
    ) -> LearningReport:
        """Take `steps` gradient steps at this learning rate, on positions drawn from the window; the mean losses."""
        begin = time.perf_counter()
        self._set_rate(rate)
        for copied in self.copies:
            copied.load_state_dict(self.network.state_dict())
            copied.train()
        table = torch.zeros(max(steps, 1), 3, device=self.device)  # fetched once, so that a GPU never waits
        # Between batches there are only small sums. Torch's other threads would still be about when the copies go on.
        with on_threads(1 if self.device.type == "cpu" else None):
            for step, found in enumerate(self._steps(window, steps, random)):
                table[step] = found
                if step % 16 == 0:
                    progress(step / steps)
        self.network.eval()
        if isinstance(window, DeviceWindow):
            window.check()
        self.losses = table[:steps].cpu().numpy()
        policy, value, entropy = table.mean(0).tolist()
        if not math.isfinite(policy + value):
            raise NoughtError(
                f"the loss is no longer a number (policy {policy}, value {value}): the learning rate {rate:g} may be too "
                "high; the last good state is kept, try --set learning.rate with a smaller value"
            )
        return LearningReport(steps, time.perf_counter() - begin, rate, policy, entropy, value)

    def _set_rate(self, rate: float) -> None:
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def _steps(self, window: Window, steps: int, random: np.random.Generator) -> Iterator[Tensor]:
        """Learn from so many batches of the window: each one's policy loss, value loss and policy entropy."""
        size, repeats = self.parameters.learning.batch, self.parameters.learning.repeats
        count = ceil_div(steps, repeats)

        def given(batches: Iterable[Any]) -> Iterator[Any]:
            """Each batch as often in a row as the parameters say."""
            return islice((batch for batch in batches for _ in range(repeats)), steps)

        if isinstance(window, DeviceWindow):
            yield from map(self._on_device(window), given(window.draws(count, size, random)))
        elif self.device.type == "cuda":
            made = map(as_tensors, _made_ahead(window, count, size, random))
            yield from map(self._on_device(window), given(made))
        else:
            yield from map(self._step, given(window.batch(window.draw(size, random)) for _ in range(count)))

    def _on_device(self, window: Window) -> Callable[[Tensors], Tensor]:
        """A whole step on one device; on a GPU as a graph."""
        if self.device.type == "cpu":
            return partial(self._learn, window)
        if self.captured is None or self.captured[0] is not window:
            self.captured = window, Captured(partial(self._learn, window))
        return self.captured[1]

    def _step(self, batch: TrainingBatch) -> Tensor:
        """Learn from a batch with all threads of a CPU."""
        parts = batch.split(len(self.copies))
        shares = [len(part) / len(batch) for part in parts]
        found = list(self.pool.map(self._find_gradients, self.copies, map(as_tensors, parts)))
        if len(self.copies) > 1:
            self._gather(shares)
        self._descend()
        return torch.stack([share * part for share, part in zip(shares, found, strict=True)]).sum(0)

    def _learn(self, window: Window, given: Tensors) -> Tensor:
        """Look up what was drawn if it stands on the device, find the gradients and change the weights."""
        tensors = window.look_up(DeviceDraw(*given)) if isinstance(window, DeviceWindow) else given
        found = self._find_gradients(self.network, tensors)
        self._descend()
        return found

    def _find_gradients(self, network: Network, tensors: Tensors) -> Tensor:
        """Set the gradients of a network's weights for a batch, whose loss is the mean over its positions.

        Returns the policy loss, the value loss and the entropy of the policy's targets."""
        if network is not self.network:
            with torch.no_grad():
                for own, learned in zip(network.parameters(), self.network.parameters(), strict=True):
                    own.copy_(learned)
        planes, *targets = tensors
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.lowered, cache_enabled=False):
            output = network(planes.contiguous(memory_format=torch.channels_last))
        loss = losses(output, Targets(*targets), self.parameters.learning, self.parameters.network)
        network.zero_grad(set_to_none=True)
        # Some of cuDNN's ways to find a weight's gradient add it up in any order; the others are as fast.
        with torch.backends.cudnn.flags(enabled=True, deterministic=True):
            loss.total.backward()
        return torch.stack([loss.policy, loss.value, loss.entropy]).detach()

    def _descend(self) -> None:
        """Change the weights by one step of the optimizer, and let the averaged weights follow."""
        if self.parameters.learning.clip > 0:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.parameters.learning.clip)
        self.optimizer.step()
        if self.average is not None:
            self._average(self.parameters.learning.average)

    @torch.no_grad()
    def _gather(self, shares: list[float]) -> None:
        """Join what the copies found: the gradient of the whole batch, and the mean of what batch norm has seen."""
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
        kept, new = (list(network.state_dict().values()) for network in (self.average, self.network))
        floats = [i for i, tensor in enumerate(kept) if tensor.is_floating_point()]
        torch._foreach_lerp_([kept[i] for i in floats], [new[i] for i in floats], 1 - decay)
        if whole := [i for i, tensor in enumerate(kept) if not tensor.is_floating_point()]:
            torch._foreach_copy_([kept[i] for i in whole], [new[i] for i in whole])

    def close(self) -> None:
        """Nobody learns any more."""
        self.pool.shutdown()

    # ---- stopping and going on -----------------------------------------------------------------------------
    def state(self) -> dict[str, Tensor]:
        """A copy of all tensors that learning depends on."""
        tensors = {f"network.{name}": t for name, t in self.network.state_dict().items()}
        if self.average is not None:
            tensors |= {f"average.{name}": t for name, t in self.average.state_dict().items()}
        for i, state in self.optimizer.state_dict()["state"].items():
            tensors |= {
                f"optimizer.{i}.{name}": torch.as_tensor(t) for name, t in state.items() if t is not None
            }
        return {name: t.detach().contiguous().to("cpu", copy=True) for name, t in tensors.items()}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Learn on from a copy that `state` has made."""
        self.captured = None  # it would go on with the tensors that are replaced here

        def part(prefix: str) -> dict[str, Tensor]:
            return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}

        self.network.load_state_dict(part("network."))
        if self.average is not None:
            self.average.load_state_dict(part("average."))
        state: dict[int, dict[str, Any]] = {}
        parameters = list(self.network.parameters())
        for name, tensor in part("optimizer.").items():
            number, _, field = name.partition(".")
            weights = parameters[int(number)]
            if tensor.shape == weights.shape:  # with its numbers in the order of the weights'
                tensor = torch.empty_like(weights, dtype=tensor.dtype).copy_(tensor)
            state.setdefault(int(number), {})[field] = tensor
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": state})


def _made_ahead(
    window: Window, steps: int, size: int, random: np.random.Generator
) -> Iterator[TrainingBatch]:
    """Batches for a GPU from a window on the host: other threads make the next ones meanwhile."""
    made: deque[Future[TrainingBatch]] = deque()
    with ThreadPoolExecutor(BATCHES_AHEAD) as pool:
        for _ in range(steps):
            made.append(pool.submit(window.batch, window.draw(size, random)))
            if len(made) > BATCHES_AHEAD:
                yield made.popleft().result()
        yield from (future.result() for future in made)


def as_tensors(batch: TrainingBatch) -> Tensors:
    """A batch as a network takes it: planes, and then as in Targets."""
    arrays = (batch.planes, batch.legal, batch.policy, batch.value, batch.margin)
    return tuple(map(torch.from_numpy, arrays))
