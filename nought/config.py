"""Parameters: frozen dataclasses, every field with its meaning and the papers' values.

Presets and overrides are in nought/presets.py.
"""

from __future__ import annotations

import dataclasses
import math
import os
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, get_type_hints

from nought.errors import NoughtError

LARGEST_SEED = 2**63 - 1  # players make seeds of their own from it, of 64 bits
# Threads that may be asked for on any machine, or for each of its cores if that is more.
LEAST_THREADS, THREADS_PER_CORE = 64, 4
# In which a network can calculate. It learns in one of the first two, whatever it plays in.
FLOATS = ("float32", "bfloat16")
PRECISIONS = (*FLOATS, "int8")
POLICY_LOSSES = ("cross-entropy", "mse", "logits", "visited")
GATES = ("none", "ratio", "wins", "share", "sequential")
WEIGHT = 4  #   bytes
COPIES = 6  # of the weights while a network learns: gradient, two moments, average, the one that plays
USUAL_MEMORY = 64 * 2**30  # bytes, where the system does not say how many there are


def memory_size() -> int:
    """Bytes of memory in this machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return USUAL_MEMORY


def _rounded(number: int) -> str:
    """A large number with three digits and a letter, such as 1.2 M."""
    size = next((i for i in range(6) if number < 1000 ** (i + 1)), 6)
    return f"{number / 1000**size:,.3g} {' kMGTPE'[size]}".strip()


def parameter(
    default: Any, meaning: str, papers: str = "", *, least: float | None = None, most: float | None = None
) -> Any:
    """A field with its meaning, what the papers use, and the range of sensible values."""
    return field(
        default=default, metadata={"meaning": meaning, "papers": papers, "least": least, "most": most}
    )


@lru_cache
def kinds_of(fields: type) -> dict[str, Any]:
    """The kind of every field of a class; to find that out takes longer than all the rest of reading a file."""
    return get_type_hints(fields)


class Choice(StrEnum):
    """How the search chooses the edge to follow."""

    PUCT = "puct"
    PUCT_PLUS_ONE = "puct+1"
    UCB1 = "ucb1"
    GUMBEL = "gumbel"


class NoiseInto(StrEnum):
    """What self-play's Dirichlet noise is mixed into."""

    PRIOR = "prior"  # of the root, before it is searched
    MOVE = "move"  #   the improved policy, when the move to play is drawn


class Checked:
    """Parameters that can be checked before any work starts."""

    section: str

    def check(self) -> None:
        """Raise NoughtError for a value that cannot be meant."""
        for f in dataclasses.fields(self):  # type: ignore[arg-type]
            value, least, most = getattr(self, f.name), f.metadata.get("least"), f.metadata.get("most")
            name = f"{self.section}.{f.name}"
            if isinstance(value, float) and not math.isfinite(value) and least is not None:
                raise NoughtError(f"{name} must be a finite number, not {value}")
            if least is not None and value is not None and value < least:
                raise NoughtError(f"{name} must be {least} or more, not {value}")
            if most is not None and value is not None and value > most:
                raise NoughtError(f"{name} must be {most} or less, not {value}")


@dataclass(frozen=True)
class SearchParameters(Checked):
    """Everything about one search. Defaults play; self-play adds noise and sampling."""

    section = "search"

    simulations: int = parameter(
        64, "simulations per move", "wandhoven 50, prince 50/100/167, blog not said, AlphaZero 800", least=0
    )
    choice: Choice = parameter(
        Choice.PUCT_PLUS_ONE,
        "edge to follow: puct, puct+1, ucb1, gumbel",
        "papers puct, blog puct+1, 004 and prince's plain search ucb1",
    )
    c_puct: float = parameter(
        2.0, "exploration", "wandhoven 2 (1 when serving), blog 1, UCB1 √2, prince's UCT 2√2 c", least=0
    )
    c_growth: float = parameter(
        0.0, "adds c_growth · ln((ΣN + c_base + 1) / c_base) to c_puct", "AlphaZero 1", least=0
    )
    c_base: float = parameter(19652.0, "see c_growth", "AlphaZero 19652", least=1e-9)
    first_play_urgency: float | None = parameter(
        0.0, "value of a move never tried; none: the node's own, reduced", "papers 0", least=-1, most=1
    )
    urgency_reduction: float = parameter(
        0.2, "reduction · √(policy already tried), with first_play_urgency none", "KataGo 0.2", least=0
    )
    proofs: bool = parameter(
        True, "ends of the game are facts, and so is what follows from them", "papers no"
    )
    look_ahead: bool = parameter(
        False,
        "with proofs: a move that wins at once proves a new position, without an evaluation",
        "papers no",
    )
    reuse: bool = parameter(True, "keep the graph below the move played", "papers yes")
    considered: int = parameter(
        16, "gumbel: root moves that take part in the halving", "Danihelka et al. 16", least=1
    )
    c_visit: float = parameter(
        50.0, "gumbel: σ(q) = (c_visit + max N) c_scale q", "Danihelka et al. 50", least=0
    )
    c_scale: float = parameter(1.0, "gumbel: see c_visit", "Danihelka et al. 1", least=0)
    noise: bool = parameter(
        False, "noise, drawn once per move (self-play only)", "prince, blog and 004 yes, wandhoven no"
    )
    noise_into: NoiseInto = parameter(
        NoiseInto.PRIOR,
        "what it is mixed into: the root's prior, or the policy a move is drawn by",
        "blog move",
    )
    noise_share: float = parameter(
        0.25, "ε in (1 − ε) P + ε η", "AlphaZero, prince and blog 0.25", least=0, most=1
    )
    noise_alpha: float = parameter(
        1.0,
        "of the Dirichlet distribution of η",
        "AlphaZero 10 / legal moves, prince and blog 0.03",
        least=1e-9,
    )
    temperature: float = parameter(1.0, "of sampled moves: visits^(1/τ)", "papers 1", least=0)
    sampled_moves: int = parameter(
        0,
        "this many first moves of a game are sampled by visits",
        "wandhoven 10, its code 9, blog all",
        least=0,
    )
    leaves: int = parameter(
        1, "positions of one game evaluated at once (virtual loss keeps them apart)", least=1, most=1024
    )
    symmetries: int = parameter(
        1, "evaluations averaged at a leaf over random symmetries", "prince 8", least=1
    )
    nodes: int = parameter(0, "positions a game's graph may hold; 0: two searches' worth", least=0)
    cache: int = parameter(1 << 18, "evaluations kept for all games of a batch; 0: none", least=0)

    def check(self) -> None:
        super().check()
        if self.nodes == 1:
            raise NoughtError("search.nodes must be 2 or more, or 0 for the default")


