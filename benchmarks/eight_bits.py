"""How like float32 a network answers in 8 bits: floats (e4m3, as a Hopper GPU multiplies them) and integers, beside bfloat16.

    python benchmarks/eight_bits.py
    python benchmarks/eight_bits.py --agent agents/connect4 --agent agents/othello

Every layer's weights and inputs are rounded as a GPU would have them, and multiplied in float32: no GPU is needed. What blocks
add to stays bfloat16. Ranges are those of 384 positions; compared are 1,024 (fewer where a game has fewer).
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Callable

import torch
from torch import Tensor, nn

from nought.agents.networks import trained
from nought.config import NetworkParameters
from nought.games import Game, load
from nought.network import Network, Output, build_network, folded, load_network
from nought.network.int8 import MORE, SAMPLE, Floats, likeness
from nought.network.quantised import LARGEST, LARGEST_WEIGHT, Ranges, find_ranges
from nought.network.resnet import Convolution
from nought.network.sample import random_sample

AGENTS = ("connect4", "connect4-small", "othello", "othello:6x6", "dots-and-boxes:4x4")
LARGEST_E4M3 = 448.0

Round = Callable[[Tensor, Tensor | float], Tensor]  # numbers, and the largest among them


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agent", action="append", help="agents/GAME; several are the default")
    options = parser.parse_args()
    for name in options.agent or [f"agents/{agent.replace(':', '-')}" for agent in AGENTS]:
        game = load(_game_of(name))
        _compare(name, game, load_network(trained(name).path, game).network)
    if options.agent is None:
        game = load("connect4")
        _compare("new", game, build_network(game, NetworkParameters(filters=128, blocks=6)))


def _game_of(agent: str) -> str:
    return next((game for game in AGENTS if agent.endswith(game.replace(":", "-"))), "connect4").removesuffix(
        "-small"
    )


def _compare(name: str, game: Game, network: Network) -> None:
    plain, sample = folded(network), random_sample(game, MORE)
    planes, parts = torch.from_numpy(sample.planes), network.architecture
    with torch.inference_mode():
        ranges, _ = find_ranges(plain, planes[:SAMPLE])
        expected = plain(planes)
        ways = {
            "bfloat16": copy.deepcopy(plain).lowered(torch.bfloat16)(planes.bfloat16()),
            "e4m3": rounded_network(plain, ranges, planes, e4m3, e4m3),
            "int8": rounded_network(plain, ranges, planes, integers, whole_numbers),
        }
    for way, found in ways.items():
        like = likeness(sample, _answers(found), _answers(expected))
        print(f"{name}, {parts.filters}×{parts.blocks}, in {way}: {like}", flush=True)


def _answers(output: Output) -> tuple[Floats, Floats]:
    return output.policy.float().numpy(), output.value.float().numpy()


def rounded_network(
    network: Network, ranges: Ranges, planes: Tensor, weights: Round, inputs: Round
) -> Output:
    """What a folded network with plain rectifiers says if all that is multiplied is rounded so."""

    def convolved(layer: Convolution, x: Tensor) -> Tensor:
        weight = layer.conv.weight
        largest = weight.abs().amax((1, 2, 3), keepdim=True).clamp(min=1e-12)
        return nn.functional.conv2d(x, weights(weight, largest), layer.conv.bias, padding=layer.conv.padding)

    kept, top = convolved(network.stem, planes).relu().bfloat16().float(), ranges[network.stem].high
    for block in network.blocks:
        inner = convolved(block.first, inputs(kept, top)).relu()  # type: ignore[arg-type]
        sums = convolved(block.second, inputs(inner, ranges[block.first].high))  # type: ignore[arg-type, index]
        kept, top = (sums + kept).relu().bfloat16().float(), ranges[block.second].high  # type: ignore[index]
    x, heads = inputs(kept, top), (network.policy, network.value)
    shown = [head.convolution.activation(convolved(head.convolution, x)).flatten(1) for head in heads]
    return network.read(*(head.conclude(part) for head, part in zip(heads, shown, strict=True)))


def e4m3(x: Tensor, largest: Tensor | float) -> Tensor:
    """Floats of 8 bits, 3 of them behind the point."""
    step = largest / LARGEST_E4M3
    return (x / step).clamp(-LARGEST_E4M3, LARGEST_E4M3).to(torch.float8_e4m3fn).float() * step


def integers(x: Tensor, largest: Tensor | float) -> Tensor:
    """From -127 to 127, as weights are."""
    step = largest / LARGEST_WEIGHT
    return (x / step).round() * step


def whole_numbers(x: Tensor, largest: Tensor | float) -> Tensor:
    """From 0 to 255, as what goes from layer to layer is."""
    step = largest / LARGEST
    return (x / step).round().clamp(0, LARGEST) * step


if __name__ == "__main__":
    main()
