"""Several servers on one database: what one has kept the others know, and what two do at once is done once."""

import asyncio

from tests.server.support.people import Person, site
from tests.support.programs import LIMIT


def at(other, person: Person) -> Person:
    """The same person at another server."""
    return Person(other.http, person.token, person.name, person.id)


def test_a_game_goes_on_at_another_server(url) -> None:
    async def test() -> None:
        async with site(url) as one, site(url) as two:
            here = await one.guest()
            there = at(two, here)
            game = await here.begin(rated=True)
            turn = 0
            while game["status"] == "playing":
                game = await (here, there)[turn % 2].move(game)
                turn += 1
            assert turn > 2
            assert (
                await here("GET", f"/play/{game['id']}") == await there("GET", f"/play/{game['id']}") == game
            )
            assert (await here("GET", "/me"))["ratings"] == (await there("GET", "/me"))["ratings"]

    asyncio.run(test())


def test_a_move_at_two_servers_at_once_is_played_once(url) -> None:
    async def test() -> None:
        async with site(url) as one, site(url) as two:
            here = await one.guest()
            game = await here.begin()
            for each in (one, two):
                each.agents.gate = asyncio.Event()
            moving = [
                asyncio.create_task(
                    each.http.post(
                        f"/api/play/{game['id']}/move",
                        headers={"Authorization": f"Bearer {here.token}"},
                        json={"action": 3},
                    )
                )
                for each in (one, two)
            ]
            async with asyncio.timeout(LIMIT):
                while not (one.agents.asked and two.agents.asked):
                    await asyncio.sleep(0.01)
            for each in (one, two):
                each.agents.gate.set()
            answers = await asyncio.gather(*moving)
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            kept = await here("GET", f"/play/{game['id']}")
            assert len(kept["position"]["actions"]) == 2

    asyncio.run(test())
