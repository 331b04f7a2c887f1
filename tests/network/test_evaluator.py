"""The evaluator answers what the plain network answers, for any batch, on any device, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from nought.config import PRECISIONS, NetworkParameters, SearchParameters
from nought.errors import NoughtError
from nought.games import load
from nought.network import NetworkEvaluator, choose_device, choose_devices, cuda, floats, folded
from nought.network import precision as choosing
from nought.network.fused import CuDnnConvolution, fuse_for_cuda
from nought.network.sample import random_sample
from nought.search import Search, analyse
from tests.network.support import SMALL, busy_network, plainly, some_positions, states_of
from tests.support.skips import GPU

BIGGER = NetworkParameters(blocks=3, filters=32)


@pytest.fixture(
    params=[
        "cpu",
        pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason=GPU)),
    ]
)
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Tests run side by side; two threads within an operation would wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("name", ["connect4", "dots-and-boxes:2x2", "tictactoe"])
@pytest.mark.parametrize(
    "changed",
    [
        {}, {"activation": "leaky", "head_norm": False}, {"pooling": True, "outcomes": True, "margin": True},
        {"pooling": True, "activation": "leaky", "kernel": 5}, {"norm": "layer"}, {"norm": "none", "filters": 13},
        {"blocks": 0}, {"value_hidden": 0, "value_filters": 3},
    ],
)  # fmt: skip
def test_float32_answers_as_the_plain_network(name: str, changed: dict[str, object], device: str) -> None:
    game = load(name)
    network = busy_network(game, replace(SMALL, **changed))
    positions = some_positions(game, 60)
    policy, value = NetworkEvaluator(game, network, device=device, capacity=64, precision="float32")(
        states_of(positions)
    )
    expected_policy, expected_value = plainly(network, positions)
    assert policy.dtype == value.dtype == np.float32
    assert expected_value.std() > 0.005 and expected_policy.std() > 0.01
    np.testing.assert_allclose(policy, expected_policy, atol=2e-5)
    np.testing.assert_allclose(value, expected_value, atol=2e-5)


@pytest.mark.parametrize("activation", ["relu", "leaky"])
def test_bfloat16_finds_the_same_moves_best(activation: str, device: str) -> None:
    game = load("connect4")
    network = busy_network(game, replace(BIGGER, activation=activation))
    positions = some_positions(game, 300)
    policy, value = NetworkEvaluator(game, network, device=device, precision="bfloat16")(states_of(positions))
    expected_policy, expected_value = plainly(network, positions)
    best = [max(p.legal, key=row.__getitem__) for p, row in zip(positions, policy.tolist(), strict=True)]
    expected = [
        max(p.legal, key=row.__getitem__) for p, row in zip(positions, expected_policy.tolist(), strict=True)
    ]
    assert np.mean(np.equal(best, expected)) >= 0.95
    assert np.abs(value - expected_value).max() < 0.05
    # values and logits come from a last layer in float32: they are not on bfloat16's coarse grid
    assert len(np.unique(value)) > 250


@pytest.mark.parametrize("count", [1, 2, 3, 7, 16, 17, 31, 50, 64])
def test_batches_of_any_size(count: int, device: str) -> None:
    game = load("connect4")
    network = busy_network(game)
    positions = some_positions(game, 64)
    evaluator = NetworkEvaluator(game, network, device=device, capacity=64, precision="float32")
    evaluator(states_of(positions[::-1]))  # what is left of an earlier batch must not show
    policy, value = evaluator(states_of(positions[:count]))
    expected_policy, expected_value = plainly(network, positions[:count])
    assert policy.shape == (count, 7) and value.shape == (count,)
    np.testing.assert_allclose(policy, expected_policy, atol=2e-5)
    np.testing.assert_allclose(value, expected_value, atol=2e-5)


def test_more_than_fits_is_done_in_parts(device: str) -> None:
    game = load("connect4")
    network = busy_network(game)
    positions = some_positions(game, 100)
    expected_policy, expected_value = plainly(network, positions)
    for capacity in (1, 32, 33, 99):
        evaluator = NetworkEvaluator(game, network, device=device, capacity=capacity, precision="float32")
        policy, value = evaluator(states_of(positions))
        np.testing.assert_allclose(policy, expected_policy, atol=2e-5)
        np.testing.assert_allclose(value, expected_value, atol=2e-5)
    policy, value = evaluator(states_of(positions)[:0])
    assert policy.shape == (0, 7) and value.shape == (0,)


def test_answers_are_the_callers_to_keep(device: str) -> None:
    game = load("connect4")
    evaluator = NetworkEvaluator(game, busy_network(game), device=device, capacity=32)
    states = states_of(some_positions(game, 64))
    first = evaluator(states[:32])
    kept = [array.copy() for array in first]
    evaluator(states[32:])
    assert all(np.array_equal(a, b) for a, b in zip(first, kept, strict=True))


def test_update(device: str) -> None:
    game = load("connect4")
    one, other = busy_network(game, seed=1), busy_network(game, seed=2)
    states = states_of(some_positions(game, 40))
    for precision in PRECISIONS:
        evaluator = NetworkEvaluator(game, one, device=device, capacity=40, precision=precision)
        fresh = NetworkEvaluator(game, other, device=device, capacity=40, precision=precision)
        before = evaluator(states)
        evaluator.update(other)
        for found, expected, old in zip(evaluator(states), fresh(states), before, strict=True):
            assert np.array_equal(found, expected) and not np.allclose(found, old, atol=1e-3)
    with pytest.raises(ValueError, match="shape"):
        evaluator.update(busy_network(game, BIGGER))


def test_learning_goes_on_without_the_evaluator(device: str) -> None:
    """The evaluator has its own copy: a step of the learner's network changes nothing until `update`."""
    game = load("tictactoe")
    network = busy_network(game).to(device)
    evaluator = NetworkEvaluator(game, network, device=device, capacity=9)
    states = states_of(some_positions(game, 9))
    before = evaluator(states)
    with torch.no_grad():
        for tensor in network.parameters():
            tensor.add_(0.1)
    assert all(np.array_equal(a, b) for a, b in zip(before, evaluator(states), strict=True))
    evaluator.update(network.train())
    assert network.training and not np.allclose(before[0], evaluator(states)[0], atol=1e-3)


