"""Tables that can be read in a terminal of any width: words are folded, numbers never cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

NARROWEST_WORDS = 14  # columns of the terminal that a column of words keeps, if it has so many
CELL_GAP = 2  # columns between two cells


class Numbers:
    """Rows of numbers, with words before or behind them; where a row does not fit, its cells go below each other."""

    def __init__(self, *columns: str, words: Collection[str] = ("",)) -> None:
        self.columns = columns
        self.words = words  # the columns that are words
        self.rows: list[tuple[tuple[Text, ...], str]] = []

    def add_row(self, *cells: str, style: str = "") -> None:
        """A row; its cells may have Rich's markup."""
        self.rows.append((tuple(Text.from_markup(cell) for cell in cells), style))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        fits = sum(self._widths()) + CELL_GAP * (len(self.columns) - 1) <= options.max_width
        if fits:
            yield self._side_by_side()
        else:
            yield from self._below_each_other()

    def _widths(self) -> list[int]:
        """How wide each column must be."""
        widths = []
        for i, column in enumerate(self.columns):
            widest = max([len(column), *(cells[i].cell_len for cells, _ in self.rows)])
            widths.append(min(widest, NARROWEST_WORDS) if column in self.words else widest)
        return widths

    def _side_by_side(self) -> Table:
        table = Table(box=None, header_style="dim", pad_edge=False)
        for column in self.columns:
            if column in self.words:
                table.add_column(column, overflow="fold")
            else:
                table.add_column(column, justify="right", no_wrap=True)
        for cells, style in self.rows:
            table.add_row(*cells, style=style)
        return table

    def _below_each_other(self) -> Iterator[Text | Table]:
        """The first cell of each row, and the others under it."""
        for cells, style in self.rows:
            title = cells[0].copy()
            title.overflow = "fold"
            title.stylize(style or "bold")
            yield title
            indent = " " * (len(title.plain) - len(title.plain.lstrip()))
            table = Table.grid(padding=(0, CELL_GAP, 0, 0))
            table.add_column(style="dim", no_wrap=True)
            table.add_column(overflow="fold")
            for column, cell in zip(self.columns[1:], cells[1:], strict=True):
                if cell:
                    table.add_row(f"{indent}  {column}", cell)
            yield table
