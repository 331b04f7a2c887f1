"""OpenSpiel's games by name, `openspiel:hex(board_size=5)`: correct rather than quick, and never compiled.

OpenSpiel's own states cannot be copied into arrays, so a state here is the list of moves played: how many, then
each of them. OpenSpiel's states are kept for the lists used most recently.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError
from nought.games.game import Game

CACHED_STATES = 4096  # OpenSpiel states in memory


def openspiel_game(name: str) -> Game:
    """The game called `openspiel:NAME` or `openspiel:NAME(parameter=value,…)`."""
    try:
        import pyspiel
    except ImportError:
        raise NoughtError(f"{name} needs OpenSpiel: pip install 'nought[openspiel]'") from None
    wanted = name.removeprefix("openspiel:")
    if wanted.split("(")[0] not in pyspiel.registered_names():
        raise NoughtError(f"{name}: OpenSpiel has no game called {wanted.split('(')[0]!r}")
    try:
        with _quiet():
            spiel = pyspiel.load_game(wanted)
    except (pyspiel.SpielError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise NoughtError(f"{name}: OpenSpiel cannot load it: {reason}") from None
    kind = spiel.get_type()
    for wrong, why in (
        (spiel.num_players() != 2, "is not for two players"),
        (kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL, "has players who move at the same time"),
        (kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC, "is one of chance"),
        (
            kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION,
            "hides something from its players",
        ),
        (kind.utility != pyspiel.GameType.Utility.ZERO_SUM, "is not won by one player at the other's cost"),
        (not kind.provides_observation_tensor, "gives no observation tensor"),
    ):
        if wrong:
            raise NoughtError(f"{name} cannot be played here: the game {why}")
    return Game(name, _Rules(name, spiel), f"OpenSpiel: {spiel}", compilable=False)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep off the terminal what OpenSpiel's C++ writes there beside raising an exception."""
    sys.stderr.flush()
    saved = os.dup(2)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


class _Rules(ModuleType):
    """The contract's facts and functions for one OpenSpiel game."""

    def __init__(self, name: str, spiel: Any) -> None:
        super().__init__(name, doc=f"{spiel.get_type().long_name}, by OpenSpiel.")
        self.spiel = spiel
        self.ACTIONS = spiel.num_distinct_actions()
        self.LONGEST = spiel.max_game_length()
        self.STATE = (np.min_scalar_type(max(self.ACTIONS, self.LONGEST)), 1 + self.LONGEST)
        shape = spiel.observation_tensor_shape()
        board = tuple(shape) if len(shape) == 3 else (int(np.prod(shape)), 1, 1)
        self.PLANES = (board[0] + 1, *board[1:])  # many observations do not say who is to move: one more does
        self.NOTATION = "numbers"
        self.first = max(
            0, spiel.new_initial_state().current_player()
        )  # our player 0: in chess their player 1
        self.utility = max(abs(spiel.max_utility()), abs(spiel.min_utility()))
        self.known: OrderedDict[bytes, Any] = OrderedDict()
        self.lock = threading.Lock()

    def at(self, state: NDArray[Any]) -> Any:
        """OpenSpiel's state after these moves; it must not be changed."""
        count = int(state[0])
        key = state[: count + 1].tobytes()
        with self.lock:
            if key in self.known:
                self.known.move_to_end(key)
                return self.known[key]
            before = state[:count].copy()  # all but the last move
            if count:
                before[0] -= 1
            parent = self.known.get(before.tobytes())
        if parent is not None:
            position = parent.child(int(state[count]))
        else:
            position = self.spiel.new_initial_state()
            for action in state[1 : count + 1]:
                position.apply_action(int(action))
        with self.lock:
            self.known[key] = position
            if len(self.known) > CACHED_STATES:
                self.known.popitem(last=False)
        return position

    def player(self, state: NDArray[Any]) -> int:
        return self.first ^ max(0, self.at(state).current_player())  # negative after the end

    def legal_moves(self, state: NDArray[Any], moves: NDArray[Any]) -> int:
        position = self.at(state)
        legal = [] if position.is_terminal() else sorted(position.legal_actions())
        moves[: len(legal)] = legal
        return len(legal)

    def play(self, state: NDArray[Any], action: int) -> None:
        state[0] += 1
        state[state[0]] = action

    def finished(self, state: NDArray[Any]) -> bool:
        return bool(self.at(state).is_terminal())

    def result(self, state: NDArray[Any]) -> float:
        return float(self.at(state).returns()[self.first] / self.utility)

    def planes(self, state: NDArray[Any], out: NDArray[Any]) -> None:
        mover = self.player(state)
        seen = self.at(state).observation_tensor(self.first ^ mover)
        out[:-1] = np.reshape(seen, out[:-1].shape)
        out[-1] = mover

    def text(self, state: NDArray[Any]) -> str:
        return str(self.at(state))
