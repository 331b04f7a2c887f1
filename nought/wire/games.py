"""Games, the agents that play them, and positions."""

from __future__ import annotations

from typing import Literal

from nought.wire.message import Interval, Message


class OfferedAgent(Message):
    """Somebody to play against."""

    name: str
    title: str
    game: str
    simulations: int
    rating: float | None = None
    interval: Interval | None = None  # of the rating, 95 %
    about: str = ""


class GameAnswer(Message):
    """A game that a server offers, and how its board is drawn."""

    name: str
    title: str
    board: Literal["stones", "hexagons", "pits", "dots", "text"]
    notation: Literal["columns", "squares", "moves", "numbers", "names"]
    rows: int  # of the drawn grid
    columns: int
    a1: Literal["top left", "bottom left"] = "top left"  # where the cell of that name is
    colours: tuple[
        str, ...
    ] = ()  # [rows * columns] plain, light, dark, first, second or off; empty: all plain
    sides: tuple[int | None, ...] = (None,) * 4  # whose are the top, right, bottom and left
    actions: int
    cell_of_action: tuple[int, ...] | None  # None, too, where it is another on each player's turn
    counts_points: bool
    oracle: bool  # whether perfect play is known, of some positions at least
    agents: tuple[OfferedAgent, ...]  # weakest first
    rules: str = ""  # how it is played, as its file says
    compiled: bool = True  # whether nobody has to wait until it can be searched

    @property
    def can_be_rated(self) -> bool:
        """Whether there is an agent with a rating."""
        return any(agent.rating is not None for agent in self.agents)


class LegalMove(Message):
    """A move that can be played."""

    action: int
    name: str
    cell: int | None  # that it would fill
    origin: int | None = None  # on which it begins, where a piece moves


class DrawnEdge(Message):
    """An edge between two dots."""

    action: int
    cell: int
    drawn: bool


class Box(Message):
    """A box between four dots, and who has closed it."""

    cell: int
    owner: int | None


class DrawnBoard(Message):
    """What is to be seen; which of them are filled depends on the kind of board."""

    cells: tuple[int | None, ...]  # [rows * columns] the owner of the stone
    labels: tuple[str, ...] = ()  # [rows * columns] what is written on the pieces; empty where nothing is
    text: str | None = None  # the game's own drawing
    edges: tuple[DrawnEdge, ...]
    boxes: tuple[Box, ...]


class PositionAnswer(DrawnBoard):
    """A position as a board shows it."""

    game: str
    moves: str  # that led here, as text
    actions: tuple[int, ...]
    names: tuple[str, ...]
    movers: tuple[int, ...]  # who made each move: players need not take turns
    player: int  # to move
    finished: bool
    result: float | None  # of a finished game, for the first player
    margin: int | None  # by which the first player leads, in games that count points
    legal: tuple[LegalMove, ...]
    last: int | None  # the cell of the last move
    came_from: int | None = None  # where the last move began, if a piece has moved
    line: tuple[int, ...]  # the cells of the row that won
