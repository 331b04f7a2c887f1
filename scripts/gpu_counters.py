"""A round of self-play on a GPU for NVIDIA's profiler to look at, once games are under way.

ncu --clock-control none --profile-from-start off --kernel-name regex:'device_(search|move)' --set full python scripts/gpu_counters.py

One shard of 16,384 games of Connect 4, 64×5 with new weights, by themselves: nothing else runs beside a kernel that is looked at.
"""

from __future__ import annotations

import threading

import torch

from nought.games import load
from nought.network import build_network
from nought.presets import preset
from nought.selfplay.device import OnGpu
from nought.selfplay.device_shard import ROUNDS, gpu_shards
from nought.selfplay.worker import SelfPlay

PLAYED = 1.2  # seconds, until games are under way
GRAPHS = 7  #   of rounds outside a graph, until the games' own graphs have grown


def main() -> None:
    game, device = load("connect4"), torch.device("cuda")
    changes = {"search.simulations": 64, "network.filters": 64, "network.blocks": 5}
    parameters = preset("best", "connect4", changes, gpu=True)
    network = build_network(game, parameters.network)
    evaluators, make = gpu_shards(game, parameters, network, device, "bfloat16", OnGpu(game))
    shard = SelfPlay(game, parameters, evaluators, 0, make).shards[0]
    stop = threading.Event()
    threading.Timer(PLAYED, stop.set).start()
    shard.play(1 << 60, stop)
    with torch.cuda.stream(shard.stream), torch.inference_mode():
        shard.search.begin_positions(shard.standing)
        for _ in range(GRAPHS):
            for _ in range(ROUNDS):
                shard._round()
            shard.search.take_rows()
        torch.cuda.synchronize()
        torch.cuda.profiler.start()
        shard._round()
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()


if __name__ == "__main__":
    main()
