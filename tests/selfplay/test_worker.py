"""Self-play on several threads: what it hands on to learning."""

import numpy as np
import pytest

from nought.games import Position, load
from nought.presets import override, preset
from nought.search import Uniform
from nought.selfplay.record import GameRecord, read_games, to_line
from nought.selfplay.worker import SelfPlay


def start(name="tictactoe", threads=2, seed=0, **overrides):
    game = load(name)
    changes = {
        "selfplay.games": 16,
        "search.simulations": 12,
        "search.cache": 1024,
        "search.proofs": False,
    } | overrides
    parameters = override(preset("best", name), changes)
    return game, SelfPlay(game, parameters, [Uniform(game) for _ in range(threads)], seed)


# in the second, players do not alternate
@pytest.mark.parametrize("name", ["tictactoe", "dots-and-boxes:2x2"])
def test_samples_tell_the_outcome_from_the_movers_view(name):
    game, selfplay = start(name)
    samples, games, report = selfplay.play(400, 12)
    assert len(samples) == report.positions > 200
    assert report.games == len(games)
    # replay the games and compare with the samples of the same positions
    by_position = {}
    for played in games:
        position = Position(game, played.start)
        for action in played.actions:
            value = played.result if position.player == 0 else -played.result
            by_position.setdefault(position.state.tobytes(), []).append(value)
            position = position.play(action)
        assert position.finished
        assert position.result == played.result
    for state, outcome, policy in zip(samples.states, samples.outcome, samples.policy, strict=True):
        assert outcome in by_position[state.tobytes()]
        legal = Position(game, state).legal
        assert policy[legal].sum() == pytest.approx(1, abs=1e-5)
        assert policy.sum() == pytest.approx(1, abs=1e-5)


def test_numbers_of_samples_are_short():
    """A window of millions is kept in memory, and on a GPU."""
    game = load("dots-and-boxes:2x2")
    p = override(preset("best", game.name), {"selfplay.games": 4, "search.simulations": 4})
    samples = SelfPlay(game, p, [Uniform(game)], 0).play(40, 4).samples
    kinds = {name: array.dtype for name, array in samples._asdict().items() if name != "states"}
    assert kinds.pop("proven") == np.bool_
    assert set(kinds.values()) == {np.dtype(np.float32)}


def test_games_that_go_on_are_finished_in_the_next_round():
    game, selfplay = start(**{"selfplay.opening_share": 0.0})
    total, unfinished = 0, 0
    for _ in range(3):
        samples, games, _ = selfplay.play(100, 12)
        for played in games:
            assert played.opening == 0  # whole games, though they began in an earlier round
            assert game.position(played.actions).finished
        assert len(samples) == sum(len(g.actions) for g in games)
        total += len(games)
        unfinished = sum(len(s.unfinished) for s in selfplay.shards)
    assert total > 20
    assert unfinished > 0


def test_a_restored_self_play_goes_on_exactly_as_the_other():
    overrides = {"selfplay.full_share": 0.5, "search.noise": True}
    _, first = start(**overrides)
    first.play(200, 12)
    saved = {name: array.copy() for name, array in first.state().items()}
    expected = first.play(200, 12)
    _, second = start(seed=99, **overrides)
    second.restore(saved)
    got = second.play(200, 12)
    for a, b in zip(expected[0], got[0], strict=True):
        assert np.array_equal(a, b)
    assert [g.actions for g in expected[1]] == [g.actions for g in got[1]]


@pytest.mark.parametrize("threads", [1, 3])
def test_games_are_dealt_out_anew_to_other_threads(threads):
    changes = {"selfplay.opening_share": 0.0, "selfplay.recorded": 0}
    game, first = start(threads=2, seed=0, **changes)
    first.play(100, 12)
    under_way = [len(s.unfinished) for s in first.shards]
    _, second = start(threads=threads, seed=99, **changes)
    second.restore(first.state())
    kept = sum(len(s.unfinished) for s in second.shards)
    assert kept == (under_way[0] if threads == 1 else sum(under_way)) > 0
    _, games, _ = second.play(300, 12)
    assert len(games) > 16
    for played in games:  # each game's moves are its own, those before among them
        assert game.position(played.actions).result == played.result


def test_only_full_searches_are_learned_from():
    _, selfplay = start(**{"selfplay.full_share": 0.3, "selfplay.fast_simulations": 2})
    samples, games, _ = selfplay.play(300, 12)
    moves = sum(len(g.actions) for g in games)
    assert 0.2 < len(samples) / moves < 0.4


def test_some_games_start_with_random_moves():
    _, selfplay = start(**{"selfplay.opening_share": 0.7, "selfplay.opening_moves": 4})
    _, games, _ = selfplay.play(2000, 12)
    openings = np.array([g.opening for g in games])
    assert openings.max() == 4
    # 30 % plus a fifth of the others start at the start
    assert (openings == 0).mean() == pytest.approx(0.3 + 0.7 / 5, abs=0.08)


def test_fewer_simulations_can_be_asked_for():
    _, selfplay = start(threads=1, **{"selfplay.opening_share": 0.0})
    _, _, full = selfplay.play(200, 12)
    _, _, few = selfplay.play(200, 3)
    assert few.simulations < full.simulations / 2


def test_an_error_in_an_evaluator_ends_self_play():
    def broken(states):
        raise RuntimeError("no network")

    game = load("tictactoe")
    parameters = override(preset("best", "tictactoe"), {"selfplay.games": 4})
    with pytest.raises(RuntimeError, match="no network"):
        SelfPlay(game, parameters, [broken, Uniform(game)], 0).play(100, 8)


def test_games_can_be_written_and_read_again(tmp_path):
    game, selfplay = start(**{"selfplay.opening_share": 0.5, "selfplay.opening_moves": 3})
    _, games, _ = selfplay.play(300, 12)
    path = tmp_path / "games.jsonl"
    path.write_text("".join(to_line(game.name, g) + "\n" for g in games))
    records = read_games(path)
    assert len(records) == len(games)
    for record, played in zip(records, games, strict=True):
        assert isinstance(record, GameRecord)
        *_, last = record.positions()
        assert last.finished
        assert last.result == played.result
        assert len(record.values) == len(record.moves)
