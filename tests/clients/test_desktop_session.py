"""What the desktop's window shows, without a window."""

import threading

import pytest

from nought.clients.desktop.session import Session, result_text
from nought.clients.desktop.worker import Worker
from nought.clients.remote import Server
from nought.server.http.errors import Busy
from tests.support.real_server import serving


class Person:
    """A session, and every state that it told."""

    def __init__(self, site, **options):
        self.states = []
        self.session = Session(Server(site.url), self.states.append, **options)

    @property
    def state(self):
        return self.session.state

    def does(self, action, *arguments, **options):
        self.session.attempt(getattr(self.session, action), *arguments, **options)
        return self.state

    @property
    def name(self):
        return self.state.profile.account.name

    def moves(self, name):
        return self.does("move", next(move for move in self.state.shown.legal if move.name == name))


@pytest.fixture
def person(site):
    person = Person(site)
    person.does("enter")
    return person


def test_entering_signs_in_and_sets_up_the_first_games_board(person):
    state = person.state
    assert person.name.startswith("guest-") and state.game.title == "Connect 4"
    assert state.shown.game == "connect4" and state.step == 0
    assert not state.your_turn and not state.open_game and state.past == () and not state.trouble


def test_the_account_is_the_same_next_time_even_on_another_port(site, person):
    assert Person(site).does("enter").profile.account.name == person.name
    here = Person(site, place="this machine").does("enter").profile.account.name
    assert Person(site, place="this machine").does("enter").profile.account.name == here != person.name


def test_a_game_against_the_closest_agent_shows_ones_move_before_the_answer(person):
    person.does("choose", "tictactoe")
    state = person.does("new_game")
    assert state.played.you == 1 and state.played.rated and state.your_turn  # the agent moves first here
    assert state.step == state.steps == 1
    before = len(person.states)
    state = person.moves("c3")
    assert [len(s.shown.names) for s in person.states[before:]][:2] == [2, 3]
    assert not person.states[before].your_turn  # while the agent thinks
    assert state.step == state.steps == 3 and state.your_turn


def test_the_end_of_a_game_brings_result_rating_and_an_entry_in_the_list(person):
    person.does("choose", "tictactoe")
    person.does("new_game")
    for name in ("c1", "b2", "a3"):
        person.moves(name)
    state, change = person.state, person.state.played.rating_change
    gained = round(change.after) - round(change.before)
    assert state.notice == f"You won · rating {change.before:.0f} → {change.after:.0f} ({gained:+d})"
    assert gained > 0 and state.rating == change.after
    assert [game.id for game in state.past] == [state.played.id] and len(state.shown.line) == 3


def test_a_casual_game_can_be_taken_back_and_resigned(person):
    person.does("new_game", rated=False)
    person.moves("4")
    assert person.does("undo").steps == 1
    state = person.does("resign")
    assert state.notice == "You lost (resigned)" and not state.open_game


def test_against_agents_without_ratings_a_game_is_casual(tmp_path):
    with serving(tmp_path, rated=False) as site:
        person = Person(site)
        person.does("enter")
        state = person.does("new_game")
    assert state.your_turn and not state.played.rated


def test_stepping_through_a_game_of_the_past(person, site):
    id = person.does("new_game").played.id
    for name in "456":
        person.moves(name)
    last = person.does("resign").shown
    person.does("choose", "othello")
    state = person.does("open", id)
    assert state.shown == last and state.table.name == "connect4" and not state.your_turn
    person.session.wanted = 2
    assert person.does("follow").shown.names == last.names[:2]
    asked = len(site.requests)
    person.session.wanted = 3
    person.does("follow")
    person.session.wanted = 2
    person.does("follow")
    assert len(site.requests) == asked + 1  # what was seen is not asked for again
    person.session.wanted = -5
    assert person.does("follow").step == 0
    person.session.wanted = 99
    assert person.does("follow").shown == last


def test_looking_back_in_an_open_game_does_not_allow_moves_there(person):
    person.does("new_game")
    person.moves("4")
    person.session.wanted = 1
    assert not person.does("follow").your_turn
    person.session.wanted = 3
    assert person.does("follow").your_turn


def test_an_open_game_goes_on_after_a_restart(site, person):
    id = person.does("new_game").played.id
    again = Person(site)
    again.does("enter")
    assert not again.state.past[0].finished and "still open" in again.state.notice
    assert again.does("open", id).your_turn
    again.moves("4")
    assert again.state.steps == 3


def test_trouble_is_said_and_the_game_stays_as_it_was(person, site):
    person.does("new_game")
    shown = person.state.shown
    site.refusals = [Busy("the queue is full")]
    state = person.does("move", shown.legal[0])
    assert state.trouble and state.notice == "the queue is full" and state.shown == shown and state.your_turn
    state = person.moves("4")
    assert not state.trouble and state.notice == ""


def test_a_lost_answer_does_not_lose_the_move(person, site):
    person.does("new_game")
    position, move = person.state.shown, person.state.shown.legal[3]
    person.session.server.move(person.state.played.id, move.action)  # the move arrives, its answer does not
    real = person.session.server.move

    def cut(id, action):
        site.faults = [(200, b"{", {})]
        return real(id, action)

    person.session.server.move = cut
    state = person.does("move", move)
    assert not state.trouble and state.steps == len(position.names) + 2


def test_a_server_that_is_away_is_said():
    states = []
    session = Session(Server("http://127.0.0.1:1"), states.append)
    session.attempt(session.enter)
    assert states[-1].trouble and "there is no server at" in states[-1].notice


def test_naming_and_entering_an_account(site, person):
    state = person.does("keep_account", "Anna", "correct horse")
    assert state.notice == "You are Anna now." and person.name == "Anna"
    other = Person(site, place="elsewhere")
    other.does("enter")
    assert other.does("sign_in", "Anna", "wrong").trouble
    assert other.does("sign_in", "Anna", "correct horse").profile.account.name == "Anna"
    assert Person(site, place="elsewhere").does("enter").profile.account.name == "Anna"


def test_a_strangers_game_names_the_winner(site, person):
    person.does("new_game")
    played = person.does("resign").played
    stranger = Server(site.url)
    assert result_text(stranger.played(played.id)) == f"{played.players[0].name} won (resigned)"


def test_what_goes_wrong_inside_is_said_and_the_worker_goes_on(person, capsys):
    worker, done = Worker(), threading.Event()
    worker.do(person.session.attempt, lambda: 1 / 0)
    worker.do(done.set)
    assert done.wait(10)
    assert "ZeroDivisionError" in person.state.notice and person.state.trouble
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_an_open_rated_game_is_asked_about(person):
    person.does("new_game")
    first = person.moves("4").played
    person.does("choose", "connect4")  # away from the table
    state = person.does("new_game")
    assert state.still_open.id == first.id and not state.trouble and state.played is None
    assert person.does("open", first.id).still_open is None
    person.does("choose", "connect4")
    state = person.does("new_game", give_up=True)
    assert state.played.id != first.id and state.still_open is None
    assert person.session.server.played(first.id).ended == "resigned"
