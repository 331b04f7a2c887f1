"""The exported Kaggle agent: the network's answers, the rules, the search, and the file as Kaggle takes it."""

from __future__ import annotations

import ast
import math
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from nought import cli
from nought.agents import agent
from nought.config import NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.export.kaggle import export_kaggle
from nought.games import Position, load
from nought.learning.run import Run
from nought.network import build_network, save_network
from nought.selfplay import RandomPlayer, play_games
from tests.network.support import SMALL, busy_network, plainly, some_positions

CONNECT4 = load("connect4")


class Struct(dict[str, Any]):
    def __init__(self, **entries: Any) -> None:
        super().__init__(entries)
        self.__dict__.update(entries)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kaggle") / "agent.py"
    export_kaggle(busy_network(CONNECT4), CONNECT4, path)
    return path


@pytest.fixture
def names(file: Path) -> dict[str, Any]:
    """What the file defines, run as Kaggle runs it; it thinks by simulations, not by the clock."""
    names: dict[str, Any] = {}
    exec(compile(file.read_text(encoding="utf-8"), "agent.py", "exec"), names)
    names |= {"SECONDS": math.inf, "SIMULATIONS": 64, "random": random.Random(1)}
    return names


def node_of(names: dict[str, Any], position: Position) -> Any:
    board = names["BitBoard"](*position.game.rules.SIZE)
    mine, theirs = position.planes().astype(int)
    return names["TreeNode"](board, *board.read((mine + 2 * theirs).reshape(-1).tolist(), 1))


def ask(names: dict[str, Any], position: Position) -> int:
    mine, theirs = position.planes().astype(int)
    rows, columns, inarow = position.game.rules.SIZE
    seen = Struct(board=(2 * mine + theirs).reshape(-1).tolist(), mark=2, remainingOverageTime=60)
    column = names["agent"](seen, Struct(rows=rows, columns=columns, inarow=inarow, actTimeout=1e9))
    assert type(column) is int
    return column


# ---- the network --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("connect4", SMALL),
        ("connect4", replace(SMALL, activation="leaky", pooling=True, outcomes=True)),
        ("connect4", replace(SMALL, head_norm=False, value_hidden=0, norm="none")),
        ("connect4", replace(SMALL, kernel=5, blocks=3, pooling=True, policy_filters=2, value_filters=3)),
        ("connect4", replace(SMALL, kernel=1, blocks=0)),
        ("connect4:5x8:3", SMALL),
    ],
)
def test_its_answers_are_the_networks(tmp_path: Path, game: str, parameters: NetworkParameters) -> None:
    played = load(game)
    network = busy_network(played, parameters, seed=3)
    exported = export_kaggle(network, played, tmp_path / "agent.py")
    assert 0 < max(exported.policy_difference, exported.value_difference) < 1e-2
    names: dict[str, Any] = {}
    exec((tmp_path / "agent.py").read_text(encoding="utf-8"), names)
    assert names["SIZE"] == tuple(played.rules.SIZE)
    positions = some_positions(played, 100, seed=5)
    policy, value = plainly(network, positions)
    assert np.ptp(value) > 0.05 < np.ptp(policy)  # they differ from each other by more than from the file's
    nodes = [node_of(names, position) for position in positions]
    board = names["BitBoard"](*played.rules.SIZE)
    found = names["by_network"](board, nodes)
    np.testing.assert_allclose(found[0], policy, atol=1e-2)
    np.testing.assert_allclose(found[1], value, atol=1e-2)


def test_a_network_of_the_usual_size_makes_a_small_file(tmp_path: Path) -> None:
    network = busy_network(CONNECT4, NetworkParameters(filters=32, blocks=4))
    export_kaggle(network, CONNECT4, tmp_path / "agent.py")
    assert 100_000 < (tmp_path / "agent.py").stat().st_size < 500_000


