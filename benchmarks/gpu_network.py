"""A network of 64 or 128 filters on a GPU, by cuDNN's fused layers and as one kernel: time, share of the matrix rate, error.

    python benchmarks/gpu_network.py
    python benchmarks/gpu_network.py --game othello --network 64x10
    python benchmarks/gpu_network.py --network 128x6      whose one kernel calculates in int8

From planes in the GPU's memory to answers there, ten batches in a graph, the median of seven. The matrix rate is that of one
large product of bfloat16 matrices, measured first, also beside int8, whose limit is twice as high; the error is ‖answer − exact‖ / ‖exact‖ of the logits, with random weights
and planes, and exact is float64.
"""

from __future__ import annotations

import argparse
import copy
import statistics
from collections.abc import Callable
from functools import partial

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn

from nought.config import NetworkParameters
from nought.games import Game, load
from nought.network import Network, Output, build_network, folded
from nought.network.cuda_weights import GpuWeights
from nought.network.fused import fuse_for_cuda
from nought.network.sample import random_sample
from nought.network.tower import FusedTower, why_no_shape
from nought.network.tower_int8 import IntegerTower, why_no_integers

POSITIONS = (64, 256, 1024, 4096, 16384, 32768)
AT_ONCE, TIMES = 10, 7
MATRIX = 8192
GPU = torch.device("cuda")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--network", default="64x5", help="64 or 128 filters x blocks")
    options = parser.parse_args()
    filters, blocks = map(int, options.network.split("x"))
    game = load(options.game)
    exact = random_network(game, NetworkParameters(filters=filters, blocks=blocks))
    lowered = copy.deepcopy(exact).lowered(torch.bfloat16).to(GPU, memory_format=torch.channels_last)  # type: ignore[call-overload]
    fused, sample = fuse_for_cuda(copy.deepcopy(lowered)), partial(random_sample, game)
    ways: dict[str, Callable[[Tensor], Output]] = {
        "cuDNN's layers": lambda planes: fused(planes.to(torch.bfloat16, memory_format=torch.channels_last)),
    }
    if why_no_shape(exact) is None:
        ways["one kernel"] = FusedTower(lowered)
    if why_no_integers(lowered) is None:
        ways["one kernel, int8"] = IntegerTower(lowered, GpuWeights(exact, GPU), sample)
    rate, work = matrix_rate(), operations(exact)
    table = Table(title=f"{options.game}, {options.network}; matrices {rate / 1e12:.0f} TFLOP/s")
    for column in ("positions", "way", "microseconds", "evaluations/s", "of the matrix rate", "error"):
        table.add_column(column, justify="right")
    for positions in POSITIONS:
        planes = torch.empty((positions, *game.planes_shape), device=GPU).bernoulli_(0.3)
        with torch.inference_mode():
            truth = copy.deepcopy(exact).double().to(GPU)(planes.double()).policy
        for name, way in ways.items():
            with torch.inference_mode():
                error = ((way(planes).policy.double() - truth).norm() / truth.norm()).item()
            took = seconds(lambda way=way, planes=planes: answered(way, planes))  # type: ignore[misc]
            speed = positions / took
            table.add_row(
                f"{positions:,}", name, f"{1e6 * took:.1f}", f"{speed / 1e6:.2f} M", f"{work * speed / rate:.0%}",
                f"{error:.4f}",
            )  # fmt: skip
    Console(width=110).print(table)


def random_network(game: Game, parameters: NetworkParameters) -> Network:
    """A folded network all of whose layers matter."""
    network, random = folded(build_network(game, parameters)), torch.Generator().manual_seed(1)
    for tensor in network.parameters():
        spread = 0.8 * (2 / tensor[0].numel()) ** 0.5 if tensor.dim() > 1 else 0.1
        tensor.normal_(std=spread, generator=random)
    return network


def answered(way: Callable[[Tensor], Output], planes: Tensor) -> tuple[Tensor, Tensor]:
    """What a search is told."""
    output = way(planes)
    return torch.softmax(output.policy, 1), output.value.clone()


def seconds(step: Callable[[], object]) -> float:
    """The median time of a step, in a graph of several."""
    stream = torch.cuda.Stream()
    with torch.backends.cudnn.flags(enabled=True, benchmark=True, allow_tf32=False), torch.inference_mode():
        with torch.cuda.stream(stream):
            for _ in range(3):
                step()
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for _ in range(AT_ONCE):
                step()
    taken = []
    with torch.cuda.stream(stream):
        graph.replay()
        for _ in range(TIMES):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record(stream)
            graph.replay()
            end.record(stream)
            end.synchronize()
            taken.append(begin.elapsed_time(end) / 1e3 / AT_ONCE)
    return statistics.median(taken)


def matrix_rate() -> float:
    """Operations a second in a large product."""
    a, b, c = (torch.randn(MATRIX, MATRIX, device=GPU, dtype=torch.bfloat16) for _ in range(3))
    return 2 * MATRIX**3 / seconds(lambda: torch.matmul(a, b, out=c))


def operations(network: Network) -> int:
    """Multiplications and additions of one position."""
    cells = network.planes[1] * network.planes[2]
    convolutions = sum(m.weight.numel() for m in network.modules() if isinstance(m, nn.Conv2d))
    return 2 * (
        cells * convolutions + sum(m.weight.numel() for m in network.modules() if isinstance(m, nn.Linear))
    )


if __name__ == "__main__":
    main()
