"""The papers' wire protocol: games, ratings and custom data, by a client written from its description alone."""

import json
import pickle
import random
import struct
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nought.errors import NoughtError
from nought.games import load
from nought.server.tcp.moves import asked_for, position_of
from nought.wire.play import NewGameRequest
from tests.server.support.people import win
from tests.server.support.serving import serving
from tests.server.support.tcp import Board, Session, ask, closed, connect, number, receive, wire_on

CONNECT4 = load("connect4")


@pytest.fixture
def wire(tmp_path):
    with wire_on(f"{tmp_path}/nought.db") as there:
        yield there


@pytest.mark.parametrize("mine", [1, -1])
def test_a_whole_game_over_the_wire(wire, mine):
    chance, board = random.Random(mine), Board()
    while not board.done():
        if board.player == mine:
            board.put(chance.choice(board.allowed()))
        else:
            board.put(ask(wire.ai, *board.state(), 3))
    assert len(wire.agents.asked) >= 3
    assert {agent for agent, _, _ in wire.agents.asked} == {"agents/level-2"}  # version 3


def test_a_whole_game_against_the_trained_agent(tmp_path):
    """With the application as `nought serve --tcp` runs it. Who drops stones at random loses to it."""
    with serving(tmp_path, tcp=True, ai_port=0, data_port=0) as client:
        ai, data = (port.number for port in client.app.state.tcp)
        chance, board = random.Random(0), Board()
        while not board.done():
            board.put(chance.choice(board.allowed()) if board.player == 1 else ask(ai, *board.state(), -1))
        assert board.winner() == -1
        agents = client.get("/api/games").json()[0]["agents"]
        for version, agent in enumerate(agents, 1):
            rating = ask(data, 1, version)
            assert agent["rating"] is None or rating == round(agent["rating"])


def test_the_papers_example_position(wire):
    first = [10, 23, 30, 31, 37, 40]
    second = [16, 17, 24, 32, 38, 39]
    state = [0] * 85
    for cell in first:
        state[cell] = 1
    for cell in second:
        state[42 + cell] = 1
    state[84] = 1
    with connect(wire.ai) as client:
        client.sendall(struct.pack("<86i", *state, 1))
        assert struct.unpack("<i", receive(client, 4))[0] in {3, 9, 25, 33, 35, 36, 41}


@pytest.mark.parametrize("version", [-1, 0, 6, 2**31 - 1, -(2**31)])
def test_a_version_that_is_not_there_means_the_best(wire, version):
    assert 0 <= ask(wire.ai, *Board().state(), version) < 42
    assert wire.agents.asked[-1][0] == "agents/level-4"


def test_the_other_player_is_minus_one_or_nought(wire):
    board = Board()
    board.put(38)
    for turn in (-1, 0):
        assert ask(wire.ai, *board.state()[:84], turn, 1) in board.allowed()


def test_positions_that_cannot_be(wire):
    floating, crowded, turn, over, two = Board(), Board(), Board(), Board(), Board()
    floating.cells[0] = 1
    floating.player = -1
    crowded.cells[35:38] = [1, 1, -1]
    turn.player = -1
    for cell in (35, 36, 28, 37, 21, 38, 14):
        over.put(cell)
    two.put(38)
    double = two.state()
    double[42 + 38] = 1
    for state in (floating.state(), crowded.state(), turn.state(), over.state(), double, [2] * 85, [-1] * 85):
        assert ask(wire.ai, *state, 1) == -1
    assert wire.agents.asked == []


def test_several_requests_on_one_connection(wire):
    with connect(wire.ai) as client:
        client.sendall(struct.pack("<86i", *Board().state(), 1) * 3)
        assert all(0 <= cell < 42 for cell in struct.unpack("<3i", receive(client, 12)))


def test_the_console_clients_85_numbers(wire):
    """003's console client sends no version, and one request a connection: the best answers."""
    board = Board()
    board.put(38)
    with connect(wire.ai) as client:
        client.sendall(struct.pack("<85i", *board.state()))
        assert int.from_bytes(receive(client, 4), "little", signed=True) in board.allowed()
        assert wire.agents.asked[-1][0] == "agents/level-4"
        assert closed(client)
    assert ask(wire.ai, *[2] * 85) == -1