@pytest.mark.filterwarnings("error")
def test_a_network_that_16_bits_cannot_hold_is_not_handed_out(tmp_path: Path) -> None:
    for name, huge in (("stem.conv.weight", 1e6), ("value.last.weight", 1e8)):
        network = build_network(CONNECT4, replace(SMALL, norm="none"), 1)
        with torch.no_grad():
            network.get_parameter(name).mul_(huge)
        with pytest.raises(NoughtError, match="answers differently"):
            export_kaggle(network, CONNECT4, tmp_path / "agent.py")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    othello = load("othello")
    with pytest.raises(NoughtError, match="played on connect4's boards"):
        export_kaggle(busy_network(othello), othello, tmp_path / "agent.py")
    with pytest.raises(NoughtError, match="layer norm"):
        export_kaggle(busy_network(CONNECT4, replace(SMALL, norm="layer")), CONNECT4, tmp_path / "agent.py")
    with pytest.raises(NoughtError, match="cannot be written"):
        export_kaggle(busy_network(CONNECT4), CONNECT4, tmp_path / "none" / "agent.py")


# ---- the rules ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["connect4", "connect4:4x5:3", "connect4:7x6:5", "connect4:2x9:2"])
def test_its_rules_are_the_games(names: dict[str, Any], name: str) -> None:
    """Beside our own rules in every position of random games: moves, wins, threats, full boards."""
    game = load(name)
    for position in some_positions(game, 400, seed=1):
        node = node_of(names, position)
        wins = [move for move in position.legal if (after := position.play(move)).finished and after.result]
        if wins:
            assert node.proven == 1 and [column for column, _ in node.moves] == wins
            continue
        answers = {move: position.play(move) for move in position.legal}
        threats = {
            reply for after in answers.values() for reply in after.legal
            if after.play(reply).finished and after.play(reply).result and reply in position.legal
        }  # fmt: skip
        stopped = [
            move for move, after in answers.items()
            if not any(after.play(r).finished and after.play(r).result for r in after.legal if r != move)
        ]  # fmt: skip
        columns = [column for column, _ in node.moves]
        if node.proven == -1:
            assert len(columns) > 1 and set(columns) <= threats and not stopped
        elif len(columns) < len(position.legal):
            assert columns == [move for move in stopped if move in threats] and len(columns) == 1
        else:
            assert columns == position.legal


def exact(position: Position, known: dict[Position, int]) -> int:
    """Plain minimax by our own rules, for the player to move."""
    if position not in known:
        if position.finished:
            known[position] = -1 if position.result else 0
        else:
            known[position] = max(-exact(position.play(move), known) for move in position.legal)
    return known[position]


def test_what_its_search_proves_is_true(names: dict[str, Any]) -> None:
    """On a board that can be solved, searched to the end, without the network: every proof beside minimax."""
    names["SIMULATIONS"] = 100_000
    proven = set()
    for game in (load("connect4:4x4:3"), load("connect4:3x4:4")):
        known: dict[Position, int] = {}
        board = names["BitBoard"](*game.rules.SIZE)
        for position in some_positions(game, 60, seed=2):
            if len(position.moves) < 4:
                continue
            node = node_of(names, position)
            names["think"](
                board, node, lambda nodes, board=board: names["random_games"](board, nodes), math.inf
            )
            assert node.proven == exact(position, known)
            assert -exact(position.play(node.decide()), known) == node.proven
            proven.add(node.proven)
    assert proven == {-1, 0, 1}


# ---- the agent ----------------------------------------------------------------------------------------------
def test_it_wins_at_once_and_stops_a_row(names: dict[str, Any]) -> None:
    assert ask(names, CONNECT4.position([0, 6, 1, 6, 2, 6])) == 3  # to win is better than to stop the other
    assert ask(names, CONNECT4.position([0, 6, 1, 6, 2])) == 3
    assert ask(names, CONNECT4.position([0, 6, 0, 5, 0])) == 0


def test_it_sees_two_open_ends_coming(names: dict[str, Any]) -> None:
    """Stones on 3 and 4 of the bottom row: a third beside them, with both ends open, cannot be stopped."""
    names["SIMULATIONS"] = 2000
    attack = CONNECT4.position([2, 2, 3, 3])
    assert ask(names, attack) in (1, 4)
    assert names["LAST"][6, 7, 4].proven == 1
    assert ask(names, CONNECT4.position([2, 2, 3])) in (1, 4)  # and who is to defend takes one of the ends


