"""Rules and kernels as code for an NVIDIA GPU: PTX, which the GPU's driver turns into its own.

The GPU's own compiler is not needed, and no CUDA but the driver: LLVM makes PTX of Numba's text (elsewhere.py), see text.py
for what is done to it.
"""

from __future__ import annotations

from nought.compile.cpu import Kernels
from nought.compile.elsewhere import OtherMachine, code_for
from nought.errors import NoughtError
from nought.games.game import Game

PROCESSOR = "sm_70"  # the oldest GPU with fast half precision; later ones run its code, too
FEATURES = "+ptx64"
TRIPLE = "nvptx64-nvidia-cuda"


class NotForGpu(NoughtError):
    """A game's rules cannot be compiled for a GPU."""


GPU = OtherMachine("ptx", "a GPU", ("cuda.py",), NotForGpu)


def ptx(game: Game, kernels: Kernels) -> str:
    """The functions `kernels.device` on top of a game's rules, as one module of PTX with an entry for each."""
    return code_for(GPU, game, kernels, kernels.device).decode()
