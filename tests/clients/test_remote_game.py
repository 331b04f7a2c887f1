"""The terminal client on a real server."""

import io
import re

import pytest
from rich.console import Console

from nought.clients import account
from nought.clients.console import ConsoleGame
from nought.clients.remote import Refused, Server
from nought.clients.remote_game import RemoteGame, begin, loses
from nought.clients.replay import game_of_server, link, show_all
from nought.errors import NoughtError
from nought.server.http.errors import Busy
from tests.support.programs import LIMIT


@pytest.fixture
def server(site):
    server = Server(site.url, timeout=LIMIT)
    account.sign_in(server)
    return server


def play(current, *answers, **options):
    """What was shown."""
    shown, lines = io.StringIO(), iter(answers)

    def ask(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    ConsoleGame(current, console=Console(file=shown, width=200, highlight=False), ask=ask, **options).run()
    return shown.getvalue()


def test_a_rated_game_ends_with_the_new_rating_the_mistakes_and_a_link(server):
    current = RemoteGame(server, server.play("tictactoe", side="first"))
    shown = play(current, "b3", "c3", "a3")
    assert f"against {current.players[1]} on {server.url}, rated" in shown
    change = current.played.rating_change
    assert re.search(rf"your rating in tictactoe: {change.before:.0f} → {change.after:.0f} \(\+\d+\)", shown)
    assert "move 3: you played c3: this move throws away a win; a3 was better" in shown
    assert f"nought replay {server.url}/game/{current.played.id}" in shown
    assert current.result == 1


def test_the_agents_mistakes_are_not_ones_own(server):
    shown = play(RemoteGame(server, server.play("tictactoe", side="first")), "a3", "b3", "c3")
    assert "move 2: the agent played a1: this move throws away a draw; b2 was better" in shown
    assert "you made no mistake" in shown


def test_an_open_rated_game_is_given_up_only_by_who_says_so(server):
    asked = []

    def answer(word):
        return lambda played: asked.append(played.id) or word

    first = begin(server, "connect4", answer(None), side="first")
    assert asked == []
    first = server.move(first.id, 3)
    assert begin(server, "connect4", answer(False)) == first and asked == [first.id]
    assert f"connect4 against {first.players[1].name} is still open, 2 moves long" in loses(first)
    second = begin(server, "connect4", answer(True))
    assert second.id != first.id and server.played(first.id).ended == "resigned"
    casual = begin(server, "connect4", answer(None), rated=False)
    assert casual.id != second.id and not server.played(second.id).finished
    server.move(second.id, 3)
    with pytest.raises(Refused, match="still open") as refused:
        server.play("connect4")
    assert refused.value.status == 409 and refused.value.open_game == second.id


def test_a_game_that_was_rated_before_says_so(server):
    current = RemoteGame(server, server.play("tictactoe", side="first"))
    current.resign()
    assert not any("were rated before" in line for line in current.afterwards())
    for _ in range(2):  # the same agent is met again, since its name is asked for
        current = RemoteGame(server, server.play("tictactoe", side="first", opponent="random"))
        play(current, "b3", "c3", "a3")
    assert any("were rated before" in line for line in current.afterwards())


def test_the_agents_own_moves_are_told_apart_from_the_persons(server):
    shown = play(RemoteGame(server, server.play("connect4", side="second")), "4")
    assert shown.count("O played") == 0 and shown.count("X played 1; it expects to score 62 %") == 2


def test_a_rated_game_has_neither_hints_nor_undo_and_a_casual_one_has(server):
    shown = play(RemoteGame(server, server.play("connect4", side="first")), "4", "h", "u")
    assert "a rated game has no hints" in shown and "a rated game has no undo" in shown
    current = RemoteGame(server, server.play("connect4", side="first", rated=False))
    shown = play(current, "u", "4", "h", "u", "m")
    assert "there is nothing to take back" in shown
    assert "best line" in shown
    assert current.position.moves == ()


def test_an_illegal_move_never_reaches_the_server(server, site):
    current = RemoteGame(server, server.play("connect4", side="first"))
    before = len(site.requests)
    assert "is not a column" in play(current, "9")
    assert len(site.requests) == before


def test_a_game_can_be_resigned(server):
    current = RemoteGame(server, server.play("connect4", side="first"))
    assert "You lose." in play(current, "4", "r", "y")
    shown = io.StringIO()
    show_all(game_of_server(server, current.played.id), Console(file=shown, width=120))
    assert "O won: the other resigned" in shown.getvalue()
    assert server.me().account.name in shown.getvalue()


def test_a_lost_answer_does_not_lose_the_move(server, site):
    """The move was played but its answer was cut off; or it never arrived."""
    current = RemoteGame(server, server.play("connect4", side="first"))
    server.move(current.played.id, 3)
    site.faults = [(200, b"{", {})]
    assert current.play(3).moves == (0,)
    assert current.position.moves == (3, 0)
    site.faults = [(200, b"{", {})]
    with pytest.raises(NoughtError, match="JSON"):
        current.play(3)
    assert "expects" in play(current, "3")


def test_a_server_that_is_busy_is_said_and_the_game_can_go_on(server, site):
    current = RemoteGame(server, server.play("connect4", side="first"))
    site.refusals = [Busy("the queue is full", retry_after=2)]
    shown = play(current, "4", "4")
    assert "the queue is full (again in 2 seconds)" in shown
    assert current.position.moves == (3, 0)


def test_anothers_game_can_be_seen_but_not_played(server, site):
    id = server.play("connect4", side="first").id
    other = Server(site.url)
    with pytest.raises(NoughtError, match="is not yours"):
        RemoteGame(other, other.played(id))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("http://host:8000/game/abc", ("http://host:8000", "abc")),
        ("https://host/nought/game/abc", ("https://host/nought", "abc")),
        ("runs/game/abc", None),
        ("http://host/game/", None),
        ("abc", None),
    ],
)
def test_links_to_games(text, place):
    assert link(text) == place
