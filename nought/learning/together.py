"""Learning in several processes, one for each device: each finds the gradient of its part of a batch, the parts are
averaged (NCCL on GPUs, Gloo on CPUs), and all take the same step, so that their weights are equal at every moment."""

from __future__ import annotations

import contextlib
import copy
import datetime
import multiprocessing
import os
import sys
import threading
from multiprocessing.connection import Connection, wait
from typing import Any

import torch
import torch.distributed as group
from torch import Tensor

from nought.config import Parameters
from nought.errors import NoughtError
from nought.learning.trainer import Tensors, Trainer, as_tensors
from nought.learning.window import TrainingBatch
from nought.network.resnet import Network
from nought.scratch import ScratchFolder

TIMEOUT = 120.0  # seconds for the others to do their part of a step
END_TIMEOUT = 5.0  # seconds for them to end


class OneOfSeveral(Trainer):
    """A trainer that sees a part of every batch, and averages with the others before each step."""

    def learn_part(self, tensors: Tensors, share: float) -> Tensor:
        """Learn from this part of a batch, which is so large a share of it; the losses of the whole batch."""
        moved = tuple(tensor.to(self.device, non_blocking=True) for tensor in tensors)
        found = self._find_gradients(self.network, moved)
        gradients = [p.grad for p in self.network.parameters() if p.grad is not None]
        seen = [b for b in self.network.buffers() if b.is_floating_point()]  # by batch norm
        with torch.no_grad():
            averaged = _averaged([*gradients, *seen, found], share)
        self._descend()
        return averaged


def _averaged(tensors: list[Tensor], share: float) -> Tensor:
    """Replace tensors by the mean over all processes, weighted by their shares, in one message; the last of them."""
    flat = share * torch.cat([tensor.flatten() for tensor in tensors])
    group.all_reduce(flat)
    for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
        tensor.copy_(part.view_as(tensor))
    return tensors[-1]


class TrainerOfSeveral(OneOfSeveral):
    """The one that the learner knows: it draws the batches and tells the others what to do."""

    def __init__(
        self,
        network: Network,
        parameters: Parameters,
        device: torch.device,
        precision: str = "float32",
        threads: int = 1,
    ) -> None:
        count = parameters.learning.devices
        if device.type == "cuda":
            if torch.cuda.device_count() < count:
                raise NoughtError(
                    f"learning.devices is {count}, and this machine has {torch.cuda.device_count()} GPUs"
                )
            device = torch.device("cuda", 0)
        super().__init__(network, parameters, device, precision, threads=1)
        self.place = ScratchFolder("learners")
        store = f"{self.place.path}/store"
        spawn = multiprocessing.get_context("spawn")
        self.others: list[tuple[Any, Connection]] = []
        for rank in range(1, count):
            here, there = spawn.Pipe()
            outline = copy.deepcopy(network).cpu()
            given = (
                there,
                outline,
                parameters,
                device.type,
                precision,
                store,
                rank,
                max(1, threads // count),
            )
            process = spawn.Process(target=_follow, args=given, daemon=True)
            process.start()
            there.close()
            self.others.append((process, here))
        try:
            _join(store, 0, count, device)
        except Exception:
            self.close()
            raise
        self._tell("restore", self.state())

    def _tell(self, what: str, *arguments: Any) -> None:
        for process, connection in self.others:
            try:
                connection.send((what, *arguments))
            except OSError:
                raise NoughtError(_ended(process)) from None

    def restore(self, tensors: dict[str, Tensor]) -> None:
        super().restore(tensors)
        self._tell("restore", tensors)

    def _set_rate(self, rate: float) -> None:
        super()._set_rate(rate)
        self._tell("rate", rate)

    def _steps(self, window: Any, steps: int, random: Any) -> Any:
        """Batches are made here; each process gets its part."""
        size, repeats = self.parameters.learning.batch, self.parameters.learning.repeats
        batch: TrainingBatch | None = None
        for step in range(steps):
            if batch is None or step % repeats == 0:
                batch = window.batch(window.draw(size, random))
            yield self._step(batch)

    def _step(self, batch: TrainingBatch) -> Tensor:
        own, *parts = batch.split(1 + len(self.others))
        for (process, connection), part in zip(self.others, parts, strict=True):
            try:
                connection.send(("step", as_tensors(part), len(part) / len(batch)))
            except OSError:
                raise NoughtError(_ended(process)) from None
        try:
            return self.learn_part(as_tensors(own), len(own) / len(batch))
        except RuntimeError:
            ended = wait([process.sentinel for process, _ in self.others], END_TIMEOUT)
            for process, _ in self.others:
                if process.sentinel in ended:  # though it may be called alive for another moment
                    raise NoughtError(_ended(process)) from None
            raise

    def states(self) -> list[dict[str, Tensor]]:
        """What every process has learned; all of them are equal."""
        self._tell("state")
        return [self.state(), *(connection.recv() for _, connection in self.others)]

    def close(self) -> None:
        """End the other processes."""
        for process, connection in self.others:
            connection.close()
            process.join(END_TIMEOUT)
            if process.is_alive():
                process.kill()
        if group.is_initialized():
            group.destroy_process_group()
        self.place.close()


def _ended(process: Any) -> str:
    process.join(END_TIMEOUT)
    return f"one of the processes that learn has ended (code {process.exitcode}); --resume goes on from the last iteration"


def _join(store: str, rank: int, count: int, device: torch.device) -> None:
    """Meet the others, which are on this machine: nobody listens to the network."""
    if sys.platform == "linux":
        for library in ("GLOO", "NCCL"):
            os.environ.setdefault(f"{library}_SOCKET_IFNAME", "lo")
    group.init_process_group(
        "nccl" if device.type == "cuda" else "gloo",
        init_method=f"file://{store}",
        rank=rank,
        world_size=count,
        timeout=datetime.timedelta(seconds=TIMEOUT),
    )


def _follow(
    orders: Connection,
    network: Network,
    parameters: Parameters,
    kind: str,
    precision: str,
    store: str,
    rank: int,
    threads: int,
) -> None:
    """One of the other processes: does what it is told until nobody is there to tell it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    device = torch.device(kind, rank) if kind == "cuda" else torch.device(kind)
    if kind == "cuda":
        torch.cuda.set_device(device)
    torch.set_num_threads(threads)
    trainer = OneOfSeveral(network.train(), parameters, device, precision)
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        _join(store, rank, parameters.learning.devices, device)
        while True:
            what, *arguments = orders.recv()
            if what == "step":
                trainer.network.train()
                trainer.learn_part(*arguments)
            elif what == "rate":
                trainer._set_rate(*arguments)
            elif what == "restore":
                trainer.restore(*arguments)
            else:
                orders.send(trainer.state())


def _end_with(sentinel: int) -> None:
    """However the other process ends, and whatever this one is waiting for."""
    wait([sentinel])
    os._exit(1)
