"""Players by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from nought.agents import agent, has_network, learned_game, named_simulations
from nought.agents.names import Kind, parse
from nought.agents.networks import SIMULATIONS
from nought.config import NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.learning.run import Run
from nought.network import build_network
from nought.network.checkpoint import save_network
from nought.selfplay import SearchPlayer

CONNECT4 = load("connect4")


def test_players_by_name() -> None:
    assert agent("random", CONNECT4).name == "random"
    assert agent("rollout:12", CONNECT4).name == "rollout:12"
    perfect = agent("oracle", load("tictactoe"), seed=5)
    assert perfect.name == "oracle" and perfect.choose({0: load("tictactoe").position([0])}) == {0: 4}


@pytest.mark.parametrize(
    "name",
    ["", "nobody", "rollout", "rollout:", "rollout:-5", "rollout:x", "rollout:1.5", "rollout:²", "random:3",
     "Random", "network:3"],
)  # fmt: skip
def test_an_unknown_player_is_named_in_one_line(name: str) -> None:
    with pytest.raises(NoughtError, match="there is no player") as caught:
        agent(name, CONNECT4)
    assert repr(name) in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["rollout:0", "rollout:1000001"])
def test_a_number_out_of_range_says_the_range(name: str) -> None:
    with pytest.raises(NoughtError, match="1 to 1000000"):
        agent(name, CONNECT4)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run of tic-tac-toe with two untrained networks."""
    monkeypatch.chdir(tmp_path)
    game = load("tictactoe")
    run = Run.create(tmp_path / "runs" / "first", "tictactoe", Parameters())
    network = build_network(game, NetworkParameters(blocks=1, filters=4), seed=1)
    for version in (0, 1):
        save_network(run.version_path(version), network, game, version, {})
    return "first"


def simulations_of(name: str, **setting: int) -> int:
    player = agent(name, load("tictactoe"), device="cpu", **setting)
    assert isinstance(player, SearchPlayer)
    return player.search.parameters.simulations


def test_a_run_or_a_file_alone_is_a_search_and_its_simulations_can_be_chosen(run: str) -> None:
    file = "runs/first/versions/0001.safetensors"
    for name, simulations in (
        ("net:first@1", 0), ("search:first@1:7", 7), ("search:first@1", SIMULATIONS), ("first@1:7", 7),
        ("first@1", SIMULATIONS), (file, SIMULATIONS), (f"{file}:9", 9), (f"net:{file}", 0),
    ):  # fmt: skip
        assert simulations_of(name) == simulations, name
        assert simulations_of(name, simulations=3) == 3
        assert simulations_of(name, simulations=0) == 0
        assert learned_game(name) == load("tictactoe")
        assert named_simulations(name) in (simulations, None)
    assert named_simulations("net:first") == 0 and named_simulations("first@1:7") == 7
    assert named_simulations("first") is None


