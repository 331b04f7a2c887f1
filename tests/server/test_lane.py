"""The lane: jobs take turns and share evaluations."""

import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nought.config import SearchParameters
from nought.games import load
from nought.search import Uniform, analyse
from nought.selfplay import SearchPlayer
from nought.server.http.errors import Busy
from nought.server.thinking.jobs import Budget, Job, searching
from nought.server.thinking.lane import Lane
from nought.server.thinking.search_pool import SearchPool
from tests.support.programs import until

GAME = load("connect4")


def parameters(simulations: int) -> SearchParameters:
    return SearchParameters(
        simulations=simulations, c_puct=1.0, cache=0, leaves=1 if simulations < 100 else 8
    )


class Counting:
    """Every move alike, every position even; remembers the sizes of its batches. Waits while it is held."""

    def __init__(self) -> None:
        self.uniform, self.sizes = Uniform(GAME), list[int]()
        self.go = threading.Event()
        self.go.set()

    def __call__(self, states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        self.go.wait(10)
        self.sizes.append(len(states))
        return self.uniform(states)


def lane(evaluator: Any, *, remember: bool = False, batch: int = 256) -> Lane:
    return Lane("test", lambda: evaluator, SearchPool(GAME, parameters), remember=remember, batch=batch)


def search(lane: Lane, moves: list[int], simulations: int) -> Any:
    return lane.start(searching(lane.pool, GAME.position(moves), Budget(simulations), analyse))


def test_a_search_is_the_same_as_a_players_own() -> None:
    for simulations in (0, 1, 50, 400):
        one = lane(Uniform(GAME))
        found = search(one, [3, 3], simulations).result(60)
        one.close()
        player = SearchPlayer("own", GAME, Uniform(GAME), parameters(simulations))
        own = player.analyse(GAME.position([3, 3]))
        assert (found.value, found.simulations, found.moves) == (own.value, own.simulations, own.moves)


def test_searches_at_once_are_evaluated_together_and_do_not_disturb_each_other() -> None:
    evaluator = Counting()
    evaluator.go.clear()
    shared = lane(evaluator)
    games = [[column, other] for column in range(7) for other in range(7)]
    under_way = [search(shared, moves, 30) for moves in games]
    evaluator.go.set()
    found = [future.result(60) for future in under_way]
    shared.close()
    assert max(evaluator.sizes) >= 40  # of 49 searches
    for moves, analysis in zip(games, found, strict=True):
        own = SearchPlayer("own", GAME, Uniform(GAME), parameters(30)).analyse(GAME.position(moves))
        assert analysis.moves == own.moves


def test_used_searches_start_with_an_empty_graph() -> None:
    one = lane(Uniform(GAME))
    first = search(one, [3], 50).result(60)
    search(one, [2, 2], 60).result(60)
    assert search(one, [3], 50).result(60) == first
    one.close()


def test_a_long_search_does_not_keep_short_ones_waiting() -> None:
    slow = lane(Counting())
    long = search(slow, [], 100_000)
    short = [search(slow, [column], 50) for column in range(7)]
    for future in short:
        future.result(60)
    assert not long.done()
    long.cancel()
    slow.close()


def test_a_batch_is_bounded_and_everybody_gets_a_turn() -> None:
    evaluator = Counting()
    evaluator.go.clear()
    narrow = lane(evaluator, batch=4)
    under_way = [search(narrow, [column, other], 20) for column in range(7) for other in range(7)]
    evaluator.go.set()
    for future in under_way:
        future.result(60)
    narrow.close()
    assert max(evaluator.sizes) == 4


def test_who_came_first_is_answered_first() -> None:
    """Nobody waits much longer than others who came at the same time."""
    evaluator = Counting()
    evaluator.go.clear()
    narrow, done = lane(evaluator, batch=4), list[int]()
    for number, moves in enumerate([column, other] for column in range(7) for other in range(7)):
        search(narrow, moves, 20).add_done_callback(lambda _, number=number: done.append(number))
    evaluator.go.set()
    until(lambda: len(done) == 49)
    narrow.close()
    assert max(abs(place - number) for place, number in enumerate(done)) <= 4


def test_several_threads_evaluate_at_once() -> None:
    meeting, made = threading.Barrier(2), list[Counting]()

    class Meeting(Counting):
        def __call__(self, states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            if not self.sizes:
                meeting.wait(30)  # until another one is asked, too
            return super().__call__(states)

    def make() -> Meeting:
        made.append(Meeting())
        return made[-1]

    wide = Lane("test", make, SearchPool(GAME, parameters), remember=True, batch=4, threads=2)
    games = [[column, other] for column in range(7) for other in range(7)]
    found = [future.result(60) for future in [search(wide, moves, 30) for moves in games]]
    wide.close()
    assert len(made) == 2
    assert wide.count("evaluated") == sum(sum(evaluator.sizes) for evaluator in made)
    for moves, analysis in zip(games, found, strict=True):
        own = SearchPlayer("own", GAME, Uniform(GAME), parameters(30)).analyse(GAME.position(moves))
        assert analysis.moves == own.moves


def test_what_was_evaluated_once_is_remembered() -> None:
    evaluator = Counting()
    one = lane(evaluator, remember=True)
    first = search(one, [3], 50).result(60)
    evaluated = sum(evaluator.sizes)
    assert search(one, [3], 50).result(60) == first
    assert (
        sum(evaluator.sizes) == evaluated == one.count("evaluated") and one.count("remembered") >= evaluated
    )
    one.close()


def test_a_cancelled_search_is_dropped() -> None:
    evaluator = Counting()
    one = lane(evaluator)
    long = search(one, [], 100_000)
    until(lambda: evaluator.sizes)
    assert long.cancel()
    search(one, [3], 10).result(60)
    assert not one.busy
    done = len(evaluator.sizes)
    search(one, [3], 10).result(60)
    assert len(evaluator.sizes) - done <= 12  # nothing but this search
    one.close()


def test_seconds_end_a_search_with_what_it_has() -> None:
    one = lane(Uniform(GAME))
    found = one.start(searching(one.pool, GAME.start(), Budget(100_000, seconds=0.05), analyse)).result(60)
    assert 0 < found.simulations < 100_000
    one.close()


def test_a_failing_job_fails_alone() -> None:
    def failing() -> Job[None]:
        yield GAME.start().state[None]
        raise ValueError("mine")

    one = lane(Uniform(GAME))
    bad, good = one.start(failing()), search(one, [], 20)
    with pytest.raises(ValueError, match="mine"):
        bad.result(60)
    assert good.result(60).simulations == 20
    one.close()


def test_an_evaluator_that_fails_is_told_to_whoever_waits() -> None:
    def broken(states: NDArray[Any]) -> Any:
        raise RuntimeError("no memory")

    one = lane(broken)
    with pytest.raises(RuntimeError, match="no memory"):
        search(one, [], 20).result(60)
    until(lambda: one.closed)
    with pytest.raises(Busy):
        search(one, [], 20)


def test_closing_tells_those_who_wait() -> None:
    evaluator = Counting()
    one = lane(evaluator)
    long = search(one, [], 100_000)
    one.close()
    with pytest.raises(Busy):
        long.result(1)
