"""Accounts: guests, names, passwords, tokens; and what forged ones get."""

import asyncio
import json
import os
from datetime import timedelta

import pytest
from sqlalchemy import text, update

from nought.server.http.errors import TooMany, Unauthorised
from nought.server.http.rate_limit import Buckets
from nought.server.people.store import AccountRow, TokenRow, now
from nought.server.settings import ServerLimits
from tests.server.support.people import RandomAgents, make_people, run


def test_a_guest_becomes_permanent_and_comes_back(url):
    async def test(site):
        ann = await site.guest()
        profile = await ann("GET", "/me")
        assert profile["account"]["guest"] and profile["account"]["name"].startswith("guest-")
        assert profile["ratings"] == []
        changed = await ann("PATCH", "/me", json={"name": "Ann", "password": "correct horse"})
        assert changed["name"] == "Ann" and not changed["guest"]
        again = await site.http.post("/api/login", json={"name": "ann", "password": "correct horse"})
        assert again.json()["account"]["id"] == ann.id
        assert again.json()["token"] != ann.token
        await ann("POST", "/logout")
        await ann("GET", "/me", 401)
        ann.token = again.json()["token"]  # the other token still opens it
        assert (await ann("GET", "/me"))["account"]["name"] == "Ann"
        assert (await site.get("/players/ANN"))["account"]["id"] == ann.id

    run(url, test)


def test_passwords_and_tokens_are_stored_hashed(url):
    async def test(site):
        ann = await site.guest()
        await ann("PATCH", "/me", json={"name": "Ann", "password": "correct horse"})

        def everything(session):
            tables = ("accounts", "tokens")
            return repr([session.execute(text(f"SELECT * FROM {t}")).all() for t in tables])

        stored = await site.people.database.read(everything)
        assert "correct horse" not in stored and ann.token not in stored
        assert "$argon2id$" in stored

    run(url, test)


def test_a_changed_password_ends_other_tokens(url):
    async def test(site):
        ann = await site.guest()
        await ann("PATCH", "/me", json={"name": "Ann", "password": "correct horse"})
        entered = await site.http.post("/api/login", json={"name": "Ann", "password": "correct horse"})
        other = entered.json()["token"]
        await ann("PATCH", "/me", json={"password": "battery staple", "old_password": "correct horse"})
        await ann("GET", "/me")
        ann.token = other
        await ann("GET", "/me", 401)
        wrong = await site.http.post("/api/login", json={"name": "Ann", "password": "correct horse"})
        assert wrong.status_code == 401

    run(url, test)


def test_a_password_is_changed_by_who_knows_it(url):
    async def test(site):
        ann = await site.guest()
        await ann("PATCH", "/me", json={"name": "Ann", "password": "correct horse"})
        assert "as it is now" in await ann("PATCH", "/me", 403, json={"password": "battery staple"})
        wrong = {"password": "battery staple", "old_password": "wrong horse"}
        await ann("PATCH", "/me", 403, json=wrong)
        await ann("PATCH", "/me", json={"name": "Anne"})  # a name needs none
        await ann("PATCH", "/me", json={**wrong, "old_password": "correct horse"})
        login = {"name": "Anne", "password": "battery staple"}
        assert (await site.http.post("/api/login", json=login)).status_code == 200

    run(url, test)


def test_a_login_that_overlaps_a_password_change_does_not_survive_it(url):
    """It has checked the old password, and has its token made when the new one is there."""

    async def test(site):
        ann = await site.guest()
        await ann("PATCH", "/me", json={"name": "Ann", "password": "correct horse"})
        accounts = site.people.accounts
        verify = accounts._verify

        async def change_after(hash_, password):
            accounts._verify = verify
            right = await verify(hash_, password)
            await ann("PATCH", "/me", json={"password": "battery staple", "old_password": "correct horse"})
            return right

        accounts._verify = change_after
        login = {"name": "Ann", "password": "correct horse"}
        assert (await site.http.post("/api/login", json=login)).status_code == 401
        await ann("GET", "/me")

    run(url, test)


@pytest.mark.parametrize("days", [-4000, -1, 1, 400, 4000])
def test_a_clock_that_jumps_ends_nothing(url, days):
    async def test(site):
        ann = await site.guest()
        await ann.begin(rated=True)
        calendar = site.people.accounts.calendar
        calendar.clock = lambda: now() + timedelta(days=days)
        bob = await site.guest()
        for person in (ann, bob):
            await person("GET", "/me")
        assert await site.people.accounts.sweep() == 0
        calendar.clock = now
        for person in (ann, bob):
            await person("GET", "/me")
        assert await site.people.accounts.sweep() == 0
        steady = calendar.steady
        calendar.clock = lambda: now() + timedelta(days=100)  # and this time they have passed
        calendar.steady = lambda: steady() + 100 * 86_400
        await ann("GET", "/me", 401)

    run(url, test)


