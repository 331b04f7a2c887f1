"""A network in integers as one function of the processor answers as its plan does, which is done here in whole numbers. Where
there is no such processor, code is made for one all the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from llvmlite import binding as llvm
from numpy.typing import NDArray

from nought.games import load
from nought.network import Network, folded
from nought.network.processor import MADE_UP, has_wide_vnni
from nought.network.quantised import NATURAL, WHOLE, CannotQuantise, Ranges, find_ranges, integer_weights
from nought.network.sample import random_sample
from nought.network.tower_vnni import VnniTower, shape_of
from nought.network.vnni_code import REGISTERS, VnniShape, tower_code
from tests.network.support import SMALL, busy_network
from tests.support.skips import VNNI

Floats = NDArray[np.float32]
here = pytest.mark.skipif(not has_wide_vnni(), reason=VNNI)

SHAPES = [
    {}, {"filters": 32, "blocks": 1}, {"filters": 48, "kernel": 5}, {"filters": 75, "blocks": 1},
    {"filters": 128, "blocks": 1}, {"blocks": 0}, {"value_hidden": 0, "value_filters": 3, "policy_filters": 2},
    {"outcomes": True, "margin": True, "kernel": 1}, {"policy_filters": 20, "value_filters": 20, "value_hidden": 40},
]  # fmt: skip


def made(name: str, changed: dict[str, object], seed: int = 1) -> tuple[Network, Floats, Ranges]:
    """A folded network, planes, and the ranges that these ask for."""
    game = load(name)
    network = folded(busy_network(game, replace(SMALL, **changed), seed))
    planes = random_sample(game, 70).planes
    with torch.inference_mode():
        return network, planes, find_ranges(network, torch.from_numpy(planes))[0]


def planned(network: Network, ranges: Ranges, planes: Floats) -> tuple[Floats, Floats]:
    """Policy and value: sums in whole numbers, all else in float32 and in the order of the function."""
    one = np.float32

    def step(of: object) -> float:
        return ranges[of].high / 255 or 1.0  # type: ignore[index]

    def stored(numbers: Floats) -> NDArray[np.int64]:
        return np.clip(np.floor(numbers + one(0.5)), 0, 255).astype(np.int64)

    def convolved(
        cells: NDArray[np.int64], layers: list[torch.nn.Conv2d], seen: float, kept: float
    ) -> Floats:
        weights, factors, biases = integer_weights(layers, seen, kept)
        sums = torch.nn.functional.conv2d(
            torch.from_numpy(cells).double(), weights.double(), padding=weights.shape[-1] // 2
        )
        whole = sums.numpy().astype(np.float32)  # below 2²⁴: exactly
        return whole * factors.float().numpy()[:, None, None] + biases.float().numpy()[:, None, None]

    among, stem = ranges[network], step(network.stem)
    shown = 1.0 if among in (WHOLE, NATURAL) else max(map(abs, among)) / 255
    signs = np.sign(planes).astype(np.int64)
    cells = signs * stored(np.abs(planes) * one(1 / shown))
    x, size = stored(convolved(cells, [network.stem.conv], shown, stem)), stem
    for block in network.blocks:
        inner, after = step(block.first), step(block.second)
        y = stored(convolved(x, [block.first.conv], size, inner))
        sums = convolved(y, [block.second.conv], inner, after) + x.astype(np.float32) * one(size / after)
        x, size = stored(sums), after
    heads = convolved(x, [head.convolution.conv for head in (network.policy, network.value)], size, 1.0)
    cut = network.architecture.policy_filters
    parts = torch.from_numpy(np.maximum(heads, 0)).split([cut, heads.shape[1] - cut], 1)
    with torch.inference_mode():
        ends = zip((network.policy, network.value), parts, strict=True)
        output = network.read(*(head.conclude(part.flatten(1)) for head, part in ends))
        return torch.softmax(output.policy, 1).numpy(), output.value.numpy()


@here
@pytest.mark.parametrize("name", ["connect4", "dots-and-boxes:2x2"])
@pytest.mark.parametrize("changed", SHAPES)
def test_it_does_what_is_planned(name: str, changed: dict[str, object]) -> None:
    network, planes, ranges = made(name, changed)
    assert (ranges[network] == WHOLE) == (name != "connect4")  # the score may be below 0
    found = VnniTower(network, ranges).forward(1)(planes)
    for one, other in zip(found, planned(network, ranges, planes), strict=True):
        np.testing.assert_allclose(one, other, atol=2e-5)


@here
@pytest.mark.parametrize("factor", [0.3, -0.3, 3.0])
def test_planes_of_any_numbers(factor: float) -> None:
    """Also planes that are larger than any that the ranges were set by."""
    network, planes, _ = made("connect4", {})
    some = planes * np.float32(factor)
    with torch.inference_mode():
        ranges = find_ranges(network, torch.from_numpy(some))[0]
    for seen in (some, 2 * some):
        found = VnniTower(network, ranges).forward(1)(seen)
        for one, other in zip(found, planned(network, ranges, seen), strict=True):
            np.testing.assert_allclose(one, other, atol=2e-5)


@here
def test_an_answer_depends_neither_on_the_batch_nor_on_threads() -> None:
    network, planes, ranges = made("connect4", {"filters": 32})
    tower = VnniTower(network, ranges)
    together = tower.forward(1)(planes)
    assert len(planes) > 2 * tower.shape.positions
    for threads in (1, 2, 3):
        forward = tower.forward(threads)
        for count in (0, *range(1, 2 * tower.shape.positions + 2), len(planes)):
            for whole, part in zip(together, forward(planes[:count]), strict=True):
                assert np.array_equal(whole[:count], part)


@here
def test_as_many_threads_as_there_are_may_evaluate_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    network, planes, ranges = made("connect4", {"filters": 48})
    tower = VnniTower(network, ranges)
    expected = tower.forward(1)(planes)
    forwards = [tower.forward(2) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(
            lambda i: forwards[i % 4](planes) if i < 4 else tower.forward(2)(planes), range(40)
        ):
            assert all(np.array_equal(*pair) for pair in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"activation": "leaky"}, "rectify"), ({"head_norm": False}, "rectify"), ({"pooling": True}, "more than"),
        ({"norm": "layer"}, "more than"), ({"signed": True}, "more than"), ({"value_plane": 1}, "more than"),
    ],
)  # fmt: skip
def test_what_it_cannot_take_it_refuses(changed: dict[str, object], why: str) -> None:
    network, _, ranges = made("connect4", changed)
    with pytest.raises(CannotQuantise, match=why):
        VnniTower(network, ranges)


def test_sums_stay_in_registers_on_a_processor_that_has_them() -> None:
    """Code for such a processor, made on any: each product is one instruction, and each of a tile's has its own sum."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
    machine = target.create_target_machine(cpu="cascadelake", opt=3)
    network, _, ranges = made("connect4", {"filters": 64, "blocks": 1})
    shape = shape_of(network, ranges)
    assert shape.positions == 6
    module = llvm.parse_assembly(str(tower_code(shape, shape.positions)))
    text = machine.emit_assembly(module)
    first = text[text.index("\nfirst:") : text.index("\nsecond:")]
    assert first.count("vpdpbusd") == REGISTERS
    loop = max(first.split("\n.LBB"), key=lambda block: block.count("vpdpbusd"))
    assert loop.count("vpdpbusd") == REGISTERS and "rsp" not in loop


