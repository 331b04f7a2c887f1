"""Every game compiles for a GPU, also on a machine that has none, and to arithmetic that is the CPU's to the last bit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nought.compile import elsewhere
from nought.compile.cpu import Kernels
from nought.compile.cuda import NotForGpu, ptx
from nought.compile.driver import GpuFailed, _driver
from nought.games import Game, load
from nought.games.registry import game_from_source
from nought.search.kernels import SEARCH
from tests.search.tiny import SOURCE
from tests.support.skips import slow

OWN_GAME = str(Path(__file__).parents[2] / "nought/games/examples/gomoku.py")


@pytest.mark.parametrize(
    "name",
    [
        OWN_GAME,
        *(pytest.param(n, marks=slow) for n in ("connect4", "dots-and-boxes", "othello", "tictactoe")),
    ],
    ids=lambda name: Path(name).stem,
)
def test_every_game_compiles(name: str) -> None:
    code = ptx(load(name), SEARCH)
    assert re.findall(r"\.entry (\w+)", code) == list(SEARCH.device)
    assert ".extern" not in code
    assert "@extern" not in code
    # nothing fused, nothing approximate: every result is rounded as on a CPU
    assert not re.search(r"\bfma\.|\.approx|\.full\.|\.ftz", code)
    assert not re.search(r"\b(?:add|sub|mul|div|sqrt)\.f(?:32|64)", code)
    assert re.search(r"\bmul\.rn\.f32", code)
    assert re.search(r"\b(?:div|sqrt)\.rn\.f", code)


RESULT_ALONE = """
import numpy as np

from nought.games.contract import STATE, result
from nought.search.memory import U
from nought.search.pointers import pointer, view


def device_result(memory, room, me):
    room[0] = result(view(pointer(memory, np.uint64), U(0), STATE[0], STATE[1]))
"""


@pytest.fixture
def kernels(tmp_path: Path) -> Kernels:
    """What a GPU would ask of the rules: the result alone, which is compiled in a moment."""
    file = tmp_path / "result.py"
    file.write_text(RESULT_ALONE)
    return Kernels((file,), called=(), inlined=(), device=("device_result",))


def edited(old: str, new: str) -> Game:
    assert old in SOURCE
    return game_from_source("edited", SOURCE.replace(old, new))


def test_rules_that_need_a_library_do_not_compile(kernels: Kernels) -> None:
    game = edited("return Q[state[0]]", "return Q[state[0]] * np.log(2.0 + state[0])")
    with pytest.raises(NotForGpu, match=r"edited do not compile for a GPU: .*llvm\.log\.f64"):
        ptx(game, kernels)


def test_rules_that_take_memory_do_not_compile(kernels: Kernels) -> None:
    game = edited("return Q[state[0]]", "return Q[state[0]] + np.zeros(state[0] + 1).sum()")
    with pytest.raises(NotForGpu, match="NRT_"):
        ptx(game, kernels)


def test_rules_that_are_not_compiled_are_not_compiled_for_a_gpu() -> None:
    game = load("tictactoe")
    game = Game(game.name, game.rules, game.source, compilable=False)
    with pytest.raises(NotForGpu, match="are not compiled"):
        ptx(game, SEARCH)


def test_code_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    code = ptx(load(OWN_GAME), SEARCH)
    monkeypatch.setattr(elsewhere, "compiled_apart", lambda *_: pytest.fail("compiled again"))
    assert ptx(load(OWN_GAME), SEARCH) == code


def test_a_machine_without_a_gpu_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr("ctypes.CDLL", missing)
    with pytest.raises(GpuFailed, match="no driver of an NVIDIA GPU"):
        _driver.__wrapped__()
