"""A game is rated once: the same moves again, mirrored, or by somebody else change no rating."""

import asyncio
import random

import pytest

from nought.games import load
from nought.server.people.repeats import LONG_GAME_MOVES, canonical
from nought.server.thinking import engine, jobs
from nought.wire.play import NewGameRequest
from tests.server.support.people import GAMES, RandomAgents, run
from tests.server.support.serving import serving
from tests.server.support.tcp import Board, ask, connect, number, receive, wire_on
from tests.server.test_rated_games import check_ratings

CONNECT4 = GAMES["connect4"]


def won_game(least: int, most: int) -> list[int]:
    """The moves of a game of Connect 4 of such a length, won by who began."""
    chance = random.Random(0)
    while True:
        position = CONNECT4.start()
        while not position.finished:
            position = position.play(chance.choice(position.legal))
        if position.result > 0 and least <= len(position.moves) <= most:
            return list(position.moves)


LONG_GAME, SHORT_GAME = won_game(25, 29), won_game(7, LONG_GAME_MOVES - 1)


class ByHeart(RandomAgents):
    """Plays the moves of one game, whoever asks."""

    def __init__(self, moves):
        super().__init__()
        self.script = moves

    async def choose(self, position, agent, simulations=None, *, client, account=None, varied=False):
        assert varied  # in a game against a person
        return jobs.ChosenMove(self.script[len(position.moves)], 0.25)


async def replay(site, person, moves, side="first", opponent="agents/level-2"):
    site.agents.script = moves
    game = await person.begin(rated=True, side=side, opponent=opponent)
    while game["status"] == "playing":
        game = await person.move(game, moves[len(game["position"]["actions"])])
    assert game["position"]["actions"] == moves and game["ended"] == "played" and game["rated"]
    return game


def mirrored(moves):
    return [6 - move for move in moves]


def test_the_same_game_three_times(url):
    async def test(site):
        ann = await site.guest()
        first = await replay(site, ann, LONG_GAME)
        assert first["rating_change"]["after"] > first["rating_change"]["before"] and not first["repeated"]
        for moves in (LONG_GAME, LONG_GAME, mirrored(LONG_GAME)):
            again = await replay(site, ann, moves)
            assert again["rating_change"] is None and again["repeated"]
            assert again["result"] == 1 and again["status"] == "finished"
        (rating,) = (await ann("GET", "/me"))["ratings"]
        assert rating["rating"] == first["rating_change"]["after"] and rating["games"] == 1
        assert await check_ratings(site) == 1
        listed = await ann("GET", "/play")
        assert [game["repeated"] for game in listed] == [True, True, True, False]

    run(url, test, ByHeart([]))


def test_a_long_game_is_not_handed_round_but_a_short_one_may_be_anybodys(url):
    async def test(site):
        ann, bob = await site.guest(), await site.guest()
        for moves, bobs in ((LONG_GAME, True), (SHORT_GAME, False)):
            assert not (await replay(site, ann, moves))["repeated"]
            assert (await replay(site, bob, mirrored(moves)))["repeated"] is bobs
            assert (await replay(site, bob, moves))["repeated"]
        assert await check_ratings(site) == 3

    run(url, test, ByHeart([]))


def test_other_games_count(url):
    """Against another agent, from the other side, with another end, or as a casual game before."""

    async def test(site):
        ann = await site.guest()
        site.agents.script = LONG_GAME
        casual = await ann.begin(opponent="agents/level-2")
        while casual["status"] == "playing":
            casual = await ann.move(casual, LONG_GAME[len(casual["position"]["actions"])])
        assert not casual["repeated"] and casual["rating_change"] is None
        for side, opponent in (
            ("first", "agents/level-2"),
            ("first", "agents/level-3"),
            ("second", "agents/level-2"),
        ):
            assert (await replay(site, ann, LONG_GAME, side, opponent))["rating_change"] is not None
        assert await check_ratings(site) == 3

    run(url, test, ByHeart([]))


def test_who_resigns_has_lost_every_time(url):
    """Otherwise one could leave a game for nothing wherever one has resigned before."""

    async def test(site):
        ann = await site.guest()
        site.agents.script = LONG_GAME
        for count in (1, 2, 3):
            game = await ann.move(await ann.begin(rated=True, opponent="agents/level-2"), LONG_GAME[0])
            game = await ann("POST", f"/play/{game['id']}/resign")
            assert game["rating_change"] is not None and not game["repeated"]
            assert await check_ratings(site) == count

    run(url, test, ByHeart([]))


