"""What `nought bench` measures: the search alone, the network alone, both in self-play, and learning."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from nought.benchmark.search import GAMES, SIMULATIONS, CompileTime, SearchSpeed, compile_time, search_speed
from nought.benchmark.training import LearningSpeed, NetworkSpeed, SelfPlaySpeed, training_speed
from nought.config import Parameters
from nought.games import Game
from nought.network.resnet import Network

__all__ = ["Benchmark", "run_benchmark"]


@dataclass(frozen=True)
class Benchmark:
    """What was measured of a game on this machine."""

    game: str
    games: int
    simulations: int
    search: SearchSpeed
    compile: CompileTime | None = None
    network: NetworkSpeed | None = None
    selfplay: SelfPlaySpeed | None = None
    learning: LearningSpeed | None = None

    def as_json(self) -> str:
        return json.dumps(asdict(self))


def run_benchmark(
    game: Game,
    *,
    seconds: float = 2.0,
    compile_too: bool = True,
    parameters: Parameters | None = None,
    device: str = "auto",
    network: Network | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Benchmark:
    """Measure a game, with parameters also what a run with these does; `report` is told what is being measured."""
    search = search_speed(game, seconds, report)
    times = None
    if compile_too and game.compilable:
        report("compile time")
        times = compile_time(game.name)
    if parameters is None:
        return Benchmark(game.name, GAMES, SIMULATIONS, search, times)
    training = training_speed(game, parameters, device, seconds, report, network)
    return Benchmark(game.name, GAMES, SIMULATIONS, search, times, *training)
