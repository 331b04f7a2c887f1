"""Best moves, analyses, mistakes and the look inside, over HTTP."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from nought.agents import agent
from nought.games import load
from nought.selfplay import SearchPlayer
from nought.server.settings import ServerLimits
from nought.server.thinking.agents import Roster
from nought.server.thinking.inside import look_inside
from nought.server.thinking.own_runs import OwnRuns
from tests.server.support.serving import serving

CONNECT4 = load("connect4")
AGENT = "agents/connect4"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("analyse")) as client:
        yield client


def post(client: TestClient, path: str, status: int = 200, **body: object) -> dict:
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_an_analysis_is_that_of_the_agent_itself(client: TestClient) -> None:
    seen = post(client, "/api/analyse", game="connect4", moves="4423", agent=AGENT, simulations=60)
    player = agent(AGENT, CONNECT4, simulations=60)
    assert isinstance(player, SearchPlayer)
    own = player.analyse(CONNECT4.position([3, 3, 1, 2]))
    assert [move["action"] for move in seen["moves"]] == [move.action for move in own.moves]
    assert [move["visits"] for move in seen["moves"]] == [move.visits for move in own.moves]
    assert seen["value"] == pytest.approx(own.value, abs=0.01)  # networks round differently in larger batches
    assert (seen["best"], seen["simulations"]) == (own.best.action, 60)
    best = post(client, "/api/best-move", game="connect4", moves="4423", agent=AGENT, simulations=60)
    assert best["action"] == own.best.action and best["agent"] == AGENT and best["note"] is None


def test_exact_verdicts_stand_beside_the_opinions(client: TestClient) -> None:
    pytest.importorskip("bitbully")
    seen = post(client, "/api/analyse", game="connect4", moves="443", simulations=20)
    assert seen["oracle"]["outcome"] in (1, 0, -1)
    assert {move["verdict"] for move in seen["moves"]} <= {"wins", "draws", "loses"}
    word = {1: "wins", 0: "draws", -1: "loses"}[seen["oracle"]["outcome"]]
    assert all(move["keeps"] == (move["verdict"] == word) for move in seen["moves"])


def test_a_forced_win_is_proven(client: TestClient) -> None:
    seen = post(client, "/api/analyse", game="connect4", moves="414141", simulations=200)
    assert (seen["value"], seen["proven"], seen["plies"]) == (1.0, True, 1) and seen["moves"][0]["line"] == [
        "4"
    ]


def line_moves(client: TestClient, game: str, moves: str) -> list[tuple[str, int, int]]:
    """(name, cell, player) of the best line."""
    seen = post(client, "/api/analyse", game=game, moves=moves, simulations=200)
    best = next(move for move in seen["moves"] if move["action"] == seen["best"])
    assert best["line"] == [move["name"] for move in best["line_moves"]]
    return [(move["name"], move["cell"], move["player"]) for move in best["line_moves"]]


def test_a_line_says_who_moves_where(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    othello = client.app.state.services.catalogue.games["othello:6x6"]  # type: ignore[attr-defined]
    monkeypatch.setattr(othello, "compilable", False)  # few tests search it, and all moves are forced
    every_move_is_forced = "d5c5b4a3b6d6a4e3f2c6d2e6a2d1e4a6e2c2c1b1b2f5b5f1f4f3b3a1"
    assert line_moves(client, "othello:6x6", every_move_is_forced) == [
        ("e1", 4, 1),
        ("e5", 28, 1),  # X had to pass
        ("f6", 35, 0),
        ("a5", 24, 0),
    ]
    both_boxes = line_moves(client, "dots-and-boxes:2x2", "0 1 2 3 4 5 6 7 8 9")
    assert sorted(both_boxes) == [("10", 21, 0), ("11", 23, 0)]
    assert line_moves(client, "connect4", "414141")[0] == ("4", 17, 0)


@pytest.mark.parametrize(
    "name", ["nobody", "agents/nobody", "agents/connect4@3", "search:run@7", "program:touch x", "kaggle:a.py",
             "net:../../x.safetensors", "search:/etc/passwd.safetensors", "rollout:99999999", ""],
)  # fmt: skip
def test_an_agent_that_is_not_there_is_replaced_by_the_best_and_a_note_says_so(
    client: TestClient, name: str
) -> None:
    best = post(client, "/api/best-move", game="connect4", agent=name, simulations=2)
    assert best["agent"] == AGENT and best["note"].endswith(f"; {AGENT} answers")


def test_players_without_a_network(client: TestClient) -> None:
    legal = {str(column) for column in range(1, 8)}
    assert post(client, "/api/best-move", game="connect4", agent="random")["name"] in legal
    won = post(client, "/api/best-move", game="connect4", moves="414141", agent="rollout:300")
    assert (won["name"], won["value"]) == ("4", 1.0)
    assert post(client, "/api/best-move", game="tictactoe", moves="a1b1a2b2", agent="oracle")["name"] == "a3"
    seen = post(client, "/api/analyse", game="connect4", agent="random", simulations=5)
    assert seen["agent"] == AGENT and "random does not search" in seen["note"]


def test_seconds_instead_of_simulations(client: TestClient) -> None:
    seen = post(client, "/api/analyse", game="connect4", seconds=0.2)
    assert 1 <= seen["simulations"] < 20_000


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"simulations": 20_001}, 400, "at most"),
        ({"seconds": 11}, 400, "at most"),
        ({"simulations": 10, "seconds": 1}, 400, "not both"),
        ({"simulations": -1}, 422, "simulations"),
        ({"simulations": "many"}, 422, "simulations"),
        ({"seconds": 0}, 422, "seconds"),
        ({"moves": ["4"]}, 422, "moves"),
        ({"moves": "4" * 5000}, 422, "moves"),
        ({"moves": "9"}, 400, "column"),
        ({"moves": "4141414"}, 409, "over"),
        ({"game": "chess"}, 404, "no game"),
    ],
)
def test_bad_values_are_refused_in_a_sentence(client: TestClient, body: dict, status: int, word: str) -> None:
    for path in ("/api/best-move", "/api/analyse"):
        error = post(client, path, status, **{"game": "connect4", **body})
        assert list(error) == ["error"] and word in error["error"]


def test_mistakes_of_a_game(client: TestClient) -> None:
    pytest.importorskip("bitbully")
    judged = post(client, "/api/mistakes", game="connect4", moves="4433221")
    assert [move["ply"] for move in judged] == list(range(7)) and all(move["exact"] for move in judged)
    assert [move["verdict"] for move in judged] == [None, None, "blunder", "blunder", None, None, None]
    assert judged[2]["text"] == "this move throws away a win" and judged[2]["best"] == "4"
    assert judged[-1]["value_after"] == 1.0 and judged[-2]["value_after"] == -1.0


def test_mistakes_where_players_do_not_alternate(client: TestClient) -> None:
    judged = post(client, "/api/mistakes", game="dots-and-boxes", moves="0 3 4 7 1")
    assert [move["player"] for move in judged] == [0, 1, 0, 1, 1]
    assert all(move["exact"] for move in judged)
    # who has closed a box moves again: the value is the same player's
    assert judged[3]["value_after"] == judged[4]["value_before"]
    assert judged[2]["value_after"] == -judged[3]["value_before"]


# ---- inside -------------------------------------------------------------------------------------------------
def test_inside_is_the_real_search(client: TestClient) -> None:
    seen = post(client, "/api/inside", game="connect4", moves="44", agent=AGENT, simulations=40)
    own = agent(AGENT, CONNECT4, simulations=40).analyse(CONNECT4.position([3, 3]))  # type: ignore[attr-defined]
    root = seen["nodes"][seen["root"]]
    visits = {edge["action"]: edge["n"] for edge in root["edges"]}
    assert visits == {move.action: move.visits for move in own.moves}
    assert root["value"] == pytest.approx(own.value, abs=0.01)
    assert len(seen["steps"]) == 41 and len(seen["nodes"]) == own.positions
    assert seen["played"] == own.best.action


def test_inside_shows_what_is_proven(client: TestClient) -> None:
    seen = post(
        client, "/api/inside", game="tictactoe", moves="a1b2a2b1", agent="rollout:1000", simulations=60
    )
    winning = next(edge for edge in seen["nodes"]["n0"]["edges"] if edge["name"] == "a3")
    assert winning["proven"] and winning["q"] == 1 and seen["played"] == winning["action"]
    last = seen["steps"][-1]["backup"][-1]
    assert last["action"] == winning["action"] and last["proven"]  # a proven root ends the search
    assert not all(edge["proven"] for step in seen["steps"][1:-1] for edge in step["backup"])


def test_every_step_follows_the_best_edge_and_backs_its_value_up(client: TestClient) -> None:
    seen = post(client, "/api/inside", game="tictactoe", moves="a1b2", agent="rollout:1000", simulations=60)
    counts: dict[tuple[str, int], int] = {}
    for step in seen["steps"][1:]:
        for edge in step["path"]:
            assert edge["n"] == counts.get((edge["node"], edge["action"]), 0)
        for edge in step["backup"]:
            counts[edge["node"], edge["action"]] = edge["n"]
            assert edge["w"] == pytest.approx(edge["n"] * edge["q"])
        assert [(e["node"], e["action"]) for e in step["backup"]] == [
            (e["node"], e["action"]) for e in reversed(step["path"])
        ]
    ended = {
        (key, edge["action"]): edge["n"] for key, node in seen["nodes"].items() for edge in node["edges"]
    }
    assert {key: n for key, n in ended.items() if n} == counts
    assert any(step["terminal"] for step in seen["steps"])


def test_u_is_the_formulas(client: TestClient) -> None:
    seen = post(client, "/api/inside", game="connect4", agent=AGENT, simulations=30, c_puct=3.0)
    root = seen["nodes"]["n0"]
    for edge in root["edges"]:
        expected = 3.0 * edge["p"] * math.sqrt(root["visits"]) / (1 + edge["n"])  # visits are 1 + ΣN
        assert edge["u"] == pytest.approx(expected, rel=1e-5)
    for step in seen["steps"][1:]:
        chosen = step["path"][0]
        assert chosen["node"] == "n0"


def test_the_graph_shares_nodes() -> None:
    from nought.search import Uniform

    game = load("tictactoe")
    contender = Roster(OwnRuns(Path("runs"))).find("rollout:1000", game)[0]
    job, evaluate = look_inside(contender, game.start(), 400, None), Uniform(game)
    try:
        states = next(job)
        while True:
            states = job.send(evaluate(states))
    except StopIteration as end:
        inside = end.value
    children = [edge.child for node in inside.nodes.values() for edge in node.edges if edge.child]
    assert len(children) > len(set(children))


def test_inside_is_for_small_searches(client: TestClient) -> None:
    error = post(client, "/api/inside", 400, game="connect4", simulations=61)
    assert "60" in error["error"]
    assert post(client, "/api/inside", 409, game="connect4", moves="4141414")["error"].startswith(
        "the game is over"
    )


# ---- under load ---------------------------------------------------------------------------------------------
def test_more_searches_than_the_server_takes_are_told_to_come_back(tmp_path: Path) -> None:
    with serving(tmp_path, limits=ServerLimits(rate=0, searches=0)) as client:
        answer = client.post("/api/best-move", json={"game": "connect4", "simulations": 2})
    assert answer.status_code == 503 and int(answer.headers["Retry-After"]) >= 1 and "error" in answer.json()


def test_one_client_has_its_share_of_searches(tmp_path: Path) -> None:
    with serving(tmp_path, limits=ServerLimits(rate=0, searches_of_one=0)) as client:
        answer = client.post("/api/best-move", json={"game": "connect4", "simulations": 2})
    assert answer.status_code == 429 and "Retry-After" in answer.headers
