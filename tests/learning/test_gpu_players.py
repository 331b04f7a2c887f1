"""Who plays in a run: the GPU by itself where it can, else the CPU, and then a line says why."""

from __future__ import annotations

import pytest
import torch

from nought.compile.cuda import NotForGpu
from nought.events import Listener, MachineReport
from nought.games import load
from nought.presets import preset
from nought.selfplay import local


class Warnings(Listener):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def warning(self, text: str) -> None:
        self.texts.append(text)


def players(device: str = "cuda", **changes: int) -> tuple[object, list[str]]:
    p = preset("best", "tictactoe", {k.replace("__", "."): v for k, v in changes.items()}, gpu=True)
    listener = Warnings()
    found = local.gpu_launcher(load("tictactoe"), p, torch.device(device), listener.warning)
    return found, listener.texts


def test_the_gpu_searches_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "OnGpu", lambda _: "the GPU")
    assert players() == ("the GPU", [])


def test_rules_that_do_not_compile_are_searched_by_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise NotForGpu("the rules of tictactoe do not compile for a GPU: they need llvm.log.f64")

    monkeypatch.setattr(local, "OnGpu", refuse)
    found, texts = players()
    assert found is None
    assert texts == [
        "the CPU searches, because the rules of tictactoe do not compile for a GPU: they need llvm.log.f64"
    ]


def test_so_is_what_the_gpu_cannot_do() -> None:
    found, texts = players(search__symmetries=8)
    assert found is None
    assert "symmetries" in texts[0]


def test_who_wants_the_cpu_to_search_gets_it_without_a_word() -> None:
    assert players("cpu") == (None, [])
    assert players(selfplay__device_games=0) == (None, [])


def test_a_report_says_who_searches() -> None:
    assert str(MachineReport("H200", 16, "bfloat16", "fast")) == "H200, 16 threads, bfloat16 (fast)"
    on_gpu = MachineReport("H200", 16, "bfloat16", "fast", device_games=32768)
    assert str(on_gpu) == "H200, which also searches 32,768 games, bfloat16 (fast)"
