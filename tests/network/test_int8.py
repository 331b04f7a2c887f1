"""Networks in integers: what they answer, and what happens where they cannot be had or answer otherwise."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from nought.config import NetworkParameters
from nought.games import Game, load
from nought.network import Network, NetworkEvaluator, folded, int8, trial
from nought.network import precision as choosing
from nought.network.int8 import MORE, SAMPLE, Int8Forward, Likeness, likeness
from nought.network.onnx_graph import OnnxGraph
from nought.network.processor import MADE_UP, has_vnni
from nought.network.quantised import CannotQuantise, QuantisedNetwork, Range, find_ranges, quantise
from nought.network.resnet import Convolution
from nought.network.sample import PositionSample, random_sample
from nought.network.tower_x86 import instructions_here
from nought.network.x86_shape import KINDS
from tests.network.support import SMALL, busy_network, plainly, some_positions, states_of
from tests.support.skips import INSTRUCTIONS

onnxruntime = pytest.importorskip("onnxruntime")
ONNX = ("onnxruntime",)


@pytest.fixture
def only_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> None:
    """No processor for which there is a function of our own."""
    monkeypatch.setattr(trial, "instructions_here", lambda: None)


@pytest.fixture(autouse=True)
def as_if_new() -> Iterator[None]:
    forget()
    yield
    forget()


def forget() -> None:
    """Nothing was found out yet."""
    for known in (trial.why_not_int8, trial.ways_to_int8, trial._why_not_int8_by):
        known.cache_clear()
    int8._kept.clear()
    int8._fastest.clear()
    choosing._chosen.clear()


# ---- what they answer --------------------------------------------------------------------------------------
def test_one_convolution_by_hand() -> None:
    """Two channels to two, with steps of 0.1 going in and 0.05 coming out."""
    layer = Convolution(2, 2, 1, "none", "relu", (1, 3))
    layer.conv.weight = torch.nn.Parameter(torch.tensor([[0.5, -1.27], [2.54, 0.02]])[..., None, None], False)
    layer.conv.bias = torch.nn.Parameter(torch.tensor([0.75, -0.5]), False)
    graph = OnnxGraph()
    writer = QuantisedNetwork(graph, {layer: Range(0, 12.75)}, 127)
    out = writer._numbers(writer._convolve(layer, writer._integers("planes", Range(0, 25.5))))
    graph.node("Identity", out, called="out")
    session = int8._session(graph.as_bytes({"planes": (2, 1, 3)}, {"out": (2, 1, 3)}), 1)
    # as integers: 10 and 25, 20 and 1, 255 (30.0 is more than there is) and 0
    planes = np.array([[[[1.0, 2.0, 30.0]], [[2.5, 0.1, 0.0]]]], np.float32)
    (found,) = session.run(None, {"planes": planes})
    # The first channel's weights are 50 and −127 steps of 0.01, its bias 750 of 0.001:
    #   10·50 − 25·127 + 750 = −1925, below 0;  20·50 − 127 + 750 = 1623;  255·50 + 750 = 13500, too much
    # The second's are 127 and 1 steps of 0.02, its bias −250 of 0.002:
    #   10·127 + 25 − 250 = 1045;  20·127 + 1 − 250 = 2291;  255·127 − 250 = 32135, too much
    # 1.623 is 32 steps of 0.05, 2.090 is 42, 4.582 is 92, and 255 steps are the most
    assert np.rint(found / 0.05).tolist() == [[[[0, 32, 255]], [[42, 92, 255]]]]


@pytest.mark.parametrize("ways", [ONNX, trial.ways_to_int8()], ids=["onnxruntime", "here"])
@pytest.mark.parametrize("name", ["connect4", "dots-and-boxes:2x2"])
@pytest.mark.parametrize(
    "changed",
    [
        {}, {"activation": "leaky", "head_norm": False}, {"pooling": True, "outcomes": True, "margin": True},
        {"pooling": True, "activation": "leaky", "kernel": 5}, {"norm": "none", "filters": 13},
        {"blocks": 0}, {"value_hidden": 0, "value_filters": 3}, {"value_plane": 1}, {"kernel": 1},
        {"signed": True},
    ],
)  # fmt: skip
def test_answers_are_those_of_the_network(
    name: str, changed: dict[str, object], ways: tuple[str, ...]
) -> None:
    game = load(name)
    network = busy_network(game, replace(SMALL, **changed))
    positions = some_positions(game, 200, seed=7)
    forward = Int8Forward(network, 1, partial(random_sample, game), ways)
    policy, value = forward(np.stack([p.planes() for p in positions]))
    expected_policy, expected_value = plainly(network, positions)
    assert policy.dtype == value.dtype == np.float32 and policy.shape == expected_policy.shape
    assert np.abs(policy.sum(1) - 1).max() < 1e-5
    assert np.corrcoef(value, expected_value)[0, 1] > 0.98
    assert np.corrcoef(policy.ravel(), expected_policy.ravel())[0, 1] > 0.98
    assert np.abs(value - expected_value).mean() < 0.03


def test_fractions_in_planes_are_seen() -> None:
    game = load("connect4")
    network, sample = busy_network(game), random_sample(game, 64)
    planes = np.ascontiguousarray(sample.planes * np.float32(0.4))
    _, value = Int8Forward(network, 1, lambda _: PositionSample(planes, sample.legal), ONNX)(planes)
    with torch.no_grad():
        expected = network(torch.from_numpy(planes)).value.numpy()
    assert np.corrcoef(value, expected)[0, 1] > 0.99


def test_the_graph_is_valid_onnx() -> None:
    onnx = pytest.importorskip("onnx")
    game = load("dots-and-boxes:2x2")
    options = replace(
        SMALL, pooling=True, activation="leaky", outcomes=True, margin=True, value_plane=1, signed=True
    )
    network = folded(busy_network(game, options))
    graph = quantise(network, find_ranges(network, torch.tensor(random_sample(game, 9).planes))[0])
    onnx.checker.check_model(graph, full_check=True)


def test_the_same_weights_give_the_same_graph_whatever_torch_does() -> None:
    game = load("connect4")
    network, sample = busy_network(game), partial(random_sample, game)
    graphs, before = set(), torch.get_num_threads()
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        graphs.add(int8._make(folded(network), sample, ONNX).network.graph)
    torch.set_num_threads(before)
    assert len(graphs) == 1


def test_an_answer_does_not_depend_on_the_batch() -> None:
    game = load("connect4")
    evaluator = NetworkEvaluator(
        game, busy_network(game), device="cpu", precision="int8", threads=1, capacity=99
    )
    assert evaluator.precision == "int8"
    states = states_of(some_positions(game, 99))
    together = evaluator(states)
    for count in (1, 2, 31):
        for all_answers, some in zip(together, evaluator(states[:count]), strict=True):
            assert np.array_equal(all_answers[:count], some)


def test_weights_that_several_evaluators_get_are_quantised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game, made, real = load("tictactoe"), [], int8._make
    monkeypatch.setattr(int8, "_make", lambda *given: made.append(1) or real(*given))
    for seed in (1, 1, 2, 1):
        NetworkEvaluator(game, busy_network(game, seed=seed), device="cpu", precision="int8")
    assert len(made) == 2
    for seed in range(3, 9):
        NetworkEvaluator(game, busy_network(game, seed=seed), device="cpu", precision="int8")
    assert len(int8._kept) == int8.KEPT


# ---- where they answer otherwise ---------------------------------------------------------------------------
def with_a_loud_channel(network: Network) -> Network:
    """The same network, in float: one of the stem's channels is a thousand times as large as the others."""
    assert network.architecture.blocks == 0
    with torch.no_grad():
        network.stem.conv.weight[0] *= 1000
        network.stem.conv.bias[0] *= 1000
        for head in (network.policy, network.value):
            head.convolution.conv.weight[:, 0] /= 1000
    return network


