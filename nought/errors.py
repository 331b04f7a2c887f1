"""The one exception that is the user's to mend: the command line prints it as one line and exits with 2."""

from pathlib import Path


class NoughtError(Exception):
    """Bad input: a wrong name, size, move or file. Its text says what is wrong and what to do."""


class Untrusted(NoughtError):
    """Rules that were found somewhere and that nobody has named or confirmed (nought/games/trust.py)."""

    def __init__(self, message: str, path: Path, source: str) -> None:
        super().__init__(message)
        self.path, self.source = path, source
