"""The report of a study: one page with everything in it, and its pictures and numbers as files."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from nought.errors import NoughtError
from nought.events import PhaseProgress
from nought.files import write_whole
from nought.games import load
from nought.oracle import find_oracle
from nought.plotting import draw, plt
from nought.presets import to_toml
from nought.rating.openings import random_opening
from nought.shell import command
from nought.study import figures
from nought.study.conclusions import Conclusion, conclusions
from nought.study.plan import Part, Study
from nought.study.results import Results, read_results
from nought.study.tables import conclusions_json, conclusions_table, results_csv, sizes_table, summary_table

OPENINGS = 300  # from which perfect players are compared with ours
STYLE = Path(__file__).with_name("report.css")


def write_report(study: Study, folder: Path, progress: PhaseProgress = lambda *_: None) -> Path:
    """Write index.html, the pictures as PNG and SVG, results.csv and conclusions.json; the page's path."""
    found: dict[Part, Results] = {part: read_results(part) for part in study.parts}
    found = {part: results for part, results in found.items() if results}
    if not found:
        raise NoughtError(
            f"no run of the study {study.name} has finished an iteration: there is nothing to report"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page = Page(folder)
        measured = {part: conclusions(part, r) for part, r in found.items() if not part.timing}
        _add_summary(page, measured)
        for i, (part, results) in enumerate(found.items()):
            progress(part.title, i / len(found))
            _add_part(page, part, results, measured.get(part, []))
        _add_sizes(page, study, found)
        _add_how(page, study, found)
        write_whole(folder / "results.csv", results_csv(found.values()).encode())
        write_whole(
            folder / "conclusions.json",
            conclusions_json({part.name: table for part, table in measured.items()}).encode(),
        )
        write_whole(folder / "index.html", page.html(study.title).encode())
    except OSError as error:
        raise NoughtError(f"the report cannot be written to {folder}: {error.strerror}") from None
    return folder / "index.html"


class Page:
    """HTML as it grows. Its pictures are in it, and beside it as files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.body: list[str] = []
        self.sections: list[str] = []

    def section(self, title: str) -> None:
        """Begin a section: a heading that the page's contents name."""
        self.sections.append(title)
        self.add(f"<h2 id=s{len(self.sections)}>{escape(title)}</h2>\n")

    def add(self, html: str) -> None:
        self.body.append(html)

    def picture(self, name: str, figure: Figure | None, caption: str) -> None:
        """Add a figure with its caption, and write it as files; nothing where there is no figure."""
        if figure is None:
            return
        drawn = {kind: draw(figure, kind, dpi=100) for kind in ("svg", "png")}
        plt.close(figure)
        for kind, content in drawn.items():
            write_whole(self.folder / f"{name}.{kind}", content)
        data, text = base64.b64encode(drawn["png"]).decode(), escape(caption)
        self.add(
            f'<figure><img alt="{text}" src="data:image/png;base64,{data}"><figcaption>{text}</figcaption></figure>\n'
        )

    def html(self, title: str) -> str:
        contents = "".join(f"<a href=#s{i}>{escape(name)}</a>" for i, name in enumerate(self.sections, 1))
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
            f"<style>{STYLE.read_text(encoding='utf-8')}</style></head>\n"
            f"<body><main><h1>{escape(title)}</h1>\n<nav>{contents}</nav>\n{''.join(self.body)}</main></body></html>\n"
        )


def _add_summary(page: Page, measured: dict[Part, list[Conclusion]]) -> None:
    """Add the trends of all parts; nothing where no number was varied."""
    if any(c.trend is not None for table in measured.values() for c in table):
        page.section("In short")
        caption = "Pale where the interval holds 0: these runs cannot tell."
        page.picture("trends", figures.trends(measured), caption)
        page.add(summary_table(measured))