def test_where_int8_answers_otherwise_the_next_precision_does() -> None:
    game = load("connect4")
    shape = NetworkParameters(blocks=0, filters=16, norm="none")
    good, loud = busy_network(game, shape), with_a_loud_channel(busy_network(game, shape))
    evaluator = NetworkEvaluator(
        game, good, device="cpu", precision="int8", floats="float32", capacity=60, threads=1
    )
    states = states_of(some_positions(game, 60))
    expected = NetworkEvaluator(game, good, device="cpu", precision="float32", threads=1)(states)
    assert (evaluator.precision, evaluator.why) == ("int8", "as asked for")
    evaluator.update(loud)
    assert evaluator.precision == "float32"
    assert evaluator.why.startswith("int8 answers otherwise: the same move as float32 in ")
    assert evaluator.chosen == ("int8", "as asked for", "float32")  # of the next weights it may be true again
    for found, wanted in zip(evaluator(states), expected, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-4)
    evaluator.update(good)
    assert (evaluator.precision, evaluator.why) == ("int8", "as asked for")


@pytest.mark.parametrize(
    ("few", "more", "alike"),
    [(0.97, None, True), (0.96, 0.98, True), (0.96, 0.965, False), (0.95, None, False)],
)
def test_more_positions_decide_where_few_fall_just_short(
    few: float, more: float | None, alike: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, asked = {SAMPLE: few, MORE: more}, []
    monkeypatch.setattr(
        int8, "likeness", lambda sample, *_: asked.append(n := len(sample.planes)) or Likeness(found[n], 0.0)
    )
    game = load("connect4")
    made = int8._make(folded(busy_network(game)), partial(random_sample, game), ONNX)
    assert made.likeness.enough == alike
    assert asked == ([SAMPLE] if more is None else [SAMPLE, MORE])


def test_likeness() -> None:
    legal = np.array([[True, True, False], [False, True, True]])
    sample = PositionSample(np.zeros((2, 1, 1, 1), np.float32), legal)
    one = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]), np.array([0.5, -0.5])
    other = np.array([[1.0, 2.0, -7.0], [0.0, 0.1, 0.2]]), np.array([0.6, -0.8])
    same, apart = likeness(sample, one, other)
    assert same == 0.5 and apart == pytest.approx(0.2)
    assert Likeness(0.97, 0.03).enough
    assert not Likeness(0.969, 0.0).enough and not Likeness(1.0, 0.031).enough
    assert not Likeness(1.0, float("nan")).enough


