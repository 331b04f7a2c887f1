"""nought play and nought replay with files and servers, from the command line."""

import sys

import pytest
from typer.testing import CliRunner

from nought.cli import app, main
from nought.clients.account import remembered
from nought.clients.remote import Server
from nought.config import NetworkParameters, Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.learning.run import Run
from nought.network import build_network, save_network
from tests.support.real_server import serving


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NOUGHT_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("server")) as site:
        yield site.url


def games_of_mine(url):
    """The games of the account that is remembered, newest first."""
    server = Server(url, remembered(url))
    return server.history(server.me().account.name)


def nought(*arguments, stdin=""):
    result = CliRunner().invoke(app, list(arguments), input=stdin)
    if isinstance(result.exception, NoughtError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_game_is_saved_resumed_and_replayed():
    out = nought(
        "play", "tictactoe", "--agent", "random", "--side", "second", "--save", "g.json", stdin="q\n"
    )
    assert "Left after" in out
    out = nought("play", "--resume", "g.json", stdin="r\ny\n")
    assert "Tic-tac-toe against random" in out and "You lose." in out
    out = nought("replay", "g.json")
    assert "X random" in out and "O you" in out and "X won" in out and "move 1" in out


def test_a_finished_game_does_not_go_on_and_another_game_does_not_take_its_place():
    nought("play", "tictactoe", "--agent", "random", "--save", "g.json", stdin="r\ny\n")
    with pytest.raises(NoughtError, match="is over"):
        nought("play", "--resume", "g.json")
    with pytest.raises(NoughtError, match=r"g\.json is there already"):
        nought("play", "tictactoe", "--save", "g.json")
    nought("play", "tictactoe", "--agent", "random", "--save", "h.json", stdin="q\n")
    with pytest.raises(NoughtError, match="is a game of tictactoe, not of othello"):
        nought("play", "othello", "--resume", "h.json")


def test_a_game_on_a_server_from_its_beginning_to_its_replay(url):
    out = nought("play", "tictactoe", "--remote", url, "--side", "first", stdin="c3\nq\n")
    [game] = games_of_mine(url)
    assert f"against {game.players[1].name}" in out and "rated" in out and game.rated
    out = nought("play", "--remote", url, f"--resume={game.id}", stdin="c2\nc1\n")
    [game] = games_of_mine(url)  # of the same account
    change = game.rating_change
    assert f"your rating in tictactoe: {change.before:.0f} → {change.after:.0f}" in out
    me = f"X {game.players[0].name}"
    assert me in nought("replay", "--remote", url, "--", game.id) and me in nought(
        "replay", f"{url}/game/{game.id}"
    )


def test_an_open_rated_game_is_asked_about(url):
    again = ("play", "tictactoe", "--remote", url, "--side", "first")
    nought(*again, stdin="c3\nq\n")
    with pytest.raises(NoughtError, match=f"still open: --resume={games_of_mine(url)[0].id} goes on with it"):
        nought(*again)
    assert "c3" in nought(*again, stdin="n\nm\nq\n")  # goes on with it
    nought(*again, stdin="y\nq\n")
    assert [game.ended for game in games_of_mine(url)] == [None, "resigned"]


def test_another_account_is_entered_with_its_password_and_remembered(url):
    server = Server(url)
    server.new_account()
    server.keep_account("Ann", "correct horse")
    nought("play", "tictactoe", "--remote", url, "--login", "Ann", stdin="correct horse\nq\n")
    nought("play", "tictactoe", "--remote", url, "--casual", stdin="q\n")
    assert len(server.history("Ann")) == 2
    with pytest.raises(NoughtError, match="password is wrong"):
        nought("play", "tictactoe", "--remote", url, "--login", "Ann", stdin="guess\n")


def test_where_no_agent_has_a_rating_the_game_is_casual_and_that_is_said(tmp_path):
    with serving(tmp_path, rated=False) as site:
        result = CliRunner().invoke(app, ["play", "tictactoe", "--remote", site.url], input="q\n")
        assert "this game is casual" in result.stderr
        assert not games_of_mine(site.url)[0].rated


@pytest.mark.parametrize("options", [["--casual"], ["--hints"]])
def test_with_hints_a_game_is_not_rated(options, url):
    nought("play", "tictactoe", "--remote", url, *options, stdin="q\n")
    assert not games_of_mine(url)[0].rated


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "--remote", "http://127.0.0.1:1"], "there is no server at http://127.0.0.1:1"),
        (["play", "--remote", "ftp://x"], "is not the address of a server"),
        (["play", "--casual"], "--remote URL says which"),
        (["play", "--resume", "nothing.json"], "cannot read nothing.json"),
        (["replay", "nothing"], "there is no file nothing; a game of a server needs --remote URL"),
    ],
)
def test_what_cannot_be_done_is_one_clear_error(arguments, says):
    with pytest.raises(NoughtError, match=says):
        nought(*arguments)


@pytest.mark.parametrize(
    ("ends", "code", "says"),
    [(EOFError, 2, "the input ended before there was a password of Ann"), (KeyboardInterrupt, 130, "")],
)
def test_leaving_at_the_password(ends, code, says, monkeypatch, capsys, url):
    def leave(prompt):
        raise ends

    monkeypatch.setattr("getpass.getpass", leave)
    monkeypatch.setattr(sys, "argv", ["nought", "play", "--remote", url, "--login", "Ann"])
    with pytest.raises(SystemExit) as end:
        main()
    error = capsys.readouterr().err
    assert end.value.code == code and says in error and "Traceback" not in error


def test_commands_to_copy_are_quoted():
    out = nought("play", "tictactoe", "--agent", "random", "--save", "my game.json", stdin="q\n")
    assert "nought play --resume 'my game.json'" in out
    out = nought("play", "--resume", "my game.json", stdin="r\ny\n")
    assert "nought replay 'my game.json'" in out
    with pytest.raises(NoughtError, match=r"`nought replay 'my game.json'` shows it"):
        nought("play", "--resume", "my game.json")


def test_an_agents_game_is_known(tmp_path):
    game = load("tictactoe")
    run = Run.create(tmp_path / "runs" / "mine", "tictactoe", Parameters())
    save_network(
        run.version_path(0), build_network(game, NetworkParameters(blocks=1, filters=4)), game, 0, {}
    )
    assert "Tic-tac-toe against search:mine" in nought("play", "--agent", "mine:3", stdin="q\n")
    shown = nought("play", "--agent", "net:dots-and-boxes:2x2", stdin="q\n")
    assert "Dots and boxes 2×2 against net:agents/dots-and-boxes-2x2" in shown
    with pytest.raises(NoughtError, match="mine has learned tictactoe, and this is a game of connect4"):
        nought("play", "connect4", "--agent", "mine")


def test_an_agents_game_is_known_on_a_server_too(url):
    nought("play", "--remote", url, "--agent", "agents/tictactoe", "--casual", stdin="q\n")
    assert games_of_mine(url)[0].game == "tictactoe"
