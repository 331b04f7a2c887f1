"""The data port: ratings of agents and people, and what clients keep for an account."""

from __future__ import annotations

import json
from typing import Any

from nought.errors import NoughtError
from nought.rating.elo import STANDARD
from nought.server.dependencies import People
from nought.server.http.errors import Unauthorised
from nought.server.people.custom_data import LARGEST_VALUE, from_json
from nought.server.people.ratings import SCORES, closest, starting_rating
from nought.server.people.store import AccountRow
from nought.server.tcp.reading import GAME, NUMBER, ClientReader, Goodbye, read, read_number, read_sized

GET_RATING, SET_RATING, RESULT, CLOSEST, DATA, TOKEN = 1, 2, 3, -1, -2, -3
K = 32  # how much a game counts for in 003's server
COUNTERS = "game_counter"  # where 003's clients keep how many games were won, lost and tied
LONGEST_PATH = 32  # keys
LONGEST_TOKEN = 200
PICKLE = b"\x80"  # how a pickle of protocol 2 or later begins


class DataConnection:
    """Answers requests for ratings of agents (1, 2, …, the weakest first) and of people (-1, -2, …), and keeps data."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.opponents = people.opponents
        self.game = people.opponents.game(GAME)
        self.account: AccountRow | None = None
        self.address = ""
        self.actions = {
            GET_RATING: self._rating,
            SET_RATING: self._set_rating,
            RESULT: self._result,
            CLOSEST: self._closest,
            DATA: self._data,
            TOKEN: self._token,
        }

    async def __call__(self, reader: ClientReader, address: str) -> bytes:
        action = self.actions.get(await read_number(reader))
        if action is None:
            raise Goodbye
        self.address = address
        return await action(reader)

    async def _rating(self, reader: ClientReader) -> bytes:
        return NUMBER.pack(round(await self._rating_of(await read_number(reader))))

    async def _rating_of(self, number: int) -> float:
        """A player's rating; of one that has none, or is not there, that of a new player."""
        agents = self.opponents.agents(self.game)
        rating = None
        if 1 <= number <= len(agents):
            rating = agents[number - 1].rating
        elif number < 0:
            rating = await self.people.ladder.rating(-number, GAME)
        return starting_rating(agents) if rating is None else rating

    async def _set_rating(self, reader: ClientReader) -> bytes:
        """Ratings follow from games and cards, and nobody sets them: the answer is that it changed by 0."""
        await read(reader, 2 * NUMBER.size)
        return NUMBER.pack(0)

    async def _result(self, reader: ClientReader) -> bytes:
        """By how much a game would move the first player's rating (000, equation 46); nothing is kept of hearsay."""
        player, opponent, won = [await read_number(reader) for _ in range(3)]
        difference = await self._rating_of(player) - await self._rating_of(opponent)
        score = SCORES[won] if won in SCORES else SCORES[-1]
        return NUMBER.pack(int(abs(K * (score - STANDARD.expected(difference)))))

    async def _closest(self, reader: ClientReader) -> bytes:
        rating = await read_number(reader)
        agents = self.opponents.agents(self.game)
        found = closest(agents, rating)
        return NUMBER.pack(len(agents) if found is None else agents.index(found) + 1)

    async def _token(self, reader: ClientReader) -> bytes:
        """Who speaks on this connection from now on; the answer is the account's number, or 0 for nobody's token."""
        token = await read_sized(reader, LONGEST_TOKEN)
        try:
            self.account = await self.people.accounts.of_token(token.decode(errors="replace"))
        except Unauthorised:
            self.account = None
        return NUMBER.pack(-self.account.id if self.account else 0)

    async def _data(self, reader: ClientReader) -> bytes:
        text = await read_sized(reader, LARGEST_VALUE)
        try:
            answer = json.dumps(await self._kept(text))
        except NoughtError as error:
            answer = json.dumps({"error": str(error)})
        return NUMBER.pack(len(answer)) + answer.encode()

    async def _kept(self, text: bytes) -> Any:
        """Of a request [file, [key, …]] the value; of [file, [key, …], value] whether it is kept now."""
        if text[:1] == PICKLE:
            raise NoughtError("this server reads no pickle: send the same as JSON")
        file, keys, *value = _parsed(from_json(text))
        if (file, keys[0]) == (GAME, COUNTERS):
            return await self._counted(keys[1:], value)
        if self.account is None:
            raise Unauthorised("data belongs to an account: first send action -3 with its token")
        if not value:
            return await self.people.data.get_inside(self.account, file, keys)
        await self.people.data.put_inside(self.account, file, keys, value[0], self.address)
        return True

    async def _counted(self, keys: list[str], value: list[Any]) -> Any:
        """How many games people have won, lost and tied on this server, all three or one of them."""
        if value:
            raise NoughtError("the counters follow from the games that this server saw; nobody sets them")
        counts = await self.people.ladder.results(GAME)
        return counts if not keys else counts.get(keys[0]) if len(keys) == 1 else None


def _parsed(request: Any) -> Any:
    match request:
        case [str(), [str(), *more], *value] if len(value) <= 1 and len(more) < LONGEST_PATH:
            if all(isinstance(key, str) for key in more):
                return request
    raise NoughtError('a request is ["file", ["key", …]] or ["file", ["key", …], value]')