def test_the_version_comes_first_or_last(wire):
    """Where the text has it, or where the programs do: on boards of whole games."""
    chance = random.Random(1)
    with connect(wire.ai) as client:
        for _ in range(3):
            board = Board()
            while not board.done():
                version = chance.randrange(1, 6)
                first, last = [version, *board.state()], [*board.state(), version]
                client.sendall(struct.pack("<86i", *chance.choice([first, last])))
                assert int.from_bytes(receive(client, 4), "little", signed=True) in board.allowed()
                assert wire.agents.asked[-1][0] == f"agents/level-{version - 1}"
                board.put(chance.choice(board.allowed()))


def test_a_version_in_front_is_told_from_a_cell():
    """On boards of random games; 0 in front is always a cell."""
    chance = random.Random(2)
    for _ in range(40):
        board = Board()
        while not board.done():
            position = position_of(CONNECT4, board.state())
            for version in (1, 2, -1):
                assert asked_for(CONNECT4, [version, *board.state()]) == (position, version)
                assert asked_for(CONNECT4, [*board.state(), version]) == (position, version)
            board.put(chance.choice(board.allowed()))
    with pytest.raises(NoughtError):
        asked_for(CONNECT4, [0, *Board().state()])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([0, 0, 0, 1, -1, 2]), min_size=85, max_size=85))
def test_any_numbers_are_a_position_or_a_clear_error(numbers):
    with suppress(NoughtError):
        assert not position_of(CONNECT4, numbers).finished


def test_positions_of_games():
    chance = random.Random(0)
    for _ in range(50):
        board, position = Board(), CONNECT4.start()
        while not position.finished:
            assert position_of(CONNECT4, board.state()) == position
            move = chance.choice(position.legal)
            board.put(max(cell for cell in range(42) if cell % 7 == move and not board.cells[cell]))
            position = position.play(move)
        assert board.done() and board.winner() == position.result
        with pytest.raises(NoughtError):
            position_of(CONNECT4, board.state())


# ---- ratings ------------------------------------------------------------------------------------------------
def test_ratings_and_the_closest_agent(url):
    with wire_on(url) as wire:
        assert [ask(wire.data, 1, agent) for agent in (1, 2, 5)] == [100, 300, 900]
        assert ask(wire.data, 1, 77) == ask(wire.data, 1, -77) == 500  # whoever is not rated yet
        assert [ask(wire.data, -1, rating) for rating in (-500, 100, 101, 700, 900, 2**31 - 1)] == [
            1,
            1,
            2,
            4,
            5,
            5,
        ]
        ann = wire.guest().account
        game = wire.do(
            wire.people.playing.begin(ann, NewGameRequest(game="connect4", side="first", rated=True), "a")
        )
        wire.do(wire.people.database.write(lambda session: win(session, game.id)))
        game = wire.do(wire.people.playing.find(game.id))
        assert ask(wire.data, 1, -ann.id) == round(game.rating_after) > 300


def test_nobody_sets_a_rating(wire):
    ann, token = wire.guest()
    with connect(wire.data) as client:
        client.sendall(number(-3) + number(len(token)) + token.encode())
        assert int.from_bytes(receive(client, 4), "little", signed=True) == -ann.id
        for who in (-ann.id, 1, 5):
            client.sendall(number(2) + number(who) + number(2800))
            assert receive(client, 4) == number(0)
    assert [ask(wire.data, 1, who) for who in (-ann.id, 1, 5)] == [500, 100, 900]


def test_a_games_result_is_answered_with_what_it_is_worth_and_changes_nothing(wire):
    """Equation 46 with K = 32, as 003's server has it: 1 won, 0 tied, anything else lost."""
    expected = 1 / (1 + 10 ** ((300 - 100) / 400))  # of version 1 against version 2
    assert ask(wire.data, 3, 1, 2, 1) == int(32 * (1 - expected)) == 24
    assert ask(wire.data, 3, 1, 2, 0) == int(32 * (0.5 - expected)) == 8
    assert ask(wire.data, 3, 1, 2, -1) == ask(wire.data, 3, 1, 2, 7) == int(32 * expected) == 7
    ann = wire.guest().account
    assert ask(wire.data, 3, -ann.id, 77, 1) == 16  # two new players
    assert [ask(wire.data, 1, who) for who in (1, 2, -ann.id)] == [100, 300, 500]


