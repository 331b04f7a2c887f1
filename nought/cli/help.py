"""Help that people read: words where Typer would show the types of Python."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

WORDS = {
    "<bool>": None,  # a switch takes no value
    "<int>": "NUMBER",
    "<int range>": "NUMBER",
    "<float>": "NUMBER",
    "<float range>": "NUMBER",
    "<str>": "TEXT",
    "<list[str]>": "TEXT",
    "<path>": "FILE",
    "<file>": "FILE",
    "<directory>": "FOLDER",
}


class InWords:
    """A command whose help has words for what its options take."""

    def get_params(self, ctx: Any) -> Any:
        return [in_words(param) for param in super().get_params(ctx)]  # type: ignore[misc]


class Verb(InWords, TyperCommand):
    """A verb of the command line; the lines of its help are as long as the terminal is wide."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if self.help:
            self.help = re.sub(r"(?<!\n)\n[ \t]*(?!\s)", " ", self.help)


def in_words(param: Any) -> Any:
    """The same parameter; its help says NUMBER, TEXT or FILE, and nothing where its name says it all."""
    shown = getattr(
        type(param), "display_type_rich", None
    )  # versions of Typer without it show such words already
    if shown is not None:
        is_argument = param.param_type_name == "argument"
        vars(param)["display_type_rich"] = lambda ctx: (
            None if is_argument else WORDS.get(said := shown(param, ctx), said)
        )
    return param
