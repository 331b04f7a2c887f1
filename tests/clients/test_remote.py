"""The Python client, against a server in memory that can be told to misbehave."""

import os
import socket
import stat

import pytest

from nought.clients import account
from nought.clients.remote import Refused, Server, server_url
from nought.errors import NoughtError


@pytest.fixture
def server(stub):
    return Server(stub.url)


def test_games_positions_and_analyses_come_as_objects(server):
    connect4 = server.games()[0]
    assert (connect4.title, connect4.rows, connect4.columns) == ("Connect 4", 6, 7)
    assert connect4.agents[0].rating == 900.0
    position = server.position("connect4", "44")
    assert position.names == ("4", "4") and position.cells.count(None) == 40 and len(position.legal) == 7
    assert server.best_move("connect4", "44", simulations=10).name == "1"
    analysis = server.analyse("tictactoe", "b2", seconds=0.1)
    assert analysis.moves[0].verdict == "wins" and analysis.oracle.outcome == 1
    assert server.mistakes("tictactoe", "b2 a1")[0].text == "this move throws away a win"


def test_a_game_is_played_to_its_end_and_found_again(server):
    server.new_account()
    game = server.play("tictactoe", side="second", rated=True)
    assert game.you == 1 and len(game.position.actions) == 1
    while not game.finished:
        game = server.move(game.id, game.position.legal[-1].action)
    assert game.score in (1, 0, -1) and game.rating_change.after == 1016
    assert server.played(game.id).position == game.position
    listed = server.history(server.me().account.name)
    assert [g.id for g in listed] == [game.id] and listed[0].position.moves == game.position.moves
    assert server.ladder("tictactoe")[0].name == "agents/first"


def test_undo_resign_and_the_result_as_the_person_sees_it(server):
    server.new_account()
    game = server.play("connect4", side="first", rated=False)
    game = server.undo(server.move(game.id, 3).id)
    assert game.position.moves == ""
    game = server.resign(game.id)
    assert (game.ended, game.result, game.score) == ("resigned", -1, -1)


def test_what_the_server_refuses_is_said_in_its_own_words(server):
    with pytest.raises(Refused, match="'0' is not a column") as refused:
        server.position("connect4", "0")
    assert refused.value.status == 400
    with pytest.raises(Refused, match="this token is not known") as refused:
        server.me()
    assert refused.value.status == 401


def test_a_busy_server_says_when_to_come_back(server, stub):
    stub.trouble = [(429, {"error": "too many requests"}, {"Retry-After": "7"})]
    with pytest.raises(Refused, match=r"too many requests \(again in 7 seconds\)") as refused:
        server.games()
    assert refused.value.retry_after == 7


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        ((200, b"<html>", {}), "something else than JSON"),
        ((200, {"name": "x"}, {}), "should be a list"),
        ((200, [{"name": 3}], {}), "answer is not understood"),
        ((500, b"oops", {}), "answered 500"),
        ((502, {"detail": "x"}, {}), "answered 502"),
        ((302, b"", {"Location": "http://elsewhere"}), "moved to http://elsewhere"),
        ((200, b"[]", {"Content-Length": "100"}), "cannot be reached|did not answer"),
    ],
)
def test_a_server_that_talks_nonsense_is_one_clear_error(stub, trouble, says):
    stub.trouble = [trouble]
    with pytest.raises(NoughtError, match=says):
        Server(stub.url, timeout=2).games()


def test_a_server_that_is_away_or_silent():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(NoughtError, match="there is no server at"):
            Server(url).games()
        listening.listen()
        with pytest.raises(NoughtError, match=r"did not answer within 0\.2 seconds"):
            Server(url, timeout=0.2).games()
    with pytest.raises(NoughtError, match="cannot be reached"):
        Server("http://no-such-host.invalid").games()


def test_a_token_that_cannot_be_sent(stub):
    with pytest.raises(NoughtError):
        Server(stub.url, token="a\nb").me()


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("localhost:8000", "http://localhost:8000"),
        ("https://Example.org/", "https://example.org"),
        ("http://[::1]:80/nought/", "http://[::1]:80/nought"),
    ],
)
def test_addresses_are_written_in_one_way(given, url):
    assert server_url(given) == url


@pytest.mark.parametrize("text", ["", "ftp://host", "http://", "http://host:port", "two words"])
def test_what_is_not_an_address_is_refused(text):
    with pytest.raises(NoughtError, match="is not the address of a server"):
        server_url(text)


def test_an_account_is_remembered_for_its_server_and_only_this_user_can_read_it(stub):
    first = account.sign_in(Server(stub.url)).account
    assert account.sign_in(Server(stub.url + "/")).account.name == first.name
    [file] = (account.config_folder() / "accounts").iterdir()
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert account.remembered("http://elsewhere") is None
    account.forget(stub.url)
    assert account.sign_in(Server(stub.url)).account.name != first.name


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"token": 3}', '{"token": "forged"}', "\udcff"])
def test_a_spoilt_or_unknown_token_gives_a_new_account(stub, content):
    account.sign_in(Server(stub.url))
    [file] = (account.config_folder() / "accounts").iterdir()
    file.write_text(content, errors="surrogateescape")
    assert account.sign_in(Server(stub.url)).account.name == "guest-1"
    assert account.remembered(stub.url) == "token-1"


def test_a_server_in_trouble_does_not_cost_the_account(stub):
    account.sign_in(Server(stub.url))
    stub.trouble = [(503, {"error": "the queue is full"}, {})]
    with pytest.raises(NoughtError, match="queue is full"):
        account.sign_in(Server(stub.url))
    assert account.remembered(stub.url) == "token-0"


def test_a_folder_that_cannot_be_written_is_said(stub, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NOUGHT_CONFIG", str(tmp_path / "file"))
    with pytest.raises(NoughtError, match="cannot be remembered"):
        account.sign_in(Server(stub.url))


def test_an_account_is_kept_by_name_and_entered_with_its_password(server):
    server.new_account()
    assert server.keep_account("Ann", "correct horse").guest is False
    server.logout()
    assert server.token is None
    with pytest.raises(Refused, match="password is wrong"):
        server.login("Ann", "wrong")
    assert server.login("Ann", "correct horse").name == "Ann"
    server.put_data("web", "theme", "dark")
    assert server.data("web") == {"theme": "dark"}
    assert server.player("Ann B/ö").account.name == "Ann B/ö"
