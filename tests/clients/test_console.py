"""The terminal client, with the person's answers given."""

import io
import json

import pytest
from rich.console import Console

from nought.clients.console import ConsoleGame
from nought.clients.game import LocalGame, opinion_text
from nought.clients.saved import read_saved
from nought.errors import NoughtError
from nought.games import load
from nought.games.notation import format_moves, move_names
from nought.search import Analysis
from nought.selfplay import RandomPlayer, rollout_player
from tests.games.broken import TICTACTOE
from tests.games.samples import EXAMPLES
from tests.support.uncompiled import uncompiled


def play(answers, human=0, name="tictactoe", simulations=50, agent=None, start=None, **options):
    """The game and what was shown."""
    game = uncompiled(name) if ":" in name else load(name)
    shown = io.StringIO()
    lines = iter(answers)

    def ask(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    console = Console(file=shown, width=100, highlight=False)
    current = LocalGame(game, agent or rollout_player(game, simulations, seed=1), human=human, start=start)
    ConsoleGame(current, console=console, ask=ask, **options).run()
    return current, shown.getvalue()


def test_a_whole_game_ends_with_its_result_and_moves():
    # Offer every square until the game is over: illegal ones are answered, not played.
    current, shown = play([f"{c}{r}" for c in "abc" for r in "123"] * 3)
    assert current.position.finished
    assert any(text in shown for text in ("You win.", "You lose.", "A draw."))
    assert "Moves:" in shown


def test_an_illegal_move_and_nonsense_are_explained_and_change_nothing():
    current, shown = play(["b2", "b2", "z9", "q"])
    assert "is not legal" in shown
    assert "is not a square" in shown
    assert len(current.position.moves) == 2  # the person's and the answer


def test_undo_goes_back_to_the_persons_own_turn():
    current, _ = play(["b2", "u", "q"])
    assert current.position.moves == ()
    current, shown = play(["u", "q"])
    assert "nothing to take back" in shown


def test_undo_as_second_player_keeps_the_agents_first_move():
    current, _ = play(["a1", "u", "q"], human=1)
    assert len(current.position.moves) == 1


def test_the_end_of_input_leaves_the_game():
    current, shown = play(["b2"])
    assert "Left after" in shown
    assert not current.position.finished


def test_hints_show_the_agents_moves():
    _, shown = play(["h", "q"])
    assert "best line" in shown
    _, shown = play(["q"], hints=True)
    assert "best line" in shown


def test_in_dots_and_boxes_who_closes_a_box_is_asked_again():
    # on a 1×1 board the fourth edge ends the game; whoever draws it has moved last
    current, shown = play(["0", "1", "2", "3"] * 2, name="dots-and-boxes:1x1")
    assert current.position.finished
    assert "You" in shown


@pytest.mark.parametrize(
    ("value", "proven", "plies", "words"),
    [
        (1.0, True, 5, "it wins in 5 moves at most, proven"),
        (-1.0, True, 2, "it loses in 2 moves at most, proven"),
        (0.0, True, 9, "it draws in 9 moves at most, proven"),
        (0.5, False, None, "it expects to score 75 %"),
    ],
)
def test_the_agents_opinion_is_put_into_words(value, proven, plies, words):
    assert opinion_text(Analysis(value, proven, plies, 1, 1, ())) == words


def test_a_player_without_a_search_plays_but_gives_no_hints():
    current, shown = play(["h", *(f"{c}{r}" for c in "abc" for r in "123")] * 3, agent=RandomPlayer(1))
    assert current.position.finished
    assert "random gives no hints" in shown
    assert "O played" in shown and "expects" not in shown


def test_the_mistakes_of_a_finished_game_are_explained():
    # X: a1 … O answers at random; resigning ends the game wherever it stands
    start = load("tictactoe").position([0, 1])  # b1 against a1 loses: only b2 draws
    _, shown = play(["r", "y"], start=start)
    assert "You lose." in shown
    assert "move 2: the agent threw away a draw with b1; b2 kept it" in shown
    assert "you made no mistake" in shown


def test_resigning_is_asked_for_twice():
    current, shown = play(["r", "n", "q"])
    assert current.result is None and "Left after no moves" in shown


def test_a_game_is_saved_after_every_move_and_goes_on_from_its_file(tmp_path):
    file = tmp_path / "game.json"
    current, shown = play(["b2", "q"], save_in=file)
    assert f"nought play --resume {file}" in shown.replace("\n", "")
    saved = read_saved(file)
    assert saved.record.moves == current.position.moves and saved.human == 0
    assert saved.players == ("you", "rollout:50") and saved.record.result is None
    text = json.loads(file.read_text())
    assert text["moves"] == format_moves(current.game, current.position.moves)  # what the web page reads
    again, _ = play(["q"], start=current.position, save_in=file)
    assert again.position == current.position


def test_save_says_where_and_never_writes_over_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.json").write_text("precious")
    _, shown = play(["b2", "s mine.json", "s other.json", "s nowhere/x.json", "q"])
    assert "mine.json is there already" in shown and "saved in other.json" in shown
    assert "there is no folder" in shown
    assert (tmp_path / "mine.json").read_text() == "precious"
    assert len(read_saved(tmp_path / "other.json").record.moves) == 2
    _, shown = play(["s", "q"])
    assert len(list(tmp_path.glob("tictactoe-*.json"))) == 1


def test_a_saved_game_of_a_users_own_file_is_found_from_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(load("connect4").source)
    play(["1", "q"], name="mine.py:4x5:3", agent=RandomPlayer(1), save_in=tmp_path / "game.json")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert read_saved(tmp_path / "game.json").record.game.planes_shape[1:] == (4, 5)


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", "3", "not json", '{"game": "tictactoe", "moves": "a1 a1"}']
)
def test_a_file_that_is_no_saved_game_is_one_clear_error(tmp_path, content):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(NoughtError, match=r"x\.json"):
        read_saved(tmp_path / "x.json")


