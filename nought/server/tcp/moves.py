"""The AI port: positions of Connect 4, and what an agent plays there."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Sequence
from typing import Any

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.board import cells_of_move
from nought.server.http.disconnect import unless_left
from nought.server.http.errors import Busy, ClientLeft, TooMany
from nought.server.people.opponents import Opponents
from nought.server.tcp.reading import GAME, NUMBER, ClientReader, Goodbye, read

ROWS, COLUMNS = 6, 7
CELLS = ROWS * COLUMNS
STATE = struct.Struct(f"<{2 * CELLS + 1}i")  # both players' stones, and who is to move
PAUSE = 0.25  # seconds without another number, after which a request has no version
ILLEGAL, BUSY = -1, -2  # answers instead of an action
BEST = -1  # the version of who asks for none


class MoveConnection:
    """Answers a position of Connect 4, for the version that is asked, with the cell in which its stone comes to rest."""

    def __init__(self, opponents: Opponents) -> None:
        self.opponents = opponents
        self.game = opponents.game(GAME)
        self.last = False  # whether nothing can follow what was read

    async def __call__(self, reader: ClientReader, address: str) -> bytes:
        if self.last:
            raise Goodbye
        numbers = await self._numbers(reader)
        try:
            position, version = asked_for(self.game, numbers)
            choosing = self.opponents.choose(position, self._agent(version), client=address)
            choice = await unless_left(reader.left.wait(), choosing)
            _, cell = cells_of_move(position, choice.action)
            return NUMBER.pack(cell)
        except ClientLeft:
            raise Goodbye from None
        except (Busy, TooMany):
            return NUMBER.pack(BUSY)
        except NoughtError:
            return NUMBER.pack(ILLEGAL)

    async def _numbers(self, reader: ClientReader) -> list[int]:
        """A request: 86 numbers or, as 003's console client has it, 85, which are the last on their connection."""
        state = await read(reader, STATE.size)
        try:
            async with asyncio.timeout(PAUSE):
                begun = await reader.readexactly(1)
        except TimeoutError:
            self.last = True
            return list(STATE.unpack(state))
        rest = await read(reader, NUMBER.size - len(begun))
        return [*STATE.unpack(state), *NUMBER.unpack(begun + rest)]

    def _agent(self, version: int) -> str:
        """Versions are the game's agents, the weakest 1; any other number means the best."""
        agents = self.opponents.agents(self.game)
        return agents[version - 1 if 1 <= version <= len(agents) else -1].name


def asked_for(game: Game, numbers: Sequence[int]) -> tuple[Position, int]:
    """A request's position and version: it comes last, as 003's programs have it, or first, as the text does.

    Where either could be meant it is last: 0 in front is always a cell, 1 if the right column is full.
    """
    if len(numbers) == 2 * CELLS + 1:
        return position_of(game, numbers), BEST
    try:
        return position_of(game, numbers[:-1]), numbers[-1]
    except NoughtError:
        if numbers[0] == 0:
            raise
        return position_of(game, numbers[1:]), numbers[0]


def position_of(game: Game, numbers: Sequence[int]) -> Position:
    """The position of 85 numbers: 42 cells of who starts, 42 of the other, and whose turn it is (1, or 0 or -1)."""
    if any(number not in (0, 1) for number in numbers[:-1]) or numbers[-1] not in (1, 0, -1):
        raise NoughtError("a state has 84 zeros and ones, then 1 for the first player's turn or -1")
    stones = [[c for c in range(CELLS) if numbers[CELLS * p + c]] for p in (0, 1)]
    everywhere = set(stones[0]) | set(stones[1])
    turn = 0 if numbers[-1] == 1 else 1
    if len(everywhere) < len(stones[0]) + len(stones[1]):
        raise NoughtError("a cell has two stones")
    if len(stones[0]) - len(stones[1]) != turn:
        raise NoughtError("the numbers of stones do not agree with whose turn it is")
    if any(cell + COLUMNS < CELLS and cell + COLUMNS not in everywhere for cell in everywhere):
        raise NoughtError("a stone has nothing below it")
    state = game.zero_state()
    state[game.rules.MINE] = _bits(game, stones[turn])
    state[game.rules.ALL] = _bits(game, sorted(everywhere))
    position = Position(game, state)
    waiting = Position(game, _other_side(game, state))
    if position.finished or waiting.finished:
        raise NoughtError("the game is over")
    return position


def _bits(game: Game, cells: Sequence[int]) -> Any:
    return game.rules.board([(cell % COLUMNS, ROWS - 1 - cell // COLUMNS) for cell in cells])


def _other_side(game: Game, state: Any) -> Any:
    """The stones seen by who is not to move: so that a row of either player's is found."""
    other = state.copy()
    other[game.rules.MINE] ^= other[game.rules.ALL]
    return other
