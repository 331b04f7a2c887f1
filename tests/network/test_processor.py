"""What the processor claims, what it has, and what torch is kept from; no precision that is chosen kills a process."""

from __future__ import annotations

import itertools
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from nought.config import PRECISIONS, NetworkParameters
from nought.games import load
from nought.network import NetworkEvaluator, floats, trial
from nought.network import precision as choosing
from nought.network.processor import (
    BELOW_AMX,
    LEAVES,
    LIMIT,
    MADE_UP,
    MODEL,
    X86,
    Registers,
    has_half_an_amx,
    limit_onednn,
    made_up,
    processor,
)
from tests.network.support import busy_network
from tests.support.programs import run_program

NO_AMX = "0:20 7:0,0,0,10"
HALF_AN_AMX = "0:1c 7:0,0,0,1000000"  # no leaf that could describe tiles
NO_PALETTE = "0:20 7:0,0,0,1000000 1d:0"
WHOLE_AMX = "0:20 7:0,0,0,1000000 1d:1"
NOISE_BEYOND_THE_LAST_LEAF = "0:1c 7:0,0,0,1000000 1d:7"  # as Intel's answer there: that of the last leaf
OLD = "0:4 7:0,0,0,1000000"
NOT_X86 = ""

CHOSEN = """
import sys, numpy as np
from nought.games import load
from nought.network import NetworkEvaluator, build_network
from nought.config import PRECISIONS, NetworkParameters
game = load("connect4")
for precision in sys.argv[1:]:
    for filters in (16, 64):
        print(precision, filters, flush=True)
        network = build_network(game, NetworkParameters(filters=filters, blocks=2))
        for capacity in (1, 64):
            evaluator = NetworkEvaluator(game, network, device="cpu", precision=precision, capacity=capacity)
            policy, value = evaluator(np.stack([game.start().state] * capacity))
            assert np.isfinite(policy).all() and np.isfinite(value).all()
        print(evaluator.precision)
"""


@pytest.mark.parametrize(
    ("answers", "limited"),
    [
        (NO_AMX, False), (HALF_AN_AMX, True), (NO_PALETTE, True), (WHOLE_AMX, False),
        (NOISE_BEYOND_THE_LAST_LEAF, True), (OLD, False), (NOT_X86, False),
    ],
)  # fmt: skip
def test_onednn_is_kept_from_half_an_amx(
    answers: str, limited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MADE_UP, answers)
    monkeypatch.delenv(LIMIT, raising=False)
    ask = made_up(answers)
    assert (ask is not None and has_half_an_amx(ask)) == limited
    limit_onednn()
    assert os.environ.get(LIMIT) == (BELOW_AMX if limited else None)


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MADE_UP, HALF_AN_AMX)
    monkeypatch.setenv(LIMIT, "AVX2")
    limit_onednn()
    assert os.environ[LIMIT] == "AVX2"


def test_the_processor_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MADE_UP, raising=False)
    ask = processor()
    if platform.machine().lower() not in X86:
        assert ask is None
        return
    assert ask is not None
    _, ebx, ecx, edx = ask(LEAVES)
    maker = b"".join(register.to_bytes(4, "little") for register in (ebx, edx, ecx))
    assert maker.isalpha() and len(maker) == 12  # GenuineIntel, AuthenticAMD …
    assert ask(LEAVES) == ask(LEAVES)


def test_the_limit_is_set_before_torch_calculates() -> None:
    """Importing the network is enough, also in a program that has imported torch already."""
    code = "import os, torch, nought.network; print(os.environ['ONEDNN_MAX_CPU_ISA'])"
    environment = {k: v for k, v in os.environ.items() if k != LIMIT} | {MADE_UP: HALF_AN_AMX}
    child = _python(code, env=environment)
    assert child.stdout.strip() == BELOW_AMX, child.stderr


