"""A network in integers as one function of the processor answers as its plan does, which is done here in whole numbers. Where
there is no such processor, code is made for one all the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from llvmlite import binding as llvm
from numpy.typing import NDArray

from nought.games import load
from nought.network import Network, folded
from nought.network.processor import MADE_UP
from nought.network.quantised import NATURAL, WHOLE, CannotQuantise, Ranges, find_ranges, integer_weights
from nought.network.sample import random_sample
from nought.network.tower_x86 import X86Tower, instructions_here, shape_of
from nought.network.x86_code import tower_code
from nought.network.x86_shape import KINDS, Instructions, X86Shape
from tests.network.support import SMALL, busy_network
from tests.support.skips import INSTRUCTIONS

Floats = NDArray[np.float32]
THERE = llvm.get_host_cpu_features()
# early processors that have them
MODELS = {"AVX-512 with VNNI": "cascadelake", "AVX-VNNI": "alderlake", "AVX2": "haswell"}

SHAPES = [
    {}, {"filters": 32, "blocks": 1}, {"filters": 48, "kernel": 5}, {"filters": 75, "blocks": 1},
    {"filters": 128, "blocks": 1}, {"blocks": 0}, {"value_hidden": 0, "value_filters": 3, "policy_filters": 2},
    {"outcomes": True, "margin": True, "kernel": 1}, {"policy_filters": 20, "value_filters": 20, "value_hidden": 40},
]  # fmt: skip


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Instructions:
    """Those that this processor has, in turn."""
    if not all(THERE.get(name, False) for name in request.param.needs):
        pytest.skip(INSTRUCTIONS)
    return request.param


def made(name: str, changed: dict[str, object], seed: int = 1) -> tuple[Network, Floats, Ranges]:
    """A folded network, planes, and the ranges that these ask for."""
    game = load(name)
    network = folded(busy_network(game, replace(SMALL, **changed), seed))
    planes = random_sample(game, 70).planes
    with torch.inference_mode():
        return network, planes, find_ranges(network, torch.from_numpy(planes))[0]


def planned(network: Network, ranges: Ranges, planes: Floats, largest: int = 127) -> tuple[Floats, Floats]:
    """Policy and value: sums in whole numbers, all else in float32 and in the order of the function."""
    one = np.float32

    def step(of: object) -> float:
        return ranges[of].high / 255 or 1.0  # type: ignore[index]

    def stored(numbers: Floats) -> NDArray[np.int64]:
        return np.clip(np.floor(numbers + one(0.5)), 0, 255).astype(np.int64)

    def convolved(
        cells: NDArray[np.int64], layers: list[torch.nn.Conv2d], seen: float, kept: float
    ) -> Floats:
        weights, factors, biases = integer_weights(layers, seen, kept, largest)
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


@pytest.mark.parametrize("name", ["connect4", "dots-and-boxes:2x2"])
@pytest.mark.parametrize("changed", SHAPES)
def test_it_does_what_is_planned(name: str, changed: dict[str, object], kind: Instructions) -> None:
    network, planes, ranges = made(name, changed)
    assert (ranges[network] == WHOLE) == (name != "connect4")  # the score may be below 0
    forward = X86Tower(network, ranges, kind).forward(1)
    for some in (planes, planes[:1], planes[:2]):  # few positions are found several cells at a time
        for one, other in zip(
            forward(some), planned(network, ranges, some, kind.largest_weight), strict=True
        ):
            np.testing.assert_allclose(one, other, atol=2e-5)


@pytest.mark.parametrize("factor", [0.3, -0.3, 3.0])
def test_planes_of_any_numbers(factor: float, kind: Instructions) -> None:
    """Also planes that are larger than any that the ranges were set by."""
    network, planes, _ = made("connect4", {})
    some = planes * np.float32(factor)
    with torch.inference_mode():
        ranges = find_ranges(network, torch.from_numpy(some))[0]
    for seen in (some, 2 * some):
        found = X86Tower(network, ranges, kind).forward(1)(seen)
        for one, other in zip(found, planned(network, ranges, seen, kind.largest_weight), strict=True):
            np.testing.assert_allclose(one, other, atol=2e-5)


def test_an_answer_depends_neither_on_the_batch_nor_on_threads(kind: Instructions) -> None:
    network, planes, ranges = made("connect4", {"filters": 32})
    tower = X86Tower(network, ranges, kind)
    together = tower.forward(1)(planes)
    assert len(planes) > 2 * tower.shape.positions
    for threads in (1, 2, 3):
        forward = tower.forward(threads)
        for count in (0, *range(1, 2 * tower.shape.positions + 2), len(planes)):
            for whole, part in zip(together, forward(planes[:count]), strict=True):
                assert np.array_equal(whole[:count], part)


def test_several_may_evaluate_at_once(kind: Instructions) -> None:
    network, planes, ranges = made("connect4", {"filters": 48})
    tower = X86Tower(network, ranges, kind)
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
        X86Tower(network, ranges, KINDS[-1])


@pytest.mark.parametrize("filters", [16, 32, 48, 64, 128])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_sums_stay_in_registers(kind: Instructions, filters: int) -> None:
    """Code for such a processor, made on any: a tile's sums have an instruction each, and none goes to memory and back."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
    machine = target.create_target_machine(cpu=MODELS[kind.name], opt=3)
    network, _, ranges = made("connect4", {"filters": filters, "blocks": 1})
    shape = shape_of(network, ranges, kind)
    text = machine.emit_assembly(llvm.parse_assembly(str(tower_code(shape, shape.positions))))
    first = text[text.index("\nfirst:") : text.index("\nsecond:")]
    adds = "vpmaddubsw" if kind.largest_weight == 63 else "vpdpbusd"
    assert first.count(adds) == shape.positions * shape.together(shape.wide, shape.positions) >= 9
    inside = max(first.split("\n.L"), key=lambda block: block.count(adds)).partition("\n\tj")[0]
    assert inside.count(adds) == first.count(adds) and "rsp" not in inside


