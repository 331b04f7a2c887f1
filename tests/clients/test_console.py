"""The terminal client, with the person's answers given."""

import io

import pytest
from rich.console import Console

from nought.clients.console import ConsoleGame, judgement
from nought.games import load
from nought.search import Analysis
from nought.selfplay import RandomPlayer, rollout_player


def play(answers, human=0, name="tictactoe", simulations=50, agent=None, **options):
    """The game and what was shown."""
    game = load(name)
    shown = io.StringIO()
    lines = iter(answers)

    def ask(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    console = Console(file=shown, width=100, highlight=False)
    match = ConsoleGame(
        game,
        agent or rollout_player(game, simulations, seed=1),
        human=human,
        console=console,
        ask=ask,
        **options,
    )
    match.run()
    return match, shown.getvalue()


def test_a_whole_game_ends_with_its_result_and_moves():
    # Offer every square until the game is over: illegal ones are answered, not played.
    match, shown = play([f"{c}{r}" for c in "abc" for r in "123"] * 3)
    assert match.position.finished
    assert any(text in shown for text in ("You win.", "You lose.", "A draw."))
    assert "Moves:" in shown


def test_an_illegal_move_and_nonsense_are_explained_and_change_nothing():
    match, shown = play(["b2", "b2", "z9", "q"])
    assert "is not legal" in shown
    assert "is not a square" in shown
    assert len(match.position.moves) == 2  # the person's and the answer


def test_undo_goes_back_to_the_persons_own_turn():
    match, _ = play(["b2", "u", "q"])
    assert match.position.moves == ()
    match, shown = play(["u", "q"])
    assert "nothing to take back" in shown


def test_undo_as_second_player_keeps_the_agents_first_move():
    match, _ = play(["a1", "u", "q"], human=1)
    assert len(match.position.moves) == 1


def test_the_end_of_input_leaves_the_game():
    match, shown = play(["b2"])
    assert "Left after" in shown
    assert not match.position.finished


def test_hints_show_the_agents_moves():
    _, shown = play(["h", "q"])
    assert "best line" in shown
    _, shown = play(["q"], hints=True)
    assert "best line" in shown


def test_in_dots_and_boxes_who_closes_a_box_is_asked_again():
    # on a 1×1 board the fourth edge ends the game; whoever draws it has moved last
    match, shown = play(["0", "1", "2", "3"] * 2, name="dots-and-boxes:1x1")
    assert match.position.finished
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
def test_the_agents_judgement_is_put_into_words(value, proven, plies, words):
    assert judgement(Analysis(value, proven, plies, 1, 1, ())) == words


def test_a_player_without_a_search_plays_but_gives_no_hints():
    match, shown = play(["h", *(f"{c}{r}" for c in "abc" for r in "123")] * 3, agent=RandomPlayer(1))
    assert match.position.finished
    assert "random gives no hints" in shown
    assert "random played" in shown and "expects" not in shown
