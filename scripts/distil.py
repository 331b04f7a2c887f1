"""Small networks learn from the games of a strong one, all of them from the same games: agents for small machines.

    python scripts/distil.py agents/connect4 --network 48x5 --network 32x4 --minutes 6 --out students

Needs an NVIDIA GPU. The teacher plays against itself as in a run, and its searches are what the students learn. Each is
written as students/FILTERSxBLOCKS.safetensors, which `nought evaluate` and `nought play` take.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from rich.console import Console

from nought.agents.networks import trained
from nought.config import Parameters
from nought.errors import NoughtError
from nought.games import Game, load
from nought.learning.device_window import DeviceWindow
from nought.learning.trainer import Trainer
from nought.network import build_network, load_network, save_network
from nought.presets import parse_overrides, preset
from nought.selfplay.device import OnGpu
from nought.selfplay.device_shard import gpu_shards
from nought.selfplay.worker import SelfPlay

OUT = Console(highlight=False)
# The teacher's values are better than the results of its games, which random openings begin.
CHANGES: dict[str, Any] = {"learning.search_share": 0.75, "selfplay.positions": 100_000}


class Teacher:
    """A trained network that plays against itself, and the window of what its searches said."""

    def __init__(self, name: str, game: Game, parameters: Parameters, device: torch.device) -> None:
        self.parameters = parameters
        network = load_network(trained(name).path, game).network
        launcher = OnGpu(game)
        self.window = DeviceWindow(game, parameters.learning, launcher, device)
        evaluators, make = gpu_shards(game, parameters, network, device, "bfloat16", launcher)
        self.selfplay = SelfPlay(game, parameters, evaluators, parameters.run.seed, make)

    def play(self) -> int:
        """Play on; how many new positions there are to learn from."""
        p = self.parameters
        samples = self.selfplay.play(p.selfplay.positions, p.search.simulations).samples
        self.window.add(samples, p.learning.window)
        return len(samples)


def student(game: Game, shape: str, parameters: Parameters, device: torch.device) -> Trainer:
    """A new network of FILTERSxBLOCKS, and what teaches it."""
    filters, blocks = map(int, shape.split("x"))
    sized = preset("best", game.name, {"network.filters": filters, "network.blocks": blocks}, gpu=True)
    return Trainer(build_network(game, sized.network), parameters, device, "bfloat16")


def teach(teacher: Teacher, students: dict[str, Trainer], minutes: float) -> int:
    """For so many minutes; how many positions there were."""
    learning, begin, seen = teacher.parameters.learning, time.perf_counter(), 0
    while (share := (time.perf_counter() - begin) / (60 * minutes)) < 1:
        new = teacher.play()
        seen += new
        cosine = (1 + math.cos(math.pi * share)) / 2
        rate = learning.rate * (learning.final_rate + (1 - learning.final_rate) * cosine)
        steps, losses = round(new * learning.reuse / learning.batch), []
        for trainer in students.values():
            report = trainer.train(teacher.window, steps, rate, np.random.default_rng(seen))
            losses.append(f"{report.policy_loss - report.policy_entropy:.3f} {report.value_loss:.3f}")
        OUT.print(f"{share:4.0%}  {seen:>11,} positions  {'   '.join(losses)}")
    return seen


def main(
    agent: Annotated[str, typer.Argument(help="The teacher: agents/NAME, a run or a file.")],
    network: Annotated[list[str], typer.Option(help="FILTERSxBLOCKS; repeat for several.")],
    out: Annotated[Path, typer.Option(help="A folder.")],
    game: Annotated[str, typer.Option()] = "connect4",
    minutes: Annotated[float, typer.Option(min=0.1)] = 6.0,
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
) -> None:
    try:
        if not torch.cuda.is_available():
            raise NoughtError("torch sees no NVIDIA GPU here, and a CPU would take days")
        device, rules = torch.device("cuda"), load(game)
        parameters = preset("best", game, CHANGES | parse_overrides(settings or []), gpu=True)
        teacher = Teacher(agent, rules, parameters, device)
        students = {shape: student(rules, shape, parameters, device) for shape in network}
        seen = teach(teacher, students, minutes)
        out.mkdir(parents=True, exist_ok=True)
        for shape, trainer in students.items():
            facts = {"teacher": agent, "positions": seen, "minutes": minutes}
            save_network(out / f"{shape}.safetensors", trainer.playing, rules, 1, facts)
    except NoughtError as error:
        OUT.print(f"[red]{error}[/]")
        raise typer.Exit(2) from None


if __name__ == "__main__":
    typer.run(main)
