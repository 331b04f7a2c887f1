"""The board in the window: drawn to fit, with a faint stone where the next move would go. A piece that moves is clicked
first, and then where it goes."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial

from PIL import ImageTk

from nought.clients.desktop.layout import BoardLayout
from nought.clients.desktop.picture import draw_board, draw_stone
from nought.clients.picking import Pick, picks
from nought.games.look import INK, PAGE, look
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
        self.lifted: int | None = None  # the cell of a piece that was clicked
        self.hover: Pick | None = None
        self.image: ImageTk.PhotoImage | None = None  # Tk does not keep them alive itself
        self.ghost: ImageTk.PhotoImage | None = None
        self.pending: str | None = None  # a redrawing that waits until the window's size has settled
        self.bind("<Configure>", lambda _: self._soon())
        self.bind("<Motion>", lambda event: self._point(event.x, event.y))
        self.bind("<Leave>", lambda _: self._point(-1, -1))
        self.bind("<Button-1>", lambda event: self.click(event.x, event.y))
        self.names = tk.Menu(self, tearoff=False)  # of several moves that one click means

    def show(self, game: GameAnswer, position: PositionAnswer, *, open: bool) -> None:
        """Show a position; `open` for the person's move or not."""
        if (game, position, open) == (self.layout and self.layout.game, self.position, self.open):
            return
        self.position, self.open, self.lifted = position, open, None
        self.layout = BoardLayout(game, self.winfo_width(), self.winfo_height())
        self.redraw()

    def redraw(self) -> None:
        self.pending = None
        if self.layout is None or self.position is None or min(self.winfo_width(), self.winfo_height()) < 20:
            return
        self.layout = BoardLayout(self.layout.game, self.winfo_width(), self.winfo_height())
        self.delete("all")
        if self.layout.game.board == "text":
            middle = self.winfo_width() / 2, self.winfo_height() / 2
            self.create_text(*middle, text=self.position.text or "", font="TkFixedFont", fill=INK)
        else:
            goals = [pick.cell for pick in self._picks() if not pick.lifts] if self.lifted is not None else []
            picture = draw_board(self.layout, self.position, hints=self.open, lifted=self.lifted, goals=goals)
            self.image = ImageTk.PhotoImage(picture, master=self)
            self.create_image(0, 0, image=self.image, anchor="nw")
        self.hover = None
        self._point(self.winfo_pointerx() - self.winfo_rootx(), self.winfo_pointery() - self.winfo_rooty())

    def click(self, x: float, y: float) -> None:
        """A piece is taken up, a move is made, or a piece is put back."""
        pick, lifted = self._pick_at(x, y), self.lifted
        self.lifted = pick.cell if pick is not None and pick.lifts and pick.cell != lifted else None
        if pick is None or pick.lifts:
            if self.lifted != lifted:
                self.redraw()
        elif len(pick.moves) == 1:
            self.play(pick.moves[0])
        else:
            self._ask(pick.moves, x, y)

    def _ask(self, moves: Sequence[LegalMove], x: float, y: float) -> None:
        """Which of several moves is meant: they have names."""
        self.names.delete(0, "end")
        for move in moves:
            self.names.add_command(label=move.name, command=partial(self.play, move))
        self.names.tk_popup(round(self.winfo_rootx() + x), round(self.winfo_rooty() + y))

    def _soon(self) -> None:
        if self.pending is not None:
            self.after_cancel(self.pending)
        self.pending = self.after(30, self.redraw)

    def _picks(self) -> list[Pick]:
        if self.layout is None or self.position is None or not self.open:
            return []
        return picks(self.layout.game, self.position.legal, self.lifted)

    def _pick_at(self, x: float, y: float) -> Pick | None:
        return self.layout.pick_at(self._picks(), x, y) if self.layout is not None else None

    def _point(self, x: float, y: float) -> None:
        """Show where the move under the pointer would go."""
        pick = self._pick_at(x, y)
        if pick == self.hover:
            return
        self.hover = pick
        self.delete("ghost")
        self.configure(cursor="hand2" if pick else "")
        if pick is None or pick.lifts or self.layout is None or self.position is None:
            return
        cell = pick.cell
        if self.layout.dots:
            colour = look(self.layout.game).stones[self.position.player]
            width = max(2, round(self.layout.cell * 0.07))
            self.create_line(
                *self.layout.edge(cell), fill=colour, width=width, capstyle="round", tags="ghost"
            )
            return
        if self.layout.game.board == "pits" or self.position.labels:
            return  # what would stand there is not known here
        size = round(self.layout.cell * 0.8)
        stone = draw_stone(self.layout.game, self.position.player, size, strength=GHOST_OPACITY)
        self.ghost = ImageTk.PhotoImage(stone, master=self)
        self.create_image(*self.layout.middle(cell), image=self.ghost, tags="ghost")
