"""A player on another machine: a whole self-play that is asked for positions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from nought.cluster.agreement import GameText, rules, this_program
from nought.config import Parameters
from nought.errors import NoughtError

FETCH_TIMEOUT = 120.0  # seconds in which a machine must get the weights


@dataclass(frozen=True)
class ToPlay:
    """What a player must know before it plays."""

    game: GameText
    rules: str
    parameters: Parameters
    device: str
    threads: int
    seed: int


@dataclass(frozen=True)
class Wanted:
    """What a player is asked for."""

    number: int  #      of the call
    version: int
    positions: int
    simulations: int
    seconds: float


@dataclass(frozen=True, eq=False)  # arrays cannot be compared
class Contribution:
    """What a player has played."""

    version: int
    searched: int  # positions searched in full, those of games that go on as well
    result: Any  #   SelfPlayResult


class RemotePlayer:
    """Lives in a process of its own on some machine, and imports what it needs there."""

    def greet(self) -> tuple[str, str]:
        """Which nought this machine has."""
        version, code = this_program()
        return version, code

    def prepare(self, given: ToPlay) -> None:
        """Build everything that plays."""
        import torch

        from nought.network.evaluator import choose_device
        from nought.network.resnet import build_network
        from nought.selfplay.local import LocalPlayer, gpu_launcher

        game = given.game.game()
        if rules(game) != given.rules:
            raise NoughtError(f"{game.name} has other rules here")
        torch.set_num_threads(given.threads)
        selfplay = replace(given.parameters.selfplay, threads=given.threads)
        parameters = replace(given.parameters, selfplay=selfplay)
        self.network = build_network(game, parameters.network, 0)
        launcher = gpu_launcher(game, parameters, choose_device(given.device), lambda _: None)
        self.player = LocalPlayer(
            game, parameters, self.network, given.device, seed=given.seed, launcher=launcher
        )
        self.version: int | None = None

    def play(self, wanted: Wanted, boxed: list[Any]) -> Contribution:
        """Play with the weights in the box, which are fetched once for each version."""
        if wanted.version != self.version:
            self._fetch(boxed[0], wanted.version)
        self.player.begin(wanted.number)
        result = self.player.play(wanted.positions, wanted.simulations, seconds=wanted.seconds)
        return Contribution(wanted.version, self.player.searched, result)

    def _fetch(self, weights: Any, version: int) -> None:
        import ray
        import torch

        arrays = ray.get(weights, timeout=FETCH_TIMEOUT)
        self.network.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})
        self.player.update(self.network.eval(), version)
        self.version = version
