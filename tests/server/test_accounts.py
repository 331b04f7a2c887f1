"""Accounts: guests, names, passwords, tokens; and what forged ones get."""

import json

import pytest
from sqlalchemy import text

from nought.server.settings import ServerLimits
from tests.server.support.people import run


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
        await ann("PATCH", "/me", json={"password": "battery staple"})
        await ann("GET", "/me")
        ann.token = other
        await ann("GET", "/me", 401)
        wrong = await site.http.post("/api/login", json={"name": "Ann", "password": "correct horse"})
        assert wrong.status_code == 401

    run(url, test)


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
