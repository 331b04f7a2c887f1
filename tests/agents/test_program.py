"""Other programs as players: games, and everything that such a program can do wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nought.agents import agent
from nought.agents.program import ProgramPlayer
from nought.errors import NoughtError
from nought.games import Position, load
from nought.selfplay import RandomPlayer, play_games
from tests.support.programs import run_program, until

TICTACTOE = load("tictactoe")

# Takes the first free square. Where a test wants another answer, it puts a line of Python in the place of …
ENGINE = """
import os, sys, time
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "quit":
        break
    answer = "ok"
    if word == "nought":
        answer = "nought 1 first"
    if word == "position":
        taken = {rest[i : i + 2] for i in range(0, len(rest), 2)}
    if word == "go":
        answer = "move " + next(s for s in (c + r for c in "abc" for r in "123") if s not in taken)
    …
    print(answer, flush=True)
"""


def program(folder: Path, line: str = "pass") -> str:
    path = folder / "engine.py"
    path.write_text(ENGINE.replace("…", line), encoding="utf-8")
    return f"{sys.executable} {path}"


def gone(pid: int) -> bool:
    """Whether a process ends within seconds; one that nobody has asked for its exit code yet has ended."""

    def ended() -> bool:
        return run_program(["ps", "-o", "stat=", "-p", str(pid)]).stdout.strip()[:1] in ("", "Z")

    return until(ended, 30)


def test_one_process_plays_many_games_at_once_on_both_sides(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = program(tmp_path, f"open({str(log)!r}, 'a').write(f'{{os.getpid()}} {{line}}')")
    player = agent(f"program:{command}", TICTACTOE)
    other = RandomPlayer(1)
    for players in ((player, other), (other, player)):
        for last in play_games(players, [TICTACTOE.start()] * 5):
            assert last.finished
            for ply, move in enumerate(last.moves):
                if players[ply % 2] is player:
                    free = sorted(set(range(9)) - set(last.moves[:ply]), key=lambda a: (a % 3, a // 3))
                    assert move == free[0]
    lines = [line.split(maxsplit=1) for line in log.read_text().splitlines()]
    assert len({pid for pid, _ in lines}) == 1
    assert [line for _, line in lines[:2]] == ["nought 1", "game tictactoe"]


def test_simulations_are_passed_on(tmp_path: Path) -> None:
    command = program(tmp_path, "if word == 'go' and rest != 'simulations 7': answer = 'error ' + rest")
    player = agent(f"program:{command}", TICTACTOE, simulations=7)
    assert player.choose({3: TICTACTOE.start()}) == {3: 0}


def test_comments_empty_lines_and_more_words_after_the_move_are_fine(tmp_path: Path) -> None:
    line = "print('# thinking\\n\\n#\\n'); answer += ' value 0.5 nonsense' if word == 'go' else ''"
    player = agent(f"program:{program(tmp_path, line)}", TICTACTOE)
    assert player.choose({0: TICTACTOE.position([0, 1])}) == {0: 3}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("if word == 'go': print('out of luck', file=sys.stderr); sys.exit(3)", "has ended (exit code 3); it said: out of luck"),
        ("if word == 'position': sys.exit(0)", "has ended"),
        ("if word == 'nought': sys.exit(1)", "has ended (exit code 1)"),
        ("raise RuntimeError('oh no')", "it said: RuntimeError: oh no"),
        ("if word == 'nought': answer = 'uci'", "does not speak 'nought 1'"),
        ("if word == 'game': answer = 'error never heard of it'", "'error never heard of it' to 'game tictactoe'"),
        ("if word == 'go': answer = 'move a1'", "'move a1': tictactoe: a1 is not legal here"),
        ("if word == 'go': answer = 'move z9'", "'z9' is not a square"),
        ("if word == 'go': answer = 'move'", "not `move …`"),
        ("if word == 'go': answer = 'a2'", "not `move …`"),
        ("if word == 'go': answer = 'bestmove a2'", "not `move …`"),
        ("if word == 'go': answer = 'error tired'", "'error tired'"),
        ("if word == 'go': answer = chr(955) * 10**6", "not `move …`"),
        ("if word == 'go': sys.stdout.buffer.write(bytes(range(128, 255)))", "not `move …`"),
    ],
)  # fmt: skip
def test_mistakes_of_a_program_are_one_line_that_names_it(tmp_path: Path, line: str, says: str) -> None:
    name = f"program:{program(tmp_path, line)}"
    with pytest.raises(NoughtError) as caught:
        agent(name, TICTACTOE).choose({0: TICTACTOE.position([0])})
    message = str(caught.value)
    assert says in message and "engine.py" in message
    assert "\n" not in message and len(message) < 1000


@pytest.mark.parametrize("line", ["time.sleep(1000)", "print('# wait', flush=True)"])
def test_a_program_that_does_not_answer_is_ended(tmp_path: Path, line: str) -> None:
    player = ProgramPlayer(program(tmp_path, f"while word == 'go': {line}"), TICTACTOE)
    player.timeout = 0.2
    with pytest.raises(NoughtError, match=r"has not answered 'go' for 0.2 seconds"):
        player.choose({0: TICTACTOE.start()})
    assert gone(player.process.pid)
    with pytest.raises(NoughtError, match="has ended"):
        player.choose({0: TICTACTOE.start()})


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("./no-such-engine --level 3", "cannot be started: No such file or directory: ./no-such-engine"),
        ("/", "cannot be started: Permission denied"),
        ("engine 'unclosed", "is not a command line: No closing quotation"),
        (" ", "is not a command line: it is empty"),
        ("true", "has ended"),
    ],
)
def test_commands_that_cannot_be_run(command: str, says: str) -> None:
    with pytest.raises(NoughtError) as caught:
        agent(f"program:{command}", TICTACTOE)
    assert says in str(caught.value) and f"program:{command}" in str(caught.value)


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    with pytest.raises(NoughtError):
        agent(f"program:true; touch {tmp_path}/made", TICTACTOE)
    assert list(tmp_path.iterdir()) == []


def test_a_position_of_unknown_moves_is_refused(tmp_path: Path) -> None:
    player = agent(f"program:{program(tmp_path)}", TICTACTOE)
    unknown = Position(TICTACTOE, TICTACTOE.position([4]).state)
    with pytest.raises(NoughtError, match="whose moves from the start are known"):
        player.choose({0: unknown})


def test_it_ends_with_its_player_and_with_what_it_started(tmp_path: Path) -> None:
    child = tmp_path / "child"
    line = (
        f"open({str(child)!r}, 'w').write(str(__import__('subprocess').Popen(['sleep', '1000']).pid)); "
        "__import__('signal').signal(15, lambda *_: None)"
    )
    stubborn = f"if word == 'game': {line}\n    if word == 'go': time.sleep(1000)"
    player = ProgramPlayer(program(tmp_path, stubborn), TICTACTOE)
    player.timeout = 0.1
    with pytest.raises(NoughtError, match="has not answered"):
        player.choose({0: TICTACTOE.start()})
    assert gone(player.process.pid) and gone(int(child.read_text()))
    other = ProgramPlayer(program(tmp_path), TICTACTOE)
    pid = other.process.pid
    del other
    assert gone(pid)


def test_it_ends_with_python(tmp_path: Path) -> None:
    script = (
        "from nought.agents.program import ProgramPlayer; from nought.games import load\n"
        f"print(p := ProgramPlayer({program(tmp_path)!r}, load('tictactoe')), p.process.pid)\n"
        "raise SystemExit(1)"
    )
    ran = run_program([sys.executable, "-c", script])
    assert ran.returncode == 1, ran.stderr
    assert gone(int(ran.stdout.split()[-1]))
