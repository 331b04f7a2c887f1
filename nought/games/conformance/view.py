"""All that the rules say about one position, as values that can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nought.games.symmetry import Symmetry

SHOWN = 20  # moves that a message lists


@dataclass(frozen=True, eq=False)
class View:
    """All that the rules say about a state."""

    player: int
    legal: NDArray[np.int32]
    finished: bool
    result: float | None  # of a finished game
    margin: float | None
    planes: NDArray[np.float32]

    def key(self) -> tuple[Any, ...]:
        """Equal for views that say the same of a game that goes on."""
        return self.player, self.legal.tobytes(), self.planes.tobytes()

    def difference(self, other: View) -> Difference | None:
        """What this view says otherwise than another one."""
        if self.key() == other.key() and self._end() == other._end():
            return None
        for rule in ("finished", "player"):
            a, b = getattr(self, rule), getattr(other, rule)
            if a != b:
                return Difference(rule, shown(a), shown(b))
        if not np.array_equal(self.legal, other.legal):
            return Difference("legal_moves", shown(self.legal), shown(other.legal))
        for rule in ("result", "margin"):  # either both are finished by now, or neither is
            a, b = getattr(self, rule), getattr(other, rule)
            if a is not None and not np.isclose(a, b):
                return Difference(rule, shown(a), shown(b))
        apart = np.argwhere(~np.isclose(self.planes, other.planes, rtol=1e-5, atol=1e-6))
        if len(apart) == 0:
            return None
        at = tuple(apart[0])
        place = f"[{', '.join(map(str, at))}] is "
        return Difference("planes", f"{place}{self.planes[at]:g}", f"{other.planes[at]:g}")

    def _end(self) -> tuple[Any, ...]:
        return self.finished, self.result, self.margin

    def seen_through(self, symmetry: Symmetry) -> View:
        """What the rules should say about the image of this position."""
        legal = np.sort(symmetry.actions[self.legal]).astype(np.int32)
        planes = symmetry.apply_planes(self.planes)
        return View(self.player, legal, self.finished, self.result, self.margin, planes)


@dataclass(frozen=True)
class Difference:
    """What two views say about the same thing."""

    rule: str
    one: str
    other: str

    def words(self, when_one: str, when_other: str) -> str:
        return f"{self.rule}: {self.one} {when_one}, {self.other} {when_other}"


def shown(value: Any) -> str:
    """A value in a message, cut where it is long."""
    if isinstance(value, np.ndarray):
        return (
            " ".join(map(str, value[:SHOWN])) + (" …" if len(value) > SHOWN else "") if len(value) else "none"
        )
    return f"{value:g}" if isinstance(value, float) else str(value)
