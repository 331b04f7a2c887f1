"""The one look of all pictures: their colours, and how they become files."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draws without a screen; before anybody else chooses
import matplotlib.pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from nought.errors import NoughtError
from nought.files import write_whole

__all__ = ["BLUE", "GREEN", "GREY", "ORANGE", "draw", "picture_format", "plt", "write_figure"]

BLUE, ORANGE, GREEN, GREY = "#2b6cb0", "#dd6b20", "#2f855a", "#a0aec0"


def draw(figure: Figure, kind: str, dpi: int = 120) -> bytes:
    """A figure in the one look, as the content of a file of this kind: png, svg and so on."""
    for ax in figure.axes:
        ax.grid(alpha=0.3)
        ax.spines[["top", "right"]].set_visible(False)
    content = io.BytesIO()
    figure.savefig(content, dpi=dpi, format=kind)
    return content.getvalue()


def write_figure(figure: Figure, path: Path) -> None:
    """Draw a figure into a file whose ending names the kind of picture, and be done with it."""
    try:
        write_whole(path, draw(figure, picture_format(path)))
    except (OSError, ValueError) as error:
        raise NoughtError(f"cannot write the picture {path}: {error}") from None
    finally:
        plt.close(figure)


def picture_format(path: Path) -> str:
    """The kind of picture that a file's ending names; an error where it names none."""
    kind, kinds = path.suffix.removeprefix(".").lower(), FigureCanvasAgg.get_supported_filetypes()
    if kind not in kinds:
        raise NoughtError(
            f"{path} does not end as a picture does: {', '.join(f'.{k}' for k in sorted(kinds))}"
        )
    return kind
