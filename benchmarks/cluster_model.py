"""How many players a learner can keep up with, by a model of what was measured.

    python benchmarks/cluster_model.py                                       this machine's learner and player, by 64×5 and 128×8
    python benchmarks/cluster_model.py --size 64 5 --learner 506000 --player 444 --reuse 4 --per-version 200000 --gbit 10

A player makes so many positions a second, and each is so many bytes on its way to the learner. The learner takes every new
position `learning.reuse` times, so it keeps up with 1/reuse of the positions that it learns from in a second. Weights go to
every player once for each version, from the learner's machine. What is full first is what gives way: the learner or its
network card. Ray's own costs were measured at about a millisecond a call, which at a call every ten seconds is nothing.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np
import torch

from nought.config import Parameters
from nought.games import Game, load
from nought.learning.trainer import Trainer
from nought.learning.window import Window
from nought.network.resnet import Network, build_network
from nought.presets import preset
from nought.selfplay.local import LocalPlayer
from nought.selfplay.worker import Samples

SIZES = ((64, 5), (128, 8))
STEPS = 8  #          of learning that are timed
PLAYED = 1500  #      positions of self-play that are timed
PLAYERS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True)
class Model:
    """What a cluster is made of."""

    player: float  #            positions a second that a player makes
    learner: float  #           positions a second that the learner learns from
    reuse: float
    position_bytes: float
    weights_bytes: float
    positions_per_version: float
    network_bytes: float  #     a second, each way, of the learner's machine

    def learned(self, players: int) -> float:
        """New positions a second that are learned from."""
        return min(self.made(players), self.learner / self.reuse)

    def made(self, players: int) -> float:
        return players * self.player

    def network_in(self, players: int) -> float:
        """The share of the network card that positions fill."""
        return self.made(players) * self.position_bytes / self.network_bytes

    def network_out(self, players: int) -> float:
        """The share of it that weights fill: each version once for each player."""
        versions = self.learned(players) / self.positions_per_version
        return versions * players * self.weights_bytes / self.network_bytes

    def limits(self) -> dict[str, float]:
        """Up to how many players each part suffices."""
        per_version = self.weights_bytes * self.learner / self.reuse / self.positions_per_version
        return {
            "the learner": self.learner / self.reuse / self.player,
            "its network, for positions": self.network_bytes / (self.player * self.position_bytes),
            "its network, for weights": self.network_bytes / per_version,
        }


def position_bytes(game: Game) -> int:
    """Of a position as it travels."""
    return game.state_length * game.state_dtype.itemsize + 4 * game.actions + 4 * 4 + 1


def weights_bytes(network: Network) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in network.state_dict().values())


def measured(game: Game, parameters: Parameters, network: Network) -> tuple[float, float]:
    """Positions a second of a player that has this machine, and of a learner that has it."""
    player = LocalPlayer(game, parameters, network)
    player.play(PLAYED // 4, parameters.search.simulations)
    begin = time.perf_counter()
    samples = player.play(PLAYED, parameters.search.simulations).samples
    speed = player.searched / (time.perf_counter() - begin)
    return speed, _learned(game, parameters, network, samples)


def _learned(game: Game, parameters: Parameters, network: Network, samples: Samples) -> float:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    trainer = Trainer(network, parameters, device, threads=parameters.selfplay.all_threads)
    window = Window(game, parameters.learning)
    window.add(samples, len(samples))
    random = np.random.default_rng(0)
    trainer.train(window, 2, 0.0, random)
    return STEPS * parameters.learning.batch / trainer.train(window, STEPS, 0.0, random).seconds


def show(model: Model) -> None:
    print(
        f"  a player {model.player:,.0f} positions/s of {model.position_bytes:.0f} bytes, the learner {model.learner:,.0f} "
        f"positions/s, each {model.reuse:g} times; weights {model.weights_bytes / 1e6:.1f} MB"
    )
    print("  players   made/s   learned/s   positions in   weights out")
    for players in PLAYERS:
        print(
            f"  {players:7}  {model.made(players):7,.0f}  {model.learned(players):10,.0f}  "
            f"{model.network_in(players):12.2%}  {model.network_out(players):12.2%}"
        )
    limits = sorted(model.limits().items(), key=lambda limit: limit[1])
    print("  " + "; ".join(f"{what} suffices for {players:,.1f} players" for what, players in limits))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--player", type=float, help="positions a second that a player makes")
    parser.add_argument("--learner", type=float, help="positions a second that the learner learns from")
    parser.add_argument("--reuse", type=float, help="how often it learns from each; the preset's")
    parser.add_argument("--per-version", type=float, help="positions of an iteration; the preset's")
    parser.add_argument("--size", nargs=2, type=int, action="append", metavar=("FILTERS", "BLOCKS"))
    parser.add_argument("--gbit", type=float, default=1.0, help="of the learner's network card")
    given = parser.parse_args()
    game = load(given.game)
    for filters, blocks in given.size or SIZES:
        changes = {"network.filters": filters, "network.blocks": blocks, "selfplay.games": 64}
        parameters = preset("best", game.name, changes)
        network = build_network(game, parameters.network, 0)
        player, learner = given.player, given.learner
        if player is None or learner is None:
            found = measured(game, parameters, network)
            player, learner = player or found[0], learner or found[1]
        print(f"{game.name}, {filters}×{blocks}, {given.gbit:g} Gbit/s")
        reuse = given.reuse or parameters.learning.reuse
        per_version = given.per_version or parameters.selfplay.positions
        sizes = position_bytes(game), weights_bytes(network), per_version
        show(Model(player, learner, reuse, *sizes, given.gbit * 1e9 / 8))


if __name__ == "__main__":
    main()
