"""The window: it shows the session's state and hands what the person does to the worker."""

from __future__ import annotations

import queue
import signal
import tkinter as tk
from collections.abc import Callable
from tkinter import messagebox
from typing import Any

from nought.clients.desktop.account_dialog import AccountDialog
from nought.clients.desktop.board import BoardCanvas
from nought.clients.desktop.panel import Panel
from nought.clients.desktop.session import Session, State
from nought.clients.desktop.theme import dress
from nought.clients.desktop.worker import Worker
from nought.clients.remote import Server
from nought.clients.remote_game import loses
from nought.wire.games import LegalMove
from nought.wire.play import PlayedGameAnswer

POLL = 30  # milliseconds between looks at what the worker has done


class DesktopWindow:
    """A window on a server. `before` is done first, off the screen's thread: it may take a while."""

    def __init__(
        self, server: Server, *, place: str | None = None, before: Callable[[], None] | None = None
    ) -> None:
        self.news: queue.SimpleQueue[State] = queue.SimpleQueue()
        self.session = Session(server, self.news.put, place=place)
        self.worker = Worker()
        self.state = State()
        self.was_busy = False
        self.root = tk.Tk(className="nought")
        self.root.title("nought")
        self.root.minsize(640, 600)
        dress(self.root)
        self.root.columnconfigure(0, weight=1)
        self.root.rowconfigure(0, weight=1)
        self.board = BoardCanvas(self.root, self.play)
        self.board.grid(row=0, column=0, sticky="nsew")
        self.panel = Panel(self.root, self)
        self.panel.grid(row=0, column=1, sticky="nsew")
        self.panel.notice.configure(text="Starting a server on this machine …" if before else "One moment …")
        self._bind_keys()
        self._ask(self._enter, before)
        self.polling = self.root.after(0, self.poll)
        self.root.protocol("WM_DELETE_WINDOW", self.close)

    def run(self) -> None:
        """Show the window until it is closed, or the program is told to end."""
        for ending in (signal.SIGINT, signal.SIGTERM):  # Tk would swallow a KeyboardInterrupt
            signal.signal(ending, lambda *_: self.root.after_idle(self.close))
        self.root.mainloop()

    def close(self) -> None:
        self.root.after_cancel(self.polling)
        self.root.destroy()

    # ---- what the person does -------------------------------------------------------------------------------
    def play(self, move: LegalMove) -> None:
        if self.state.your_turn and not self.worker.busy:
            self._ask(self.session.move, move)

    def choose(self, name: str) -> None:
        if self.worker.busy or (self.state.open_game and not self._leaves_game()):
            self.refresh()
        else:
            self._ask(self.session.choose, name)

    def new_game(self) -> None:
        if self.state.game is not None and not self.state.open_game and not self.worker.busy:
            self._ask(self.session.new_game, rated=self.panel.rated.get())

    def undo(self) -> None:
        self._ask(self.session.undo)

    def resign(self) -> None:
        if messagebox.askyesno("nought", "Resign this game?", parent=self.root):
            self._ask(self.session.resign)

    def step(self, where: str) -> None:
        """Look at another move of the game: quick steps are made up for, not queued."""
        at, last = self.session.wanted, self.state.steps
        self.session.wanted = min(
            max({"first": 0, "back": at - 1, "next": at + 1, "last": last}[where], 0), last
        )
        self._ask(self.session.follow)

    def open(self, id: str) -> None:
        if not self.worker.busy:
            self._ask(self.session.open, id)

    def account(self) -> None:
        if self.state.profile:
            AccountDialog(
                self.root,
                self.state.profile.account,
                keep=lambda name, password: self._ask(self.session.keep_account, name, password),
                enter=lambda name, password: self._ask(self.session.sign_in, name, password),
            )

    # ---- showing --------------------------------------------------------------------------------------------
    def poll(self) -> None:
        """Take over what the worker has found out."""
        news = None
        while not self.news.empty():
            news = self.news.get()
        if news is not None or self.worker.busy != self.was_busy:
            self.state = news or self.state
            self.refresh()
        if news is not None and news.still_open is not None:
            self._ask_about(news.still_open)
        self.polling = self.root.after(POLL, self.poll)

    def refresh(self) -> None:
        self.was_busy = self.worker.busy
        self.panel.show(self.state, busy=self.was_busy)
        if self.state.profile:
            self.panel.status.configure(text=self.session.server.url)
        if self.state.table and self.state.shown:
            open = self.state.your_turn and not self.was_busy
            self.board.show(self.state.table, self.state.shown, open=open)

    def _enter(self, before: Callable[[], None] | None) -> None:
        if before:
            before()
        self.session.enter()

    def _leaves_game(self) -> bool:
        return messagebox.askyesno(
            "nought", "Leave this game? It waits for you in the list of your games.", parent=self.root
        )

    def _ask_about(self, played: PlayedGameAnswer) -> None:
        """Ask whether to give up a rated game that is still open, or to go on with it."""
        question = f"{loses(played)}\n\nGive it up? No goes on with it."
        if messagebox.askyesno("nought", question, default="no", parent=self.root):
            self._ask(self.session.new_game, rated=True, give_up=True)
        else:
            self._ask(self.session.open, played.id)

    def _ask(self, action: Callable[..., None], *arguments: Any, **options: Any) -> None:
        self.worker.do(self.session.attempt, action, *arguments, **options)

    def _bind_keys(self) -> None:
        for key, where in {"Left": "back", "Right": "next", "Home": "first", "End": "last"}.items():
            self.root.bind(f"<{key}>", lambda _, w=where: self.step(w))  # type: ignore[misc]
        self.root.bind("<Control-n>", lambda _: self.new_game())
        self.root.bind("<Key>", self._typed)

    def _typed(self, event: tk.Event[Any]) -> None:
        """Play a digit that was typed: a stone drops into that column."""
        if self.state.shown and self.state.table and self.state.table.notation == "columns":
            for move in self.state.shown.legal:
                if move.name == event.char:
                    self.play(move)