def test_cells_beyond_the_board_are_no_neighbours() -> None:
    shape = VnniShape(2, False, 2, 3, 3, 16, 1, 2, 2, 8, 4, 1)
    #  cells 0 1 2 / 3 4 5; a tap's number is 3 · (1 + rows down) + 1 + columns right
    assert shape.neighbours[0] == [(0, 4), (1, 5), (3, 7), (4, 8)]
    assert shape.neighbours[4] == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    assert sum(map(len, shape.neighbours)) == 4 * 4 + 2 * 6


def test_without_the_instructions_it_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    for answers in ("0:20 7:0,0,0,10", ""):  # an x86 without them, and no x86
        monkeypatch.setenv(MADE_UP, answers)
        assert not has_wide_vnni()


def test_parts_of_what_is_packed_do_not_overlap() -> None:
    shape = VnniShape(3, True, 6, 7, 5, 75, 2, 8, 8, 64, 7, 4)
    for places in (shape.packed, shape.room(shape.positions)):
        begins = list(places.values())
        assert begins == sorted(begins) and all(begin % 64 == 0 for begin in begins)
    sizes = dict(zip(shape.packed, np.diff(list(shape.packed.values())), strict=False))
    assert sizes["tower 3 weights"] == 25 * 80 * 80 and sizes["stem weights"] == 25 * 8 * 80
