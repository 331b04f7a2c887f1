"""Analysing: values, variations, mistakes, and the search from inside."""

import re

from playwright.sync_api import Locator, expect

GAME = "14437"  # to begin at the edge gives a won game away
# Othello on 6 × 6: X passes before the 27th move, and the four moves that are left, with another pass, are forced.
PASSES = "d5c5b4a3b6d6a4e3f2c6d2e6a2d1e4a6e2c2c1b1b2f5b5f1f4f3b3a1"
MOVERS = [*[0, 1] * 13, 1, 0]
FORCED = [1, 1, 0, 0]


def test_what_is_said_about_a_position(visit):
    page = visit("/analyse?game=connect4&moves=4444")
    expect(page.locator(".analysis-table tbody tr")).to_have_count(7)
    expect(page.get_by_text("With perfect play X wins.")).to_be_visible()
    best = page.locator(".analysis-table tbody tr").first
    expect(best).to_contain_text("wins")
    expect(page.locator(".note.best")).to_have_count(1)
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", re.compile("% for X"))
    best.hover()
    expect(page.locator(".board .line").first).to_be_visible()
    expect(page.locator(".says")).to_contain_text("Best line: 4")


def colours(moves: Locator) -> list[int]:
    """Whose colour each of these moves has."""
    return [int(re.search(r"\bp([01])\b", move.get_attribute("class"))[1]) for move in moves.all()]


def test_a_line_with_a_pass_has_the_colours_of_who_moves(visit):
    page = visit(f"/analyse?game=othello:6x6&moves={PASSES}&ply={len(MOVERS)}")
    only = page.locator(".analysis-table tbody tr")
    expect(only).to_have_count(1)  # a game is compiled first
    only.hover()
    expect(page.locator(".says")).to_have_text("Best line: e1 e5 f6 a5")
    expect(page.locator(".board .line text")).to_have_text(["1", "2", "3", "4"])
    assert colours(page.locator(".board .line .disc")) == FORCED
    assert colours(page.locator(".course .move")) == MOVERS
    page.locator(".board .target").click()
    expect(page.locator(".course .move")).to_have_count(len(MOVERS) + 1)
    assert colours(page.locator(".course .move")) == [*MOVERS, FORCED[0]]


def test_a_game_with_a_pass_has_the_colours_of_who_moved(visit):
    page = visit(f"/play?game=othello:6x6&opponent=random&side=second&start={PASSES}")
    page.get_by_role("button", name="Play e1").click()
    page.get_by_role("button", name="Play e5").click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    assert colours(page.locator(".move-box li")) == MOVERS + FORCED
    page.get_by_role("link", name="Games").click()
    page.locator(".games .game").first.click()
    expect(page.get_by_role("link", name="Analyse this game")).to_be_visible()
    assert colours(page.locator(".moves .move")) == MOVERS + FORCED


def test_stepping_by_keys_and_the_address(visit):
    page = visit("/analyse?game=connect4&moves=4433&ply=1")
    expect(page.locator(".board .stones .stone")).to_have_count(1)
    for key, stones in (("ArrowRight", 2), ("End", 4), ("ArrowLeft", 3), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator(".board .stones .stone")).to_have_count(stones)
        expect(page).to_have_url(re.compile(f"moves=4433.*ply={stones}"))


def test_variations(visit):
    page = visit("/analyse?game=connect4&moves=4433&ply=2")
    expect(page.locator(".move")).to_have_count(4)
    page.keyboard.press("7")
    expect(page.locator(".branch .move[aria-current]")).to_have_text(re.compile("7"))
    expect(page).to_have_url(re.compile("line=447"))
    page.reload()
    expect(page.locator(".branch .move")).to_have_count(1)
    page.get_by_role("button", name="Back to the main line").click()
    expect(page.locator(".board .stones .stone")).to_have_count(2)
    page.keyboard.press("End")
    expect(page.locator(".board .stones .stone")).to_have_count(4)


def test_mistakes_and_graph(visit):
    page = visit(f"/analyse?game=connect4&moves={GAME}&ply=0")
    expect(page.locator(".chart.pick .flag").first).to_be_visible()
    page.locator(".move.blunder").first.click()
    expect(page).to_have_url(re.compile("ply=1"))
    expect(page.locator(".comment")).to_contain_text("This move throws away a win")
    box = page.locator(".chart.pick").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 16, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(f"ply={len(GAME)}"))


def test_pasted_moves(visit):
    page = visit("/analyse")
    page.get_by_label("Moves", exact=True).fill("4, 4 3")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".board .stones .stone")).to_have_count(3)
    page.get_by_label("Moves", exact=True).fill("4448")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".problem")).to_contain_text("'8' is not a column")


def simulations(text: str) -> int:
    return int(text.split(" ")[0].replace(",", ""))


def test_live_analysis_deepens_and_stops(visit):
    page = visit("/analyse?game=connect4&moves=12")
    facts = page.locator(".opinion .muted").first
    expect(facts).to_contain_text("simulations")
    first = facts.inner_text()
    page.get_by_role("button", name="Think on").click()
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_visible()
    expect(facts).not_to_have_text(first)
    assert simulations(facts.inner_text()) > simulations(first)
    stop.click()
    expect(page.get_by_role("button", name="Think on")).to_be_visible()


def test_inside_the_search(visit):
    page = visit("/inside?game=connect4&moves=35&simulations=6")
    expect(
        page.get_by_text("the root", exact=True)
    ).to_be_visible()  # it opens there, with what moves it in sight
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport()
    expect(page.locator(".graph .node:not(.unborn)")).to_have_count(1)
    seen = [page.locator(".phases [aria-current]").inner_text()]
    for _ in range(5):
        page.get_by_role("button", name="One moment on").click()
        seen.append(page.locator(".phases [aria-current]").inner_text())
    assert seen == ["expansion", "evaluation", "selection", "expansion", "evaluation", "backup"]
    expect(page.locator(".explains")).to_contain_text("one visit more")
    expect(page.locator(".came-back tbody tr")).to_have_count(1)
    expect(page.locator(".graph .node:not(.unborn)")).to_have_count(2)
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_text("simulation 6 of 6")).to_be_visible()
    expect(page.locator(".graph .node:not(.unborn)")).to_have_count(7)
    most = page.evaluate(
        """() => Math.max(...[...document.querySelectorAll(".film .scroll tbody tr")].map((row) => row.cells[1].textContent))"""
    )
    expect(page.locator(".film .scroll tr.mine td").nth(1)).to_have_text(str(most))  # what it plays
    expect(page.locator(".explains")).to_contain_text("So it plays")


def test_inside_a_game_without_a_network(visit):
    page = visit("/inside?game=race.py&moves=&simulations=5")
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_text("simulation 5 of 5")).to_be_visible()
    expect(page.locator(".film")).to_contain_text("ln ΣN")
