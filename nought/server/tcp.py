"""The papers' wire protocol (000, sections 3.2 and 3.3): docs/reference/protocol.md says it byte by byte.

Two ports: one answers Connect 4 positions, the other ratings and an account's data. Nothing that comes in is trusted:
every request has a largest size and a time by which it must be there, and connections are counted.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
from asyncio import StreamReader as Reader
from asyncio import StreamWriter as Writer
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.board import cell_of_move
from nought.server.dependencies import People
from nought.server.http.errors import Busy, TooMany, Unauthorised
from nought.server.people.custom_data import LARGEST, from_json
from nought.server.people.ratings import closest, starting_rating
from nought.server.people.store import Account, RatingRecord
from nought.server.settings import Settings

log = logging.getLogger("nought.server")

GAME = "connect4"
ROWS, COLUMNS = 6, 7
CELLS = ROWS * COLUMNS
STATE = struct.Struct(f"<{2 * CELLS + 2}i")  # both players' stones, who is to move, the version
NUMBER = struct.Struct("<i")
ILLEGAL, BUSY = -1, -2  #   answers instead of an action

GET_RATING, SET_RATING, CLOSEST, DATA, TOKEN = 1, 2, -1, -2, -3
LONGEST_PATH = 32  #        keys
LONGEST_TOKEN = 200
PICKLE = b"\x80"  #         how a pickle of protocol 2 or later begins

PATIENCE = 10.0  #          seconds for a request to arrive, and for an answer to be taken
CONNECTIONS = 256  #        at once, on a port
OF_ONE_ADDRESS = 32
REQUESTS = 10_000  #        of a connection

Client = Callable[[Reader, str], Awaitable[bytes]]  # reads a request from this address and answers it


@asynccontextmanager
async def open_tcp(app: FastAPI) -> AsyncIterator[None]:
    """Listen on both ports while the application runs, if the settings say so."""
    settings = app.state.services.settings
    if not settings.tcp:
        yield
        return
    ports = await start_tcp(app.state.people, settings.host, settings.ai_port, settings.data_port)
    app.state.tcp = ports
    log.info("the papers' protocol: moves on port %d, data on port %d", *(port.number for port in ports))
    try:
        yield
    finally:
        for port in ports:
            port.close()


async def start_tcp(people: People, host: str, ai_port: int, data_port: int) -> tuple[Port, Port]:
    """Listen on the AI port and on the data port."""
    ai, data = Port(lambda: AsksForMoves(people)), Port(lambda: AsksForData(people))
    await ai.open(host, ai_port)
    try:
        await data.open(host, data_port)
    except NoughtError:
        ai.close()
        raise
    return ai, data


def check_ports(settings: Settings) -> None:
    """Say before anything starts which port is taken."""
    for number in (settings.ai_port, settings.data_port) if settings.tcp else ():
        try:
            socket.create_server((settings.host, number)).close()
        except OSError as error:
            raise _cannot_open(settings.host, number, error) from None


def _cannot_open(host: str, number: int, error: OSError) -> NoughtError:
    return NoughtError(f"the TCP port {number} of {host} cannot be opened: {error.strerror or error}")


class Port:
    """Lets clients in, no more than there is room for, and out when they are done, slow or wrong."""

    def __init__(self, client: Callable[[], Client]) -> None:
        self.client = client
        self.inside: Counter[str] = Counter()  # connections by address
        self.writers: set[Writer] = set()

    async def open(self, host: str, number: int) -> None:
        try:
            self.server = await asyncio.start_server(self.enter, host, number, limit=2 * LARGEST)
        except OSError as error:
            raise _cannot_open(host, number, error) from None
        self.number = self.server.sockets[0].getsockname()[1]  # which the system has chosen if it was 0

    def close(self) -> None:
        """Let nobody in any more, and everybody out."""
        self.server.close()
        for writer in self.writers:
            writer.close()

    async def enter(self, reader: Reader, writer: Writer) -> None:
        address = str((writer.get_extra_info("peername") or ("",))[0])
        if self.inside.total() >= CONNECTIONS or self.inside[address] >= OF_ONE_ADDRESS:
            writer.close()
            return
        self.inside[address] += 1
        self.writers.add(writer)
        try:
            await self._answer(reader, writer, address)
        except (asyncio.IncompleteReadError, Goodbye):
            pass
        except OSError:  # it has gone or is too slow (TimeoutError): what it has not taken is not kept for it
            writer.transport.abort()
        except Exception:
            log.exception("a TCP request failed")
        finally:
            self.writers.discard(writer)
            self.inside[address] -= 1
            self.inside += Counter()  # forgets the addresses from which nobody is left
            writer.close()

    async def _answer(self, reader: Reader, writer: Writer, address: str) -> None:
        """Answer one request after the other."""
        client = self.client()
        for _ in range(REQUESTS):
            writer.write(await client(reader, address))
            async with asyncio.timeout(PATIENCE):
                await writer.drain()


class Goodbye(Exception):
    """The client does not speak the protocol: there is no telling where its next request would begin."""


# ---- the AI port ------------------------------------------------------------------------------------------------
class AsksForMoves:
    """Sends a position of Connect 4 and the version to ask; gets the cell in which its stone comes to rest."""

    def __init__(self, people: People) -> None:
        self.agents = people.playing.agents
        self.game = self.agents.game(GAME)

    async def __call__(self, reader: Reader, address: str) -> bytes:
        *state, version = STATE.unpack(await _read(reader, STATE.size))
        try:
            position = position_of(self.game, state)
            choice = await self.agents.choose(position, self._agent(version), client=f"tcp {address}")
            return NUMBER.pack(cell_of_move(position, choice.action))
        except (Busy, TooMany):
            return NUMBER.pack(BUSY)
        except NoughtError:
            return NUMBER.pack(ILLEGAL)

    def _agent(self, version: int) -> str:
        """Versions are the game's agents, the weakest 1; any other number means the best."""
        agents = self.agents.agents(self.game)
        return agents[version - 1 if 1 <= version <= len(agents) else -1].name


