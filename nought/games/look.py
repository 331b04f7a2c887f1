"""The colours of boards, wherever they are drawn in colours of their own: in a window, and in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Drawn(Protocol):
    """What the look of a game depends on."""

    @property
    def name(self) -> str: ...
    @property
    def board(self) -> str: ...
    @property
    def notation(self) -> str: ...


@dataclass(frozen=True)
class Look:
    """The colours of a kind of board."""

    board: str
    cell: str  #                                       of holes, or lines between squares
    stones: tuple[str, str] = ("#e8742c", "#2f8fd8")  # of the first and the second player
    marks: tuple[str, str] = ("#ffd9bd", "#d3ebff")  #  on the stones: a cross and a ring
    rims: tuple[str, str] = ("#c95f1d", "#2175b5")


PAGE = "#f5f3ee"  # around the board
INK, QUIET, LAST, LAST_EDGE = "#22303c", "#8a929a", "#ffd84d", "#c2351d"
DROPS = Look(board="#33485e", cell="#f5f3ee")
SQUARES = Look(board="#e9e3d6", cell="#c5bca8")
OTHELLO = Look("#3c8f68", "#2f7353", ("#1f2429", "#fbfaf7"), ("#5b636b", "#b9b5aa"), ("#0d1013", "#bcb6a6"))
DOTS = Look(board="#fffdf8", cell="#d9d3c6")
PITS = Look(board="#b98d5e", cell="#8d653c")
TINTS = ("#f9ddc8", "#cfe6f8")  # of what is a player's: boxes that were closed, pits
FIELDS = {"light": "#f3eddf", "dark": "#d8ccb2", "first": TINTS[0], "second": TINTS[1]}  # colours of cells


def look(game: Drawn) -> Look:
    """How a game looks."""
    if game.board == "dots":
        return DOTS
    if game.board == "pits":
        return PITS
    if game.notation == "columns":
        return DROPS
    return OTHELLO if game.name.startswith("othello") else SQUARES
