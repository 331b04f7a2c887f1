"""Rules and kernels as code for a browser: one module of WebAssembly.

LLVM makes an object file of Numba's text (elsewhere.py, text.py), and link.py a module of that: no linker and no tool chain
is needed. Its arithmetic is this processor's to the last bit: nothing is fused, nothing reordered.
"""

from __future__ import annotations

from nought.compile.cpu import Kernels
from nought.compile.elsewhere import OtherMachine, code_for
from nought.errors import NoughtError
from nought.games.game import Game

TRIPLE = "wasm32-unknown-unknown"
# What all browsers have had since 2023 (Safari 16.4 was the last): four numbers at a time; filling and copying memory,
# numbers of 8 and 16 bits and floats to whole numbers by one instruction each.
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint"


class NotForBrowser(NoughtError):
    """A game's rules cannot be compiled for a browser."""


BROWSER = OtherMachine("wasm", "a browser", ("wasm.py", "link.py"), NotForBrowser)


def wasm(game: Game, kernels: Kernels) -> bytes:
    """The functions `kernels.browser` on top of a game's rules, as one module of WebAssembly.

    Each is exported as name(words, count of words, room, count of floats, number) → number, where words and room are
    places in the exported `memory`, which is the host's from the place `free` on.
    """
    return code_for(BROWSER, game, kernels, kernels.browser)
