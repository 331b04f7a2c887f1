"""A game's rules, and what is written on top of them, as code for this machine's processor or for its GPU."""

from nought.compile.cpu import Kernels, compiled

__all__ = ["Kernels", "compiled"]
