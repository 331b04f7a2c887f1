"""Makes the pictures of docs/learn about the network, the search, the loop and speed, and the numbers that its texts
quote: `python scripts/learn_inside.py` (a few minutes; needs node). Then `node scripts/learn_text.mjs`.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

import nought
from nought.agents.networks import PLAYING, load_network, trained
from nought.files import write_whole
from nought.games import Game
from nought.network.evaluator import NetworkEvaluator
from nought.network.resnet import Network
from nought.plotting import BLUE, GREY, ORANGE, plt, write_figure
from nought.search import Search
from nought.search.analysis import root

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "nought" / "server" / "static" / "js" / "learn"
LEARN = ROOT / "docs" / "learn"
FIGURES = LEARN / "figures"
AGENT = "agents/connect4-level-7"
OURS, ROW, FILTER = "4371564453763664", "4433", 7  # the lessons' positions, and the filter that is switched off
CURIOSITY, SIMULATIONS = (0.2, 1, 5, 20), 40
# Learns with the page's own code, and prints every version.
LEARNING = """
const { learn } = await import(process.argv[1]);
const watched = Int8Array.from([-1, 0, 0, 0, 0, 0, 0, 0, 0]);
for (const event of learn({ seed: 1, watched })) if (event.kind === "version") console.log(JSON.stringify(event));
"""


def say(network: Network, planes: Tensor) -> tuple[Tensor, float]:
    """Policy and value."""
    with torch.inference_mode():
        output = network(planes)
    return torch.softmax(output.policy[0], 0), float(output.value[0])


def network_values(game: Game) -> dict[str, object]:
    """What lesson 6 says of its position with an open row, and its picture."""
    network = load_network(trained(AGENT).path, game).network.eval()
    planes = torch.from_numpy(game.position(ROW).planes())[None].float()
    seen: list[Tensor] = []
    hook = network.stem.register_forward_hook(lambda _, __, out: seen.append(out[0].clone()))
    policy, value = say(network, planes)
    hook.remove()
    off = (torch.arange(network.architecture.filters) != FILTER)[:, None, None]
    hook = network.stem.register_forward_hook(lambda _, __, out: out * off)
    other, other_value = say(network, planes)
    hook.remove()
    layer_picture(seen[0], policy, other)
    best, second = int(policy.argmax()), int(other.argmax())
    return {
        "best": best + 1, "share": f"{100 * float(policy[best]):.1f} %", "value": signed(value), "filter": FILTER + 1,
        "otherBest": second + 1, "otherShare": f"{100 * float(other[second]):.1f} %", "otherValue": signed(other_value),
    }  # fmt: skip


def signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def layer_picture(maps: Tensor, policy: Tensor, other: Tensor) -> None:
    figure = plt.figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    for i, ax in enumerate(left.subplots(4, 8).flat):
        ax.imshow(maps[i], cmap="Blues", vmin=0, vmax=float(maps.max()))
        ax.set(xticks=[], yticks=[])
        ax.set_title(str(i + 1), fontsize=8, pad=2)
    left.suptitle("the 32 filters of layer 1")
    ax = right.subplots()
    columns = np.arange(7)
    ax.bar(columns - 0.2, 100 * policy.numpy(), 0.4, color=BLUE, label="all filters")
    ax.bar(columns + 0.2, 100 * other.numpy(), 0.4, color=ORANGE, label=f"without filter {FILTER + 1}")
    ax.set_xticks(columns, [str(column + 1) for column in columns])
    ax.set(xlabel="column", ylabel="policy, %")
    ax.legend()
    write_figure(figure, FIGURES / "network.png")


def search_values(game: Game, speed: dict[str, dict[str, list[float]]]) -> dict[str, object]:
    """What lesson 7 says of our position, and its picture: visits by curiosity."""
    network = load_network(trained(AGENT).path, game).network
    evaluate = NetworkEvaluator(game, network, device="cpu", precision="float32")
    position = game.position(OURS)
    figure, axes = plt.subplots(1, len(CURIOSITY), figsize=(10, 2.6), layout="constrained", sharey=True)
    for ax, c in zip(axes, CURIOSITY, strict=True):
        search = Search(game, replace(PLAYING, simulations=SIMULATIONS, c_puct=c, cache=0))
        search.begin(0, position.state, len(position.moves), SIMULATIONS)
        while len(states := search.advance()) > 0:
            search.answer(*evaluate(states))
        edges = root(search).edges
        colours = [ORANGE if edge.action == 6 else BLUE for edge in edges]  # column 7 wins
        ax.bar([edge.action + 1 for edge in edges], [edge.visits for edge in edges], color=colours)
        ax.plot([edge.action + 1 for edge in edges], [SIMULATIONS * edge.prior for edge in edges], "_", color=GREY, ms=14)
        ax.set(title=f"c = {c}", xlabel="column", xticks=range(1, 8))
    axes[0].set_ylabel(f"visits of {SIMULATIONS}")
    write_figure(figure, FIGURES / "search.svg")
    values = speed["proofs"]["with"]
    return {
        "value": signed(values[0]), "first": 7, "simulations": values.index(1.0), "count": SIMULATIONS, "nodes": 16, "tree": 65,
    }  # fmt: skip


def loop_picture() -> None:
    """One run of the page's own code, version by version."""
    command = ["node", "--input-type=module", "-e", LEARNING, (PAGE / "loop" / "learning.js").as_uri()]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    versions = [json.loads(line) for line in run.stdout.splitlines()]
    numbers = [one["version"] for one in versions]
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3), layout="constrained")
    above = [one["losses"]["policyLoss"] - one["losses"]["floor"] for one in versions[1:]]
    left.plot(numbers[1:], above, color=BLUE)
    left.set(title="loss above its floor", ylim=0)
    middle.plot(numbers, [one["lostAlone"] for one in versions], color=BLUE, label="network alone")
    middle.plot(numbers, [one["lost"] for one in versions], color=ORANGE, label="with search")
    middle.set(title="games it can lose")
    right.plot(numbers, [one["policy"][4] for one in versions], color=BLUE, label="chance of the centre")
    right.plot(numbers, [one["value"] for one in versions], color=ORANGE, label="value for O")
    right.axhline(0, color=GREY, linestyle="--", label="truth")
    right.set(title="after X took a corner", ylim=(-1, 1))
    for ax in (left, middle, right):
        ax.set_xlabel("round")
    middle.legend()
    right.legend()
    write_figure(figure, FIGURES / "loop.svg")
    safe = next((one["version"] for one in versions if not one["lost"]), None)
    print(f"never loses from version {safe}; the last one loses {versions[-1]['lost']} of {versions[-1]['games']}")


