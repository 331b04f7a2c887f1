"""The one look of pictures, and their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from nought.errors import NoughtError
from nought.plotting import draw, picture_format, plt, write_figure


def test_a_figure_is_drawn_in_the_one_look() -> None:
    figure, ax = plt.subplots()
    assert draw(figure, "png").startswith(b"\x89PNG") and b"</svg>" in draw(figure, "svg")
    assert not ax.spines["top"].get_visible() and ax.spines["left"].get_visible()
    plt.close(figure)


def test_a_picture_that_cannot_be_written_is_one_line_and_leaves_no_figure_open(tmp_path: Path) -> None:
    figure, _ = plt.subplots()
    with pytest.raises(NoughtError, match="cannot write the picture"):
        write_figure(figure, tmp_path / "missing" / "plot.png")
    assert not plt.fignum_exists(figure.number)


def test_the_ending_names_the_kind_of_picture() -> None:
    assert picture_format(Path("a.SVG")) == "svg"
    with pytest.raises(NoughtError, match=r"plot\.txt does not end as a picture does: .*\.png"):
        picture_format(Path("plot.txt"))
