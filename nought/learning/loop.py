"""The learning loop: the algorithm of the papers."""

from __future__ import annotations

from nought.events import Listener
from nought.learning.failures import failures_explained
from nought.learning.learner import Learner
from nought.learning.players import MakePlayers
from nought.learning.run import Run


def learn(
    run: Run,
    listener: Listener | None = None,
    device: str = "auto",
    began: float | None = None,
    players: MakePlayers | None = None,
) -> None:
    """Play and learn until the run's iterations, games or minutes are over. May be called again to go on.

    The minutes count from `began` on, a time of time.perf_counter(); from now on if it is not given. This machine plays,
    unless other `players` are given (nought/cluster).
    """
    listener = listener or Listener()
    with run, failures_explained(run), Learner(run, listener, device, began, players) as learner:
        while learner.left() > 0:
            samples, games, played = learner.play()  #      the best network against itself
            learned = learner.train(samples)  #             what the searches found and how the games ended
            gated = learner.gate()  #                       the new network against the best
            examined = learner.examine(played, gated)  #    how strong it is by now; nothing depends on it
            if gated.accepted:
                learner.accept(gated)
            else:
                learner.reject()
            learner.commit(samples, games, played, learned, gated, examined)
