"""Games against agents: the server decides what is legal, whose turn it is and who has won."""

import asyncio
import json

import pytest

from nought.games import load
from nought.games.notation import parse_moves
from nought.server.people.store import Database
from tests.server.support.people import RandomAgents, run


def test_a_whole_game(url):
    async def test(site):
        ann = await site.guest()
        game = await ann.begin(opponent="agents/level-0")
        assert game["status"] == "playing" and game["you"] == 0 and not game["rated"]
        assert game["players"] == [
            {"kind": "person", "name": ann.name},
            {"kind": "agent", "name": "agents/level-0"},
        ]
        assert game["position"]["moves"] == "" and game["opponent_value"] is None
        game = await ann.move(game, 3)
        assert len(game["position"]["actions"]) == 2 and game["opponent_value"] == 0.25
        game = await ann.play_out(game)
        connect4 = load("connect4")
        end = connect4.position(parse_moves(connect4, game["position"]["moves"]))
        assert end.finished and game["result"] == end.result and game["ended"] == "played"
        assert game["finished_at"] >= game["created"]
        assert game["rating_change"] is None
        stranger = await site.get(f"/play/{game['id']}")
        assert stranger["position"] == game["position"] and stranger["you"] is None

    run(url, test)


def test_the_agent_begins_and_may_move_twice(url):
    async def test(site):
        ann = await site.guest()
        game = await ann.begin(game="dots-and-boxes:2x2", side="second", opponent="agents/new")
        assert game["you"] == 1 and game["position"]["player"] == 1
        assert [p["kind"] for p in game["players"]] == ["agent", "person"]
        game = await ann.play_out(game, seed=5)
        assert len(game["position"]["actions"]) == 12
        margin = game["position"]["margin"]
        assert game["result"] == (margin > 0) - (margin < 0)

    run(url, test)


def test_illegal_moves_change_nothing(url):
    async def test(site):
        ann, bob = await site.guest(), await site.guest()
        game = await ann.begin(start="4444")
        before = await site.get(f"/play/{game['id']}")
        for action in (7, -1, 10**30):
            assert "connect4" in await ann.move(game, action, 400)
        for content in ('{"action": "x"}', '{"action": 1.5}', '{"action": null}', "{}", "[]", "no"):
            await ann("POST", f"/play/{game['id']}/move", 422, content=content)
        assert "somebody else's" in await bob.move(game, 0, 403)
        for verb in ("undo", "resign"):
            await bob("POST", f"/play/{game['id']}/{verb}", 403)
            assert (await site.http.post(f"/api/play/{game['id']}/{verb}")).status_code == 401
        assert await site.get(f"/play/{game['id']}") == before
        full = await ann.begin(start="444444")
        assert "not legal" in await ann.move(full, 3, 400)

    run(url, test)


def test_out_of_turn_and_after_the_end(url):
    async def test(site):
        ann = await site.guest()
        game = await ann.begin()
        site.agents.gate = asyncio.Event()
        first = asyncio.create_task(ann.move(game, 3))
        while len(site.agents.asked) < 1:
            await asyncio.sleep(0.01)
        assert "not your turn" in await ann.move(game, 3, 409)
        await ann("POST", f"/play/{game['id']}/undo", 409)
        site.agents.gate.set()
        game = await first
        assert len(game["position"]["actions"]) == 2
        game = await ann.play_out(game)
        for verb, body in (("move", {"action": 0}), ("resign", None), ("undo", None)):
            assert "over" in await ann("POST", f"/play/{game['id']}/{verb}", 409, json=body)
        assert (await site.get(f"/play/{game['id']}"))["position"] == game["position"]

    run(url, test)


def test_who_resigns_while_the_agent_thinks_has_resigned(url):
    async def test(site):
        ann = await site.guest()
        await site.won(ann)
        game = await ann.begin(rated=True)
        site.agents.gate = asyncio.Event()
        moving = asyncio.create_task(ann.move(game, 3, 409))
        while not site.agents.asked:
            await asyncio.sleep(0.01)
        resigned = await ann("POST", f"/play/{game['id']}/resign")
        site.agents.gate.set()
        assert "changed meanwhile" in await moving
        assert resigned["ended"] == "resigned" and resigned["result"] == -1
        assert resigned["rating_change"]["after"] < resigned["rating_change"]["before"]
        assert (await ann("GET", f"/play/{game['id']}")) == resigned

    run(url, test)


def test_an_agent_that_fails_leaves_the_game_as_it_was(tmp_path):
    class Failing(RandomAgents):
        async def choose(self, *arguments, **options):
            from nought.server.http.errors import Busy

            raise Busy("try again", retry_after=2)

    async def test(site):
        ann = await site.guest()
        game = await ann.begin()
        answer = await site.http.post(
            f"/api/play/{game['id']}/move",
            json={"action": 3},
            headers={"Authorization": f"Bearer {ann.token}"},
        )
        assert answer.status_code == 503 and answer.headers["Retry-After"] == "2"
        assert (await ann("GET", f"/play/{game['id']}")) == game

    run(f"{tmp_path}/a.db", test, Failing())


def test_undo(url):
    async def test(site):
        ann = await site.guest()
        game = await ann.begin(start="44")
        await ann("POST", f"/play/{game['id']}/undo", 409)  # nothing of one's own
        once = await ann.move(game, 0)
        await ann.move(once, 6)
        back = await ann("POST", f"/play/{game['id']}/undo")
        assert back["position"] == once["position"]
        back = await ann("POST", f"/play/{game['id']}/undo")
        assert back["position"] == game["position"]
        rated = await ann.begin(rated=True)
        rated = await ann.move(rated, 0)
        assert "rated" in await ann("POST", f"/play/{rated['id']}/undo", 403)

    run(url, test)


