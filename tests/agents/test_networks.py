"""Agents that come with the package, and networks' files as players."""

from __future__ import annotations

from pathlib import Path

import pytest

from nought.agents import agent, learned_game, shipped
from nought.agents.networks import trained
from nought.agents.shipped import shipped_agent, shipped_agents
from nought.config import NetworkParameters
from nought.errors import NoughtError
from nought.games import load
from nought.network import build_network, save_network
from nought.selfplay import RandomPlayer, SearchPlayer, play_games

TICTACTOE = load("tictactoe")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that comes with one agent."""
    network = build_network(TICTACTOE, NetworkParameters(blocks=1, filters=4), seed=1)
    for name in ("tictactoe", "unfinished"):
        (tmp_path / name).mkdir()
        save_network(tmp_path / name / "weights.safetensors", network, TICTACTOE, 3, {})
    (tmp_path / "tictactoe" / "card.toml").write_text('game = "tictactoe"\nsimulations = 17\n')
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path)
    return tmp_path


def test_an_agent_that_comes_with_the_package_plays(folder: Path) -> None:
    assert shipped_agents() == ["tictactoe"]
    player = agent("agents/tictactoe", TICTACTOE, games=2, device="cpu")
    assert isinstance(player, SearchPlayer)
    assert player.name == "agents/tictactoe" and player.search.parameters.simulations == 17
    assert all(last.finished for last in play_games((player, RandomPlayer(1)), [TICTACTOE.start()] * 2))
    assert learned_game("agents/tictactoe") == TICTACTOE
    assert trained("agents/tictactoe:5").simulations == 5
    assert trained("agents/tictactoe").title == "tictactoe"


def test_agents_that_do_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("agents/chess", "agents/", "agents/unfinished", "agents/.."):
        with pytest.raises(NoughtError, match="there are agents/tictactoe"):
            agent(name, TICTACTOE)
    with pytest.raises(NoughtError, match="is a network for tictactoe"):
        agent("agents/tictactoe", load("connect4"))
    for card in ("simulations = many", "title = 'no number'", "simulations = [1]"):
        (folder / "tictactoe" / "card.toml").write_text(card)
        with pytest.raises(NoughtError, match="the card of agents/tictactoe cannot be read"):
            agent("agents/tictactoe", TICTACTOE)
    monkeypatch.setattr(shipped, "SHIPPED", folder / "tictactoe")
    with pytest.raises(NoughtError, match="none comes with this version"):
        agent("agents/tictactoe", TICTACTOE)


def test_a_file_is_a_player_with_and_without_search(folder: Path) -> None:
    file = folder / "tictactoe" / "weights.safetensors"
    for name, simulations in ((f"net:{file}", 0), (f"search:{file}", 200), (f"search:{file}:30", 30)):
        player = agent(name, TICTACTOE, device="cpu")
        assert isinstance(player, SearchPlayer) and player.search.parameters.simulations == simulations
        assert player.choose({0: TICTACTOE.start()})[0] in range(9)


def test_a_shipped_agents_name_alone_is_a_player_and_a_network(folder: Path) -> None:
    for short, full in (("tictactoe", "agents/tictactoe"), ("tictactoe:5", "agents/tictactoe:5")):
        assert trained(short) == trained(full)
    assert agent("tictactoe", TICTACTOE, device="cpu").name == "agents/tictactoe"
    assert shipped_agent(TICTACTOE) == "agents/tictactoe"
    assert shipped_agent(load("connect4")) is None


def test_a_games_name_is_its_agent_as_a_network_too(folder: Path) -> None:
    assert trained("agents/tictactoe") == trained("search:agents/tictactoe")
    assert trained("net:tictactoe").simulations == trained("net:agents/tictactoe").simulations == 0


def test_players_without_a_network_are_none(folder: Path) -> None:
    with pytest.raises(NoughtError, match="rollout:5 has no network"):
        trained("rollout:5")
