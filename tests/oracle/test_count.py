"""How large a game is."""

import json

import pytest
from typer.testing import CliRunner

from nought.cli import app
from nought.errors import NoughtError
from nought.games import load
from nought.oracle.count import bounds, estimated_games, levels, placements


def test_every_position_and_game_of_tictactoe():
    counted = list(levels(load("tictactoe")))
    assert sum(level.positions for level in counted) == 5478
    assert sum(level.games for level in counted) == 255_168
    assert [level.positions for level in counted] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(level.finished for level in counted) == 958


def test_it_stops_where_there_is_no_room_for_more():
    assert [level.positions for level in levels(load("tictactoe"), limit=300)] == [1, 9, 72, 252]


def test_random_games_tell_how_many_there_are():
    found = estimated_games(load("tictactoe"), 4000)
    assert abs(found.number - 255_168) < 4 * found.error
    assert found.error < 5000


def test_the_papers_bounds():
    assert placements(42) == 16_282_402_094_173_127_445
    numbers = [bound.number for bound in bounds(load("connect4"))]
    assert numbers[0] == 3**42
    assert numbers[-1] == 4_531_985_219_092
    assert [b.number for b in bounds(load("dots-and-boxes:3x3"))][:3] == [24, 9, 16_777_216]
    assert bounds(load("othello")) == []


def told(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["count", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_it_is_printed_and_told_to_programs():
    shown = told("tictactoe")
    assert "5,478 positions, 255,168 games: all there are" in shown
    assert "perfect play ends with a draw" in shown
    facts = json.loads(told("tictactoe", "--depth", "3", "--samples", "50", "--json"))
    assert facts["levels"][-1] == {"moves": 3, "positions": 252, "finished": 0, "games": 0.0}
    assert facts["whole"] is False
    assert facts["estimated_games"]["samples"] == 50
    assert told("tictactoe", "--depth", "3", "--samples", "50").count("there are more") == 1


def test_a_game_that_is_not_there_is_one_line():
    with pytest.raises(NoughtError, match="nogame"):
        told("nogame")
