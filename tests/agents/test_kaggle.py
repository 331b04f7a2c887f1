"""Kaggle's ConnectX agents as players: what they are told, and what they may do wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nought.agents import agent
from nought.agents.kaggle import observation
from nought.errors import NoughtError
from nought.games import load
from nought.selfplay import RandomPlayer, play_games

CONNECT4 = load("connect4")
LEFTMOST = "def agent(o, c):\n    return [i for i in range(c.columns) if o.board[i] == 0][0]\n"


def player_of(folder: Path, source: str, game: str = "connect4"):
    path = folder / "agent.py"
    path.write_text(source, encoding="utf-8")
    return agent(f"kaggle:{path}", load(game))


@pytest.mark.parametrize("name", ["connect4", "connect4:5x4:3"])
def test_the_board_is_what_the_environment_would_show(name: str) -> None:
    """Beside stones dropped as Kaggle's own code drops them: into the lowest row that is empty."""
    game, random = load(name), np.random.default_rng(1)
    rows, columns, _ = game.rules.SIZE
    for _ in range(10):
        board, position = [0] * (rows * columns), game.start()
        while not position.finished:
            seen = observation(position)
            mark = 1 + len(position.moves) % 2
            assert seen["board"] == board and seen["mark"] == mark and seen["step"] == len(position.moves)
            move = int(random.choice([c for c in range(columns) if board[c] == 0]))
            row = max(r for r in range(rows) if board[move + r * columns] == 0)
            board[move + row * columns] = mark
            position = position.play(move)


def test_a_file_plays_whole_games(tmp_path: Path) -> None:
    player, other = player_of(tmp_path, LEFTMOST), RandomPlayer(1)
    for players in ((player, other), (other, player)):
        for last in play_games(players, [CONNECT4.start()] * 4):
            position = CONNECT4.start()
            for ply, move in enumerate(last.moves):
                if players[ply % 2] is player:
                    assert move == position.legal[0]
                position = position.play(move)
            assert last.finished


def test_what_an_agent_is_told(tmp_path: Path) -> None:
    asks = (
        "def agent(o, c):\n"
        "    assert (c.rows, c.columns, c.inarow) == (5, 4, 3) and c['rows'] == 5 and c.actTimeout == 2\n"
        "    assert o['board'] == o.board and type(o.board) is list and type(o.board[0]) is int\n"
        "    assert o.remainingOverageTime == 60 and getattr(o, 'nothing', 7) == 7\n"
        "    return o.mark\n"
    )
    game = load("connect4:5x4:3")
    player = player_of(tmp_path, asks, "connect4:5x4:3")
    assert player.choose({0: game.start(), 8: game.position([0])}) == {0: 1, 8: 2}


@pytest.mark.parametrize(
    "source",
    [
        "def first(o): return 1\n" + LEFTMOST,  #                        the last function counts
        "import numpy as np\ndef agent(o, c): return np.int64(0)",
        "def agent(observation): return 0",
        "class Agent:\n    def __call__(self, o, c): return 0\nagent = Agent()",
        "agent = lambda o, c: 0",
    ],
)
def test_forms_of_agents(tmp_path: Path, source: str) -> None:
    assert player_of(tmp_path, source).choose({0: CONNECT4.start()}) == {0: 0}


def test_what_it_prints_is_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player = player_of(tmp_path, "print('hello')\ndef agent(o, c):\n    print('thinking')\n    return 0\n")
    player.choose({0: CONNECT4.start()})
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def agent(o, c): return 1 / 0", "fails: ZeroDivisionError: division by zero"),
        ("def agent(o, c): return o.colour", "fails: AttributeError"),
        ("def agent(o, c): exit(3)", "fails: SystemExit"),
        ("def agent(o, c): return agent(o, c)", "fails: RecursionError"),
        ("def agent(o, c): return 0", "answers column 0 (counted from 0): connect4: 1 is not legal here"),
        ("def agent(o, c): return 7", "there is no move number 7"),
        ("def agent(o, c): return -1", "there is no move number -1"),
        ("def agent(o, c): return None", "answers None, not the number of a column"),
        ("def agent(o, c): return 3.0", "answers 3.0, not"),
        ("def agent(o, c): return 'x' * 10**6", "not the number of a column"),
        ("def agent(): return 3", None),
        ("raise ValueError('two\\nlines')", "fails: ValueError: two lines"),
        ("def agent(o, c) return 3", "fails: SyntaxError"),
        ("import no_such_module", "fails: ModuleNotFoundError"),
        ("x = 3", "defines no function"),
    ],
)
def test_mistakes_are_one_line_that_names_the_file(tmp_path: Path, source: str, says: str | None) -> None:
    full = CONNECT4.position([0] * 6)
    if says is None:  # Kaggle hands over as many arguments as are taken: here none
        assert player_of(tmp_path, source).choose({0: full}) == {0: 3}
        return
    with pytest.raises(NoughtError) as caught:
        player_of(tmp_path, source).choose({0: full})
    message = str(caught.value)
    assert says in message and "agent.py" in message and "\n" not in message and len(message) < 600


def test_other_games_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(NoughtError, match="plays connect4"):
        player_of(tmp_path, LEFTMOST, "tictactoe")
    with pytest.raises(NoughtError, match="cannot be read"):
        agent(f"kaggle:{tmp_path}/none.py", CONNECT4)
    (tmp_path / "binary.py").write_bytes(bytes(range(256)))
    with pytest.raises(NoughtError, match="cannot be read"):
        agent(f"kaggle:{tmp_path}/binary.py", CONNECT4)
    with pytest.raises(NoughtError, match="has no search"):
        agent("kaggle:agent.py", CONNECT4, simulations=5)
