"""The text protocol, in this process and between processes."""

from __future__ import annotations

import io
import random
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from nought.agents import agent
from nought.clients.engine import Engine, serve
from nought.errors import NoughtError
from nought.games import load
from nought.games.notation import parse_move
from nought.selfplay import RandomPlayer, play_games
from tests.support.programs import NOUGHT, run_program

TICTACTOE = load("tictactoe")


@pytest.fixture(scope="module")
def shared() -> Engine:
    return Engine("rollout:50", TICTACTOE)


@pytest.fixture
def engine(shared: Engine) -> Engine:
    """The engine as if it were new: nothing that others asked before is known."""
    shared._begin(TICTACTOE)
    return shared


def transcript(engine: Engine, *lines: str) -> list[str]:
    out = io.StringIO()
    serve(engine, [f"{line}\n" for line in lines], out)
    return out.getvalue().splitlines()


def test_a_conversation(engine: Engine) -> None:
    answers = transcript(
        engine, "nought 1", "game tictactoe", "position a1b1a2", "go", "go simulations 300", "go seconds 0.01"
    )
    assert answers[:3] == ["nought 1 rollout:50", "ok", "ok"]
    for answer in answers[3:]:
        words = answer.split()
        assert words[:2] == ["move", "a3"]  # any other move loses at once
        assert words[2::2] == ["value", "visits"]
        assert -1 <= float(words[3]) <= 1 and int(words[5]) > 0


def test_the_value_is_for_the_player_to_move(engine: Engine) -> None:
    won, lost = transcript(engine, "position a1b1a2b2", "go", "position a1b1a3a2c3", "go")[1::2]
    assert won.startswith("move a3 value 1.000")  # a row is there to be made
    assert lost.split()[2:4] == ["value", "-1.000"]  # two rows threaten: not both can be stopped


def test_simulations_count(engine: Engine) -> None:
    counts = []
    for limit in ("simulations 10", "simulations 3000"):
        answer = transcript(engine, "position", f"go {limit}")[-1]
        counts.append(int(answer.split()[-1]))
    assert 1 <= counts[0] <= 10 < counts[1] <= 3000


def test_lines_that_ask_nothing_get_no_answer_and_quit_ends(engine: Engine) -> None:
    lines = ("", "   ", "# position", "#", "\tnought\t1 ", "position", "quit", "nought 1")
    assert transcript(engine, *lines) == ["nought 1 rollout:50", "ok"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("uci", "is not understood; there are nought 1, game GAME"),
        ("NOUGHT 1", "is not understood"),
        ("nought", "is not understood"),
        ("nought 2", "speaks 'nought 1'"),
        ("nought 1 2", "is not understood"),
        ("game", "is not understood"),
        ("game chess", "there is no game called 'chess'"),
        ("game connect4:99x99", "a board has 1 to 64 cells"),
        ("game nothing.py", "there is no game file"),
        ("game connect4:" + "9" * 5000, "error"),
        ("game ..", "error"),
        ("position z9", "is not a square"),
        ("position a1a1", "is not legal"),
        ("position a1b1a2b2a3c3", "the game is over"),
        ("position " + "a1" * 10_000, "is not legal"),
        ("go fast", "go takes nothing, `simulations N` or `seconds S`"),
        ("go simulations", "go takes"),
        ("go simulations x", "go takes"),
        ("go simulations -1", "go takes"),
        ("go simulations ²", "go takes"),
        ("go simulations 0", "rollout takes 1 to 1000000 simulations"),
        ("go simulations 99999999999", "go takes"),
        ("go simulations 5 seconds 5", "go takes"),
        ("go seconds 0", "more than 0"),
        ("go seconds nan", "more than 0"),
        ("go seconds inf", "more than 0"),
        ("go seconds -1", "more than 0"),
        ("go seconds soon", "more than 0"),
        ("position a1\0b1", "printable"),
        ("\x1b[31mgo", "printable"),
        ("go \u2028 1", "printable"),
        ("?" * 100_000, "is not understood"),
    ],
)
def test_a_bad_line_is_one_error_line_and_changes_nothing(engine: Engine, line: str, says: str) -> None:
    engine.answer("position a1b1a2")
    before = engine.position
    answer = engine.answer(line)
    assert answer is not None and answer.startswith("error ") and says in answer
    assert answer.isprintable() and len(answer) < 400
    assert engine.position is before and engine.game is TICTACTOE
    assert str(engine.answer("go")).startswith("move a3")


def test_a_finished_game_has_no_move(engine: Engine) -> None:
    assert transcript(engine, "position a1b1a2b2a3", "go") == ["ok", "error the game is over"]


