"""Rated games: what they do to a rating, to the ladder, and to who leaves them."""

import asyncio
import random

from sqlalchemy import select

from nought.server.people.ratings import Standing, as_rated, fold, rated_games
from nought.server.people.store import RatingRow
from tests.server.support.people import run


async def check_ratings(site) -> int:
    """Every rating is the fold of its games; how many games there were."""

    def work(session):
        total = 0
        for record in session.scalars(select(RatingRow)).all():
            games = rated_games(session, record.account_id, record.game)
            assert [g.rated_number for g in games] == list(range(1, len(games) + 1))
            end = fold(record.start, [as_rated(g) for g in games])
            assert end == Standing(record.rating, record.deviation, record.games)
            standing = [record.start, *(g.rating_after for g in games)]
            assert [g.rating_before for g in games] == standing[:-1]
            assert standing[-1] == record.rating
            total += len(games)
        return total

    return await site.people.database.read(work)


def test_rated_games_and_the_ladder(url):
    async def test(site):
        ann = await site.guest()
        for n in range(6):
            game = await ann.begin(game="tictactoe", rated=True, side="random")
            game = await ann.play_out(game, seed=n)
            change, mine = game["rating_change"], game["result"] * (1 if game["you"] == 0 else -1)
            assert (change["after"] - change["before"]) * mine >= 0
            assert (await site.get(f"/play/{game['id']}"))["rating_change"] is None  # the caller's alone
        assert await check_ratings(site) == 6
        (rating,) = (await ann("GET", "/me"))["ratings"]
        assert rating["game"] == "tictactoe" and rating["games"] == 6 and len(rating["history"]) == 6
        assert rating["history"][-1] == {
            "at": game["finished_at"], "rating": rating["rating"], "game_id": game["id"],
        }  # fmt: skip
        ladder = await site.get("/ladder", params={"game": "tictactoe"})
        assert [rung["rank"] for rung in ladder] == [1, 2, 3, 4, 5, 6]
        assert [r["rating"] for r in ladder] == sorted((r["rating"] for r in ladder), reverse=True)
        (mine,) = [r for r in ladder if r["kind"] == "person"]
        assert (mine["name"], mine["games"], mine["rating"]) == (ann.name, 6, rating["rating"])
        assert len(await site.get("/ladder", params={"game": "connect4"})) == 5
        await site.get("/ladder", 404, params={"game": "chess"})

    run(url, test)


def test_the_closest_agent_follows_the_rating(url):
    async def test(site):
        ann = await site.guest()
        game = {"game": "tictactoe"}

        async def offered():
            return (await ann("GET", "/opponent", params=game))["name"]

        # a new player meets one half-way up; casual games change nothing; who loses meets weaker ones
        assert await offered() == (await site.get("/opponent", params=game))["name"] == "agents/level-2"
        await ann.play_out(await ann.begin(**game))
        assert await offered() == "agents/level-2"
        met = []
        for _ in range(3):
            met.append((await ann.begin(**game, rated=True))["players"][1]["name"])
            await ann("POST", f"/play/{(await ann('GET', '/play'))[0]['id']}/resign")
        assert met == ["agents/level-2", "agents/level-1", "agents/level-0"]
        met = [(await site.won(ann, "tictactoe"))["players"][1]["name"] for _ in range(4)]
        assert met == sorted(met) and met[-1] > met[0] == "agents/level-0"  # and who wins stronger ones
        assert (await ann("GET", "/opponent", params={"game": "othello"}))["name"] == "agents/new"
        await ann("GET", "/opponent", 404, params={"game": "chess"})

    run(url, test)


def test_who_leaves_a_rated_game_has_lost_it(url):
    async def test(site):
        ann = await site.guest()
        await site.won(ann)
        seen = await ann.begin(rated=True)
        left = await ann.begin(rated=True)  # the other one had not begun: it is forgotten
        await site.get(f"/play/{seen['id']}", 404)
        await ann.move(left, 3)
        await ann.begin(rated=True, game="tictactoe")  # another game is another matter
        casual = await ann.begin()
        assert (await ann("GET", f"/play/{left['id']}"))["status"] == "playing"
        headers = {"Authorization": f"Bearer {ann.token}"}
        answer = await site.http.post("/api/play", json={"game": "connect4", "rated": True}, headers=headers)
        assert (
            answer.status_code == 409 and answer.json()["open_game"] == left["id"]
        )  # to be asked about first
        assert "still open" in answer.json()["error"]
        assert (await ann("GET", f"/play/{left['id']}"))["status"] == "playing"
        await ann.begin(rated=True, give_up=True)
        left = await ann("GET", f"/play/{left['id']}")
        assert left["ended"] == "resigned" and left["result"] == -1
        assert left["rating_change"]["after"] < left["rating_change"]["before"]
        assert (await ann("GET", f"/play/{casual['id']}"))["status"] == "playing"
        assert await check_ratings(site) == 2

    run(url, test)


def test_a_move_in_a_game_that_was_forgotten_goes_nowhere(url):
    async def test(site):
        ann = await site.guest()
        forgotten = await ann.begin(rated=True)
        site.agents.gate = asyncio.Event()
        moving = asyncio.create_task(ann.move(forgotten, 3, 409))
        while not site.agents.asked:
            await asyncio.sleep(0.01)
        other = await ann.begin(rated=True)  # which SQLite gives the other's number in the table
        site.agents.gate.set()
        assert "changed meanwhile" in await moving
        assert await ann("GET", f"/play/{other['id']}") == other

    run(url, test)


def test_nobody_sets_a_rating(url):
    async def test(site):
        ann = await site.guest()
        game = await ann.begin(rated=True)
        for method, path, body in [
            ("PATCH", "/me", {"rating": 3000, "ratings": [{"game": "connect4", "rating": 3000}]}),
            ("PUT", "/me/data/ratings/connect4", {"rating": 3000}),
            ("POST", f"/play/{game['id']}/resign", {"result": 1, "rating": 3000}),
        ]:
            await ann(method, path, json=body)
        (rating,) = (await ann("GET", "/me"))["ratings"]
        assert rating["rating"] < 500 and await check_ratings(site) == 1

    run(url, test)


def test_everything_at_once(url):
    """Many people at many games, one of whom plays from many places at once: ratings agree with the games."""

    async def test(site):
        people = [await site.guest() for _ in range(8)]

        async def games_of(person, seed):
            chance = random.Random(seed)
            for _ in range(4):
                answer = await site.http.post(
                    "/api/play",
                    json={"game": "tictactoe", "rated": True, "give_up": True},
                    headers={"Authorization": f"Bearer {person.token}"},
                )
                assert answer.status_code == 200, answer.text
                game = answer.json()
                while game["status"] == "playing":
                    answer = await site.http.post(
                        f"/api/play/{game['id']}/move",
                        json={"action": chance.choice(game["position"]["legal"])["action"]},
                        headers={"Authorization": f"Bearer {person.token}"},
                    )
                    if answer.status_code in (404, 409):
                        break  # given up by another client of the same person
                    assert answer.status_code == 200, answer.text
                    game = answer.json()

        places = [*people, *[people[0]] * 6]
        await asyncio.gather(*(games_of(person, n) for n, person in enumerate(places)))
        assert await check_ratings(site) >= 7 * 4

    run(url, test)
