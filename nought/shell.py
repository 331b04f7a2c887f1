"""Commands of ours, written as a person can type them."""

from __future__ import annotations

import os
import shlex
import subprocess


def command(*words: str) -> str:
    """`nought` and these words, quoted where the shell would take them apart."""
    whole = ["nought", *words]
    return subprocess.list2cmdline(whole) if os.name == "nt" else shlex.join(whole)
