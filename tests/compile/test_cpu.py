"""Compiled code is kept on disk, found again, and never stale."""

import importlib.util
import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nought.compile import compiled, cpu
from nought.config import SearchParameters
from nought.games import Game, load
from nought.games.registry import game_from_source
from nought.search import memory
from nought.search.kernels import SEARCH, kernels
from tests.games.broken import TICTACTOE
from tests.search.reference import Reference
from tests.search.support import searched, visits
from tests.search.tiny import SOURCE, TINY, Table, at
from tests.support.programs import run_program
from tests.support.skips import ROOT, slow

SEARCH_ONCE = """
import sys
from nought.config import SearchParameters
from nought.games import load
from nought.search import Search, Uniform
from nought.search.kernels import kernels
game = load(sys.argv[1])
search = Search(game, SearchParameters(simulations=9))
search.begin_games()
search.run(Uniform(game))
print(search.counters()["simulations"], search.decide(0)[0])
stats = [getattr(kernels(game), name).stats for name in ("advance", "begin_games", "decision")]
print(sum(s.cache_hits.total() for s in stats), sum(s.cache_misses.total() for s in stats))
"""


def test_a_second_process_finds_the_compiled_code(tmp_path: Path) -> None:
    game_file = tmp_path / "tiny.py"
    game_file.write_text(SOURCE)

    def search_once(file: Path) -> tuple[list[str], int, int]:
        ended = run_program([sys.executable, "-c", SEARCH_ONCE, str(file)])
        assert (ended.returncode, ended.stderr) == (0, "")
        *said, found, made = ended.stdout.split()
        return said, int(found), int(made)

    first, found, made = search_once(game_file)
    assert found + made == 3  # other tests may have compiled some of them
    assert search_once(game_file.rename(tmp_path / "renamed.py")) == (first, 3, 0)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOUGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def result_at_start(game: Game) -> float:
    return compiled(game).result(game.start().state)


def game_with_result(folder: Path, result: float) -> Game:
    """A game whose start is also its end, with this result: nobody could play it."""
    file = folder / "edited.py"
    file.write_text(SOURCE.replace("return Q[state[0]]", f"return {result}"))
    return load(str(file))


def test_an_edited_game_file_is_compiled_anew(tmp_path: Path, cache: Path) -> None:
    # more often than a clock's tick: a stale module would be found by its time
    for result in (0.25, 0.5, 0.75, 0.25):
        assert result_at_start(game_with_result(tmp_path, result)) == result
    assert len(list((cache / "compiled").iterdir())) == 3


def test_an_edited_kernel_gives_a_new_module(tmp_path: Path, cache: Path) -> None:
    copies = []
    for file in SEARCH.files:
        copies.append(tmp_path / file.name)
        shutil.copy(file, copies[-1])
    same = replace(SEARCH, files=tuple(copies))
    assert compiled(TINY, same) is compiled(TINY, SEARCH)  # the text counts, not the place
    with copies[-1].open("a") as last:
        last.write("\n\ndef added():\n    return 7\n")
    edited = compiled(TINY, replace(same, called=(*same.called, "added")))
    assert edited is not kernels(TINY)
    assert edited.added() == 7


def test_an_edit_in_a_file_that_kernels_import_gives_a_new_module(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = tmp_path / "memory.py"
    edited.write_text(Path(memory.__file__).read_text() + "\n# edited\n")
    find_spec = importlib.util.find_spec

    def find_edited(name: str) -> object:
        if name != memory.__name__:
            return find_spec(name)
        return importlib.util.spec_from_file_location(name, edited)

    before = kernels(TINY).__name__
    monkeypatch.setattr(cpu.importlib.util, "find_spec", find_edited)
    assert kernels(TINY).__name__ != before


def test_a_cache_folder_that_cannot_be_written_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("NOUGHT_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert result_at_start(game_with_result(tmp_path, 0.125)) == 0.125


@pytest.mark.skipif(os.geteuid() == 0, reason=ROOT)
def test_a_read_only_cache_folder_does_no_harm(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    cache.chmod(0o500)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert result_at_start(game_with_result(tmp_path, 0.375)) == 0.375


def test_generated_modules_not_used_for_long_are_deleted(tmp_path: Path, cache: Path) -> None:
    old, recent = cache / "compiled" / "old", cache / "compiled" / "recent"
    for folder, days in ((old, 31), (recent, 29)):
        folder.mkdir(parents=True)
        then = folder.stat().st_mtime - days * 86400
        os.utime(folder, (then, then))
    game_with_result(tmp_path, 0.625)
    compiled(game_with_result(tmp_path, 0.875))
    assert (old.exists(), recent.exists()) == (False, True)


@slow
def test_names_that_the_kernels_use_do_no_harm_in_a_game_file() -> None:
    rules = {name for name in vars(TINY.rules) if not name.startswith("_")}
    contract = {"STATE", "ACTIONS", "PLANES", "LONGEST", "np", "start", "player", "legal_moves", "play"}
    same = (rules & set(vars(kernels(TINY)))) - contract
    assert {"P", "Q", "N", "FULL", "ROOT", "find", "step", "group", "expand", "sample"} <= same
    evaluator = Table({"left": ((0.3, 0.7), 0.1), "right": ((0.6, 0.4), -0.3), "both": ((0.2, 0.8), 0.4)})
    parameters = SearchParameters(simulations=12, cache=0)
    for name in ("fork", "diamond", "mixed", "doomed"):
        search = searched(at(name), parameters, evaluator)
        expected = Reference(at(name), evaluator.of, parameters)
        assert visits(search) == {move.action: move.visits for move in expected.root.moves}


@pytest.mark.parametrize("kind", ["called", "inlined"])
def test_every_function_that_is_named_for_compiling_must_be_there(kind: str) -> None:
    wrong = replace(SEARCH, **{kind: (*getattr(SEARCH, kind), "no_such_kernel")})
    with pytest.raises(AssertionError, match="there is no function no_such_kernel to compile"):
        compiled(load("tictactoe"), wrong)


def test_another_picture_or_name_is_no_reason_to_compile_again(cache: Path) -> None:
    """And they may be what Numba does not know."""
    shown = "\n\ndef picture(state):\n    return [{'a': c} for c in state][:9]\n"
    named = "\n\ndef move_text(state, move):\n    return f'{move}'\n"
    modules = [
        compiled(game_from_source("shown.py", TICTACTOE + more))
        for more in (shown + named, shown.replace("{'a': c}", "c + 9") + named.replace("move}", "move:3}"))
    ]
    assert modules[0] is modules[1]
    assert not hasattr(modules[0], "picture") and not hasattr(modules[0], "move_text")
    assert modules[0].player(np.zeros(10, np.int8)) == 0
