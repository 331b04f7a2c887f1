"""The Python client on a real server, and on one that misbehaves."""

import os
import socket
import stat

import pytest

from nought.clients import account
from nought.clients.remote import Refused, Server, server_url
from nought.errors import NoughtError
from nought.server.settings import ServerLimits
from tests.support.programs import LIMIT
from tests.support.real_server import serving


@pytest.fixture
def server(site):
    return Server(site.url, timeout=LIMIT)


def test_games_positions_and_analyses_come_as_objects(server):
    connect4 = server.games()[0]
    assert (connect4.title, connect4.rows, connect4.columns) == ("Connect 4", 6, 7)
    assert connect4.agents[0].name == "random" and connect4.agents[0].rating == 100.0
    position = server.position("connect4", "44")
    assert position.names == ("4", "4") and position.cells.count(None) == 40 and len(position.legal) == 7
    assert server.best_move("tictactoe", "a1 a2 b1 b2", simulations=100).name == "c1"
    analysis = server.analyse("tictactoe", "a1 a2", agent="rollout:50")
    assert analysis.agent == "rollout:50" and analysis.oracle.outcome == 1
    assert {move.verdict for move in analysis.moves} == {"wins", "draws"}
    assert analysis.position == server.position("tictactoe", "a1 a2")
    judged = server.mistakes("tictactoe", "a1 a2")
    assert (judged[1].text, judged[1].best) == ("this move throws away a draw", "b2")


def test_a_game_is_played_to_its_end_and_found_again(server):
    server.new_account()
    game = server.play("tictactoe", side="second", rated=True)
    assert game.you == 1 and len(game.position.actions) == 1
    while not game.finished:
        game = server.move(game.id, game.position.legal[-1].action)
    [rating] = server.me().ratings
    assert game.score in (1, 0, -1) and game.rating_change.after == rating.rating
    assert (rating.game, rating.games, rating.history[0].game_id) == ("tictactoe", 1, game.id)
    assert server.played(game.id).position == game.position
    listed = server.history(server.me().account.name)
    assert [g.id for g in listed] == [game.id] and listed[0].position.moves == game.position.moves
    ladder = {entry.name: entry for entry in server.ladder("tictactoe")}
    assert ladder["random"].kind == "agent" and ladder[server.me().account.name].games == 1


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
    with pytest.raises(Refused, match="this needs a token") as refused:
        server.me()
    assert refused.value.status == 401


def test_what_cannot_be_asked_for_is_said_before_it_is_sent(server, site):
    asked = len(site.requests)
    with pytest.raises(NoughtError, match=r"cannot be asked for: side: Input should be 'first'"):
        server.play("connect4", side="third")
    with pytest.raises(NoughtError, match="simulations: Input should be greater"):
        server.analyse("connect4", simulations=-1)
    assert len(site.requests) == asked


def test_a_busy_server_says_when_to_come_back(tmp_path):
    with serving(tmp_path, ServerLimits(rate=1 / 70, burst=1)) as site:
        server = Server(site.url)
        server.position("connect4")
        with pytest.raises(
            Refused, match=r"too many requests from your address.*\(again in \d+ seconds\)"
        ) as refused:
            server.position("connect4")
    assert refused.value.status == 429 and refused.value.retry_after in (69, 70)


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        ((200, b"<html>", {}), "something else than JSON"),
        ((200, b"", {}), "something else than JSON"),
        ((200, {"name": "x"}, {}), "is not understood: Input should be a valid array"),
        ((200, [{"name": 3}], {}), r"is not understood: 0\.name: Input should be a valid string"),
        ((200, [{}], {}), r"is not understood: 0\.name: Field required; is it as new as this program\?"),
        ((500, b"oops", {}), "answered 500"),
        ((502, {"detail": "x"}, {}), "answered 502"),
        ((302, b"", {"Location": "http://elsewhere"}), "moved to http://elsewhere"),
        ((200, b"[]", {"Content-Length": "100"}), "cannot be reached|did not answer"),
    ],
)
def test_a_server_that_talks_nonsense_is_one_clear_error(site, trouble, says):
    site.faults = [trouble]
    with pytest.raises(NoughtError, match=says):
        Server(site.url, timeout=20).games()


def test_fields_of_tomorrow_are_passed_over(server, site):
    games = server.games()
    site.faults = [(200, [{**game.model_dump(), "a_field_of_tomorrow": 1} for game in games], {})]
    assert server.games() == games


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


def test_a_token_that_cannot_be_sent(site):
    with pytest.raises(NoughtError):
        Server(site.url, token="a\nb").me()


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


def test_an_account_is_remembered_for_its_server_and_only_this_user_can_read_it(site):
    first = account.sign_in(Server(site.url)).account
    assert account.sign_in(Server(site.url + "/")).account.name == first.name
    [file] = (account.config_folder() / "accounts").iterdir()
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert account.remembered("http://elsewhere") is None
    account.forget(site.url)
    assert account.sign_in(Server(site.url)).account.name != first.name


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"token": 3}', '{"token": "forged"}', "\udcff"])
def test_a_spoilt_or_unknown_token_gives_a_new_account(site, content):
    first = account.sign_in(Server(site.url)).account
    [file] = (account.config_folder() / "accounts").iterdir()
    file.write_text(content, errors="surrogateescape")
    second = account.sign_in(Server(site.url)).account
    assert second != first and account.sign_in(Server(site.url)).account == second


def test_a_server_in_trouble_does_not_cost_the_account(site):
    account.sign_in(Server(site.url))
    token = account.remembered(site.url)
    site.faults = [(503, {"error": "the queue is full"}, {})]
    with pytest.raises(NoughtError, match="queue is full"):
        account.sign_in(Server(site.url))
    assert token and account.remembered(site.url) == token


def test_a_folder_that_cannot_be_written_is_said(site, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NOUGHT_CONFIG", str(tmp_path / "file"))
    with pytest.raises(NoughtError, match="cannot be remembered"):
        account.sign_in(Server(site.url))


def test_an_account_is_kept_by_name_and_entered_with_its_password(server):
    guest = server.new_account()
    assert guest.guest
    assert server.keep_account("Ann", "correct horse").guest is False
    server.logout()
    assert server.token is None
    with pytest.raises(Refused, match="password is wrong"):
        server.login("Ann", "wrong")
    assert server.login("Ann", "correct horse").name == "Ann"
    server.put_data("web", "theme", "dark")
    assert server.data("web") == {"theme": "dark"}
    assert server.data("web", "theme") == "dark"
    server.delete_data("web", "theme")
    assert server.data("web") == {}
    assert server.player("ANN").account == server.me().account
    with pytest.raises(Refused, match="there is no player called 'Ann ö'"):
        server.player("Ann ö")


def test_training_runs_come_as_objects(server):
    assert server.runs() == []
    with pytest.raises(Refused, match="there is no run 'mine'"):
        server.run("mine")
