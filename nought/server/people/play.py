"""Games of people against agents. The server alone says what is legal, whose turn it is and who has won.

A move is kept together with the agent's answer to it, in one transaction: a game in the store is always over or
waits for its person, whatever crashed, and what was answered is kept.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from nought.arithmetic import sign
from nought.errors import NoughtError
from nought.games import Game, Position
from nought.server.http.errors import Conflict, Forbidden, NotFound, StillOpen, shown
from nought.server.http.rate_limit import Buckets
from nought.server.people.accounts import find_named
from nought.server.people.ladder import ServerLadder
from nought.server.people.opponents import Opponents
from nought.server.people.ratings import (
    deviation_of,
    finish,
    rating_row,
    starting_rating,
)
from nought.server.people.repeats import rating_key
from nought.server.people.store import AccountRow, Database, GameRow
from nought.server.views import parse_position, position_after
from nought.wire.games import OfferedAgent
from nought.wire.play import CLOSEST, NewGameRequest, RecordRequest

LONGEST_ID = 32
MOST_LISTED = 100
SEATS = {"first": 0, "second": 1}
CHANGED_MEANWHILE = "the game has changed meanwhile; look at it again"

# What every move needs is put together once.
GAME_BY_ID = select(GameRow).where(GameRow.id == bindparam("its_id"))
CHANGE_GAME = (
    update(GameRow)
    .where(
        GameRow.id == bindparam("its_id"),
        GameRow.changes == bindparam("seen"),
        GameRow.finished.is_(None),
    )
    .values(moves=bindparam("new_moves"), opponent_value=bindparam("new_value"), changes=GameRow.changes + 1)
    .execution_options(synchronize_session=False)
)


class Playing:
    """Begins games, takes moves, and remembers."""

    def __init__(
        self, database: Database, opponents: Opponents, ladder: ServerLadder, buckets: Buckets
    ) -> None:
        self.database, self.opponents, self.ladder, self.buckets = database, opponents, ladder, buckets

    async def begin(self, account: AccountRow, wanted: NewGameRequest, client: str) -> GameRow:
        """A new game, in which the agent has moved if it is first; its thinking is part of the client's share."""
        game = self.opponents.game(wanted.game)
        position = parse_position(game, wanted.start or "")
        given = len(position.moves)
        agent = await self._opponent(account, game, wanted)
        _check(wanted, position, agent)
        seat = draw_seat() if wanted.side == "random" else SEATS[wanted.side]
        position, value = await self._answer(account, position, seat, agent.name, wanted.simulations, client)
        start = starting_rating(self.opponents.agents(game))

        def work(session: Session) -> GameRow:
            row = GameRow(
                id=secrets.token_urlsafe(16),
                game=game.name,
                account_id=account.id,
                seat=seat,
                agent=agent.name,
                simulations=wanted.simulations,
                rated=wanted.rated,
                start=given,
                moves=list(position.moves),
                opponent_value=value,
            )
            if wanted.rated:
                row.agent_rating, row.agent_deviation = agent.rating, deviation_of(agent.interval)
                rating_row(session, account.id, game.name, start)
                _leave_unfinished(session, account.id, game.name, give_up=wanted.give_up)
            session.add(row)
            session.flush()
            if position.finished:
                _play_out(session, row, position)
            session.refresh(row, ["account"])
            return row

        return await self.database.write(work)

    async def record(self, account: AccountRow, played: RecordRequest) -> GameRow:
        """Keep a casual game that is over: its moves are legal, and that the agent would have made its own is believed.
        One that is kept already stays as it is."""
        game = self.opponents.game(played.game)
        position = parse_position(game, played.moves)
        agent = self.opponents.agent(game, played.opponent)
        seat = SEATS[played.side]
        if position.finished == played.resigned or played.given > len(position.moves):
            raise NoughtError("a game that is kept is over: played to its end, or else resigned")

        def work(session: Session) -> GameRow:
            if (kept := session.scalar(GAME_BY_ID, {"its_id": played.id})) is not None:
                if kept.account_id != account.id:
                    raise Forbidden("this is somebody else's game: you may watch it")
                return kept
            row = GameRow(
                id=played.id,
                game=game.name,
                account_id=account.id,
                seat=seat,
                agent=agent.name,
                simulations=None,
                rated=False,
                start=played.given,
                moves=list(position.moves),
                opponent_value=None,
            )
            session.add(row)
            session.flush()
            if position.finished:
                _play_out(session, row, position)
            else:
                finish(session, row, "resigned", -1 if seat == 0 else 1)
            session.refresh(row, ["account"])
            return row

        return await self.database.write(work)

    async def move(self, account: AccountRow, id: str, action: int, ply: int | None, client: str) -> GameRow:
        """The game after a person's move and the agent's answer; `ply` says for which position the move is meant."""
        with self._thinking_about(account, id):
            row = await self._own(account, id)
            if ply is not None and ply != len(row.moves):
                raise Conflict("the game has gone on since; look at it again")
            position = self.position(row).play(action)
            position, value = await self._answer(
                account, position, row.seat, row.agent, row.simulations, client
            )
            value = row.opponent_value if value is None else value
            if not position.finished:
                return await self._go_on(row, list(position.moves), value)

            def work(session: Session) -> GameRow:
                kept = _unchanged(session, row)
                kept.moves, kept.opponent_value = list(position.moves), value
                _play_out(session, kept, position)
                return kept

            return await self.database.write(work)

    async def undo(self, account: AccountRow, id: str) -> GameRow:
        """Back to where the person last moved."""
        with self._thinking_about(account, id):
            row = await self._own(account, id)
            if row.rated:
                raise Forbidden("moves of a rated game cannot be taken back; play a casual one for that")
            position = self.position(row)
            counts = range(row.start, len(row.moves))
            turns = [n for n in counts if _after(position, n).player == row.seat]
            if not turns:
                raise Conflict("there is nothing to take back")

            return await self._go_on(row, row.moves[: turns[-1]], None)

    async def resign(self, account: AccountRow, id: str) -> GameRow:
        row = await self._own(account, id)

        def work(session: Session) -> GameRow:
            kept = _unchanged(session, row)
            finish(session, kept, "resigned", -1 if row.seat == 0 else 1)
            return kept

        return await self.database.write(work)

    async def find(self, id: str) -> GameRow:
        """The game of this id: whoever has the id may see it."""
        return await self.database.read(lambda session: _find(session, id))

    async def games(
        self, *, player: str | None, game: str | None, limit: int, before: str | None
    ) -> Sequence[GameRow]:
        """Games, the newest first: of one player, of one game, from before another one."""

        def work(session: Session) -> Sequence[GameRow]:
            wanted = select(GameRow).order_by(GameRow.number.desc()).limit(limit)
            if player is not None:
                account = find_named(session, player)
                if account is None:
                    raise NotFound(f"there is no player called {shown(player)}")
                wanted = wanted.where(GameRow.account_id == account.id)
            if game is not None:
                wanted = wanted.where(GameRow.game == self.opponents.game(game).name)
            if before is not None:
                wanted = wanted.where(GameRow.number < _find(session, before).number)
            return session.scalars(wanted).all()

        return await self.database.read(work)

    def position(self, row: GameRow) -> Position:
        """Where a game stands."""
        game = self.opponents.game(row.game)
        position = position_after(game, ())
        for count in range(1, len(row.moves) + 1):
            position = position_after(game, tuple(row.moves[:count]))
        return position

    async def _opponent(self, account: AccountRow, game: Game, wanted: NewGameRequest) -> OfferedAgent:
        name = wanted.opponent
        if name == CLOSEST:
            name = (await self.ladder.opponent(account, game.name)).name
        return self.opponents.agent(game, name, wanted.simulations)

    async def _answer(
        self,
        account: AccountRow,
        position: Position,
        seat: int,
        agent: str,
        simulations: int | None,
        client: str,
    ) -> tuple[Position, float | None]:
        """Where the game stands when it is the person's turn again, and what the agent thinks of it."""
        value = None
        while not position.finished and position.player != seat:
            choice = await self.opponents.choose(
                position, agent, simulations, client=client, account=account.id, varied=True
            )
            position, value = position.play(choice.action), choice.value
        return position, value

    async def _go_on(self, row: GameRow, moves: list[int], value: float | None) -> GameRow:
        """The game with other moves, if it still is as it was seen."""
        known = {"its_id": row.id, "seen": row.changes, "new_moves": moves, "new_value": value}
        await self.database.write(lambda session: _change(session, known), flush=False)
        row.moves, row.opponent_value, row.changes = moves, value, row.changes + 1
        return row

    async def _own(self, account: AccountRow, id: str) -> GameRow:
        """A game that this person may go on with."""
        row = await self.find(id)
        if row.account_id != account.id:
            raise Forbidden("this is somebody else's game: you may watch it")
        if row.finished is not None:
            raise Conflict("the game is over")
        return row

    @contextmanager
    def _thinking_about(self, account: AccountRow, id: str) -> Iterator[None]:
        """One change of a game at a time; what a stranger asks, who will be refused, is not in its owner's way."""
        asked = f"{account.id} {id}"
        if not self.buckets.games.enter(asked):
            raise Conflict("it is not your turn: the agent is thinking")
        try:
            yield
        finally:
            self.buckets.games.leave(asked)


