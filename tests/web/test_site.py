"""An exported site in a real browser: it loads at any path, and plays a whole game with the network cut off."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from nought.agents.shipped import weights
from nought.games import examples, load
from tests.network.support import busy_network
from tests.support.site import export_site
from tests.support.skips import slow
from tests.web.support import violations


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def hosted(folder: Path) -> Iterator[tuple[ThreadingHTTPServer, str]]:
    """A plain host of files, and its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ThreadingHTTPServer, str]]:
    """A host, and the address of a site on it."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "some" / "where").mkdir(parents=True)
    other = busy_network(load("tictactoe"))
    export_site(folder / "some" / "where" / "site", "tictactoe", weights("tictactoe"), other)
    with hosted(folder) as (server, address):
        yield server, f"{address}some/where/site/"


@pytest.fixture
def page(browser: Browser, host: tuple[ThreadingHTTPServer, str]) -> Iterator[Page]:
    """The site's page. Whatever it complains about, and a request to anywhere else, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    context.on("request", lambda request: request.url.startswith(host[1]) or complaints.append(request.url))
    page.goto(host[1])
    yield page
    context.close()
    assert complaints == []


def play_to_the_end(page: Page, most: int = 9) -> int:
    """Make the first move that is offered until the game is over; how many that were."""
    for move in range(most):
        expect(page.locator(".board.playable, .result")).to_have_count(1)
        if page.locator(".result").count():
            return move
        before = page.locator(".moves li").count()
        page.locator(".board .target").first.click()
        expect(page.locator(f".moves li:nth-child({before + 1})")).to_be_visible()
    expect(page.locator(".result")).to_be_visible()
    return most


def without_a_connection(page: Page) -> None:
    """Cut the network off and load the page again: all of it comes from what was kept."""
    expect(page.locator(".board.playable")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.context.set_offline(True)
    page.reload()


def test_a_whole_game_with_the_network_cut_off(page: Page) -> None:
    without_a_connection(page)
    assert play_to_the_end(page) >= 3
    expect(page.locator(".result h2")).to_have_text("You lost")
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".board.playable")).to_be_visible()
    expect(page.locator(".moves li")).to_have_count(0)


@slow
@pytest.mark.parametrize(
    ("game", "network"),
    [
        ("connect4", "connect4-small"),
        ("dots-and-boxes:3x3", "dots-and-boxes-3x3"),
        ("othello", "othello"),
        ("gomoku", None),
    ],
)
def test_a_whole_game_of_any_kind_with_the_network_cut_off(
    game: str, network: str | None, browser: Browser, tmp_path: Path
) -> None:
    """Those that come with the package, and one from a file of the user's."""
    if network is None:
        game = str(shutil.copy(Path(examples.__file__).with_name(f"{game}.py"), tmp_path / "mine.py"))
    export_site(tmp_path / "site", game, weights(network) if network else busy_network(load(game)))
    context = browser.new_context(reduced_motion="reduce")
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    with hosted(tmp_path / "site") as (_, address):
        page.goto(address)
        without_a_connection(page)
        assert play_to_the_end(page, 100) >= 4
    context.close()
    assert complaints == []


def test_what_it_thinks_can_be_seen_and_played(page: Page) -> None:
    expect(page.locator(".analysis-box")).to_be_hidden()
    page.get_by_text("Show what it thinks").click()
    expect(page.locator(".analysis-table tbody tr")).to_have_count(9)
    expect(page.locator(".says")).to_contain_text("50 simulations")
    expect(page.locator(".note.best")).to_have_count(1)
    page.locator(".analysis-table tbody tr").first.hover()
    expect(page.locator(".says")).to_contain_text("Best line: b2 ")
    page.locator(".analysis-table button").first.click()
    expect(page.locator(".moves li")).to_have_count(2)
    expect(page.locator(".says")).to_contain_text("of earlier moves")
    expect(page.locator(".analysis-table tbody tr")).to_have_count(7)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".moves li")).to_have_count(0)


def test_the_other_side_and_another_level_are_kept(page: Page) -> None:
    page.get_by_text("Second").click()
    expect(page.locator(".moves li")).to_have_count(1)
    page.get_by_label("Level").select_option("8")
    page.reload()
    expect(page.locator(".moves li")).to_have_count(1)
    expect(page.locator(".strip").first).to_contain_text("8 simulations")


def test_another_agent_is_kept_for_offline_use_when_it_is_first_used(page: Page) -> None:
    expect(page.locator(".board.playable")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.get_by_label("Opponent").select_option("Other 1")
    page.locator(".board .target").first.click()
    expect(page.locator(".strip").first).to_contain_text("without search")
    expect(page.locator(".moves li")).to_have_count(2)
    page.context.set_offline(True)
    page.reload()
    expect(page.locator(".strip").first).to_contain_text("Other 1")
    page.locator(".board .target").first.click()
    expect(page.locator(".moves li")).to_have_count(2)


def test_everybody_can_use_it(page: Page) -> None:
    expect(page.locator(".board.playable")).to_be_visible()
    page.get_by_text("Show what it thinks").click()
    expect(page.locator(".note.best")).to_have_count(1)
    assert violations(page) == []


def test_damaged_weights_are_said_and_can_be_loaded_again(
    browser: Browser, host: tuple[ThreadingHTTPServer, str]
) -> None:
    context = browser.new_context()
    context.route("**/network.bin", lambda route: route.fulfill(body=b"\1\0\0\0" * 1000))
    page = context.new_page()
    page.goto(host[1])
    expect(page.locator(".problem")).to_contain_text("damaged")
    context.unroute("**/network.bin")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".board.playable")).to_be_visible()
    context.close()
