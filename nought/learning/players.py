"""Who plays the games that are learned from: this machine alone (`selfplay/local.py`), or a cluster (`nought/cluster`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from numpy.typing import NDArray

from nought.events import Listener
from nought.learning.run import Run
from nought.network.resnet import Network
from nought.selfplay.worker import SelfPlayResult


class Players(Protocol):
    """Is told which network plays, and asked for positions."""

    def begin(self, number: int) -> None:
        """The iteration of this number begins."""
        ...

    def update(self, network: Network, version: int) -> None:
        """From now on the network of this version plays."""
        ...

    def play(
        self, positions: int, simulations: int, progress: Callable[[float], None], seconds: float
    ) -> SelfPlayResult:
        """About so many positions, or what there is after so many seconds."""
        ...

    def state(self) -> dict[str, NDArray[Any]]:
        """Where the games stand that are not over; nothing, where they are not kept."""
        ...

    def restore(self, games: dict[str, NDArray[Any]]) -> None:
        """Go on with these games, as far as that can be done."""
        ...

    def close(self) -> None:
        """Nobody plays any more."""
        ...


MakePlayers = Callable[[Run, Listener], Players]
