"""The short part of the fuzzer, and whether it finds what is there to be found."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from nought.errors import NoughtError
from nought.files import cache_folder, config_folder
from tests.fuzz.surface import Finding, Surface, chance_of, fuzz, shown
from tests.fuzz.surfaces import SURFACES
from tests.fuzz.watching import Watch

INPUTS = {
    "moves": 3000, "names": 500, "positions": 300, "tcp": 300, "http": 150, "websocket": 30, "weights": 100, "games": 100,
    "runs": 20, "check": 1,
}  # fmt: skip
SEED = 1


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture
def folder(base: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = base / request.node.name.replace("[", "-").strip("]") / "files"
    found.mkdir(parents=True)
    monkeypatch.chdir(found)
    (found.parent / "config").mkdir()  # in which no rules are known yet
    monkeypatch.setenv("NOUGHT_CONFIG", str(found.parent / "config"))
    return found


@pytest.fixture
def watch(folder: Path) -> Iterator[Watch]:
    with Watch((folder, cache_folder(), config_folder()), limit=60).on() as watch:
        yield watch


def test_every_surface_is_tried() -> None:
    assert INPUTS.keys() == SURFACES.keys()
    assert sum(kind.share for kind in SURFACES.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", INPUTS)
def test_nothing_that_is_sent_or_written_does_what_no_input_may(
    name: str, folder: Path, watch: Watch
) -> None:
    surface = SURFACES[name](folder)
    try:
        assert not list(fuzz(surface, watch, seed=SEED, count=INPUTS[name]))
    finally:
        surface.close()


@pytest.mark.parametrize("name", ["moves", "positions", "tcp"])
def test_an_input_follows_from_its_number(name: str, folder: Path) -> None:
    surface = SURFACES[name](folder)
    try:
        inputs = [[shown(surface.make(chance_of(1, name, number))) for number in range(20)] for _ in range(2)]
        assert inputs[0] == inputs[1] and len(set(inputs[0])) > 10
    finally:
        surface.close()


# ---- whether it finds something -------------------------------------------------------------------------------
class Wrong(Surface):
    """Does something that no input may do, at every fifth."""

    name, limit = "wrong", 0.2

    def __init__(self, folder: Path, deed: Callable[[], object]) -> None:
        super().__init__(folder)
        self.deed = deed

    def make(self, chance: Random) -> int:
        return chance.randrange(5)

    def feed(self, given: int) -> None:
        if given == 0:
            self.deed()
        raise NoughtError("as it is declared")


def found_by(surface: Surface, watch: Watch) -> list[Finding]:
    return list(fuzz(surface, watch, seed=3, first=100, count=20))


def a_mistake() -> None:
    {}["nothing"]


def too_slow() -> None:
    time.sleep(60)


def an_error_in_the_log() -> None:
    logging.getLogger("nought").error("this should not be")


def a_file_elsewhere() -> None:
    Path("../elsewhere").write_text("")


def a_file_that_is_gone() -> None:
    Path("../gone").unlink(missing_ok=True)


def another_program() -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)


def a_stranger_s_rules() -> None:
    exec(compile("x = 1", os.path.abspath("game.py"), "exec"))


@pytest.mark.parametrize(
    ("deed", "what"),
    [
        (a_mistake, "KeyError"),
        (too_slow, "longer than 0.2 s"),
        (an_error_in_the_log, "this should not be"),
        (a_file_elsewhere, "open outside of the folder"),
        (a_file_that_is_gone, "os.remove outside of the folder"),
        (another_program, "subprocess.Popen"),
        (a_stranger_s_rules, "only to be read"),
    ],
)
def test_what_may_not_be_is_found(deed: Callable[[], object], what: str, folder: Path, watch: Watch) -> None:
    surface = Wrong(folder, deed)
    wrong = [number for number in range(100, 120) if surface.make(chance_of(3, "wrong", number)) == 0]
    found = found_by(surface, watch)
    assert [finding.number for finding in found] == wrong and wrong
    assert all(what in finding.what for finding in found)


def test_what_is_declared_and_stays_in_its_folder_is_no_finding(folder: Path, watch: Watch) -> None:
    assert not found_by(Wrong(folder, lambda: (folder / "inside").write_text("")), watch)
