"""What perfect play says, where it is known, without letting anybody wait for it long."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.registry import BUILTIN
from nought.oracle import Oracle, Truth, find_oracle
from nought.oracle.exhaustive import Exhaustive
from nought.server.http.rate_limit import Places

TIMEOUT = 3.0  #                  seconds that a request waits for the truth
MOST_WAITING = 256  #             positions that may wait for it; half of them of one client: a whole game
MOST_KEPT = 10_000  #             positions whose truth is kept
SHORT_GAME = 10  #                moves of a game that is known as a whole
MOST_FOLLOWING = 200_000  #       positions that can follow one in a game without an oracle of its own


class Question(NamedTuple):
    """A position that waits for its truth."""

    client: str
    position: Position
    answer: asyncio.Future[Truth | None]


class Oracles:
    """The oracles of all games, on one thread: they are not made for several."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "oracle")
        self._oracles: dict[Game, Oracle | None] = {}
        self._truths: OrderedDict[Position, Truth | None] = OrderedDict()
        self._has: dict[Game, bool] = {}
        self._places = Places(MOST_WAITING, MOST_WAITING)
        # What each client waits for; first stands whose turn it is.
        self._lines: OrderedDict[str, deque[Question]] = OrderedDict()
        self._busy = False

    def has(self, game: Game) -> bool:
        """Whether perfect play is known of some positions at least."""
        if game not in self._has:
            self._has[game] = game.longest <= SHORT_GAME
            if game.base in BUILTIN and not self._has[game]:
                with contextlib.suppress(NoughtError):  # it would have to be installed first
                    self._has[game] = not isinstance(find_oracle(game), Exhaustive)
        return self._has[game]

    async def judge(self, position: Position, client: str = "") -> Truth | None:
        """The truth about a position; None where nobody knows it, or not soon enough. Clients take turns."""
        if position.finished:
            return None
        if position in self._truths:
            self._truths.move_to_end(position)
            return self._truths[position]
        if not self._places.enter(client):
            return None
        answer: asyncio.Future[Truth | None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(client, deque()).append(Question(client, position, answer))
        self._go_on()
        try:
            return await asyncio.wait_for(asyncio.shield(answer), TIMEOUT)
        except TimeoutError:
            return None

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _go_on(self) -> None:
        """Ask the next question, if none is being answered: one of each client in turn."""
        if self._busy or not self._lines:
            return
        client, line = self._lines.popitem(last=False)
        question = line.popleft()
        if line:
            self._lines[client] = line  # behind all others
        self._busy = True
        work = asyncio.get_running_loop().run_in_executor(self._thread, self._judge, question.position)
        work.add_done_callback(lambda done: self._answer(question, done))

    def _answer(self, question: Question, done: asyncio.Future[Truth | None]) -> None:
        self._busy = False
        self._places.leave(question.client)
        truth = None
        if not done.cancelled() and not done.exception():
            truth = done.result()
            self._note(question.position, truth)
        if not question.answer.done():
            question.answer.set_result(truth)
        self._go_on()

    def _note(self, position: Position, truth: Truth | None) -> None:
        self._truths[position] = truth
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
