"""Parameters: frozen dataclasses, each field with its meaning and the papers' values beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from nought.errors import NoughtError


class Choice(StrEnum):
    """How the search chooses the edge to follow."""

    PUCT = "puct"  #                    Q + c P √ΣN / (1 + N), as in the papers
    PUCT_PLUS_ONE = "puct+1"  #         the same with √(1 + ΣN): the prior counts from the first visit on
    UCB1 = "ucb1"  #                    Q + c √(ln ΣN / (1 + N)): no network needed
    GUMBEL = "gumbel"  #                sequential halving at the root, completed Q below


@dataclass(frozen=True)
class SearchParameters:
    """Everything about one search. Defaults play; self-play adds noise and sampling."""

    simulations: int = 64  #            per move (wandhoven 50, prince 50/100/167, AlphaZero 800)
    choice: Choice = Choice.PUCT_PLUS_ONE
    c_puct: float = 2.0  #              exploration (wandhoven 2, 1 when serving; blog 1; UCB1 √2)
    c_growth: float = 0.0  #            adds c_growth · ln((ΣN + c_base + 1) / c_base) (AlphaZero 1)
    c_base: float = 19652.0  #          (AlphaZero 19652)
    first_play_urgency: float | None = (
        0.0  # value of an unvisited move (papers 0); none: the node's own value …
    )
    urgency_reduction: float = 0.2  #   … less this times √(policy already tried)
    proofs: bool = True  #              ends of the game are facts, and so is what follows from them
    reuse: bool = True  #               keep the graph below the move played
    considered: int = 16  #             Gumbel: root moves that take part in the halving
    c_visit: float = 50.0  #            Gumbel: σ(q) = (c_visit + max N) c_scale q
    c_scale: float = 1.0
    noise: bool = False  #              self-play: root noise, drawn once per move
    noise_share: float = 0.25  #        ε in (1 − ε) P + ε η (AlphaZero and blog 0.25)
    noise_alpha: float = 1.0  #         of the Dirichlet η (AlphaZero about 10 / legal moves, blog 0.03)
    temperature: float = 1.0  #         of sampled moves: visits^(1/τ)
    sampled_moves: int = 0  #           so many first moves of a game are sampled by visits (wandhoven 10)
    leaves: int = (
        1  #                  positions of one game evaluated at once (virtual loss keeps them apart)
    )
    symmetries: int = 1  #              evaluations averaged at a leaf over random symmetries (prince 8)
    nodes: int = 0  #                   positions a game's graph may hold; 0: two searches' worth
    cache: int = 1 << 18  #             evaluations kept for all games of a batch; 0: none

    def check(self) -> None:
        """Raise NoughtError for a value that cannot be meant."""
        for name, least in (
            ("simulations", 0),
            ("leaves", 1),
            ("symmetries", 1),
            ("considered", 1),
            ("sampled_moves", 0),
            ("cache", 0),
            ("nodes", 0),
        ):
            if getattr(self, name) < least:
                raise NoughtError(f"search.{name} must be {least} or more, not {getattr(self, name)}")
        for name in ("c_puct", "c_growth", "urgency_reduction", "temperature", "c_visit", "c_scale"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise NoughtError(f"search.{name} must be 0 or more, not {value}")
        if not 0 <= self.noise_share <= 1:
            raise NoughtError(f"search.noise_share must be from 0 to 1, not {self.noise_share}")
        for name in ("noise_alpha", "c_base"):
            if not getattr(self, name) > 0:
                raise NoughtError(f"search.{name} must be more than 0, not {getattr(self, name)}")
        if 0 < self.nodes < 2:
            raise NoughtError("search.nodes must be 2 or more, or 0 for the default")