def test_ctrl_c_at_the_prompt_leaves_the_game():
    def ask(prompt):
        raise KeyboardInterrupt

    shown = io.StringIO()
    current = LocalGame(load("tictactoe"), RandomPlayer(1), human=0)
    ConsoleGame(current, console=Console(file=shown), ask=ask).run()
    assert "Left after no moves" in shown.getvalue()


def test_how_a_move_is_written_is_said_with_the_corner_of_a1():
    breakthrough = str(EXAMPLES / "breakthrough.py")
    current, shown = play(["b2-c3", "?", "q"], name=breakthrough, agent=RandomPlayer(0))
    assert "Type a move like a2-a3; a1 is at the bottom left" in shown
    moves = current.position.moves
    assert len(moves) == 2 and f"O played {move_names(current.game.start(), moves)[1]}" in shown
    _, shown = play(["q"])
    assert "Type a move like a1; a1 is at the top left" in shown
    _, shown = play(["q"], name="connect4")
    assert "Type a move like 1 ·" in shown


def test_a_move_that_is_called_like_a_command_is_a_move(tmp_path):
    names = "\n\ndef move_text(state, move):\n    return 'abcdefghu'[move]\n"
    path = tmp_path / "named.py"
    path.write_text(TICTACTOE + names, encoding="utf-8")
    current, shown = play(["h", "hint", "q"], name=str(path), agent=RandomPlayer(0))
    assert current.position.moves[0] == 7
    assert "gives no hints" in shown  # the whole word is the command


def test_a_game_of_pieces_that_move_is_saved_and_goes_on(tmp_path):
    path = tmp_path / "game.json"
    breakthrough = str(EXAMPLES / "breakthrough.py")
    current, _ = play(["b2-c3", "q"], name=breakthrough, agent=RandomPlayer(0), save_in=path)
    assert json.loads(path.read_text(encoding="utf-8"))["moves"].startswith("b2-c3 ")
    assert read_saved(path).record.moves == current.position.moves
