"""The command `nought`: one file per verb."""

from __future__ import annotations

import errno
import io
import sys
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.bench import bench
from nought.cli.check import check
from nought.cli.desktop import desktop
from nought.cli.engine import engine
from nought.cli.evaluate import evaluate
from nought.cli.export import export
from nought.cli.games import games
from nought.cli.match import match
from nought.cli.play import play
from nought.cli.plot import plot
from nought.cli.rate import rate
from nought.cli.replay import replay
from nought.cli.runs import runs
from nought.cli.serve import serve
from nought.cli.study import study
from nought.cli.train import train
from nought.errors import NoughtError

app = typer.Typer(
    help="Learn board games from nothing but their rules, measure against perfect play, and play.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
# What Typer raises for a command line it does not understand; some versions bring their own copy of Click.
UsageError: type[Any] = typer.BadParameter.__bases__[0]

for verb in (
    train, runs, plot, study, serve, play, desktop, replay, games, check, evaluate, match, rate, export, engine,
    bench,
):  # fmt: skip
    app.command()(verb)


def main() -> None:
    """Run the command line; what the user can mend is one line and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without × still shows the rest
    try:
        sys.exit(app(standalone_mode=False))
    except NoughtError as error:
        fail(str(error))
    except UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error.ctx.get_help())
            sys.exit(0)
        path = error.ctx.command_path if error.ctx else "nought"
        fail(f"{error.format_message()} ({path} --help says what there is)")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        sys.stderr.close()
        sys.exit(141)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        fail("the disk is full: there is no room for the output")


def fail(message: str) -> NoReturn:
    """One line, exit code 2."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[bold red]nought:[/] {escape(message)}")
    sys.exit(2)
