"""nought cluster: who is in a cluster, and what they do."""

from __future__ import annotations

import json as json_module
import time
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from nought.cli.shared import Json
from nought.cli.tables import Numbers


def cluster(
    address: Annotated[
        str,
        typer.Argument(metavar="ADDRESS", help="Ray's cluster: HOST:PORT, or auto on one of its machines."),
    ] = "auto",
    json: Json = False,
) -> None:
    """Show a cluster: its machines, and for each run its players, their speed and the versions they play.

    It is asked on one of its machines, as every command with [cyan]--cluster[/] is.

    Example: [cyan]nought cluster 192.168.1.5:6379[/]
    """
    from nought.cluster.board import standings
    from nought.cluster.connect import connected
    from nought.cluster.crew import node_name

    with connected(address) as ray:
        nodes = [node for node in ray.nodes() if node["Alive"]]
        machines = [
            {
                "node": node_name(node),
                "address": node["NodeManagerAddress"],
                "cores": int(node["Resources"].get("CPU", 0)),
                "gpus": int(node["Resources"].get("GPU", 0)),
            }
            for node in nodes
        ]
        runs = standings()
    if json:
        typer.echo(json_module.dumps({"nodes": machines, "runs": runs}))
    else:
        _print(Console(highlight=False), machines, runs)


def _print(out: Console, machines: list[dict[str, Any]], runs: list[dict[str, Any]]) -> None:
    table = Numbers("machine", "address", "cores", "GPUs", words=("machine", "address"))
    for machine in machines:
        table.add_row(
            escape(machine["node"]), machine["address"], str(machine["cores"]), str(machine["gpus"])
        )
    out.print(table)
    for run in runs:
        out.print(f"\n[bold]{escape(run['run'])}[/], {escape(run['game'])}: {_line(run)}")
        table = Numbers("player", "cores", "positions/s", "version", "behind", words=("player",))
        for player in run["players"]:
            ready = (f"{player['speed']:,.0f}", str(player["version"]), str(player["age"]))
            shown = ready if player["ready"] else ("joins", "", "")
            table.add_row(escape(player["node"]), str(player["cores"]), *shown)
        out.print(table)
    if not runs:
        out.print("\nno run uses it")


def _line(run: dict[str, Any]) -> str:
    speed = sum(player["speed"] for player in run["players"])
    ago = time.time() - run["time"]
    parts = [f"version {run['version']}", f"{speed:,.0f} positions/s", f"{run['waiting']:,} waiting"]
    if run["replaced"]:
        parts.append(f"{run['replaced']} replaced")
    if ago > 10:
        parts.append(f"not heard of for {ago:,.0f} seconds")
    return ", ".join(parts)
