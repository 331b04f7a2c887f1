"""A search on a GPU goes the way of a search on the CPU. Without a GPU, the CPU runs the GPU's kernels game by game."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
import torch

from nought.config import Choice, Parameters
from nought.errors import NoughtError
from nought.games import Game, load
from nought.network import build_network
from nought.presets import override, preset
from nought.search import Search
from nought.search.evaluator import BadEvaluation
from nought.selfplay import device as device_search
from nought.selfplay.device import DeviceSearch, OnGpu, OnHost
from nought.selfplay.device_shard import DeviceShard, games_that_fit, with_room
from nought.selfplay.worker import SelfPlay, Shard
from tests.support import skips
from tests.support.exact_evaluator import ExactEvaluator
from tests.support.skips import slow

GPU = torch.cuda.is_available()
DEVICE = torch.device("cuda" if GPU else "cpu")
GAMES = 512 if GPU else 6
BUILT_IN = ("connect4", "dots-and-boxes:2x2", "tictactoe", "othello:6x6")


def launcher(game: Game):
    return OnGpu(game) if GPU else OnHost(game)


def parameters(name: str, **changes) -> Parameters:
    usual = {
        "selfplay.games": GAMES, "selfplay.opening_share": 0.5, "selfplay.opening_moves": 6, "search.noise": True,
        "selfplay.recorded": 0, "search.simulations": 12, "search.sampled_moves": 8, "search.temperature": 0.8, "search.cache": 0,
    }  # fmt: skip
    return override(preset("best", name), usual | {k.replace("__", "."): v for k, v in changes.items()})


def shards(name: str, p: Parameters) -> tuple[Shard, DeviceShard]:
    game = load(name)
    on_cpu = Shard(game, p, ExactEvaluator(game), 7)
    games = p.selfplay.games
    on_device = DeviceShard(game, p, ExactEvaluator(game).to(DEVICE), 7, games, launcher(game), DEVICE)
    return on_cpu, on_device


def by_game(shard: Shard | DeviceShard, rows: np.ndarray) -> list[np.ndarray]:
    """The rows of each game, without what is written only where a game has ended."""
    k = shard.search.kernels
    rows = rows[np.argsort(rows[:, k.LOG_GAME], kind="stable")].copy()
    rows[rows[:, k.LOG_FINISHED] == 0, k.LOG_RESULT : k.LOG_MARGIN + 1] = 0
    width = k.LOG_POLICY + shard.search.game.actions
    return [rows[rows[:, k.LOG_GAME] == g, : int(width)] for g in range(shard.search.games)]


def assert_same_games(on_cpu: Shard, on_device: DeviceShard, positions: int, finished: int) -> None:
    """To the last bit, as far as both have come in each game."""
    expected, got = (by_game(s, s.play(positions, threading.Event())) for s in (on_cpu, on_device))
    ended = 0
    for wanted, found in zip(expected, got, strict=True):
        both = min(len(wanted), len(found))
        assert both > 0
        np.testing.assert_array_equal(wanted[:both], found[:both])
        ended += int((wanted[:both, on_cpu.search.kernels.LOG_FINISHED] != 0).sum())
    assert ended >= finished


@pytest.mark.parametrize("name", [*BUILT_IN[:3], pytest.param(BUILT_IN[3], marks=slow)])
def test_the_same_games_are_played_to_the_last_bit(name: str) -> None:
    on_cpu, on_device = shards(name, parameters(name))
    assert_same_games(on_cpu, on_device, GAMES * (90 if GPU else 40), GAMES)


@pytest.mark.parametrize(
    "changes",
    [
        {"search__choice": Choice.GUMBEL},
        {"search__choice": Choice.UCB1, "search__reuse": False},
        {"search__first_play_urgency": None, "search__c_growth": 1.0, "search__proofs": False},
        {"search__leaves": 3},
        {"selfplay__full_share": 0.4, "selfplay__fast_simulations": 3},
        {"search__noise_alpha": 0.3, "search__simulations": 40},
        {"search__nodes": 150},
    ],
    ids=lambda changes: " ".join(f"{k}={v}" for k, v in changes.items()),
)
def test_so_they_are_with_other_parameters(changes: dict) -> None:
    on_cpu, on_device = shards("tictactoe", parameters("tictactoe", **changes))
    assert_same_games(on_cpu, on_device, GAMES * 30, GAMES)


def test_a_cache_for_all_games_changes_no_answer() -> None:
    p = parameters("connect4", selfplay__opening_share=0.0, search__cache=64 * GAMES)
    on_cpu, on_device = shards("connect4", override(p, {"search.cache": 0}))
    cached = DeviceShard(
        on_cpu.search.game, p, on_device.evaluator, 7, GAMES, on_device.search.launcher, DEVICE
    )
    assert_same_games(on_cpu, cached, GAMES * 30, 0)
    counted = cached.search.counters()
    assert counted["from_cache"] > counted["simulations"] // 20


def test_the_cache_is_emptied_when_the_evaluator_changes() -> None:
    p = parameters("connect4", selfplay__opening_share=0.0, search__cache=64 * GAMES)
    on_cpu, on_device = shards("connect4", p)
    on_cpu.search.words[device_search._layout_place("cache_mask")] = 0
    assert_same_games(on_cpu, on_device, GAMES * 6, 0)
    on_device.standing, on_device.unfinished = on_cpu.standing, on_cpu.unfinished  # the same positions
    for shard in (on_cpu, on_device):
        shard.evaluator = ExactEvaluator(shard.search.game, seed=2).to(
            DEVICE if shard is on_device else "cpu"
        )
    on_device.evaluator.precision = "another"
    on_device.renew()
    assert_same_games(on_cpu, on_device, GAMES * 6, 0)


def test_fewer_simulations_can_be_asked_for() -> None:
    on_cpu, on_device = shards("connect4", parameters("connect4", search__choice=Choice.GUMBEL))
    for shard in (on_cpu, on_device):
        shard.search.set_simulations(5)
    assert_same_games(on_cpu, on_device, GAMES * 20, 0)
    counted = on_device.search.counters()
    assert counted["simulations"] <= 6 * (counted["moves"] + GAMES)


def device_self_play(p: Parameters, seed: int) -> SelfPlay:
    game = load("tictactoe")
    run = launcher(game)

    def shard(game: Game, p: Parameters, evaluator: ExactEvaluator, seed: int) -> DeviceShard:
        return DeviceShard(game, p, evaluator, seed, GAMES, run, DEVICE)

    return SelfPlay(game, p, [ExactEvaluator(game).to(DEVICE) for _ in range(2)], seed, shard)


def test_a_restored_self_play_goes_on_exactly_as_the_other() -> None:
    p = parameters("tictactoe", search__cache=4 * GAMES, selfplay__full_share=0.5)
    first = device_self_play(p, 0)
    samples, games, report = first.play(20 * GAMES, 12)
    assert report.games == len(games) > 0
    assert report.positions == len(samples) > 0
    saved = {name: array.copy() for name, array in first.state().items()}
    expected = first.play(20 * GAMES, 12)
    second = device_self_play(p, 99)
    second.restore(saved)
    got = second.play(20 * GAMES, 12)
    for a, b in zip(expected[0], got[0], strict=True):
        np.testing.assert_array_equal(a, b)
    assert [g.actions for g in expected[1]] == [g.actions for g in got[1]]


def test_an_answer_that_is_no_number_is_an_error() -> None:
    _, on_device = shards("tictactoe", parameters("tictactoe"))
    on_device.evaluator.weights[:] = np.nan
    with pytest.raises(BadEvaluation, match="nan"):
        on_device.play(100, threading.Event())


@pytest.mark.skipif(not GPU, reason=skips.GPU)
def test_a_rule_that_raises_is_an_error(tmp_path) -> None:
    margin = "def margin(state):\n    if finished(state):\n        raise ValueError('no')\n    return 0\n"
    source = f"{load('tictactoe').source}\n\n{margin}"
    file = tmp_path / "raising.py"
    file.write_text(source)
    game = load(str(file))
    p = parameters("tictactoe")
    shard = DeviceShard(game, p, ExactEvaluator(load("tictactoe")).to(DEVICE), 7, GAMES, OnGpu(game), DEVICE)
    with pytest.raises(NoughtError, match="has raised an exception on the GPU"):
        shard.play(GAMES * 20, threading.Event())


def test_as_many_games_are_taken_as_fit() -> None:
    game = load("connect4")
    p = preset("best", "connect4", gpu=True)
    network = build_network(game, p.network)
    assert games_that_fit(game, p, network, 32768, 100 << 30) == 32768
    few_on_cpu = override(p, {"selfplay.games": 1})  # whose cache is not to be had for each of 32,768 games
    assert games_that_fit(game, few_on_cpu, network, 32768, 100 << 30) == 32768
    fewer = games_that_fit(game, p, network, 32768, 1 << 30)
    assert 1000 < fewer < 10000
    assert games_that_fit(game, p, network, 1, 1 << 30) == 2  # one for each shard
    with pytest.raises(NoughtError, match="not one game fits"):
        games_that_fit(game, p, network, 32768, 1 << 16)


def test_graphs_have_as_much_room_as_fits() -> None:
    game, p = load("connect4"), preset("best", "connect4", {"search.simulations": 64}, gpu=True)
    network = build_network(game, p.network)

    def nodes(gigabytes: int, p: Parameters = p) -> int:
        return with_room(game, p, network, gigabytes << 30).search.nodes

    one = p.search.simulations + 1
    assert [nodes(gigabytes) for gigabytes in (130, 13, 10, 4)] == [16 * one, 8 * one, 4 * one, 2 * one]
    assert nodes(130, override(p, {"search.nodes": 300})) == 300


def test_search_and_device_search_begin_alike() -> None:
    game, p = load("connect4"), parameters("connect4")
    search = Search(game, p.search, GAMES, seed=5, self_play=p.selfplay)
    search.begin_games()
    other = DeviceSearch(game, replace(p.search), p.selfplay, GAMES, launcher(game), DEVICE, 5)
    other.begin_games()
    for a, b in zip(search.positions(), other.positions(), strict=True):
        np.testing.assert_array_equal(a, b)
