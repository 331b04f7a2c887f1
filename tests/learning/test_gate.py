"""The gate's match and its verdicts."""

from dataclasses import replace

import numpy as np
import pytest

from nought.config import GateParameters, NoiseInto, Parameters, SearchParameters
from nought.games import Game, load
from nought.learning.gate import gate, verdict
from nought.rating.match import play_match
from nought.search import Rollout, Uniform

RATIO = GateParameters(rule="ratio", threshold=1.3)
SHARE = GateParameters(rule="share", threshold=0.55)
WINS = GateParameters(rule="wins", threshold=1.3)


@pytest.mark.parametrize(
    ("rules", "wins", "draws", "losses", "accepted"),
    [
        (RATIO, 12, 0, 8, True),  # 1.5 times
        (RATIO, 11, 0, 9, False),  # 1.22 times
        (RATIO, 13, 0, 10, False),  # exactly 1.3 times is not more
        (RATIO, 0, 20, 0, False),
        (RATIO, 10, 4, 6, True),  # draws are half a point: 12 to 8
        (RATIO, 5, 0, 0, True),
        (RATIO, 5, 12, 3, False),  # 11 to 9
        (WINS, 5, 12, 3, True),  # 5 to 3: draws are nobody's
        (WINS, 13, 0, 10, False),
        (WINS, 0, 20, 0, False),
        (SHARE, 11, 0, 9, True),
        (SHARE, 10, 0, 10, False),
        (SHARE, 8, 6, 6, True),  # 11 of 20
        (GateParameters(rule="share", threshold=0.51), 51, 0, 49, True),
    ],
)
def test_verdicts(rules, wins, draws, losses, accepted):
    assert verdict(rules, wins, draws, losses, final=True) is accepted


def test_the_sequential_test_stops_when_it_is_sure_and_only_then():
    rules = GateParameters(rule="sequential", threshold=0.7, games=100)
    assert verdict(rules, 3, 0, 2, final=False) is None
    # by hand: 10 ln(0.7/0.5) = 3.36 > ln 19 = 2.94
    assert verdict(rules, 10, 0, 0, final=False) is True
    # 6 ln(0.3/0.5) = -3.06 < -2.94
    assert verdict(rules, 0, 0, 6, final=False) is False
    assert verdict(rules, 3, 0, 2, final=True) is False


def test_a_stronger_evaluator_is_accepted_and_a_weaker_one_is_not():
    game = load("connect4")
    parameters = Parameters(gate=GateParameters(rule="share", threshold=0.55, games=20, simulations=60))
    strong, weak = Rollout(game, 1), Uniform(game)
    random = np.random.default_rng(0)
    kept = []
    won = gate(game, parameters, strong, weak, 100.0, random, keep=kept.append)
    assert won.accepted
    assert won.wins + won.draws + won.losses == 20
    assert sum(won.starting) == 10
    assert [match.played for match in kept] == [20]
    assert all(len([note for note in g.notes if note]) == len(g.notes) - 4 for g in kept[0].games)
    assert won.starting[0] <= won.wins and won.starting[2] <= won.losses
    assert won.elo is not None
    assert won.elo > 100
    lost = gate(game, parameters, weak, strong, 100.0, random)
    assert not lost.accepted
    assert lost.elo == 100


def test_without_a_gate_everything_is_accepted():
    game = load("connect4")
    parameters = Parameters(gate=GateParameters(rule="none"))
    assert gate(game, parameters, Uniform(game), Uniform(game), 100.0, np.random.default_rng(0)).accepted


@pytest.mark.parametrize("chance", [{"sampled_moves": 1}, {"noise_share": 0.5}])
def test_chance_makes_the_games_of_a_gate_differ(chance, monkeypatch):
    """Without openings and without chance two players that always play the same play two games, again and again."""
    game, even, played = load("tictactoe"), Uniform(load("tictactoe")), []

    def keeping(*given, **options):
        played.append(play_match(*given, **options))
        return played[-1]

    monkeypatch.setattr("nought.learning.gate.play_match", keeping)
    rules = GateParameters(rule="wins", games=20, opening_moves=0, simulations=20)
    for gate_rules in (rules, replace(rules, **chance)):
        parameters = Parameters(gate=gate_rules, search=SearchParameters(noise_into=NoiseInto.MOVE))
        gate(game, parameters, even, even, None, np.random.default_rng(0))
    without, by_chance = ({g.last.moves for g in match.games} for match in played)
    assert len(without) <= 2
    assert len(by_chance) > 4


def test_final_scores_are_kept_where_points_are_counted():
    """On 1×1 whoever begins loses by a box: the new network in the game that it began, the best in the other."""
    parameters = Parameters(gate=GateParameters(rule="ratio", games=4, opening_moves=0, simulations=4))

    def played(name):
        rules = load(name)
        game = Game(name, rules.rules, rules.source, compilable=False)  # a game or two need no compiler
        return gate(game, parameters, Uniform(game), Uniform(game), None, np.random.default_rng(0))

    boxes = played("dots-and-boxes:1x1")
    assert boxes.margins == (-1, 1, -1, 1)
    assert boxes.starting == (0, 0, 2)
    assert played("tictactoe").margins == ()