def test_what_is_known_from_the_last_move_is_kept(names: dict[str, Any]) -> None:
    position = CONNECT4.start()
    ask(names, position)
    before = names["LAST"][6, 7, 4]
    i = max(range(7), key=lambda i: before.visits[i])
    child = before.children[i]
    j = max(range(len(child.moves)), key=lambda j: child.visits[j])
    grandchild = child.children[j]
    visits = sum(grandchild.visits)
    ask(names, position.play(before.moves[i][0]).play(child.moves[j][0]))
    assert names["LAST"][6, 7, 4] is grandchild and sum(grandchild.visits) >= visits + 64
    ask(names, CONNECT4.position([5, 5, 5]))  # another game
    assert sum(names["LAST"][6, 7, 4].visits) == 64


@pytest.mark.parametrize("size", ["4x4:3", "6x7:4", "8x8:5", "10x6:4", "2x3:3", "1x2:2"])
def test_it_plays_whole_games_on_any_board(names: dict[str, Any], size: str) -> None:
    """Against random play it wins most games where a game can be won, with the network or without."""
    names["SIMULATIONS"] = 40
    game = load(f"connect4:{size}")

    class Exported:
        name = "exported"

        def choose(self, positions: dict[int, Position]) -> dict[int, int]:
            return {g: ask(names, position) for g, position in positions.items()}

    player, other = Exported(), RandomPlayer(4)
    results = [last.result for last in play_games((player, other), [game.start()] * 3)]
    results += [-last.result for last in play_games((other, player), [game.start()] * 3)]
    assert sum(results) >= (0 if size in ("2x3:3", "1x2:2") else 4)


def test_the_file_is_what_kaggle_takes(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )
    }  # fmt: skip
    assert imported <= {"numpy", *sys.stdlib_module_names}
    names: dict[str, Any] = {}
    exec(compile(source, "agent.py", "exec"), names)
    assert [value for value in names.values() if callable(value)][-1] is names["agent"]
    assert max(map(len, source.splitlines())) <= 120
    assert agent(f"kaggle:{file}", CONNECT4).choose({0: CONNECT4.position([0, 6, 1, 6, 2])}) == {0: 3}


# ---- from the command line ----------------------------------------------------------------------------------
def command(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["nought", "export", *map(str, words), "--format", "kaggle"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


def test_networks_of_all_names_can_be_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run = Run.create(tmp_path / "runs" / "first", "connect4", Parameters())
    for version in (0, 1):
        save_network(
            run.version_path(version), busy_network(CONNECT4, seed=version + 1), CONNECT4, version, {}
        )
    save_network("alone.safetensors", busy_network(CONNECT4), CONNECT4, 7, {})
    for name, made, version in (
        ("first", "first-0.py", 0), ("first@1", "first-1.py", 1), ("net:first@1", "first-1.py", 1),
        ("search:first@0:50", "first-0.py", 0), ("alone.safetensors", "alone.py", 7),
        ("net:alone.safetensors", "alone.py", 7),
    ):  # fmt: skip
        assert command(monkeypatch, name) == 0
        assert f"{made}: version {version} for connect4" in capsys.readouterr().out.replace("\n", " ")
        (tmp_path / made).unlink()
    assert command(monkeypatch, "first@1", "--output", "mine.py") == 0
    assert (tmp_path / "mine.py").is_file()
    capsys.readouterr()
    for name, says in (
        ("second", "there is no player 'second'"), ("first@2", "has no version 2"), ("agents/nobody", "there is no agent"),
        ("none/x", "there is no file"), ("", "there is no player ''"), ("/", "there is no file"),
    ):  # fmt: skip
        assert command(monkeypatch, name) == 2
        error = capsys.readouterr().err
        assert says in error and error.count("\n") == 1, error
