"""Ctrl-C in the middle: what was played and measured by then is shown and kept."""

import json
import sys

import pytest

from nought.agents import ladder, players
from nought.agents.ladder import Ladder
from nought.cli import main
from nought.learning.run import Run
from nought.selfplay import RandomPlayer
from nought.selfplay.record import read_games
from tests.support.tiny_run import tiny_run


class Impatient(RandomPlayer):
    """Somebody presses Ctrl-C when it has been asked so often."""

    def __init__(self, calls):
        super().__init__(3)
        self.calls = calls

    def choose(self, positions):
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        return super().choose(positions)


@pytest.fixture
def nought(monkeypatch, capsys, tmp_path):
    """Runs a command in which the random player is interrupted at its so manieth move; code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*words, calls):
        monkeypatch.setitem(players.MAKERS, players.Kind.RANDOM, lambda name, wanted: Impatient(calls))
        monkeypatch.setattr(sys, "argv", ["nought", *words])
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        return end.value.code or 0, shown.out, shown.err

    return run


MATCH = ("match", "random", "rollout:3", "--game", "tictactoe", "--games", "20")


def test_a_match_shows_its_score_so_far_and_saves_the_games(nought, tmp_path):
    code, out, err = nought(*MATCH, "--save", "g.jsonl", "--json", calls=3)
    facts = json.loads(out)
    assert code == 130 and facts["interrupted"] is True
    assert 0 < facts["games"] < 20 and f"stopped after {facts['games']} of 20 games" in " ".join(err.split())
    saved = read_games(tmp_path / "g.jsonl")
    assert len(saved) == facts["distinct_games"]
    assert all(list(record.positions())[-1].finished for record in saved)
    code, out, _ = nought(*MATCH, calls=3)
    assert code == 130 and "random against rollout:3" in out and "all" in out


def test_a_match_without_a_finished_game_says_so_and_saves_nothing(nought, tmp_path):
    code, out, err = nought(*MATCH, "--save", "g.jsonl", calls=0)
    assert (code, out, err) == (130, "", "stopped before the first game was over\n")
    assert list(tmp_path.iterdir()) == []


def test_a_whole_match_is_not_interrupted(nought):
    code, out, err = nought(*MATCH, "--json", calls=1000)
    assert code == 0 and json.loads(out)["interrupted"] is False and err == ""


def test_an_exam_shows_what_was_measured(nought, monkeypatch):
    monkeypatch.setattr("nought.oracle.exam.POSITIONS_AT_ONCE", 50)
    exam = ("evaluate", "random", "--game", "tictactoe")
    code, out, err = nought(*exam, "--json", calls=2)
    facts = json.loads(out)
    assert code == 130 and facts["interrupted"] and facts["positions"] == 200
    assert facts["results"][0]["positions"] == 100 and "stopped" in err
    assert facts["file"] == "nought/oracle/positions/tictactoe.csv"
    code, out, _ = nought(*exam, calls=2)
    assert code == 130 and "all" in out and "nought/oracle/positions/tictactoe.csv" in " ".join(out.split())
    code, out, err = nought(*exam, calls=0)
    assert (code, out, err) == (130, "", "stopped\n")


def test_an_exam_interrupted_in_its_games_keeps_the_accuracy(nought):
    code, out, _ = nought(
        "evaluate", "random", "--game", "tictactoe", "--against-oracle", "5", "--json", calls=3
    )
    (result,) = json.loads(out)["results"]
    assert code == 130 and result["positions"] == 200 and "against_oracle" not in result


def test_a_ladder_shows_its_ratings_so_far_and_goes_on(nought, tmp_path, monkeypatch):
    run = tiny_run(tmp_path)
    monkeypatch.setattr(ladder, "KNOWN", ("random", "rollout:3"))
    code, out, err = nought("rate", "tiny", "--games", "20", "--simulations", "0", calls=5)
    assert code == 130 and "net:tiny@0" in out and "the same command goes on" in " ".join(err.split())
    kept = Ladder(Run(run.folder), 0).played
    (games,) = kept.values()  # of the pairing in which it was interrupted, both colours of each opening
    assert 0 < len(games) < 10
    code, out, _ = nought("rate", "tiny", "--games", "20", "--simulations", "0", calls=10_000)
    again = Ladder(Run(run.folder), 0).played
    assert code == 0 and all(again[pairing][: len(games)] == games for pairing, games in kept.items())
    code, out, err = nought("rate", "tiny", "--games", "40", "--simulations", "0", calls=0)
    assert code == 130 and "rollout:3" in out