def test_taps_that_see_nothing_are_left_out() -> None:
    shape = X86Shape(KINDS[0], 2, False, 2, 3, 3, 16, 1, 2, 2, 8, 4, 1)
    #  cells 0 1 2 / 3 4 5, and 6 is empty; a tap's number is 3 · (1 + rows down) + 1 + columns right
    alone = shape.taps(3, 1)
    assert alone[0] == [(4, [0]), (5, [1]), (7, [3]), (8, [4])]
    assert [tap for tap, _ in alone[4]] == [0, 1, 2, 3, 4, 5]
    assert sum(map(len, alone)) == 4 * 4 + 2 * 6
    assert shape.taps(1, 1) == [[(0, [cell])] for cell in range(6)]
    # cells 0 to 3, then 4 and 5 with two beyond the last one, and 8 is empty
    four, two = shape.taps(3, 4)
    assert 0 not in dict(four)  # up and left of none of them is anything
    assert dict(four)[4] == [0, 1, 2, 3] and dict(four)[5] == [1, 2, 8, 4] and dict(four)[1] == [8, 8, 8, 0]
    assert dict(two)[4] == [4, 5, 8, 8] and dict(two)[2] == [2, 8, 8, 8] and 6 not in dict(two)


def test_without_the_instructions_it_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    instructions = instructions_here.__wrapped__
    for there, expected in (
        ({"avx2": True, "fma": True}, "AVX2"), ({"avx2": True}, None), ({}, None),
        ({"avx2": True, "fma": True, "avxvnni": True, "avx512f": True}, "AVX-VNNI"),
        (dict.fromkeys(KINDS[0].needs, True) | {"avx2": True, "fma": True, "avxvnni": True}, "AVX-512 with VNNI"),
    ):  # fmt: skip
        monkeypatch.setattr(llvm, "get_host_cpu_features", lambda there=there: there)
        found = instructions()
        assert (found and found.name) == expected
    monkeypatch.setenv(MADE_UP, "")  # no x86
    assert instructions() is None


def test_parts_of_what_is_packed_do_not_overlap() -> None:
    shape = X86Shape(KINDS[0], 3, True, 6, 7, 5, 75, 2, 8, 8, 64, 7, 4)
    for places in (shape.packed, shape.room(shape.positions)):
        begins = list(places.values())
        assert begins == sorted(begins) and all(begin % 64 == 0 for begin in begins)
    sizes = dict(zip(shape.packed, np.diff(list(shape.packed.values())), strict=False))
    assert sizes["tower 3 weights"] == 25 * 80 * 80 and sizes["stem weights"] == 25 * 8 * 80
