"""Lessons that look into a network, a search, the loop and its speed, walked through; their numbers held against Python."""

import json
import zlib
from pathlib import Path

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, Route, expect

import nought.server
from nought.agents.networks import load_network, trained
from nought.games import load
from nought.network.steps import steps_of
from tests.support.skips import slow
from tests.web.support import violations

AGENT = "agents/connect4-level-7"
OURS = "4371564453763664"
DATA = Path(nought.server.__file__).with_name("static") / "js" / "learn" / "data" / "speed.json"


def reveal(page: Page, step: int) -> None:
    """Goes to a step, and lets the page show its answer."""
    page.get_by_role("button", name=f"Step {step} of").click()
    expect(page.locator(".lesson-steps [aria-current]")).to_have_text(str(step))
    skip = page.get_by_role("button", name="I don't know")
    if skip.count():
        skip.click()
    expect(page.locator(".step .guess")).to_have_count(0)


def check(page: Page) -> None:
    """Nothing is wrong with the page, and nothing wider than the screen."""
    assert violations(page) == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]  # type: ignore[index]


def said(moves: str) -> tuple[np.ndarray, float]:
    """Logits and value of the network that lesson 6 looks into."""
    game = load("connect4")
    network = load_network(trained(AGENT).path, game).network.eval()
    with torch.inference_mode():
        output = network(torch.from_numpy(game.position(moves).planes())[None].float())
    return output.policy[0].numpy(), float(output.value[0])


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").replace("%", "").replace(",", "").strip())


@pytest.mark.parametrize(("theme", "size"), [("light", "phone"), pytest.param("dark", "desktop", marks=slow)])
def test_a_network_layer_by_layer(visit, theme, size):
    content = steps_of(load_network(trained(AGENT).path, load("connect4")).network).content()

    def agent(route: Route) -> None:  # the module for browsers takes long to make, and is not needed here
        facts = {"checksum": zlib.crc32(content)}
        route.fulfill(
            json={"agent": AGENT, "facts": facts, "code": "/code", "network": "/api/browser/files/network"}
        )

    page = visit("/learn", theme=theme, size=size, service_worker=False)
    page.route("**/api/browser/agent*", agent)
    page.route("**/api/browser/files/network", lambda route: route.fulfill(body=content))
    page.goto("/learn/network")
    page.get_by_role("button", name="one number changes, and the planes").click()
    expect(page.locator(".reply")).to_have_text("Yes, that's it.")
    planes = load("connect4").position(OURS).planes().reshape(2, -1)
    for i in range(2):
        shown = page.locator(".named-grid").nth(i).locator("td").all_inner_texts()
        assert [int(text) for text in shown] == planes[i].astype(int).tolist()

    reveal(page, 2)  # the first layer: a number is the sum of its parts
    expect(page.locator(".maps button")).to_have_count(32)
    page.locator(".maps button").nth(4).press("Enter")
    page.locator(".big-map button").nth(38).focus()
    expect(page.locator(".sum-part")).to_have_count(2)
    terms = [number(text) for text in page.locator(".sum .terms dd").all_inner_texts()]
    assert sum(terms[:3]) == pytest.approx(terms[3], abs=0.03)
    assert terms[4] == pytest.approx(max(0, terms[3]), abs=0.01)
    check(page)

    reveal(page, 4)  # a filter switched off
    logits, value = said("4433")
    shares = np.exp(logits) / np.exp(logits).sum()
    shown = [number(text) for text in page.locator(".whole .share-number").all_inner_texts()]
    np.testing.assert_allclose(shown, 100 * shares, atol=0.15)
    assert number(page.locator(".whole .value-line strong").inner_text()) == pytest.approx(value, abs=0.01)
    assert page.locator(".without .chosen .share-name").inner_text() == "4"
    page.locator(".maps button").nth(7).click()  # on again
    expect(page.locator(".without")).to_have_count(0)
    check(page)

    reveal(page, 5)  # both heads, and a masked column
    logits, value = said(f"{OURS}44")
    cells = page.locator(".logits tbody tr td:nth-child(2)").all_inner_texts()
    np.testing.assert_allclose([number(text) for text in cells], logits, atol=0.02)
    legal = np.where(np.arange(7) == 3, 0, np.exp(logits))
    shown = page.locator(".logits tbody tr:not(.masked) td:nth-child(5)").all_inner_texts()
    expected = np.delete(100 * legal / legal.sum(), 3)
    np.testing.assert_allclose([number(text) for text in shown], expected, atol=0.15)
    expect(page.locator(".logits .masked")).to_contain_text("masked")
    assert number(page.locator(".terms .output").inner_text()) == pytest.approx(value, abs=0.01)
    check(page)