def speed_picture(speed: dict[str, dict[str, list[float]]]) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3), layout="constrained")
    names = {"network": "network", "cache": "cache", "graph": "graph,\nproofs", "end": "end of\nthe game"}
    left.bar(list(names.values()), [100 * speed["saved"][name] for name in names], color=[ORANGE, BLUE, BLUE, BLUE])  # type: ignore[operator]
    left.set(title="where values come from, %")
    middle.plot(speed["proofs"]["with"], color=ORANGE, label="with proofs")
    middle.plot(speed["proofs"]["without"], color=BLUE, label="without")
    middle.set(title="value of our position", xlabel="simulations")
    middle.legend()
    right.plot(*zip(*speed["batches"], strict=True), "o-", color=BLUE)
    right.set(title="answers a second, in those of one", xlabel="positions at once", ylim=0)
    right.set_xscale("log", base=2)
    write_figure(figure, FIGURES / "speed.svg")


if __name__ == "__main__":
    measured = json.loads((PAGE / "data" / "speed.json").read_text(encoding="utf-8"))
    connect4 = nought.load("connect4")
    values = {"network": network_values(connect4), "search": search_values(connect4, measured)}
    write_whole(LEARN / "values.json", (json.dumps(values, indent=2, ensure_ascii=False) + "\n").encode())
    speed_picture(measured)
    loop_picture()
