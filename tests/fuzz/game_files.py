"""Game files: a game's own text with something wrong in it. What it then does by itself is its own affair; what nought
says about it is ours."""

from __future__ import annotations

import contextlib
import re
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType

from nought.games import Position, connect4, dots_and_boxes, load, othello, tictactoe
from nought.games.board import scene
from nought.games.conformance.apart import check_apart
from nought.games.draw import draw
from nought.games.finding import find_games
from nought.games.fingerprint import rules_in
from nought.games.notation import format_move, how_written, legal_names
from nought.games.registry import read_source
from nought.games.svg import draw_svg
from nought.server.views import game_view, position_view
from tests.fuzz.damage import damaged_bytes, damaged_text
from tests.fuzz.moves import EXAMPLES
from tests.fuzz.surface import Surface

SOURCES = (*(Path(module.__file__) for module in (connect4, dots_and_boxes, othello, tictactoe)), *EXAMPLES)
FACTS = re.compile(r"^([A-Z_]+) = .*$", re.MULTILINE)
NUMBERS = re.compile(r"\b\d+\b")
WORDS = re.compile(r"\b[A-Za-z_]{2,}\b")
VALUES = (
    "None", "0", "-1", "()", "(1,)", "(1, 2)", "(0, 3, 3)", "'x'", "[]", "[None]", "{}", "1.5", "float('nan')", "np.int8",
    "(np.int8, 9)", "(np.float32, 9)", "('x', 3)", "(np.uint64, 2)", "lambda *a: None", "object()", "np.arange(9)", "len",
    "[(range(9), range(9))]", "range(7)", "'square'", "'mirror'", "{'shape': 'hexagons'}", "{'shape': 3}", "(6, 7)", "10**5",
)  # fmt: skip
ODD_NAMES = ("ACTIONS", "PLANES", "STATE", "LONGEST", "SYMMETRY", "CELL_OF_ACTION", "ORIGIN_OF_ACTION", "BOARD", "SIZE", "text",
             "move_text", "picture", "start", "margin", "player", "legal_moves", "__doc__", "NOTATION")  # fmt: skip
SECONDS = 1.0  # of the processor that a file may take for itself
ROOM = 3 << 30  # bytes that it may take
PLIES = 6


class TooSlow(BaseException):
    """A game's own code does not return."""


class GameFiles(Surface):
    """A file is found, read, loaded, shown and played."""

    name, share = "games", 0.001
    runs_files = True
    declared = (*Surface.declared, SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError, TooSlow)

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.texts = [path.read_text(encoding="utf-8") for path in SOURCES]

    def make(self, chance: Random) -> tuple[bytes, str, int]:
        text = chance.choice(self.texts)
        for _ in range(chance.choice((1, 1, 1, 2))):
            way = chance.choice((_fact, _fact, _new_fact, _number, _number, _word, _line, _line))
            text = way(chance, text)
        data = text.encode("utf-8", "surrogatepass")
        if chance.random() < 0.1:
            data = damaged_text(chance, text).encode("utf-8", "surrogatepass")
        if chance.random() < 0.05:
            data = damaged_bytes(chance, data)
        return data, chance.choice(("", "", "", ":3", ":3x3", ":2x2x2x2", ":0")), chance.getrandbits(30)

    def feed(self, given: tuple[bytes, str, int]) -> None:
        data, size, seed = given
        path = self.folder / "game.py"
        path.write_bytes(data)
        find_games(self.folder)
        name = f"{path}{size}"
        source = read_source(name)
        with contextlib.suppress(SyntaxError):
            rules_in(source)
        with bounded():
            game = load(name)
            game_view(game, (), oracle=False)
            assert game.symmetries
            position = game.start()
            chance = Random(seed)
            for _ in range(PLIES):
                show(position)
                if position.finished or not position.legal:
                    break
                position = position.play(chance.choice(position.legal))


class Checked(GameFiles):
    """The same through `nought check`, which has a process of its own for each: a second or more."""

    name, share = "check", 0.000_001
    starts_programs = True
    limit = 120.0

    def feed(self, given: tuple[bytes, str, int]) -> None:
        data, size, _ = given
        path = self.folder / "game.py"
        path.write_bytes(data)
        check_apart(f"{path}{size}", games=2, timeout=5)


def show(position: Position) -> None:
    """All that people see of a position."""
    position_view(position)
    scene(position)
    draw(position)
    draw_svg(position)
    how_written(position)
    legal_names(position)
    for move in position.legal[:3]:
        format_move(position, move)


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """So much time and room for what a file does, and no more."""
    before = signal.signal(signal.SIGVTALRM, _too_slow)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_used() + ROOM, limits[1]))
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, limits)
        signal.signal(signal.SIGVTALRM, before)


def _used() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def _fact(chance: Random, text: str) -> str:
    """Another value of something that the file says."""
    found = list(FACTS.finditer(text))
    if not found:
        return text
    one = chance.choice(found)
    return f"{text[: one.start()]}{one[1]} = {chance.choice(VALUES)}{text[one.end() :]}"


def _new_fact(chance: Random, text: str) -> str:
    return f"{text}\n{chance.choice(ODD_NAMES)} = {chance.choice(VALUES)}\n"


def _number(chance: Random, text: str) -> str:
    found = list(NUMBERS.finditer(text))
    one = chance.choice(found)
    return text[: one.start()] + chance.choice(("0", "1", "2", "5", "7", "64", "300")) + text[one.end() :]


def _word(chance: Random, text: str) -> str:
    found = list(WORDS.finditer(text))
    one, other = chance.choice(found), chance.choice(found)
    return text[: one.start()] + other[0] + text[one.end() :]


def _line(chance: Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    line = lines.pop(at)
    if chance.random() < 0.6:
        lines.insert(to, line)
    if chance.random() < 0.2:
        lines.insert(at, line)
    return "".join(lines)
