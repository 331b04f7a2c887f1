"""Boards as pictures, and what a click on them means; no screen is needed."""

import pytest

pytest.importorskip("PIL")

from PIL import ImageColor

from nought.clients.desktop.layout import BoardLayout
from nought.clients.desktop.picture import PAGE, draw_board, draw_stone
from nought.games import load
from nought.games.look import look
from nought.games.notation import parse_moves
from nought.server.views import game_view, position_view

SIZES = [(620, 560), (200, 900), (901, 333)]


def board(name, moves="", width=620, height=560):
    game = load(name)
    position = position_view(game.position(parse_moves(game, moves)))
    return BoardLayout(game_view(game, (), oracle=False), width, height), position


def colour(image, point):
    return image.getpixel(tuple(map(int, point)))


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ["connect4", "tictactoe", "othello", "dots-and-boxes", "dots-and-boxes:5x4"])
def test_a_click_in_the_middle_of_every_move_is_that_move_at_every_size(name, width, height):
    layout, position = board(name, width=width, height=height)
    for move in position.legal:
        x, y = layout.middle(layout.game.cell_of_action[move.action])
        assert layout.move_at(position, x, y) == move
        assert 0 <= x < width and 0 <= y < height


def test_clicks_beside_the_board_or_on_what_is_taken_mean_nothing():
    layout, position = board("tictactoe", "b2")
    assert layout.move_at(position, 0, 0) is None
    assert layout.move_at(position, layout.width - 1, 5) is None
    assert layout.move_at(position, *layout.middle(4)) is None
    dots, drawn = board("dots-and-boxes", "0")
    assert dots.move_at(drawn, *dots.middle(dots.game.cell_of_action[0])) is None
    finished, position = board("tictactoe", "a1 a2 b1 b2 c1")
    assert finished.move_at(position, *finished.middle(8)) is None


def test_in_a_column_of_connect_4_every_cell_means_the_column_until_it_is_full():
    layout, position = board("connect4", "44")
    low = layout.middle(5 * 7 + 3)
    assert layout.move_at(position, *low).name == "4"
    assert layout.move_at(position, *low).cell == 3 * 7 + 3  # on the two that are there
    layout, position = board("connect4", "444444")
    assert layout.move_at(position, *low) is None


def test_an_edge_is_hit_nearby_and_not_in_the_middle_of_a_box():
    layout, position = board("dots-and-boxes")
    x0, y0, x1, y1 = layout.edge(layout.game.cell_of_action[0])
    assert y0 == y1 and x1 - x0 == pytest.approx(layout.cell)
    assert layout.move_at(position, x0 + 0.4 * layout.cell, y0 + 0.2 * layout.cell).action == 0
    far = (x0 - 3 * layout.cell, y0)
    assert layout.move_at(position, *far) is None


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_stones_are_drawn_where_they_stand_in_their_players_colours(width, height):
    layout, position = board("connect4", "12", width, height)
    image = draw_board(layout, position)
    assert image.size == (width, height)
    for cell, player in ((35, 0), (36, 1)):
        x, y = layout.middle(cell)
        beside = (x - layout.cell * 0.3, y)  # of the mark in the middle
        assert colour(image, beside) == ImageColor.getrgb(look(layout.game).stones[player])
    x, y = layout.middle(37)
    assert colour(image, (x, y)) == ImageColor.getrgb(PAGE)


def test_the_winning_line_is_ringed_and_the_rest_is_not():
    layout, position = board("connect4", "1213141")
    assert position.line == (14, 21, 28, 35)
    image = draw_board(layout, position)
    x, y = layout.middle(35)
    ring = (x - layout.cell * 0.41, y)
    assert colour(image, ring) == (255, 255, 255)
    x, y = layout.middle(36)
    assert colour(image, (x - layout.cell * 0.41, y)) != (255, 255, 255)


def test_legal_moves_are_hinted_only_where_they_are_not_obvious():
    layout, position = board("othello")
    place = layout.middle(layout.game.cell_of_action[position.legal[0].action])
    board_colour = ImageColor.getrgb(look(layout.game).board)
    assert colour(draw_board(layout, position), place) != board_colour
    assert colour(draw_board(layout, position, hints=False), place) == board_colour
    layout, position = board("tictactoe")
    assert draw_board(layout, position) == draw_board(layout, position, hints=False)


def test_boxes_and_edges_are_drawn():
    layout, position = board("dots-and-boxes:1x1", "0 1 2 3")
    image, empty = draw_board(layout, position), draw_board(*board("dots-and-boxes:1x1"))
    for cell in (*layout.game.cell_of_action, position.boxes[0].cell):
        assert colour(image, layout.middle(cell)) != colour(empty, layout.middle(cell))


def test_a_faint_stone_is_fainter():
    game = board("connect4")[0].game
    strong, faint = draw_stone(game, 0, 40), draw_stone(game, 0, 40, strength=0.5)
    assert strong.getpixel((10, 20))[3] == 255 and 120 <= faint.getpixel((10, 20))[3] <= 135
    assert strong.getpixel((0, 0))[3] == 0
