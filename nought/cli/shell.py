"""Commands of ours as the command line suggests them; see nought/shell.py."""

from nought.shell import command

__all__ = ["command"]
