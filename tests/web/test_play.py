"""Playing: what a visitor does who has read nothing."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.skips import slow
from tests.web.support import violations


def column(page: Page, number: int):
    return page.get_by_role("button", name=f"Play column {number}")


def my_turn(page: Page) -> None:
    """Waits until the opponent has answered, or the game is over."""
    expect(page.locator(".board.playable, .result").first).to_be_visible()


def play_on(page: Page, move) -> None:
    """Plays any legal column until the game is over."""
    for _ in range(21):
        my_turn(page)
        if page.locator(".result").is_visible():
            return
        before = page.locator(".move-box li").count()
        move(page.locator(".target").first)
        expect(page.locator(f".move-box li:nth-child({before + 1})")).to_be_visible()
    my_turn(page)


EASY = "/play?game=connect4&opponent=random"


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=slow)])
def test_whole_game_of_connect4(visit, size):
    page = visit("/", size=size, motion=True)
    expect(page.locator(".strip.active")).to_contain_text("your move")  # no click yet: the board is ready
    column(page, 4).tap() if size == "phone" else column(page, 4).click()
    expect(page.locator(".stone.p0")).to_have_count(2)  # on the board, and in the player's strip
    play_on(page, lambda target: target.tap() if size == "phone" else target.click())
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).to_have_text(re.compile("You won!|You lost|A draw"))
    expect(result.get_by_role("link", name="Analyse this game")).to_be_visible()
    if "draw" not in result.inner_text():
        assert page.locator(".marks .won").count() >= 4
    expect(page.locator(".strip").first).to_contain_text("casual")
    expect(result.locator(".rating-change")).to_have_count(0)
    result.get_by_role("button", name="Play again").click()
    expect(page.locator(".board .stones .stone")).to_have_count(0)
    expect(page.locator(".strip.active")).to_contain_text("your move")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_keyboard_alone(visit):
    page = visit(EASY)
    my_turn(page)
    page.keyboard.press("ArrowRight")  # goes to the board
    page.keyboard.press("ArrowRight")
    expect(column(page, 5)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".move-box li")).to_have_count(2)
    my_turn(page)
    page.keyboard.press("2")
    expect(page.locator(".move-box li")).to_have_count(4)
    assert re.match(r"1\s*5", page.locator(".move-box li").first.inner_text())
    expect(page.locator("#live")).to_contain_text("Your move")


def test_undo_and_resign_of_a_casual_game(visit):
    page = visit(EASY)
    my_turn(page)
    column(page, 1).click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".board .note")).to_have_count(1)
    expect(page.locator(".strip.active")).to_contain_text("hint: column")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".board .stones .stone")).to_have_count(0)
    column(page, 2).click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("You resigned")


def test_a_newcomer_meets_a_real_opponent_in_a_casual_game(visit):
    page = visit("/")
    for game in ("Connect 4", "Tic-tac-toe", "Othello 6×6"):
        page.get_by_text(game, exact=True).click()
        strip = page.locator(".strip").first
        expect(strip).to_contain_text(re.compile(r"casual · rating \d+"))
        assert int(re.search(r"rating (\d+)", strip.inner_text())[1]) > 300
        expect(strip).not_to_contain_text("Plays anything")
    expect(page.get_by_role("switch")).not_to_be_checked()


def rated_game(page: Page) -> None:
    page.get_by_role("switch").check()
    expect(page.locator(".strip").first).to_contain_text("rated")
    column(page, 4).click()
    expect(page.locator(".move-box li")).to_have_count(2)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    my_turn(page)


def test_a_rated_game_is_given_up_only_after_asking(visit):
    page = visit(EASY)
    my_turn(page)
    rated_game(page)
    new = page.get_by_role("button", name="New game")
    dialog = page.get_by_role("dialog", name="Give up your rated game?")
    new.click()
    expect(dialog).to_contain_text("is still open, 2 moves long")
    assert violations(page) == []
    page.keyboard.press("Escape")  # leaves the question, and the game is there
    expect(dialog).to_have_count(0)
    expect(new).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Go on with it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.locator(".board .stones .stone")).to_have_count(2)
    my_turn(page)
    new.click()
    expect(dialog).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # give it up
    expect(page.locator(".board .stones .stone")).to_have_count(0)
    page.goto("/replays")
    expect(page.locator(".games .game", has_text="lost, resigned")).to_have_count(1)


def test_the_first_move_on_an_empty_board_asks_too(visit):
    page = visit(EASY)
    my_turn(page)
    rated_game(page)
    page.goto(EASY)  # the game is still open, but the page was asked for another
    my_turn(page)
    column(page, 2).click()
    page.get_by_role("dialog").get_by_role("button", name="Go on with it").click()
    expect(page.locator(".board .stones .stone")).to_have_count(2)
    expect(page.locator(".move-box li")).to_have_count(2)
    page.goto(EASY)
    my_turn(page)
    column(page, 2).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".board .stones .stone")).to_have_count(0)
    column(page, 3).click()
    page.get_by_role("dialog").get_by_role("button", name="Give it up").click()
    expect(page.locator(".move-box li")).to_have_count(2)


def test_a_game_that_was_rated_before_says_so(visit):
    page = visit("/play?game=tictactoe&opponent=random")

    def repeated(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "repeated": True})

    page.route("**/resign", repeated)
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("were rated before")


def test_as_second_player_the_opponent_begins(visit):
    page = visit(EASY)
    my_turn(page)
    page.get_by_text("Second", exact=True).click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".move-box li")).to_have_count(1)
    expect(page.locator(".strip.active")).to_contain_text("your move")


def test_a_game_in_progress_is_still_there_after_reloading(visit):
    page = visit(EASY)
    column(page, 3).click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.goto("/")
    expect(page.locator(".board .stones .stone")).to_have_count(2)
    expect(page.locator(".strip.active")).to_contain_text("your move")


@pytest.mark.parametrize(("game", "target", "sign"), [
    ("othello", "Play d3", ".board .stones .stone.p0"),
    ("dots-and-boxes", "Play edge 0", ".board .edge.drawn"),
    ("tictactoe", "Play b2", ".board .stones .stone.p0"),
])  # fmt: skip
def test_other_games(visit, game, target, sign):
    page = visit(f"/play?game={game}&opponent=random")
    page.get_by_role("button", name=target, exact=True).click()
    expect(page.locator(sign).first).to_be_attached()
    expect(page.locator(".move-box li").nth(1)).to_be_visible()  # the opponent has answered
    my_turn(page)


def test_a_lost_answer_does_not_move_twice(visit):
    page = visit(EASY)
    column(page, 4).click()
    expect(page.locator(".move-box li")).to_have_count(2)
    my_turn(page)

    def lose_the_answer(route):
        route.fetch()
        route.abort()

    page.route("**/move", lose_the_answer)
    column(page, 3).click()
    expect(page.get_by_role("heading", name="The server is away")).to_be_visible()
    page.unroute("**/move")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".move-box li")).to_have_count(4)
    my_turn(page)
    expect(page.locator(".board .stones .stone")).to_have_count(4)


def test_a_game_of_ones_own_whose_moves_have_no_place_on_the_board(visit):
    page = visit("/play?game=race.py&opponent=random")
    for stones in ("move 0", "move 1"):
        page.get_by_role("button", name=stones, exact=True).click()
        expect(page.locator(".board .stones .stone.p1").last).to_be_attached()
        my_turn(page)
        if page.locator(".result").is_visible():
            break
    expect(page.locator(".board .stones .stone").nth(2)).to_be_attached()


def test_server_away(visit):
    page = visit(EASY)
    my_turn(page)
    page.route("**/api/play**", lambda route: route.abort())
    column(page, 4).click()
    expect(page.get_by_role("heading", name="The server is away")).to_be_visible()
    expect(page.locator(".board .stones .stone")).to_have_count(0)  # the move was not made
    page.unroute("**/api/play**")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".move-box li")).to_have_count(2)
    expect(page.get_by_role("heading", name="The server is away")).to_be_hidden()


def test_how_a_game_of_ones_own_is_played(visit):
    page = visit("/play?game=race.py")
    rules = page.locator("details.rules")
    expect(rules.locator("p").first).to_be_hidden()
    rules.get_by_text("How it is played").click()
    expect(rules).to_contain_text("Race")
    assert violations(page) == []


def test_a_run_is_an_opponent(visit):
    page = visit("/play?game=tictactoe&opponent=tiny")
    expect(page.get_by_label("Opponent").locator("option:checked")).to_contain_text("tiny, version 3")
    expect(page.locator(".strip").first).to_contain_text("tiny, version 3, 200 simulations")
