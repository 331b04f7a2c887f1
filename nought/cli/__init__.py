"""The command `nought`: one file per verb."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup

from nought import __version__
from nought.cli.help import InWords, Verb
from nought.errors import NoughtError, Untrusted

# What `nought --help` lists, in this order: each verb with the first sentence of its own help.
VERBS = {
    "train": "Learn a game from its rules alone, by playing against itself.",
    "runs": "List the runs under runs/, or summarise one.",
    "doctor": "Say why a run may not be learning, with figures from its own files and what to try.",
    "plot": "Draw a run: losses, ratings by version, matches against the best so far.",
    "study": "Do all runs of a study, several at once; or report on a study.",
    "cluster": "Show a cluster: its machines, and for each run its players, their speed and the versions they play.",
    "serve": "Serve the web page: play, analyse, look inside the search, watch training.",
    "play": "Play against an agent in this terminal.",
    "desktop": "Play in a window, for your rating, against an agent that is slightly better than you.",
    "replay": "Step through a game in this terminal; in a pipe, print it whole.",
    "games": "List the games.",
    "new": "Write a small game of your own, to be changed.",
    "check": "Play random games and test everything a game promises.",
    "count": "Count a game's positions and games: exactly as far as there is room, by an estimate, and by what is known.",
    "evaluate": "Measure a player against the truth, with 95 % intervals.",
    "match": "Let two players play a match: won, drawn, lost, and the difference in Elo with its 95 % interval.",
    "rate": "Rate the versions of a run, together with random play, plain Monte-Carlo search and perfect play.",
    "export": "Write a network for other programs, and compare its answers with the original's.",
    "engine": "Speak the text protocol of docs/reference/engines.md on standard input and output.",
    "bench": "Measure this machine: search, network, self-play and learning.",
}


def find_verb(name: str) -> Callable[..., None]:
    """The function of a verb, from its file."""
    return getattr(import_module(f"nought.cli.{name}"), name)


class Verbs(InWords, TyperGroup):
    """Imports the file of a verb when that verb is asked for: nobody waits for the others."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, listed, rest = super().resolve_command(ctx, args)
        if name is None or listed is None:
            return name, listed, rest
        alone = typer.Typer(rich_markup_mode="rich", add_completion=False)
        alone.command(name, cls=Verb)(find_verb(name))
        return name, typer.main.get_command(alone), rest


app = typer.Typer(
    cls=Verbs,
    help="Learn board games from nothing but their rules, measure against perfect play, and play.",
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
# What Typer raises for a command line it does not understand; some versions bring their own copy of Click.
UsageError: type[Any] = typer.BadParameter.__bases__[0]

for _name, _summary in VERBS.items():
    app.command(_name, help=_summary)(lambda: None)


def print_version(wanted: bool) -> None:
    """Print the version, if it is wanted, and leave."""
    if wanted:
        print(f"nought {__version__}")
        raise typer.Exit


@app.callback()
def options(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Run rules that came from elsewhere without asking, now and from now on: they are a program.",
        ),
    ] = False,
) -> None:
    """Read the options that stand before a verb."""
    ctx.ensure_object(dict)["trust"] = trust


def main() -> None:
    """Run the command line; what the user can mend is one line and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without × still shows the rest
    try:
        sys.exit(_run())
    except NoughtError as error:
        fail(str(error))
    except UsageError as error:
        path = error.ctx.command_path if error.ctx else "nought"
        fail(f"{error.format_message()} ({path} --help says what there is)")
    except ImportError as error:  # of a package that nought needs; one of our own is a mistake of ours
        package = (error.name or "nought").partition(".")[0]
        if package == "nought":
            raise
        fail(f"the package {package} is missing: install nought again, with all that it needs")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        sys.stderr.close()
        sys.exit(141)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        fail("the disk is full: there is no room for the output")


def _run() -> Any:
    """Run the verb; again, where it met rules that came from elsewhere, once those are confirmed."""
    said = {"trust": False}
    while True:
        try:
            return app(None if sys.argv[1:] else ["--help"], standalone_mode=False, obj=said)
        except Untrusted as found:
            from nought.cli.confirm import confirm_rules

            confirm_rules(found, trusted=said["trust"])


def fail(message: str) -> NoReturn:
    """Say what is wrong in one line, and end with exit code 2."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[bold red]nought:[/] {escape(message)}")
    sys.exit(2)
