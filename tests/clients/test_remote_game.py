"""The terminal client on a server in memory."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from nought.clients import account
from nought.clients.console import ConsoleGame
from nought.clients.remote import Refused, Server
from nought.clients.remote_game import RemoteMatch, begin, loses
from nought.clients.replay import game_of_server, link, show_all
from nought.errors import NoughtError


@pytest.fixture
def server(stub):
    server = Server(stub.url)
    account.sign_in(server)
    return server


def play(match, *answers, **options):
    """What was shown."""
    shown, lines = io.StringIO(), iter(answers)

    def ask(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    ConsoleGame(match, console=Console(file=shown, width=200, highlight=False), ask=ask, **options).run()
    return shown.getvalue()


def test_a_rated_game_ends_with_the_new_rating_the_mistakes_and_a_link(server):
    match = RemoteMatch(server, server.play("tictactoe", side="first"))
    shown = play(match, *(f"{c}{r}" for r in "321" for c in "cba"))
    assert "against agents/first" in shown and "rated" in shown
    assert "your rating in tictactoe: 1000 → 1016 (+16)" in shown
    assert "move 1: you played c3: this move throws away a win; b2 was better" in shown
    assert f"nought replay {server.url}/game/g0" in shown
    assert match.result is not None


def test_an_open_rated_game_is_given_up_only_by_who_says_so(server):
    asked = []

    def answer(word):
        return lambda played: asked.append(played.id) or word

    first = begin(server, "connect4", answer(None), side="first")
    assert asked == []
    first = server.move(first.id, 3)
    assert begin(server, "connect4", answer(False)) == first and asked == [first.id]
    assert "connect4 against agents/first is still open, 2 moves long" in loses(first)
    second = begin(server, "connect4", answer(True))
    assert second.id != first.id and server.played(first.id).ended == "resigned"
    casual = begin(server, "connect4", answer(None), rated=False)
    assert casual.id != second.id and not server.played(second.id).finished
    server.move(second.id, 3)
    with pytest.raises(Refused, match="still open") as refused:
        server.play("connect4")
    assert refused.value.status == 409 and refused.value.open_game == second.id


def test_a_game_that_was_rated_before_says_so(server):
    match = RemoteMatch(server, server.play("tictactoe", side="first"))
    match.resign()
    match.played = replace(match.played, rating_change=None, repeated=True)
    assert any("were rated before" in line for line in match.afterwards())


def test_the_agents_own_moves_are_told_apart_from_the_persons(server):
    shown = play(RemoteMatch(server, server.play("connect4", side="second")), "4")
    assert shown.count("O played") == 0 and shown.count("X played 1; it expects to score 62 %") == 2


def test_a_rated_game_has_neither_hints_nor_undo_and_a_casual_one_has(server):
    shown = play(RemoteMatch(server, server.play("connect4", side="first")), "4", "h", "u")
    assert "a rated game has no hints" in shown and "a rated game has no undo" in shown
    match = RemoteMatch(server, server.play("connect4", side="first", rated=False))
    shown = play(match, "u", "4", "h", "u", "m")
    assert "there is nothing to take back" in shown
    assert "wins" in shown and "best line" in shown
    assert match.position.moves == ()


def test_an_illegal_move_never_reaches_the_server(server, stub):
    match = RemoteMatch(server, server.play("connect4", side="first"))
    before = len(stub.requests)
    assert "is not a column" in play(match, "9")
    assert len(stub.requests) == before


def test_a_game_can_be_resigned(server):
    match = RemoteMatch(server, server.play("connect4", side="first"))
    assert "You lose." in play(match, "4", "r", "y")
    shown = io.StringIO()
    show_all(game_of_server(server, match.played.id), Console(file=shown, width=120))
    assert "O won: the other resigned" in shown.getvalue() and "guest-0" in shown.getvalue()


def test_a_lost_answer_does_not_lose_the_move(server, stub):
    """The move was played but its answer was cut off; or it never arrived."""
    match = RemoteMatch(server, server.play("connect4", side="first"))
    server.move(match.played.id, 3)
    stub.trouble = [(200, b"{", {})]
    assert match.play(3).moves == (0,)
    assert match.position.moves == (3, 0)
    stub.trouble = [(200, b"{", {})]
    with pytest.raises(NoughtError, match="JSON"):
        match.play(3)
    assert "expects" in play(match, "3")


def test_a_server_that_goes_away_is_said_and_the_game_can_go_on(server, stub):
    match = RemoteMatch(server, server.play("connect4", side="first"))
    stub.trouble = [(503, {"error": "the queue is full"}, {"Retry-After": "2"})]
    shown = play(match, "4", "4")
    assert "the queue is full (again in 2 seconds)" in shown
    assert match.position.moves == (3, 0)


def test_anothers_game_can_be_seen_but_not_played(server, stub):
    id = server.play("connect4", side="first").id
    other = Server(stub.url)
    with pytest.raises(NoughtError, match="is not yours"):
        RemoteMatch(other, other.played(id))


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
