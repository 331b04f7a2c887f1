from pathlib import Path

import numpy as np
import pytest

from nought.errors import NoughtError
from nought.games import load
from nought.games.conformance import Report, check_game
from nought.games.registry import game_from_source
from tests.games.broken import BROKEN, TICTACTOE, UNPLAYABLE, Broken

OWN = Path(__file__).with_name("own")
RIGHT = ["tictactoe", "connect4", "connect4:4x4:3", "dots-and-boxes", "dots-and-boxes:2x5", "othello:6x6"]


@pytest.mark.parametrize("name", RIGHT)
def test_the_games_are_right(name: str) -> None:
    heard: list[int] = []
    report = check_game(load(name), games=20, listener=lambda report: heard.append(report.games))
    assert report.passed, report.failures
    assert report.warnings == []
    assert (report.games, heard[-1]) == (20, 20)
    assert report.positions > 20 * 5
    assert 0 < report.longest <= load(name).longest
    assert report.transpositions > 0
    assert report.compile_seconds is not None
    assert report.symmetries == len(load(name).symmetries)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_broken_games_fail_with_a_clear_message(broken: Broken) -> None:
    report = check_game(broken.game(), games=30)
    findings = report.warnings if broken.warns else report.failures
    found = {finding.check: finding for finding in findings}
    assert broken.check in found, (report.failures, report.warnings)
    assert broken.says in found[broken.check].message
    assert len(found[broken.check].message) < 300
    assert "\n" not in found[broken.check].message
    assert len(found) == len(findings)


@pytest.mark.parametrize("fault", UNPLAYABLE)
def test_games_that_cannot_be_played_are_one_line(fault: str) -> None:
    right, wrong, says = UNPLAYABLE[fault]
    assert right in TICTACTOE
    with pytest.raises(NoughtError) as caught:
        game_from_source("mygame.py", TICTACTOE.replace(right, wrong))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_forty_faults_and_more_are_planted() -> None:
    assert len(BROKEN) + len(UNPLAYABLE) >= 40
    assert len({broken.name for broken in BROKEN} | set(UNPLAYABLE)) == len(BROKEN) + len(UNPLAYABLE)


def test_the_messages_are_distinct() -> None:
    assert len({broken.check for broken in BROKEN}) >= 15
    assert len({broken.says for broken in BROKEN}) == len(BROKEN)


