"""Parameters of a search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nought.config.parameter import Checked, parameter
from nought.errors import NoughtError


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
    nodes: int = parameter(
        0, "positions a game's graph may hold; 0: two searches' worth, on a GPU up to 16", least=0
    )
    cache: int = parameter(1 << 18, "evaluations kept for all games of a batch; 0: none", least=0)

    def check(self) -> None:
        super().check()
        if self.nodes == 1:
            raise NoughtError("search.nodes must be 2 or more, or 0 for the default")
