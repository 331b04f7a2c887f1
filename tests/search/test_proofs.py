"""Ends of the game are facts, and so is what follows from them."""

import dataclasses

import pytest

from nought.config import Choice, SearchParameters
from nought.games import Position
from nought.search import Search, Uniform, analyse
from nought.search.analysis import root
from tests.search.support import Hashed, formula, searched, start, visits
from tests.search.tiny import Table, at

PARAMETERS = SearchParameters(simulations=1000, cache=0)
WIN_NOW = start("tictactoe", [0, 3, 1, 4])  # X has 0 and 1
WIN_IN_THREE = start("tictactoe", [0, 8, 4, 1])  # 3 threatens 0-3-6 and 3-4-5, 6 threatens 0-3-6 and 2-4-6


def test_a_winning_move_is_found_and_reported_as_proven() -> None:
    found = analyse(searched(WIN_NOW, PARAMETERS))
    assert (found.proven, found.value, found.plies) == (True, 1, 1)
    best = found.best
    assert (best.action, best.proven, best.value, best.plies) == (2, True, 1, 1)
    assert (best.share, best.line) == (1, (2,))


def test_a_forced_win_is_proven_with_its_number_of_plies() -> None:
    found = analyse(searched(WIN_IN_THREE, PARAMETERS))
    assert (found.proven, found.value, found.plies) == (True, 1, 3)
    assert found.best.plies == 3
    assert found.best.action in (3, 6)
    position = WIN_IN_THREE
    for move in found.best.line:
        position = position.play(move)
    assert position.finished and position.result == 1


def test_a_proven_root_stops_the_search() -> None:
    for position, most in ((WIN_NOW, 50), (WIN_IN_THREE, 200)):
        evaluator = Hashed(position.game)
        search = searched(position, PARAMETERS, evaluator)
        assert search.counters()["simulations"] == analyse(search).simulations < most
        assert len(evaluator.asked) < most


def test_a_position_known_to_be_proven_is_not_searched_again() -> None:
    search = searched(WIN_IN_THREE, PARAMETERS)
    move = analyse(search).best.action
    before = search.counters()["simulations"]
    search.begin(0, WIN_IN_THREE.play(move).state)
    search.run(Uniform(WIN_NOW.game))
    found = analyse(search)
    assert (found.simulations, search.counters()["simulations"]) == (0, before)
    assert (found.proven, found.value, found.plies) == (True, -1, 2)


def test_without_proofs_nothing_is_proven() -> None:
    parameters = dataclasses.replace(PARAMETERS, proofs=False)
    found = analyse(searched(WIN_NOW, parameters))
    assert (found.proven, found.plies, found.simulations) == (False, None, 1000)
    assert not any(move.proven or move.plies is not None for move in found.moves)
    assert found.best.action == 2  # by visits


THREAT = start("tictactoe", [0, 4, 8, 2])  # O has 4 and 2: whatever X does but 6 loses at once
LOOKING = dataclasses.replace(PARAMETERS, simulations=30, look_ahead=True)


def test_a_win_at_once_is_seen_before_it_is_tried_and_needs_no_evaluation() -> None:
    evaluator = Hashed(THREAT.game)
    search = searched(THREAT, LOOKING, evaluator)
    lost = {move.action: move for move in analyse(search).moves if move.visits and move.action != 6}
    assert len(lost) >= 2
    assert {(move.visits, move.value, move.proven, move.plies) for move in lost.values()} == {
        (1, -1, True, 2)
    }
    assert {move.line for move in lost.values()} == {(action, 6) for action in lost}
    asked = set(evaluator.asked)
    assert asked and not any(THREAT.play(action).state.tobytes() in asked for action in lost)


def test_a_position_that_is_won_at_once_can_be_played_from() -> None:
    search = searched(THREAT, LOOKING)
    search.begin(0, THREAT.play(1).state)
    search.run(Uniform(THREAT.game))
    found = analyse(search)
    assert (found.simulations, found.proven, found.value, found.plies) == (0, True, 1, 1)
    assert (found.best.action, found.best.share, found.best.prior) == (6, 1, 1)


# `doomed`: move 0 loses in 2 plies, move 1 in 4
@pytest.mark.parametrize("choice", list(Choice))
def test_a_lost_position_is_proven_and_defended_longest(choice: Choice) -> None:
    found = analyse(searched(at("doomed"), dataclasses.replace(PARAMETERS, choice=choice)))
    assert (found.proven, found.value, found.plies) == (True, -1, 4)
    assert [(m.action, m.value, m.plies) for m in found.moves] == [(1, -1, 4), (0, -1, 2)]
    assert found.best.line == (1, 0, 0, 0)


# `mixed`: move 0 loses, move 1 draws in 2 plies, move 2 draws in 3
@pytest.mark.parametrize("choice", list(Choice))
def test_a_draw_is_proven_and_the_soonest_taken(choice: Choice) -> None:
    search = searched(at("mixed"), dataclasses.replace(PARAMETERS, choice=choice))
    found = analyse(search)
    assert (found.proven, found.value, found.plies) == (True, 0, 2)
    assert found.best.action == 1
    shares = {move.action: move.share for move in found.moves}
    assert shares[0] == 0 and shares[1] + shares[2] == pytest.approx(1)


