"""Positions as pictures for a notebook."""

from xml.etree import ElementTree

from nought.games import Position, load
from nought.games.look import DOTS, DROPS, FIELDS, LAST, LAST_EDGE, OTHELLO, SQUARES, TINTS
from nought.games.registry import game_from_source
from tests.games.samples import example, race

SVG = "{http://www.w3.org/2000/svg}"
TEXT = '\ndef text(state):\n    return "a < b\\n & c"\n'


def picture(position: Position) -> ElementTree.Element:
    return ElementTree.fromstring(position._repr_svg_())


def filled(root: ElementTree.Element, colour: str, tag: str = "circle") -> int:
    return sum(part.get("fill") == colour for part in root.iter(SVG + tag))


def words(root: ElementTree.Element) -> list[str]:
    return [part.text or "" for part in root.iter(SVG + "text")]


def test_stones_that_drop() -> None:
    root = picture(load("connect4").position("4435"))
    assert [filled(root, colour) for colour in DROPS.stones] == [2, 2]
    assert words(root) == list("1234567")
    (last,) = (part for part in root.iter(SVG + "circle") if part.get("fill") == LAST)
    assert (last.get("cx"), last.get("cy")) == ("4.5", "5.5")
    assert root.findtext(SVG + "title") == "connect4 after 4 moves: X to move"


def test_the_winning_row_is_marked_instead_of_the_last_move() -> None:
    root = picture(load("connect4").position("4142434"))
    rings = [part for part in root.iter(SVG + "circle") if part.get("stroke") == "#ffffff"]
    assert sorted((ring.get("cx"), ring.get("cy")) for ring in rings) == [
        ("3.5", f"{y}.5") for y in (2, 3, 4, 5)
    ]
    assert filled(root, LAST) == 0


def test_legal_moves_where_they_are_not_obvious() -> None:
    start = load("othello:6x6").start()
    dots = [part for part in picture(start).iter(SVG + "circle") if part.get("r") == "0.09"]
    assert len(dots) == len(start.legal) == 4
    assert {dot.get("fill") for dot in dots} == {OTHELLO.stones[start.player]}
    assert not any(part.get("r") == "0.09" for part in picture(load("tictactoe").start()).iter())


def test_squares_have_letters_and_numbers() -> None:
    root = picture(load("tictactoe").position("b2a1"))
    assert words(root) == list("abc123")
    assert [filled(root, colour) for colour in SQUARES.stones] == [1, 1]


def test_edges_and_closed_boxes() -> None:
    root = picture(load("dots-and-boxes:2x2").position("0 2 3 5"))
    assert filled(root, TINTS[1], "rect") == 1
    assert filled(root, DOTS.stones[1], "rect") == 1
    edges = [part.get("stroke") for part in root.iter(SVG + "line")]
    assert edges.count(LAST_EDGE) == 1
    assert words(root) == ["1", "4", "6", "7", "8", "9", "10", "11"]  # edges that are still to be drawn


def test_boxes_whose_owner_is_not_known() -> None:
    position = load("dots-and-boxes:2x2").position("0 2 3 5")
    root = picture(Position(position.game, position.state))
    assert filled(root, DOTS.cell, "rect") == 1
    assert [filled(root, colour, "rect") for colour in TINTS] == [0, 0]


def test_large_boards_are_drawn_smaller() -> None:
    small, large = (picture(load(f"dots-and-boxes:{n}x{n}").start()) for n in (3, 12))
    assert int(small.get("width", 0)) < int(large.get("width", 0)) == 480


def test_a_game_with_a_text_of_its_own() -> None:
    game = game_from_source("lines", load("tictactoe").source + TEXT)
    (text,) = picture(game.start()).iter(SVG + "text")
    assert [line.text for line in text] == ["a < b", " & c"]


def test_hexagons_with_sides_in_their_owners_colours() -> None:
    root = picture(example("hex:3").position("b2a1"))
    assert len(list(root.iter(SVG + "polygon"))) == 9
    sides = [line.get("stroke") for line in root.iter(SVG + "line")]
    top_and_bottom, left_and_right = (sides.count(colour) for colour in SQUARES.stones)
    assert (top_and_bottom, left_and_right) == (2 * 2 * 3, 2 * 2 * 3 - 2)  # two of the corners' edges are X's
    assert words(root) == list("abc123")


def test_a_piece_that_was_moved_from_square_to_square() -> None:
    root = picture(example("breakthrough:6x5").position("b2-b3"))
    assert [filled(root, FIELDS[colour], "rect") for colour in ("light", "dark")] == [15, 15]
    marks = [part for part in root.iter(SVG + "circle") if LAST in (part.get("fill"), part.get("stroke"))]
    assert [(part.get("cx"), part.get("cy")) for part in marks] == [("1.5", "4.5"), ("1.5", "3.5")]
    assert words(root) == list("abcde654321")


def test_pits_show_their_counts() -> None:
    root = picture(example("kalah:4:12").position("d1"))
    assert sorted(words(root)[:10], key=int) == ["0", "1", "2", *["13"] * 5, "14", "14"]
    assert [filled(root, colour) for colour in TINTS] == [5, 5]


def test_letters_on_pieces() -> None:
    assert words(picture(race().start())) == ["p", "P", "a", "b", "4", "3", "2", "1"]
