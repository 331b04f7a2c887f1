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
    warns: bool = False  # it may be meant so

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
    Broken(
        "the same move again and again",
        "moves[n] = cell",
        "moves[n] = 4",
        "order",
        "legal_moves gives 4 4 4 4 4 4 4 4 4",
    ),
    Broken(
        "one move too many", "    return n\n", "    return n + (n > 0)\n", "legal", "returns 10, not how many"
    ),
    Broken(
        "one move that was not written",
        "    return n\n",
        "    return n + (0 < n < 9)\n",
        "legal",
        "-1; actions are 0 to 8",
    ),
    Broken(
        "too few actions",
        "ACTIONS = 9",
        "ACTIONS = 5",
        "facts",
        "SYMMETRY 'square' needs CELL_OF_ACTION when ACTIONS is not rows × columns",
    ),
    Broken(
        "a taken cell is legal",
        "            if state[cell] == 0:\n                moves",
        "            if True:\n                moves",
        "longest",
        "the game goes on after LONGEST = 9 moves",
    ),
    Broken(
        "a corner is never legal",
        "            if state[cell] == 0:\n                moves",
        "            if state[cell] == 0 and cell != 8:\n                moves",
        "symmetry",
        "legal_moves: ",
    ),
    Broken(
        "the turn never passes",
        "    state[MOVER] = 1 - state[MOVER]\n",
        "",
        "turns",
        "player 1 was not to move even once in 30 games",
    ),
    Broken(
        "a result as the mover sees it",
        "    if has_line(state, 0):\n        return 1.0\n    return -1.0 if has_line(state, 1) else 0.0",
        "    return -1.0",
        "ends",
        "all 30 games were won by player 1: is result as player 0 sees it",
        warns=True,
    ),
    Broken(
        "a result that nobody gets",
        "        return 1.0\n    return -1.0 if has_line(state, 1) else 0.0",
        "        return 0.0\n    return 0.0",
        "ends",
        "all 30 games were drawn",
        warns=True,
    ),
    Broken(
        "a board that nobody sees",
        "] = 1.0",
        "] = 0.0",
        "sight",
        "the network sees the same as after",
        warns=True,
    ),
    Broken(
        "the opponent is to move",
        "def player(state):\n    return state[MOVER]",
        "def player(state):\n    return 1 - state[MOVER]",
        "first",
        "player is 1 at the start",
    ),
    Broken(
        "a move by chance",
        "state[action] = state[MOVER] + 1",
        "state[np.random.randint(9)] = state[MOVER] + 1",
        "compiled",
        "another state compiled than uncompiled",
    ),
    Broken(
        "a start by chance",
        "def player(state):\n",
        "def start(state):\n    state[np.random.randint(9)] = 1\n\n\ndef player(state):\n",
        "compiled",
        "start: the state is another compiled than uncompiled",
    ),
    Broken(
        "planes off the board",
        "cell // 3, cell % 3] = 1.0",
        "cell // 2, cell % 3] = 1.0",
        "raises",
        "planes raises IndexError",
    ),
    Broken(
        "a margin that is no number",
        "def planes(state, out):\n",
        "def margin(state):\n    return np.nan\n\n\ndef planes(state, out):\n",
        "margin",
        "margin is nan",
    ),
    Broken(
        "a count that is kept for nothing",
        "def play(state, action):\n",
        "STATE = (np.int8, 11)\n\n\ndef play(state, action):\n    state[10] = action\n",
        "canonical",
        "holds something that does not matter",
        warns=True,
    ),
    Broken(
        "a drawing that is no text",
        "def planes(state, out):\n",
        "def text(state):\n    return state[:9].tolist()\n\n\ndef planes(state, out):\n",
        "shown",
        "text returns [0, 0, 0, 0, 0, 0, 0, 0, 0], not a string",
    ),
]


# what is wrong before a game can be played, and the error that says so
UNPLAYABLE = {
    "no rules for the end": ("def finished(state):", "def over(state):", "does not define finished"),
    "no facts": ("ACTIONS = 9", "MOVES = 9", "does not define ACTIONS"),
    "numbers with a point": ("(np.int8, 10)", "(np.float32, 10)", "STATE must be whole numbers"),
    "a state of nothing": ("(np.int8, 10)", "(np.int8, 0)", "must be 1 or more"),
    "planes without rows": ("PLANES = (2, 3, 3)", "PLANES = (2, 3)", "PLANES is (planes, rows, columns)"),
    "a size that is no tuple": ("ACTIONS = 9", "ACTIONS = 9\nSIZE = 3", "SIZE is a tuple of whole numbers"),
    "no Python": ("def player(state):", "def player(state)", "is not Python"),
    "a name that is nowhere": ("LINES = np.array(", "LINES = numpy.array(", "NameError: name 'numpy'"),
    "a rule that is a number": (
        "def player(state):",
        "player = 0\n\n\ndef mover(state):",
        "player must be a function",
    ),
    "a function of another file": (
        "import numpy as np",
        "import numpy as np\nfrom textwrap import dedent",
        "dedent comes from another file",
    ),
}
