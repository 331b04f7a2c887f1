"""Which move to play after a search, and what the search is shown: wrong moves on labelled positions.

    python benchmarks/choosing.py agents/connect4-small --positions FILE --simulations 800
    python benchmarks/choosing.py agents/connect4-small --set search.first_play_urgency=none
    python benchmarks/choosing.py RUN --root-temperature 2

Every position is searched once, and then each rule chooses: the most visits, as agents do, or the highest value less so much for each
1/√visits, of moves with at least a tenth of the most visits. A root temperature τ makes the root's priors P^(1/τ), as if
the network were less sure. What is proven is played whatever the rule.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from nought.agents.networks import playing, trained
from nought.config import Parameters
from nought.errors import NoughtError
from nought.games import load
from nought.network import NetworkEvaluator, load_network
from nought.oracle.labelled import Labelled, built_in_positions, read_positions
from nought.presets import override, parse_overrides
from nought.search import Search
from nought.search.analysis import Edge, root
from nought.search.memory import LIMIT, SEARCHING, STATUS

AT_ONCE = 240  # positions
LEAST_SHARE = 0.1  # of the most visits, for a value to count
BOUNDS = (0.25, 0.5, 1.0, 2.0)


def by_visits(edges: Sequence[Edge]) -> int:
    return max(edges, key=lambda edge: (edge.visits, edge.value, edge.prior)).action


def by_lower_bound(width: float) -> Callable[[Sequence[Edge]], int]:
    def choose(edges: Sequence[Edge]) -> int:
        most = max(edge.visits for edge in edges)
        tried = [edge for edge in edges if edge.visits >= max(1, LEAST_SHARE * most)] or list(edges)
        return max(tried, key=lambda edge: edge.value - width / max(edge.visits, 1) ** 0.5).action

    return choose


RULES = {"visits": by_visits} | {f"value − {width:g}/√visits": by_lower_bound(width) for width in BOUNDS}


def search_all(
    search: Search, lot: Sequence[Labelled], evaluator: NetworkEvaluator, temperature: float
) -> None:
    """Search these positions, one in each place of the search."""
    simulations = search.parameters.simulations
    for g, item in enumerate(lot):
        search.forget(g)
        search.begin(g, item.position.state, len(item.position.moves), 0 if temperature != 1 else simulations)
    search.run(evaluator)
    if temperature == 1:
        return
    for g in range(len(lot)):  # the roots are evaluated: change their priors, then search
        node, kernels = root(search, g), search.kernels
        if node.plies is None:
            begin = node.place + int(kernels.HEADER)
            priors = search.floats[begin : begin + len(node.edges)]
            priors **= 1 / temperature
            priors /= priors.sum()
            search.blocks[g, LIMIT], search.blocks[g, STATUS] = simulations, SEARCHING
    search.run(evaluator)


def chosen(search: Search, g: int) -> dict[str, int]:
    """The move of each rule."""
    node = root(search, g)
    if node.plies is not None:
        return dict.fromkeys(RULES, search.decide(g)[0])
    edges = [edge for edge in node.edges if not edge.refuted]
    return {name: rule(edges) for name, rule in RULES.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("agent", help="a run, a file, or agents/connect4")
    parser.add_argument("--game", default="connect4")
    parser.add_argument(
        "--positions", type=Path, action="append", help="default: the game's own; repeat for several"
    )
    parser.add_argument("--simulations", type=int, default=800)
    parser.add_argument("--root-temperature", type=float, default=1.0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="of the search")
    options = parser.parse_args()
    try:
        measure(options)
    except NoughtError as error:
        parser.error(str(error))


def measure(options: argparse.Namespace) -> None:
    game = load(options.game)
    paths = options.positions or [built_in_positions(game)]
    if None in paths:
        raise NoughtError(f"{game.name} has no test set; name one with --positions")
    parameters = override(
        Parameters(search=playing(options.simulations, AT_ONCE)), parse_overrides(options.set)
    )
    network = load_network(trained(options.agent).path, game).network
    evaluator = NetworkEvaluator(game, network, capacity=AT_ONCE)
    print(f"{options.agent}, {options.simulations} simulations, in {evaluator.precision}")
    for path in paths:
        labelled, wrong = read_positions(path, game), dict.fromkeys(RULES, 0)
        for first in range(0, len(labelled), AT_ONCE):
            lot = labelled[first : first + AT_ONCE]
            search = Search(game, parameters.search, len(lot))
            search_all(search, lot, evaluator, options.root_temperature)
            for g, item in enumerate(lot):
                for name, move in chosen(search, g).items():
                    wrong[name] += item.truth.outcomes[move] != item.truth.outcome
        found = ", ".join(f"{name} {count}" for name, count in wrong.items())
        print(f"{path.name}, wrong moves of {len(labelled):,}: {found}", flush=True)


if __name__ == "__main__":
    main()
