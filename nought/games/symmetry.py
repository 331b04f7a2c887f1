"""Symmetries of a game: how a board can be turned or mirrored, and where moves go then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nought.errors import NoughtError

if TYPE_CHECKING:
    from nought.games.game import Game


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of the board: the cell or action numbered i goes to number permutation[i]."""

    cells: NDArray[np.intp]
    actions: NDArray[np.intp]

    def apply_planes(self, planes: NDArray[Any]) -> NDArray[Any]:
        """The board […, rows, columns] as seen through the symmetry."""
        flat = planes.reshape(*planes.shape[:-2], planes.shape[-2] * planes.shape[-1])
        turned = np.empty_like(flat)
        turned[..., self.cells] = flat
        return turned.reshape(planes.shape)

    def apply_policy(self, policy: NDArray[Any]) -> NDArray[Any]:
        """The policy […, actions] as seen through the symmetry."""
        turned = np.empty_like(policy)
        turned[..., self.actions] = policy
        return turned

    def undo_policy(self, policy: NDArray[Any]) -> NDArray[Any]:
        """The inverse of `apply_policy`."""
        return policy[..., self.actions]


def symmetries_of(game: Game) -> tuple[Symmetry, ...]:
    """All symmetries of a game, by what its file says: the identity first."""
    kind = getattr(game.rules, "SYMMETRY", "none")
    _, rows, columns = game.planes_shape
    identity = Symmetry(np.arange(rows * columns), np.arange(game.actions))
    if not isinstance(kind, str):
        return (identity, *_given_symmetries(game, kind, identity))
    if kind == "none":
        return (identity,)
    if kind == "square" and rows != columns:
        raise NoughtError(f'{game.name}: SYMMETRY "square" needs as many rows as columns')
    grids = _board_symmetries(kind, rows, columns)
    if grids is None:
        raise NoughtError(f"{game.name}: SYMMETRY is none, mirror, rectangle, square or a list, not {kind!r}")
    if game.cell_of_action is None or (game.ground.rows, game.ground.columns) != (rows, columns):
        raise NoughtError(
            f"{game.name}: SYMMETRY {kind!r} needs CELL_OF_ACTION when ACTIONS is not rows × columns"
        )
    return tuple(Symmetry(cells, _moved_with(game, cells, kind)) for cells in grids)


def _moved_with(game: Game, cells: NDArray[np.intp], kind: str) -> NDArray[np.intp]:
    """Where the actions go when the board's cells do: each with the cells on which it begins and ends."""
    ends, begins = game.cell_of_action, game.origin_of_action
    assert ends is not None
    place = {-1: -1} | {cell: int(to) for cell, to in enumerate(cells)}
    groups: dict[tuple[int, int], list[int]] = {}
    for action, end in enumerate(ends):
        begin = -1 if begins is None else int(begins[action])
        groups.setdefault((begin, int(end)), []).append(action)
    to = np.zeros(game.actions, np.intp)
    for (begin, end), actions in groups.items():
        images = groups.get((place[begin], place[end]), [])
        # several ways to go from one cell to another, promotions for instance, are the same on both sides
        if len(images) != len(actions) or (begins is None and len(actions) > 1):
            raise NoughtError(f"{game.name}: SYMMETRY {kind!r} does not map every action to an action")
        to[actions] = images
    return to


def _given_symmetries(game: Game, pairs: Any, identity: Symmetry) -> list[Symmetry]:
    """The symmetries that a game file lists, less the identity."""
    everything = (identity.cells.tolist(), identity.actions.tolist())
    try:
        given = [([int(i) for i in cells], [int(i) for i in actions]) for cells, actions in pairs]
    except (TypeError, ValueError):
        raise NoughtError(f"{game.name}: SYMMETRY is a name or a list of (cells, actions)") from None
    if any((sorted(cells), sorted(actions)) != everything for cells, actions in given):
        raise NoughtError(f"{game.name}: SYMMETRY must hold permutations of all cells and of all actions")
    return [Symmetry(np.array(c, np.intp), np.array(a, np.intp)) for c, a in given if (c, a) != everything]


def _board_symmetries(kind: str, rows: int, columns: int) -> list[NDArray[np.intp]] | None:
    """Where each cell goes under each symmetry of a rectangle, the identity first; None for an unknown kind."""
    grid = np.arange(rows * columns).reshape(rows, columns)
    images = {
        "mirror": [grid, grid[:, ::-1]],
        "rectangle": [grid, grid[:, ::-1], grid[::-1], grid[::-1, ::-1]],
        "square": [g for turn in range(4) for g in (np.rot90(grid, turn), np.rot90(grid, turn)[:, ::-1])],
    }.get(kind)
    # image[i] is the cell seen at place i; its inverse says where each cell goes
    return None if images is None else [np.argsort(image.reshape(-1)) for image in images]
