"""A gradient step on a GPU, with norm, addition and rectifier as torch has them and as one operation.

    python benchmarks/gpu_gradients.py
    python benchmarks/gpu_gradients.py --network 64x10 --batch 4096 --tried
    python benchmarks/gpu_gradients.py --set learning.optimizer=adamw

As a run learns: bfloat16, a whole step as one graph; positions and targets are drawn by chance and stand on the GPU. The time
is the GPU's own, of so many steps in a row; the share is that of the matrix rate (measured first) that three times the
network's own operations would take.
"""

from __future__ import annotations

import argparse
from functools import partial
from unittest.mock import patch

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor

from nought.benchmark.arithmetic import matrix_rate, operations
from nought.config import Parameters
from nought.games import Game, load
from nought.learning import trainer
from nought.learning.window import Window
from nought.network import build_network
from nought.network.cuda_graph import Captured
from nought.presets import parse_overrides, preset

GPU = torch.device("cuda")
STEPS = 200


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--network", action="append", help="filters x blocks; repeat for several")
    parser.add_argument("--batch", action="append", type=int, help="positions of a step; repeat for several")
    parser.add_argument("--tried", action="store_true", help="cuDNN tries which of its kernels are fastest")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="of the preset")
    options = parser.parse_args()
    game, rate = load("connect4"), matrix_rate(GPU, "bfloat16")
    table = Table(title=f"Connect 4; matrices {rate / 1e12:.0f} TFLOP/s")
    for column in ("network", "positions", "norms", "milliseconds", "positions/s", "of the matrix rate"):
        table.add_column(column, justify="right")
    for shape in options.network or ["128x8", "64x5"]:
        for batch in options.batch or [1024, 4096]:
            filters, blocks = map(int, shape.split("x"))
            shaped = {"network.filters": filters, "network.blocks": blocks, "learning.batch": batch}
            parameters = preset("best", "connect4", shaped | parse_overrides(options.set), gpu=True)
            work = 3 * operations(build_network(game, parameters.network)) * batch / rate
            for norms, fuse in (("torch's", lambda *_: None), ("one operation", trainer.fuse_norms)):
                with (
                    torch.backends.cudnn.flags(enabled=True, benchmark=options.tried),
                    patch.object(trainer, "fuse_norms", fuse),
                ):
                    took = milliseconds(game, parameters)
                row = (
                    shape,
                    f"{batch:,}",
                    norms,
                    f"{took:.2f}",
                    f"{1000 * batch / took:,.0f}",
                    f"{1000 * work / took:.0%}",
                )
                table.add_row(*row)
                print(*row, flush=True)
    Console(width=110).print(table)


def milliseconds(game: Game, parameters: Parameters) -> float:
    """Of a step."""
    learning = trainer.Trainer(build_network(game, parameters.network), parameters, GPU, "bfloat16")
    step = Captured(partial(learning._learn, Window(game, parameters.learning)))
    learning.network.train()
    given = drawn(game, parameters.learning.batch)
    for _ in range(10):
        step(given)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(STEPS):
        step(given)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / STEPS


def drawn(game: Game, batch: int) -> tuple[Tensor, ...]:
    """Planes, legal moves, policy, value and margin of a batch."""
    planes = torch.empty((batch, *game.planes_shape), device=GPU).bernoulli_(0.3)
    policy = torch.rand((batch, game.actions), device=GPU)
    value = 2 * torch.rand(batch, device=GPU) - 1
    return planes, policy >= 0, policy / policy.sum(1, keepdim=True), value, torch.zeros_like(value)


if __name__ == "__main__":
    main()
