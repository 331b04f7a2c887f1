"""OpenSpiel's Monte-Carlo tree search as a player, in the games that both know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from nought.errors import NoughtError
from nought.games import Game, Position

EXPLORATION = 2.0  # OpenSpiel's own default
MEMORY_MB = 1000  # MB at most for its tree


class Twin(NamedTuple):
    """A game as OpenSpiel knows it."""

    spiel: Any
    actions: list[int]  # OpenSpiel's number of each of our actions

    def state(self, position: Position) -> Any:
        """OpenSpiel's state of our position."""
        if position.game.position(position.moves) != position:
            raise NoughtError("OpenSpiel can only play positions whose moves from the start are known")
        state = self.spiel.new_initial_state()
        for move in position.moves:
            self._pass(state)
            state.apply_action(self.actions[move])
        self._pass(state)
        return state

    def _pass(self, state: Any) -> None:
        """Pass in OpenSpiel's Othello, where that is a move; by our rules the turn passes by itself."""
        while not state.is_terminal() and state.legal_actions()[0] not in self.actions:
            state.apply_action(state.legal_actions()[0])


class OpenSpielPlayer:
    """OpenSpiel's MCTS in C++: UCT, random play to the end, a fixed number of simulations a move, proofs on."""

    def __init__(self, game: Game, simulations: int, *, seed: int = 0) -> None:
        self.twin = twin(game)
        import pyspiel

        self.name = f"openspiel-mcts:{simulations}"
        self.bot = pyspiel.MCTSBot(
            self.twin.spiel,
            pyspiel.RandomRolloutEvaluator(1, seed % 2**31),
            EXPLORATION,
            simulations,
            MEMORY_MB,
            True,  #            prove wins and losses
            seed % 2**31,
            False,  #           say nothing
        )

    def choose(self, positions: Mapping[int, Position]) -> dict[int, int]:
        return {
            g: self.twin.actions.index(self.bot.step(self.twin.state(position)))
            for g, position in positions.items()
        }


def twin(game: Game) -> Twin:
    """The game in OpenSpiel; an error where it has none."""
    try:
        import pyspiel
    except ImportError:
        raise NoughtError("OpenSpiel's players need it: pip install 'nought[openspiel]'") from None
    if game.name.startswith("openspiel:"):
        return Twin(game.rules.spiel, list(range(game.actions)))
    same = list(range(game.actions))
    match game.base, game.size:
        case "tictactoe", _:
            return Twin(pyspiel.load_game("tic_tac_toe"), same)
        case "connect4", (rows, columns, length):
            name = f"connect_four(rows={rows},columns={columns},x_in_row={length})"
            return Twin(pyspiel.load_game(name), same)
        case "othello", (8, 8):
            return Twin(pyspiel.load_game("othello"), same)
        case "dots-and-boxes", (rows, columns):
            name = f"dots_and_boxes(num_rows={rows},num_cols={columns})"
            return Twin(pyspiel.load_game(name), _edges(rows, columns))
    raise NoughtError(
        f"OpenSpiel does not know {game.name}; it knows connect4, tictactoe, othello (8×8) and dots-and-boxes"
    )


def _edges(rows: int, columns: int) -> list[int]:
    """OpenSpiel's number of each of our edges. It counts all horizontal ones first; we go row by row."""
    edges: list[int] = []
    vertical = (rows + 1) * columns
    for row in range(rows + 1):
        edges += range(row * columns, (row + 1) * columns)
        if row < rows:
            edges += range(vertical + row * (columns + 1), vertical + (row + 1) * (columns + 1))
    return edges
