"""Commands, written as a person can type them."""

from __future__ import annotations

import os
import shlex
import subprocess


def command(*words: str) -> str:
    """`nought` and these words, quoted where the shell would take them apart."""
    return command_line("nought", *words)


def command_line(*words: str) -> str:
    """These words, quoted where the shell would take them apart."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