def test_whatever_is_sent_gets_at_most_one_line_each_and_the_engine_lives(engine: Engine) -> None:
    chance = random.Random(1)
    words = ["nought", "1", "game", "tictactoe", "position", "a1", "b2c3", "go", "simulations", "seconds", "9",
             "-1", "nan", "0.001", "", "\t", "\0", "é", "名", "\ud800", "\x7f", "'", '"', "{}", "%s", "\\", "..", "/", "#"]  # fmt: skip
    for _ in range(3000):
        if chance.random() < 0.5:
            line = " ".join(chance.choices(words, k=chance.randrange(5)))
        else:
            line = "".join(chr(chance.randrange(0x250)) for _ in range(chance.randrange(20)))
        answer = engine.answer(line + "\n")
        if answer is not None:
            assert answer.split()[0] in ("nought", "ok", "move", "error"), (line, answer)
            assert "\n" not in answer and "Traceback" not in answer
    assert transcript(engine, "game tictactoe", "position a1b1a2", "go")[-1].startswith("move a3")


def test_an_agent_that_does_not_search_just_moves() -> None:
    engine = Engine("random", TICTACTOE)
    for _ in range(9):
        (move,) = transcript(engine, "go")
        assert move.split()[0] == "move" and len(move.split()) == 2
        parse_move(TICTACTOE.start(), move.split()[1])
    assert "has no search" in str(engine.answer("go simulations 5"))
    assert str(engine.answer("go seconds 1")).startswith("error")


def test_an_agent_that_is_none_is_an_error_at_once() -> None:
    with pytest.raises(NoughtError, match="there is no player"):
        Engine("nobody", TICTACTOE)


# ---- between processes --------------------------------------------------------------------------------------
def run_engine(*arguments: str, stdin: bytes) -> CompletedProcess[bytes]:
    return run_program([*NOUGHT, "engine", *arguments], input=stdin)


def test_whole_games_through_a_process_are_those_without_one() -> None:
    """The program's moves are those that the engine in this process finds for the same questions."""
    command = f"{sys.executable} -m nought engine rollout:50 --game connect4"
    player = agent(f"program:{command}", TICTACTOE)  # which tells it the game
    local, other = Engine("rollout:50", TICTACTOE), RandomPlayer(1)
    lasts = play_games((player, other), [TICTACTOE.start()] * 3)
    asked: list[tuple[tuple[int, ...], int]] = []
    for ply in range(0, 9, 2):  # all games at once: a question about each, move by move
        asked += [(last.moves[:ply], last.moves[ply]) for last in lasts if len(last.moves) > ply]
    for moves, move in asked:
        local.position = TICTACTOE.position(moves)
        assert parse_move(TICTACTOE.start(), str(local.answer("go")).split()[1]) == move
    assert all(last.finished for last in lasts) and sum(last.result for last in lasts) > 0


def test_only_answers_go_to_standard_output_and_garbage_does_no_harm(tmp_path: Path) -> None:
    noisy = tmp_path / "noisy.py"
    noisy.write_text(
        "import os\nos.write(1, b'from below\\n')\nprint('loaded')\n"
        "def agent(o, c):\n    os.write(1, b'from below\\n')\n    print('thinking')\n    return 3\n"
    )
    garbage = bytes(random.Random(2).choices(range(256), k=5000)).replace(b"quit", b"")
    ran = run_engine(
        f"kaggle:{noisy}", stdin=b"nought 1\nposition 44\ngo\n" + garbage + b"\n\nposition 4\ngo\n"
    )
    assert ran.returncode == 0
    lines = ran.stdout.decode().split("\n")
    assert lines[:3] == [f"nought 1 kaggle:{noisy}", "ok", "move 4"]
    assert lines[-3:] == ["ok", "move 4", ""]
    assert all(line.startswith("error ") for line in lines[3:-3]) and len(lines) > 10
    assert b"Traceback" not in ran.stderr and b"from below" in ran.stderr


def test_a_mistake_on_the_command_line_is_one_line() -> None:
    ran = run_engine("search:nothing", stdin=b"go\n")
    assert ran.returncode == 2 and ran.stdout == b""
    assert ran.stderr.count(b"\n") == 1 and b"Traceback" not in ran.stderr


def test_the_engine_of_the_documentation_plays(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "engines.md").read_text(encoding="utf-8")
    (tmp_path / "dropper.py").write_text(text.split("```python\n")[1].split("```")[0], encoding="utf-8")
    game = load("connect4")
    player = agent(f"program:{sys.executable} {tmp_path}/dropper.py", game)
    assert all(last.finished for last in play_games((player, player), [game.start()] * 5))
    with pytest.raises(NoughtError, match="this engine plays connect4"):
        agent(f"program:{sys.executable} {tmp_path}/dropper.py", TICTACTOE)
