"""Who is how strong in a game: people by their ratings, agents by theirs, and who meets whom."""

from __future__ import annotations

import time
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from nought.server.http.errors import NotFound
from nought.server.people.opponents import Opponents
from nought.server.people.ratings import closest, middling, rated_games, starting_rating
from nought.server.people.store import AccountRow, Database, GameRow, RatingRow
from nought.wire.accounts import LadderEntry, RatingAnswer, RatingPoint
from nought.wire.games import OfferedAgent

MOST_PEOPLE = 200  # on the ladder of a game
COUNTED_FOR = 10.0  # seconds until the games are counted anew, since that looks at each
Rated = tuple[float, str, Literal["person", "agent"], int | None]  # rating, name, kind, games


class ServerLadder:
    """Reads ratings."""

    def __init__(self, database: Database, opponents: Opponents) -> None:
        self.database, self.opponents = database, opponents
        self._counted: dict[str, tuple[float, dict[str, int]]] = {}  # of a game: until when, and its counts

    async def rating(self, account_id: int, name: str) -> float:
        """A person's rating in a game; of who has none, that of a new player."""
        game = self.opponents.game(name)
        row = await self._row(account_id, game.name)
        return row.rating if row else starting_rating(self.opponents.agents(game))

    async def ratings(self, account: AccountRow) -> tuple[RatingAnswer, ...]:
        """A person's ratings in all games, with their history."""

        def work(session: Session) -> tuple[RatingAnswer, ...]:
            rated = RatingRow.account_id == account.id, RatingRow.games > 0
            rows = session.scalars(select(RatingRow).where(*rated).order_by(RatingRow.game))
            return tuple(_rating_view(session, row) for row in rows.all())

        return await self.database.read(work)

    async def entries(self, name: str) -> list[LadderEntry]:
        """Whoever has a rating in a game, best first. A person has one after a rated game."""
        game = self.opponents.game(name)

        rated = RatingRow.game == game.name, RatingRow.games > 0
        best = select(RatingRow).where(*rated).order_by(RatingRow.rating.desc()).limit(MOST_PEOPLE)
        people = await self.database.read(lambda session: session.scalars(best).all())
        found: list[Rated] = [(row.rating, row.account.name, "person", row.games) for row in people]
        agents = self.opponents.agents(game)
        found += [(agent.rating, agent.name, "agent", None) for agent in agents if agent.rating is not None]
        found.sort(key=lambda rated: (-rated[0], rated[1]))
        return [
            LadderEntry(rank=rank, kind=kind, name=name, rating=rating, games=games)
            for rank, (rating, name, kind, games) in enumerate(found, 1)
        ]

    async def results(self, name: str) -> dict[str, int]:
        """How many games people have won, lost and tied against agents, as of the last seconds."""
        until, counts = self._counted.get(name, (0.0, {}))
        if time.monotonic() >= until:
            counts = await self.database.read(lambda session: _count_results(session, name))
            self._counted[name] = time.monotonic() + COUNTED_FOR, counts
        return counts

    async def opponent(self, account: AccountRow | None, name: str) -> OfferedAgent:
        """Whom a person meets who names nobody: the closest agent that is not worse or, before the first rated game,
        the middling one."""
        game = self.opponents.game(name)
        agents = self.opponents.agents(game)
        if not agents:
            raise NotFound(f"no agent plays {game.name} here; name one as the opponent")
        row = await self._row(account.id, game.name) if account else None
        found = closest(agents, row.rating) if row and row.games else middling(agents)
        return found or agents[len(agents) // 2]  # none has a rating

    async def _row(self, account_id: int, game: str) -> RatingRow | None:
        return await self.database.read(lambda session: session.get(RatingRow, (account_id, game)))


def _count_results(session: Session, game: str) -> dict[str, int]:
    ended = GameRow.game == game, GameRow.result.is_not(None)
    by_seat = select(GameRow.seat, GameRow.result, func.count()).where(*ended)
    counts = {"win": 0, "lose": 0, "tie": 0}
    for seat, result, count in session.execute(by_seat.group_by(GameRow.seat, GameRow.result)):
        counts["tie" if not result else "win" if (result > 0) == (seat == 0) else "lose"] += count
    return counts


def _rating_view(session: Session, row: RatingRow) -> RatingAnswer:
    history = tuple(
        RatingPoint(at=game.finished, rating=game.rating_after, game_id=game.id)  # type: ignore[arg-type]
        for game in rated_games(session, row.account_id, row.game)
    )
    return RatingAnswer(
        game=row.game, rating=row.rating, deviation=row.deviation, games=row.games, history=history
    )