def test_the_counters_count_the_games_that_people_ended(url, monkeypatch):
    monkeypatch.setattr("nought.server.people.ladder.COUNTED_FOR", 0)
    with wire_on(url) as wire:
        anybody = Session(wire.data)
        assert anybody.send("connect4", ["game_counter"]) == {"win": 0, "lose": 0, "tie": 0}
        ann = wire.guest().account
        for side, ended in (("first", 1), ("second", 1), ("second", 1), ("first", 0)):
            new = NewGameRequest(game="connect4", side=side, opponent="agents/level-0")
            game = wire.do(wire.people.playing.begin(ann, new, "a"))
            wire.do(wire.people.database.write(lambda session, id=game.id, r=ended: win(session, id, r)))
        assert anybody.send("connect4", ["game_counter"]) == {"win": 1, "lose": 2, "tie": 1}
        assert anybody.send("connect4", ["game_counter", "lose"]) == 2
        assert anybody.send("connect4", ["game_counter", "lost"]) is None
        assert "nobody" in anybody.send("connect4", ["game_counter", "win"], 3)["error"]
        assert "token" in anybody.send("connect4", ["games", "win", "0x1"])["error"]


# ---- custom data --------------------------------------------------------------------------------------------


def test_custom_data(url):
    with wire_on(url) as wire:
        ann, bob = Session(wire.data, wire.guest().token), Session(wire.data, wire.guest().token)
        person = {"firstName": "John", "address": {"city": "New York"}, "spouse": None}
        assert ann.send("example", ["john"]) is None
        assert ann.send("example", ["john"], person) is True
        assert ann.send("example", ["john", "address", "city"]) == "New York"
        assert ann.send("example", ["john", "address", "city", "further"]) is None
        assert ann.send("example", ["john", "address", "city"], "Bern") is True
        assert ann.send("example", ["john", "new", "deep"], [1]) is True
        person["address"]["city"], person["new"] = "Bern", {"deep": [1]}
        assert ann.send("example", ["john"]) == person
        assert bob.send("example", ["john"]) is None
        assert bob.account != ann.account < 0


def test_data_needs_a_token(wire):
    token = wire.guest().token
    for session in (Session(wire.data), Session(wire.data, "forged"), Session(wire.data, token + "x")):
        assert "token" in session.send("a", ["b"], 1)["error"]
        assert "token" in session.send("a", ["b"])["error"]
    assert session.account == 0
    assert Session(wire.data, token).send("a", ["b"]) is None


class Bomb:
    def __reduce__(self):
        return (setattr, (Board, "exploded", True))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_is_refused(wire, protocol):
    session = Session(wire.data, wire.guest().token)
    for thing in (("a", ["b"], 1), Bomb()):
        assert set(session.send_bytes(pickle.dumps(thing, protocol))) == {"error"}
    assert not hasattr(Board, "exploded")
    assert session.send("a", ["b"]) is None


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b"[]", b'["a"]', b'["a", []]', b'["a", "b"]', b'["a", [1]]', b'["a", ["b"], 1, 2]', b"[" * 9000,
     b'["../../etc/passwd", ["b"]]', b'["a", ["b\\u0000"]]', b'["a", ["b"], NaN]', b'["a", ["b"], 1e999]', b"\xff",
     json.dumps(["a", ["b"] * 40]).encode(), json.dumps(["a'; DROP TABLE accounts; --", ["b"], 1]).encode()],
)  # fmt: skip
def test_data_requests_that_are_none(wire, text):
    session = Session(wire.data, wire.guest().token)
    assert set(session.send_bytes(text)) == {"error"}
    assert session.send("a", ["b"], "fine") is True
