"""Parameters of a run as a whole: how long it lasts, how it is measured, and which machines play."""

from __future__ import annotations

from dataclasses import dataclass

from nought.config.network import PRECISIONS
from nought.config.parameter import Checked, parameter
from nought.errors import NoughtError

LARGEST_SEED = 2**63 - 1  # players make seeds of their own from it, of 64 bits


@dataclass(frozen=True)
class ExamParameters(Checked):
    """How each accepted version is measured; nothing that is learned depends on it."""

    section = "exam"

    games: int = parameter(
        80,
        "games of a version that is rated, with others of about its strength; 0: none",
        "wandhoven's code 40",
        least=0,
    )
    simulations: int = parameter(8, "simulations per move of these games", "wandhoven 50", least=0)
    share: float = parameter(
        0.05,
        "largest share of the time for these games; where it is not enough for all versions, some are not rated",
        least=0,
        most=1,
    )


@dataclass(frozen=True)
class RunParameters(Checked):
    """How long a run lasts, and the seed of its random numbers."""

    section = "run"

    iterations: int = parameter(0, "iterations; 0: until the minutes are over or you stop it", least=0)
    games: int = parameter(0, "games of self-play; 0: no limit", least=0)
    minutes: float = parameter(10.0, "wall-clock minutes; 0: no limit", least=0)
    seed: int = parameter(0, "of everything random", least=0, most=LARGEST_SEED)
    growth: float = parameter(
        0.5,
        "simulations and window at the start, as a share; they grow to full size half-way",
        "papers 1",
        least=0.01,
        most=1,
    )
    precision: str = parameter(
        "auto",
        "in which the network evaluates: float32, bfloat16, int8, or auto: the fastest of them",
    )

    def check(self) -> None:
        super().check()
        if self.precision not in ("auto", *PRECISIONS):
            raise NoughtError(f"run.precision is auto, {', '.join(PRECISIONS)}, not {self.precision!r}")


@dataclass(frozen=True)
class ClusterParameters(Checked):
    """Where a run's games are played, if not on this machine alone (docs/guide/cluster.md)."""

    section = "cluster"

    address: str = parameter(
        "",
        "Ray's cluster: HOST:PORT, auto, or local, which starts one here; empty: this machine, without Ray",
    )
    continuous: bool = parameter(
        False,
        "players never wait while others learn; false: an iteration waits for its positions",
        "AlphaZero yes",
    )
    seconds: float = parameter(10.0, "a player answers after so many seconds, or earlier", least=0.1)
    timeout: float = parameter(60.0, "so many seconds later it is replaced", least=1)
    join: float = parameter(
        300.0, "seconds for its first positions: a machine that joins compiles the rules", least=1
    )
    oldest: int = parameter(
        5, "positions of versions that are further behind the best are not learned from", least=0
    )
    gpu_players: int = parameter(
        1, "players that share a GPU, and its games (selfplay.device_games)", least=1, most=64
    )

    def check(self) -> None:
        super().check()
        host, colon, port = self.address.rpartition(":")
        if self.address not in ("", "local", "auto") and not (host and colon and port.isdecimal()):
            raise NoughtError(f"a cluster's address is HOST:PORT, auto or local, not {self.address!r}")
