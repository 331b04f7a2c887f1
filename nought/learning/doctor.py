"""Why may a run not be learning? Measured on what the run has written: its reports, its games and its positions.

Each check compares a figure of the run with what somebody would reach who has learned nothing, or with what its parameters
ask for. The limits are wide: a run that learns passes all of them.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nought.config import Choice
from nought.events import IterationReport
from nought.games import Position
from nought.learning.run import Run
from nought.learning.window import value_target

LATEST = 5  #         iterations whose games and losses are looked at
LEAST_GAMES = 20  #   of which anything can be said
LEAST_POSITIONS = 50
ENOUGH = 3  #         iterations after which losses mean something
SAMPLE = 400  #       positions of which the legal moves are counted
SAME = 0.95  #        share of games that end alike, from which on their ends teach nothing
UNIFORM = 0.95  #     of the entropy that a policy can have
UNEXPLAINED = 0.95  # share of a loss that somebody who knows nothing has
WORSE = 1.2  #        times that loss
REPEATED = 0.9  #     share of games that were played before
SIMULATIONS_A_MOVE = 0.5  # of a search, for each legal move
BATCHES = 4  #        that a window holds at least
REFUSED = 5  #        new networks, one after the other
THROWN_ABOUT = "the network is worse than one that has learned nothing: its steps are too large"


class Symptom(NamedTuple):
    """What a check has measured."""

    check: str
    figure: str
    says: str = ""  #     what is wrong; empty where nothing is
    advice: str = ""  #   what to try


@dataclass(frozen=True)
class Diagnosis:
    """Everything that was measured on a run."""

    run: str
    iterations: int
    measured: tuple[Symptom, ...]

    @property
    def found(self) -> list[Symptom]:
        """What is wrong, the most fundamental first."""
        return [symptom for symptom in self.measured if symptom.says]


def diagnose(run: Run) -> Diagnosis:
    """Look at a run."""
    evidence = Evidence(run)
    measured = [symptom for check in CHECKS if (symptom := check(evidence)) is not None]
    return Diagnosis(run.name, len(evidence.reports), tuple(measured))


class Evidence:
    """What a run has written, as the checks want it."""

    def __init__(self, run: Run) -> None:
        self.run, self.game, self.parameters = run, run.game, run.parameters
        self.reports = run.reports()
        self.samples = list(run.samples())

    @property
    def latest(self) -> list[IterationReport]:
        return self.reports[-LATEST:]

    @cached_property
    def games(self) -> list[dict[str, Any]]:
        """The games of the last iterations."""
        found = []
        for path in sorted((self.run.folder / "games").glob("*.jsonl"))[-LATEST:]:
            found += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return found

    @cached_property
    def positions(self) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Some positions of the window with more than one legal move: how many each has, and the policy's target."""
        states, policy = (
            np.concatenate(parts)
            for parts in ([s.states for s in self.samples], [s.policy for s in self.samples])
        )
        chosen = np.random.default_rng(0).permutation(len(states))[:SAMPLE]
        counts = np.array([len(Position(self.game, states[i]).legal) for i in chosen])
        return counts[counts > 1], policy[chosen[counts > 1]].astype(np.float64)

    @cached_property
    def value_targets(self) -> NDArray[np.float64]:
        everything = [value_target(s, np.arange(len(s)), self.parameters.learning) for s in self.samples]
        return np.concatenate(everything).astype(np.float64)

    @property
    def enough_positions(self) -> bool:
        return sum(map(len, self.samples)) >= LEAST_POSITIONS

    @property
    def has_learned(self) -> bool:
        """Whether the losses can mean something."""
        steps = sum(report.learning.steps for report in self.latest)
        return len(self.reports) >= ENOUGH and steps > 0 and self.enough_positions

    def loss(self, name: str) -> float:
        """A loss of the last iterations."""
        learned = [report.learning for report in self.reports if report.learning.steps > 0]
        return float(np.mean([getattr(report, name) for report in learned[-ENOUGH:]]))


