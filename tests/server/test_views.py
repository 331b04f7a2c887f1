"""Games and positions over HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nought.games import load
from nought.games.board import owners, winning_line
from tests.games.broken import TICTACTOE
from tests.games.samples import EXAMPLES, PROMOTIONS, RACE
from tests.server.support.serving import serving

CONNECT4 = load("connect4")
OWN_TEXT = "\n\ndef text(state):\n    return 'a board'\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("views")
    (folder / "pawns.py").write_text(RACE + PROMOTIONS, encoding="utf-8")
    (folder / "own.py").write_text(TICTACTOE + OWN_TEXT, encoding="utf-8")
    games = [f"{EXAMPLES / name}" for name in ("breakthrough.py:6x5", "kalah.py:4:3", "hex.py:3")]
    with serving(folder, games=(*games, str(folder / "pawns.py"), str(folder / "own.py"))) as client:
        yield client


def position(client: TestClient, game: str, moves: str = "") -> dict:
    answer = client.get("/api/position", params={"game": game, "moves": moves})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_games_with_an_agent_come_first(client: TestClient) -> None:
    games = client.get("/api/games").json()
    assert {"connect4", "dots-and-boxes", "othello", "tictactoe"} <= {game["name"] for game in games}
    has_network = {
        game["name"]: any(agent["name"].startswith("agents/") for agent in game["agents"]) for game in games
    }
    assert has_network.pop("own.py")  # tic-tac-toe with another drawing: its agents play that, too
    there = list(has_network.values())
    assert there == sorted(there, reverse=True) and there[0]
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


def described(client: TestClient, name: str) -> dict:
    return next(game for game in client.get("/api/games").json() if game["name"] == name)


def test_moves_begin_and_end_on_cells_of_the_board_whoever_moves(client: TestClient) -> None:
    game = described(client, "breakthrough.py:6x5")
    assert (game["notation"], game["a1"], game["sides"]) == ("moves", "bottom left", [0, None, 1, None])
    assert game["colours"][:6] == ["light", "dark", "light", "dark", "light", "dark"]
    assert game["cell_of_action"] is None  # it would be another one for each player
    seen = position(client, "breakthrough.py:6x5", "b2-b3")
    assert (seen["names"], seen["came_from"], seen["last"]) == (["b2-b3"], 21, 16)
    assert [seen["cells"][cell] for cell in (0, 16, 21, 29)] == [1, 0, None, 0]
    legal = {move["name"]: (move["origin"], move["cell"]) for move in seen["legal"]}
    assert legal["a5-b4"] == (5, 11)
    assert position(client, "breakthrough.py:6x5", "b2-b3 a5-b4")["names"] == ["b2-b3", "a5-b4"]
    answer = client.get("/api/position", params={"game": "breakthrough.py:6x5", "moves": "b2-b3 b2-b3"})
    assert answer.status_code == 400 and "'b2-b3' is not a legal move here" in answer.json()["error"]


def test_labels_shapes_and_texts(client: TestClient) -> None:
    kalah = described(client, "kalah.py:4:3")
    assert (kalah["board"], kalah["rows"], kalah["columns"]) == ("pits", 3, 6)
    seen = position(client, "kalah.py:4:3", "c1")
    assert seen["labels"][12:] == ["", "3", "0", "4", "4", ""] and seen["labels"][6:12] == [
        "0", "", "", "", "", "1",
    ]  # fmt: skip
    assert (seen["cells"][11], seen["cells"][6], seen["player"], seen["margin"]) == (0, 1, 0, 1)
    assert described(client, "hex.py:3")["board"] == "hexagons"
    own = position(client, "own.py")
    assert (described(client, "own.py")["board"], own["text"], own["cells"]) == ("text", "a board", [])
    pawns = position(client, "pawns.py", "a1-a2 b4-b3 a2-a3 b3-b2")
    assert [(move["name"], move["origin"], move["cell"]) for move in pawns["legal"]] == [
        ("a3-a4=Q", 2, 0), ("a3-a4=N", 2, 0), ("pass", None, None),
    ]  # fmt: skip
    stones = position(client, "connect4", "4")
    assert (stones["labels"], stones["text"], stones["came_from"]) == ([], None, None)
