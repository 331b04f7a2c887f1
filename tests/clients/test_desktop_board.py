"""Boards as pictures, and what a click on them means; no screen is needed."""

import pytest

pytest.importorskip("PIL")

from PIL import ImageColor

from nought.clients.desktop.layout import BoardLayout
from nought.clients.desktop.picture import ACCENT, draw_board, draw_stone
from nought.clients.picking import named_only, picks
from nought.games import Game, load
from nought.games.look import LAST, PAGE, TINTS, look
from nought.games.notation import parse_moves
from nought.server.views import game_view, position_view
from tests.games.samples import example, race

SIZES = [(620, 560), (200, 900), (901, 333)]


def board(name, moves="", width=620, height=560):
    game = name if isinstance(name, Game) else load(name)
    position = position_view(game.position(parse_moves(game, moves)))
    return BoardLayout(game_view(game, (), oracle=False), width, height), position


def move_at(layout, position, x, y):
    """The move that a click there makes, where none is asked for by name and no piece is taken up."""
    pick = layout.pick_at(picks(layout.game, position.legal), x, y)
    return pick.moves[0] if pick is not None and len(pick.moves) == 1 and not pick.lifts else None


def colour(image, point):
    return image.getpixel(tuple(map(int, point)))


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ["connect4", "tictactoe", "othello", "dots-and-boxes", "dots-and-boxes:5x4"])
def test_a_click_in_the_middle_of_every_move_is_that_move_at_every_size(name, width, height):
    layout, position = board(name, width=width, height=height)
    for move in position.legal:
        x, y = layout.middle(layout.game.cell_of_action[move.action])
        assert move_at(layout, position, x, y) == move
        assert 0 <= x < width and 0 <= y < height


def test_clicks_beside_the_board_or_on_what_is_taken_mean_nothing():
    layout, position = board("tictactoe", "b2")
    assert move_at(layout, position, 0, 0) is None
    assert move_at(layout, position, layout.width - 1, 5) is None
    assert move_at(layout, position, *layout.middle(4)) is None
    dots, drawn = board("dots-and-boxes", "0")
    assert move_at(dots, drawn, *dots.middle(dots.game.cell_of_action[0])) is None
    finished, position = board("tictactoe", "a1 a2 b1 b2 c1")
    assert move_at(finished, position, *finished.middle(8)) is None


def test_in_a_column_of_connect_4_every_cell_means_the_column_until_it_is_full():
    layout, position = board("connect4", "44")
    low = layout.middle(5 * 7 + 3)
    assert move_at(layout, position, *low).name == "4"
    assert move_at(layout, position, *low).cell == 3 * 7 + 3  # on the two that are there
    layout, position = board("connect4", "444444")
    assert move_at(layout, position, *low) is None


def test_an_edge_is_hit_nearby_and_not_in_the_middle_of_a_box():
    layout, position = board("dots-and-boxes")
    x0, y0, x1, y1 = layout.edge(layout.game.cell_of_action[0])
    assert y0 == y1 and x1 - x0 == pytest.approx(layout.cell)
    assert move_at(layout, position, x0 + 0.4 * layout.cell, y0 + 0.2 * layout.cell).action == 0
    far = (x0 - 3 * layout.cell, y0)
    assert move_at(layout, position, *far) is None


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


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_pieces_are_taken_up_and_put_where_they_go(width, height):
    layout, position = board(example("breakthrough:6x5"), "b2-b3", width, height)
    moves = {}
    for lift in picks(layout.game, position.legal):
        assert lift.lifts and layout.pick_at([lift], *layout.middle(lift.cell)) == lift
        for goal in picks(layout.game, position.legal, lift.cell):
            if not goal.lifts:
                (move,) = goal.moves
                moves[move.action] = (lift.cell, goal.cell)
    assert moves == {move.action: (move.origin, move.cell) for move in position.legal}
    lifted = picks(layout.game, position.legal, position.legal[0].origin)
    pieces = {move.origin for move in position.legal}
    assert {
        pick.cell for pick in lifted if pick.lifts
    } == pieces  # it is put back, or another one is taken up


def test_promotions_are_asked_for_by_name_and_passes_are_in_the_list():
    layout, position = board(race(), "a1-a2 b4-b3 a2-a3 b3-b2")
    (lift,) = picks(layout.game, position.legal)
    goal, back = picks(layout.game, position.legal, lift.cell)
    assert (back.cell, back.lifts) == (lift.cell, True)
    assert [move.name for move in goal.moves] == ["a3-a4=Q", "a3-a4=N"]
    assert [move.name for move in named_only(layout.game, position.legal)] == ["pass"]
    text = layout.game.model_copy(update={"board": "text"})
    assert len(named_only(text, position.legal)) == 3


def test_a_piece_that_was_taken_up_is_ringed_and_its_goals_are_marked():
    layout, position = board(example("breakthrough:6x5"))
    cell = position.legal[0].origin
    goals = [move.cell for move in position.legal if move.origin == cell]
    image = draw_board(layout, position, lifted=cell, goals=goals)
    x, y = layout.middle(cell)
    assert colour(image, (x - layout.cell * 0.44, y)) == ImageColor.getrgb(ACCENT)
    assert [colour(image, layout.middle(goal)) for goal in goals] == [ImageColor.getrgb(ACCENT)] * len(goals)
    other = draw_board(*board(example("breakthrough:6x5"), "a2-a3"))
    assert colour(other, layout.middle(15)) == ImageColor.getrgb(LAST)


def test_pits_are_in_their_owners_colours_and_show_counts():
    layout, position = board(example("kalah:4:3"))
    image, later = draw_board(layout, position), draw_board(*board(example("kalah:4:3"), "b1"))
    for move in position.legal:
        x, y = layout.middle(move.cell)
        assert colour(image, (x, y - layout.cell * 0.33)) == ImageColor.getrgb(TINTS[0])
    x, y = layout.middle(position.legal[0].cell)
    box = [round(n) for n in (x - 9, y - 9, x + 9, y + 9)]
    assert image.crop(box).tobytes() != later.crop(box).tobytes()  # three stones, and none


def test_hexagons_meet_where_a_click_changes_its_meaning():
    layout, position = board(example("hex:3"))
    (x0, y0), (x1, y1) = layout.middle(0), layout.middle(3)  # one below the other, half a cell to the right
    assert move_at(layout, position, x0 + 0.4 * (x1 - x0), y0 + 0.4 * (y1 - y0)).name == "a1"
    assert move_at(layout, position, x0 + 0.6 * (x1 - x0), y0 + 0.6 * (y1 - y0)).name == "a2"
    assert move_at(layout, position, *layout.corner) is None
