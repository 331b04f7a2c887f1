"""A network in integers as one kernel answers as its plan does. Without such a GPU, the plan is done here, and compared with
the network; the kernel's text is compiled where there is a compiler."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from nought.config import NetworkParameters
from nought.games import load
from nought.network import Network, NetworkEvaluator, folded, int8
from nought.network.cuda_weights import GpuWeights
from nought.network.quantised import LARGEST, CannotQuantise
from nought.network.sample import PositionSample
from nought.network.tower import TAPS, why_no_shape
from nought.network.tower_int8 import (
    IntegerTower,
    IntegerTowerShape,
    quantised_tower,
    stored_order,
)
from tests.network.support import busy_network, some_positions
from tests.network.test_tower import HOPPER, assert_compiles, some_planes
from tests.support.skips import GPU, NVCC

SHAPES = [NetworkParameters(filters=filters, blocks=2) for filters in (64, 128)]
GAMES = ["connect4", "tictactoe", "othello"]


def shape_name(shape: NetworkParameters) -> str:
    return f"{shape.filters} filters"


each_shape = pytest.mark.parametrize("parameters", SHAPES, ids=shape_name)


def planned(network: Network, sample: Tensor, planes: Tensor) -> Tensor:
    """What the kernel writes for one tile of planes, [n, filters of the heads × cells]: cells in a row, taps as distances,
    integers where they are packed."""
    shape = IntegerTowerShape.of(network)
    (weights, numbers, per_step), _ = quantised_tower(network, sample)
    matrices = weights.double().permute(0, 1, 3, 2).flatten(1, 2)  # [taps, channels, filters]
    line = shape.boards * (shape.width + 1)
    boards = torch.arange(len(planes))
    y, board, x = torch.meshgrid(torch.arange(shape.height), boards, torch.arange(shape.width), indexing="ij")
    places = (shape.margin + y * line + board * (shape.width + 1) + x).flatten()  # of the boards' cells

    def convolved(cells: Tensor, layer: int, taps: int = TAPS) -> Tensor:
        sums = torch.zeros((len(places), shape.filters), dtype=torch.float64)
        for tap in range(taps):
            moved = (tap // 3 - 1) * line + tap % 3 - 1 if taps == TAPS else 0
            sums += cells[places + moved] @ matrices[TAPS * layer + tap]
        return sums.float() * numbers[layer, :, 0] + numbers[layer, :, 1]

    order, as_they_are = stored_order(shape.filters), torch.arange(shape.filters)

    def stored(values: Tensor, order: Tensor = order) -> Tensor:
        cells = torch.zeros((2 * shape.margin + shape.cells, shape.filters), dtype=torch.float64)
        cells[places] = values.round().clamp(0, LARGEST)[:, order].double()
        return cells

    seen = torch.zeros((len(places), shape.filters))
    seen[:, : shape.planes] = planes.permute(2, 0, 3, 1).flatten(0, 2) * per_step[0]
    sums = convolved(stored(seen, as_they_are), 0)
    for block in range(shape.blocks):
        kept = sums.relu().bfloat16()
        inner = stored(convolved(stored(sums * per_step[1 + block]), 1 + 2 * block))
        sums = convolved(inner, 2 + 2 * block) + kept
    heads = (
        convolved(stored(sums * per_step[-1]), 1 + 2 * shape.blocks, 1).relu().bfloat16()[:, : shape.heads]
    )
    return heads.unflatten(0, (shape.height, len(planes), shape.width)).permute(1, 3, 0, 2).flatten(1)


def heads_of(network: Network, planes: Tensor) -> Tensor:
    """What the network's own layers say there."""
    with torch.inference_mode():
        x = network.stem(planes)
        for block in network.blocks:
            x = block(x)
        return torch.cat([head.convolution(x).flatten(1) for head in (network.policy, network.value)], 1)


def off(found: Tensor, expected: Tensor) -> float:
    return float((found.float() - expected.float()).norm() / expected.float().norm())


