"""What the window shows, without the window: an account, a game on the table, games of the past.

A session's methods ask the server and may take a while; whoever calls them is told of every new state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from nought.clients import account
from nought.clients.remote import Refused, Server
from nought.clients.remote_game import REPEATED
from nought.errors import NoughtError
from nought.wire.accounts import ProfileAnswer
from nought.wire.games import GameAnswer, LegalMove, PositionAnswer
from nought.wire.play import ListedGame, PlayedGameAnswer

LISTED_GAMES = 50  # games of the past that are listed


@dataclass(frozen=True)
class State:
    """Everything that the window shows."""

    profile: ProfileAnswer | None = None
    games: tuple[GameAnswer, ...] = ()
    game: GameAnswer | None = None  #           the one that is played next
    played: PlayedGameAnswer | None = None  #   the game on the table
    shown: PositionAnswer | None = None  #      what the board shows of it
    past: tuple[ListedGame, ...] = ()  #  newest first
    notice: str = ""  #                   a line for the person
    trouble: bool = False  #              whether the line says that something went wrong
    still_open: PlayedGameAnswer | None = None  # a rated game that the one they want would lose: to ask

    @property
    def step(self) -> int:
        """How many moves the board shows."""
        return len(self.shown.names) if self.shown else 0

    @property
    def steps(self) -> int:
        """How many moves the game on the table has."""
        return len(self.played.position.names) if self.played else 0

    @property
    def your_turn(self) -> bool:
        """Whether a click on the board is a move."""
        game, shown = self.played, self.shown
        if game is None or shown is None or game.finished or game.you is None:
            return False
        return self.step == self.steps and shown.player == game.you and not shown.finished

    @property
    def open_game(self) -> bool:
        """Whether a game of the person's is under way on the table."""
        return self.played is not None and not self.played.finished and self.played.you is not None

    @property
    def rating(self) -> float | None:
        """The person's rating in the game on the table."""
        game = self.table
        ratings = self.profile.ratings if self.profile else ()
        return next((r.rating for r in ratings if game and r.game == game.name), None)

    @property
    def table(self) -> GameAnswer | None:
        """The game whose board is shown."""
        name = self.shown.game if self.shown else None
        return next((game for game in self.games if game.name == name), self.game)


