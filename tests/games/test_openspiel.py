"""OpenSpiel's games through the adapter."""

import builtins
from typing import Any

import numpy as np
import pytest

from nought.errors import NoughtError
from nought.games import Position, load
from nought.games.conformance import check_game
from nought.games.draw import draw

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("openspiel:tic_tac_toe", 30),
        ("openspiel:hex(board_size=4)", 30),
        ("openspiel:breakthrough(rows=5,columns=5)", 30),
        ("openspiel:dots_and_boxes(num_rows=2,num_cols=2)", 30),
        ("openspiel:othello", 5),
        ("openspiel:mancala", 5),
        ("openspiel:chess", 2),
    ],
)
def test_games_pass_the_check(name: str, games: int) -> None:
    report = check_game(load(name), games)
    assert report.passed, report.failures
    assert report.compile_seconds is None


@pytest.mark.parametrize("name", ["hex(board_size=3)", "connect_four", "othello", "nim"])
def test_the_adapter_says_what_openspiel_says(name: str) -> None:
    game, theirs = load(f"openspiel:{name}"), pyspiel.load_game(name).new_initial_state()
    position, random = game.start(), np.random.default_rng(0)
    while not theirs.is_terminal():
        assert position.legal == theirs.legal_actions()
        assert position.player == theirs.current_player()
        planes = position.planes()
        assert planes[:-1].reshape(-1).tolist() == theirs.observation_tensor(position.player)
        assert np.all(planes[-1] == position.player)
        move = int(random.choice(position.legal))
        position = position.play(move)
        theirs.apply_action(move)
        assert draw(position).plain == str(theirs).rstrip("\n")
    assert position.finished
    assert position.result == theirs.returns()[0]


def test_a_state_is_enough() -> None:
    """A position made from the numbers alone, by an adapter that has not seen its moves."""
    position = load("openspiel:hex(board_size=3)").position([4, 0, 1])
    other = load("openspiel:hex(board_size=3)")
    assert Position(other, position.state.copy()).legal == [2, 3, 5, 6, 7, 8]


def test_few_states_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nought.games.openspiel.CACHED_STATES", 3)
    game = load("openspiel:tic_tac_toe")
    assert game.position([0, 3, 1, 4, 2]).result == 1
    assert len(game.rules.known) == 3


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("openspiel:nosuch", "OpenSpiel has no game called 'nosuch'"),
        ("openspiel:", "OpenSpiel has no game called ''"),
        ("openspiel:hex(size=3)", "OpenSpiel cannot load it: Unknown parameter 'size'"),
        ("openspiel:hex(board_size=", "OpenSpiel cannot load it"),
        ("openspiel:backgammon", "the game is one of chance"),
        ("openspiel:matrix_pd", "players who move at the same time"),
        ("openspiel:catch", "not for two players"),
        ("openspiel:phantom_ttt", "hides something"),
    ],
)
def test_games_of_the_wrong_kind(name: str, says: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NoughtError) as caught:
        load(name)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""  # nothing from OpenSpiel itself


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "pyspiel":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(NoughtError, match=r"pip install 'nought\[openspiel\]'"):
        load("openspiel:hex")
