"""An exported agent against `negamax` of the package kaggle-environments, in that package.

    nought export RUN --format kaggle --output agent.py
    python -m venv kaggle && kaggle/bin/pip install kaggle-environments
    kaggle/bin/python benchmarks/kaggle.py agent.py --games 100 --seconds 0.2

That package needs an environment of its own; this script needs nothing else. Each episode loads the file anew, as
on Kaggle, and the environment's limit of two seconds a move holds. negamax chooses at random among equal moves.
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple


class Episode(NamedTuple):
    """A game from the exported agent's side."""

    reward: int  #          1 won, 0 drawn, -1 lost
    status: str  #          DONE, unless the agent was too slow or failed
    moves: str  #           columns, counted from 1
    slowest: float  #       seconds that one of its moves took


def main() -> int:
    try:
        import kaggle_environments
    except ImportError:
        print("this needs kaggle-environments, in an environment of its own: pip install kaggle-environments")
        return 2
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        agent = with_seconds(options.agent, options.seconds, Path(folder))
        episodes = []
        for game in range(options.games):
            episodes.append(play(kaggle_environments, agent, options.against, side=game % 2))
            print(f"\r{game + 1} of {options.games}: {score(episodes)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    report(options, episodes)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="An exported agent against an agent of kaggle-environments.")
    parser.add_argument("agent", type=Path, help="file written by nought export --format kaggle")
    parser.add_argument("--against", default="negamax", help="negamax, random or another file")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, help="a move, instead of what the file says")
    return parser.parse_args()


def with_seconds(agent: Path, seconds: float | None, folder: Path) -> str:
    """The agent's file, or a copy that thinks so long."""
    if seconds is None:
        return str(agent)
    source, found = re.subn(
        r"(?m)^SECONDS = [\d.]+", f"SECONDS = {seconds}", agent.read_text(encoding="utf-8")
    )
    assert found == 1, "the file has one line `SECONDS = …`"
    copy = folder / "agent.py"
    copy.write_text(source, encoding="utf-8")
    return str(copy)


def play(kaggle: Any, agent: str, against: str, side: int) -> Episode:
    """One game; side 0 moves first."""
    environment = kaggle.make("connectx")
    steps = environment.run([agent, against] if side == 0 else [against, agent])
    moves = "".join(str(step[number % 2].action + 1) for number, step in enumerate(steps[1:]))
    times = [entry[side].get("duration", 0.0) for entry in environment.logs if len(entry) > side]
    last = steps[-1][side]
    return Episode(last.reward if last.reward is not None else -1, last.status, moves, max(times))


def score(episodes: list[Episode]) -> str:
    rewards = collections.Counter(episode.reward for episode in episodes)
    return f"{rewards[1]} won, {rewards[0]} drawn, {rewards[-1]} lost"


def report(options: argparse.Namespace, episodes: list[Episode]) -> None:
    print(f"{options.agent.name} against {options.against}, {len(episodes)} games: {score(episodes)}")
    for name, side in (("first", 0), ("second", 1)):
        print(f"  moving {name}: {score(episodes[side::2])}")
    print(f"  distinct games: {len({episode.moves for episode in episodes})}")
    print(f"  slowest move: {max(episode.slowest for episode in episodes):.2f} s")
    for episode in episodes:
        if episode.status != "DONE":
            print(f"  {episode.status} after {episode.moves}")
    for number, episode in enumerate(episodes):
        if episode.reward < 1:
            place = "second" if number % 2 else "first"
            print(f"  {'drawn' if episode.reward == 0 else 'lost'}, moving {place}: {episode.moves}")


if __name__ == "__main__":
    sys.exit(main())
