"""Games of people against agents. The server alone says what is legal, whose turn it is and who has won.

A move is kept together with the agent's answer to it, in one transaction: a game in the store is always over or
waits for its person, whatever crashed, and what was answered is kept.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.server import schemas
from nought.server.http.errors import Conflict, Forbidden, NotFound, StillOpen
from nought.server.people.accounts import find_named, shown
from nought.server.people.ratings import (
    closest,
    deviation_of,
    finish,
    middling,
    rating_record,
    starting_rating,
)
from nought.server.people.repeats import rating_key
from nought.server.people.store import Account, Database, GameRecord, RatingRecord
from nought.server.views import parse_position, position_after

CLOSEST = "closest"
LONGEST_ID = 32
MOST_LISTED = 100
CHANGED = "the game has changed meanwhile; look at it again"

# What every move needs is put together once.
BY_ID = select(GameRecord).where(GameRecord.id == bindparam("its_id"))
GO_ON = (
    update(GameRecord)
    .where(
        GameRecord.id == bindparam("its_id"),
        GameRecord.changes == bindparam("seen"),
        GameRecord.finished.is_(None),
    )
    .values(
        moves=bindparam("new_moves"), opponent_value=bindparam("new_value"), changes=GameRecord.changes + 1
    )
    .execution_options(synchronize_session=False)
)


class Choice(Protocol):
    """An agent's move and how it sees its own chances."""

    @property
    def action(self) -> int: ...
    @property
    def value(self) -> float | None: ...


class Agents(Protocol):
    """Who can be played against, and what they play."""

    def game(self, name: str) -> Game: ...

    def agents(self, game: Game) -> list[schemas.Agent]:
        """Those that people are offered, weakest first."""

    def agent(self, game: Game, name: str, simulations: int | None = None) -> schemas.Agent:
        """The one of this name, if it is there and may think for so long."""

    async def choose(
        self,
        position: Position,
        agent: str,
        simulations: int | None = None,
        *,
        client: str,
        varied: bool = False,
    ) -> Choice:
        """What the agent plays; `varied`: any move about as good as its best."""


@dataclass(frozen=True)
class Wish:
    """What game a person wants to play."""

    game: str
    side: Literal["first", "second", "random"] = "random"
    opponent: str = CLOSEST
    rated: bool = False
    start: str = ""  #                  moves to begin after, in a casual game
    simulations: int | None = None  #   instead of the agent's own, in a casual game
    give_up: bool = False  #            of a rated game: the one that is still open, if any


