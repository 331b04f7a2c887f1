"""Self-play of Connect 4 beside pgx + mctx: same network, same simulations a move, each on all cores or on the GPU.

    python benchmarks/peers.py --setup             an environment for the peer, once
    python benchmarks/peers.py                     three rounds, nought and the peer in turn, with new networks
    python benchmarks/peers.py --network 32x4
    python benchmarks/peers.py --agent agents/connect4 --set selfplay.opening_share=0
                                                   nought with a trained network, as it is for most of a run, and from
                                                   the starting position as the peer

nought plays as `nought bench` measures it: preset best, and a cache that is empty when a measurement begins, as after
every change of the weights; the longer the seconds, the more it knows. The peer's speed does not depend on its
weights. The peer's search is Gumbel
MuZero's, and each of its simulations is an evaluation. On a CPU it runs a process of one thread with 128 games on each
core, which is half as fast again as one process with all games. Games per second compare less well: most of
nought's begin with random moves (not with --set selfplay.opening_share=0).

A GPU is used if torch and the peer's JAX both see one. Where jax, pgx and mctx are installed beside nought, no
environment is needed.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple

import numpy as np
import torch
import typer
from rich.console import Console
from rich.table import Table

from nought.agents.networks import trained
from nought.benchmark.training import training_speed
from nought.config import Parameters
from nought.errors import NoughtError
from nought.files import cache_folder
from nought.games import Game, load
from nought.network import build_network, choose_device, folded, load_network
from nought.network.resnet import Network
from nought.presets import override, parse_overrides, preset

ENVIRONMENT = cache_folder() / "peers"
ITS_PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PINNED = [
    "absl-py==2.5.1", "chex==0.1.92", "jaxlib==0.10.2", "mctx==0.0.71", "ml_dtypes==0.6.0", "numpy==2.4.6",
    "opt_einsum==3.4.0", "pgx==2.6.0", "scipy==1.17.1", "svgwrite==1.4.3", "toolz==1.2.0",
    "typing_extensions==4.16.0",
]  # fmt: skip
JAX = "0.10.2"
GAMES = {"cpu": 128, "cuda": 16384}  # of each of the peer's processes
# XLA gains nothing from bfloat16 on a CPU: measured 3 % slower
PRECISIONS = {"cpu": "float32", "cuda": "bfloat16"}
CHECKED_GAMES = 10


@dataclass(frozen=True)
class Speed:
    """Of self-play end to end, and of the network alone."""

    simulations_per_s: float
    evaluations_per_s: float
    games_per_s: float
    network_alone_per_s: float

    @classmethod
    def combined(cls, how: Callable[[list[float]], float], speeds: list[Speed]) -> Speed:
        return cls(*(how([getattr(speed, f.name) for speed in speeds]) for f in fields(cls)))


# ---- the peer ------------------------------------------------------------------------------------------------
def set_up() -> None:
    jax = f"jax=={JAX}"
    if torch.cuda.is_available():
        jax = f"jax[cuda{str(torch.version.cuda).partition('.')[0]}]=={JAX}"
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True)
        subprocess.run([str(ITS_PYTHON), "-m", "pip", "install", "--quiet", jax, *PINNED], check=True)
    except subprocess.CalledProcessError:
        raise NoughtError(f"the peer's environment in {ENVIRONMENT} could not be made; see above") from None


def peer_sees_gpu(python: Path) -> bool:
    looking = [str(python), "-c", "import jax, mctx, pgx; print(jax.default_backend())"]
    try:
        answer = subprocess.run(looking, capture_output=True, text=True)
    except OSError as error:
        raise NoughtError(f"{python} cannot be run: {error.strerror}") from None
    if answer.returncode:
        last = (answer.stderr.strip().splitlines() or ["?"])[-1]
        raise NoughtError(
            f"{python} has no pgx + mctx ({last}); benchmarks/peers.py --setup makes one that has"
        )
    return answer.stdout.split()[-1] == "gpu"


class Peer(NamedTuple):
    """Processes that play for themselves, one per core or one on the GPU."""

    processes: list[subprocess.Popen[str]]
    complaints: IO[str]
    facts: list[dict[str, Any]]  # what each said of itself

    def ask(self, question: dict[str, Any], count: int | None = None) -> list[Any]:
        """The answers of the first `count` processes, or of all of them, asked at once."""
        asked = self.processes[:count]
        for process in asked:
            assert process.stdin is not None
            with suppress(BrokenPipeError):  # it has no answer either, and its last words are heard then
                process.stdin.write(json.dumps(question) + "\n")
                process.stdin.flush()
        return [heard(process, self.complaints) for process in asked]

    def speed(self, seconds: float) -> Speed:
        return Speed.combined(sum, [Speed(**answer) for answer in self.ask({"play": seconds})])


def heard(process: subprocess.Popen[str], complaints: IO[str]) -> Any:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        complaints.seek(0)
        last = (complaints.read().strip().splitlines() or ["?"])[-1]
        raise NoughtError(f"the peer failed: {last}")
    return json.loads(line)


@contextmanager
def peer(python: Path, device: str, parameters: Parameters, games: int) -> Iterator[Peer]:
    """The peer, ready to play."""
    if device == "cuda":
        count, environment = 1, {"JAX_PLATFORMS": "cuda", "XLA_PYTHON_CLIENT_MEM_FRACTION": "0.4"}
    else:  # each process on one core
        one_thread = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false", "NPROC": "1"}
        count, environment = os.cpu_count() or 1, {"JAX_PLATFORMS": "cpu", **one_thread}
    settings = {
        "filters": parameters.network.filters,
        "blocks": parameters.network.blocks,
        "simulations": parameters.search.simulations,
        "games": games,
        "precision": PRECISIONS[device],
    }
    command = [str(python), str(Path(__file__).with_name("peers_pgx.py"))]
    command += [f"--{name}={value}" for name, value in settings.items()]
    with tempfile.TemporaryFile("w+") as complaints:
        processes = [
            subprocess.Popen(
                [*command, f"--seed={seed}"], env={**os.environ, **environment}, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints,
            )
            for seed in range(count)
        ]  # fmt: skip
        try:
            yield Peer(processes, complaints, [heard(process, complaints) for process in processes])
        finally:
            for process in processes:
                process.kill()
                process.communicate()


# ---- are they comparable? ------------------------------------------------------------------------------------
def check_network(game: Game, parameters: Parameters, other: Peer) -> None:
    """The same layers have as many weights."""
    network = folded(build_network(game, parameters.network))
    ours, theirs = sum(p.numel() for p in network.parameters()), other.facts[0]["weights"]
    if ours != theirs:
        raise NoughtError(f"the networks differ: nought's has {ours} weights, the peer's {theirs}")


def check_rules(game: Game, other: Peer) -> None:
    """Random games are the same games to both: legal moves, end and result."""
    random = np.random.default_rng(0)
    games, expected = [], []
    for _ in range(CHECKED_GAMES):
        position, moves, legal = game.start(), [], []
        while not position.finished:
            legal.append(list(position.legal))
            moves.append(int(random.choice(position.legal)))
            position = position.play(moves[-1])
        games.append(moves)
        expected.append({"legal": legal, "result": position.result})
    if other.ask({"replay": games}, count=1) != [expected]:
        raise NoughtError("the peer plays by other rules")


# ---- the comparison ------------------------------------------------------------------------------------------
def device_of_both(name: str, python: Path) -> str:
    """auto: the GPU if both see it."""
    ours, theirs = choose_device(name).type, peer_sees_gpu(python)
    if name == "cuda" and not theirs:
        raise NoughtError(f"JAX of {python} sees no GPU; --device cpu works everywhere")
    return "cuda" if ours == "cuda" and theirs else "cpu"


def our_parameters(device: str, network: str, simulations: int, settings: list[str]) -> Parameters:
    shape = re.fullmatch(r"(\d+)x(\d+)", network)
    if shape is None:
        raise NoughtError(f"a network is filters x blocks, as in 64x5, not {network!r}")
    overrides = {
        "network.filters": shape[1],
        "network.blocks": shape[2],
        "search.simulations": simulations,
        "run.precision": "auto",  # on a GPU the peer's, unless --set says int8
        **parse_overrides(settings),
    }
    parameters = override(preset("best", "connect4", gpu=device == "cuda"), overrides)
    parameters.check()
    return parameters


def our_speed(
    game: Game, parameters: Parameters, device: str, seconds: float, trained_network: Network | None
) -> Speed:
    network, play, _ = training_speed(game, parameters, device, seconds, lambda _: None, trained_network)
    return Speed(play.simulations_per_s, play.evaluations_per_s, play.games_per_s, network.evaluations_per_s)


def compare(
    python: Path,
    parameters: Parameters,
    device: str,
    rounds: int,
    seconds: float,
    agent: str | None,
    peer_games: int,
    report: Callable[[str], None],
) -> dict[str, Any]:
    """Both in turn, so that a noisy machine disturbs both alike; the medians."""
    game = load("connect4")
    network = load_network(trained(agent).path, game).network if agent else None
    if network is not None and network.architecture != parameters.network:
        raise NoughtError(
            f"{agent} is not a {parameters.network.filters}x{parameters.network.blocks} network"
        )
    report("the peer compiles")
    with peer(python, device, parameters, peer_games) as other:
        check_network(game, parameters, other)
        check_rules(game, other)
        ours, theirs = [], []
        for number in range(1, rounds + 1):
            report(f"round {number} of {rounds}: nought")
            ours.append(our_speed(game, parameters, device, seconds, network))
            report(f"round {number} of {rounds}: pgx + mctx")
            theirs.append(other.speed(seconds))
    mine, others = (asdict(Speed.combined(statistics.median, speeds)) for speeds in (ours, theirs))
    return {
        "device": device,
        "cores": os.cpu_count(),
        "network": f"{parameters.network.filters}x{parameters.network.blocks}",
        "simulations": parameters.search.simulations,
        "rounds": rounds,
        "seconds": seconds,
        "peer": {
            "processes": len(other.processes),
            "games": peer_games,
            "precision": PRECISIONS[device],
            **other.facts[0],
        },
        "nought": mine,
        "pgx_mctx": others,
        "ratio": {name: mine[name] / others[name] if others[name] else None for name in mine},
        "by_round": {"nought": [asdict(s) for s in ours], "pgx_mctx": [asdict(s) for s in theirs]},
    }


def table(measured: dict[str, Any]) -> Table:
    facts = measured["peer"]
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    drawn = Table(
        title=f"Connect 4, {measured['network']}, {measured['simulations']} simulations a move, "
        f"{measured['device']}, {measured['cores']} cores, median of {measured['rounds']} × {measured['seconds']:g} s",
        caption=f"pgx + mctx: {facts['processes']} × {facts['games']} games, {facts['precision']}, {versions}",
    )
    for column in ("a second", "nought", "pgx + mctx", "ratio"):
        drawn.add_column(column, justify="left" if column == "a second" else "right")
    names = ("simulations", "evaluations", "games", "evaluations, network alone")
    for name, field in zip(names, fields(Speed), strict=True):
        mine, theirs, ratio = (measured[key][field.name] for key in ("nought", "pgx_mctx", "ratio"))
        drawn.add_row(name, f"{mine:,.1f}", f"{theirs:,.1f}", f"{ratio:.2f} ×" if ratio else "–")
    return drawn


def main(
    network: Annotated[str, typer.Option(help="filters x blocks")] = "64x5",
    simulations: Annotated[int, typer.Option(min=1, help="a move")] = 64,
    rounds: Annotated[int, typer.Option(min=1)] = 3,
    seconds: Annotated[float, typer.Option(min=0.1, help="of each in each round")] = 10.0,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda")] = "auto",
    agent: Annotated[str | None, typer.Option(help="a trained network for nought, by name")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Change a parameter of nought's: section.name=value.")
    ] = None,
    peer_games: Annotated[
        int, typer.Option(min=0, help="of each of the peer's processes; 0: 128 on a core, 16,384 on a GPU")
    ] = 0,
    peer_python: Annotated[
        Path | None, typer.Option(help="a Python with jax, pgx and mctx instead of --setup's, or this one")
    ] = None,
    setup: Annotated[bool, typer.Option("--setup", help="make the peer's environment, and no more")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object instead of a table")] = False,
) -> None:
    try:
        if setup:
            set_up()
            return
        python = peer_python or (ITS_PYTHON if ITS_PYTHON.exists() else Path(sys.executable))
        where = device_of_both(device, python)
        parameters = our_parameters(where, network, simulations, settings or [])
        with Console(stderr=True).status("") as status:
            measured = compare(
                python,
                parameters,
                where,
                rounds,
                seconds,
                agent,
                peer_games or GAMES[where],
                lambda what: status.update(f"{what} …"),
            )
    except NoughtError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from None
    if as_json:
        print(json.dumps(measured))
    else:
        Console(width=110, highlight=False).print(table(measured))


if __name__ == "__main__":
    typer.run(main)