@pytest.mark.parametrize("choice", list(Choice))
def test_refuted_moves_get_no_share_of_the_policy_and_no_say_in_the_value(choice: Choice) -> None:
    checked = 0
    for simulations in range(1, 12):
        parameters = dataclasses.replace(PARAMETERS, simulations=simulations, choice=choice)
        evaluator = Table({"mixed": ((0.6, 0.2, 0.2), 0.25), "right": ((0.5, 0.5), 0.5)})
        search = searched(at("mixed"), parameters, evaluator)
        node = root(search)
        loses = node.edges[0]
        if loses.proven and node.plies is None:
            checked += 1
            assert loses.refuted and loses.visits > 0 and loses.value == -1
            action, policy = search.decide(0)
            assert policy[0] == 0 and policy.sum() == pytest.approx(1)
            assert action != 0
            assert node.value == pytest.approx(formula(node)) and node.value > -0.5
    assert checked > 0


def test_a_refuted_move_is_never_followed_again() -> None:
    few, many = (
        searched(at("trap"), dataclasses.replace(PARAMETERS, simulations=n), Table({"trap": ((0.9, 0.1), 0)}))
        for n in (1, 6)
    )
    assert visits(few) == {0: 1, 1: 0}
    assert visits(many) == {0: 1, 1: 5}


@pytest.mark.parametrize("choice", list(Choice))
def test_when_all_prior_is_on_a_refuted_move_the_others_share_alike(choice: Choice) -> None:
    parameters = dataclasses.replace(PARAMETERS, simulations=1, choice=choice)
    search = searched(at("trap"), parameters, Table({"trap": ((1.0, 0.0), 0)}))
    action, policy = search.decide(0)
    assert (action, policy.tolist()) == (1, [0, 1, 0])


def test_results_between_draw_and_win_are_proven_by_the_best_of_all() -> None:
    found = analyse(searched(at("parts"), PARAMETERS))
    assert (found.proven, found.value, found.plies) == (True, 0.5, 1)
    assert {move.action: move.share for move in found.moves} == {0: 0, 1: 1, 2: 0}


# ---- against an independent solution ----------------------------------------------------------------------
_solved: dict[Position, tuple[float, int]] = {}


def solution(position: Position) -> tuple[float, int]:
    """The value for the player to move (players alternate), and the plies until the soonest win or latest loss."""
    if position.finished:
        return (position.result if position.player == 0 else -position.result), 0
    if position not in _solved:
        children = [solution(position.play(move)) for move in position.legal]
        best = max(-value for value, _ in children)
        plies = [1 + n for value, n in children if -value == best]
        _solved[position] = best, (min if best >= 0 else max)(plies)
    return _solved[position]


@pytest.mark.parametrize("evaluator", [Uniform, Hashed])
def test_plies_of_wins_and_losses_on_every_tictactoe_position(evaluator: type) -> None:
    game = start("tictactoe").game
    solution(game.start())
    decided = [position for position, (value, _) in _solved.items() if value]
    assert len(decided) > 3000
    search = Search(game, SearchParameters(simulations=3000, nodes=3000, cache=0, reuse=False), 100)
    proven = 0
    for first in range(0, len(decided), 100):
        here = decided[first : first + 100]
        for g, position in enumerate(here):
            search.begin(g, position.state)
        search.run(evaluator(game))
        for g, position in enumerate(here):
            value, plies = solution(position)
            node = root(search, g)
            if node.plies is not None:
                proven += 1
                assert node.value == value
                # with opinions another win may be proven first, but no number is smaller than the truth
                assert node.plies == plies if evaluator is Uniform else node.plies >= plies, position.state
                action, _ = search.decide(g)
                assert 1 + solution(position.play(action))[1] <= node.plies
    assert proven > 0.98 * len(decided)


def test_analysis_describes_every_move() -> None:
    position = start("tictactoe", [4])
    evaluator = Hashed(position.game)
    search = searched(position, dataclasses.replace(PARAMETERS, simulations=60), evaluator)
    found = analyse(search)
    policy, _ = evaluator.of(position)
    total = sum(policy[a] for a in position.legal)
    assert sorted(move.action for move in found.moves) == position.legal
    assert found.simulations == sum(move.visits for move in found.moves) == 60
    assert found.best.action == search.decide(0)[0]
    assert [move.visits for move in found.moves] == sorted((m.visits for m in found.moves), reverse=True)
    assert sum(move.share for move in found.moves) == pytest.approx(1)
    for move in found.moves:
        assert move.prior == pytest.approx(policy[move.action] / total)
        assert move.share == pytest.approx(move.visits / 60)
        assert (move.value is None) == (move.visits == 0)
        assert move.line[0] == move.action
        reached = position
        for step in move.line:
            reached = reached.play(step)
    assert len(found.best.line) > 1
