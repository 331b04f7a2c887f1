"""Random games, with their mirror images and other orders of their moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nought.errors import NoughtError
from nought.games.conformance.overall import Overall
from nought.games.conformance.perspective import Perspective
from nought.games.conformance.referee import Referee, State
from nought.games.conformance.report import Failed, Finding, Report, Trace, note
from nought.games.conformance.shown import ForPeople, written
from nought.games.conformance.view import View
from nought.games.game import Game
from nought.games.notation import format_moves, is_fixed, parse_moves
from nought.games.symmetry import Symmetry

MOST_POSITIONS = 50_000  # positions, to be recognised when another order of moves leads to them


def check_game(
    game: Game,
    games: int = 100,
    seed: int = 0,
    listener: Callable[[Report], None] = lambda _: None,
    trace: Trace | None = None,
) -> Report:
    """Play random games and test the rules in every position; `listener` hears of the compiling and of every game played, and `trace` of
    every call of a rule."""
    with np.errstate(over="ignore"):  # whole numbers wrap around in rules, as they do when compiled
        return _Check(game, np.random.default_rng(seed), trace or Trace()).run(games, listener)


class _Check:
    def __init__(self, game: Game, random: np.random.Generator, trace: Trace) -> None:
        self.game, self.random, self.trace = game, random, trace
        self.report = Report(game.name, allowed=game.longest)
        self.referee = Referee(game, trace, self.warn)
        # by state: by which moves it was reached, and what it is
        self.reached: dict[bytes, tuple[tuple[int, ...], View]] = {}
        self.states: dict[Any, bytes] = {}  # by what it is: which state
        self.symmetries: Sequence[Symmetry] = ()  # that the starting position has
        self.overall = Overall(self.line)

    def run(self, games: int, listener: Callable[[Report], None]) -> Report:
        if not self.stage(self.facts):
            return self.report
        if self.game.compilable:
            self.stage(self.compile)
            listener(self.report)
        self.perspective = Perspective(self.game)
        self.people = ForPeople(self.game, self.referee, self.warn)
        for _ in range(games):
            self.stage(self.play_a_game)
            self.report.games += 1
            listener(self.report)
        if self.perspective.is_missing():
            self.trace.at(())
            self.note(
                self.report.failures,
                "perspective",
                "planes 0 and 1 stay with the same players when the turn passes; planes are what the player to "
                "move sees: its own stones in plane 0, the opponent's in plane 1",
            )
        self.trace.at(())
        if (turned := self.people.turning.better()) is not None:
            self.warn(
                "turned",
                "the board that people see is turned round as the turn passes; with "
                f"BOARD_TURNED = {turned} it would stay as it stands",
            )
        if idle := self.overall.idle_player():
            self.note(self.report.failures, "turns", idle)
        if end := self.overall.only_end():
            self.warn("ends", end)
        return self.report

    def stage(self, stage: Callable[[], None]) -> bool:
        """Do a part of the check, which begins where the game does; whether it came to its end."""
        self.trace.at(())
        try:
            stage()
        except Failed as failed:
            self.note(self.report.failures, failed.check, failed.message)
            return False
        return True

    def note(self, findings: list[Finding], check: str, message: str) -> None:
        """Note what is wrong after the moves of the trace."""
        moves = tuple(self.trace.moves)
        note(findings, Finding(check, message, moves, written(self.game, moves) if moves else ""))

    def warn(self, check: str, message: str) -> None:
        """Note what may be wrong after the moves of the trace."""
        self.note(self.report.warnings, check, message)

    # ---- before the games -----------------------------------------------------------------------------------
    def facts(self) -> None:
        try:
            symmetries = self.game.symmetries[1:]
            _ = self.game.ground, self.game.cell_of_action, self.game.turned
            everything = list(range(self.game.actions)) if is_fixed(self.game) else []
            if parse_moves(self.game, format_moves(self.game, everything)) != everything:
                raise Failed("notation", "moves that are written cannot be read again")
        except NoughtError as error:
            raise Failed("facts", str(error).removeprefix(f"{self.game.name}: ")) from None
        view = self.referee.view(self.referee.start())
        if view.finished:
            raise Failed("start", "the game is finished before its first move")
        if view.player != 0:
            why = f"player is {view.player} at the start; player 0 is the one who begins"
            self.note(self.report.failures, "first", why)
        self.symmetries = [s for s in symmetries if np.array_equal(s.apply_planes(view.planes), view.planes)]
        self.report.symmetries, self.report.symmetries_played = 1 + len(symmetries), 1 + len(self.symmetries)

    def compile(self) -> None:
        self.report.compile_seconds = self.referee.compile()

    # ---- one game -------------------------------------------------------------------------------------------
    def play_a_game(self) -> None:
        moves: list[int] = []
        state = self.referee.start()
        images = [state] * len(self.symmetries)
        self.people.turning.begin()
        view = self.look(state, images, moves)
        history = [(state, view)]
        while not view.finished:
            if len(moves) >= self.game.longest:
                raise Failed("longest", f"the game goes on after LONGEST = {self.game.longest} moves")
            move, before = int(self.random.choice(view.legal)), view
            state = self.referee.play(state, move)
            images = self.play_images(images, moves, move)
            moves.append(move)
            view = self.look(state, images, moves)
            history.append((state, view))
            self.perspective.turn(before, view)
            self.reorder(history, moves)
        self.report.longest = max(self.report.longest, len(moves))

    def play_images(self, images: Sequence[State], moves: Sequence[int], move: int) -> list[State]:
        """Play the move on every image of the position: each symmetry must give the image of what follows."""
        after = []
        for symmetry, image in zip(self.symmetries, images, strict=True):
            self.trace.at(symmetry.actions[moves].tolist() if moves else ())
            after.append(self.referee.play(image, int(symmetry.actions[move])))
        return after

    def look(self, state: State, images: Sequence[State], moves: Sequence[int]) -> View:
        """Test everything about one position."""
        self.report.positions += 1
        self.trace.at(moves)
        view = self.referee.view(state)
        if not self.referee.others:  # otherwise the compiled rules are the second to be asked
            self.referee.ask_again(state, view)
        self.remember(state, moves, view)
        self.people.look(state, view)
        if blind := self.overall.look(view, moves):
            self.warn("sight", blind)
        for symmetry, image in zip(self.symmetries, images, strict=True):
            self.trace.at(symmetry.actions[moves].tolist() if moves else ())
            other = self.referee.view(image).difference(view.seen_through(symmetry))
            if other is not None:
                self.trace.at(moves)
                told = other.words("after the mirrored moves", "expected")
                raise Failed("symmetry", f"a symmetry of the board does not fit the rules: {told}")
        self.trace.at(moves)
        return view

    def reorder(self, history: Sequence[tuple[State, View]], moves: Sequence[int]) -> None:
        """Try the last three moves with the first and the third exchanged: often it is the same position."""
        if len(moves) < 3 or not self.game.compilable:
            return
        *line, a, b, c = moves
        self.trace.at(line)
        state, view = history[-4]
        for move in (c, b, a):
            if move not in view.legal:
                break
            state = self.referee.play(state, move)
            line = [*line, move]
            self.trace.at(line)
            view = self.referee.view(state)
        else:
            self.remember(state, line, view)
        self.trace.at(moves)

    def remember(self, state: State, moves: Sequence[int], view: View) -> None:
        """Positions reached in several ways: one state must be one position, and one position one state."""
        key = state.tobytes()
        if not self.game.compilable or (key not in self.reached and len(self.reached) >= MOST_POSITIONS):
            return
        first, known = self.reached.setdefault(key, (tuple(moves), view))
        if first != tuple(moves):
            self.report.transpositions += 1
            other = view.difference(known)
            if other is not None:
                told = other.words("here", f"after {self.line(first)}")
                why = "equal states give different answers, so the rules hold more than the state"
                raise Failed("hidden", f"{why}: {told}")
        same = self.states.setdefault(view.key(), key)
        if same != key:
            why = (
                f"the board looks as it does after {self.line(self.reached[same][0])}, but the state is another: it "
                "holds something that does not matter (the search will not see that they are one position), or the "
                "planes do not show something that does"
            )
            self.warn("canonical", why)

    def line(self, moves: Sequence[int]) -> str:
        return written(self.game, moves) or "no moves"
