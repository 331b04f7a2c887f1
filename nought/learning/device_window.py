"""The window in a GPU's memory: planes, legal moves and symmetries of a batch are made there, by the rules themselves, so
that a gradient step needs nothing from the CPU but the numbers of the positions drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nought.arithmetic import ceil_div
from nought.config import LearningParameters
from nought.errors import NoughtError
from nought.games import Game
from nought.learning.window import Window, policy_target, value_target
from nought.selfplay.device import Launcher
from nought.selfplay.worker import Samples

WORD = 8  # bytes


class DeviceDraw(NamedTuple):
    """Which positions, and in which symmetry each, on the device."""

    places: Tensor  #   [n] where they stand there
    turn: Tensor  #     [n]


class DeviceWindow(Window):
    """The newest positions as tensors, in a ring: new ones are written over the oldest."""

    def __init__(
        self, game: Game, parameters: LearningParameters, launcher: Launcher, device: torch.device
    ) -> None:
        super().__init__(game, parameters)
        self.launcher, self.device = launcher, device
        size, self.state_words = parameters.window, ceil_div(game.zero_state().nbytes, WORD)
        # a state in whole words, and one more in which a failure of the rules is noted
        self.states = torch.zeros((size, self.state_words + 1), dtype=torch.int64, device=device)
        self.policy = torch.zeros((size, game.actions), device=device)
        self.value, self.margin = (torch.zeros(size, device=device) for _ in range(2))
        self.failed = torch.zeros((), dtype=torch.int64, device=device)
        self.first, self.count = 0, 0  # where the oldest position stands, and how many there are
        self.surprise = np.empty(0, np.float32)
        self.turning = parameters.symmetries and len(game.symmetries) > 1
        # [symmetries, cells or actions]: what goes to each place
        cells, actions = zip(*((s.cells, s.actions) for s in game.symmetries), strict=True)
        self.cells, self.actions = (_inverse(places, device) for places in (cells, actions))

    @property
    def held(self) -> int:
        return self.count

    def add(self, samples: Samples, size: int) -> None:
        """Add new positions and keep the newest `size`."""
        new = Samples(*(array[-size:] for array in samples))  # type: ignore[arg-type]
        end, ring = self.first + self.count, len(self.value)
        places = torch.from_numpy((end + np.arange(len(new))) % ring).to(self.device)
        states = np.zeros((len(new), WORD * (self.state_words + 1)), np.uint8)
        given = np.ascontiguousarray(new.states).view(np.uint8).reshape(len(new), -1)
        states[:, : given.shape[1]] = given
        value = value_target(new, np.arange(len(new)), self.parameters)
        policy = policy_target(new.policy, self.parameters)
        written = (states.view(np.int64), policy, value, new.margin)
        for kept, array in zip((self.states, self.policy, self.value, self.margin), written, strict=True):
            kept[places] = torch.from_numpy(np.ascontiguousarray(array)).to(self.device, kept.dtype)
        self.count = min(self.count + len(new), size)
        self.first = (end + len(new) - self.count) % ring
        self.surprise = np.concatenate([self.surprise, new.surprise])[-self.count :]
        self.weigh(self.surprise)
        self.count_in(len(new))

    def draws(self, steps: int, size: int, random: np.random.Generator) -> Iterator[DeviceDraw]:
        """So many batches, drawn as `draw` does and sent to the device at once."""
        drawn = [self.draw(size, random) for _ in range(steps)]
        turns = [np.zeros(size, np.intp) if turn is None else turn for _, turn in drawn]
        places = [(self.first + chosen) % len(self.value) for chosen, _ in drawn]
        sent = (torch.from_numpy(np.array(numbers)).to(self.device) for numbers in (places, turns))
        yield from map(DeviceDraw, *sent) if steps else ()

    def look_up(self, drawn: DeviceDraw) -> tuple[Tensor, ...]:
        """What has been drawn, as a network learns from it: planes, and then as in Targets. A graph can capture this."""
        places, turn = drawn
        states, policy = self.states[places], self.policy[places]
        shape, actions = self.game.planes_shape, self.game.actions
        size = int(np.prod(shape))
        inputs = torch.zeros((len(places), size + 2 * actions), device=self.device)
        self.launcher("device_inputs", states, inputs, 2 * self.state_words)
        self.failed.copy_(torch.maximum(self.failed, states[:, -1].max()))
        planes, legal = inputs[:, :size].view(-1, shape[0], shape[1] * shape[2]), inputs[:, size:-actions]
        if self.turning:
            planes = planes.gather(2, self.cells[turn].unsqueeze(1).expand_as(planes))
            policy, legal = (row.gather(1, self.actions[turn]) for row in (policy, legal))
        return planes.reshape(-1, *shape), legal > 0, policy, self.value[places], self.margin[places]

    def check(self) -> None:
        """Raise where the rules failed in any look-up so far."""
        if self.failed.item():
            raise NoughtError(f"the rules of {self.game.name} raised an exception on the GPU")


def _inverse(permutations: tuple[NDArray[np.intp], ...], device: torch.device) -> Tensor:
    return torch.from_numpy(np.argsort(np.stack(permutations), axis=1)).to(device)
