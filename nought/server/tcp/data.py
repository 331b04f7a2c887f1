"""The data port: ratings of agents and people, and what clients keep for an account."""

from __future__ import annotations

import json
from typing import Any

from nought.errors import NoughtError
from nought.server.dependencies import People
from nought.server.http.errors import Unauthorised
from nought.server.people.custom_data import LARGEST_VALUE, from_json
from nought.server.people.ratings import closest, starting_rating
from nought.server.people.store import AccountRow
from nought.server.tcp.reading import GAME, NUMBER, ClientReader, Goodbye, read, read_number, read_sized

GET_RATING, SET_RATING, CLOSEST, DATA, TOKEN = 1, 2, -1, -2, -3
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
        number = await read_number(reader)
        agents = self.opponents.agents(self.game)
        rating = None
        if 1 <= number <= len(agents):
            rating = agents[number - 1].rating
        elif number < 0:
            rating = await self.people.ladder.rating(-number, GAME)
        return NUMBER.pack(round(starting_rating(agents) if rating is None else rating))

    async def _set_rating(self, reader: ClientReader) -> bytes:
        """Ratings follow from games and cards, and nobody sets them: the answer is that it changed by 0."""
        await read(reader, 2 * NUMBER.size)
        return NUMBER.pack(0)

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
        if self.account is None:
            raise Unauthorised("data belongs to an account: first send action -3 with its token")
        if not value:
            return await self.people.data.get_inside(self.account, file, keys)
        await self.people.data.put_inside(self.account, file, keys, value[0], self.address)
        return True


def _parsed(request: Any) -> Any:
    match request:
        case [str(), [str(), *more], *value] if len(value) <= 1 and len(more) < LONGEST_PATH:
            if all(isinstance(key, str) for key in more):
                return request
    raise NoughtError('a request is ["file", ["key", …]] or ["file", ["key", …], value]')
