"""Games and positions over HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nought.games import load
from nought.games.board import owners, winning_line
from tests.server.support.serving import serving

CONNECT4 = load("connect4")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("views")) as client:
        yield client


def position(client: TestClient, game: str, moves: str = "") -> dict:
    answer = client.get("/api/position", params={"game": game, "moves": moves})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_games_with_an_agent_come_first(client: TestClient) -> None:
    games = client.get("/api/games").json()
    assert {"connect4", "dots-and-boxes", "othello", "tictactoe"} <= {game["name"] for game in games}
    has_network = [any(agent["name"].startswith("agents/") for agent in game["agents"]) for game in games]
    assert has_network == sorted(has_network, reverse=True) and has_network[0]
    connect4 = next(game for game in games if game["name"] == "connect4")
    assert (connect4["title"], connect4["rows"], connect4["columns"]) == ("Connect 4", 6, 7)
    assert connect4["agents"][0]["name"] == "random" and connect4["agents"][-1]["name"].startswith("agents/")


def test_a_position_of_stones(client: TestClient) -> None:
    seen = position(client, "connect4", "44")
    assert (seen["player"], seen["moves"], seen["actions"], seen["names"]) == (0, "44", [3, 3], ["4", "4"])
    assert {cell: owner for cell, owner in enumerate(seen["cells"]) if owner is not None} == {38: 0, 31: 1}
    assert seen["last"] == 31 and seen["line"] == [] and seen["result"] is None and seen["margin"] is None
    assert [move["name"] for move in seen["legal"]] == list("1234567")


@pytest.mark.parametrize(
    ("game", "moves", "line"),
    [
        ("connect4", "1122334", [35, 36, 37, 38]),
        ("connect4", "1212121", [14, 21, 28, 35]),
        ("connect4", "12234334544", [17, 23, 29, 35]),
        ("connect4", "1122355443344", []),  # not over
        ("tictactoe", "a1b1b2c1c3", [0, 4, 8]),
    ],
)
def test_the_row_that_won(client: TestClient, game: str, moves: str, line: list[int]) -> None:
    assert position(client, game, moves)["line"] == line


def test_two_rows_at_once_are_both_shown() -> None:
    both = load("tictactoe").position([0, 1, 2, 3, 6, 5, 8, 7, 4])
    assert winning_line(both, owners(both)) == [0, 2, 4, 6, 8]


def test_a_position_of_dots(client: TestClient) -> None:
    seen = position(client, "dots-and-boxes", "0 3 4 7")
    drawn = {edge["action"] for edge in seen["edges"] if edge["drawn"]}
    assert drawn == {0, 3, 4, 7} and seen["cells"] == [] and len(seen["edges"]) == 24
    closed = [box for box in seen["boxes"] if box["owner"] is not None]
    assert closed == [{"cell": 8, "owner": 1}] and seen["player"] == 1 and seen["margin"] == -1


def test_who_made_each_move(client: TestClient) -> None:
    assert position(client, "connect4", "443")["movers"] == [0, 1, 0]
    boxes = position(client, "dots-and-boxes", "0 3 4 7 1 2")
    assert boxes["movers"] == [0, 1, 0, 1, 1, 0]  # 7 closes a box
    passed = position(client, "othello", "e6f6d3e7g7g6e8d8h6e3e2f8e1")
    assert passed["movers"] == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1] and passed["player"] == 0


def test_legal_moves_say_which_cell_they_fill(client: TestClient) -> None:
    def cells(game: str, moves: str) -> dict[str, int]:
        return {move["name"]: move["cell"] for move in position(client, game, moves)["legal"]}

    fallen = cells("connect4", "444444332")
    assert fallen == {"1": 35, "2": 29, "3": 23, "5": 39, "6": 40, "7": 41}
    assert cells("othello", "") == {"d3": 19, "c4": 26, "f5": 37, "e6": 44}
    assert cells("dots-and-boxes", "0")["3"] == 7


def test_an_error_says_which_move_is_wrong(client: TestClient) -> None:
    answer = client.get("/api/position", params={"game": "connect4", "moves": "44444441"})
    assert answer.status_code == 400 and "move 7" in answer.json()["error"]
    answer = client.get("/api/position", params={"game": "connect4", "moves": "4x"})
    assert answer.status_code == 400 and "'x'" in answer.json()["error"]


@pytest.mark.parametrize(
    "name", ["chess", "tests/games/broken.py", "openspiel:hex", "connect4:9x9", "../x", "a\0b"]
)
def test_only_games_of_the_catalogue_are_loaded(client: TestClient, name: str) -> None:
    answer = client.get("/api/position", params={"game": name})
    assert answer.status_code == 404 and "there is no game" in answer.json()["error"]


def test_a_users_own_game_is_served(tmp_path: Path) -> None:
    source = (Path(__file__).parents[2] / "nought" / "games" / "tictactoe.py").read_text()
    file = tmp_path / "mygame.py"
    file.write_text(source.replace('"""Tic-tac-toe:', '"""My own game:'))
    with serving(tmp_path, games=(str(file),)) as client:
        game = client.get("/api/games").json()[-1]
        assert (game["name"], game["title"]) == ("mygame.py", "My own game")
        assert position(client, "mygame.py", "a1b2")["cells"][4] == 1


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    game=st.sampled_from(["connect4", "othello", "dots-and-boxes", "tictactoe"]), text=st.text(max_size=60)
)
def test_any_text_is_a_position_or_a_clear_refusal(client: TestClient, game: str, text: str) -> None:
    answer = client.get("/api/position", params={"game": game, "moves": text})
    if answer.status_code == 200:
        again = position(client, game, answer.json()["moves"])
        assert again == answer.json()
    else:
        assert answer.status_code == 400 and answer.json()["error"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=st.sampled_from(["connect4", "othello", "dots-and-boxes", "tictactoe"]), data=st.data())
def test_every_game_can_be_walked_by_its_own_words(
    client: TestClient, game: str, data: st.DataObject
) -> None:
    seen = position(client, game)
    for _ in range(data.draw(st.integers(0, 12))):
        if seen["finished"]:
            break
        name = data.draw(st.sampled_from(seen["legal"]))["name"]
        seen = position(client, game, f"{seen['moves']} {name}".strip())
    assert seen["actions"] == list(load(game).position(seen["actions"]).moves)
    assert seen["finished"] == (seen["legal"] == [])
