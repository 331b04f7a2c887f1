"""A picture of what a GPU does while games are played on it: which kernels of both shards run, and when.

python scripts/gpu_round.py docs/images/gpu-round.png --keep docs/images/gpu-round.json     on a GPU
python scripts/gpu_round.py docs/images/gpu-round.png --from docs/images/gpu-round.json     as it was seen then

A kernel of a network that is none of ours counts as the network's.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from nought.plotting import BLUE, GREEN, GREY, ORANGE, plt, write_figure
from nought.presets import Overrides, parse_overrides, preset

SETTLED, SHOWN = 0.3, 0.005  # seconds: what is waited until graphs have grown, then shown
COLOURS = {"search": ORANGE, "moves": GREEN, "network": BLUE, "planes, cache": GREY}
PARTS = {
    "device_search": "search", "device_move": "moves", "device_planes": "planes, cache", "device_claim": "planes, cache",
    "device_store": "planes, cache",
}  # fmt: skip


class Ran(NamedTuple):
    """A kernel that ran, in microseconds."""

    name: str
    begin: float
    took: float
    stream: int


def main() -> None:
    options = _options()
    if options.seen:
        ran = [Ran(*each) for each in json.loads(options.seen.read_text())]
    else:
        ran = recorded(options.network, parse_overrides(options.set))
    if options.keep:
        options.keep.write_text(json.dumps(ran) + "\n", encoding="utf-8")
    draw(ran, options.picture)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("picture", type=Path)
    parser.add_argument("--from", dest="seen", type=Path, help="draw what was kept, without a GPU")
    parser.add_argument("--keep", type=Path, help="write down what ran, too")
    parser.add_argument("--network", default="64x5", help="filters x blocks")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="of the preset")
    return parser.parse_args()


def recorded(network: str, settings: Overrides) -> list[Ran]:
    """The kernels of a few milliseconds of self-play with new weights."""
    import torch
    from torch.profiler import ProfilerActivity, profile

    from nought.games import load
    from nought.network import build_network
    from nought.selfplay.device import OnGpu
    from nought.selfplay.device_shard import gpu_shards
    from nought.selfplay.worker import SelfPlay

    game = load("connect4")
    filters, blocks = map(int, network.split("x"))
    changes: dict[str, Any] = {"network.filters": filters, "network.blocks": blocks, "search.simulations": 64}
    parameters = preset("best", "connect4", changes | settings, gpu=True)
    new = build_network(game, parameters.network)
    evaluators, make = gpu_shards(game, parameters, new, torch.device("cuda"), "bfloat16", OnGpu(game))
    shards = SelfPlay(game, parameters, evaluators, 0, make).shards

    def play(seconds: float) -> None:
        stop = threading.Event()
        threading.Timer(seconds, stop.set).start()
        with ThreadPoolExecutor(len(shards)) as pool:
            list(pool.map(lambda shard: shard.play(1 << 60, stop), shards))
        torch.cuda.synchronize()

    play(1.0)  # games get under way
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        play(2 * SETTLED + SHOWN)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        seen.export_chrome_trace(str(path))
        events = json.loads(path.read_text())["traceEvents"]
    kernels = [event for event in events if event.get("cat") == "kernel"]
    ran = [Ran(e["name"][:40], e["ts"], e["dur"], e["args"]["stream"]) for e in kernels]
    first = min(each.begin for each in ran) + 1e6 * SETTLED
    return [r._replace(begin=r.begin - first) for r in ran if 0 <= r.begin - first < 1e6 * SHOWN]


def shards(ran: list[Ran]) -> list[tuple[int, Ran]]:
    """Each kernel with its shard, as far as that can be told: a graph has streams of its own, and in each of them what
    follows the planes is of the shard that has just searched."""
    searching = sorted({each.stream for each in ran if each.name == "device_search"})
    of: dict[int, int] = {stream: shard for shard, stream in enumerate(searching)}
    told, last = [], 0
    for each in sorted(ran, key=lambda each: each.begin):
        if each.name == "device_search":
            last = of[each.stream]
        elif each.name == "device_planes":
            of[each.stream] = last
        if each.stream in of and (
            each.stream not in searching or each.name in PARTS
        ):  # but for fetching moves
            told.append((of[each.stream], each))
    return told


def draw(ran: list[Ran], picture: Path) -> None:
    """Two lines for each shard: its search and moves, and beside that its network."""
    told = shards(ran)
    lines = [f"shard {shard + 1}: {what}" for shard in range(2) for what in ("search", "network")]
    figure, ax = plt.subplots(figsize=(9, 2.6), constrained_layout=True)
    for shard, each in told:
        part = PARTS.get(each.name, "network")
        line = 2 * shard + (part in ("network", "planes, cache"))
        ax.barh(line, each.took / 1e3, left=each.begin / 1e3, height=0.7, color=COLOURS[part])
    for part, colour in COLOURS.items():
        ax.barh(0, 0, color=colour, label=part)
    begin = min(each.begin for _, each in told if each.name == "device_search") / 1e3
    ax.set(xlabel="milliseconds", yticks=range(len(lines)), yticklabels=lines, xlim=(begin, 1e3 * SHOWN))
    ax.invert_yaxis()
    figure.legend(
        *ax.get_legend_handles_labels(), frameon=False, ncols=len(COLOURS), loc="outside upper center"
    )
    write_figure(figure, picture)


if __name__ == "__main__":
    main()
