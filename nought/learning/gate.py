"""The gate: is the new network better than the best so far?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from nought.arithmetic import ceil_div, sign
from nought.config import GateParameters, Parameters
from nought.events import GateReport
from nought.games import Game
from nought.rating.elo import papers_elo_difference
from nought.rating.openings import random_opening
from nought.rating.sequential import sequential_test
from nought.search import Evaluator
from nought.selfplay.play import play_games
from nought.selfplay.players import SearchPlayer


def gate(
    game: Game,
    parameters: Parameters,
    new: Evaluator,
    best: Evaluator,
    best_elo: float | None,
    random: np.random.Generator,
    progress: Callable[[float], None] = lambda _: None,
) -> GateReport:
    """A match of the new network against the best, both colours from every opening, and the verdict."""
    rules, begin = parameters.gate, time.perf_counter()
    if rules.rule == "none":
        return GateReport(0, 0, 0, True, None, 0.0)
    pairs = ceil_div(rules.games, 2)
    lot = pairs if rules.rule != "sequential" else max(5, pairs // 5)
    search = replace(parameters.search, simulations=rules.simulations, noise=False, sampled_moves=0)
    games: list[tuple[float, bool]] = []  # how each ended for the new network, and whether it began
    accepted: bool | None = None
    for start in range(0, pairs, lot):
        openings = [random_opening(game, rules.opening_moves, random) for _ in range(min(lot, pairs - start))]
        players = [
            SearchPlayer(name, game, e, search, games=2 * len(openings))
            for name, e in (("new", new), ("best", best))
        ]
        swapped = range(len(openings), 2 * len(openings))  # both colours at once
        last = play_games((players[0], players[1]), 2 * openings, swapped=swapped)
        games += [(-p.result, False) if g in swapped else (p.result, True) for g, p in enumerate(last)]
        wins, draws, losses = tally(result for result, _ in games)
        progress(len(games) / (2 * pairs))
        accepted = verdict(rules, wins, draws, losses, final=start + lot >= pairs)
        if accepted is not None:
            break
    score = (wins + draws / 2) / len(games)
    elo = None if best_elo is None else best_elo + (papers_elo_difference(score) if accepted else 0)
    starting = tally(result for result, began in games if began)
    return GateReport(wins, draws, losses, bool(accepted), elo, time.perf_counter() - begin, starting)


def tally(results: Iterable[float]) -> tuple[int, int, int]:
    """Games won, drawn and lost."""
    signs = [sign(result) for result in results]
    return signs.count(1), signs.count(0), signs.count(-1)


def verdict(rules: GateParameters, wins: int, draws: int, losses: int, *, final: bool) -> bool | None:
    """Whether the new network is accepted; None while a sequential match goes on. A draw is half a point."""
    ours, theirs = wins + draws / 2, losses + draws / 2
    if rules.rule == "sequential":
        # 'no better' (a score of 1/2) against 'better by the threshold'
        accepted = sequential_test(ours, theirs, 0.5, min(max(rules.threshold, 0.51), 0.99))
        return False if accepted is None and final else accepted
    if rules.rule == "ratio":
        return ours > rules.threshold * theirs
    return ours / (ours + theirs) >= rules.threshold
