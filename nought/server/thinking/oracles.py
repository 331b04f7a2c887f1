"""What perfect play says, where it is known, without letting anybody wait for it long."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.registry import BUILTIN
from nought.oracle import Oracle, Truth, find_oracle
from nought.oracle.exhaustive import Exhaustive

TIMEOUT = 3.0  #                  seconds that a request waits for the truth
MOST_WAITING = 64  #              positions that may wait for it
MOST_KEPT = 10_000  #             positions whose truth is kept
SHORT_GAME = 10  #                moves of a game that is known as a whole
MOST_FOLLOWING = 200_000  #       positions that can follow one in a game without an oracle of its own


class Oracles:
    """The oracles of all games, on one thread: they are not made for several."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "oracle")
        self._oracles: dict[Game, Oracle | None] = {}
        self._truths: OrderedDict[Position, Truth | None] = OrderedDict()
        self._has: dict[Game, bool] = {}
        self._waiting = 0

    def has(self, game: Game) -> bool:
        """Whether perfect play is known of some positions at least."""
        if game not in self._has:
            self._has[game] = game.longest <= SHORT_GAME
            if game.base in BUILTIN and not self._has[game]:
                with contextlib.suppress(NoughtError):  # it would have to be installed first
                    self._has[game] = not isinstance(find_oracle(game), Exhaustive)
        return self._has[game]

    async def judge(self, position: Position) -> Truth | None:
        """The truth about a position; None where nobody knows it, or not soon enough."""
        if position.finished:
            return None
        if position in self._truths:
            self._truths.move_to_end(position)
            return self._truths[position]
        if self._waiting >= MOST_WAITING:
            return None
        self._waiting += 1
        work = asyncio.get_running_loop().run_in_executor(self._thread, self._judge, position)
        work.add_done_callback(lambda done: self._note(position, done))
        try:
            return await asyncio.wait_for(asyncio.shield(work), TIMEOUT)
        except TimeoutError:
            return None

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _note(self, position: Position, done: asyncio.Future[Truth | None]) -> None:
        self._waiting -= 1
        if done.cancelled() or done.exception():
            return
        self._truths[position] = truth = done.result()
        if truth is not None:
            self._has[position.game] = True
        if len(self._truths) > MOST_KEPT:
            self._truths.popitem(last=False)

    def _judge(self, position: Position) -> Truth | None:
        oracle = self._oracle(position.game)
        return oracle.judge(position) if oracle is not None and oracle.knows(position) else None

    def _oracle(self, game: Game) -> Oracle | None:
        if game not in self._oracles:
            self._oracles[game] = None
            with contextlib.suppress(NoughtError):  # it would have to be installed first
                oracle = find_oracle(game)
                if isinstance(oracle, Exhaustive):
                    oracle.limit = min(oracle.limit, MOST_FOLLOWING)
                self._oracles[game] = oracle
        return self._oracles[game]
