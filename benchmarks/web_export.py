"""What a site of `nought export --format web` costs, in bytes and milliseconds, as quoted in docs/guide/web-export.md.

    python benchmarks/web_export.py agents/connect4-small [--accuracy 300] [--picture FILE.png] [--beside FOLDER]

Exports the agent, serves the folder compressed, as web hosts do, and visits it with Chromium. The phone is emulated: a
fourth of the processor's speed (which Chromium slows for the page, but not for the thread that thinks) and slow 4G
(1.6 Mbit/s, 150 ms).

Beside it, the same network by onnxruntime-web, if FOLDER is its `dist` (`npm pack onnxruntime-web`, unpacked): position by
position, in turns, one thread each.
"""

from __future__ import annotations

import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any

import typer
from playwright.sync_api import Browser, Page, sync_playwright

from nought.agents import agent, learned
from nought.games import Position
from nought.oracle.accuracy import accuracy
from nought.oracle.labelled import built_in_positions, read_positions

CHROMIUM = os.environ.get("NOUGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
SIMULATIONS = (50, 400)
STRONG = 800
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
# The page's own modules, in the page
LOAD = """async () => {
  const [{ Machine, networkOf }, { positionAfter }] = await Promise.all(
    ["machine.js", "seen.js"].map((name) => import(new URL(`js/thinking/${name}`, document.baseURI))));
  const [facts, code, network] = await Promise.all(["agent.json", "game.wasm", "network.bin"].map(
    (name, i) => fetch(name).then((answer) => (i ? answer.arrayBuffer() : answer.json()))));
  const machine = new Machine(code, facts);
  machine.learn(networkOf(network, facts.checksum));
  const search = (actions, count) => {
    machine.forget();
    positionAfter(machine, actions);
    machine.begin(actions.length, count);
    while (machine.round());
    return machine.decide();
  };
  globalThis.benchmark = { machine, positionAfter, search };
}"""
# The network alone, and whole searches of positions after some first moves
MEASURE = """([simulations, rounds]) => {
  const { machine, positionAfter, search } = benchmark;
  const time = (act) => { const began = performance.now(); act(); return performance.now() - began; };
  search([], 50); // compiled by now
  const evaluations = Array.from({ length: 30 }, () => time(() => {
    for (let i = 0; i < 20; i++) machine.exports.browser_evaluate(...machine.thinking, 1);
  }) / 20);
  const openings = Array.from({ length: rounds }, (_, i) => {
    const actions = [];
    for (let ply = 0; ply < i % 6; ply++) {
      const { legal } = positionAfter(machine, actions);
      actions.push(legal[(7 * i + 3 * ply) % legal.length].action);
    }
    return actions;
  });
  return { evaluations, searches: simulations.map((count) => openings.map((o) => time(() => search(o, count)))) };
}"""

# The network here and the same by onnxruntime-web, in turns: milliseconds a position
BESIDE = """async ([shape, rounds]) => {
  const ort = await import(new URL("beside/ort.wasm.min.mjs", document.baseURI));
  Object.assign(ort.env.wasm, { numThreads: 1, wasmPaths: new URL("beside/", document.baseURI).href });
  const session = await ort.InferenceSession.create(new URL("beside/network.onnx", document.baseURI).href);
  const size = shape.reduce((a, b) => a * b);
  const planes = new ort.Tensor("float32", Float32Array.from({ length: size }, (_, i) => Number(i % 3 === 0)), shape);
  const ours = async () => benchmark.machine.exports.browser_evaluate(...benchmark.machine.thinking, 1);
  const theirs = () => session.run({ [session.inputNames[0]]: planes });
  const time = async (act) => {
    const began = performance.now();
    for (let i = 0; i < 20; i++) await act();
    return (performance.now() - began) / 20;
  };
  await time(ours), await time(theirs); // compiled by now
  const found = [];
  for (let i = 0; i < rounds; i++) found.push([await time(ours), await time(theirs)]);
  return found;
}"""


class InPage:
    """The agent of a site as a player, in the page."""

    def __init__(self, page: Page, simulations: int) -> None:
        self.name, self.page, self.simulations = "site", page, simulations

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        search = "([actions, count]) => benchmark.search(actions, count)"
        return {
            n: int(self.page.evaluate(search, [position.moves, self.simulations]))
            for n, position in positions.items()
        }


def compare(page: Page, name: str, count: int) -> None:
    """How often the site finds the right move, and the same agent here."""
    found = learned(name)
    assert found is not None
    path = built_in_positions(found.game)
    assert path is not None
    labelled = read_positions(path, found.game)
    labelled = labelled[:: max(1, len(labelled) // count)][:count]
    for player in (InPage(page, STRONG), agent(name, found.game, games=len(labelled), simulations=STRONG)):
        right = accuracy(player, labelled).overall.outcome
        print(
            f"{STRONG} simulations, {len(labelled)} positions, {player.name}: {100 * right.share:.1f} % right"
        )


def beside(page: Page, name: str, site: Path, library: Path) -> None:
    """The network of the site and the same by onnxruntime-web."""
    found = learned(name)
    assert found is not None
    shutil.copytree(library, site / "beside")
    command = [sys.executable, "-m", "nought", "export", name, "--format", "onnx"]
    subprocess.run([*command, "-o", site / "beside" / "network.onnx"], check=True)
    times = page.evaluate(BESIDE, [[1, *found.game.planes_shape], 30])
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(other / own for own, other in times)
    print(f"beside onnxruntime-web: {ours:.2f} ms a position, it {theirs:.2f} ms: {ratio:.2f} × as fast")


class _Compressed(SimpleHTTPRequestHandler):
    """Files, compressed as web hosts do it."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.send_error(404)
        content = gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Compressed, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def sizes(folder: Path) -> tuple[int, int]:
    """Compressed bytes of all files but the network, and of the network."""
    whole = {
        path.name: len(gzip.compress(path.read_bytes()))
        for path in folder.rglob("*")
        if path.name != "OFL.txt" and path.is_file()
    }
    return sum(whole.values()) - whole["network.bin"], whole["network.bin"]


def first_move(browser: Browser, address: str, *, phone: bool) -> tuple[float, float]:
    """Seconds until one can move, and from there until the agent has answered."""
    page = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce").new_page()
    if phone:
        tools = page.context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", SLOW_4G)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".board.playable")
    ready = time.perf_counter()
    page.locator(".board .target").first.click()
    page.wait_for_selector(".moves li:nth-child(2)")
    return ready - began, time.perf_counter() - ready


def picture(page: Page, path: Path) -> None:
    page.get_by_text("Show what it thinks").click()
    for _ in range(4):
        page.wait_for_selector(".note.best")
        page.locator(".analysis-table button").first.click()
    page.wait_for_selector(".note.best")
    page.mouse.move(0, 0)
    page.wait_for_timeout(1500)
    page.screenshot(path=path)


def main(
    name: Annotated[str, typer.Argument(metavar="AGENT")],
    positions: Annotated[int, typer.Option("--accuracy")] = 0,
    picture_file: Annotated[Path | None, typer.Option("--picture")] = None,
    library: Annotated[Path | None, typer.Option("--beside")] = None,
) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder) / "site"
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "nought", "export", name, "--format", "web", "-o", site], check=True
        )
        print(f"exported in {time.perf_counter() - began:.0f} s")
        before, network = sizes(site)
        print(f"over the wire, compressed: {before / 1e3:.0f} kB and the network, {network / 1e3:.0f} kB")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with served(site) as address:
            page = browser.new_context(
                viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
            ).new_page()
            page.goto(address)
            page.wait_for_selector(".board.playable")
            page.evaluate(LOAD)
            found = page.evaluate(MEASURE, [SIMULATIONS, 24])
            least, middle = min(found["evaluations"]), statistics.median(found["evaluations"])
            print(f"the network alone: {least:.2f} ms a position at best, median {middle:.2f}")
            for count, times in zip(SIMULATIONS, found["searches"], strict=True):
                print(
                    f"{count} simulations: median {statistics.median(times):.0f} ms, {min(times):.0f} to {max(times):.0f}"
                )
            for phone in (False, True):
                ready, answer = first_move(browser, address, phone=phone)
                where = "slow phone" if phone else "this machine"
                print(
                    f"first visit, {where}: playable after {ready:.1f} s, answered after another {answer:.1f} s"
                )
            if library:
                beside(page, name, site, library)
            if positions:
                compare(page, name, positions)
            if picture_file:
                picture(page, picture_file)
        browser.close()


if __name__ == "__main__":
    typer.run(main)
