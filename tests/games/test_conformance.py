import numpy as np
import pytest

from nought.errors import NoughtError
from nought.games import load
from nought.games.conformance import Report, check_game
from nought.games.registry import game_from_source
from tests.games.broken import BROKEN, TICTACTOE, UNPLAYABLE, Broken
from tests.games.samples import EXAMPLES, RACE, race
from tests.support.skips import slow

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


@pytest.mark.parametrize(
    "broken", [pytest.param(b, marks=slow if i % 3 else (), id=b.name) for i, b in enumerate(BROKEN)]
)
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


@slow
def test_images_are_played_by_the_plain_rules_first() -> None:
    """A wrong index only where a game begins in the last corner: compiled rules would write into others' memory."""
    wrong = "    if action == 8 and not state.any():\n        state[50000] = 1\n    state[action] ="
    game = game_from_source("corner.py", TICTACTOE.replace("    state[action] =", wrong), path="corner.py")
    seeds = [seed for seed in range(20) if np.random.default_rng(seed).choice(9) in (0, 2, 6)]
    (finding,) = check_game(game, games=1, seed=seeds[0]).failures
    assert finding.message.startswith("play raises IndexError: index 50000 is out of bounds")
    assert finding.moves == ()


@slow
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
    report = check_game(load(f"{EXAMPLES / file}.py{size and ':'}{size}"), games=20)
    assert report.passed, report.failures
    assert report.warnings == []


@slow
def test_a_board_that_is_never_turned_shows_no_perspective() -> None:
    """Pieces face each other at the start: the other side's view of it looks alike."""
    source = (EXAMPLES / "breakthrough.py").read_text(encoding="utf-8")
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


@slow
def test_a_hash_may_wrap_around() -> None:
    report = check_game(game_from_source("hashed.py", TICTACTOE + HASHED), games=30)
    assert report.passed, report.failures
    assert [finding.check for finding in report.warnings] == [
        "canonical"
    ]  # the hash knows the order of moves


@slow
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
        (
            "CELL_OF_ACTION = 'corner'",
            "CELL_OF_ACTION must give a cell, 0 to 8, for each action (-1 where it has none)",
        ),
        ("NOTATION = 'chess'", "NOTATION is squares, moves, columns, numbers, not 'chess'"),
        ("BOARD = 'hexes'", "BOARD is stones, hexagons, pits, dots, not 'hexes'"),
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


PICTURE = "\n\ndef picture(state):\n    return "
MOVE_TEXT = "\n\ndef move_text(state, move):\n    return "


