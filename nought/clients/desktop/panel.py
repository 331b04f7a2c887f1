"""The right side of the window: account, game, players, result, stepping, games of the past."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from tkinter import ttk
from typing import Protocol

from PIL import ImageTk

from nought.clients.desktop.picture import draw_stone
from nought.clients.desktop.session import State
from nought.clients.desktop.theme import BAD, GOOD
from nought.clients.picking import named_only
from nought.games.look import INK
from nought.wire.games import GameAnswer, LegalMove, OfferedAgent, PositionAnswer
from nought.wire.play import ListedGame

WIDTH = 320
ICON = 26  # pixels of a player's stone
STEPS = (("«", "first"), ("‹", "back"), ("›", "next"), ("»", "last"))


class Actions(Protocol):
    """What the person can ask for with the panel."""

    def choose(self, name: str) -> None: ...
    def new_game(self) -> None: ...
    def play(self, move: LegalMove) -> None: ...
    def undo(self) -> None: ...
    def resign(self) -> None: ...
    def step(self, where: str) -> None: ...
    def open(self, id: str) -> None: ...
    def account(self) -> None: ...


class Panel(ttk.Frame):
    """Shows a state, and passes on what the person asks for."""

    def __init__(self, parent: tk.Misc, actions: Actions) -> None:
        super().__init__(parent, width=WIDTH, padding=(4, 16, 16, 12))
        self.grid_propagate(False)  # as wide whatever it shows
        self.actions = actions
        self.games: tuple[GameAnswer, ...] = ()
        self.past: tuple[ListedGame, ...] | None = None
        self.icons: dict[tuple[str, int], ImageTk.PhotoImage] = {}
        self.columnconfigure(0, weight=1)
        self.rowconfigure(8, weight=1)
        self._head(0)
        self._choice(1)
        self._buttons(2)
        self._players(3)
        self.notice = ttk.Label(self, style="Notice.TLabel", wraplength=WIDTH - 20, justify="left")
        self.notice.grid(row=4, sticky="ew", pady=(10, 4))
        self._typed_moves(5)
        self._stepping(6)
        ttk.Label(self, text="Your games", style="Quiet.TLabel").grid(row=7, sticky="w", pady=(12, 2))
        self._list(8)
        self.status = ttk.Label(self, style="Quiet.TLabel", wraplength=WIDTH - 20)
        self.status.grid(row=9, sticky="ew", pady=(8, 0))
        self.progress = ttk.Progressbar(self, mode="indeterminate")

    # ---- parts ----------------------------------------------------------------------------------------------
    def _head(self, row: int) -> None:
        frame = ttk.Frame(self)
        frame.grid(row=row, sticky="ew")
        frame.columnconfigure(0, weight=1)
        ttk.Label(frame, text="nought", style="Title.TLabel").grid(row=0, column=0, sticky="w")
        self.account = ttk.Button(frame, text="…", command=self.actions.account)
        self.account.grid(row=0, column=1, sticky="e")

    def _choice(self, row: int) -> None:
        self.game = ttk.Combobox(self, state="readonly")
        self.game.grid(row=row, sticky="ew", pady=(12, 8))
        self.game.bind(
            "<<ComboboxSelected>>", lambda _: self.actions.choose(self.games[self.game.current()].name)
        )

    def _buttons(self, row: int) -> None:
        frame = ttk.Frame(self)
        frame.grid(row=row, sticky="ew")
        frame.columnconfigure((0, 1), weight=1, uniform="half")
        self.new = ttk.Button(frame, text="New game", style="Main.TButton", command=self.actions.new_game)
        self.new.grid(row=0, column=0, columnspan=2, sticky="ew")
        self.rated = tk.BooleanVar(self, False)
        ttk.Checkbutton(frame, text="for your rating (no taking back)", variable=self.rated).grid(
            row=1, column=0, columnspan=2, sticky="w", pady=6
        )
        self.undo = ttk.Button(frame, text="Take back", command=self.actions.undo)
        self.undo.grid(row=2, column=0, sticky="ew", padx=(0, 4))
        self.resign = ttk.Button(frame, text="Resign", command=self.actions.resign)
        self.resign.grid(row=2, column=1, sticky="ew", padx=(4, 0))

    def _players(self, row: int) -> None:
        card = ttk.Frame(self, style="Card.TFrame", padding=10)
        card.grid(row=row, sticky="ew", pady=(12, 0))
        card.columnconfigure(1, weight=1)
        self.sides = []
        for side in (0, 1):
            icon = ttk.Label(card, style="Card.TLabel")
            name = ttk.Label(card, style="Name.TLabel", wraplength=WIDTH - 110)
            about = ttk.Label(card, style="QuietCard.TLabel")
            icon.grid(row=side, column=0, padx=(0, 10), pady=4)
            name.grid(row=side, column=1, sticky="w")
            about.grid(row=side, column=2, sticky="e")
            self.sides.append((icon, name, about))

    def _typed_moves(self, row: int) -> None:
        """A list of the legal moves that are not to be found on the board."""
        self.listed: PositionAnswer | None = None  # whose moves are in the list
        self.named: list[LegalMove] = []  # those moves
        self.moves = ttk.Combobox(self, state="readonly")
        self.moves.grid(row=row, sticky="ew", pady=(0, 6))
        self.moves.bind("<<ComboboxSelected>>", lambda _: self._play_listed())

    def _play_listed(self) -> None:
        self.actions.play(self.named[self.moves.current()])

    def _stepping(self, row: int) -> None:
        frame = ttk.Frame(self)
        frame.grid(row=row, sticky="ew")
        frame.columnconfigure(2, weight=1)
        self.steps = {}
        for column, (sign, where) in zip((0, 1, 3, 4), STEPS, strict=True):
            step = partial(self.actions.step, where)
            button = ttk.Button(frame, text=sign, width=3, style="Step.TButton", command=step)
            button.grid(row=0, column=column, padx=1)
            self.steps[where] = button
        self.counter = ttk.Label(frame, style="Quiet.TLabel", anchor="center")
        self.counter.grid(row=0, column=2, sticky="ew")

    def _list(self, row: int) -> None:
        frame = ttk.Frame(self, style="Card.TFrame", padding=2)
        frame.grid(row=row, sticky="nsew")
        frame.rowconfigure(0, weight=1)
        frame.columnconfigure(0, weight=1)
        self.list = ttk.Treeview(frame, columns=("how", "what"), show="", selectmode="browse", height=5)
        self.list.column("how", width=58, stretch=False)
        self.list.column("what", width=WIDTH - 90)
        self.list.tag_configure("won", foreground=GOOD)
        self.list.tag_configure("lost", foreground=BAD)
        self.list.grid(row=0, column=0, sticky="nsew")
        bar = ttk.Scrollbar(frame, command=self.list.yview)
        bar.grid(row=0, column=1, sticky="ns")
        self.list.configure(yscrollcommand=bar.set)
        for event in ("<ButtonRelease-1>", "<Return>"):
            self.list.bind(event, lambda _: self._open_selected())

    def _open_selected(self) -> None:
        for id in self.list.selection():
            self.actions.open(id)

    # ---- showing --------------------------------------------------------------------------------------------
    def show(self, state: State, *, busy: bool) -> None:
        if state.profile:
            self.account.configure(text=state.profile.account.name)
        if state.games != self.games:
            self.games = state.games
            self.game.configure(values=[game.title for game in state.games])
        if state.game in self.games:
            self.game.current(self.games.index(state.game))
        won = state.played is not None and (state.played.score or 0) > 0
        colour = BAD if state.trouble else GOOD if won else INK
        if state != State():  # before that, the window says what it waits for
            self.notice.configure(text=self._line(state), foreground=colour)
        self._show_moves(state)
        self._show_players(state)
        self._show_past(state)
        self.counter.configure(text=f"{state.step} / {state.steps}" if state.played else "")
        self._enable(self.new, state.game is not None and not state.open_game and not busy)
        open_game = state.open_game and not busy
        self._enable(
            self.undo, open_game and state.played is not None and not state.played.rated and state.steps > 1
        )
        self._enable(self.resign, open_game)
        for where, button in self.steps.items():
            self._enable(button, state.step > 0 if where in ("first", "back") else state.step < state.steps)
        self._show_busy(busy)

    def _show_moves(self, state: State) -> None:
        named = named_only(state.table, state.shown.legal) if state.shown and state.table else []
        if not named or not state.your_turn:
            self.moves.grid_remove()
            return
        if self.listed != state.shown:
            self.listed, self.named = state.shown, named
            self.moves.configure(values=[move.name for move in named])
            self.moves.set("choose a move …")
        self.moves.grid()

    def _line(self, state: State) -> str:
        if state.notice or state.played is None:
            return state.notice
        if state.step < state.steps or not state.open_game:
            return ""
        return "Your move." if state.your_turn else "The agent thinks …"

    def _show_players(self, state: State) -> None:
        game = state.table
        for side, (icon, name, about) in enumerate(self.sides):
            if game:
                icon.configure(image=self._icon(game, side))
            title, rating = self._player(state, side)
            name.configure(text=title)
            moving = state.open_game and state.shown is not None and state.shown.player == side
            shown = f"{rating:.0f}" if rating is not None else ""
            about.configure(text=f"{shown} ◂" if moving else shown)

    def _player(self, state: State, side: int) -> tuple[str, float | None]:
        """Who plays a side, and their rating."""
        if state.played is None:
            return ("moves first", "moves second")[side], None
        name = state.played.players[side].name
        if state.played.you == side:
            return name, state.rating
        agent = agent_of(state, state.played.game, name)
        return (agent.title, agent.rating) if agent else (name, None)

    def _icon(self, game: GameAnswer, side: int) -> ImageTk.PhotoImage:
        if (game.name, side) not in self.icons:
            stone = draw_stone(game, side, ICON)
            self.icons[game.name, side] = ImageTk.PhotoImage(stone, master=self)
        return self.icons[game.name, side]

    def _show_past(self, state: State) -> None:
        if state.past == self.past:
            return
        self.past = state.past
        self.list.delete(*self.list.get_children())
        titles = {game.name: game.title for game in state.games}
        for game in state.past:
            score = game.score
            how = "open" if score is None else "won" if score > 0 else "lost" if score < 0 else "drawn"
            opponent = game.players[1 - game.you].name if game.you is not None else ""
            agent = agent_of(state, game.game, opponent)
            what = f"{titles.get(game.game, game.game)} · {agent.title if agent else opponent}"
            self.list.insert("", "end", iid=game.id, values=(how, what), tags=(how,))

    def _show_busy(self, busy: bool) -> None:
        if busy and not self.progress.winfo_ismapped():
            self.progress.grid(row=10, sticky="ew")
            self.progress.start(15)
        elif not busy and self.progress.winfo_ismapped():
            self.progress.stop()
            self.progress.grid_remove()

    @staticmethod
    def _enable(button: ttk.Button, on: bool) -> None:
        button.state(["!disabled" if on else "disabled"])


def agent_of(state: State, game: str, name: str) -> OfferedAgent | None:
    """The agent of this name that plays the game."""
    agents = next((offered.agents for offered in state.games if offered.name == game), ())
    return next((agent for agent in agents if agent.name == name), None)
