"""Several players that share a GPU, with CUDA's MPS and without it, and the learner beside them; each is a process.

    python benchmarks/cluster_gpu.py                        everything, in about two minutes
    python benchmarks/cluster_gpu.py --only averaging       learning with NCCL, in a group of one process

The games of a GPU are shared out among its players, as a run does (`cluster.gpu_players`), and each plays as on a cluster, but
answers nobody: Ray is not needed. This process never uses the GPU: whoever does begins after MPS. A line of JSON for every
measurement; `--device cpu --small` is a rehearsal.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from nought.cluster.agreement import GameText, rules
from nought.cluster.player import RemotePlayer, ToPlay
from nought.config import Parameters
from nought.games import load
from nought.learning.device_window import DeviceWindow
from nought.learning.together import TrainerOfSeveral
from nought.learning.trainer import Trainer
from nought.learning.window import Window
from nought.network.resnet import build_network
from nought.presets import Overrides, preset
from nought.search import Uniform
from nought.selfplay.local import gpu_launcher
from nought.selfplay.worker import SelfPlay

GAME = "connect4"
SIMULATIONS = 64
LEARNED = 200_000  # positions in the window of the learner
STEPS = 50  #        of the learner, after which it says how fast it was
CALL = 1.0  #        seconds of a player, after which it says how many positions it had
START_TIMEOUT = 90.0  # seconds for all to have worked for the first time; the first of all compile
SMALL: Overrides = {
    "selfplay.games": 32,
    "network.filters": 16,
    "network.blocks": 2,
    "learning.window": 4000,
    "learning.batch": 64,
}
BEGAN = time.monotonic()
MPS = "nvidia-cuda-mps-control"
MPS_PLACES = ("/usr/bin", "/usr/local/nvidia/bin", "/usr/local/cuda/bin", "/opt/nvidia/bin")


class Way(NamedTuple):
    """What shares the GPU."""

    players: int
    mps: bool
    learner: bool


WAYS = (  # in the order of their worth: what is too late is left out
    Way(1, False, False),
    Way(2, True, False),
    Way(4, True, False),
    Way(2, True, True),
    Way(1, True, True),
    Way(1, False, True),
    Way(2, False, False),
    Way(4, False, False),
)


def parameters(given: argparse.Namespace, **changes: Any) -> Parameters:
    size = {"network.filters": 64, "network.blocks": 5, "learning.window": LEARNED}
    fixed: Overrides = {
        "search.simulations": SIMULATIONS,
        "run.precision": "bfloat16" if given.device == "cuda" else "float32",
    }
    small = SMALL if given.small else {}
    return preset("best", GAME, fixed | size | small | changes, gpu=True)


def say(**found: Any) -> None:
    print(json.dumps(found), flush=True)


# ---- players and the learner ----------------------------------------------------------------------------------------
@dataclass
class Worker:
    """A process that plays or learns, and the file in which it says how many positions it had, and when."""

    process: subprocess.Popen[bytes]
    notes: Path

    def done(self) -> list[tuple[float, int]]:
        """What it has said since the notes were empty."""
        whole = self.notes.read_text().rpartition("\n")[0].splitlines()
        return [(float(when), int(count)) for when, count in (line.split() for line in whole)]

    def ready(self) -> bool:
        """Whether it has found its pace."""
        if self.process.poll() is not None:
            raise RuntimeError(f"a process has ended with code {self.process.returncode}: {self.complaint()}")
        return len(self.done()) > 2

    def complaint(self) -> str:
        """Its last words."""
        said = self.notes.with_suffix(".err").read_text(errors="replace").strip().splitlines()
        return said[-1] if said else "it said nothing"

    def rate(self) -> float:
        """Positions a second, since the first note."""
        notes = self.done()
        return sum(count for _, count in notes[1:]) / (notes[-1][0] - notes[0][0]) if len(notes) > 1 else 0.0


@contextlib.contextmanager
def workers(way: Way, given: argparse.Namespace) -> Iterator[list[Worker]]:
    """The players of a way, and the learner, where there is one, last."""
    kinds = [["--player", str(n), "--of", str(way.players)] for n in range(way.players)]
    kinds += [["--learner"]] * way.learner
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as processes:
        found = []
        for n, kind in enumerate(kinds):
            notes = Path(folder) / str(n)
            notes.touch()
            command = [sys.executable, __file__, *kind, "--notes", str(notes), "--device", given.device]
            with notes.with_suffix(".err").open("wb") as err:
                process = subprocess.Popen(command + ["--small"] * given.small, stderr=err)
            processes.callback(process.wait)
            processes.callback(process.kill)
            found.append(Worker(process, notes))
        yield found


def measure_way(way: Way, given: argparse.Namespace) -> None:
    began = time.monotonic()
    with workers(way, given) as found:
        while not all(worker.ready() for worker in found):
            if time.monotonic() - began > START_TIMEOUT:
                said = [worker.complaint() for worker in found if not worker.ready()]
                raise TimeoutError(f"not ready after {START_TIMEOUT:.0f} s: {'; '.join(said)}")
            time.sleep(0.05)
        start = time.monotonic()
        for worker in found:
            worker.notes.write_text("")
        time.sleep(given.seconds + CALL)
        clients = mps_clients() if way.mps else None
        rates = [worker.rate() for worker in found]
    say(
        **way._asdict(),
        positions_per_s=round(sum(rates[: way.players])),
        learned_per_s=round(rates[-1]) if way.learner else None,
        ready_after_s=round(start - began, 1),
        mps_clients=clients,
    )


def play(given: argparse.Namespace) -> None:
    """Play until the end as one of several players, and say how many positions were searched."""
    game, p = load(GAME), parameters(given)
    shared = replace(p.selfplay, device_games=p.selfplay.device_games // given.of)
    threads = max(1, (os.cpu_count() or 1) // given.of)
    player = RemotePlayer()
    player.prepare(
        ToPlay(
            GameText.of(game), rules(game), replace(p, selfplay=shared), given.device, threads, given.player
        )
    )
    while True:
        player.player.play(1 << 40, SIMULATIONS, seconds=CALL)
        note(given.notes, player.player.searched)


def note(notes: Path, positions: int) -> None:
    """Say that so many were done by now."""
    with notes.open("a") as out:
        out.write(f"{time.monotonic()} {positions}\n")


# ---- MPS ------------------------------------------------------------------------------------------------------------
def mps_program() -> str | None:
    return shutil.which(MPS) or shutil.which(MPS, path=os.pathsep.join(MPS_PLACES))


def mps(command: str) -> str:
    """What MPS answers to a command."""
    program = mps_program()
    if program is None:
        return ""
    done = subprocess.run([program], input=command + "\n", capture_output=True, text=True, timeout=20)
    return done.stdout + done.stderr


class Service:
    """MPS, started and ended as needed. Its folder is the usual one, where every program looks for it."""

    on = False

    def set(self, wanted: bool) -> None:
        program = mps_program()
        if wanted == self.on or program is None:
            return
        if wanted:
            subprocess.run([program, "-d"], check=True, timeout=20)
        else:
            mps("quit")
            time.sleep(1)
        self.on = wanted


def mps_clients() -> int:
    """How many processes use MPS, as it says."""
    return sum(len(mps(f"get_client_list {pid}").split()) for pid in mps("get_server_list").split())


# ---- learning ---------------------------------------------------------------------------------------------------------
def learning_window(given: argparse.Namespace, *, on_gpu: bool) -> Window:
    """A window full of positions of games without a network."""
    game, p = load(GAME), parameters(given)
    played = preset("best", GAME, {"selfplay.games": 64, "search.simulations": 4})
    samples = SelfPlay(game, played, [Uniform(game)], 0).play(2000, 4).samples
    device = torch.device(given.device)
    launcher = gpu_launcher(game, p, device, print) if on_gpu else None
    window = (
        Window(game, p.learning) if launcher is None else DeviceWindow(game, p.learning, launcher, device)
    )
    while len(window) < p.learning.window:
        window.add(samples, p.learning.window)
    return window


def make_trainer(kind: type[Trainer], given: argparse.Namespace) -> Trainer:
    p = parameters(given)
    floats = "bfloat16" if given.device == "cuda" else "float32"
    return kind(build_network(load(GAME), p.network, 0), p, torch.device(given.device), floats)


def learn(given: argparse.Namespace) -> None:
    """Take gradient steps until the end, and say how many."""
    window, trainer, random = (
        learning_window(given, on_gpu=True),
        make_trainer(Trainer, given),
        np.random.default_rng(0),
    )
    while True:
        trainer.train(window, STEPS, 0.001, random)
        note(given.notes, STEPS * trainer.parameters.learning.batch)


def measure_averaging(given: argparse.Namespace) -> None:
    """A group of one process (NCCL on a GPU) takes the steps that a trainer alone takes, from the same batches; then speed."""
    os.environ.setdefault("NCCL_SOCKET_IFNAME", "lo")
    window = learning_window(given, on_gpu=False)
    found: dict[str, dict[str, Any]] = {}
    for name, kind in (("alone", Trainer), ("averaged", TrainerOfSeveral)):
        trainer = make_trainer(kind, given)
        try:
            report = trainer.train(window, 5, 0.001, np.random.default_rng(0))
            begin = time.perf_counter()
            trainer.train(window, STEPS, 0.001, np.random.default_rng(1))
            rate = STEPS * trainer.parameters.learning.batch / (time.perf_counter() - begin)
            found[name] = {"policy_loss": round(report.policy_loss, 4), "learned_per_s": round(rate)}
            if torch.distributed.is_initialized():
                found[name]["backend"] = torch.distributed.get_backend()
        finally:
            trainer.close()
    say(averaging=found)
    window, trainer = learning_window(given, on_gpu=True), make_trainer(Trainer, given)
    trainer.train(window, STEPS, 0.001, np.random.default_rng(0))
    steps, begin = 0, time.perf_counter()
    while (took := time.perf_counter() - begin) < given.seconds / 2:
        trainer.train(window, STEPS, 0.001, np.random.default_rng(1))
        steps += STEPS
    rate = steps * trainer.parameters.learning.batch / took
    say(learner_alone=type(window).__name__, learned_per_s=round(rate))


# ---- all of it ------------------------------------------------------------------------------------------------------
def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--limit", type=float, default=110.0, help="seconds after which nothing is begun")
    parser.add_argument("--only", choices=("averaging", "players"))
    parser.add_argument("--small", action="store_true", help="a small network and few games")
    parser.add_argument("--learner", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--player", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--of", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--notes", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def measure_all(given: argparse.Namespace) -> None:
    service = Service()
    say(mps=mps_program() or "not on this machine: players take turns on the GPU")
    try:
        for way in WAYS:
            if way.mps and mps_program() is None and given.device == "cuda":
                continue
            if time.monotonic() - BEGAN > given.limit:
                say(left_out=way._asdict())
                continue
            try:
                service.set(way.mps)
                measure_way(way, given)
            except Exception as error:  # the others are worth having
                say(**way._asdict(), failed=f"{type(error).__name__}: {error}")
    finally:
        service.set(False)


def main() -> None:
    given = options()
    if given.learner:
        learn(given)
    elif given.player is not None:
        play(given)
    elif given.only == "averaging":
        measure_averaging(given)
    else:
        if given.only is None:  # in a process of its own: this one never uses the GPU
            command = [sys.executable, __file__, "--only", "averaging", "--device", given.device]
            seconds = ["--seconds", str(given.seconds)]
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run([*command, *seconds, *["--small"] * given.small], timeout=40)
        measure_all(given)


if __name__ == "__main__":
    main()
