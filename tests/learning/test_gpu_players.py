"""Who plays in a run: the GPU by itself where it can, else the CPU, and then a line says why."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from nought.compile.cuda import NotForGpu
from nought.events import Listener, MachineReport
from nought.games import load
from nought.learning import learner
from nought.learning.learner import Learner
from nought.presets import preset


class Warnings(Listener):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def warning(self, text: str) -> None:
        self.texts.append(text)


def players(device: str = "cuda", seen: int = 1, **changes: int) -> tuple[object, list[str]]:
    game = load("tictactoe")
    p = preset("best", "tictactoe", {k.replace("__", "."): v for k, v in changes.items()}, gpu=True)
    run = SimpleNamespace(game=game, parameters=p, listener=Warnings(), done=SimpleNamespace(precision=""))
    found = Learner._launcher(run, torch.device(device), seen)  # type: ignore[arg-type]
    return found, run.listener.texts


def test_the_gpu_searches_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "OnGpu", lambda _: "the GPU")
    assert players() == ("the GPU", [])


def test_rules_that_do_not_compile_are_searched_by_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise NotForGpu("the rules of tictactoe do not compile for a GPU: they need llvm.log.f64")

    monkeypatch.setattr(learner, "OnGpu", refuse)
    found, texts = players()
    assert found is None
    assert texts == [
        "the CPU searches, because the rules of tictactoe do not compile for a GPU: they need llvm.log.f64"
    ]


def test_so_is_what_the_gpu_cannot_do() -> None:
    found, texts = players(seen=8)
    assert found is None
    assert "symmetries" in texts[0]


def test_who_wants_the_cpu_to_search_gets_it_without_a_word() -> None:
    assert players("cpu") == (None, [])
    assert players(selfplay__device_games=0) == (None, [])


def test_a_report_says_who_searches() -> None:
    assert str(MachineReport("H200", 16, "bfloat16", "fast")) == "H200, 16 threads, bfloat16 (fast)"
    on_gpu = MachineReport("H200", 16, "bfloat16", "fast", device_games=32768)
    assert str(on_gpu) == "H200, which also searches 32,768 games, bfloat16 (fast)"
