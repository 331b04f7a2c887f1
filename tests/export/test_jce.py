"""Wandhoven's model files (003): there and back, and read by a network written from its listing alone."""

import struct
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from nought import cli
from nought.errors import NoughtError
from nought.games import load
from nought.network import load_network, save_network
from nought.network.jce import read_jce
from nought.presets import preset
from tests.network.support import busy_network

CELLS = load("connect4-cells")
LISTED = replace(preset("wandhoven-code", "connect4-cells").network, filters=8, blocks=2, value_hidden=12)


def exported(folder: Path, monkeypatch: pytest.MonkeyPatch, network=None, game=CELLS) -> Path:
    """The file of `nought export --format jce`."""
    network = network or busy_network(game, LISTED)
    save_network(folder / "net.safetensors", network, game, 3, {})
    monkeypatch.setattr(sys, "argv", ["nought", "export", str(folder / "net.safetensors"), "--format", "jce"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert not end.value.code
    return folder / "net.jce"


# ---- 003's program, from its listing ------------------------------------------------------------------------
def listing(path: Path, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """What 003's network says of planes in its own order: value and policy before the softmax."""
    weights = listed_tensors(path.read_bytes())

    def layer(name: str) -> list[torch.Tensor]:
        return [weights.pop(f"{name}.{part}") for part in ("weight", "bias")]

    def convolution(name: str, x: torch.Tensor, kernel: int) -> torch.Tensor:
        return F.conv2d(F.pad(x, [kernel // 2] * 4), *layer(name))

    def norm(name: str, x: torch.Tensor) -> torch.Tensor:
        return F.layer_norm(x, x.shape[1:], *layer(name))

    relu = nn.LeakyReLU()
    x = relu(norm("TopLayer_batch", convolution("TopLayer_conv", planes, 5)))
    for n in range(1, LISTED.blocks + 1):
        y = relu(norm(f"Residual_{n}_batch1", convolution(f"Residual_{n}_conv1", x, 5)))
        x = relu(norm(f"Residual_{n}_batch2", convolution(f"Residual_{n}_conv2", y, 5)) + x)
    value = relu(convolution("value_conv", x, 1)).flatten(1)
    value = torch.tanh(F.linear(relu(F.linear(value, *layer("value_lin1"))), *layer("value_lin2")))
    policy = F.linear(relu(convolution("policy_conv", x, 1)).flatten(1), *layer("policy_linear"))
    assert not weights
    return value[:, 0], policy


def listed_tensors(content: bytes) -> dict[str, torch.Tensor]:
    """As load.hpp reads them."""
    (count,), at, found = struct.unpack_from("<Q", content), 8, {}
    for _ in range(count):
        end = content.index(0, at)
        name, (dimensions,) = content[at:end].decode(), struct.unpack_from("<Q", content, end + 1)
        shape = struct.unpack_from(f"<{dimensions}q", content, end + 9)
        at = end + 9 + 8 * dimensions
        size = int(np.prod(shape))
        found[name] = torch.tensor(struct.unpack_from(f"<{size}f", content, at)).reshape(shape)
        at += 4 * size
    assert at == len(content)
    return found


def test_the_listings_network_answers_the_same(tmp_path, monkeypatch, capsys):
    path = exported(tmp_path, monkeypatch)
    assert "differ by at most 0" in capsys.readouterr().out
    network = load_network(tmp_path / "net.safetensors", CELLS).network
    position = CELLS.position([38, 31, 37, 30, 24])
    ours = torch.from_numpy(position.planes())[None]
    board = [np.zeros(42), np.zeros(42)]  # of the first player, and of the second
    for ply, cell in enumerate(position.moves):
        board[ply % 2][cell] = 1
    offset = 0 if position.player == 1 else 1  # toTensor: player -1 is the second one here
    theirs = torch.tensor(
        np.stack([board[offset], board[1 - offset]]).reshape(1, 2, 6, 7), dtype=torch.float32
    )
    with torch.inference_mode():
        value, policy = listing(path, theirs)
        answer = network(ours)
    assert torch.allclose(answer.policy, policy, atol=1e-5) and torch.allclose(answer.value, value, atol=1e-5)


def test_there_and_back(tmp_path, monkeypatch):
    path = exported(tmp_path, monkeypatch)
    found, original = load_network(path, CELLS), load_network(tmp_path / "net.safetensors", CELLS)
    assert found.game == "connect4-cells" and found.parameters == original.parameters
    for name, tensor in original.network.state_dict().items():
        assert torch.equal(tensor, found.network.state_dict()[name]), name
    again = tmp_path / "again.jce.bin"  # as 003 calls its own
    again.write_bytes(path.read_bytes())
    assert load_network(again).network.actions == 42


def test_the_whole_network_of_the_listing(tmp_path, monkeypatch):
    full = busy_network(CELLS, preset("wandhoven-code", "connect4-cells").network)
    tensors = read_jce(exported(tmp_path, monkeypatch, full))
    assert sum(tensor.numel() for tensor in tensors.values()) == 1_867_228
    assert list(tensors)[:3] == ["TopLayer_conv.weight", "TopLayer_conv.bias", "TopLayer_batch.weight"]
    assert tensors["Residual_6_batch2.weight"].shape == (75, 6, 7)


def test_other_networks_have_no_place_in_it(tmp_path, monkeypatch, capsys):
    network = busy_network(CELLS, replace(LISTED, norm="batch"))
    with pytest.raises(AssertionError):
        exported(tmp_path, monkeypatch, network)
    assert "norm differ" in capsys.readouterr().err.replace("\n", " ")
    assert not (tmp_path / "net.jce").exists()


@pytest.mark.parametrize("damage", [
    lambda c: c[:-1], lambda c: c + b"x", lambda c: b"", lambda c: b"\xff" * 64, lambda c: c[:8] + c[9:],
    lambda c: struct.pack("<q", 3) + c[8:], lambda c: c.replace(b"Residual_1_conv2", b"Residual_1_conv9"),
    lambda c: c[:-4] + struct.pack("<f", float("nan")), lambda c: c[:29] + struct.pack("<q", 2**62) + c[37:],
])  # fmt: skip
def test_what_is_no_such_file_is_one_line(tmp_path, monkeypatch, damage):
    path = exported(tmp_path, monkeypatch)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(NoughtError):
        load_network(path)
    with pytest.raises(NoughtError, match="cannot be read"):
        load_network(tmp_path / "nothing.jce")