@pytest.mark.parametrize(
    ("more", "check", "says"),
    [
        (f"{MOVE_TEXT}'move'", "names", "two legal moves, 0 and 1, are both called 'move'"),
        (f"{MOVE_TEXT}'Aa'[move % 2] + str(move // 2)", "names", "two legal moves, 0 and 1, are both called"),
        (f"{MOVE_TEXT}f'to {{move}}'", "names", "the move 0 is called 'to 0': a name has 1 to 20 letters"),
        (f"{MOVE_TEXT}f'{{move}},'", "names", "without spaces, commas or semicolons"),
        (f"{MOVE_TEXT}''", "names", "the move 0 is called ''"),
        (f"{MOVE_TEXT}move", "shown", "move_text returns 0, not a text"),
        (f"{MOVE_TEXT}NAMES[move]", "raises", "move_text raises NameError: name 'NAMES' is not defined (line 70)"),
        (f"{MOVE_TEXT}str(move + state.sort())", "raises", "move_text raises TypeError"),
        ("\n\ndef move_text(state, move):\n    state[0] = 1\n    return str(move)", "changes", "move_text changes the state"),
        (f"{PICTURE}[0] * 8", "shown", "picture returns [0, 0, 0, 0, 0, 0, 0, 0], not a list of 9"),
        (f"{PICTURE}[7] * 9", "shown", "picture has 7 on cell 0"),
        (f"{PICTURE}[1 / 0] * 9", "raises", "picture raises ZeroDivisionError: division by zero (line 70)"),
        ("\nBOARD_TURNED = 'round'", "facts", 'BOARD_TURNED is "half" (half a turn), "flip" (upside down) or a list'),
        ("\nBOARD_TURNED = [0] * 9", "facts", "BOARD_TURNED is"),
        ("\nBOARD_SIZE = (3, 4)", "facts", "BOARD_SIZE differs from PLANES, so that picture(state) must say"),
        ("\nBOARD_SIZE = 9", "facts", "BOARD_SIZE is (rows, columns) of the board that is drawn, not 9"),
        ("\nBOARD_A1 = 'centre'", "facts", "BOARD_A1 is top left, bottom left, not 'centre'"),
        ("\nBOARD_COLOURS = 'green'", "facts", 'BOARD_COLOURS is "plain", "checkered" or one word for each'),
        ("\nBOARD_SIDES = (0, 1, 2, 3)", "facts", "BOARD_SIDES is whose are the top, right, bottom, left"),
        ("\nBOARD = 'pits'", "facts", 'BOARD "pits" needs picture(state): what is in each pit'),
        ("\nORIGIN_OF_ACTION = [9] * 9", "facts", "ORIGIN_OF_ACTION must give a cell, 0 to 8, for each action"),
        ("\nNOTATION = 'moves'", "facts", 'NOTATION "moves" needs ORIGIN_OF_ACTION and CELL_OF_ACTION'),
        ("\nNOTATION = 'columns'\nBOARD_TURNED = 'half'", "facts", 'NOTATION "columns" is for boards that are not'),
    ],
)  # fmt: skip
def test_mistakes_in_what_people_see(more: str, check: str, says: str) -> None:
    report = check_game(game_from_source("shown.py", f"{TICTACTOE}{more}\n", path="shown.py"), games=3)
    found = {finding.check: finding.message for finding in report.failures}
    assert check in found, (report.failures, report.warnings)
    assert says in found[check]
    assert "\n" not in found[check]


def test_promotions_need_names_of_their_own() -> None:
    assert check_game(race(), games=10).passed
    (finding,) = check_game(game_from_source("race.py", RACE), games=10).failures
    assert "two legal moves, 2 and 3, are both called 'a3-a4'" in finding.message
    assert finding.line == "a1-a2 b4-b3 a2-a3 b3-b2" or finding.line.endswith("a2-a3 pass")


@pytest.mark.parametrize(("name", "turned"), [("breakthrough", '"half"'), ("kalah", '"half"')])
def test_a_board_that_is_turned_without_saying_so(name: str, turned: str) -> None:
    source = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    report = check_game(game_from_source(f"{name}.py", source.replace("BOARD_TURNED =", "TURNED =")), games=5)
    warnings = {finding.check: finding.message for finding in report.warnings}
    assert f"with BOARD_TURNED = {turned} it would stay as it stands" in warnings["turned"]


def test_a_board_that_is_said_to_be_turned_and_is_not() -> None:
    wrong = game_from_source("still.py", f'{TICTACTOE}\nBOARD_TURNED = "half"\n')
    warnings = {finding.check: finding.message for finding in check_game(wrong, games=5).warnings}
    assert "with BOARD_TURNED = None it would stay as it stands" in warnings["turned"]


def test_moves_that_begin_where_nothing_is_to_be_moved() -> None:
    source = (EXAMPLES / "breakthrough.py").read_text(encoding="utf-8")
    wrong = source.replace(
        "ORIGIN_OF_ACTION = np.arange(ACTIONS) // 3", "ORIGIN_OF_ACTION = np.arange(ACTIONS) % 3"
    )
    report = check_game(game_from_source("b.py", wrong.replace('"mirror"', '"none"')), games=3)
    warnings = {finding.check: finding.message for finding in report.warnings}
    assert "where no piece of the player to move is seen" in warnings["origin"]
