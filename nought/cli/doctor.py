"""nought doctor: why may a run not be learning?"""

from __future__ import annotations

import json as json_module
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.shared import Json, say_note


def doctor(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run, as in `nought runs`.")],
    json: Json = False,
) -> None:
    """Say why a run may not be learning, with figures from its own files and what to try.

    It looks at how games end, at what the search finds, and at what the network makes of it. Nothing is played or
    changed, and a run may be looked at while it learns.

    Example: [cyan]nought doctor connect4-1[/]
    """
    from nought.learning.doctor import diagnose
    from nought.learning.run import Run, run_folder

    run = Run(run_folder(name))
    diagnosis = diagnose(run)
    if json:
        measured = [symptom._asdict() for symptom in diagnosis.measured]
        facts = {"run": diagnosis.run, "game": run.game_name, "iterations": diagnosis.iterations}
        typer.echo(json_module.dumps(facts | {"measured": measured}))
        return
    say_note(run.learned.note)
    out = Console(highlight=False, soft_wrap=True)
    found = diagnosis.found
    after = f"after {diagnosis.iterations:,} iteration{'s' if diagnosis.iterations != 1 else ''}"
    title = f"[bold]{escape(diagnosis.run)}[/] {after}: "
    out.print(
        f"[bold green]✓[/] {title}nothing found that keeps it from learning"
        if not found
        else f"[bold red]✗[/] {title}{len(found)} reason{'s' if len(found) > 1 else ''} why it may not be learning"
    )
    for symptom in found:
        out.print(f"  [red]✗[/] {escape(symptom.says)}")
        out.print(f"    [dim]measured:[/] {escape(symptom.figure)}")
        out.print(f"    [dim]try:[/] {escape(symptom.advice)}")
    for symptom in diagnosis.measured:
        if not symptom.says:
            out.print(f"  [dim]{escape(symptom.figure)}[/]")
