"""One address cannot lock others out: accounts, searches and lanes are shared by address, and end with who asked."""

import asyncio
import json
import logging
import threading
from collections import Counter
from concurrent.futures import Future
from contextlib import ExitStack

import numpy as np
import pytest

from nought.server.http.errors import Busy, TooMany
from nought.server.http.rate_limit import Buckets, share_of
from nought.server.people.opponents import Opponents
from nought.server.settings import ServerLimits
from nought.server.thinking import oracles as oracles_module
from nought.server.thinking.engine import ThinkingEngine
from nought.server.thinking.oracles import Oracles
from nought.server.thinking.searches import Searches
from nought.server.thinking.waiting import SHORT, SLICE, Ticket, WaitingJobs
from nought.wire.play import NewGameRequest
from tests.server.support.people import GAMES, RandomAgents, make_app, make_people, run
from tests.server.support.serving import serving

LANE = ("connect4", "rollout")


@pytest.mark.parametrize(
    ("address", "share"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_network_is_one_client(address: str, share: str) -> None:
    assert share_of(address) == share


@pytest.mark.parametrize("greedy", [1, 2, 8, 40])
def test_who_takes_all_they_can_leave_a_share_for_one_more(greedy: int) -> None:
    searches = Searches(ServerLimits(searches=512, searches_of_one=512))
    with ExitStack() as held:
        for _ in range(512):
            for client in range(greedy):
                try:
                    held.enter_context(searches.counted(LANE, f"attacker {client}"))
                except TooMany:
                    continue
        free = 512 - searches.places.taken.total()
        assert free >= 512 // (greedy + 1)
        held.enter_context(searches.counted(LANE, "somebody else"))
    assert not searches.places.taken


def test_one_client_cannot_hold_every_lane() -> None:
    searches = Searches(ServerLimits(networks=8))
    with ExitStack() as held:
        for lane in range(4):
            held.enter_context(searches.counted(("connect4", str(lane)), "attacker"))
        with pytest.raises(TooMany, match="agents at once"):
            held.enter_context(searches.counted(("connect4", "4"), "attacker"))
        held.enter_context(searches.counted(("connect4", "0"), "attacker"))  # one that it has
        held.enter_context(searches.counted(("connect4", "new"), "somebody else"))


def test_when_all_is_taken_the_server_is_busy() -> None:
    searches = Searches(ServerLimits(searches=1))
    with searches.counted(LANE, "a"), pytest.raises(Busy), searches.counted(LANE, "b"):
        pass


# ---- turns --------------------------------------------------------------------------------------------------
def ticket(client: str, asked: int, needs: int) -> Ticket:
    """A job that asks about some positions each time, and about `needs` in all."""
    job = (np.zeros((asked, 1)) for _ in range(1))
    return Ticket(client, job, Future(), needs, begun=True, asked=np.zeros((asked, 1)))


def clients(turn: list[Ticket]) -> list[str]:
    return [ticket.client for ticket in turn]


def test_many_searches_of_one_client_do_not_keep_one_of_another_waiting() -> None:
    waiting = WaitingJobs()
    for _ in range(100):
        waiting.add(ticket("attacker", asked=4, needs=4))
    waiting.add(ticket("somebody", asked=4, needs=4))
    assert clients(waiting.take(room=64)) == ["attacker", "somebody"] + ["attacker"] * 14
    assert clients(waiting.take(room=64)) == ["attacker"] * 16  # all of it when nobody else waits
    waiting.add(ticket("late", asked=4, needs=4))
    assert clients(waiting.take(room=64))[:2] == ["late", "attacker"]


def test_more_clients_than_a_batch_has_room_for_take_turns() -> None:
    waiting = WaitingJobs()
    for client in range(10):
        waiting.add(ticket(str(client), asked=1, needs=1))
        waiting.add(ticket(str(client), asked=1, needs=1))
    turns = [clients(waiting.take(room=4)) for _ in range(5)]
    assert turns == [list("0123"), list("4567"), list("8901"), list("2345"), list("6789")]
    assert not waiting


def test_who_asks_for_more_waits_for_others_who_ask_for_less() -> None:
    waiting = WaitingJobs()
    for _ in range(4):
        waiting.add(ticket("large", asked=1, needs=40))
    for _ in range(8):
        waiting.add(ticket("small", asked=1, needs=10))
    assert clients(waiting.take(room=10)) == ["large"] + ["small"] * 4 + ["large"] + ["small"] * 4


@pytest.mark.parametrize("names", ["abc", "aaa"])  # three addresses, or three people behind one
def test_who_came_first_is_answered_first(names: str) -> None:
    """The search of a move is not put off by those that come while it is under way."""
    waiting = WaitingJobs()
    first, second, third = (ticket(name, asked=1, needs=SHORT) for name in names)
    for one in (first, second, third):
        waiting.add(one)
    for _ in range(SHORT - 1):
        assert waiting.take(room=2) == [first, second]
        waiting.add(second)
        waiting.add(first)


def test_long_searches_share_evenly_and_let_others_by() -> None:
    waiting, served = WaitingJobs(), Counter()
    for client in range(10):
        waiting.add(ticket(f"long {client}", asked=8, needs=20_000))
    waiting.add(ticket("short", asked=1, needs=1))
    for _ in range(20 * SLICE // 8):
        (taken,) = waiting.take(room=1)
        served[taken.client] += 1
        if taken.client != "short":
            waiting.add(taken)
        elif sum(served.values()) > 10 * SLICE // 8 + 1:
            pytest.fail("it has waited for more than a slice of each")
    assert served.pop("short") == 1
    assert max(served.values()) - min(served.values()) <= SLICE // 8


# ---- what it costs ------------------------------------------------------------------------------------------
def test_a_search_for_an_account_costs_its_address_too(tmp_path) -> None:
    buckets = Buckets(ServerLimits(rate=0.001, burst=10))

    class Thinking(ThinkingEngine):
        async def choose(self, *args, **options):
            return None

    with serving(tmp_path) as client:
        services = client.app.state.services
        opponents = Opponents(services.catalogue, services.roster, Thinking(ServerLimits()), buckets)
    position = GAMES["tictactoe"].start()

    async def ask(account: int, address: str) -> None:
        await opponents.choose(position, "rollout:1000", client=address, account=account)  # 5 tokens

    async def test() -> None:
        await ask(1, "a")
        await ask(2, "a")
        with pytest.raises(TooMany):
            await ask(3, "a")  # another account of the same address
        await ask(1, "b")
        with pytest.raises(TooMany):
            await ask(1, "c")  # another address of the same account

    asyncio.run(test())


def test_seconds_cost_what_they_use(tmp_path) -> None:
    """At first what they may use at most, so that ten of them at once cannot be had."""
    with serving(tmp_path, limits=ServerLimits(rate=1e-6, burst=110, simulations=20_000)) as client:
        wanted = {"game": "tictactoe", "moves": "a1b2a2a3c1", "agent": "rollout:10", "seconds": 5}
        answer = client.post("/api/analyse", json=wanted)
        assert answer.status_code == 200, answer.text
        requests = client.app.state.services.buckets.requests
        used = answer.json()["simulations"] / 200
        assert used < 100
        requests.take("testclient", 109 - used - 0.01)
        with pytest.raises(TooMany):
            requests.take("testclient", 0.02)


def test_new_accounts_of_an_address_have_a_limit(tmp_path) -> None:
    limits = ServerLimits(rate=1000, burst=1000, accounts_of_one=3)

    async def test(site) -> None:
        answers = [await site.http.post("/api/accounts") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert int(answers[-1].headers["Retry-After"]) > 1000  # 3 an hour

    run(f"{tmp_path}/a.db", test, limits=limits)


# ---- who leaves ---------------------------------------------------------------------------------------------
async def leaving(app, agents: RandomAgents, path: str, token: str, body: dict) -> int:
    """Send a request and leave as soon as the agent thinks; the status that nobody reads."""
    said, begun = asyncio.Queue(), asyncio.Event()
    await said.put({"type": "http.request", "body": json.dumps(body).encode()})
    status = []

    async def receive():
        if said.empty():
            while not agents.asked:
                await asyncio.sleep(0)
            begun.set()
            return {"type": "http.disconnect"}
        return await said.get()

    async def send(message):
        status.append(message.get("status"))

    headers = [(b"authorization", f"Bearer {token}".encode()), (b"content-type", b"application/json")]
    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": headers, "client": ("127.0.0.1", 1), "server": ("nought", 80), "scheme": "http",
        "http_version": "1.1", "root_path": "",
    }  # fmt: skip
    await app(scope, receive, send)
    assert begun.is_set()
    return status[0]


def test_begin_and_move_end_with_the_client_that_asked(tmp_path, caplog) -> None:
    agents = RandomAgents()
    people = make_people(f"{tmp_path}/a.db", agents)

    async def test() -> None:
        agents.gate = asyncio.Event()  # agents think for ever
        app = make_app(people)
        signed = await people.accounts.new_guest()
        begin = {"game": "connect4", "side": "second"}
        assert await leaving(app, agents, "/api/play", signed.token, begin) == 499
        assert await people.playing.games(player=None, game=None, limit=9, before=None) == []
        agents.gate.set()
        row = await people.playing.begin(signed.account, NewGameRequest(**begin), "a")
        agents.gate, agents.asked = asyncio.Event(), []
        path, action = f"/api/play/{row.id}/move", people.playing.position(row).legal[0]
        assert await leaving(app, agents, path, signed.token, {"action": action}) == 499
        assert (await people.playing.find(row.id)).moves == row.moves
        agents.gate.set()
        await people.playing.move(signed.account, row.id, action, None, "a")  # nobody is thinking any more

    with caplog.at_level(logging.WARNING):
        asyncio.run(test())
    people.database.close()
    assert not caplog.records  # a client that leaves is no failure of the server's


# ---- perfect play -------------------------------------------------------------------------------------------
def test_who_asks_for_much_truth_does_not_keep_others_from_theirs(monkeypatch) -> None:
    monkeypatch.setattr(oracles_module, "MOST_WAITING", 64)

    async def test() -> None:
        oracles, asked, gate = Oracles(), [], threading.Event()

        def slow(position):
            gate.wait(60)
            asked.append(position.moves)

        oracles._judge = slow
        greedy = [GAMES["connect4"].position([move, other]) for move in range(7) for other in range(7)]
        waiting = [asyncio.create_task(oracles.judge(position, "greedy")) for position in greedy]
        await asyncio.sleep(0)
        honest = GAMES["connect4"].position([3, 3, 3])
        waiting.append(asyncio.create_task(oracles.judge(honest, "somebody else")))
        await asyncio.sleep(0)
        assert sum(task.done() for task in waiting) == len(greedy) - 32  # half of the places are for others
        gate.set()
        await asyncio.gather(*waiting)
        assert asked.index((3, 3, 3)) == 2 and len(asked) == 33  # one that is under way, one each
        oracles.close()

    asyncio.run(test())


def test_one_client_may_ask_for_the_truth_of_a_whole_game() -> None:
    async def test() -> None:
        oracles, asked = Oracles(), []
        oracles._judge = lambda position: asked.append(position.moves)
        game = [GAMES["connect4"].position([move, other]) for move in range(7) for other in range(7)]
        assert len(game) > GAMES["connect4"].longest
        await asyncio.gather(*(oracles.judge(position, "somebody") for position in game))
        assert len(asked) == len(game)
        oracles.close()

    asyncio.run(test())
