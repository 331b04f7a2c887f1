"""The one exception that is the user's to mend: the command line prints it as one line and exits with 2."""


class NoughtError(Exception):
    """Bad input: a wrong name, size, move or file. Its text says what is wrong and what to do."""
