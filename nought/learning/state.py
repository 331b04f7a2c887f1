"""The state of a run after an iteration: a folder with where it stands, the trainer's tensors and the open games.

A state is whole if everything in it can be read and is of this run: what was cut off, replaced or made up is found
before anything is built of it.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from nought.config import FLOATS, PRECISIONS, Parameters, RunParameters
from nought.files import write_whole
from nought.games import Game
from nought.learning.storage import (
    Damaged,
    read_arrays,
    read_json,
    reading,
    tensors_problem,
    write_arrays,
    write_text,
    zip_problem,
)
from nought.learning.typed import typed

if TYPE_CHECKING:
    from torch import Tensor

PROGRESS, TRAINER, GAMES = "progress.json", "trainer.safetensors", "games.npz"
SLACK = 0.02  # of a run's minutes: for so little no iteration is begun


@dataclass
class Progress:
    """Where a run stands, besides tensors and games."""

    iteration: int = 0  #       iterations committed
    version: int = 0  #         of the best network
    elo: float = 100.0  #       of the best network, on the papers' scale
    minutes: float = 0.0  #     of work so far
    games: int = 0  #           of self-play that have ended
    window: int = 1  #          size of the window at present
    held: int = 0  #            positions in it; 0: not known, it is full or holds all there are
    left: str = (
        ""  #           of each, where they are consumed, a byte: which images have not been learned from
    )
    precision: str = ""  #      in which the network evaluates: as measured when the run began
    floats: str = ""  #         in which it learns, and evaluates where int8 will not do
    random: dict[str, Any] = dataclasses.field(default_factory=dict)  # state of the learner's generator

    def share_done(self, limits: RunParameters) -> float:
        """The share of the run that is done; 1 when it is over, which it is as soon as one limit is reached.

        It is over as well when hardly any minutes are left: too few for another iteration.
        """
        spent = (
            (self.iteration, limits.iterations),
            (self.games, limits.games),
            (self.minutes, limits.minutes),
        )
        share = max((done / limit for done, limit in spent if limit), default=0.0)
        over = limits.minutes and self.minutes >= (1 - SLACK) * limits.minutes
        return 1.0 if over else min(1.0, share)


def read_progress(state: Path) -> Progress:
    """Where a run stood in this state, which is called by its iteration."""
    path = state / PROGRESS
    with reading(path):
        progress: Progress = typed(Progress, read_json(path))
        numbers = (progress.version, progress.minutes, progress.games, progress.window - 1, progress.held)
        if progress.iteration != int(state.name) or min(numbers) < 0:
            raise ValueError("it is not of this state")
        for precision, known in ((progress.precision, PRECISIONS), (progress.floats, FLOATS)):
            if precision not in ("", *known):
                raise ValueError(f"there is no precision {precision!r}")
        bytes.fromhex(progress.left)
        if progress.random:
            np.random.PCG64().state = cast(Any, progress.random)  # as the learner will
        return progress


def write_state(
    folder: Path, progress: Progress, tensors: dict[str, Tensor], games: dict[str, NDArray[Any]]
) -> None:
    """Write all of a state into a folder."""
    from safetensors.torch import save

    write_whole(folder / TRAINER, save(tensors))
    write_arrays(folder / GAMES, games)
    write_text(folder / PROGRESS, json.dumps(dataclasses.asdict(progress)))


def glance(state: Path) -> str | None:
    """What is wrong with a state, as far as a quick look can tell; None if nothing is."""
    try:
        read_progress(state)
    except Damaged as damaged:
        return damaged.what
    return tensors_problem(state / TRAINER) or zip_problem(state / GAMES)


def read_state(
    state: Path, game: Game, parameters: Parameters
) -> tuple[dict[str, Tensor], dict[str, NDArray[Any]]]:
    """The tensors and the games of a state; Damaged if they are not what a run of this game has."""
    read_progress(state)
    games = read_arrays(state / GAMES)
    with reading(state / GAMES):
        _check_games(games, game, parameters)
    return _read_tensors(state / TRAINER, game, parameters), games


def _check_games(arrays: dict[str, NDArray[Any]], game: Game, parameters: Parameters) -> None:
    """Open games have the shape of the game's states; how many threads they are of is looked at by self-play."""
    count = parameters.selfplay.games
    shards = {name.partition(".")[0] for name in arrays}
    for shard in shards:  # none, where a cluster has played
        states, ply, random = (arrays[f"{shard}.{name}"] for name in ("states", "ply", "random"))
        if states.shape != (count, game.state_length) or states.dtype != game.state_dtype:
            raise ValueError("its games are of another game")
        if ply.shape != (count,) or random.shape != (count,) or random.dtype != np.uint64:
            raise ValueError("its games are of another run")
        if arrays[f"{shard}.unfinished"].ndim != 2:
            raise ValueError("its moves are of another run")


def _read_tensors(path: Path, game: Game, parameters: Parameters) -> dict[str, Tensor]:
    """The trainer's tensors; their shapes are looked at before they are read."""
    import torch
    from safetensors import safe_open

    from nought.network.resnet import outline

    with reading(path), safe_open(path, framework="pt") as file:
        network = outline(game, parameters.network)
        shapes = {name: list(tensor.shape) for name, tensor in network.state_dict().items()}
        weights = [list(tensor.shape) for tensor in network.parameters()]
        expected = {f"network.{name}": shape for name, shape in shapes.items()}
        if parameters.learning.average > 0:
            expected |= {f"average.{name}": shape for name, shape in shapes.items()}
        there = {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118
        moments = {name: shape for name, shape in there.items() if name.startswith("optimizer.")}
        if {name: shape for name, shape in there.items() if name not in moments} != expected:
            raise ValueError("its network is not this run's")
        for name, shape in moments.items():
            if shape not in ([], weights[int(name.split(".")[1])]):
                raise ValueError(f"{name} is not of this run's network")
        tensors = {name: file.get_tensor(name) for name in there}
        for name, tensor in tensors.items():
            if not torch.isfinite(tensor).all():
                raise ValueError(f"{name} has what is no finite number")
        return tensors
