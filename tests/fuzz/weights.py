"""Weight files: damaged ones, and ones whose maker knows how a checksum is made."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import torch
from safetensors.torch import load as load_tensors
from safetensors.torch import save

from nought.config import NetworkParameters
from nought.games import load
from nought.network.checkpoint import _checksum, load_network, save_network
from nought.network.resnet import empty_network
from tests.fuzz.damage import damaged_bytes, damaged_json, damaged_text
from tests.fuzz.surface import Surface

SIZE = 8  # bytes at the beginning of the file that say how long its header is


class Weights(Surface):
    """A small network's file, of which something is not as it was."""

    name, share = "weights", 0.001_5

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        torch.manual_seed(0)
        self.game, self.path = load("tictactoe"), folder / "weights.safetensors"
        parameters = NetworkParameters(filters=4, blocks=1, value_hidden=4)
        network = empty_network(self.game.planes_shape, self.game.actions, parameters, margin=False)
        network.load_state_dict({name: torch.zeros_like(part) for name, part in network.state_dict().items()})
        save_network(self.path, network, self.game, 3, {"iteration": 3})
        self.whole = self.path.read_bytes()
        self.tensors = load_tensors(self.whole)
        self.length = int.from_bytes(self.whole[:SIZE], "little")
        self.head = json.loads(self.whole[SIZE : SIZE + self.length])

    def make(self, chance: Random) -> bytes:
        return chance.choice(
            (self._bytes, self._head, self._described, self._described, self._other_tensors)
        )(chance)

    def feed(self, given: bytes) -> None:
        self.path.write_bytes(given)
        network = load_network(self.path).network
        assert all(torch.isfinite(part).all() for part in network.state_dict().values())
        load_network(self.path, self.game, any_rules=True)
        load_network(self.path, self.game)

    def _bytes(self, chance: Random) -> bytes:
        return damaged_bytes(chance, self.whole)

    def _head(self, chance: Random) -> bytes:
        """What the file says about its tensors."""
        head = damaged_json(chance, self.head)
        return len(head).to_bytes(SIZE, "little") + head + self.whole[SIZE + self.length :]

    def _described(self, chance: Random) -> bytes:
        """What nought says about the network, with a right checksum."""
        text = damaged_json(chance, json.loads(self.head["__metadata__"]["nought"])).decode(
            "utf-8", "replace"
        )
        if chance.random() < 0.1:
            text = damaged_text(chance, text).encode(errors="replace").decode()
        return self._with(text, self.tensors)

    def _other_tensors(self, chance: Random) -> bytes:
        """Tensors of other names, shapes, kinds and numbers, with a right checksum."""
        tensors: dict[str, Any] = dict(self.tensors)
        name = chance.choice(sorted(tensors))
        part = tensors.pop(name)
        kinds = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.uint8, torch.bool)
        others = (
            lambda: part.float().fill_(chance.choice((float("nan"), float("inf"), 1e38))),
            lambda: part.to(chance.choice(kinds)),
            lambda: part.reshape(-1),
            lambda: part[None].contiguous(),
            lambda: torch.zeros(chance.choice(((), (0,), (0, 3), (3, 1000)))),
        )
        if chance.random() < 0.9:
            tensors[name if chance.random() < 0.8 else damaged_text(chance, name, ("x", ".", "0"))] = (
                chance.choice(others)()
            )
        return self._with(self.head["__metadata__"]["nought"], tensors)

    def _with(self, text: str, tensors: dict[str, Any]) -> bytes:
        return save(tensors, {"nought": text, "checksum": _checksum(text, tensors)})