def test_tokens_that_nobody_uses_end_and_guests_with_them(url):
    async def test(site):
        ann, bob, eve = [await site.guest() for _ in range(3)]
        await bob("PATCH", "/me", json={"name": "Bob", "password": "correct horse"})
        game = await ann.begin(rated=True)
        await ann("PUT", "/me/data/a/b", json=1)
        accounts = site.people.accounts

        def age(days):
            def work(session):
                then = now() - timedelta(days=days)
                session.execute(update(TokenRow).where(TokenRow.account_id != eve.id).values(used=then))
                session.execute(update(AccountRow).values(created=then))

            return site.people.database.write(work)

        await age(days=89)
        await ann("GET", "/me")  # which counts as use
        assert await accounts.sweep() == 0
        await ann("GET", "/me")
        await age(days=91)
        await ann("GET", "/me", 401)
        assert await accounts.sweep() == 1
        await site.get(f"/play/{game['id']}", 404)
        await site.get(f"/players/{ann.name}", 404)
        await eve("GET", "/me")
        await bob("GET", "/me", 401)  # but has a password, and so an account
        login = {"name": "Bob", "password": "correct horse"}
        assert (await site.http.post("/api/login", json=login)).status_code == 200

    run(url, test)


def test_an_account_can_be_deleted(url):
    async def test(site):
        ann = await site.guest()
        game = await site.won(ann)
        await ann("PUT", "/me/data/a/b", json=1)
        await ann("PATCH", "/me", json={"name": "Ann", "password": "correct horse"})
        await ann("POST", "/me/delete", 403, json={})
        await ann("POST", "/me/delete", 403, json={"password": "wrong horse"})
        await ann("GET", "/me")
        await ann("POST", "/me/delete", json={"password": "correct horse"})
        await ann("GET", "/me", 401)
        await site.get("/players/Ann", 404)
        await site.get(f"/play/{game['id']}", 404)
        assert "Ann" not in str(await site.get("/ladder", params={"game": "connect4"}))
        bob = await site.guest()
        await bob("PATCH", "/me", json={"name": "Ann"})  # the name is free
        await bob("POST", "/me/delete", json={})  # a guest's token is all it has
        await bob("GET", "/me", 401)

    run(url, test)


@pytest.mark.parametrize(
    ("taken", "alike"),
    [
        ("anna", "аnnа"),
        ("coco", "сосо"),
        ("Paul", "PauI"),
        ("bob10", "bоblO"),
        ("ann", "ΑΝΝ"),
        ("x" * 24, "X" * 24),
    ],
)
def test_names_that_look_alike_are_one_person_s(url, taken, alike):
    async def test(site):
        ann, bob = await site.guest(), await site.guest()
        await ann("PATCH", "/me", json={"name": taken})
        answer = await site.http.patch(
            "/api/me", json={"name": alike}, headers={"Authorization": f"Bearer {bob.token}"}
        )
        assert answer.status_code in (400, 409), answer.text
        assert (await site.get(f"/players/{taken}"))["account"]["id"] == ann.id

    run(url, test)


@pytest.mark.parametrize("name", ["Иван", "Ελένη", "ひらがな漢字", "김철수", "Zoë", "ﬃ" * 8, "ΐ" * 24])
def test_names_of_every_script_and_length(url, name):
    async def test(site):
        ann = await site.guest()
        kept = (await ann("PATCH", "/me", json={"name": name}))["name"]
        assert (await site.get(f"/players/{kept}"))["account"]["id"] == ann.id

    run(url, test)


def test_a_name_with_a_slash_is_nobody_s(url):
    async def test(site):
        assert "a/b" in (await site.get("/players/a%2Fb", 404))["error"]

    run(url, test)


def test_guessing_has_a_limit_per_account_and_locks_nobody_out(tmp_path):
    clock = [0.0]
    buckets = Buckets(ServerLimits(), clock=lambda: clock[0])
    people = make_people(f"{tmp_path}/a.db", RandomAgents())
    accounts = people.accounts
    accounts.buckets = buckets

    async def guess(client: str, password: str = "wrong horse") -> str:
        try:
            await accounts.log_in("ann", password, client)
        except (Unauthorised, TooMany) as error:
            return type(error).__name__
        return "in"

    async def test():
        ann = await accounts.new_guest()
        await accounts.change(ann.account, ann.token, "home", name="ann", password="correct horse")
        assert [await guess("eve") for _ in range(12)] == ["Unauthorised"] * 10 + ["TooMany"] * 2
        assert await guess("eve", "correct horse") == "TooMany"  # nor does the right one help
        assert [await guess("home", "correct horse") for _ in range(20)] == ["in"] * 20
        for botnet in range(40):  # many addresses together are stopped, too
            said = [await guess(f"eve {botnet}") for _ in range(10)]
        assert said == ["TooMany"] * 10
        clock[0] = 3600.0
        assert await guess("eve") == "Unauthorised"

    asyncio.run(test())
    people.database.close()


