"""The speed of the search, as quoted in README and docs.

    python benchmarks/search.py

For each game what `nought bench` prints; then, on Connect 4, plain Monte-Carlo search with random play to the
end beside OpenSpiel's in C++, taking turns in the same run, because only ratios travel between machines.
"""

from __future__ import annotations

import statistics
import time

import pyspiel
from rich.console import Console
from rich.table import Table

from nought.benchmark import run_benchmark
from nought.games import load
from nought.selfplay import rollout_player

SIMULATIONS = 5000


def games_table(out: Console) -> None:
    table = Table(title="256 games a thread, 64 simulations a move, free evaluator, graph and proofs on")
    for column in ("game", "simulations/s", "threads", "all threads", "scaling", "saved", "cold", "warm"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for name in ("connect4", "tictactoe", "dots-and-boxes", "othello"):
        measured = run_benchmark(load(name))
        speed, times = measured.search, measured.compile
        one, every = speed.simulations_per_s_one_thread, speed.simulations_per_s_all_threads
        assert times is not None
        table.add_row(
            name,
            f"{one / 1e6:.2f} M",
            str(speed.threads),
            f"{every / 1e6:.2f} M",
            f"{every / one:.2f} ×",
            f"{speed.evaluations_saved:.0%}",
            f"{times.cold_s:.1f} s",
            f"{times.warm_s:.2f} s",
        )
    out.print(table)


def ours(games: int) -> float:
    """Simulations per second of rollout search on so many games at once, on one thread."""
    game = load("connect4")
    player = rollout_player(game, SIMULATIONS, games=games)
    positions = dict.fromkeys(range(games), game.start())
    player.choose({0: game.start()})
    before, begin = player.search.counters()["simulations"], time.perf_counter()
    player.search.kernels.forget_games(player.search.words)
    player.choose(positions)
    return (player.search.counters()["simulations"] - before) / (time.perf_counter() - begin)


def openspiel() -> float:
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2**0.5, SIMULATIONS, 1000, True, 1, False)
    begin = time.perf_counter()
    bot.mcts_search(game.new_initial_state())
    return SIMULATIONS / (time.perf_counter() - begin)


def rollouts_table(out: Console) -> None:
    runs = [(openspiel(), ours(1), ours(64)) for _ in range(7)]
    peer, single, many = (statistics.median(column) for column in zip(*runs, strict=True))
    table = Table(title="Connect 4, random play to the end, one thread, simulations/s")
    for column in ("OpenSpiel (C++)", "nought, one game", "nought, 64 games at once"):
        table.add_column(column, justify="right")
    table.add_row(
        f"{peer:,.0f}", f"{single:,.0f} ({single / peer:.1f} ×)", f"{many:,.0f} ({many / peer:.1f} ×)"
    )
    out.print(table)


if __name__ == "__main__":
    out = Console(width=120)
    games_table(out)
    rollouts_table(out)