class Playing:
    """Begins games, takes moves, and remembers."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self.database = database
        self.agents = agents
        self._busy: set[str] = set()  # games in which an agent is thinking

    async def begin(self, account: Account, wish: Wish) -> GameRecord:
        game = self.agents.game(wish.game)
        position = parse_position(game, wish.start)
        given = len(position.moves)
        agent = await self._wanted(account, game, wish)
        _check(wish, position, agent)
        seat = {"first": 0, "second": 1, "random": secrets.randbelow(2)}[wish.side]
        position, value = await self._answer(account, position, seat, agent.name, wish.simulations)
        start = starting_rating(self.agents.agents(game))

        def work(session: Session) -> GameRecord:
            record = GameRecord(
                id=secrets.token_urlsafe(16),
                game=game.name,
                account_id=account.id,
                seat=seat,
                agent=agent.name,
                simulations=wish.simulations,
                rated=wish.rated,
                start=given,
                moves=list(position.moves),
                opponent_value=value,
            )
            if wish.rated:
                record.agent_rating, record.agent_deviation = agent.rating, deviation_of(agent.interval)
                rating_record(session, account.id, game.name, start)
                _leave_unfinished(session, account.id, game.name, give_up=wish.give_up)
            session.add(record)
            session.flush()
            if position.finished:
                _play_out(session, record, position)
            session.refresh(record, ["account"])
            return record

        return await self.database.write(work)

    async def move(self, account: Account, id: str, action: int, ply: int | None = None) -> GameRecord:
        """The game after a person's move and the agent's answer; `ply` says for which position the move is meant."""
        with self._thinking_about(id):
            record = await self._own(account, id)
            if ply is not None and ply != len(record.moves):
                raise Conflict("the game has gone on since; look at it again")
            position = self.position(record).play(action)
            position, value = await self._answer(
                account, position, record.seat, record.agent, record.simulations
            )

            value = record.opponent_value if value is None else value
            if not position.finished:
                return await self._go_on(record, list(position.moves), value)

            def work(session: Session) -> GameRecord:
                kept = _unchanged(session, record)
                kept.moves, kept.opponent_value = list(position.moves), value
                _play_out(session, kept, position)
                return kept

            return await self.database.write(work)

    async def undo(self, account: Account, id: str) -> GameRecord:
        """Back to where the person last moved."""
        with self._thinking_about(id):
            record = await self._own(account, id)
            if record.rated:
                raise Forbidden("moves of a rated game cannot be taken back; play a casual one for that")
            position = self.position(record)
            counts = range(record.start, len(record.moves))
            turns = [n for n in counts if _after(position, n).player == record.seat]
            if not turns:
                raise Conflict("there is nothing to take back")

            return await self._go_on(record, record.moves[: turns[-1]], None)

    async def resign(self, account: Account, id: str) -> GameRecord:
        record = await self._own(account, id)

        def work(session: Session) -> GameRecord:
            kept = _unchanged(session, record)
            finish(session, kept, "resigned", -1 if record.seat == 0 else 1)
            return kept

        return await self.database.write(work)

    async def find(self, id: str) -> GameRecord:
        """The game of this id: whoever has the id may see it."""
        return await self.database.read(lambda session: _find(session, id))

    async def games(
        self, *, player: str | None, game: str | None, limit: int, before: str | None
    ) -> Sequence[GameRecord]:
        """Games, the newest first: of one player, of one game, from before another one."""

        def work(session: Session) -> Sequence[GameRecord]:
            wanted = select(GameRecord).order_by(GameRecord.number.desc()).limit(limit)
            if player is not None:
                account = find_named(session, player)
                if account is None:
                    raise NotFound(f"there is no player called {shown(player)}")
                wanted = wanted.where(GameRecord.account_id == account.id)
            if game is not None:
                wanted = wanted.where(GameRecord.game == self.agents.game(game).name)
            if before is not None:
                wanted = wanted.where(GameRecord.number < _find(session, before).number)
            return session.scalars(wanted).all()

        return await self.database.read(work)

    def position(self, record: GameRecord) -> Position:
        """Where a game stands."""
        game = self.agents.game(record.game)
        position = position_after(game, ())
        for count in range(1, len(record.moves) + 1):
            position = position_after(game, tuple(record.moves[:count]))
        return position

    async def opponent(self, account: Account | None, name: str) -> schemas.Agent:
        """Whom a person meets who names nobody: the closest agent that is not worse or, before the first rated game,
        the middling one."""
        game = self.agents.game(name)
        there = self.agents.agents(game)
        if not there:
            raise NotFound(f"no agent plays {game.name} here; name one as the opponent")
        rating = None
        if account is not None:
            key = (account.id, game.name)
            rating = await self.database.read(lambda session: session.get(RatingRecord, key))
        found = closest(there, rating.rating) if rating and rating.games else middling(there)
        return found or there[len(there) // 2]  # none has a rating

    async def _wanted(self, account: Account, game: Game, wish: Wish) -> schemas.Agent:
        name = wish.opponent if wish.opponent != CLOSEST else (await self.opponent(account, game.name)).name
        return self.agents.agent(game, name, wish.simulations)

    async def _answer(
        self, account: Account, position: Position, seat: int, agent: str, simulations: int | None
    ) -> tuple[Position, float | None]:
        """Where the game stands when it is the person's turn again, and what the agent thinks of it."""
        value = None
        while not position.finished and position.player != seat:
            choice = await self.agents.choose(
                position, agent, simulations, client=f"account {account.id}", varied=True
            )
            position, value = position.play(choice.action), choice.value
        return position, value

    async def _go_on(self, record: GameRecord, moves: list[int], value: float | None) -> GameRecord:
        """The game with other moves, if it still is as it was seen."""
        known = {"its_id": record.id, "seen": record.changes, "new_moves": moves, "new_value": value}
        await self.database.write(lambda session: _change(session, known), flush=False)
        record.moves, record.opponent_value, record.changes = moves, value, record.changes + 1
        return record

    async def _own(self, account: Account, id: str) -> GameRecord:
        """A game that this person may go on with."""
        record = await self.find(id)
        if record.account_id != account.id:
            raise Forbidden("this is somebody else's game: you may watch it")
        if record.finished is not None:
            raise Conflict("the game is over")
        return record

    @contextmanager
    def _thinking_about(self, id: str) -> Iterator[None]:
        """One change of a game at a time."""
        if id in self._busy:
            raise Conflict("it is not your turn: the agent is thinking")
        self._busy.add(id)
        try:
            yield
        finally:
            self._busy.discard(id)


