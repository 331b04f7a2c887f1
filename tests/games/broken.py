"""Deliberately broken games: tic-tac-toe with one mistake each, and the words that must be in the report."""

from dataclasses import dataclass
from pathlib import Path

import nought.games
from nought.games.game import Game
from nought.games.registry import game_from_source

TICTACTOE = Path(nought.games.__file__).with_name("tictactoe.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Broken:
    name: str
    right: str
    wrong: str
    check: str  # the promise that is broken
    says: str  # part of the message

    def source(self) -> str:
        assert TICTACTOE.count(self.right) >= 1, self.right
        return TICTACTOE.replace(self.right, self.wrong)

    def game(self) -> Game:
        return game_from_source(f"{self.name}.py", self.source(), path=f"{self.name}.py")


BROKEN = [
    Broken(
        "descending moves",
        "for cell in range(9):\n            if state[cell] == 0:",
        "for cell in range(8, -1, -1):\n            if state[cell] == 0:",
        "order",
        "legal_moves gives 8 7 6 5 4 3 2 1 0: they must ascend, each once",
    ),
    Broken("moves out of range", "moves[n] = cell", "moves[n] = cell + 1", "legal", "actions are 0 to 8"),
    Broken(
        "no count of moves",
        "                n += 1\n    return n",
        "                n += 1",
        "legal",
        "legal_moves returns None",
    ),
    Broken(
        "moves after the end",
        "if not has_line(state, 1 - state[MOVER]):",
        "if True:",
        "end",
        "the game is finished, but legal_moves gives ",
    ),
    Broken(
        "never ends",
        "    if has_line(state, 1 - state[MOVER]):\n        return True\n",
        "",
        "stuck",
        "the game is not finished, but there is no legal move",
    ),
    Broken(
        "ends too soon",
        "def finished(state):\n",
        "def finished(state):\n    return True\n",
        "end",
        "but legal_moves gives 0 1 2 3",
    ),
    Broken("too long", "LONGEST = 9", "LONGEST = 6", "longest", "the game goes on after LONGEST = 6 moves"),
    Broken("result of two", "return 1.0", "return 2.0", "result", "result is 2, not between -1 and 1"),
    Broken("result not a number", "else 0.0", "else np.nan", "result", "result is nan"),
    Broken("players 1 and 2", "return state[MOVER]\n", "return state[MOVER] + 1\n", "player", "not 0 or 1"),
    Broken(
        "a line forgotten",
        ", (2, 4, 6)]",
        ", (0, 4, 8)]",
        "symmetry",
        "a symmetry of the board does not fit the rules: ",
    ),
    Broken(
        "no perspective",
        "state[cell] == state[MOVER] + 1 else 1",
        "state[cell] == 1 else 1",
        "perspective",
        "planes 0 and 1 stay with the same players when the turn passes",
    ),
    Broken("planes not finite", "] = 1.0", "] = np.inf", "planes", "infinite or not a number"),
    Broken(
        "a rule that plays",
        "def player(state):\n",
        "def player(state):\n    state[0] = 1\n",
        "changes",
        "player changes the state; only play may",
    ),
    Broken(
        "a move off the board",
        "state[action] = ",
        "state[action + 10] = ",
        "raises",
        "is out of bounds for axis 0 with size 10 (line 44)",
    ),
    Broken(
        "another result compiled",
        "if has_line(state, 0):",
        "if np.int8(100) + np.int8(100) > 0:",  # int8 in NumPy, int64 in Numba
        "compiled",
        "result: 1 compiled, ",
    ),
    Broken(
        "does not compile",
        "return state[MOVER]\n",
        "return {0: 0, 1: 1}.get(int(str(state[MOVER])))\n",
        "compiles",
        "player does not compile: line ",
    ),
    Broken(
        "answers by chance",
        "    if has_line(state, 0):\n        return 1.0",
        "    if has_line(state, 0):\n        return np.random.rand()",
        "repeatable",
        "the same state gives different answers",
    ),
    Broken(
        "holds more than the state",
        "def planes(state, out):\n",
        "ASKED = []\n\n\ndef planes(state, out):\n    ASKED.append(0)\n    out[1, 0, 0] = len(ASKED) // 40\n",
        "hidden",
        "equal states give different answers",
    ),
    Broken("no result", " else 0.0", " else None", "result", "result returns None, not a number"),
    Broken(
        "finished or nothing",
        "            return False\n    return True",
        "            return None\n    return True",
        "finished",
        "finished returns None, not True or False",
    ),
    Broken(
        "half a player",
        "return state[MOVER]\n",
        "return state[MOVER] / 2\n",
        "player",
        "player is 0.0, not 0 or 1",
    ),
    Broken(
        "counts beyond its numbers",
        "def play(state, action):\n",
        "STATE = (np.int8, 11)\n\n\ndef play(state, action):\n    state[10] += 50\n",
        "overflow",
        "state[10] becomes 150, which np.int8 cannot hold: it wraps around to -106",
    ),
    Broken(
        "a margin of the other sign",
        "def planes(state, out):\n",
        "def margin(state):\n    return -3 * result(state)\n\n\ndef planes(state, out):\n",
        "margin",
        " but margin is ",
    ),
    Broken(
        "player 1 begins",
        "def player(state):\n",
        "def start(state):\n    state[MOVER] = 1\n\n\ndef player(state):\n",
        "first",
        "player is 1 at the start; player 0 is the one who begins",
    ),
    Broken(
        "a drawing that fails",
        "def planes(state, out):\n",
        "def text(state):\n    return 'X' + state[0]\n\n\ndef planes(state, out):\n",
        "raises",
        "text raises TypeError: can only concatenate str",
    ),
    Broken(
        "an index that is right only uncompiled",
        "def play(state, action):\n",
        # -56 in NumPy, which counts from the end; 200 in Numba
        "STATE = (np.int8, 100)\n\n\ndef play(state, action):\n    state[np.int8(100) + np.int8(100)] = 1\n",
        "raises",
        "compiled, play raises IndexError: ",
    ),
    Broken(
        "leaves",
        "def finished(state):\n",
        "def finished(state):\n    raise SystemExit(3)\n",
        "raises",
        "finished raises SystemExit: 3",
    ),
]
