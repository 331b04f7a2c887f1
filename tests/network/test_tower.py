"""A network as one kernel answers as its layers do. Without such a GPU, the kernel's sums are done here by its own plan, and
its text is compiled where there is a compiler."""

from __future__ import annotations

import copy
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from nought.config import NetworkParameters
from nought.games import load
from nought.network import Network, Output, folded
from nought.network.cuda import CudaForward
from nought.network.tower import TAPS, FusedTower, TowerShape, packed, why_no_shape
from tests.network.support import busy_network
from tests.support.skips import GPU, NVCC

HOPPER = torch.cuda.is_available() and torch.cuda.get_device_capability() == (9, 0)
SHAPE = NetworkParameters(filters=64, blocks=2)
GAMES = ["connect4", "tictactoe", "othello", "dots-and-boxes:2x2", "dots-and-boxes:4x4"]
CHANGES: list[dict[str, object]] = [
    {}, {"outcomes": True, "policy_filters": 2, "value_filters": 1, "value_hidden": 0},
]  # fmt: skip


def prepared(name: str, **changes: object) -> Network:
    """A folded network whose weights are whole bfloat16 numbers."""
    network = folded(busy_network(load(name), replace(SHAPE, **changes)))
    for tensor in network.parameters():
        tensor.copy_(tensor.to(torch.bfloat16))
    return network


def some_planes(network: Network, count: int) -> Tensor:
    return torch.empty((count, *network.planes)).bernoulli_(
        0.3, generator=torch.Generator().manual_seed(count)
    )


def answers(network: Network, planes: Tensor) -> Tensor:
    """What the layers say."""
    with torch.inference_mode():
        return as_numbers(network(planes))


def as_numbers(output: Output) -> Tensor:
    """[n, actions + 1]: policy, then value."""
    return torch.cat([torch.softmax(output.policy, 1), output.value[:, None]], 1)


def planned(network: Network, planes: Tensor) -> Tensor:
    """The same for one tile as the kernel does it: cells in a row, taps as distances, weights where they are packed."""
    shape = TowerShape.of(network)
    weights, biases = packed(network)
    matrices = weights.float().permute(0, 1, 3, 2).flatten(1, 2)  # [taps, channels, filters]
    line = shape.boards * (shape.width + 1)
    margin, boards = line + 1, torch.arange(len(planes))
    y, board, x = torch.meshgrid(torch.arange(shape.height), boards, torch.arange(shape.width), indexing="ij")
    places = (margin + y * line + board * (shape.width + 1) + x).flatten()  # of the boards' cells

    def convolved(cells: Tensor, layer: int, taps: int = TAPS) -> Tensor:
        sums = biases[layer].repeat(len(places), 1)
        for tap in range(taps):
            moved = (tap // 3 - 1) * line + tap % 3 - 1 if taps == TAPS else 0
            sums += cells[places + moved] @ matrices[TAPS * layer + tap]
        return sums

    def stored(sums: Tensor) -> Tensor:
        cells = torch.zeros((2 * margin + shape.cells, shape.filters))
        cells[places] = sums.relu()
        return cells

    seen = torch.zeros((len(places), shape.filters))
    seen[:, : shape.planes] = planes.permute(2, 0, 3, 1).flatten(0, 2)
    cells = stored(convolved(stored(seen), 0))
    for block in range(shape.blocks):
        inner = stored(convolved(cells, 1 + 2 * block))
        cells = stored(convolved(inner, 2 + 2 * block) + cells[places])
    heads = stored(convolved(cells, 1 + 2 * shape.blocks, 1))[places]
    heads = heads.unflatten(0, (shape.height, len(planes), shape.width)).permute(
        1, 3, 0, 2
    )  # [n, filters, y, x]
    cut = network.architecture.policy_filters
    with torch.inference_mode():
        policy = network.policy.conclude(heads[:, :cut].flatten(1))
        output = network.read(policy, network.value.conclude(heads[:, cut : shape.heads].flatten(1)))
    return as_numbers(output)


@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("name", GAMES)
def test_the_kernels_plan_gives_the_networks_answers(name: str, changes: dict[str, object]) -> None:
    network = prepared(name, **changes)
    planes = some_planes(network, TowerShape.of(network).boards)
    assert why_no_shape(network) is None
    torch.testing.assert_close(planned(network, planes), answers(network, planes), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("name", "changes", "why"),
    [
        ("connect4", {"filters": 128}, "64 filters"),
        ("connect4", {"kernel": 5}, "64 filters"),
        ("connect4", {"activation": "leaky"}, "rectify"),
        ("connect4", {"pooling": True}, "convolutions"),
        ("connect4", {"signed": True}, "convolutions"),
        ("connect4", {"policy_filters": 40, "value_filters": 40}, "64 filters"),
        ("dots-and-boxes:9x9", {}, "too large"),
    ],
)
def test_other_networks_are_told_apart(name: str, changes: dict[str, object], why: str) -> None:
    assert why in str(why_no_shape(prepared(name, **changes)))


@pytest.mark.skipif(shutil.which("nvcc") is None, reason=NVCC)
def test_the_kernel_compiles(tmp_path: Path) -> None:
    assert_compiles(TowerShape.of(prepared("connect4")), tmp_path)


def assert_compiles(shape: TowerShape, folder: Path) -> None:
    """Without a word about registers that are too few, or products that wait for each other."""
    source = folder / "tower.cu"
    source.write_text(shape.source(), encoding="utf-8")
    target = ["-gencode=arch=compute_90a,code=sm_90a", "-Xptxas", "-v", "-cubin", "-o", str(folder / "tower")]
    said = subprocess.run(["nvcc", *target, str(source)], capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr
    assert "Used" in said.stderr and "wgmma" not in said.stderr
    assert "0 bytes spill stores" in said.stderr


@pytest.mark.skipif(not HOPPER, reason=GPU)
@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_gives_the_networks_answers(name: str, changes: dict[str, object]) -> None:
    network = prepared(name, **changes)
    lowered = copy.deepcopy(network).to("cuda").lowered(torch.bfloat16)
    tower, spared = FusedTower(lowered), FusedTower(lowered, 0.75)
    for count in (1, 9, 10, 11, 777, 5000):
        planes = some_planes(network, count)
        with torch.inference_mode():
            found, again = (as_numbers(each(planes.cuda())).cpu() for each in (tower, spared))
        assert torch.equal(found, again)
        torch.testing.assert_close(found, answers(network, planes), rtol=0.03, atol=0.03)


@pytest.mark.skipif(not HOPPER, reason=GPU)
def test_it_follows_an_update_and_is_chosen_for_large_batches() -> None:
    game = load("connect4")
    first, second = (busy_network(game, SHAPE, seed) for seed in (1, 2))
    forward = CudaForward(first, 4096, torch.device("cuda"), "auto")
    assert isinstance(forward.forward, FusedTower)
    planes = some_planes(first, 300)
    for network in (first, second):
        forward.update(network)
        policy, value = forward(planes.numpy())
        found = torch.cat([torch.from_numpy(policy), torch.from_numpy(value)[:, None]], 1)
        torch.testing.assert_close(found, answers(folded(network), planes), rtol=0.05, atol=0.05)