def draw_seat() -> int:
    """Who moves first is drawn by lot: 0 if the person does."""
    return secrets.randbelow(2)


def _check(wanted: NewGameRequest, position: Position, agent: OfferedAgent) -> None:
    if position.finished:
        raise NoughtError("the game is over after these moves; begin with fewer")
    if not wanted.rated:
        return
    if position.moves:
        raise NoughtError("a rated game begins at the start; play a casual one from another position")
    if wanted.simulations is not None:
        raise NoughtError("in a rated game the agent searches as it was rated; leave simulations out")
    if agent.rating is None:
        raise NoughtError(
            f"{agent.name} has no rating yet, so games against it cannot be rated; play a casual one"
        )


def _find(session: Session, id: str) -> GameRow:
    plain = len(id) <= LONGEST_ID and id.isascii() and id.isprintable()  # PostgreSQL takes no NUL
    found = session.scalar(GAME_BY_ID, {"its_id": id}) if plain else None
    if found is None:
        raise NotFound(f"there is no game {shown(id)}")
    return found


def _change(session: Session, known: dict[str, Any]) -> None:
    if session.execute(CHANGE_GAME, known).rowcount != 1:  # type: ignore[attr-defined]  # an update's result has one
        raise Conflict(CHANGED_MEANWHILE)


def _unchanged(session: Session, seen: GameRow) -> GameRow:
    """The game, locked, if it still is as it was seen."""
    kept = session.scalar(select(GameRow).where(GameRow.id == seen.id).with_for_update(of=GameRow))
    if kept is None or kept.changes != seen.changes or kept.finished is not None:
        raise Conflict(CHANGED_MEANWHILE)
    kept.changes += 1
    return kept


def _play_out(session: Session, row: GameRow, position: Position) -> None:
    """A game has come to its end on the board."""
    finish(session, row, "played", sign(position.result), rating_key(position.game, row))


def _leave_unfinished(session: Session, account_id: int, game: str, *, give_up: bool) -> None:
    """Who begins a rated game gives up the one that is still open, so that nobody leaves a game to lose nothing.

    One in which the person has not moved is forgotten instead; any other is lost, so they must have said that they
    want that.
    """
    open_game = session.scalar(
        select(GameRow)
        .where(
            GameRow.account_id == account_id,
            GameRow.game == game,
            GameRow.rated,
            GameRow.finished.is_(None),
        )
        .with_for_update(of=GameRow)
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
    """The position after the first moves of a game, this many."""
    return position_after(position.game, position.moves[:count])
