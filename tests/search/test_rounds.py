"""Search and evaluation in turns without Python find what they find with it."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from nought.config import SearchParameters, SelfPlayParameters
from nought.games import load
from nought.network import FromPlanes
from nought.search import Native, Search
from nought.search.evaluator import BadEvaluation

FAILED = 719


class Device:
    """Stands for a GPU: its graphs evaluate the first planes in Python, when their event is waited for."""

    def __init__(self, name: str, capacity: int) -> None:
        self.game = load(name)
        self.room = np.zeros((capacity, *self.game.planes_shape), np.float32)
        self.answers = np.zeros((capacity, self.game.actions + 1), np.float32)
        self.weights = np.random.default_rng(1).normal(size=(self.room[0].size, self.game.actions + 1))
        self.launched: list[tuple[int, int]] = []
        self.code = 0
        two = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64)
        one = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)
        self.functions = [two(self.launch), two(self.record), one(self.wait)]

    def native(self, sizes: list[int]) -> Native:
        addresses = [ctypes.cast(f, ctypes.c_void_p).value for f in self.functions]
        graphs = np.array([1000 + size for size in sizes], np.uint64)
        return Native(
            self.room, self.answers, np.array(sizes), graphs, np.array([7, 8, *addresses], np.uint64)
        )

    def launch(self, graph: int, stream: int) -> int:
        self.launched.append((graph - 1000, stream))
        return 0

    def record(self, event: int, stream: int) -> int:
        return 0 if (event, stream) == (8, 7) else 1

    def wait(self, event: int) -> int:
        size, _ = self.launched[-1]
        policy, value = self.forward(self.room[:size])
        self.answers[:size] = np.column_stack([policy, value])
        return self.code

    def forward(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = planes.reshape(len(planes), -1)
        raw = np.array([row @ self.weights for row in rows])  # the same bits in a batch of any size
        policy = np.exp(raw[:, :-1]).astype(np.float32)
        return policy, np.tanh(raw[:, -1]).astype(np.float32)


@pytest.mark.parametrize("name", ["connect4", "dots-and-boxes:2x2", "tictactoe"])
def test_the_same_games_are_played(name: str) -> None:
    device = Device(name, 24)
    games = {"self_play": SelfPlayParameters(games=24), "seed": 3, "log_rows": 10_000}
    parameters = SearchParameters(simulations=12)
    with_python, without = (Search(device.game, parameters, 24, **games) for _ in range(2))
    evaluator = FromPlanes(device.game, device.forward)
    logs: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    for search in (with_python, without):
        search.begin_games()
    for _ in range(60):
        with_python.answer(*evaluator(with_python.advance()))
        logs[0].append(with_python.take_rows())
    native = device.native([8, 16, 24])
    while len(device.launched) < 60:
        without.rounds(native, min(10, 60 - len(device.launched)))
        logs[1].append(without.take_rows())
    played, again = (np.concatenate(rows) for rows in logs)
    assert len(played) > 24
    kernels = with_python.kernels
    for rows in (played, again):  # how a game ended is written only where it did
        rows[rows[:, kernels.LOG_FINISHED] == 0, kernels.LOG_RESULT : kernels.LOG_MARGIN + 1] = 0
    np.testing.assert_array_equal(played, again)
    assert with_python.counters() == without.counters()
    assert {stream for _, stream in device.launched} == {7}


def test_the_smallest_graph_that_takes_the_batch_is_launched() -> None:
    device = Device("connect4", 24)
    search = Search(device.game, SearchParameters(simulations=4, cache=0), 24)
    for g in range(9):
        search.begin(g, device.game.start().state)
    search.rounds(device.native([8, 16, 24]), 1)
    assert device.launched == [(16, 7)]


def test_it_ends_when_all_games_are_done() -> None:
    device = Device("tictactoe", 2)
    search = Search(device.game, SearchParameters(simulations=20), 2)
    search.begin_games()
    search.rounds(device.native([2]), 1000)
    assert len(device.launched) < 100
    assert search.decide(0)[1].sum() == pytest.approx(1)


def test_a_failure_of_the_device_is_an_error() -> None:
    device = Device("tictactoe", 2)
    device.code = FAILED
    search = Search(device.game, SearchParameters(simulations=20), 2)
    search.begin_games()
    with pytest.raises(RuntimeError, match=str(FAILED)):
        search.rounds(device.native([2]), 3)


def test_a_batch_must_fit() -> None:
    device = Device("tictactoe", 2)
    search = Search(device.game, SearchParameters(simulations=20), 3)
    with pytest.raises(ValueError, match="takes 2 positions, not 3"):
        search.rounds(device.native([2]), 3)


def test_an_answer_that_is_no_number_is_an_error() -> None:
    device = Device("tictactoe", 2)
    device.weights[:] = np.nan
    search = Search(device.game, SearchParameters(simulations=20), 2)
    search.begin_games()
    with pytest.raises(BadEvaluation, match="nan"):
        search.rounds(device.native([2]), 30)
