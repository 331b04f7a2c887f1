"""What stands where in the memory of a search."""

from __future__ import annotations

from typing import Any

import numpy as np

from nought.arithmetic import ceil_div
from nought.config import SearchParameters
from nought.errors import NoughtError
from nought.games import Game
from nought.search import memory
from nought.search.memory import MemoryLayout, U

USUAL_ROOM = 2  # searches' worth of positions in a game's graph


class Allocator:
    """Hands out places in memory, each on a cache line of its own."""

    def __init__(self, used: int) -> None:
        self.used = 0
        self.take(used)

    def take(self, words: int) -> np.uint64:
        place = self.used
        self.used += ceil_div(words, 16) * 16
        return U(place)


def lay_out(
    game: Game, kernels: Any, parameters: SearchParameters, games: int, log_rows: int
) -> tuple[MemoryLayout, int]:
    """Where everything stands, and how many 32-bit words that needs."""
    nodes = parameters.nodes or USUAL_ROOM * (parameters.simulations + 1)
    considered, turns = min(parameters.considered, game.actions), max(parameters.simulations, 1)
    entries = 1 << (parameters.cache - 1).bit_length() if parameters.cache > 1 else 1
    slots = 1 << (2 * nodes - 1).bit_length()
    leaf_size = int(memory.LEAF_PATH) + 2 * (game.longest + 1)
    capacity = games * parameters.leaves
    common, block = Allocator(int(kernels.COMMON)), Allocator(memory.HEAD)
    layout = MemoryLayout(
        games=U(games),
        blocks=U(0),
        block=U(0),
        generation=U(1),
        stack=common.take(max(nodes, game.actions)),
        weights=common.take(2 * game.actions),
        halving=common.take((considered + 1) * turns),
        considered=U(considered),
        turns=U(turns),
        entry=common.take(capacity),
        batch=common.take(capacity * 2 * int(kernels.STATE_WORDS)),
        policy=common.take(capacity * game.actions),
        value=common.take(capacity),
        cache=common.take(entries * int(kernels.ENTRY_SIZE)),
        cache_mask=U(entries - 1),
        shared=U(0),
        log=common.take(log_rows * int(kernels.LOG_SIZE)),
        log_rows=U(log_rows),
        leaves=U(parameters.leaves),
        simulations_at_once=U(1 << 62),
        moves_at_once=U(1 << 62),
        movers=U(0),
        leaf=block.take(parameters.leaves * leaf_size),
        leaf_size=U(leaf_size),
        longest=U(game.longest),
        gumbel=block.take(game.actions),
        before=block.take(game.actions),
        table=block.take(slots),
        table_mask=U(slots - 1),
        pool=block.take(nodes * int(kernels.LARGEST)),
        nodes=U(nodes),
    )
    layout = layout._replace(blocks=U(common.used), block=U(block.used))
    size = common.used + games * block.used
    if size >= 1 << 31:  # places are kept in 32 bits
        raise NoughtError(
            f"{games} games of {nodes} positions each need {size * 4 / 1e9:.0f} GB in one search: "
            "use fewer games, simulations or nodes"
        )
    return layout, size
