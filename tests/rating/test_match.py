"""Matches: what is played, what counts, when they stop."""

import json
from collections.abc import Mapping

import numpy as np
import pytest

from nought.config import SearchParameters
from nought.games import Position, load
from nought.rating import MatchInterrupted, play_match
from nought.rating.elo import STANDARD
from nought.rating.sequential import sequential_test
from nought.search import Uniform
from nought.selfplay import RandomPlayer, SearchPlayer, rollout_player
from nought.selfplay.record import read_games

CONNECT4, TICTACTOE = load("connect4"), load("tictactoe")


class FirstMove:
    """Plays the first legal move."""

    name = "first"

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {g: position.legal[0] for g, position in positions.items()}


class LastMove:
    """Plays the last legal move."""

    name = "last"

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {g: position.legal[-1] for g, position in positions.items()}


def test_twenty_games_of_a_deterministic_pairing_are_two():
    match = play_match(CONNECT4, FirstMove(), LastMove(), 20, openings=[CONNECT4.start()])
    assert match.played == 20
    assert len(match.distinct) == match.all.games == 2
    assert {(game.a_first, game.last.moves) for game in match.games} == {
        (game.a_first, game.last.moves) for game in match.distinct
    }
    assert match.as_first.games == match.as_second.games == 1
    facts = json.loads(match.as_json())
    assert facts["distinct_games"] == facts["wins"] + facts["draws"] + facts["losses"] == 2
    assert facts["games"] == 20
    assert facts["openings"] == 1


def test_a_search_that_keeps_its_graph_is_deterministic_too():
    """In several lots: a game must not know what was found in the games before it."""

    def player(name: str, simulations: int) -> SearchPlayer:
        parameters = SearchParameters(simulations=simulations, nodes=4000, cache=0)
        return SearchPlayer(name, TICTACTOE, Uniform(TICTACTOE), parameters, games=3)

    start = [TICTACTOE.start()]
    match = play_match(TICTACTOE, player("a", 12), player("b", 20), 60, openings=start, bounds=(-800, 800))
    assert match.played > 20
    assert len(match.distinct) == 2


def test_different_openings_are_different_games():
    match = play_match(CONNECT4, FirstMove(), LastMove(), 20)
    assert len(match.distinct) == match.played == 20
    assert match.openings == 10
    assert match.as_first.games == match.as_second.games == 10


def test_every_opening_is_played_with_both_colours():
    match = play_match(CONNECT4, RandomPlayer(1), RandomPlayer(2), 12)
    openings: dict[int, list[tuple[int, ...]]] = {}
    for game in match.distinct:
        openings.setdefault(game.pair, []).append(game.last.moves[:4])
    assert sorted(openings) == list(range(6))
    for one, other in openings.values():
        assert one == other


def test_the_stronger_player_wins_whichever_name_comes_first():
    def players():
        return rollout_player(CONNECT4, 50, games=20, seed=1), RandomPlayer(2)

    strong, weak = players()
    won = play_match(CONNECT4, strong, weak, 40)
    strong, weak = players()
    lost = play_match(CONNECT4, weak, strong, 40)
    assert won.all.wins >= 34
    assert lost.all.losses >= 34
    elo, low, high = won.elo
    assert 0 < low < elo < high
    assert lost.elo[2] < 0


def test_the_tallies_agree_with_the_games():
    match = play_match(TICTACTOE, RandomPlayer(1), rollout_player(TICTACTOE, 5, games=20, seed=3), 40)
    for game in match.distinct:  # replayed by the plain rules
        end = TICTACTOE.position(game.last.moves)
        assert end.finished
        assert game.result == (end.result if game.a_first else -end.result)
    a, b = match.as_first, match.as_second
    assert match.all == (a.wins + b.wins, a.draws + b.draws, a.losses + b.losses)
    assert match.all.score == (match.all.wins + match.all.draws / 2) / len(match.distinct)
    assert sum(m.points for m in match.meetings) == match.all.wins + match.all.draws / 2


def test_one_opening_played_again_and_again_is_many_meetings():
    match = play_match(CONNECT4, RandomPlayer(1), RandomPlayer(2), 40, openings=[CONNECT4.start()])
    assert match.openings == 1
    assert len(match.meetings) == 20
    elo, low, high = match.elo
    assert 60 < high - elo < 140  # 40 even, independent games without draws: 108
    assert elo - low == pytest.approx(high - elo)


def test_the_elo_is_that_of_the_score():
    match = play_match(TICTACTOE, RandomPlayer(1), RandomPlayer(2), 60)
    assert 0 < match.all.score < 1
    assert match.elo[0] == pytest.approx(STANDARD.difference(match.all.score))


