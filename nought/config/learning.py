"""Parameters of what an iteration is made of: games, gradients, and the match that accepts a network."""

from __future__ import annotations

import os
from dataclasses import dataclass

from nought.config.parameter import Checked, parameter
from nought.errors import NoughtError

# Threads that may be asked for on any machine, or for each of its cores if that is more.
LEAST_THREADS, THREADS_PER_CORE = 64, 4
POLICY_LOSSES = ("cross-entropy", "mse", "logits", "visited")
GATES = ("none", "ratio", "wins", "share", "sequential")


@dataclass(frozen=True)
class SelfPlayParameters(Checked):
    """How games are played to learn from."""

    section = "selfplay"

    positions: int = parameter(
        10000, "new positions per iteration", "wandhoven 30000, blog 100 games, prince 10 games", least=1
    )
    games: int = parameter(128, "games at once on each thread", least=1)
    threads: int = parameter(0, "threads; 0: one per core", least=0)
    device_games: int = parameter(
        0, "games at once where a GPU searches by itself, as many as fit; 0: the CPU searches", least=0
    )
    opening_share: float = parameter(
        0.8, "share of games that start with random moves", "papers 0", least=0, most=1
    )
    opening_moves: int = parameter(20, "at most this many of them", "papers 0", least=0)
    full_share: float = parameter(
        1.0,
        "share of searches in full; only those are learned from (playout cap)",
        "KataGo 0.25",
        least=0.01,
        most=1,
    )
    fast_simulations: int = parameter(16, "simulations of the other searches", "KataGo 1/6", least=1)
    recorded: int = parameter(1000, "finished games per iteration that are kept to be read; 0: all", least=0)

    @property
    def all_threads(self) -> int:
        """The threads of self-play: those asked for, or one for each core of this machine."""
        return self.threads or os.cpu_count() or 1

    def check(self) -> None:
        super().check()
        cores = os.cpu_count() or 1
        most = max(LEAST_THREADS, THREADS_PER_CORE * cores)
        if self.threads > most:
            raise NoughtError(
                f"selfplay.threads must be {most} or less with {cores} cores, not {self.threads}"
            )


@dataclass(frozen=True)
class LearningParameters(Checked):
    """How the network learns."""

    section = "learning"

    window: int = parameter(
        150_000, "positions kept to learn from", "wandhoven 30000, prince 1000/2000/3333", least=1
    )
    begin: int = parameter(
        0, "positions in the window before the first step; 0: a batch", "wandhoven 30000", least=0
    )
    consumed: bool = parameter(
        False,
        "what has been learned from leaves the window, each image of a position by itself",
        "wandhoven's code yes",
    )
    batch: int = parameter(512, "positions per step", "wandhoven and prince 256, blog 32", least=1)
    reuse: float = parameter(
        3.0, "how often a new position is learned from, on average", "blog 30 epochs", least=0
    )
    steps: int = parameter(
        0, "steps per iteration; 0: as many as reuse makes of the new positions", "prince 5 to 25", least=0
    )
    repeats: int = parameter(1, "steps in a row with one batch", "wandhoven's code 5", least=1)
    optimizer: str = parameter("muon", "adamw, muon or sgd", "wandhoven and prince sgd, blog adam")
    rate: float = parameter(0.008, "learning rate", "wandhoven and prince 0.1, blog Adam's own", least=0)
    final_rate: float = parameter(
        0.03, "learning rate at the end of the run, as a share of the first", "papers 1", least=0, most=1
    )
    momentum: float = parameter(0.9, "of sgd", "wandhoven 0.9", least=0, most=1)
    weight_decay: float = parameter(1e-4, "weight decay", "AlphaZero 1e-4, wandhoven and blog 0", least=0)
    policy_loss: str = parameter(
        "cross-entropy",
        "cross-entropy; mse of legal moves' probabilities; or mse of what goes into the softmax: of legal moves "
        "(logits) or of visited ones (visited)",
        "wandhoven logits, its code visited, 004 cross-entropy",
    )
    policy_weight: float = parameter(
        1.0, "weight of the policy's loss", "papers 1, wandhoven's code 0.5", least=0
    )
    value_weight: float = parameter(
        1.0, "weight of the value's loss", "papers 1, wandhoven's code 0.5", least=0
    )
    margin_weight: float = parameter(0.25, "weight of the margin's loss", least=0)
    search_share: float = parameter(
        0.5,
        "share of the search's value in the value target; the rest is the outcome",
        "papers 0",
        least=0,
        most=1,
    )
    target_temperature: float = parameter(
        1.0, "of the policy target: visits^(1/τ)", "prince and 004 τ, the others 1", least=0.01
    )
    proven_targets: bool = parameter(True, "a proven position's target is the proven value", "papers no")
    symmetries: bool = parameter(
        True, "learn each position in a random symmetry", "AlphaGo Zero and wandhoven's code yes"
    )
    surprise: float = parameter(
        0.0, "share of sampling by how much the search surprised the policy", "KataGo 0.5", least=0, most=1
    )
    average: float = parameter(
        0.99,
        "decay per step of the averaged weights that play; 0: no averaging",
        "papers 0",
        least=0,
        most=0.99999,
    )
    devices: int = parameter(
        1,
        "processes that learn together, each on a GPU of its own; without GPUs, each with its cores",
        least=1,
    )
    clip: float = parameter(5.0, "largest norm of the gradient; 0: any", "papers 0", least=0)

    def check(self) -> None:
        super().check()
        if self.optimizer not in ("adamw", "muon", "sgd"):
            raise NoughtError(f"learning.optimizer is adamw, muon or sgd, not {self.optimizer!r}")
        if self.policy_loss not in POLICY_LOSSES:
            raise NoughtError(f"learning.policy_loss is {', '.join(POLICY_LOSSES)}, not {self.policy_loss!r}")
        if self.consumed and self.surprise > 0:
            raise NoughtError(
                "learning.consumed draws every position once, so that learning.surprise must be 0"
            )


@dataclass(frozen=True)
class GateParameters(Checked):
    """When a new network becomes the best one."""

    section = "gate"

    rule: str = parameter(
        "none",
        "none, ratio (of points), wins (their ratio, draws being nobody's), share (of points) or sequential",
        "prince ratio, wandhoven wins, blog share",
    )
    threshold: float = parameter(
        0.55,
        "accepted above: 1.3 as a ratio, 0.55 as a share",
        "wandhoven and prince 1.3, AlphaGo Zero 0.55, blog 0.51",
        least=0,
    )
    games: int = parameter(
        40,
        "games of a match, or the most there may be (sequential)",
        "wandhoven 20, prince 30, blog not said",
        least=2,
    )
    opening_moves: int = parameter(4, "random moves before each pair of games", "papers 0", least=0)
    sampled_moves: int = parameter(
        0, "this many first moves of a game are sampled by visits", "wandhoven's code 1", least=0
    )
    noise_share: float = parameter(
        0.0, "ε of noise in these games, as in search.noise_share", "blog a little", least=0, most=1
    )
    simulations: int = parameter(64, "simulations per move", "wandhoven 50, prince 50/100/167", least=0)
    back: bool = parameter(
        False, "a rejected network learns on from the best weights and their optimizer", "blog yes, others no"
    )

    def check(self) -> None:
        super().check()
        if self.rule not in GATES:
            raise NoughtError(f"gate.rule is {', '.join(GATES)}, not {self.rule!r}")