def test_threads_that_wait_are_asleep() -> None:
    """torch's library of threads reads how to wait when it is loaded, so it must be said before."""
    code = "import os, sys, nought; print('torch' in sys.modules, os.environ['OMP_WAIT_POLICY'])"
    for before, after in (({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE")):
        environment = {k: v for k, v in os.environ.items() if k != "OMP_WAIT_POLICY"} | before
        assert _python(code, env=environment).stdout.split() == ["False", after]


@pytest.mark.parametrize(
    ("precisions", "answers"),
    [(("auto", "bfloat16"), HALF_AN_AMX), (("auto", *PRECISIONS), None)],
    ids=["half an AMX", "this processor"],
)
def test_a_chosen_precision_does_not_kill_the_process(
    precisions: tuple[str, ...], answers: str | None
) -> None:
    environment = dict(os.environ)
    if answers is not None:
        environment |= {MADE_UP: answers}
        environment.pop(LIMIT, None)
    child = _python(CHOSEN, *precisions, env=environment)
    said = child.stdout.split()  # precision and filters before they are tried, then what was chosen
    assert child.returncode == 0, f"at {said[-2:]}: {child.returncode} {child.stderr}"
    tried = list(zip(*[iter(said)] * 3, strict=True))
    assert [(asked, int(filters)) for asked, filters, _ in tried] == [
        (asked, filters) for asked in precisions for filters in (16, 64)
    ]
    assert all(chosen == "float32" for asked, _, chosen in tried if asked == "float32")


def _python(code: str, *arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return run_program([sys.executable, "-c", code, *arguments], env=env)


# ---- what goes wrong, goes wrong elsewhere -----------------------------------------------------------------
@pytest.fixture
def bfloat16_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this processor one that says it has bfloat16 and has never been tried."""
    monkeypatch.setenv("NOUGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: True)
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: True)
    monkeypatch.setattr(choosing, "why_not_int8", lambda: "left out")
    monkeypatch.setattr(choosing, "_chosen", {})
    trial.why_not_bfloat16.cache_clear()
    yield
    trial.why_not_bfloat16.cache_clear()


def child_that(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Holds the trial by this code instead."""
    run = subprocess.run
    monkeypatch.setattr(
        trial.subprocess, "run", lambda command, **rest: run([sys.executable, "-c", code], **rest)
    )


@pytest.mark.usefixtures("bfloat16_there")
def test_what_a_trial_has_shown_holds_for_every_core_of_the_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cores = itertools.count()
    monkeypatch.setattr(
        trial,
        "processor",
        lambda: lambda leaf: Registers(eax=7, ebx=next(cores) << 24 if leaf == MODEL else 0),
    )
    assert trial._remembered("bfloat16", "2") == trial._remembered("bfloat16", "2")


@pytest.mark.usefixtures("bfloat16_there")
def test_a_trial_that_is_killed_speaks_against_bfloat16_and_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child_that(
        monkeypatch, "import os, signal; print('begun', flush=True); os.kill(os.getpid(), signal.SIGILL)"
    )
    assert trial.why_not_bfloat16() == f"a trial was killed by {signal.Signals.SIGILL.name}"
    trial.why_not_bfloat16.cache_clear()
    monkeypatch.setattr(trial, "hold_trial", lambda _: pytest.fail("held again"))
    assert trial.why_not_bfloat16() == "a trial was killed by SIGILL"
    game = load("tictactoe")
    for asked in ("auto", "bfloat16"):
        evaluator = NetworkEvaluator(game, busy_network(game), device="cpu", precision=asked)
        assert evaluator.precision == "float32" and "SIGILL" in evaluator.why


@pytest.mark.usefixtures("bfloat16_there")
def test_a_trial_that_fails_speaks_against_bfloat16(monkeypatch: pytest.MonkeyPatch) -> None:
    child_that(monkeypatch, "print('begun'); print('done RuntimeError: could not create a primitive')")
    assert trial.why_not_bfloat16() == "RuntimeError: could not create a primitive"


@pytest.mark.usefixtures("bfloat16_there")
def test_a_trial_that_could_not_be_held_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child_that(monkeypatch, "raise SystemExit(1)")
    assert trial.why_not_bfloat16() is None
    assert not (tmp_path / "trials").exists()


@pytest.mark.usefixtures("bfloat16_there")
def test_a_real_trial_is_held(tmp_path: Path) -> None:
    held, _ = trial.hold_trial("bfloat16")
    assert held
    trial.why_not_bfloat16()
    assert len(list((tmp_path / "trials").iterdir())) == 1


@pytest.mark.parametrize("where", ["fuse_for_cpu", "lowered"])
def test_whatever_fails_in_bfloat16_or_in_fused_layers_float32_goes_on(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library's own errors are of any kind."""
    game = load("tictactoe")
    network = busy_network(game, NetworkParameters(blocks=1, filters=24))
    real = getattr(floats, where)

    def fails(network, kind_or_batch):
        if where == "fuse_for_cpu" or kind_or_batch is torch.bfloat16:
            raise MemoryError("could not create a primitive")
        return real(network, kind_or_batch)

    states = game.start().state[None]
    expected = NetworkEvaluator(game, network, device="cpu", precision="float32")(states)
    monkeypatch.setattr(choosing, "why_not_bfloat16", lambda: None)
    monkeypatch.setattr(choosing, "why_not_int8", lambda: "left out")
    monkeypatch.setattr(choosing, "_chosen", {})
    monkeypatch.setattr(floats, where, fails)
    floats._can_fuse.cache_clear()
    for asked in ("auto", "bfloat16"):
        evaluator = NetworkEvaluator(game, network, device="cpu", precision=asked)
        if where == "lowered":
            assert evaluator.precision == "float32" and "could not create a primitive" in evaluator.why
        assert abs(evaluator(states)[1] - expected[1]) < 0.05
    floats._can_fuse.cache_clear()