class Session:
    """A person at a server."""

    def __init__(self, server: Server, tell: Callable[[State], None], *, place: str | None = None) -> None:
        self.server, self.tell = server, tell
        self.place = place or server.url  # what the account is remembered under
        self.state = State()
        self.wanted = 0  # the step that the person wants to see; it may change while one is fetched
        self.positions: dict[
            tuple[str, int], PositionAnswer
        ] = {}  # of the game on the table, by game and step

    # ---- what the person does -------------------------------------------------------------------------------
    def enter(self) -> None:
        """Sign in, and set up the first game's board."""
        profile, games = account.sign_in(self.server, self.place), tuple(self.server.games())
        if not games:
            raise NoughtError(f"{self.server.url} offers no games")
        self._change(profile=profile, games=games)
        self._look_back()
        self.choose(games[0].name)
        if any(not game.finished for game in self.state.past):
            self._change(notice="A game of yours is still open: it waits in the list.")

    def choose(self, name: str) -> None:
        """Set up the board of another game."""
        game = next(game for game in self.state.games if game.name == name)
        self._change(game=game, played=None, shown=self.server.position(name), notice="")

    def new_game(self, *, rated: bool = True, give_up: bool = False) -> None:
        """Begin a game against the agent that the server finds; rated where agents have ratings.

        Where a rated game is still open the state says so instead, unless the person gives that up.
        """
        game = self.state.game
        assert game is not None
        try:
            played = self.server.play(game.name, rated=rated and game.can_be_rated, give_up=give_up)
        except Refused as refused:
            if refused.open_game is None:
                raise
            self._change(still_open=self.server.played(refused.open_game))
        else:
            self._on_table(played)

    def move(self, move: LegalMove) -> None:
        """Show the person's move at once, and then the agent's answer."""
        game = self._game()
        self._change(shown=self._after(game.position, move), notice="")
        try:
            self._on_table(self.server.move(game.id, move.action))
        except NoughtError as error:
            self._change(shown=game.position)
            if not isinstance(error, Refused):  # the answer was lost; the move perhaps was not
                self._on_table(self.server.played(game.id))
            if self._game().position == game.position:
                raise

    def undo(self) -> None:
        self._on_table(self.server.undo(self._game().id))

    def resign(self) -> None:
        self._on_table(self.server.resign(self._game().id))

    def open(self, id: str) -> None:
        """Put a game of the past on the table."""
        played = self.server.played(id)
        game = next((game for game in self.state.games if game.name == played.game), self.state.game)
        self._change(game=game)
        self._on_table(played)

    def follow(self) -> None:
        """Show the step that is wanted, even if that changes on the way."""
        while self.state.played and self.state.step != (step := min(max(self.wanted, 0), self.state.steps)):
            self._change(shown=self._position(self.state.played, step), notice=self._result())

    def keep_account(self, name: str, password: str) -> None:
        """Name the account, so that it can be entered from elsewhere."""
        self.server.keep_account(name, password or None)
        self._refresh(notice=f"You are {name} now.")

    def sign_in(self, name: str, password: str) -> None:
        """Enter another account, and remember it."""
        self.server.login(name, password)
        account.remember(self.server, self.place)
        self._refresh(notice=f"Welcome back, {name}.")

    def attempt(self, action: Callable[..., None], *arguments: Any, **options: Any) -> None:
        """Do something; what goes wrong is said to the person."""
        try:
            action(*arguments, **options)
        except NoughtError as error:
            self._change(notice=str(error), trouble=True)
        except Exception as error:
            self._change(notice=f"this went wrong: {type(error).__name__}: {error}", trouble=True)
            raise

    # ---- what follows from it -------------------------------------------------------------------------------
    def _change(self, **fields: Any) -> None:
        self.state = replace(self.state, **{"trouble": False, "still_open": None, **fields})
        self.tell(self.state)

    def _game(self) -> PlayedGameAnswer:
        if self.state.played is None:
            raise NoughtError("there is no game on the table")
        return self.state.played

    def _on_table(self, played: PlayedGameAnswer) -> None:
        """Show a game as the server has it now."""
        was_open = self.state.open_game
        self.positions.clear()
        self.wanted = len(played.position.names)
        self._change(played=played, shown=played.position, notice="")
        self._change(notice=self._result())
        if played.finished and was_open:
            self._refresh()
        elif all(game.id != played.id for game in self.state.past):
            self._look_back()

    def _result(self) -> str:
        """How the game on the table ended, for who played it."""
        game = self.state.played
        if game is None or not game.finished:
            return ""
        return result_text(game)

    def _refresh(self, **fields: Any) -> None:
        """Ask the server for the person's rating and games, which have changed."""
        self._change(profile=self.server.me(), **{"notice": self.state.notice, **fields})
        self._look_back()

    def _look_back(self) -> None:
        assert self.state.profile is not None
        past = self.server.history(self.state.profile.account.name, limit=LISTED_GAMES)
        self._change(past=tuple(past), notice=self.state.notice)

    def _position(self, game: PlayedGameAnswer, step: int) -> PositionAnswer:
        if step == len(game.position.names):
            return game.position
        if (game.id, step) not in self.positions:
            moves = " ".join(game.position.names[:step])
            self.positions[game.id, step] = self.server.position(game.game, moves)
        return self.positions[game.id, step]

    def _after(self, position: PositionAnswer, move: LegalMove) -> PositionAnswer:
        return self.server.position(position.game, " ".join((*position.names, move.name)))


def result_text(game: PlayedGameAnswer) -> str:
    """How a finished game ended, as who asks sees it."""
    if game.score is None:
        winner = None if not game.result else game.players[0 if game.result > 0 else 1].name
        text = f"{winner} won" if winner else "A draw"
    else:
        text = "You won" if game.score > 0 else "You lost" if game.score < 0 else "A draw"
    text += " (resigned)" if game.ended == "resigned" else ""
    if change := game.rating_change:
        gained = round(change.after) - round(change.before)
        text += f" · rating {change.before:.0f} → {change.after:.0f} ({gained:+d})"
    if game.repeated:
        text += f" · {REPEATED}"
    return text