# ---- where they cannot be had ------------------------------------------------------------------------------
def goes_on_without(game: Game, network: Network, why: str, asked: str = "int8") -> None:
    evaluator = NetworkEvaluator(game, network, device="cpu", precision=asked)
    assert evaluator.precision in ("float32", "bfloat16") and why in evaluator.why
    assert np.isfinite(evaluator(states_of(some_positions(game, 3)))[1]).all()


@pytest.mark.usefixtures("only_onnxruntime")
@pytest.mark.parametrize("asked", ["auto", "int8"])
def test_with_neither_way(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "find_spec", lambda _: None)
    game = load("tictactoe")
    why = "no int8: this processor has no AVX2; onnxruntime is not installed"
    goes_on_without(game, busy_network(game), why, asked)


@pytest.mark.skipif(instructions_here() is None, reason=INSTRUCTIONS)
def test_without_onnxruntime_there_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "find_spec", lambda _: None)
    monkeypatch.setattr(int8, "_session", lambda *_: pytest.fail("asked for"))
    game = load("tictactoe")
    assert trial.ways_to_int8() == ("x86",)
    evaluator = NetworkEvaluator(game, busy_network(game), device="cpu", precision="int8")
    assert (evaluator.precision, evaluator.why) == ("int8", "as asked for")
    leaky = busy_network(game, replace(SMALL, activation="leaky"))
    goes_on_without(game, leaky, "int8 fails here: not all its layers rectify")