def test_the_moves_lead_to_the_mistake() -> None:
    broken = next(broken for broken in BROKEN if broken.name == "moves after the end")
    (finding,) = check_game(broken.game(), games=30).failures
    right = load("tictactoe").position(finding.moves)
    assert right.finished
    assert len(finding.moves) == 5  # the shortest of the ways found
    assert finding.line == "".join("abc"[move % 3] + str(move // 3 + 1) for move in finding.moves)


def test_the_same_seed_plays_the_same_games() -> None:
    def counts(report: Report) -> tuple[int, ...]:
        return report.positions, report.longest, report.transpositions

    game = load("connect4")
    assert counts(check_game(game, 10, seed=3)) == counts(check_game(game, 10, seed=3))
    assert counts(check_game(game, 10, seed=3)) != counts(check_game(game, 10, seed=4))


def test_a_state_that_holds_too_much_is_a_warning() -> None:
    source = TICTACTOE.replace("STATE = (np.int8, 10)", "STATE = (np.int8, 11)")
    source = source.replace("    state[action] =", "    state[10] = action\n    state[action] =")
    report = check_game(game_from_source("last_move.py", source), games=30)
    assert report.passed
    (warning,) = report.warnings
    assert "holds something that does not matter" in warning.message


def test_images_are_played_by_the_plain_rules_first() -> None:
    """A wrong index only where a game begins in the last corner: compiled rules would write into others' memory."""
    wrong = "    if action == 8 and not state.any():\n        state[50000] = 1\n    state[action] ="
    game = game_from_source("corner.py", TICTACTOE.replace("    state[action] =", wrong), path="corner.py")
    seeds = [seed for seed in range(20) if np.random.default_rng(seed).choice(9) in (0, 2, 6)]
    (finding,) = check_game(game, games=1, seed=seeds[0]).failures
    assert finding.message.startswith("play raises IndexError: index 50000 is out of bounds")
    assert finding.moves == ()


def test_a_mistake_in_an_image_comes_with_the_moves_of_the_image() -> None:
    """There the board is odd only where the second stone stands above the first, at the left."""
    wrong = "    if state[3] == 1 and state[0] == 2:\n        state[50000] = 1\n    state[action] ="
    game = game_from_source("above.py", TICTACTOE.replace("    state[action] =", wrong), path="above.py")
    finding = check_game(game, games=30).failures[0]
    assert finding.moves[:2] == (3, 0)
    position = game.position(finding.moves)
    with pytest.raises(NoughtError, match="index 50000 is out of bounds"):
        position.play(position.legal[0])


@pytest.mark.parametrize("name", ["breakthrough", "breakthrough:5x3", "hex", "kalah", "kalah:6:4"])
def test_games_as_people_write_them_are_right(name: str) -> None:
    """A board that is turned to the player to move; a margin and double turns; two directions."""
    file, _, size = name.partition(":")
    report = check_game(load(f"{OWN / file}.py{size and ':'}{size}"), games=20)
    assert report.passed, report.failures
    assert report.warnings == []


def test_a_board_that_is_never_turned_shows_no_perspective() -> None:
    """Pieces face each other at the start: the other side's view of it looks alike."""
    source = (OWN / "breakthrough.py").read_text(encoding="utf-8")
    seen = "        at = cell if state[MOVER] == 0 else CELLS - 1 - cell\n"
    wrong = source.replace(
        "            out[state[cell] - 1, cell // COLUMNS, cell % COLUMNS] = 1.0",
        "            whose = state[cell] - 1 if state[MOVER] == 0 else 2 - state[cell]\n"
        f"    {seen}            out[whose, at // COLUMNS, at % COLUMNS] = 1.0",
    )
    failures = check_game(game_from_source("breakthrough.py", wrong), games=20).failures
    assert [finding.check for finding in failures] == ["perspective"]


def test_stones_that_belong_to_nobody_need_no_perspective() -> None:
    neutral = TICTACTOE.replace("0 if state[cell] == state[MOVER] + 1 else 1, cell", "0, cell")
    neutral = neutral.replace("= state[MOVER] + 1\n", "= 1\n").replace("== player + 1", "== 1")
    report = check_game(game_from_source("neutral.py", neutral), games=30)
    assert not [finding for finding in report.failures if finding.check == "perspective"]


HASHED = """
STATE = (np.uint64, 11)


def play(state, action):
    state[10] = state[10] * np.uint64(6364136223846793005) + np.uint64(action)  # of 64 bits: it wraps around
    state[action] = state[MOVER] + np.uint64(1)
    state[MOVER] = np.uint64(1) - state[MOVER]
"""


def test_a_hash_may_wrap_around() -> None:
    report = check_game(game_from_source("hashed.py", TICTACTOE + HASHED), games=30)
    assert report.passed, report.failures
    assert [finding.check for finding in report.warnings] == [
        "canonical"
    ]  # the hash knows the order of moves


def test_numbers_without_a_sign_may_be_bits() -> None:
    bits = "STATE = (np.uint8, 11)\n\n\ndef play(state, action):\n    state[10] = (state[10] | 1) << 3\n"
    report = check_game(
        game_from_source("bits.py", TICTACTOE.replace("def play(state, action):\n", bits)), games=30
    )
    assert report.passed, report.failures
    (message,) = [finding.message for finding in report.warnings if finding.check == "overflow"]
    assert "which np.uint8 cannot hold" in message and "if that is on purpose" in message


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ("SYMMETRY = 'round'", "SYMMETRY is none, mirror, rectangle, square or a list, not 'round'"),
        ("SYMMETRY = [1, 2]", "SYMMETRY is a name or a list of (cells, actions)"),
        ("SYMMETRY = [([0] * 9, range(9))]", "SYMMETRY must hold permutations"),
        ("CELL_OF_ACTION = 'corner'", "CELL_OF_ACTION must give a cell, 0 to 8, for each action"),
        ("NOTATION = 'chess'", "NOTATION is squares, columns, numbers, not 'chess'"),
        ("BOARD = 'hexes'", "BOARD is stones, dots, not 'hexes'"),
        ("def start(state):\n    state[:3] = 1\n    state[MOVER] = 1\n", "finished before its first move"),
    ],
)
def test_wrong_facts(facts: str, says: str) -> None:
    (finding,) = check_game(game_from_source("facts.py", f"{TICTACTOE}\n{facts}\n"), games=5).failures
    assert says in finding.message
    assert finding.line == ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("return int(any(s == 9 for s in state))", "The use of yield in a closure is unsupported."),
        ("return NAMES['x']", "Untyped global name 'NAMES'"),
        (
            "return np.rot90(state.reshape(2, 5), axes=(1, 0))[0, 0] * 0",
            "got an unexpected keyword argument 'axes'",
        ),
        ("return 0 if state[0] < 9 else 'nobody'", "Cannot unify Literal[str](nobody) and Literal[int](0)"),
    ],
)
def test_why_a_function_does_not_compile(line: str, says: str) -> None:
    """The function, its line and a short reason, not Numba's pages."""
    source = TICTACTOE.replace("    return state[MOVER]\n", f"    {line}\n") + "\nNAMES = {'x': 0}\n"
    report = check_game(game_from_source("slow.py", source), games=1)
    (finding,) = [finding for finding in report.failures if finding.check == "compiles"]
    assert finding.message.startswith("player does not compile: ")
    assert says in finding.message
    assert len(finding.message) < 300
    assert "\n" not in finding.message
    assert report.compile_seconds is None
