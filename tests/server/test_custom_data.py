"""The values that clients keep for an account."""

import json

import pytest

from nought.server.people import custom_data as data
from tests.server.support.people import run


def test_values_come_back_as_they_went_in(url):
    async def test(site):
        ann = await site.guest()
        values = [None, 0, -1.5, 10**40, "ä\u0000\u2028", [], {"": {"a": [1, "x"]}}, True, "😀", "\ud800"]
        for n, value in enumerate(values):
            await ann("PUT", f"/me/data/web/k{n}", content=json.dumps(value))
            assert await ann("GET", f"/me/data/web/k{n}") == value
        assert await ann("GET", "/me/data/web") == {f"k{n}": value for n, value in enumerate(values)}
        assert await ann("GET", "/me/data/other") == {}
        await ann("PUT", "/me/data/web/k0", json="new")
        assert await ann("GET", "/me/data/web/k0") == "new"
        await ann("DELETE", "/me/data/web/k0")
        await ann("DELETE", "/me/data/web/k0")
        await ann("GET", "/me/data/web/k0", 404)

    run(url, test)


def test_nobody_sees_another_s_data(url):
    async def test(site):
        ann, bob = await site.guest(), await site.guest()
        await ann("PUT", "/me/data/web/secret", json="Ann's")
        await bob("GET", "/me/data/web/secret", 404)
        await bob("DELETE", "/me/data/web/secret")
        await bob("PUT", "/me/data/web/secret", json="Bob's")
        assert await ann("GET", "/me/data/web/secret") == "Ann's"
        assert (await site.http.get("/api/me/data/web/secret")).status_code == 401

    run(url, test)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"NaN",
        b"[Infinity]",
        b"1e999",
        b"\xff\xfe",
        b"[" * 8000,
        b'{"a":' * 3000,
        b"1" * 9000,
        b"\x80\x04N.",
    ],
)
def test_what_is_no_json(body, tmp_path):
    async def test(site):
        ann = await site.guest()
        await ann("PUT", "/me/data/web/a", 400, content=body)
        await ann("GET", "/me/data/web/a", 404)

    run(f"{tmp_path}/a.db", test)


def test_limits(url, monkeypatch):
    monkeypatch.setattr(data, "VALUES_PER_ACCOUNT", 10)

    async def test(site):
        ann = await site.guest()
        await ann("PUT", "/me/data/web/large", 413, content=json.dumps("x" * 16 * 1024))
        umlauts = b'"' + "ä".encode() * 8000 + b'"'  # 48,002 as ASCII
        await ann("PUT", "/me/data/web/umlauts", 413, content=umlauts)
        await ann("PUT", "/me/data/web/fits", content=json.dumps("x" * (16 * 1024 - 2)))
        for n in range(9):
            await ann("PUT", f"/me/data/n{n % 3}/k{n}", json=n)
        assert "at most 10" in await ann("PUT", "/me/data/web/more", 409, json=1)
        await ann("PUT", "/me/data/n0/k0", json="still changes")
        await ann("DELETE", "/me/data/n1/k1")
        await ann("PUT", "/me/data/web/more", json=1)

    run(url, test)


@pytest.mark.parametrize(
    "word", ["..%2f..%2fetc%2fpasswd", "a%00b", "%27%3B--", "x" * 65, "-a", "%F0%9F%98%80", "."]
)
def test_names_that_are_tricks(word, url):
    async def test(site):
        ann = await site.guest()
        for path in (f"/me/data/{word}/key", f"/me/data/space/{word}"):
            answer = await site.http.put(
                f"/api{path}", json=1, headers={"Authorization": f"Bearer {ann.token}"}
            )
            assert answer.status_code in (400, 404, 405), answer.text
        assert await ann("GET", "/me/data/space") == {}

    run(url, test)
