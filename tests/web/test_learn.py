"""Lessons, walked through as a student does, each number that they show held against Python."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from nought.rating.elo import PAPERS, STANDARD
from tests.support.skips import slow
from tests.web.support import violations

NETWORK = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "learn" / "network.py"))["Network"]
LESSONS = {
    "reward": 7,
    "worth": 6,
    "neuron": 9,
    "learning": 8,
    "demos": 5,
    "strength": 9,
}  # and how many steps


def answer(page: Page) -> None:
    """Lets the page show the answer, where the step asks for a guess."""
    skip = page.get_by_role("button", name="I don't know")
    if skip.count():
        skip.click()


def walk(page: Page, steps: int) -> Iterator[int]:
    """Goes from step to step; each is shown with its answer."""
    for step in range(1, steps + 1):
        expect(page.locator(".lesson-steps [aria-current]")).to_have_text(str(step))
        answer(page)
        expect(page.locator(".step .guess")).to_have_count(0)
        yield step
        if step < steps:
            page.locator(".forward").click()


def working(page: Page) -> str:
    return page.locator(".working").first.inner_text()


def test_the_game_and_the_reward(visit):
    page = visit("/learn/reward")
    page.get_by_role("button", name="19,683").click()
    expect(page.locator(".reply")).to_have_text("Yes, that's it.")
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".step-stage")).to_contain_text("O is to move")
    for step in walk(page, 6):
        if step == 2:
            expect(page.locator(".phi")).to_have_text("−1")
        elif step == 3:
            rewards = page.locator("td.reward").all_inner_texts()
            assert rewards == ["+1", "−1", "+1", "−1", "+1", "−1", "+1"]
            expect(page.locator(".sums")).to_contain_text("X +4, O −3")
        elif step == 4:
            notes = page.locator(".note text").all_text_contents()
            assert sorted(set(notes)) == ["+0.20", "+0.34", "+0.50"]
            assert violations(page) == []
        elif step == 5:
            assert "".join(page.locator(".vector td").all_inner_texts()) == "010010001001100100"
            page.get_by_role("button", name="Square a1").press("Enter")  # now an X
            assert "".join(page.locator(".vector td").all_inner_texts()) == "110010001001100100"
        elif step == 6:
            expect(page.locator(".after")).to_contain_text("exactly 5,478")
            expect(page.locator(".count-table").last).to_contain_text("16,422")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Play column 3").click()
    expect(page.locator(".step-stage")).to_contain_text("You chose column 3")
    page.goto("/learn")
    expect(page.locator(".lesson-card").first).to_contain_text("7 of 7 steps")


def test_what_a_move_is_worth(visit):
    page = visit("/learn/worth", size="phone")
    for step in walk(page, LESSONS["worth"] - 1):
        if step == 1:
            expect(page.locator(".after")).to_contain_text("mean of the three is +0.33")
        elif step == 2:
            page.get_by_role("slider", name="Chance of c2").press("Home")  # never
            page.get_by_role("slider", name="Chance of a3").press("Home")
            assert working(page).endswith("1.00 × (+1.00) = +1.00")
        elif step == 3:
            worth = page.locator(".tree .worth").all_text_contents()
            assert worth[0] == "+1.00" and set(worth) == {"+1.00", "0.00", "−1.00"}
            assert violations(page) == []
        elif step == 4:
            rows = page.locator(".round-table tbody tr").all_inner_texts()
            assert rows[0].split() == ["0", "+0.30", "3,834"] and rows[-1].split()[1:] == ["0.00", "0"]
    page.locator(".forward").click()
    page.get_by_role("button", name="Play column 7").click()
    expect(page.locator(".reply").last).to_have_text("You chose column 7: it wins.")
    expect(page.locator(".note.wins")).to_have_count(1)
    expect(page.locator(".note.loses")).to_have_count(6)


def test_a_neuron_a_layer_a_convolution(visit):
    page = visit("/learn/neuron", theme="dark")
    for step in walk(page, LESSONS["neuron"]):
        if step == 1:
            assert working(page) == "y = 2 · 0.5 + 0.5 · 1 + 0 = 1.5"  # 002, figure 4.1.1
            page.get_by_role("slider", name="Input x₁").press("ArrowRight")
            assert working(page) == "y = 2 · 0.75 + 0.5 · 1 + 0 = 2"
        elif step == 2:
            expect(page.locator(".net .value").last).to_have_text("4.5")  # figure 4.2.2
        elif step == 3:
            assert "= 2·x − 1" in working(page)
        elif step == 4:
            page.get_by_role("slider", name="x", exact=True).press("Home")
            assert working(
                page
            ) == f"f(−4) = −1, and its slope there is f′(−4) = {1 - np.tanh(4) ** 2:.2g}".replace(
                "0.0013", "0"
            )
        elif step == 5:
            shares = np.exp([2, 1, 0]) / np.exp([2, 1, 0]).sum()
            assert page.locator(".bar-value").all_inner_texts() == [f"{share:.2f}" for share in shares]
            assert violations(page) == []
        elif step == 6:
            assert working(page).endswith("= 6")  # figure 4.3.2
            page.locator(".segments").get_by_text("equation 24").click()
            expect(page.locator(".feature-map td")).to_have_text(["4", "4", "3", "2"])  # 000, not transposed
        elif step == 9:
            expect(page.locator(".step-stage svg")).to_be_visible()


def test_how_a_network_learns(visit):
    network = NETWORK([2, 2, 1], ["tanh", "tanh"], np.random.default_rng(0))
    hidden, out = network.layers
    hidden.w, hidden.b = np.array([[0.4, 0.3], [-0.2, 0.6]]), np.array([0.1, 0])
    out.w, out.b = np.array([[0.5, -0.7]]), np.array([0.2])
    x, truth = np.array([[0.5, 1.0]]), np.array([[1.0]])
    losses = [network.learn(x, truth, rate=0.5) for _ in range(2)]
    page = visit("/learn/learning")
    for step in walk(page, LESSONS["learning"]):
        if step == 1:
            assert working(page).endswith("= 0.125")
        elif step == 2:
            page.get_by_role("button", name="One step").click()
            assert working(page).startswith("w = −0.4: slope −4.8")
        elif step == 3:
            page.get_by_role("slider", name="Lines shown").press("End")
            last = page.locator(".back-lines li").last
            expect(last).to_have_text(f"and the loss is now {losses[1]:.3f}, before it was {losses[0]:.3f}")
            assert violations(page) == []
        elif step == 4:
            rows = [row.split("\t") for row in page.locator(".slope-table tbody tr").all_inner_texts()]
            numbers = [[float(cell.replace("−", "-")) for cell in row[1:]] for row in rows]
            assert len(numbers) == 9 and all(
                back == pytest.approx(tried, abs=3e-4) for back, tried in numbers
            )
        elif step == 5:
            for _ in range(3):
                page.get_by_role("button", name="100 steps").click()
            assert float(re.findall(r"loss ([\d.]+)", working(page))[0]) < 0.05
        elif step == 6:
            page.get_by_role("button", name="100 steps").click()
            expect(page.locator(".right-share")).to_have_text(re.compile(r"in (8|9)\d\s% of all 4,520"))
        elif step == 7:  # a trained network comes from the server: tests/web/test_learn_in_node.py asks it
            expect(page.locator(".step-stage")).to_contain_text(re.compile("on its way|Loss"))


def test_two_learners(visit):
    page = visit("/learn/demos", motion=True)
    for step in walk(page, LESSONS["demos"]):
        if step in (2, 3):
            page.get_by_role("button", name="One step").click()
            expect(page.locator(".working")).to_contain_text("Steps: 1, loss 0.2494")
        if step == 2:
            page.get_by_role("button", name="Learn", exact=True).click()
            expect(page.locator(".working")).to_have_text(
                re.compile(r"Steps: \d{2,}")
            )  # it goes on by itself
            page.get_by_role("button", name="Pause").click()
            assert violations(page) == []
        elif step == 4:
            before = page.locator(".working").inner_text()
            for _ in range(4):
                page.get_by_role("button", name="50 updates").click()
            distance = [float(text.split()[-1]) for text in (before, page.locator(".working").inner_text())]
            assert distance[1] < distance[0] and page.locator(".points > circle").count() == 200


def test_how_strong(visit):
    page = visit("/learn/strength")
    for step in walk(page, LESSONS["strength"]):
        if step == 1:
            for scale in (PAPERS, STANDARD):
                assert f"{scale.expected(400):.2f}" in working(page)
        elif step == 2:
            for scale in (PAPERS, STANDARD):
                assert f"+{scale.difference(0.75):.0f}" in working(page)
        elif step == 3:
            page.get_by_role("button", name="A wins").click()
            gain = 32 * (1 - PAPERS.expected(-400))
            assert page.locator(".facts dd").all_inner_texts() == [f"{1000 + gain:.0f}", f"{1400 - gain:.0f}"]
        elif step == 5:
            assert working(page).startswith("Of 40 games 2 are different")
        elif step == 6:
            expect(page.locator(".rating-table tbody tr").last).to_contain_text("1778")
        elif step == 7:
            expect(page.locator(".exam-table tbody tr").last).to_contain_text("98.4")
            expect(page.locator(".working").last).to_contain_text("plays column 7")
            assert violations(page) == []
        elif step == 8:
            expect(page.locator(".step-stage .working")).to_contain_text("It plays column")


def test_keys_and_what_is_remembered(visit):
    page = visit("/learn/worth?step=2")
    expect(page.get_by_role("heading", name="Change the policy")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="And if the other one")).to_be_focused()
    page.get_by_role("button", name="−0.5", exact=True).press("Enter")
    expect(page.locator(".reply")).to_have_text("You said: −0.5. The answer: −1: it loses.")
    expect(page.locator(".forward")).to_be_focused()
    page.reload()
    expect(page.locator(".reply")).to_have_text("You said: −0.5. The answer: −1: it loses.")
    page.goto("/learn")
    page.get_by_role("link", name="Go on at step 3").click()
    expect(page).to_have_url(re.compile(r"/learn/worth\?step=3$"))
    page.goto("/learn/nothing")
    expect(page.locator(".empty")).to_contain_text("no such lesson")


@slow
@pytest.mark.parametrize(("theme", "size"), [("light", "phone"), ("dark", "desktop")])
@pytest.mark.parametrize("lesson", LESSONS)
def test_every_step_is_for_everybody(visit, lesson, theme, size):
    page = visit(f"/learn/{lesson}", theme=theme, size=size)
    for step in walk(page, LESSONS[lesson]):
        assert violations(page) == [], step
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], step