def position_of(game: Game, numbers: Sequence[int]) -> Position:
    """The position of 85 numbers: 42 cells of who starts, 42 of the other, and whose turn it is (1, or 0 or -1)."""
    if any(number not in (0, 1) for number in numbers[:-1]) or numbers[-1] not in (1, 0, -1):
        raise NoughtError("a state has 84 zeros and ones, then 1 for the first player's turn or -1")
    stones = [[c for c in range(CELLS) if numbers[CELLS * p + c]] for p in (0, 1)]
    everywhere = set(stones[0]) | set(stones[1])
    turn = 0 if numbers[-1] == 1 else 1
    if len(everywhere) < len(stones[0]) + len(stones[1]):
        raise NoughtError("a cell has two stones")
    if len(stones[0]) - len(stones[1]) != turn:
        raise NoughtError("the numbers of stones do not agree with whose turn it is")
    if any(cell + COLUMNS < CELLS and cell + COLUMNS not in everywhere for cell in everywhere):
        raise NoughtError("a stone has nothing below it")
    state = game.zero_state()
    state[game.rules.MINE] = _bits(game, stones[turn])
    state[game.rules.ALL] = _bits(game, sorted(everywhere))
    position = Position(game, state)
    waiting = Position(game, _other_side(game, state))
    if position.finished or waiting.finished:
        raise NoughtError("the game is over")
    return position


def _bits(game: Game, cells: Sequence[int]) -> Any:
    return game.rules.board([(cell % COLUMNS, ROWS - 1 - cell // COLUMNS) for cell in cells])


def _other_side(game: Game, state: Any) -> Any:
    """The stones seen by who is not to move: so that a row of either player's is found."""
    other = state.copy()
    other[game.rules.MINE] ^= other[game.rules.ALL]
    return other


# ---- the data port ----------------------------------------------------------------------------------------------
class AsksForData:
    """Asks for ratings of agents (1, 2, …, the weakest first) and of people (-1, -2, …), and keeps data."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.agents = people.playing.agents
        self.game = self.agents.game(GAME)
        self.account: Account | None = None
        self.actions = {
            GET_RATING: self._rating,
            SET_RATING: self._set_rating,
            CLOSEST: self._closest,
            DATA: self._data,
            TOKEN: self._token,
        }

    async def __call__(self, reader: Reader, address: str) -> bytes:
        action = self.actions.get(await _number(reader))
        if action is None:
            raise Goodbye
        return await action(reader)

    async def _rating(self, reader: Reader) -> bytes:
        number = await _number(reader)
        agents = self.agents.agents(self.game)
        rating = None
        if 1 <= number <= len(agents):
            rating = agents[number - 1].rating
        elif number < 0:
            place = (-number, self.game.name)
            record = await self.people.database.read(lambda session: session.get(RatingRecord, place))
            rating = record.rating if record else None
        return NUMBER.pack(round(starting_rating(agents) if rating is None else rating))

    async def _set_rating(self, reader: Reader) -> bytes:
        """Ratings follow from games and cards, and nobody sets them: the answer is that it changed by 0."""
        await _read(reader, 2 * NUMBER.size)
        return NUMBER.pack(0)

    async def _closest(self, reader: Reader) -> bytes:
        rating = await _number(reader)
        agents = self.agents.agents(self.game)
        found = closest(agents, rating)
        return NUMBER.pack(len(agents) if found is None else agents.index(found) + 1)

    async def _token(self, reader: Reader) -> bytes:
        """Who speaks on this connection from now on; the answer is the account's number, or 0 for nobody's token."""
        token = await _sized(reader, LONGEST_TOKEN)
        try:
            self.account = await self.people.accounts.of_token(token.decode(errors="replace"))
        except Unauthorised:
            self.account = None
        return NUMBER.pack(-self.account.id if self.account else 0)

    async def _data(self, reader: Reader) -> bytes:
        text = await _sized(reader, LARGEST)
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
        await self.people.data.put_inside(self.account, file, keys, value[0])
        return True


def _parsed(request: Any) -> Any:
    match request:
        case [str(), [str(), *more], *value] if len(value) <= 1 and len(more) < LONGEST_PATH:
            if all(isinstance(key, str) for key in more):
                return request
    raise NoughtError('a request is ["file", ["key", …]] or ["file", ["key", …], value]')


# ---- reading ----------------------------------------------------------------------------------------------------
async def _read(reader: Reader, size: int) -> bytes:
    async with asyncio.timeout(PATIENCE):
        return await reader.readexactly(size)


async def _number(reader: Reader) -> int:
    return int(NUMBER.unpack(await _read(reader, NUMBER.size))[0])


async def _sized(reader: Reader, largest: int) -> bytes:
    """So many bytes as the number before them says."""
    size = await _number(reader)
    if not 0 <= size <= largest:
        raise Goodbye
    return await _read(reader, size)