@dataclass(frozen=True)
class NetworkParameters(Checked):
    """The residual network: a stem, a tower of blocks, a policy head and a value head."""

    section = "network"

    blocks: int = parameter(4, "residual blocks", "wandhoven and prince 6", least=0, most=1000)
    filters: int = parameter(32, "channels of the tower", "wandhoven 75, prince 35/70/114", least=1)
    kernel: int = parameter(3, "size of the tower's convolutions", "papers 3, wandhoven's code 5", least=1)
    norm: str = parameter("batch", "batch, layer or none", "papers batch, wandhoven's code layer")
    activation: str = parameter("relu", "relu or leaky", "wandhoven leaky")
    pooling: bool = parameter(
        False,
        "mix in each channel's mean and maximum over the board in every other block (KataGo)",
        "papers no",
    )
    signed: bool = parameter(
        False, "planes of 1 and -1 in the place of 1 and 0; what is beyond the board stays 0", "blog yes"
    )
    policy_filters: int = parameter(8, "channels of the policy head", "wandhoven and prince 2", least=1)
    value_filters: int = parameter(8, "channels of the value head", "wandhoven 10, prince 1", least=1)
    value_hidden: int = parameter(
        64, "hidden units of the value head; 0: no hidden layer", "wandhoven 210, AlphaZero 256", least=0
    )
    value_plane: int | None = parameter(
        None,
        "number of a plane that is the same all over the board, which only the value head sees",
        "prince proposes it for the score",
        least=0,
    )
    head_norm: bool = parameter(True, "normalise and rectify the heads' channels", "wandhoven no, prince yes")
    head_activation: bool = parameter(
        False, "rectify them even where they are not normalised", "wandhoven's code yes"
    )
    outcomes: bool = parameter(False, "predict win, draw and loss instead of a value", "papers no")
    margin: bool = parameter(False, "predict the margin too, in games that count points", "papers no")
    masked: float = parameter(
        -1000.0, "logit of illegal moves before the softmax", "wandhoven -1000", most=-100
    )

    def check(self) -> None:
        super().check()
        if self.norm not in ("batch", "layer", "none"):
            raise NoughtError(f"network.norm is batch, layer or none, not {self.norm!r}")
        if self.activation not in ("relu", "leaky"):
            raise NoughtError(f"network.activation is relu or leaky, not {self.activation!r}")
        if self.kernel % 2 == 0:
            raise NoughtError(f"network.kernel must be odd, not {self.kernel}")
        needed, there = COPIES * WEIGHT * self.least_weights, memory_size()
        if needed > there:
            raise NoughtError(
                f"this network has {_rounded(self.least_weights)} weights at least and needs "
                f"{_rounded(needed)}B to learn; this machine has {_rounded(there)}B: make it smaller "
                "(network.filters, network.blocks)"
            )

    @property
    def least_weights(self) -> int:
        """How many weights it has on the smallest of boards."""
        tower = (1 + 2 * self.blocks * self.filters) * self.filters * self.kernel**2
        heads = (
            self.filters * (self.policy_filters + self.value_filters) + self.value_filters * self.value_hidden
        )
        return tower + heads


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


@dataclass(frozen=True)
class Parameters:
    """All parameters of a run."""

    search: SearchParameters = SearchParameters(
        simulations=32, c_puct=1.25, noise=True, sampled_moves=12, look_ahead=True
    )
    network: NetworkParameters = NetworkParameters()
    selfplay: SelfPlayParameters = SelfPlayParameters()
    learning: LearningParameters = LearningParameters()
    gate: GateParameters = GateParameters()
    exam: ExamParameters = ExamParameters()
    run: RunParameters = RunParameters()
    cluster: ClusterParameters = ClusterParameters()

    def check(self) -> None:
        """Raise NoughtError for a value that cannot be meant."""
        for section in dataclasses.fields(self):
            getattr(self, section.name).check()
