"""The gate: is the new network better than the best so far?"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from nought.arithmetic import ceil_div
from nought.config import LARGEST_SEED, GateParameters, Parameters
from nought.events import GateReport
from nought.games import Game
from nought.rating.elo import papers_elo_difference
from nought.rating.match import MatchGame, MatchResult, play_match, tally
from nought.rating.openings import random_opening
from nought.rating.sequential import sequential_test
from nought.search import Evaluator
from nought.selfplay.players import SearchPlayer


def gate(
    game: Game,
    parameters: Parameters,
    new: Evaluator,
    best: Evaluator,
    best_elo: float | None,
    random: np.random.Generator,
    progress: Callable[[float], None] = lambda _: None,
    keep: Callable[[MatchResult], None] | None = None,
) -> GateReport:
    """A match of the new network against the best, both colours from every opening, and the verdict.

    It is played in lots; `keep` is given what was played in each, with what the searches found.
    """
    rules, begin = parameters.gate, time.perf_counter()
    if rules.rule == "none":
        return GateReport(0, 0, 0, True, None, 0.0)
    pairs = ceil_div(rules.games, 2)
    lot = pairs if rules.rule != "sequential" else max(5, pairs // 5)
    search = replace(
        parameters.search,
        simulations=rules.simulations,
        noise=rules.noise_share > 0,
        noise_share=rules.noise_share,
        sampled_moves=rules.sampled_moves,
    )
    played: list[MatchGame] = []
    accepted: bool | None = None
    for start in range(0, pairs, lot):
        openings = [random_opening(game, rules.opening_moves, random) for _ in range(min(lot, pairs - start))]
        lots_games = 2 * len(openings)
        chance = rules.sampled_moves > 0 or rules.noise_share > 0
        seeds = random.integers(LARGEST_SEED, size=2).tolist() if chance else (0, 0)
        a, b = (
            SearchPlayer(name, game, evaluator, search, games=lots_games, seed=seed)
            for name, evaluator, seed in zip(("new", "best"), (new, best), seeds, strict=True)
        )
        match = play_match(
            game, a, b, lots_games, openings=openings, lot=len(openings), notes=keep is not None
        )
        played += sorted(match.games, key=lambda ended: (ended.pair, not ended.a_first))
        if keep is not None:
            keep(match)
        games = tally(played)
        progress(games.games / (2 * pairs))
        accepted = verdict(rules, *games, final=start + lot >= pairs)
        if accepted is not None:
            break
    elo = None if best_elo is None else best_elo + (papers_elo_difference(games.score) if accepted else 0)
    starting = tally(ended for ended in played if ended.a_first)
    margins = tuple(ended.margin for ended in played) if game.counts_points else ()
    return GateReport(*games, bool(accepted), elo, time.perf_counter() - begin, starting, margins)


def verdict(rules: GateParameters, wins: int, draws: int, losses: int, *, final: bool) -> bool | None:
    """Whether the new network is accepted; None while a sequential match goes on. A draw is half a point, but where
    only wins count."""
    if rules.rule == "wins":
        return wins > rules.threshold * losses
    ours, theirs = wins + draws / 2, losses + draws / 2
    if rules.rule == "sequential":
        # 'no better' (a score of 1/2) against 'better by the threshold'
        accepted = sequential_test(ours, theirs, 0.5, min(max(rules.threshold, 0.51), 0.99))
        return False if accepted is None and final else accepted
    if rules.rule == "ratio":
        return ours > rules.threshold * theirs
    return ours / (ours + theirs) >= rules.threshold