def _check(wish: Wish, position: Position, agent: schemas.Agent) -> None:
    if position.finished:
        raise NoughtError("the game is over after these moves; begin with fewer")
    if not wish.rated:
        return
    if position.moves:
        raise NoughtError("a rated game begins at the start; play a casual one from another position")
    if wish.simulations is not None:
        raise NoughtError("in a rated game the agent searches as it was rated; leave simulations out")
    if agent.rating is None:
        raise NoughtError(
            f"{agent.name} has no rating yet, so games against it cannot be rated; play a casual one"
        )


def _find(session: Session, id: str) -> GameRecord:
    plain = len(id) <= LONGEST_ID and id.isascii() and id.isprintable()  # PostgreSQL takes no NUL
    found = session.scalar(BY_ID, {"its_id": id}) if plain else None
    if found is None:
        raise NotFound(f"there is no game {shown(id)}")
    return found


def _change(session: Session, known: dict[str, Any]) -> None:
    if session.execute(GO_ON, known).rowcount != 1:  # type: ignore[attr-defined]  # an update's result has one
        raise Conflict(CHANGED)


def _unchanged(session: Session, seen: GameRecord) -> GameRecord:
    """The game, locked, if it still is as it was seen."""
    kept = session.scalar(select(GameRecord).where(GameRecord.id == seen.id).with_for_update(of=GameRecord))
    if kept is None or kept.changes != seen.changes or kept.finished is not None:
        raise Conflict(CHANGED)
    kept.changes += 1
    return kept


def _play_out(session: Session, record: GameRecord, position: Position) -> None:
    """A game has come to its end on the board."""
    finish(session, record, "played", _sign(position.result), rating_key(position.game, record))


def _leave_unfinished(session: Session, account_id: int, game: str, *, give_up: bool) -> None:
    """Who begins a rated game gives up the one that is still open, so that nobody leaves a game to lose nothing.

    One in which the person has not moved is forgotten instead; any other is lost, so they must have said that they
    want that.
    """
    open_game = session.scalar(
        select(GameRecord)
        .where(
            GameRecord.account_id == account_id,
            GameRecord.game == game,
            GameRecord.rated,
            GameRecord.finished.is_(None),
        )
        .with_for_update(of=GameRecord)
    )
    if open_game is None:
        return
    if open_game.changes:
        if not give_up:
            raise StillOpen(
                f"a rated game of {game} is still open: go on with it, or give it up (give_up: true), which loses it",
                open_game.id,
            )
        open_game.changes += 1
        finish(session, open_game, "resigned", -1 if open_game.seat == 0 else 1)
    else:
        session.delete(open_game)
    session.flush()


def _after(position: Position, count: int) -> Position:
    """The position after the first so many moves of a game."""
    return position_after(position.game, position.moves[:count])


def _sign(result: float) -> int:
    return (result > 0) - (result < 0)