@each_shape
@pytest.mark.parametrize("name", GAMES)
def test_the_plan_is_near_the_network(name: str, parameters: NetworkParameters) -> None:
    network = folded(busy_network(load(name), parameters))
    sample = some_planes(network, 40)
    planes = sample[: IntegerTowerShape.of(network).boards]
    assert why_no_shape(network, IntegerTowerShape) is None
    assert off(planned(network, sample, planes), heads_of(network, planes)) < 0.03


def test_planes_below_zero_have_no_integers_and_fractions_have() -> None:
    network = folded(busy_network(load("tictactoe"), SHAPES[1]))
    sample = some_planes(network, 40)
    with pytest.raises(CannotQuantise, match="below 0"):
        quantised_tower(network, -sample)
    planes = 0.3 * sample[: IntegerTowerShape.of(network).boards]
    assert off(planned(network, 0.3 * sample, planes), heads_of(network, planes)) < 0.03


@pytest.mark.skipif(shutil.which("nvcc") is None, reason=NVCC)
@pytest.mark.parametrize("filters", [64, 128])
def test_the_kernel_compiles(tmp_path: Path, filters: int) -> None:
    shape = IntegerTowerShape(*load("tictactoe").planes_shape, blocks=2, filters=filters, policy=8, value=8)
    assert shape.cells == shape.cells_of[filters]  # as many registers as any
    assert_compiles(shape, tmp_path)


@pytest.mark.skipif(not HOPPER, reason=GPU)
@each_shape
@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_does_what_is_planned(name: str, parameters: NetworkParameters) -> None:
    network = folded(busy_network(load(name), parameters))
    sample, boards = some_planes(network, 40), IntegerTowerShape.of(network).boards
    lowered = copy.deepcopy(network).to("cuda").lowered(torch.bfloat16)
    weights = GpuWeights(network, torch.device("cuda"))

    def positions(count: int) -> PositionSample:
        return PositionSample(sample.numpy(), np.ones((len(sample), network.actions), bool))

    tower, spared = (IntegerTower(lowered, weights, positions, share) for share in (0.0, 0.75))
    for count in (1, 2 * boards + 1):
        planes = some_planes(network, count)
        found, again = (torch.cat(each.heads(planes.cuda()), 1).cpu() for each in (tower, spared))
        assert torch.equal(found, again)
        expected = torch.cat([planned(network, sample, tile) for tile in planes.split(boards)])
        assert (
            off(found, expected) < 0.01
        )  # the sums are exact; what is rounded at the edge may fall either way


@pytest.mark.skipif(not HOPPER, reason=GPU)
def test_weights_decide_whether_integers_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """And an evaluator's graphs follow."""
    game = load("connect4")
    networks = [busy_network(game, SHAPES[1], seed) for seed in (1, 2, 3)]
    evaluator = NetworkEvaluator(game, networks[0], device="cuda", capacity=512, precision="int8")
    assert (evaluator.chosen.precision, evaluator.chosen.floats) == ("int8", "bfloat16")
    states = np.stack([position.state for position in some_positions(game, 100)])
    for least, precision, network in zip(
        (0.0, 1.1, 0.0), ("int8", "bfloat16", "int8"), networks, strict=True
    ):
        monkeypatch.setattr(int8, "LEAST_SAME", least)
        monkeypatch.setattr(int8, "MOST_APART", 1.0)
        evaluator.update(network)
        assert evaluator.precision == precision
        assert ("answers otherwise" in evaluator.why) == (precision == "bfloat16")
        exact = NetworkEvaluator(game, network, device="cuda", capacity=512, precision="float32")
        for found, expected in zip(evaluator(states), exact(states), strict=True):
            np.testing.assert_allclose(found, expected, atol=0.2)
            assert np.abs(found - expected).mean() < 0.03
    assert NetworkEvaluator(game, networks[0], device="cuda").precision == "bfloat16"  # unless asked for
