"""A trace in memory that two processes share, so that it outlives the one that asks the rules."""

from __future__ import annotations

import mmap
import struct
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nought.games.conformance.report import COMPILED, COMPILING, LOADING, NOTHING, PLAIN, Trace
from nought.games.game import FOR_PEOPLE, OPTIONAL_RULES, RULES

ASKED = (NOTHING, LOADING, COMPILING, *RULES, *OPTIONAL_RULES, *FOR_PEOPLE)
HOW = (PLAIN, COMPILED)
CALL = struct.Struct("<QBB")  # how many calls so far, how, of which rule
COUNT = struct.Struct("<I")  # of the moves
COUNT_AT, MOVES_AT = 12, 16
MOST_MOVES = 1 << 16  # that are kept; longer games lose their end


class Call(NamedTuple):
    """The last call of a rule."""

    number: int
    how: str
    rule: str
    moves: tuple[int, ...]  # before it


class SharedTrace(Trace):
    """Written by one process and read by another."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        self.calls = 0
        self.how = {how: i for i, how in enumerate(HOW)}
        self.asked = {rule: i for i, rule in enumerate(ASKED)}

    @classmethod
    def create(cls, path: Path) -> SharedTrace:
        """A trace in a new file."""
        path.write_bytes(bytes(MOVES_AT + 4 * MOST_MOVES))
        return cls(path)

    def at(self, moves: Sequence[int]) -> None:
        super().at(moves)
        numbers = array("i", moves[:MOST_MOVES])
        COUNT.pack_into(self.memory, COUNT_AT, len(numbers))
        self.memory[MOVES_AT : MOVES_AT + 4 * len(numbers)] = numbers.tobytes()

    def asking(self, how: str, rule: str) -> None:
        self.calls += 1
        CALL.pack_into(self.memory, 0, self.calls, self.how[how], self.asked[rule])

    def last(self) -> Call:
        """What was asked last, by whichever process."""
        number, how, rule = CALL.unpack_from(self.memory, 0)
        (count,) = COUNT.unpack_from(self.memory, COUNT_AT)
        moves = array("i")
        moves.frombytes(self.memory[MOVES_AT : MOVES_AT + 4 * count])
        return Call(number, HOW[how], ASKED[rule], tuple(moves))

    def close(self) -> None:
        self.memory.close()
