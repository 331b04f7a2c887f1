"""All clients on a real server, in a process of its own as the desktop starts it."""

import pytest
from typer.testing import CliRunner

from nought.cli import app
from nought.clients.account import sign_in
from nought.clients.desktop.local_server import LocalServer
from nought.clients.desktop.session import Session
from nought.clients.remote import Refused, Server
from nought.errors import NoughtError


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    database = tmp_path_factory.mktemp("server") / "server.sqlite3"
    with LocalServer("--database", f"sqlite:///{database}") as server:
        server.wait()
        yield server.url


def nought(*arguments, stdin=""):
    result = CliRunner().invoke(app, list(arguments), input=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_game_is_played_to_its_end_by_a_script(url):
    server = Server(url)
    me = sign_in(server).account
    for offered in server.games():
        game = server.play(offered.name, rated=False, opponent=offered.agents[0].name)
        while not game.finished:
            game = server.move(game.id, game.position.legal[0].action)
        assert game.result in (1, 0, -1) and server.position(offered.name, game.position.moves).finished
        assert game.position.legal == ()
    assert len(server.history(me.name)) == len(server.games())


def test_analysis_mistakes_and_refusals(url):
    server = Server(url)
    analysis = server.analyse("tictactoe", "a1 b1", simulations=100)
    assert {move.name for move in analysis.moves} == {"c1", "a2", "b2", "c2", "a3", "b3", "c3"}
    assert analysis.best == analysis.moves[0].action
    assert analysis.oracle is None or analysis.oracle.outcome == 1  # None: it took the oracle too long
    judged = server.mistakes("tictactoe", "a1 b1")
    assert [move.player for move in judged] == [0, 1]
    assert not judged[1].exact or (judged[1].verdict and judged[1].best == "b2")
    with pytest.raises(Refused, match="is not a column"):
        server.position("connect4", "9")
    with pytest.raises(NoughtError):
        Server(url, token="forged").me()


def test_the_console_plays_leaves_goes_on_and_replays(url):
    out = nought(
        "play", "tictactoe", "--remote", url, "--casual", "--side", "first", stdin="b2\nh\nu\nb2\nq\n"
    )
    assert "best line" in out and "Go on with nought play" in out
    id = out.rpartition("--resume=")[2].split()[0]
    out = nought("play", "--remote", url, f"--resume={id}", stdin="r\ny\n")
    assert "You lose." in out
    out = nought("replay", f"{url}/game/{id}")
    assert "the other resigned" in out and "b2" in out


def test_the_desktops_session_plays_and_looks_back(url):
    states = []
    session = Session(Server(url), states.append)
    session.attempt(session.enter)
    session.attempt(session.choose, "tictactoe")
    session.attempt(session.new_game)
    while session.state.open_game:
        assert not session.state.trouble, session.state.notice
        session.attempt(session.move, session.state.shown.legal[0])
    assert session.state.notice and session.state.past[0].id == session.state.played.id
    session.wanted = 0
    session.attempt(session.follow)
    assert session.state.step == 0 and set(session.state.shown.cells) == {None}


def test_a_server_that_does_not_start_says_why():
    with LocalServer("--nonsense") as server, pytest.raises(NoughtError, match="No such option"):
        server.wait()