def test_the_same_game_ended_by_many_at_once_is_rated_once(url):
    async def test(site):
        people = [await site.guest() for _ in range(6)]
        site.agents.script = LONG_GAME
        games = []
        for person in people:
            game = await person.begin(rated=True, opponent="agents/level-2")
            while len(game["position"]["actions"]) < len(LONG_GAME) - 1:
                game = await person.move(game, LONG_GAME[len(game["position"]["actions"])])
            games.append(game)
        ends = await asyncio.gather(*(p.move(g, LONG_GAME[-1]) for p, g in zip(people, games, strict=True)))
        assert sorted(end["repeated"] for end in ends) == [False] + [True] * 5
        assert sum(end["rating_change"] is not None for end in ends) == 1
        assert await check_ratings(site) == 1

    run(url, test, ByHeart([]))


@pytest.mark.parametrize("name", ["connect4", "tictactoe", "dots-and-boxes:2x2", "othello", "othello:6x6"])
def test_all_images_of_a_game_are_one(name):
    game, chance = load(name), random.Random(1)
    position = game.start()
    while not position.finished:
        position = position.play(chance.choice(position.legal))
    same = canonical(game, position.moves)
    for symmetry in game.symmetries:
        image = [int(symmetry.actions[move]) for move in position.moves]
        assert canonical(game, image) == same
        if image[0] in game.start().legal:  # Othello's start is not its own image under all of them
            assert game.position(image).result == position.result
    other = [*position.moves[:-2], *position.moves[-2:][::-1]]
    assert canonical(game, other) != same


# ---- with the agents that come with the package --------------------------------------------------------------
def test_a_real_agent_beaten_once_is_not_beaten_again_for_the_rating(tmp_path, monkeypatch):
    """The exploit as it was: the agent plays without chance, and the same moves win again."""
    monkeypatch.setattr(engine, "varied_choice", jobs.best_choice)
    with serving(tmp_path) as client:
        wins = {}
        for who in ("ann", "ann", "ann", "bob"):
            if who not in wins:
                entered = client.post("/api/accounts").json()
                client.headers["Authorization"] = f"Bearer {entered['token']}"
                wins[who] = []
            wins[who].append(beat(client, wins["ann"][0]["position"]["actions"] if wins["ann"] else []))
        first, *again = [*wins["ann"], *wins["bob"]]
        assert first["rating_change"]["after"] > first["rating_change"]["before"]
        for game in again:
            assert game["position"]["actions"] == first["position"]["actions"]
            assert game["result"] == first["result"] == 1
            long = len(game["position"]["actions"]) >= LONG_GAME_MOVES
            if game in wins["ann"] or long:
                assert game["repeated"] and game["rating_change"] is None


def beat(client, moves):
    """A rated game by these moves, or by a strong agent's."""
    wish = {"game": "connect4", "side": "first", "opponent": "agents/connect4-level-1", "rated": True}
    game = client.post("/api/play", json=wish).json()
    while game["status"] == "playing":
        played = game["position"]["actions"]
        if moves:
            action = moves[len(played)]
        else:
            asked = {"game": "connect4", "moves": game["position"]["moves"], "simulations": 100}
            action = client.post("/api/best-move", json=asked).json()["action"]
        game = client.post(f"/api/play/{game['id']}/move", json={"action": action}).json()
    return game


# ---- over the papers' protocol -------------------------------------------------------------------------------
def test_no_game_over_the_wire_changes_a_rating(url):
    """Its moves are asked for one by one and belong to no game, and nobody sets a rating."""
    with wire_on(url) as wire:
        ann, token = wire.guest()
        game = wire.do(
            wire.people.playing.begin(ann, NewGameRequest(game="connect4", side="first", rated=True), "a")
        )
        wire.do(wire.people.playing.resign(ann, game.id))
        before = ask(wire.data, 1, -ann.id)

        async def scripted(position, *_, **__):
            return jobs.ChosenMove(LONG_GAME[position_length(position)], 0.25)

        wire.agents.choose = scripted
        for _ in range(3):
            board = Board()
            for move in LONG_GAME[::2]:
                board.put(max(c for c in range(42) if c % 7 == move and not board.cells[c]))
                if not board.done():
                    board.put(ask(wire.ai, *board.state(), 3))
            assert board.winner() == 1
            with connect(wire.data) as client:
                client.sendall(number(-3) + number(len(token)) + token.encode())
                assert receive(client, 4) == number(-ann.id)
                client.sendall(number(2) + number(-ann.id) + number(before + 100))
                assert receive(client, 4) == number(0)
            assert ask(wire.data, 1, -ann.id) == before


def position_length(position):
    """How many stones there are: positions of the wire have no moves."""
    return int(position.state[position.game.rules.ALL]).bit_count()