def test_symmetries_are_averaged(device: str) -> None:
    game = load("connect4")
    network = busy_network(game)
    positions = some_positions(game, 50)
    mirrored = [game.position([6 - move for move in p.moves]) for p in positions]
    policies, values = zip(plainly(network, positions), plainly(network, mirrored), strict=True)
    for capacity in (1, 7, 1000):
        evaluator = NetworkEvaluator(
            game, network, device=device, symmetries=8, capacity=capacity, precision="float32"
        )
        policy, value = evaluator(states_of(positions))
        np.testing.assert_allclose(policy, (policies[0] + policies[1][:, ::-1]) / 2, atol=2e-5)
        np.testing.assert_allclose(value, (values[0] + values[1]) / 2, atol=2e-5)


def test_the_seed_draws_the_symmetries() -> None:
    game = load("tictactoe")
    network = busy_network(game)
    states = states_of(some_positions(game, 9))

    def answers(seed: int) -> bytes:
        evaluator = NetworkEvaluator(game, network, device="cpu", symmetries=2, seed=seed, threads=1)
        return b"".join(evaluator(states)[0].tobytes() for _ in range(5))

    assert answers(1) == answers(1) != answers(2)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_threads_do_not_disturb_each_other(precision: str) -> None:
    """Each thread's answers are, bit by bit, those it gives alone, whatever others do, update and calculate with."""
    game = load("connect4")
    states = states_of(some_positions(game, 400))
    networks = [busy_network(game, BIGGER, seed) for seed in range(2)]
    random = np.random.default_rng(0)
    batches = [[random.integers(400, size=random.integers(1, 65)) for _ in range(25)] for _ in range(4)]
    gate = threading.Barrier(4)

    def answers(worker: int, *, together: bool) -> list[bytes]:
        evaluator = NetworkEvaluator(
            game, networks[0], device="cpu", capacity=48, threads=1, precision=precision
        )
        found = []
        if together:
            gate.wait(timeout=60)  # a thread that fails must not leave the others waiting
        for i, batch in enumerate(batches[worker]):
            if i % 5 == 0:
                evaluator.update(networks[(i // 5 + worker) % 2])
            found += [array.tobytes() for array in evaluator(states[batch])]
        return found

    alone = [answers(worker, together=False) for worker in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda worker: answers(worker, together=True), range(4))) == alone


def test_threads_of_torch_are_as_they_were() -> None:
    game = load("tictactoe")
    seen: list[int] = []
    evaluator = NetworkEvaluator(game, busy_network(game), device="cpu", threads=1, precision="float32")
    network = evaluator._forward.forward.network
    network.register_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
    torch.set_num_threads(2)
    evaluator(states_of(some_positions(game, 3)))
    assert seen == [1] and torch.get_num_threads() == 2


def test_without_fused_layers_the_answers_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("connect4")
    network = busy_network(game, replace(BIGGER, pooling=True))
    states = states_of(some_positions(game, 50))
    fused = NetworkEvaluator(game, network, device="cpu", precision="float32")(states)
    monkeypatch.setattr(floats, "_can_fuse", lambda kind: False)
    plain = NetworkEvaluator(game, network, device="cpu", precision="float32")(states)
    for a, b in zip(fused, plain, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="torch without oneDNN")
@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_the_fused_layers_are_in_use(kind: torch.dtype) -> None:
    assert floats._can_fuse(kind)


@pytest.mark.parametrize(
    ("gains", "chosen", "learned_in"),
    [
        ({"bfloat16": 2.0, "int8": 3.0}, "int8", "bfloat16"),
        ({"bfloat16": 2.0, "int8": 2.3}, "bfloat16", "bfloat16"),
        ({"bfloat16": 1.1, "int8": 1.3}, "int8", "float32"),
        ({"bfloat16": 0.1, "int8": 1.1}, "float32", "float32"),
        ({"bfloat16": 1.3}, "bfloat16", "bfloat16"),
        ({"int8": 1.3}, "int8", "float32"),
        ({}, "float32", "float32"),
    ],
)
def test_the_fastest_precision_is_chosen_once_for_a_shape(
    gains: dict[str, float], chosen: str, learned_in: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, asked = load("tictactoe"), []
    missing = {precision: None if precision in gains else "left out" for precision in ("bfloat16", "int8")}

    def seconds(forwards: dict[str, object], planes: object) -> dict[str, float]:
        asked.append(sorted(forwards))
        return {precision: 1 / gains.get(precision, 1.0) for precision in forwards}

    def forward_in(precision: str, *rest: object) -> object:  # what it is does not matter for the choice
        return floats.FloatForward(rest[0], rest[1], 1, "float32")

    monkeypatch.setattr(choosing, "_chosen", {})
    monkeypatch.setattr(choosing, "shortest_times", seconds)
    monkeypatch.setattr(choosing, "forward_in", forward_in)
    monkeypatch.setattr(choosing, "why_not_bfloat16", lambda: missing["bfloat16"])
    monkeypatch.setattr(choosing, "why_not_int8", lambda: missing["int8"])
    sample = partial(random_sample, game)
    for i in range(3):
        found = choosing.choose_precision(busy_network(game, seed=i), "auto", "auto", sample)
        assert (found.precision, found.floats) == (chosen, learned_in)
        assert all((f"no {p}: left out" in found.why) == (why is not None) for p, why in missing.items())
        assert chosen == "float32" or f"{gains[chosen]} × as fast as float32 here" in found.why
    assert asked == ([sorted(["float32", *gains])] if gains else [])  # nothing to choose from


def test_a_precision_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tictactoe")
    monkeypatch.setattr(choosing, "_chosen", {})
    monkeypatch.setattr(choosing, "shortest_times", lambda *_: pytest.fail("measured"))
    monkeypatch.setattr(choosing, "why_not_bfloat16", lambda: None)
    monkeypatch.setattr(choosing, "why_not_int8", lambda: None)
    choose = partial(choosing.choose_precision, busy_network(game), sample=partial(random_sample, game))
    assert choose("float32", "auto") == ("float32", "as asked for", "float32")
    assert choose("bfloat16", "auto") == ("bfloat16", "as asked for", "bfloat16")
    assert choose("int8", "bfloat16") == ("int8", "as asked for", "bfloat16")
    monkeypatch.setattr(choosing, "why_not_bfloat16", lambda: "left out")
    assert choose("bfloat16", "auto") == ("float32", "no bfloat16: left out", "float32")
    assert choose("int8", "bfloat16") == ("int8", "as asked for", "float32")
    monkeypatch.setattr(choosing, "why_not_int8", lambda: "left out, too")
    assert choose("int8", "float32") == ("float32", "no int8: left out, too", "float32")


def test_the_search_masks_as_minus_infinity_would(device: str) -> None:
    game = load("connect4")
    network = busy_network(game)
    position = game.position([3, 3, 3, 3, 3, 3, 0])  # the middle column is full
    search = Search(game, SearchParameters(simulations=1))
    search.begin(0, position.state, len(position.moves))
    search.run(NetworkEvaluator(game, network, device=device, capacity=4, precision="float32"))
    priors = {move.action: move.prior for move in analyse(search).moves}
    with torch.no_grad():
        logits = network(torch.from_numpy(position.planes()[None])).policy[0]
    masked = torch.full((7,), -torch.inf)
    masked[position.legal] = logits[position.legal]
    assert sorted(priors) == position.legal == [0, 1, 2, 4, 5, 6]
    expected = torch.softmax(masked, 0).tolist()
    assert priors == pytest.approx({action: expected[action] for action in position.legal}, abs=1e-5)


def test_devices() -> None:
    assert choose_device("cpu").type == "cpu"
    assert choose_device("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")
    with pytest.raises(NoughtError, match="auto, cpu, cuda"):
        choose_device("tpu")


def test_several_devices_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_devices("cpu, cpu") == ["cpu", "cpu"]
    for name in ("cpu,tpu", "cpu,", "cpu:0", "cuda:", "cuda:x", "cuda:-1", "cuda:0:1"):
        with pytest.raises(NoughtError, match="a device is"):
            choose_devices(name)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert choose_devices("cuda:0,cuda:1") == ["cuda:0", "cuda:1"]
    assert choose_device("cuda:1") == torch.device("cuda:1")
    with pytest.raises(NoughtError, match="the last of this machine's GPUs is cuda:1"):
        choose_device("cuda:2")


def test_a_missing_gpu_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device("auto").type == "cpu"
    with pytest.raises(NoughtError, match="no CUDA GPU"):
        NetworkEvaluator(load("tictactoe"), busy_network(load("tictactoe")), device="cuda")


def test_what_cannot_be_meant() -> None:
    game = load("tictactoe")
    with pytest.raises(NoughtError, match="float32, bfloat16, int8"):
        NetworkEvaluator(game, busy_network(game), precision="int4")
    with pytest.raises(NoughtError, match="connect4"):
        NetworkEvaluator(load("connect4"), busy_network(game))


@pytest.mark.parametrize(
    ("capacity", "sizes"),
    [
        (1, [1]),
        (20, [20]),
        (32, [32]),
        (40, [40]),
        (64, [64, 32]),
        (1000, [1000, 875, 750, 625, 500, 375, 250, 125, 62]),
    ],
)
def test_sizes_of_captured_graphs(capacity: int, sizes: list[int]) -> None:
    assert cuda.batch_sizes(capacity) == sizes


def test_fused_layers_for_a_gpu_keep_their_weights_where_an_update_finds_them() -> None:
    for activation, replaced in (("relu", 1 + 2 * SMALL.blocks + 2), ("leaky", 0)):
        network = folded(busy_network(load("connect4"), replace(SMALL, activation=activation)))
        before = {name: tensor.data_ptr() for name, tensor in network.state_dict().items()}
        fused = fuse_for_cuda(network)
        assert {name: tensor.data_ptr() for name, tensor in fused.state_dict().items()} == before
        assert sum(isinstance(module, CuDnnConvolution) for module in fused.modules()) == replaced


def test_sizes_of_padded_batches() -> None:
    assert [floats._padded(n) for n in (1, 2, 3, 5, 9, 16, 17, 32, 33, 250)] == [
        1,
        2,
        4,
        8,
        16,
        16,
        32,
        32,
        48,
        256,
    ]
