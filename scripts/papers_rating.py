"""Rates the versions of a run as 003's doEloRating.cpp does: forty games against the version before, in which only chance
of the gate's kind makes a difference, and its rating straight from their score. Beside it the score that the gate saw.

    python scripts/papers_rating.py RUN          prints it, and writes chain.json into the run's folder

A version whose file is missing, and the one after it, are left out.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import Any

import numpy as np

from nought.events import GateReport
from nought.files import write_whole
from nought.learning.run import Run, run_folder
from nought.network.evaluator import NetworkEvaluator
from nought.rating import MatchResult, Tally, play_match
from nought.rating.elo import papers_elo_difference
from nought.rating.match import tally
from nought.selfplay.players import SearchPlayer


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("run")
    asked.add_argument("--games", type=int, default=40)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--device", default="auto")
    given = asked.parse_args()
    run = Run(run_folder(given.run))
    seen = {report.version: report.gate for report in run.reports() if report.gate.accepted}
    lines = []
    for version in sorted(set(seen) & set(run.versions())):
        if version - 1 in run.versions():
            match = rematch(run, version, given.games, given.seed, given.device)
            lines.append(as_line(version, seen[version], match))
            print(lines[-1], flush=True)
            write_whole(run.folder / "chain.json", json.dumps(lines).encode())
    for what in ("gate", "games"):
        gains = [line[f"{what}_gain"] for line in lines]
        print(f"{what}: {np.mean(gains):.0f} a version on the papers' scale, {len(gains)} versions")


def rematch(run: Run, version: int, games: int, seed: int, device: str) -> MatchResult:
    """A version against the one before: from the start, with chance as in the run's gate."""
    rules = run.parameters.gate
    search = replace(
        run.parameters.search, simulations=rules.simulations, noise=False, sampled_moves=rules.sampled_moves
    )
    new, before = (
        SearchPlayer(
            f"version {number}",
            run.game,
            NetworkEvaluator(run.game, run.network(number), device=device, capacity=games),
            search,
            games=games,
            seed=2 * seed + i,
        )
        for i, number in enumerate((version, version - 1))
    )
    return play_match(run.game, new, before, games, openings=[run.game.start()], lot=games)


def as_line(version: int, gated: GateReport, match: MatchResult) -> dict[str, Any]:
    """A version's two matches with the one before, and what either is worth by 000's equation 48."""
    seen, played = Tally(gated.wins, gated.draws, gated.losses), tally(match.games)
    return {
        "version": version,
        "gate": seen,
        "gate_gain": round(papers_elo_difference(seen.score), 1),
        "games": played,
        "games_gain": round(papers_elo_difference(played.score), 1),
        "distinct_games": len(match.distinct),
    }


if __name__ == "__main__":
    main()