def test_a_sequential_test_stops_the_match_early_and_says_who():
    strong, weak = rollout_player(CONNECT4, 50, games=10, seed=1), RandomPlayer(2)
    match = play_match(CONNECT4, strong, weak, 400, bounds=(0, 100))
    assert match.verdict is True
    assert match.played < 100
    match = play_match(CONNECT4, weak, strong, 400, bounds=(0, 100))
    assert match.verdict is False
    assert match.played < 100


def test_walds_test_by_hand_and_between_any_two_scores():
    # 10 ln(0.7 / 0.5) = 3.36 > ln 19 = 2.94; 6 ln(0.3 / 0.5) = -3.06
    assert sequential_test(10, 0, 0.5, 0.7) is True
    assert sequential_test(0, 6, 0.5, 0.7) is False
    assert sequential_test(3, 2, 0.5, 0.7) is None
    assert sequential_test(10.5, 10.5, 0.4, 0.6) is None  # halfway between the two


class Impatient(RandomPlayer):
    """Somebody presses Ctrl-C when it has been asked so often."""

    calls = 4

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        self.calls -= 1
        if self.calls == 0:
            raise KeyboardInterrupt
        return super().choose(positions)


def test_an_interrupted_match_has_the_games_that_were_over():
    with pytest.raises(KeyboardInterrupt) as caught:
        play_match(TICTACTOE, Impatient(1), RandomPlayer(2), 40)
    stop = caught.value
    assert isinstance(stop, MatchInterrupted) and stop.result.interrupted
    assert 0 < stop.result.played < 40
    assert all(game.last.finished for game in stop.result.distinct)
    for pair in stop.result.whole:
        assert sorted(game.a_first for game in stop.result.distinct if game.pair == pair) == [False, True]
    assert len(stop.result.whole) <= stop.result.openings <= stop.result.played


def test_progress_rises_to_the_end():
    seen: list[float] = []
    play_match(TICTACTOE, RandomPlayer(1), RandomPlayer(2), 200, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert seen[-1] == 1


def test_the_games_can_be_replayed(tmp_path):
    match = play_match(CONNECT4, RandomPlayer(1), FirstMove(), 6)
    path = tmp_path / "games.jsonl"
    path.write_text("".join(line + "\n" for line in match.lines()))
    for game, record in zip(match.distinct, read_games(path), strict=True):
        assert record.moves == game.last.moves
        assert list(record.positions())[-1] == game.last
    first = json.loads(path.read_text().splitlines()[0])
    assert first["players"] == ["random", "first"]
    assert "searched" not in first


def test_the_games_keep_what_was_searched_where_that_is_wanted(tmp_path):
    searching = rollout_player(TICTACTOE, 12, games=4, seed=3)
    assert all(game.notes == () for game in play_match(TICTACTOE, searching, RandomPlayer(1), 8).games)
    match = play_match(TICTACTOE, searching, RandomPlayer(1), 8, lot=2, notes=True)
    assert searching.notes == {}  # nothing is left of games that are over
    path = tmp_path / "games.jsonl"
    path.write_text("".join(line + "\n" for line in match.lines()))
    for game, record in zip(match.distinct, read_games(path), strict=True):
        assert record.notes == game.notes and len(record.notes) == len(record.moves)
        positions = list(record.positions())
        opening = next(ply for ply, note in enumerate(record.notes) if note)  # which nobody searched
        for ply in range(opening, len(record.moves)):
            note, own = record.notes[ply], (positions[ply].player == 0) == game.a_first
            assert (note is not None) == own
            if note is not None:
                assert [m.move for m in note.moves] == list(positions[ply].legal)
                assert sum(m.visits for m in note.moves) >= (
                    11 if len(note.moves) > 5 else 1
                )  # less where it is proven
                assert sum(m.prior for m in note.moves) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("elo", "draws", "stronger"), [(0, 0.0, (0.0, 0.08)), (50, 0.0, (0.92, 1.0)), (0, 0.4, (0.0, 0.05))]
)
def test_walds_test_is_seldom_wrong(elo, draws, stronger):
    random = np.random.default_rng(3)
    score, bound = STANDARD.expected(elo), STANDARD.expected(50)
    accepted = 0
    for _ in range(300):
        points = games = 0.0
        while (verdict := sequential_test(points, games - points, 0.5, bound)) is None:
            u = random.random(20)
            points += (u < score - draws / 2).sum() + 0.5 * (abs(u - score) < draws / 2).sum()
            games += 20
        accepted += verdict
    assert stronger[0] <= accepted / 300 <= stronger[1]