def _add_part(page: Page, part: Part, results: Results, measured: list[Conclusion]) -> None:
    runs = [run for point in results.values() for run in point]
    lengths = sorted({len(run.reports) for run in runs})
    page.section(part.title)
    page.add(
        f"<p>{escape(part.game)}: {len(runs)} of {sum(map(len, part.runs.values()))} runs, "
        f"{' to '.join(map(str, {lengths[0]: 0, lengths[-1]: 0}))} iterations each, "
        f"{sum(run.reports[-1].minutes for run in runs):.0f} minutes of work.</p>\n"
    )
    if not part.timing:
        _add_curves(page, part, results)
    caption = "Time by setting, by the clock: other runs and programs on the machine count in."
    page.picture(f"{part.name}-times", figures.times(part, results), caption)
    if measured:
        page.add(conclusions_table(part, measured))


def _add_curves(page: Page, part: Part, results: Results) -> None:
    points = list(results)
    chosen = [part.points[i] for i in part.compare if part.points[i] in results]
    shown = part.show if part.show in results else points[0]
    one = results[shown][0]
    page.picture(
        f"{part.name}-raw",
        figures.raw_errors(part, shown, one),
        "Errors of one run as they are, of every training loop; of runs that did not keep them, an iteration's mean.",
    )
    page.picture(f"{part.name}-smooth", figures.smooth_errors(part, shown, one), "The same run, smoothed.")
    page.picture(f"{part.name}-errors", figures.totals(part, results, points), "All settings.")
    if 0 < len(chosen) < len(points):
        page.picture(f"{part.name}-compare", figures.totals(part, results, chosen), "Some of them.")
    page.picture(
        f"{part.name}-accuracy",
        figures.accuracies(part, results, points),
        "Against the oracle: the best network so far, without search.",
    )
    page.picture(
        f"{part.name}-tournaments",
        figures.tournaments(part, results, _perfect_beginner(part)),
        "Who won the tournaments between the new network and the best so far.",
    )
    page.picture(f"{part.name}-scores", figures.final_scores(part, results), "By how much they were won.")


def _perfect_beginner(part: Part) -> float | None:
    """The share of points that a perfect player gets who begins, from another one, after the gate's random moves."""
    moves, game = next(iter(part.runs.values()))[0].parameters.gate.opening_moves, load(part.game)
    try:
        oracle = find_oracle(game)
    except NoughtError:  # an optional package is not there
        return None
    if not oracle.knows(game.start()):
        return None
    random, points = np.random.default_rng(0), []
    for _ in range(OPENINGS if moves else 1):
        position = random_opening(game, moves, random)
        outcome = oracle.judge(position).outcome
        points.append((1 + (outcome if position.player == 0 else -outcome)) / 2)
    return float(np.mean(points))


def _add_sizes(page: Page, study: Study, found: dict[Part, Results]) -> None:
    """Add the time by game, from the parts that were only timed where there are such."""
    standard = [part for part, results in found.items() if part.baseline in results]
    timed = [part for part in standard if part.timing] or standard
    first = {part.game: part for part in reversed(timed)}
    shown = [(part, found[part][part.baseline]) for part in reversed(first.values())]
    if len(shown) > 1:
        page.section("Time by game")
        figure = figures.sizes(f"{study.title}: time by game", shown)
        page.picture("sizes", figure, "Each game with the settings of its preset.")
        page.add(sizes_table(shown))


def _add_how(page: Page, study: Study, found: dict[Part, Results]) -> None:
    """Add the commands and the configuration, exactly as they were."""
    commands = [command("study", f"studies/{study.name}.toml", "--part", part.name) for part in found]
    commands.append(f"nought study report {study.name}")
    page.section("How it was done")
    page.add(f"<pre>{escape(chr(10).join(commands))}</pre>\n")
    texts = {f"studies/{study.name}.toml": study.text}
    for part, results in found.items():
        run = next(iter(results.values()))[0].planned
        texts[f"all parameters of a run of {part.name}: {run.name}"] = to_toml(run.parameters)
    for name, text in texts.items():
        page.add(f"<details><summary>{escape(name)}</summary><pre>{escape(text)}</pre></details>\n")