# ---- games ---------------------------------------------------------------------------------------------------------
def _begun(e: Evidence) -> Symptom | None:
    if e.reports:
        return None
    return Symptom(
        "begun",
        "0 iterations",
        "not one iteration has come to its end: either it has not run long enough, or games do not end",
        f"`nought check {e.run.game_name}` plays games to their end; --set selfplay.positions=1000 makes short iterations",
    )


def _ends(e: Evidence) -> Symptom | None:
    """Whether games end in several ways."""
    if len(e.games) < LEAST_GAMES:
        return None
    results = Counter(np.sign(game["result"]) for game in e.games)
    (commonest, count), *_ = results.most_common(1)
    share = count / len(e.games)
    how = {1: "won by the player who begins", 0: "drawn", -1: "lost by the player who begins"}[int(commonest)]
    figure = f"{share:.0%} of {len(e.games):,} games {how}"
    if share < SAME:
        return Symptom("ends", figure)
    cut = np.mean([g.get("opening", 0) + len(g["moves"]) >= e.game.longest for g in e.games])
    if commonest == 0 and cut >= SAME:
        return Symptom(
            "ends",
            f"{figure}, {cut:.0%} after LONGEST = {e.game.longest} moves",
            "games do not come to a decision before they are cut off: there is nothing to learn from their ends",
            "a larger LONGEST, or a result for games that are cut off (who is ahead); begin on a smaller board",
        )
    return Symptom(
        "ends",
        figure,
        "nearly all games end alike, so their ends say nothing about who stands better",
        "random openings (--set selfplay.opening_share=0.8); if it is the game: a larger board, or a rule that evens it, "
        "as komi or a margin does",
    )


def _variety(e: Evidence) -> Symptom | None:
    if len(e.games) < LEAST_GAMES:
        return None
    distinct = len({(tuple(g.get("start", ())), tuple(g["moves"])) for g in e.games})
    repeated = 1 - distinct / len(e.games)
    figure = f"{distinct:,} different games of {len(e.games):,}"
    if repeated < REPEATED:
        return Symptom("variety", figure)
    return Symptom(
        "variety",
        figure,
        "it plays the same games again and again, and learns nothing new from them",
        "--set search.noise=true, a larger search.sampled_moves, or random openings (selfplay.opening_share)",
    )


# ---- search --------------------------------------------------------------------------------------------------------
def _simulations(e: Evidence) -> Symptom | None:
    if not e.enough_positions or not len(e.positions[0]):
        return None
    moves, simulations = float(e.positions[0].mean()), e.parameters.search.simulations
    needed = SIMULATIONS_A_MOVE * moves
    if e.parameters.search.choice is Choice.GUMBEL:  # which looks at a few moves only, on purpose
        needed = min(needed, e.parameters.search.considered / 2)
    figure = f"{simulations} simulations for {moves:.1f} legal moves on average"
    if simulations >= needed:
        return Symptom("simulations", figure)
    return Symptom(
        "simulations",
        figure,
        "most moves are never tried, so that a search can hardly find a better one than the network's",
        f"--set search.simulations={math.ceil(2 * moves)} or more, or --set search.choice=gumbel, which needs fewer",
    )


def _targets(e: Evidence) -> Symptom | None:
    """Whether the search prefers some moves."""
    if not e.enough_positions or not len(e.positions[0]):
        return None
    counts, policy = e.positions
    entropy = -np.sum(policy * np.log(np.maximum(policy, 1e-12)), axis=1)
    share = float(np.mean(entropy / np.log(counts)))
    figure = f"the policy's targets have {share:.0%} of the entropy of guessing"
    if share < UNIFORM:
        return Symptom("targets", figure)
    return Symptom(
        "targets",
        figure,
        "the search finds all moves equally good, so there is nothing to learn from it",
        f"more simulations (now {e.parameters.search.simulations}), a smaller search.c_puct (now "
        f"{e.parameters.search.c_puct:g}); if the game is a draw whatever is played, there is nothing to find",
    )


