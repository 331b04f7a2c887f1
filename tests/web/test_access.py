"""Everybody can use every page: axe's rules, in both themes; and without a network."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.support import PAGES, violations

# The path of everything in the caches of this site.
KEPT = """async () => {
  const paths = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
  return paths;
}"""
FOR_EVERYBODY = re.compile(r"/api/(games|position|runs)\b|/(js|css|fonts|icons)/|/(manifest\.webmanifest)?$")


@pytest.mark.parametrize(("theme", "size"), [("light", "phone"), ("dark", "desktop")])
def test_no_violations(visit, theme, size):
    page = visit("/", theme=theme, size=size)
    found = {}
    for path, sign in PAGES.items():
        page.goto(path)
        expect(page.locator(sign).first).to_be_visible()
        found[path] = violations(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], f"{path} is wider than the screen"
    assert found == {path: [] for path in PAGES}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_violations_during_and_after_a_game(visit, theme):
    page = visit("/play?game=tictactoe&opponent=random", theme=theme)
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".move-box li")).to_have_count(2)
    assert violations(page) == []
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    assert violations(page) == []
    for path, sign in (("/replays", ".games .game"), ("/profile", ".games .game")):
        page.goto(path)
        expect(page.locator(sign).first).to_be_visible()
        assert violations(page) == []


def test_without_a_network_after_loading(visit):
    page = visit("/")
    expect(page.locator(".board.playable")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # from now on through the service worker
    expect(page.locator(".board.playable")).to_be_visible()
    page.context.set_offline(True)
    for name in ("Analyse", "Inside", "Learn", "Ladder", "Training", "Games", "Play"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute("aria-current", "page")
        expect(page.locator("h1, .problem").first).to_be_attached()
    expect(page.locator(".board")).to_be_visible()  # what was seen before is still there
    expect(page.locator("#banner")).to_contain_text("does not answer")
    page.goto("/ladder")  # an address typed by hand
    expect(page.locator(".bar .brand")).to_be_visible()
    page.context.set_offline(False)
    page.goto("/ladder")
    expect(page.get_by_role("heading", name="Ladder")).to_be_visible()
    expect(page.locator("#banner")).to_be_hidden()


def test_what_is_kept_for_offline_use_is_the_same_for_everybody(visit):
    """Whoever uses this browser next finds no games, names or accounts in its cache."""
    page = visit("/play?game=tictactoe&opponent=random")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.locator(".board.playable").wait_for()
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".move-box li")).to_have_count(2)
    for path, sign in (("/replays", ".games .game"), ("/profile", ".games .game"), ("/ladder", "table")):
        page.goto(path)
        page.locator(sign).first.wait_for()
    kept = page.evaluate(KEPT)
    assert any(path.startswith("/api/position") for path in kept) and "/js/main.js" in kept
    assert [path for path in kept if not FOR_EVERYBODY.match(path)] == []