def test_one_address_stores_no_more_than_its_share(tmp_path):
    limits = ServerLimits(rate=1000, burst=1000, stored_of_one=40_000)

    async def test(site):
        statuses = []
        for _ in range(3):  # whichever account it uses
            ann = await site.guest()
            headers = {"Authorization": f"Bearer {ann.token}"}
            answer = await site.http.put("/api/me/data/a/b", json="x" * 16_000, headers=headers)
            statuses.append(answer.status_code)
        assert statuses == [200, 200, 429]
        statuses = [
            (await site.http.post("/api/play", json={"game": "connect4"}, headers=headers)).status_code
            for _ in range(10)
        ]
        assert statuses == [200] * 7 + [429] * 3

    run(f"{tmp_path}/a.db", test, limits=limits)


@pytest.mark.skipif(os.name == "nt", reason="files have no such rights")
def test_nobody_else_reads_the_database_s_file(tmp_path):
    file = tmp_path / "a.db"
    file.touch(0o644)

    async def test(site):
        await site.guest()
        for part in tmp_path.glob("a.db*"):
            assert part.stat().st_mode & 0o077 == 0, part

    run(str(file), test)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "x" * 25,
        "two words",
        "-dash",
        "a/b",
        "a%2Fb",
        "..",
        "nul\0",
        "a\u202eb",
        "guest-1",
        "\ud800a",
    ],
)
def test_names_that_are_refused(name, tmp_path):
    async def test(site):
        ann = await site.guest()
        answer = await site.http.patch(
            "/api/me",
            content=json.dumps({"name": name}),
            headers={"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"},
        )
        assert answer.status_code in (400, 409, 422), answer.text
        assert (await ann("GET", "/me"))["account"]["name"] == ann.name

    run(f"{tmp_path}/a.db", test)


def test_a_name_is_one_person_s_however_it_is_written(url):
    async def test(site):
        ann, bob = await site.guest(), await site.guest()
        await ann("PATCH", "/me", json={"name": "Ångström"})
        for same in ("ångström", "ÅNGSTRÖM", "A\u030angstro\u0308m", "Ångström"):
            assert "taken" in await bob("PATCH", "/me", 409, json={"name": same})
        await ann("PATCH", "/me", json={"name": "ångström"})  # one's own, otherwise cased
        await ann("PATCH", "/me", json={"name": "Ann"})
        await bob("PATCH", "/me", json={"name": "Ångström"})  # free again

    run(url, test)


def test_bad_passwords_and_logins(url):
    async def test(site):
        ann = await site.guest()
        for password in ("short", "x" * 300, "\ud800" * 9):
            content = json.dumps({"password": password})
            answer = await site.http.patch(
                "/api/me",
                content=content,
                headers={"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"},
            )
            assert answer.status_code in (400, 422)
        for name, password in [
            (ann.name, ""),  # has no password
            ("nobody", "correct horse"),
            ("' OR '1'='1", "' OR '1'='1"),
            ("a\0b", "x\0y"),
            (ann.name, "x" * 900),
        ]:
            answer = await site.http.post("/api/login", json={"name": name, "password": password})
            assert answer.status_code == 401, answer.text
            assert answer.json() == {"error": "the name or the password is wrong"}

    run(url, test)


@pytest.mark.parametrize("token", ["", "x", "' OR 1=1 --", "../../etc/passwd", "A" * 10_000, "é"])
def test_forged_tokens(url, token):
    async def test(site):
        await site.guest()
        for method, path in [
            ("GET", "/api/me"),
            ("PATCH", "/api/me"),
            ("POST", "/api/play"),
            ("GET", "/api/play"),  # none is needed, but a wrong one is still wrong
            ("GET", "/api/me/data/a/b"),
            ("POST", "/api/logout"),
        ]:
            headers = {b"Authorization": b"Bearer " + token.encode()}
            body = {"game": "connect4"} if method in ("POST", "PATCH") else None
            answer = await site.http.request(method, path, headers=headers, json=body)
            if token or path != "/api/play" or method == "POST":
                assert answer.status_code == 401, (path, answer.text)

    run(url, test)


def test_an_account_has_so_many_tokens(tmp_path):
    async def test(site):
        ann = await site.guest()
        await ann("PATCH", "/me", json={"name": "Ann", "password": "correct horse"})
        tokens = []
        for _ in range(20):
            entered = await site.http.post("/api/login", json={"name": "Ann", "password": "correct horse"})
            tokens.append(entered.json()["token"])
        await ann("GET", "/me", 401)  # the oldest has ended
        for ann.token in tokens:
            await ann("GET", "/me")

    run(f"{tmp_path}/a.db", test)


def test_passwords_cannot_be_tried_for_ever(tmp_path):
    async def test(site):
        statuses = []
        for n in range(15):
            answer = await site.http.post("/api/login", json={"name": "ann", "password": f"guess number {n}"})
            statuses.append(answer.status_code)
        assert statuses == [401] * 10 + [429] * 5
        assert int(answer.headers["Retry-After"]) >= 1

    run(f"{tmp_path}/a.db", test, limits=ServerLimits(rate=0.001, burst=200))