# ---- learning ------------------------------------------------------------------------------------------------------
def _window(e: Evidence) -> Symptom | None:
    if not e.reports:
        return None
    learning = e.parameters.learning
    new = float(np.mean([report.selfplay.positions for report in e.latest]))
    figure = f"a window of {learning.window:,}, {new:,.0f} new positions an iteration, batches of {learning.batch:,}"
    if learning.window >= max(new, BATCHES * learning.batch):
        return Symptom("window", figure)
    return Symptom(
        "window",
        figure,
        "positions are forgotten before they are learned from, and batches are nearly all alike",
        f"--set learning.window={max(round(5 * new), 20 * learning.batch)}",
    )


def _policy(e: Evidence) -> Symptom | None:
    """The policy's loss, beside that of one who guesses."""
    if not e.has_learned or not len(e.positions[0]):
        return None
    counts, policy = e.positions
    if e.parameters.learning.policy_loss in ("logits", "visited"):  # nobody knows what guessing would cost
        return None
    if e.parameters.learning.policy_loss == "mse":
        guessed, least = float(np.mean((policy**2).sum(axis=1) / counts - 1 / counts**2)), 0.0
    else:
        guessed, least = float(np.log(counts).mean()), e.loss("policy_entropy")
    mine, guess = e.loss("policy_loss") - least, guessed - least
    if guess < (1 - UNIFORM) * max(guessed, 1e-9):  # the targets are guesses themselves
        return None
    figure = f"the policy's loss is {mine / guess:.0%} of that of guessing, above the least it could be"
    rate = e.parameters.learning.rate
    if mine > WORSE * guess:
        return Symptom("policy", figure, THROWN_ABOUT, _smaller(rate))
    if mine < UNEXPLAINED * guess:
        return Symptom("policy", figure)
    return Symptom(
        "policy",
        figure,
        "the network has not learned which moves the search prefers",
        f"a longer run, more steps (learning.reuse, now {e.parameters.learning.reuse:g}), a larger rate (now {rate:g}); "
        "do the planes show everything that matters?",
    )


def _smaller(rate: float) -> str:
    return f"--set learning.rate={rate / 10:g} (now {rate:g}), or a smaller learning.clip"


def _value(e: Evidence) -> Symptom | None:
    """The value's loss, beside that of one who always says the mean."""
    if not e.has_learned:
        return None
    targets = e.value_targets
    if e.parameters.network.outcomes:
        shares = np.array(
            [np.maximum(targets, 0).mean(), (1 - np.abs(targets)).mean(), np.maximum(-targets, 0).mean()]
        )
        guess = float(-np.sum(shares * np.log(np.maximum(shares, 1e-12))))
    else:
        guess = float(targets.var())
    if guess < 0.01:  # all is drawn or won: `_ends` says so
        return None
    mine, rate = e.loss("value_loss"), e.parameters.learning.rate
    figure = f"the value's loss is {mine / guess:.0%} of that of always saying the mean"
    if mine > WORSE * guess:
        return Symptom("value", figure, THROWN_ABOUT, _smaller(rate))
    if mine < UNEXPLAINED * guess:
        return Symptom("value", figure)
    return Symptom(
        "value",
        figure,
        "the network cannot tell who stands better",
        "do the planes show everything that matters, as the player to move sees it, and does result say who won? "
        f"else learning.value_weight (now {e.parameters.learning.value_weight:g}), a smaller rate, a larger network",
    )


def _gate(e: Evidence) -> Symptom | None:
    rules = e.parameters.gate
    if rules.rule == "none" or not e.reports:
        return None
    accepted = [report.gate.accepted for report in e.reports]
    refused = next((i for i, yes in enumerate(reversed(accepted)) if yes), len(accepted))
    figure = f"{sum(accepted)} of {len(accepted)} new networks accepted, the last {refused} refused"
    if refused < REFUSED:
        return Symptom("gate", figure)
    return Symptom(
        "gate",
        figure,
        "no new network gets through the gate, so that self-play does not get better",
        f"a lower gate.threshold (now {rules.threshold:g}), more positions between two matches, or --set gate.rule=none",
    )


CHECKS: tuple[Callable[[Evidence], Symptom | None], ...] = (
    _begun,
    _ends,
    _variety,
    _simulations,
    _targets,
    _window,
    _policy,
    _value,
    _gate,
)
