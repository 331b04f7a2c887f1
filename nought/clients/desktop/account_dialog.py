"""Naming one's account, or entering another."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from nought.wire.accounts import AccountAnswer

ABOUT = (
    "A guest's account lives on this machine. With a name and a password it can be entered from everywhere."
)


class AccountDialog(tk.Toplevel):
    """Asks for a name and a password, and what to do with them."""

    def __init__(
        self,
        parent: tk.Tk,
        account: AccountAnswer,
        *,
        keep: Callable[[str, str], None],
        enter: Callable[[str, str], None],
    ) -> None:
        super().__init__(parent)
        self.title("Your account")
        self.transient(parent)
        self.resizable(False, False)
        frame = ttk.Frame(self, padding=18)
        frame.grid()
        ttk.Label(frame, text=account.name, style="Title.TLabel").grid(row=0, columnspan=2, sticky="w")
        ttk.Label(frame, text=ABOUT, style="Quiet.TLabel", wraplength=320).grid(
            row=1, columnspan=2, sticky="w", pady=(4, 12)
        )
        self.name, self.password = ttk.Entry(frame, width=24), ttk.Entry(frame, width=24, show="•")
        if not account.guest:
            self.name.insert(0, account.name)
        for row, (label, field) in enumerate((("Name", self.name), ("Password", self.password)), 2):
            ttk.Label(frame, text=label).grid(row=row, column=0, sticky="w", padx=(0, 12), pady=4)
            field.grid(row=row, column=1, sticky="ew")
        buttons = ttk.Frame(frame)
        buttons.grid(row=4, columnspan=2, sticky="e", pady=(14, 0))
        self.enter = ttk.Button(buttons, text="Sign in", command=lambda: self._done(enter))
        self.keep = ttk.Button(buttons, text="Keep this account", command=lambda: self._done(keep))
        ttk.Button(buttons, text="Cancel", command=self.destroy).grid(row=0, column=0, padx=4)
        self.enter.grid(row=0, column=1, padx=4)
        self.keep.grid(row=0, column=2)
        self.bind("<Escape>", lambda _: self.destroy())
        self.name.focus_set()

    def _done(self, action: Callable[[str, str], None]) -> None:
        name, password = self.name.get().strip(), self.password.get()
        if name:
            self.destroy()
            action(name, password)