def test_a_search_as_a_lesson(visit):
    page = visit("/learn/search", theme="dark")
    ask = {"game": "connect4", "moves": OURS, "agent": "agents/connect4", "simulations": 30, "c_puct": 2}
    search = page.request.post("/api/inside", data=ask).json()
    expect(page.locator(".lesson-steps li")).to_have_count(7)
    reveal(page, 2)
    expect(page.get_by_text("the root", exact=True)).to_be_visible()
    for phase in ("evaluation", "selection"):
        page.get_by_role("button", name="One moment on").click()
        expect(page.locator(".phases [aria-current]")).to_have_text(phase)
    chosen = search["steps"][1]["path"][0]
    expect(page.locator(".candidates .chosen .candidate-name")).to_have_text(chosen["name"])
    shown = number(page.locator(".candidates .chosen .candidate-number").inner_text())
    assert shown == pytest.approx(chosen["q"] + chosen["u"], abs=0.01)
    check(page)

    reveal(page, 3)  # curiosity: with much of it visits are as the priors say
    expect(page.locator(".shares").first).to_be_visible()
    page.get_by_role("slider", name="Curiosity c").fill("20")
    expect(page.locator(".shares li").nth(3).locator(".share-number")).not_to_have_text("4")
    rows = page.locator(".shares").nth(0).locator(".share-number").all_inner_texts()
    visits = np.array([number(text.split()[0]) for text in rows])
    priors = [
        number(text) for text in page.locator(".shares").nth(1).locator(".share-number").all_inner_texts()
    ]
    np.testing.assert_allclose(100 * visits / visits.sum(), priors, atol=8)

    reveal(page, 5)  # what is proven
    expect(page.locator(".explains")).to_contain_text("So it plays 7: it is proven that this wins")
    proven = page.locator(".film .scroll tr.mine td").nth(3)
    expect(proven).to_have_text("+1.00 proven")
    check(page)

    reveal(page, 6)  # figure 1
    page.locator("[data-node=n4]").press("Enter")
    expect(page.locator(".terms")).to_contain_text("e6, e7, e8")
    expect(page.locator(".terms")).to_contain_text("n6, n7, n8")
    expect(page.locator(".digraph .shared")).to_have_count(1)
    check(page)
    reveal(page, 7)
    expect(page.locator(".after")).to_contain_text("65:")
    expect(page.locator(".digraph .spot")).to_have_count(16)


# Resolves when the page has been drawn so often.
FRAMES = """(count) => new Promise((done) => {
  const frame = () => (--count ? requestAnimationFrame(frame) : done(true));
  requestAnimationFrame(frame);
})"""


def test_learning_in_the_page(visit):
    page = visit("/learn/loop?step=4")
    page.get_by_role("button", name="I don't know").click()
    page.get_by_role("slider", name="Games a round").fill("6")
    page.get_by_role("slider", name="Simulations a move").fill("10")
    page.get_by_role("slider", name="Rounds").fill("30")
    page.get_by_role("button", name="Learn tic-tac-toe now", exact=True).click()
    expect(page.locator(".pupil .small-game svg").first).to_be_visible()
    assert page.evaluate(FRAMES, 30)  # the page is drawn meanwhile: it learns in a thread of its own
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(page.locator(".learned")).to_contain_text("Done: 30 rounds")
    expect(page.locator(".pupil .facts .version dd")).to_have_text("30")
    assert number(page.locator(".pupil .facts .right dd").inner_text()) > 60  # an untrained one: 57
    check(page)
    page.get_by_role("button", name="Step 5 of").click()
    page.get_by_role("button", name="Play a1").click()
    expect(page.locator(".step-stage")).to_contain_text("Your move")
    check(page)


def test_the_loss_has_a_floor(visit):
    page = visit("/learn/loop?step=3")
    page.get_by_role("button", name="I don't know").click()
    for name, share in (("A", "60"), ("B", "30"), ("C", "10")):
        page.get_by_role("slider", name=f"share of move {name}").fill(share)
    shares = [number(text) for text in page.locator(".dial output").all_inner_texts()]
    wanted = np.array([0.6, 0.3, 0.1])
    loss = -(wanted * np.log(np.array(shares) / sum(shares))).sum()
    entropy = -(wanted * np.log(wanted)).sum()
    assert number(page.locator(".facts .loss dd").inner_text()) == pytest.approx(loss, abs=0.001)
    assert number(page.locator(".facts .least dd").inner_text()) == pytest.approx(entropy, abs=0.001)


def test_how_it_was_made_fast(visit):
    measured = json.loads(DATA.read_text(encoding="utf-8"))
    page = visit("/learn/fast")
    reveal(page, 1)
    expect(page.locator(".after")).to_contain_text("16,422 positions for 117,649 orders")
    reveal(page, 3)
    expect(page.locator(".shares .chosen .share-number")).to_have_text(
        str(round(100 * measured["saved"]["network"]))
    )
    reveal(page, 5)
    expect(page.locator(".after")).to_contain_text(f"{measured['compiled']} times")
    check(page)
