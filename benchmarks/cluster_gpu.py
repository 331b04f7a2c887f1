"""Several players that share a GPU, with CUDA's MPS and without it, and the learner beside them; each player is an actor.

    python benchmarks/cluster_gpu.py                        everything, in about two minutes
    python benchmarks/cluster_gpu.py --only averaging       learning with NCCL, in a group of one process

The games of a GPU are shared out among its players, as a run does (`cluster.gpu_players`). This process never uses the
GPU: whoever does begins after MPS. A line of JSON for every measurement; `--device cpu --small` is a rehearsal.
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
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from nought.cluster.connect import HERE, NAMESPACE, OBJECT_STORE, find_ray
from nought.cluster.crew import Answer, Member
from nought.cluster.player import ToPlay
from nought.cluster.players import ClusterPlayers
from nought.config import Parameters
from nought.events import Listener
from nought.games import load
from nought.learning.device_window import DeviceWindow
from nought.learning.run import Run
from nought.learning.together import TrainerOfSeveral
from nought.learning.trainer import Trainer
from nought.learning.window import Window
from nought.network.resnet import Network, build_network
from nought.presets import Overrides, preset
from nought.search import Uniform
from nought.selfplay.local import gpu_launcher
from nought.selfplay.worker import SelfPlay

GAME = "connect4"
SIMULATIONS = 64
LEARNED = 200_000  # positions in the window of the learner
STEPS = 50  #        of the learner, after which it says how fast it was
START_TIMEOUT = 60.0  # seconds for players to have played for the first time; the first of all compile
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
        "cluster.continuous": True,
        "cluster.seconds": 1.0,
    }
    small = SMALL if given.small else {}
    return preset("best", GAME, fixed | size | small | changes, gpu=True)


def say(**found: Any) -> None:
    print(json.dumps(found), flush=True)


# ---- players --------------------------------------------------------------------------------------------------------
class Counted(ClusterPlayers):
    """Players whose answers are counted: positions, and from when to when they were played."""

    device = "cuda"

    def __init__(self, run: Run) -> None:
        self.played: dict[Member, list[tuple[float, float, int]]] = {}
        super().__init__(run, Listener(), "local")

    def _prepare(self, member: Member) -> ToPlay:
        return replace(super()._prepare(member), device=self.device)

    def _take(self, answer: Answer) -> None:
        if answer.value is not None:
            played = (answer.member.asked, time.monotonic(), answer.value.searched)
            self.played.setdefault(answer.member, []).append(played)
        super()._take(answer)

    def rate(self, since: float) -> float:
        """Positions a second of all players, in calls that began since then."""
        total = 0.0
        for calls in self.played.values():
            if counted := [call for call in calls if call[0] >= since]:
                total += sum(n for *_, n in counted) / (counted[-1][1] - counted[0][0])
        return total


def measure_players(way: Way, network: Network, given: argparse.Namespace) -> None:
    changes: Any = {"cluster.gpu_players": way.players}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, learner_beside(way.learner, given) as learner:
        run = Run.create(Path(folder) / "run", GAME, parameters(given, **changes))
        players = Counted(run)
        try:
            players.update(network, 0)
            players.iteration, players.simulations, players.wanted = 1 << 40, SIMULATIONS, 1 << 40
            while sum(len(calls) > 1 for calls in players.played.values()) < way.players or not learner.ready:
                players._pass_on()
                if time.monotonic() - began > START_TIMEOUT:
                    raise TimeoutError(f"not ready after {START_TIMEOUT:.0f} s: {list(players.crew.said)}")
                time.sleep(0.05)
            start = time.monotonic()
            learner.begin()
            time.sleep(given.seconds)
            learned, clients = learner.rate(), mps_clients() if way.mps else None
            time.sleep(1.5)  # for the calls under way
            rate = players.rate(start)
        finally:
            players.close()
    say(
        **way._asdict(),
        positions_per_s=round(rate),
        learned_per_s=learned,
        ready_after_s=round(start - began, 1),
        mps_clients=clients,
    )


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


# ---- the learner ----------------------------------------------------------------------------------------------------
class Learner(NamedTuple):
    """A process that learns, and the file in which it says how much."""

    notes: Path | None

    def _learned(self) -> list[tuple[float, int]]:
        if self.notes is None or not self.notes.exists():
            return []
        whole = self.notes.read_text().rpartition("\n")[0].splitlines()
        return [(float(when), int(count)) for when, count in (line.split() for line in whole)]

    @property
    def ready(self) -> bool:
        return self.notes is None or len(self._learned()) > 2

    def begin(self) -> None:
        if self.notes is not None:
            self.notes.write_text("")

    def rate(self) -> float | None:
        """Positions learned from in a second, since it began."""
        notes = self._learned()
        if len(notes) < 2:
            return None
        return round(sum(count for _, count in notes[1:]) / (notes[-1][0] - notes[0][0]))


@contextlib.contextmanager
def learner_beside(wanted: bool, given: argparse.Namespace) -> Iterator[Learner]:
    if not wanted:
        yield Learner(None)
        return
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        command = [sys.executable, __file__, "--learner", str(notes), "--device", given.device]
        process = subprocess.Popen(command + ["--small"] * given.small)
        try:
            yield Learner(notes)
        finally:
            process.kill()
            process.wait()


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
        with given.learner.open("a") as notes:
            notes.write(f"{time.monotonic()} {STEPS * trainer.parameters.learning.batch}\n")


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
    parser.add_argument("--learner", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def measure_all(given: argparse.Namespace) -> None:
    ray = find_ray(**HERE)
    Counted.device = given.device
    service, network = Service(), build_network(load(GAME), parameters(given).network, 0)
    say(mps=mps_program() or "not on this machine: players take turns on the GPU")
    with tempfile.TemporaryDirectory(prefix="nought-", ignore_cleanup_errors=True) as folder:
        cores = os.cpu_count() or 1
        ray.init(
            address="local",
            namespace=NAMESPACE,
            num_cpus=max(cores, 4),
            num_gpus=1,
            include_dashboard=False,
            object_store_memory=OBJECT_STORE,
            _temp_dir=folder,
            log_to_driver=False,
            logging_level="FATAL",
        )
        try:
            for way in WAYS:
                if way.mps and mps_program() is None and given.device == "cuda":
                    continue
                if time.monotonic() - BEGAN > given.limit:
                    say(left_out=way._asdict())
                    continue
                try:
                    service.set(way.mps)
                    measure_players(way, network, given)
                except Exception as error:  # the others are worth having
                    say(**way._asdict(), failed=f"{type(error).__name__}: {error}")
        finally:
            ray.shutdown()
            service.set(False)


def main() -> None:
    given = options()
    if given.learner is not None:
        learn(given)
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