def test_players_without_a_network_have_no_game(run: str) -> None:
    assert has_network(run) and not has_network("random")
    assert learned_game("random") is None and learned_game("rollout:5") is None
    assert named_simulations("rollout:5") == 5 and named_simulations("random") is None
    with pytest.raises(NoughtError, match="random has no search"):
        agent("random", CONNECT4, simulations=4)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("search:nobody", "there is no run nobody"),
        ("nobody@best", "there is no player"),
        ("nothing.safetensors", "there is no file"),
        ("runs/first/versions/0001.safetensors@1", "there is no file"),
        ("net:first:5", "net: is a network without search, search:first:5 searches"),
        ("first@1", "is a network for tictactoe"),
        ("first@7", "has no version 7"),
        ("runs/first/versions/0001.safetensors", "is a network for tictactoe"),
    ],
)
def test_networks_that_are_not_there_or_not_of_this_game(run: str, name: str, says: str) -> None:
    with pytest.raises(NoughtError, match=says):
        agent(name, CONNECT4, device="cpu")


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("connect4", "agents/connect4"),
        ("connect4:64", "agents/connect4:64"),  # a number alone is one of simulations
        ("connect4:6", "agents/connect4:6"),
        ("connect4:6x7", "agents/connect4"),
        ("connect4:6x7:4", "agents/connect4"),
        ("connect4:6x7:4:64", "agents/connect4:64"),
        ("connect4:6x7:64", "agents/connect4:64"),  # 64 in a row do not fit
        ("connect4-small:3", "agents/connect4-small:3"),
        ("dots-and-boxes", "agents/dots-and-boxes-3x3"),
        ("dots-and-boxes:3x3", "agents/dots-and-boxes-3x3"),
        ("dots-and-boxes:4x4:200", "agents/dots-and-boxes-4x4:200"),
        ("othello:8x8", "agents/othello"),
        ("agents/othello:6x6", "agents/othello-6x6"),
        ("search:othello:6x6:9", "agents/othello-6x6:9"),
        ("net:othello:6x6", "net:agents/othello-6x6"),
        ("net:agents/tictactoe", "net:agents/tictactoe"),
    ],
)
def test_a_games_name_with_its_size_means_its_agent(name: str, full: str) -> None:
    found = parse(name)
    assert (found.full, found.kind, found.learned) == (full, Kind.SHIPPED, True)
    assert parse(full) == found


@pytest.mark.parametrize("size", ["connect4:8x8", "connect4:6x7:5"])
def test_a_size_without_an_agent_says_which_sizes_have_one(size: str) -> None:
    with pytest.raises(NoughtError) as caught:
        parse(size)
    assert f"no agent for {size} comes with the package" in str(caught.value)
    assert "(there are agents for connect4); `nought train" in str(caught.value)


def test_the_runs_that_learned_a_game_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Run.create(tmp_path / "runs" / "big-1", "connect4:8x8", Parameters())
    Run.create(tmp_path / "runs" / "small-1", "connect4:5x5", Parameters())
    (tmp_path / "runs" / "damaged").mkdir()
    (tmp_path / "runs" / "damaged" / "config.toml").write_text("what = ")
    with pytest.raises(NoughtError, match=r"it has been learned by the run big-1$"):
        parse("connect4:8x8")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("conect4", "did you mean connect4"),
        ("rolout:400", "did you mean rollout"),
        ("search:frist", "there is no run frist .did you mean first"),
        ("dots-and-boxes:99x99", "dots-and-boxes:99x99: "),
        ("tictactoe:3x3", "this game has no sizes to choose"),
        ("mine.py", "no agent for mine.py comes with the package"),
        ("./mine.py", "no agent for ./mine.py comes with the package"),
        ("folder/nothing", "there is no file folder/nothing"),
    ],
)
def test_a_name_that_is_nobodys_says_what_may_have_been_meant(run: str, name: str, says: str) -> None:
    import nought.games.connect4 as rules

    Path("mine.py").write_text(Path(str(rules.__file__)).read_text() + "# mine\n")
    with pytest.raises(NoughtError, match=says) as caught:
        parse(name)
    assert "\n" not in str(caught.value)


def test_what_comes_first_where_several_have_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("connect4", "random", "dots-and-boxes-3x3"):
        Run.create(tmp_path / "runs" / name, "tictactoe", Parameters())
    Path("othello").write_text("a file")
    assert parse("connect4").kind is Kind.RUN and parse("agents/connect4").kind is Kind.SHIPPED
    assert parse("dots-and-boxes-3x3:5").kind is Kind.RUN and parse("dots-and-boxes:3x3").kind is Kind.SHIPPED
    assert parse("random").kind is Kind.RANDOM and parse("search:random").kind is Kind.RUN
    assert parse("othello").kind is Kind.SHIPPED and parse("./othello").kind is Kind.FILE


@pytest.mark.parametrize(
    "name", ["x" * 5000, f"{'x' * 300}@best", f"folder/{'é' * 300}", "net:" + "9" * 5000]
)
def test_a_name_that_no_file_can_have_is_nobody_s(name: str) -> None:
    with pytest.raises(NoughtError, match="there is no"):
        parse(name)
