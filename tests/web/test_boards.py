"""Boards of every shape, and moves of every kind: games that people have written."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.skips import slow
from tests.web.support import violations
from tests.web.test_play import my_turn


def against_random(game: str) -> str:
    return f"/play?game={game}&side=first&opponent=random"


def over(page: Page) -> bool:
    my_turn(page)
    return page.locator(".result").is_visible()


def moves_made(page: Page) -> list[str]:
    return [re.sub(r"^\d+\s*", "", text) for text in page.locator(".move-box li").all_inner_texts()]


def press_until_focused(page: Page, key: str, name: str) -> None:
    for _ in range(12):
        if page.get_by_role("button", name=name).evaluate("place => place === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {name}")


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=slow)])
def test_a_whole_game_of_pieces_that_are_taken_up_and_put_down(visit, size):
    page = visit(against_random("breakthrough.py:5x3"), size=size)
    expect(page.locator(".strip.active")).to_contain_text("choose a piece")

    def press(place):
        place.tap() if size == "phone" else place.click()

    while not over(page):
        before = page.locator(".move-box li").count()
        assert page.locator(".choice circle").count() == 0
        pieces = page.get_by_role("button", name="Take up")
        press(pieces.last)
        goals = page.locator(".target[data-action]")
        expect(page.locator(".choice .goal")).to_have_count(goals.count())
        assert goals.count() >= 1
        name = goals.first.get_attribute("aria-label").removeprefix("Play ")
        press(goals.first)
        expect(page.locator(f".move-box li:nth-child({before + 1})")).to_be_visible()
        assert moves_made(page)[before] == name and re.fullmatch("[abc][1-5]-[abc][1-5]", name)
    expect(page.get_by_role("region", name="Result")).to_contain_text(re.compile("You won!|You lost"))
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.locator(".moves .move, .moves button").first).to_be_visible()


def test_pieces_with_the_keyboard_alone(visit):
    page = visit(against_random("breakthrough.py:5x3"))
    my_turn(page)
    page.keyboard.press("ArrowRight")  # goes to the board
    press_until_focused(page, "ArrowLeft", "Take up a2")
    page.keyboard.press("Enter")
    expect(page.locator(".target[data-action]").first).to_be_focused()
    assert page.get_by_role("button", name="Put a2 back").count() == 1
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Take up a2")).to_be_focused()
    page.keyboard.press("Enter")
    press_until_focused(page, "ArrowRight", "Play a2-b3")
    page.keyboard.press("Enter")
    expect(page.locator(".move-box li")).to_have_count(2)
    assert moves_made(page)[0] == "a2-b3"
    my_turn(page)
    while not over(page):  # the focus has stayed on the board
        before = page.locator(".move-box li").count()
        assert page.evaluate("document.activeElement.closest('.board') !== null")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator(f".move-box li:nth-child({before + 1})")).to_be_visible()


def test_another_piece_can_be_taken_up_instead(visit):
    page = visit(against_random("breakthrough.py:5x3"))
    my_turn(page)
    page.get_by_role("button", name="Take up a2").click()
    assert page.get_by_role("button", name="Play a2-a3").count() == 1
    page.get_by_role("button", name="Take up c2").click()
    assert page.get_by_role("button", name="Play a2-a3").count() == 0
    page.get_by_role("button", name="Put c2 back").click()
    assert page.locator(".target[data-action]").count() == 0
    assert page.get_by_role("button", name="Take up").count() == 3


def test_counts_in_pits(visit):
    page = visit(against_random("kalah.py:3:2"))
    my_turn(page)
    pits = page.locator(".board .pit text")
    assert sorted(pits.all_text_contents()) == ["0", "0", *["2"] * 6]
    page.get_by_role("button", name="Play c1").click()  # two stones: the last one in the own store
    expect(page.locator(".move-box li")).to_have_count(1)
    my_turn(page)
    assert sorted(pits.all_text_contents()) == ["0", "0", "1", "2", "2", "2", "2", "3"]
    expect(page.locator(".strip.active .points")).to_have_text("+1")
    expect(page.locator(".board-frame table")).to_contain_text("X 3")
    while not over(page):
        before = page.locator(".move-box li").count()
        page.locator(".target").first.click()
        expect(page.locator(f".move-box li:nth-child({before + 1})")).to_be_visible()
    counts = [int(text) for text in pits.all_text_contents()]
    assert sum(counts) == 12 and len([count for count in counts if count]) <= 2


def test_an_analysis_leaves_the_counts_readable(visit):
    page = visit("/analyse?game=kalah.py:3:2")
    expect(page.locator(".board .note")).to_have_count(3)
    notes = [note.bounding_box() for note in page.locator(".board .note .ground").all()]
    counts = [count.bounding_box() for count in page.locator(".board .pit text").all()]
    middles = [(count["x"] + count["width"] / 2, count["y"] + count["height"] / 2) for count in counts]
    for note in notes:
        inside = [note["x"] < x < note["x"] + note["width"] and note["y"] < y for x, y in middles]
        assert not any(inside), "a note lies on a count"
    expect(page.get_by_label("Moves", exact=True)).to_have_attribute("placeholder", "like b1")


def test_hexagons(visit):
    page = visit(against_random("hex.py:3"))
    my_turn(page)
    expect(page.locator(".board .hexagon")).to_have_count(9)
    assert [page.locator(f".board .border.p{player}").count() for player in (0, 1)] == [12, 10]
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".board .stones .stone.p0")).to_have_count(1)
    while not over(page):
        before = page.locator(".board .stones .stone").count()
        page.locator(".target").first.click()
        expect(page.locator(".board .stones .stone").nth(before)).to_be_visible()


def test_promotions_and_passes_have_names(visit):
    page = visit(against_random("pawns.py"))
    for _ in range(2):
        my_turn(page)
        before = page.locator(".move-box li").count()
        assert page.locator(".other-moves button").all_inner_texts()[:1] in (["pass"], [])
        page.get_by_role("button", name="Take up").click()
        page.locator(".target[data-action]").click()
        expect(page.locator(f".move-box li:nth-child({before + 1})")).to_be_visible()
    my_turn(page)
    page.get_by_role("button", name="Take up a3").click()
    page.get_by_role("button", name="Move to a4, in one of several ways").click()
    which = page.locator(".other-moves")
    expect(which).to_contain_text("Which move?")
    assert which.get_by_role("button").all_inner_texts() == ["a3-a4=Q", "a3-a4=N"]
    assert violations(page) == []
    which.get_by_role("button", name="a3-a4=N").click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("You won!")
    assert moves_made(page)[-1] == "a3-a4=N"
    expect(page.locator(".board .stone.p0 text")).to_have_text("Q")


def test_a_pass(visit):
    page = visit(against_random("pawns.py"))
    my_turn(page)
    page.locator(".other-moves").get_by_role("button", name="pass").click()
    expect(page.locator(".move-box li").first).to_contain_text("pass")


def test_a_board_that_its_game_draws(visit):
    page = visit(against_random("text.py"))
    expect(page.locator(".board-text")).to_have_text(".........\n<b>")
    assert violations(page) == []
    page.locator(".other-moves").get_by_role("button", name="b2").click()
    expect(page.locator(".board-text")).to_have_text(re.compile("X"))
    expect(page.locator(".move-box li")).to_have_count(2)


@pytest.mark.parametrize("game", ["breakthrough.py:5x3", "kalah.py:3:2", "hex.py:3"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_these_boards_are_for_everybody(visit, game, theme):
    page = visit(against_random(game), theme=theme, size="phone")
    my_turn(page)
    for take_up in page.get_by_role("button", name="Take up a2").all():
        take_up.click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
