"""The board in the window: drawn to fit, with a faint stone where the next move would go."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from PIL import ImageTk

from nought.clients.desktop.layout import BoardLayout
from nought.clients.desktop.picture import PAGE, draw_board, draw_stone
from nought.games.look import look
from nought.wire.games import GameAnswer, LegalMove, PositionAnswer

GHOST_OPACITY = 0.45  # how strong the faint stone is


class BoardCanvas(tk.Canvas):
    """Shows a position; a click on a legal move calls `play`."""

    def __init__(self, parent: tk.Misc, play: Callable[[LegalMove], None]) -> None:
        super().__init__(parent, width=640, height=620, background=PAGE, highlightthickness=0)
        self.play = play
        self.layout: BoardLayout | None = None
        self.position: PositionAnswer | None = None
        self.open = False  # for moves
        self.hover: LegalMove | None = None
        self.image: ImageTk.PhotoImage | None = None  # Tk does not keep them alive itself
        self.ghost: ImageTk.PhotoImage | None = None
        self.pending: str | None = None  # a redrawing that waits until the window's size has settled
        self.bind("<Configure>", lambda _: self._soon())
        self.bind("<Motion>", lambda event: self._point(event.x, event.y))
        self.bind("<Leave>", lambda _: self._point(-1, -1))
        self.bind("<Button-1>", lambda event: self.click(event.x, event.y))

    def show(self, game: GameAnswer, position: PositionAnswer, *, open: bool) -> None:
        """Show a position; `open` for the person's move or not."""
        if (game, position, open) == (self.layout and self.layout.game, self.position, self.open):
            return
        self.position, self.open = position, open
        self.layout = BoardLayout(game, self.winfo_width(), self.winfo_height())
        self.redraw()

    def redraw(self) -> None:
        self.pending = None
        if self.layout is None or self.position is None or min(self.winfo_width(), self.winfo_height()) < 20:
            return
        self.layout = BoardLayout(self.layout.game, self.winfo_width(), self.winfo_height())
        picture = draw_board(self.layout, self.position, hints=self.open)
        self.image = ImageTk.PhotoImage(picture, master=self)
        self.delete("all")
        self.create_image(0, 0, image=self.image, anchor="nw")
        self.hover = None
        self._point(self.winfo_pointerx() - self.winfo_rootx(), self.winfo_pointery() - self.winfo_rooty())

    def click(self, x: float, y: float) -> None:
        move = self._move_at(x, y)
        if move is not None:
            self.play(move)

    def _soon(self) -> None:
        if self.pending is not None:
            self.after_cancel(self.pending)
        self.pending = self.after(30, self.redraw)

    def _move_at(self, x: float, y: float) -> LegalMove | None:
        if self.layout is None or self.position is None or not self.open:
            return None
        return self.layout.move_at(self.position, x, y)

    def _point(self, x: float, y: float) -> None:
        """Show where the move under the pointer would go."""
        move = self._move_at(x, y)
        if move == self.hover:
            return
        self.hover = move
        self.delete("ghost")
        self.configure(cursor="hand2" if move else "")
        if move is None or move.cell is None or self.layout is None or self.position is None:
            return
        if self.layout.dots:
            colour = look(self.layout.game).stones[self.position.player]
            width = max(2, round(self.layout.cell * 0.07))
            self.create_line(
                *self.layout.edge(move.cell), fill=colour, width=width, capstyle="round", tags="ghost"
            )
            return
        size = round(self.layout.cell * 0.8)
        stone = draw_stone(self.layout.game, self.position.player, size, strength=GHOST_OPACITY)
        self.ghost = ImageTk.PhotoImage(stone, master=self)
        self.create_image(*self.layout.middle(move.cell), image=self.ghost, tags="ghost")
