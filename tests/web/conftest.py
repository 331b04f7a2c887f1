"""A real server in a process of its own, and a real browser that visits it."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.games.broken import TICTACTOE
from tests.games.samples import PROMOTIONS, RACE
from tests.support.programs import answers, free_port, started
from tests.support.skips import CHROMIUM
from tests.support.tiny_run import tiny_run

OWN_TEXT = "\n\ndef text(state):\n    return ''.join('.XO'[n] for n in state[:9]) + '\\n<b>'\n"
SIZES = {"desktop": (1280, 860), "phone": (360, 740)}
BROWSER = os.environ.get("NOUGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
WAIT = 120_000  # ms: machines that run tests are busy, and a game is compiled when it is first used
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small training run, and games that the server offers."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "pawns.py").write_text(RACE + PROMOTIONS, encoding="utf-8")
    (folder / "text.py").write_text(f'"""Text: drawn by itself."""\n{TICTACTOE}{OWN_TEXT}', encoding="utf-8")
    tiny_run(folder, **{"run.iterations": 3})
    return folder


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[str]:
    """The address of a server that keeps everything in `folder`."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "tests.web.serve", str(port), str(folder)]
    with started(command, cwd=Path(__file__).parents[2]) as server:
        server.until(lambda: answers(f"{address}/healthz"))
        yield address


@pytest.fixture(scope="module")  # while it is open, no other test in this process has an event loop
def browser() -> Iterator[Browser]:
    if BROWSER is None:
        pytest.skip(CHROMIUM)
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Opens the site as a new visitor. Whatever a page complains about fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        path: str = "/",
        *,
        size: str = "desktop",
        theme: str = "light",
        motion: bool = False,
        thinks: str = "server",  # where agents think: browsers need not be made ready for every test
        service_worker: bool = True,  # without it a test can answer in the server's place
    ) -> Page:
        width, height = SIZES[size]
        context = browser.new_context(
            base_url=site,
            viewport={"width": width, "height": height},
            color_scheme=theme,  # type: ignore[arg-type]
            has_touch=size == "phone",
            reduced_motion="no-preference" if motion else "reduce",
            service_workers="allow" if service_worker else "block",
        )
        context.set_default_timeout(WAIT)
        contexts.append(context)
        context.add_init_script(f"localStorage['nought.where'] ??= '\"{thinks}\"'")
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