@pytest.mark.skipif(instructions_here() is None, reason=INSTRUCTIONS)
@pytest.mark.parametrize(("faster", "taken"), [(1.2, "x86"), (1.4, "onnxruntime")])
def test_the_other_way_is_taken_where_it_is_much_faster(
    faster: float, taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def times(ways: dict[str, object], _: object) -> dict[str, float]:
        asked.append(list(ways))
        return {"x86": 1.0, "onnxruntime": 1 / faster}

    monkeypatch.setattr(int8, "shortest_times", times)
    game = load("tictactoe")
    sample = partial(random_sample, game)
    for seed in (1, 2):
        assert Int8Forward(busy_network(game, seed=seed), 1, sample).way == taken
    assert asked == [["x86", "onnxruntime"]]  # once for a shape
    leaky = busy_network(game, replace(SMALL, activation="leaky"))
    assert Int8Forward(leaky, 1, sample).way == "onnxruntime"
    assert len(asked) == 1  # nothing to choose from


def test_an_onnxruntime_that_cannot_be_imported_fails_its_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert trial.tried("onnxruntime").startswith("ModuleNotFoundError: ")


@pytest.mark.parametrize("asked", ["auto", "int8"])
def test_a_network_that_cannot_be_quantised(asked: str) -> None:
    game = load("tictactoe")
    network = busy_network(game, replace(SMALL, norm="layer"))
    goes_on_without(game, network, "layer norm", asked)
    with pytest.raises(CannotQuantise):
        Int8Forward(network, 1, partial(random_sample, game))


@pytest.mark.usefixtures("only_onnxruntime")
@pytest.mark.parametrize("asked", ["auto", "int8"])
def test_whatever_onnxruntime_says_another_goes_on(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED\nmore of it")

    monkeypatch.setattr(int8, "_session", fails)
    game = load("tictactoe")
    goes_on_without(game, busy_network(game), "NOT_IMPLEMENTED", asked)


def test_a_trial_of_int8_that_is_killed_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = "import os, signal; print('begun', flush=True); os.kill(os.getpid(), signal.SIGILL)"
    run = subprocess.run
    monkeypatch.setenv("NOUGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(
        trial.subprocess, "run", lambda _, **rest: run([sys.executable, "-c", killed], **rest)
    )
    monkeypatch.setattr(trial, "instructions_here", lambda: KINDS[-1])
    killed_by = f"a trial was killed by {signal.Signals.SIGILL.name}"
    assert trial.why_not_int8() == f"{killed_by}; {killed_by}"  # either way
    forget()
    monkeypatch.setattr(trial, "hold_trial", lambda _: pytest.fail("held again"))
    game = load("tictactoe")
    goes_on_without(game, busy_network(game), "no int8: a trial was killed by SIGILL")


def test_where_our_own_is_killed_onnxruntime_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(trial, "instructions_here", lambda: KINDS[-1])
    monkeypatch.setattr(trial, "hold_trial", lambda what: (True, "killed" if what == "x86" else None))
    assert trial.ways_to_int8() == ONNX and trial.why_not_int8() is None
    game = load("tictactoe")
    assert NetworkEvaluator(game, busy_network(game), device="cpu", precision="int8").precision == "int8"


@pytest.mark.parametrize("way", int8.WAYS)
def test_a_real_trial_of_int8(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "x86" and instructions_here() is None:
        pytest.skip(INSTRUCTIONS)
    monkeypatch.setenv("NOUGHT_CACHE", str(tmp_path))
    assert trial.hold_trial(way) == (True, None)


@pytest.mark.parametrize(
    ("answers", "there"), [("0:20 7:0,0,800,0", True), ("0:20 7:0,0,0,10", False), ("", True)]
)
def test_a_processor_without_vnni_gets_smaller_weights(
    answers: str, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It adds two products in 16 bits, and 2 · 255 · 63 is less than 2¹⁵. Not an x86: it has something of its own."""
    onnx = pytest.importorskip("onnx")
    monkeypatch.setenv(MADE_UP, answers)
    assert has_vnni() == there
    game = load("connect4")
    made = int8._make(folded(busy_network(game)), partial(random_sample, game), ONNX)
    graph = onnx.load_from_string(made.network.graph).graph
    weights = [onnx.numpy_helper.to_array(t) for t in graph.initializer]
    largest = max(int(np.abs(w.astype(int)).max()) for w in weights if w.dtype == np.int8)
    assert largest == (127 if there else 63)
    assert made.likeness.same > 0.9
