"""Agents that think in the visitor's browser, offline, too; and the server, which answers where they cannot."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.skips import slow

AGENT = "/play?game=tictactoe&opponent=agents/tictactoe"


def brought_here(page: Page) -> None:
    """Waits until the agent has come to this browser."""
    expect(page.locator(".where-note")).to_have_attribute("data-state", "here")


def play_on(page: Page) -> None:
    """Makes the first move that is offered, again and again, until the game is over."""
    for _ in range(200):
        expect(page.locator(".board.playable, .result").first).to_be_visible()
        if page.locator(".result").is_visible():
            return
        before = page.locator(".move-box li").count()
        page.locator(".board .target, .board button[data-action]").first.click()
        expect(page.locator(f".move-box li:nth-child({before + 1})")).to_be_visible()
    raise AssertionError("the game does not end")


def calls(page: Page) -> list[str]:
    """What the page asks of the API from now on."""
    found: list[str] = []
    page.on(
        "request", lambda r: "/api/" in r.url and found.append(f"{r.method} {r.url.partition('/api')[2]}")
    )
    return found


def test_casual_games_and_analyses_offline_and_sent_when_the_server_is_back(visit):
    page = visit(AGENT, thinks="browser")
    brought_here(page)
    asked = calls(page)
    play_on(page)
    expect(page.locator(".result h2")).to_have_text("You lost")
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".board.playable")).to_be_visible()
    assert [call for call in asked if call.startswith("POST")] == ["POST /accounts", "POST /play/record"]
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto(AGENT)
    brought_here(page)
    page.locator(".target").first.click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.goto("/")  # the game is still there
    expect(page.locator(".move-box li")).to_have_count(2)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".board .note")).to_have_count(1)
    play_on(page)
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.get_by_text("positions, in this browser")).to_be_visible()
    expect(page.locator(".analysis-table tbody tr")).to_have_count(9)
    page.locator(".analysis-table button").first.click()
    expect(page.locator(".analysis-table tbody tr")).to_have_count(8)
    page.context.set_offline(False)
    with page.expect_response("**/api/play/record"):
        page.goto("/")
    page.goto("/replays")
    expect(page.locator(".games .game", has_text="lost")).to_have_count(2)


def spoiled(route: Route) -> None:
    route.fulfill(body=b"\0" * 400)


def test_the_server_answers_where_the_browser_cannot(visit):
    page = visit("/nowhere", thinks="browser", service_worker=False)
    note = page.locator(".where-note")
    for files, why in (("wasm", "SIMD"), ("bin", "damaged")):
        page.route(f"**/*.{files}", spoiled)
        page.goto(AGENT)
        expect(note).to_have_text(re.compile(f"The server thinks. .*{why}"))
        page.unroute(f"**/*.{files}")
    page.context.add_init_script("delete globalThis.WebAssembly")
    page.goto(AGENT)
    expect(note).to_have_text("The server thinks. This browser has no WebAssembly.")
    page.locator(".target").first.click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.goto("/")
    expect(note).to_have_text("The server thinks. This browser has no WebAssembly.")
    expect(page.locator(".move-box li")).to_have_count(2)  # the server's game goes on


def test_a_full_storage_and_a_thread_that_ends(visit):
    page = visit("/nowhere", thinks="browser", service_worker=False)
    tools = page.context.new_cdp_session(page)
    origin = page.evaluate("location.origin")
    tools.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1000})
    page.goto(AGENT)
    expect(page.locator(".where-note")).to_contain_text("storage is full")
    page.locator(".target").first.click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.evaluate("""async () => {
      const [{ resident }, { games }] = await Promise.all([import("/js/thinking/agents.js"), import("/js/model/api.js")]);
      const game = (await games()).find(({ name }) => name === "tictactoe");
      resident(game, "agents/tictactoe").thinker.end();
    }""")
    asked = calls(page)
    page.locator(".target").first.click()
    expect(page.locator(".move-box li")).to_have_count(4)
    expect(page.locator(".where-note")).to_contain_text(
        "The server thinks. The thread that thinks has ended."
    )
    assert "POST /best-move" in asked


def test_rated_games_are_the_servers_and_one_may_choose_it(visit):
    page = visit(AGENT, thinks="browser")
    brought_here(page)
    page.get_by_role("switch").check()
    expect(page.locator(".where-note")).to_have_text("In rated games the server thinks.")
    asked = calls(page)
    page.locator(".target").first.click()
    expect(page.locator(".move-box li")).to_have_count(2)
    assert "POST /play" in asked
    page.get_by_role("switch").uncheck()
    page.goto("/analyse?game=tictactoe")
    brought_here(page)
    page.locator(".analysis-table button").first.click()
    expect(page.get_by_text("positions, in this browser")).to_be_visible()
    page.get_by_text("The server", exact=True).click()
    expect(page.locator(".where-note")).to_have_text("The server thinks.")
    page.reload()
    expect(page.locator(".analysis-table tbody tr")).to_have_count(8)
    expect(page.get_by_text("positions, in this browser")).to_have_count(0)


GAMES = ("connect4", "dots-and-boxes:2x2", "dots-and-boxes", "dots-and-boxes:4x4", "othello", "othello:6x6")


@slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_with_the_network_cut_off(visit, game):
    page = visit(f"/play?game={game}", thinks="browser")
    brought_here(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto(f"/play?game={game}")
    brought_here(page)
    play_on(page)
    expect(page.locator(".result h2")).to_have_text(re.compile("You won!|You lost|A draw"))
