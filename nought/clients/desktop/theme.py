"""How the window looks: its colours and its letters."""

from __future__ import annotations

import tkinter as tk
from tkinter import font, ttk
from typing import Any

from nought.clients.desktop.picture import ACCENT
from nought.games.look import INK, PAGE, QUIET

CARD, LINE, PRESSED = "#fffdf8", "#dfd9cc", "#185843"
GOOD, BAD = "#1f6f54", "#b3261e"
FAMILIES = ("Inter", "Segoe UI", "SF Pro Text", "Helvetica Neue", "Cantarell", "Noto Sans", "DejaVu Sans")

WITHOUT_ARROWS: list[Any] = [
    (
        "Vertical.Scrollbar.trough",
        {"children": [("Vertical.Scrollbar.thumb", {"expand": "1", "sticky": "nswe"})], "sticky": "ns"},
    )
]


def dress(root: tk.Tk) -> None:
    """Set the styles that the window's parts are made with."""
    there = set(font.families(root))
    family = next((name for name in FAMILIES if name in there), "TkDefaultFont")
    for name in ("TkDefaultFont", "TkTextFont", "TkMenuFont", "TkHeadingFont"):
        font.nametofont(name, root).configure(family=family, size=11)
    style = ttk.Style(root)
    style.theme_use("clam")  # the one that takes colours everywhere
    root.configure(background=PAGE)
    root.option_add("*TCombobox*Listbox.font", (family, 11))
    style.configure(".", background=PAGE, foreground=INK, bordercolor=LINE, focuscolor=ACCENT)
    style.configure("Card.TFrame", background=CARD, bordercolor=LINE, borderwidth=1, relief="solid")
    style.configure("Inner.TFrame", background=CARD)
    style.configure("Card.TLabel", background=CARD)
    style.configure("Title.TLabel", font=(family, 18, "bold"))
    style.configure("Name.TLabel", background=CARD, font=(family, 12, "bold"))
    style.configure("Quiet.TLabel", foreground=QUIET)
    style.configure("QuietCard.TLabel", background=CARD, foreground=QUIET)
    style.configure("Notice.TLabel", font=(family, 12, "bold"))
    style.configure(
        "TButton", background=CARD, padding=(10, 6), lightcolor=CARD, darkcolor=CARD, bordercolor=LINE
    )
    style.map(
        "TButton", background=[("disabled", PAGE), ("active", "#f0ebdf")], foreground=[("disabled", QUIET)]
    )
    style.configure("Step.TButton", padding=(6, 4))
    style.configure(
        "Main.TButton",
        background=ACCENT,
        foreground="white",
        font=(family, 12, "bold"),
        padding=(12, 9),
        lightcolor=ACCENT,
        darkcolor=ACCENT,
        bordercolor=ACCENT,
    )
    style.map(
        "Main.TButton",
        background=[("disabled", "#9fb8ad"), ("active", PRESSED)],
        foreground=[("disabled", "white")],
        bordercolor=[("disabled", "#9fb8ad")],
        lightcolor=[("disabled", "#9fb8ad")],
        darkcolor=[("disabled", "#9fb8ad")],
    )
    style.configure("TCombobox", fieldbackground=CARD, background=CARD, padding=5, arrowcolor=INK)
    style.map(
        "TCombobox",
        fieldbackground=[("readonly", CARD)],
        selectbackground=[("readonly", CARD)],
        selectforeground=[("readonly", INK)],
    )
    style.configure("TCheckbutton", background=PAGE, indicatorsize=15, indicatorforeground=ACCENT)
    style.map("TCheckbutton", background=[("active", PAGE)])
    style.layout("Vertical.TScrollbar", WITHOUT_ARROWS)
    style.layout("Treeview", [("Treeview.treearea", {"sticky": "nswe"})])  # without a border
    style.configure(
        "Vertical.TScrollbar",
        background=LINE,
        troughcolor=CARD,
        bordercolor=CARD,
        width=8,
        gripcount=0,
        lightcolor=LINE,
        darkcolor=LINE,
    )
    style.map(
        "Vertical.TScrollbar",
        background=[("disabled", CARD)],
        lightcolor=[("disabled", CARD)],
        darkcolor=[("disabled", CARD)],
    )
    style.configure("Treeview", background=CARD, fieldbackground=CARD, rowheight=26, borderwidth=0)
    style.map("Treeview", background=[("selected", "#dcebe4")], foreground=[("selected", INK)])
    style.configure("TProgressbar", troughcolor=PAGE, background=ACCENT, bordercolor=PAGE, thickness=3)
