"""Quick people on slow machines: whatever the page shows as possible is done, and nothing late undoes it."""

import contextlib
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.support.programs import until
from tests.web.test_analyse_page import colours
from tests.web.test_play import EASY, column, my_turn, rated_game

# Only the last column of Connect 4 is left: the opponent has no other answer than the same column.
LAST_COLUMN = "322642266122136156556143444143335515"


class Held:
    """The requests to these addresses that the server has not heard of yet."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.page, self.pattern = page, pattern
        self.routes: list[Route] = []
        page.route(pattern, lambda route: self.routes.append(route))

    def wait(self, n: int = 1) -> None:
        until(lambda: self.page.evaluate("1") and len(self.routes) >= n)

    def let_go(self) -> None:
        self.page.unroute(self.pattern)
        for route in self.routes:
            with contextlib.suppress(Error):  # the page does not wait for it any more
                route.continue_()

    def answer(self, json: object) -> None:
        """Answers at last, and waits until the page has had time to make something of it."""
        with contextlib.suppress(Error):
            self.routes[0].fulfill(json=json)
        self.page.evaluate("fetch('/healthz').then(() => new Promise(requestAnimationFrame))")


@pytest.fixture
def game(visit) -> Iterator[Page]:
    """A casual game of Connect 4 after the first two moves, without a service worker: requests can be held."""
    page = visit(EASY, service_worker=False)
    column(page, 1).click()
    expect(page.locator(".move-box li")).to_have_count(2)
    my_turn(page)
    return page


def test_a_move_is_taken_while_a_hint_is_looked_for(game):
    hint = Held(game, "**/api/best-move")
    game.get_by_role("button", name="Hint").click()
    hint.wait()
    column(game, 2).click()
    expect(game.locator(".move-box li")).to_have_count(4)
    hint.answer({"action": 0, "name": "1", "value": 0.5, "agent": "agents/connect4"})
    expect(game.locator(".strip.active")).to_contain_text("your move")  # it came too late
    assert game.locator(".board .note").count() == 0


def test_no_move_is_offered_that_would_not_be_taken(game):
    position = Held(game, "**/api/position**")
    column(game, 2).click()
    position.wait()
    assert game.locator(".board.playable, .target").count() == 0
    game.keyboard.press("3")
    position.let_go()
    expect(game.locator(".move-box li")).to_have_count(4)
    my_turn(game)


@pytest.mark.parametrize(("button", "left"), [("Undo", 2), ("New game", 0)])
def test_what_is_asked_for_while_the_opponent_thinks_is_done_then(game, button, left):
    move = Held(game, "**/move")
    column(game, 2).click()
    move.wait()
    game.get_by_role("button", name=button).click()
    with game.expect_response(re.compile("undo|api/play$")):
        move.let_go()
    expect(game.locator(".board .stones .stone")).to_have_count(left)
    my_turn(game)


def test_a_board_is_ready_when_the_opponent_is_known(visit):
    page = visit("/play?game=connect4", service_worker=False)
    my_turn(page)
    opponent = Held(page, "**/api/opponent**")
    page.get_by_role("switch").check()
    expect(page.locator(".board.playable")).to_have_count(0)
    opponent.wait()
    opponent.let_go()
    my_turn(page)
    expect(page.locator(".strip").first).to_contain_text("rated")


def test_the_focus_stays_where_it_is_needed(visit):
    page = visit(EASY)
    my_turn(page)
    page.get_by_role("radio", name="Connect 4").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Dots and boxes 2×2")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name="Connect 4")).to_be_focused()
    my_turn(page)
    column(page, 5).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".move-box li")).to_have_count(2)
    expect(column(page, 5)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".move-box li")).to_have_count(4)


def test_the_focus_is_not_taken_by_a_page_that_is_loaded_at_last(visit):
    page = visit("/nowhere", service_worker=False)
    games = Held(page, "**/api/play?**")
    page.get_by_role("link", name="Games").click()
    game = page.get_by_role("combobox", name="Game")
    game.focus()
    games.wait()
    games.let_go()
    expect(page.locator(".games, .empty").first).to_be_visible()
    expect(game).to_be_focused()


def test_leaving_the_question_leaves_the_way_to_begin(visit):
    page = visit(EASY)
    my_turn(page)
    rated_game(page)
    page.goto(f"{EASY}&side=second")
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()


def test_an_answer_in_the_same_column_is_heard(visit):
    page = visit(f"{EASY}&start={LAST_COLUMN}")
    column(page, 7).click()
    expect(page.locator("#live")).to_have_text(re.compile("plays column 7. Your move."))


def test_moves_of_an_analysis_wait_for_the_position_they_are_of(visit):
    page = visit("/analyse?game=connect4", service_worker=False)
    expect(page.locator(".board.playable")).to_be_visible()
    position = Held(page, "**/api/position**")
    page.keyboard.press("4")
    position.wait()
    page.keyboard.press("4")
    page.keyboard.press("ArrowLeft")
    position.let_go()
    expect(page).to_have_url(re.compile("ply=1&moves=44$"))
    assert colours(page.locator(".course .move")) == [0, 1]


def test_an_analysis_without_a_server_stays_where_it_is(visit):
    page = visit("/analyse?game=connect4&moves=44&ply=2", service_worker=False)
    expect(page.locator(".board.playable")).to_be_visible()
    page.route("**/api/position**", lambda route: route.abort())
    page.keyboard.press("3")
    expect(page.get_by_role("heading", name="The server is away")).to_be_visible()
    page.unroute("**/api/position**")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".board .stones .stone")).to_have_count(3)


def test_the_table_of_an_analysis_is_that_of_the_position(visit):
    page = visit("/analyse?game=connect4&moves=44444")
    expect(page.locator(".analysis-table tbody tr")).to_have_count(7)
    page.locator(".analysis-table").get_by_role("button", name="Play 4").click()
    expect(page.locator(".analysis-table tbody tr")).to_have_count(6)  # that column is full


def test_what_was_chosen_last_is_shown(visit):
    page = visit("/ladder?game=connect4", service_worker=False)
    expect(page.locator(".ladder-table")).to_contain_text("Level 9")
    othello = Held(page, "**/api/ladder?game=othello")
    page.get_by_label("Game").select_option("othello")
    othello.wait()
    page.get_by_label("Game").select_option("race.py")
    expect(page.get_by_text("Nobody has a rating here yet.")).to_be_visible()
    othello.answer([{"rank": 1, "kind": "person", "name": "Ann", "rating": 1, "games": 1}])
    expect(page.get_by_text("Nobody has a rating here yet.")).to_be_visible()


def test_the_search_that_was_asked_for_last_is_shown(visit):
    page = visit("/inside?game=connect4&moves=35&simulations=4", service_worker=False)
    rows = page.locator(".film .scroll tbody tr")
    expect(rows).to_have_count(7)
    late = page.request.post("/api/inside", data={"game": "race.py", "moves": "", "simulations": 4}).json()
    search = Held(page, "**/api/inside")
    page.get_by_label("Game").select_option("race.py")
    search.wait()
    page.unroute("**/api/inside")
    page.get_by_label("Game").select_option("tictactoe")
    expect(rows).to_have_count(9)
    search.answer(late)
    expect(rows).to_have_count(9)
    expect(page).to_have_url(re.compile("game=tictactoe"))
