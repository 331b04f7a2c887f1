"""Try the wheel as its users have it: `python .ci/try_wheel.py dist/nought-….whl`.

It is installed into an empty environment with what it needs to run and nothing else, and used outside the repository.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 1800  # seconds for a step, of which installing is the longest
GAMES = ("connect4", "dots-and-boxes", "othello", "tictactoe")
MOVES = "b2 a1 b1 c1 a2 c2 a3 b3 c3"  # one after the other, whichever are free: the game ends


def main() -> None:
    wheel = Path(sys.argv[1]).resolve()
    check_contents(wheel)
    with tempfile.TemporaryDirectory(prefix="nought-wheel-") as name:
        folder = Path(name)
        nought = Installed(wheel, folder)
        listed = nought("games")
        step("games", ", ".join(found(rf"(?m)^{game}\b", listed) for game in GAMES))
        played = nought("play", "tictactoe", "--side", "first", stdin=MOVES.replace(" ", "\n"))
        step("a scripted game", found(r"(You (?:win|lose)\.|A draw\.).*", played))
        nought("train", "tictactoe", "--run", "first", "--minutes", "0.1")
        step("learning for six seconds", found(r"first .*", nought("runs")))
        step("a best move over HTTP", best_move(nought))
        step("sizes", f"{megabytes(wheel)} the wheel, {megabytes(nought.package)} nought installed")
        seconds, busy = map(min, zip(*(timed(nought) for _ in range(10)), strict=True))
        step("nought --help", f"{seconds:.2f} s, of which it computes {busy:.2f} s (the least of ten times)")


class Installed:
    """The command `nought` of an environment of its own, in an empty folder."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder / "elsewhere"
        self.folder.mkdir()
        venv.create(folder / "environment", with_pip=True)
        self.bin = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
        install = ["pip", "install", "--quiet", "--disable-pip-version-check"]
        self.run(self.bin / "python", "-m", *install, "--constraint", ROOT / "constraints.txt", wheel)
        where = self.run(self.bin / "python", "-c", "import nought; print(nought.__path__[0])").strip()
        self.package = Path(where)
        assert folder in self.package.parents, f"this is not what was installed: {self.package}"
        step("installed", self.run(self.bin / "nought", "--version").strip())

    def __call__(self, *arguments: str, stdin: str = "") -> str:
        return self.run(self.bin / "nought", *arguments, stdin=stdin)

    def run(self, *command: str | Path, stdin: str = "") -> str:
        ended = subprocess.run(
            command, input=stdin, timeout=LIMIT, text=True, capture_output=True, **self.place
        )
        if ended.returncode:
            sys.exit(f"{' '.join(map(str, command))} failed:\n{ended.stdout}{ended.stderr}")
        return ended.stdout

    @property
    def place(self) -> dict[str, object]:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {"cwd": self.folder, "env": kept | {"NOUGHT_CACHE": str(self.folder / "cache")}}


def check_contents(wheel: Path) -> None:
    """Every file of the package is in the wheel, and nothing else is."""
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = (
        path for path in (ROOT / "nought").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    wanted = {path.relative_to(ROOT).as_posix() for path in files}
    if held != wanted:
        sys.exit(f"not in the wheel: {sorted(wanted - held)}; in it for no reason: {sorted(held - wanted)}")
    step("contents", f"{len(held)} files, all of the package")


def best_move(nought: Installed) -> str:
    """What a server answers that has just been started."""
    output = nought.folder / "server"
    with output.open("w") as said:
        command = [nought.bin / "nought", "serve", "--port", "0", "--no-browser"]
        server = subprocess.Popen(command, stdout=said, stderr=said, **nought.place)
    try:
        end = time.monotonic() + LIMIT
        while not (address := re.search(r"http://[\d.]+:\d+(?=\s)", output.read_text())):
            if server.poll() is not None or time.monotonic() > end:
                sys.exit(f"the server does not start:\n{output.read_text()}")
            time.sleep(0.1)
        question = json.dumps({"game": "connect4", "moves": "44", "simulations": 100}).encode()
        request = urllib.request.Request(
            f"{address[0]}/api/best-move", question, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:
            return answer.read().decode()
    finally:
        server.kill()
        server.wait()


def found(pattern: str, text: str) -> str:
    line = re.search(pattern, text)
    return line[0] if line else sys.exit(f"{pattern!r} is not in:\n{text}")


def megabytes(path: Path) -> str:
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file() and f.suffix != ".pyc"]
    return f"{sum(file.stat().st_size for file in files) / 1e6:.1f} MB"


def timed(nought: Installed) -> tuple[float, float]:
    """How long the help takes, and how much of that it has a processor: others may need one, too."""
    began, before = time.perf_counter(), os.times()
    nought("--help")
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, busy


def step(name: str, what: object) -> None:
    print(f"wheel · {name}: {what}", flush=True)


if __name__ == "__main__":
    main()