def test_wishes_that_are_refused(url):
    async def test(site):
        ann = await site.guest()
        for wish, status, says in [
            ({"game": "chess"}, 404, "no game"),
            ({"game": "../../etc/passwd"}, 404, "no game"),
            ({"game": "x.py"}, 404, "no game"),
            ({"opponent": "agents/nobody"}, 404, "no agent"),
            ({"opponent": "program:rm -rf /"}, 404, "no agent"),
            ({"side": "third"}, 422, "side"),
            ({"start": "4444444"}, 400, "not legal"),
            ({"start": "hello"}, 400, "not a column"),
            ({"start": "1122334"}, 400, "over after these moves"),
            ({"rated": True, "start": "44"}, 400, "begins at the start"),
            ({"rated": True, "simulations": 3}, 400, "leave simulations out"),
            ({"rated": True, "opponent": "search:run@3"}, 400, "has no rating yet"),
            ({"rated": True, "game": "othello"}, 400, "has no rating yet"),
            ({"simulations": -1}, 422, "simulations"),
        ]:
            assert says in await ann.begin(status, **wish), wish
        assert await ann("GET", "/play") == []
        assert (await ann.begin(game="othello", side="second"))["players"][0]["name"] == "agents/new"
        await ann.begin(simulations=7, side="second")
        assert site.agents.asked[-1] == ("agents/level-2", 7, "127.0.0.1")

    run(url, test)


@pytest.mark.parametrize(
    "id", ["nope", "' OR '1'='1", "..%2f..%2fetc%2fpasswd", "a%00b", "x" * 500, "%E2%98%83", "1", "-1"]
)
def test_ids_that_are_tricks(url, id):
    async def test(site):
        ann = await site.guest()
        await ann.begin()
        assert (await site.http.get(f"/api/play/{id}")).status_code == 404
        assert (await site.http.get("/api/play", params={"before": id[:100]})).status_code == 404
        assert (await site.http.get(f"/api/players/{id[:200]}")).status_code == 404
        await ann("POST", f"/play/{id}/resign", 404)

    run(url, test)


def test_lists_and_replays(url):
    async def test(site):
        ann, bob = await site.guest(), await site.guest()
        await ann("PATCH", "/me", json={"name": "Ann"})
        ids = [(await ann.begin(game=name))["id"] for name in ("connect4", "tictactoe", "connect4")]
        other = (await bob.begin())["id"]
        listed = await site.get("/play", params={"player": "ann"})
        assert [g["id"] for g in listed] == ids[::-1]
        assert listed[0]["players"][0]["name"] == "Ann" and listed[0]["position"]["moves"] == ""
        assert "cells" not in listed[0]["position"]
        assert [g["id"] for g in await site.get("/play")] == [other, *ids[::-1]]
        page = await site.get("/play", params={"player": "Ann", "limit": 1, "before": ids[2]})
        assert [g["id"] for g in page] == [ids[1]]
        assert [g["id"] for g in await site.get("/play", params={"game": "tictactoe"})] == [ids[1]]
        await site.get("/play", 404, params={"player": "nobody"})
        await site.get("/play", 422, params={"limit": 1000})
        assert [g["you"] for g in await ann("GET", "/play")] == [None, 0, 0, 0]
        assert len(set(ids)) == 3 and all(len(id) >= 20 for id in ids)

    run(url, test)


def test_what_finishes_a_game_is_on_the_disk_before_it_is_answered(tmp_path, monkeypatch):
    written = []
    write_now = Database.write_now

    def watched(self, work, flush=True):
        written.append(flush)
        return write_now(self, work, flush)

    monkeypatch.setattr(Database, "write_now", watched)

    async def test(site):
        ann = await site.guest()
        await ann("POST", f"/play/{(await ann.begin(rated=True))['id']}/resign")
        assert written == [True, True, True]  # an account, a game, a result
        await ann.play_out(await ann.begin(rated=True))
        assert written[-1] and not any(written[4:-1])

    run(f"{tmp_path}/a.db", test)


def test_the_same_move_sent_ten_times_at_once_is_played_once(url):
    async def test(site):
        ann = await site.guest()
        game = await ann.begin()

        async def send():
            answer = await site.http.post(
                f"/api/play/{game['id']}/move",
                content=json.dumps({"action": 3, "ply": 0}),
                headers={"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"},
            )
            return answer.status_code

        statuses = await asyncio.gather(*(send() for _ in range(10)))
        assert sorted(statuses) == [200] + [409] * 9
        assert len((await ann("GET", f"/play/{game['id']}"))["position"]["actions"]) == 2

    run(url, test)


def test_what_strangers_ask_does_not_keep_the_owner_from_moving(url):
    async def test(site):
        ann, eve = await site.guest(), await site.guest()
        game = await ann.begin()
        find, asked, go_on = site.people.playing.find, asyncio.Event(), asyncio.Event()

        async def slowly(id):
            asked.set()
            await go_on.wait()
            return await find(id)

        site.people.playing.find = slowly
        griefing = [asyncio.create_task(eve.move(game, expect=403))]
        await asked.wait()  # the stranger's request is under way,
        site.people.playing.find = find
        assert len((await ann.move(game))["position"]["movers"]) == 2  # and the owner's goes before it
        go_on.set()
        await asyncio.gather(*griefing)

    run(url, test)
