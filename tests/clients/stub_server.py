"""A small server of the contract: real rules, an agent that plays the first legal move, all in memory."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from nought.errors import NoughtError
from nought.games import load
from nought.games.board import boxes, last_cell, owners, winning_line
from nought.games.notation import format_move, format_moves, parse_moves

AGENT = {
    "name": "agents/first",
    "title": "First",
    "simulations": 1,
    "interval": None,
    "about": "",
}


class Wrong(Exception):
    def __init__(self, status, message, more=None, **headers):
        super().__init__(message)
        self.status, self.more, self.headers = status, more or {}, headers


def game_json(name, title, rating=900):
    game = load(name)
    _, rows, columns = game.planes_shape
    return {
        "name": name,
        "title": title,
        "board": game.board,
        "notation": game.notation,
        "rows": rows,
        "columns": columns,
        "actions": game.actions,
        "cell_of_action": [int(c) for c in game.cell_of_action],
        "counts_points": game.counts_points,
        "oracle": True,
        "agents": [{**AGENT, "game": name, "rating": rating}],
        "a_field_of_tomorrow": 1,
    }


def position_json(position):
    game, (_, rows, columns) = position.game, position.game.planes_shape
    dots = game.board == "dots"
    stones = {} if dots else owners(position)
    drawn = position.planes()[-1].reshape(-1)
    return {
        "game": game.name,
        "moves": format_moves(game, position.moves),
        "actions": list(position.moves),
        "names": [format_move(game, m) for m in position.moves],
        "player": position.player,
        "finished": position.finished,
        "result": int(position.result) if position.finished else None,
        "margin": position.margin if game.counts_points else None,
        "legal": []
        if position.finished
        else [{"action": m, "name": format_move(game, m)} for m in position.legal],
        "cells": [] if dots else [stones.get(cell) for cell in range(rows * columns)],
        "edges": [
            {"action": a, "cell": int(c), "drawn": bool(drawn[c])} for a, c in enumerate(game.cell_of_action)
        ]
        if dots
        else [],
        "boxes": [{"cell": r * columns + c, "owner": owner} for (r, c), owner in boxes(position).items()]
        if dots
        else [],
        "last": last_cell(position, stones),
        "line": winning_line(position, stones),
    }


class Stub:
    """What the server knows."""

    def __init__(self):
        self.tokens, self.games, self.requests, self.ratings = {}, {}, [], {}
        self.agent_rating = 900
        self.trouble = []  # answers to give instead, one for each request to come: (status, body, headers)

    def answer(self, method, path, query, body, token):
        name = self.tokens.get(token)
        match method, path.split("/"):
            case "GET", ["games"]:
                titles = {"connect4": "Connect 4", "tictactoe": "Tic-tac-toe"}
                titles |= {"dots-and-boxes": "Dots and boxes", "othello": "Othello"}
                return [game_json(name, title, self.agent_rating) for name, title in titles.items()]
            case "GET", ["position"]:
                return position_json(self.position(query["game"], query.get("moves", "")))
            case "POST", ["best-move"]:
                position = self.position(body["game"], body["moves"])
                move = position.legal[0]
                return {
                    "action": move,
                    "name": format_move(position.game, move),
                    "value": 0.5,
                    "agent": "agents/first",
                    "note": None,
                }
            case "POST", ["analyse"]:
                return self.analysis(self.position(body["game"], body["moves"]))
            case "POST", ["mistakes"]:
                return self.mistakes(self.position(body["game"], body["moves"]))
            case "POST", ["accounts"]:
                token = f"token-{len(self.tokens)}"
                self.tokens[token] = f"guest-{len(self.tokens)}"
                return {"account": self.account(self.tokens[token]), "token": token}
            case "POST", ["login"]:
                if body.get("password") != "correct horse":
                    raise Wrong(401, "the name or the password is wrong")
                self.tokens["token-in"] = body["name"]
                return {"account": self.account(body["name"]), "token": "token-in"}
            case "GET", ["ladder"]:
                return [{"rank": 1, "kind": "agent", "name": "agents/first", "rating": 900.0, "games": 3}]
            case "GET", ["players", who]:
                return {"account": self.account(unquote(who)), "ratings": []}
            case "GET", ["play", id]:
                return self.shown(self.found(id), name)
            case "GET", ["play"]:
                mine = [
                    self.shown(g, name)
                    for g in self.games.values()
                    if query["player"] in (p["name"] for p in g["players"])
                ]
                return [
                    m | {"position": {"game": m["game"], "moves": m["position"]["moves"]}} for m in mine[::-1]
                ][: int(query["limit"])]
        if name is None:
            raise Wrong(401, "this token is not known; POST /api/accounts gives one")
        match method, path.split("/"):
            case "GET", ["me"]:
                return {
                    "account": self.account(name),
                    "ratings": [
                        {"game": g, "rating": r, "games": 1, "history": []} for g, r in self.ratings.items()
                    ],
                }
            case "PATCH", ["me"]:
                self.tokens[token] = body["name"]
                return self.account(body["name"], guest=False)
            case "POST", ["logout"]:
                del self.tokens[token]
                return {}
            case "PUT", ["me", "data", *_]:
                return body
            case "GET", ["me", "data", *_]:
                return {"theme": "dark"}
            case "POST", ["play"]:
                return self.begin(name, body)
            case "POST", ["play", id, verb]:
                return self.go_on(self.found(id), name, verb, body)
        raise Wrong(404, f"there is no {path}")

    def position(self, game, moves):
        game = load(game)
        return game.position(parse_moves(game, moves))

    def account(self, name, guest=True):
        return {"id": 1, "name": name, "guest": guest, "created": "2026-01-01T00:00:00Z"}

    def analysis(self, position):
        moves = [
            {
                "action": m,
                "name": format_move(position.game, m),
                "visits": 10 - i,
                "value": 0.5,
                "prior": 0.1,
                "share": 0.1,
                "proven": False,
                "plies": None,
                "line": [format_move(position.game, m)],
                "verdict": "wins" if i == 0 else "loses",
                "keeps": i == 0,
            }
            for i, m in enumerate(position.legal)
        ]
        return {
            "position": position_json(position),
            "agent": "agents/first",
            "note": None,
            "value": 0.5,
            "proven": False,
            "plies": None,
            "simulations": 10,
            "positions": 5,
            "best": position.legal[0],
            "moves": moves,
            "oracle": {"outcome": 1, "score": 3},
        }

    def mistakes(self, position):
        return [
            {
                "ply": i,
                "player": i % 2,
                "value_before": 1,
                "value_after": -1,
                "best": "b2",
                "verdict": "blunder" if i == 0 else None,
                "exact": True,
                "text": "this move throws away a win" if i == 0 else None,
            }
            for i, _ in enumerate(position.moves)
        ]

    def begin(self, name, body):
        if body["rated"] and self.agent_rating is None:
            raise Wrong(400, "agents/first has no rating yet; play a casual game")
        for game in self.games.values() if body["rated"] else ():
            kind = (game["game"], game["rated"], game["status"], game["players"][game["you"]]["name"])
            if kind == (body["game"], True, "playing", name) and game["moved"]:
                if not body["give_up"]:
                    raise Wrong(409, "a rated game is still open", {"open_game": game["id"]})
                self.go_on(game, name, "resign", {})
        position = self.position(body["game"], body.get("start", ""))
        you = {"first": 0, "second": 1, "random": 1}[body["side"]]
        players = [{"kind": "agent", "name": "agents/first"}] * 2
        players[you] = {"kind": "person", "name": name}
        game = {
            "id": f"g{len(self.games)}",
            "game": body["game"],
            "players": players,
            "you": you,
            "rated": body["rated"],
            "ended": None,
            "status": "playing",
            "moved": False,
            "result": None,
            "opponent_value": None,
            "rating_change": None,
            "created": "2026-01-01T00:00:00Z",
        }
        self.games[game["id"]] = game
        return self.settle(game, position, name)

    def go_on(self, game, name, verb, body):
        if name not in [p["name"] for p in game["players"]]:
            raise Wrong(403, "this is not your game")
        if game["status"] == "finished":
            raise Wrong(409, "the game is over")
        position = game["state"]
        if verb == "move":
            position, game["moved"] = position.play(body["action"]), True
        elif verb == "undo":
            if game["rated"]:
                raise Wrong(409, "a rated game cannot be taken back")
            mine = [
                i
                for i in range(len(position.moves))
                if position.game.position(position.moves[:i]).player == game["you"]
            ]
            position = position.game.position(position.moves[: mine[-1]] if mine else ())
        elif verb == "resign":
            game |= {"status": "finished", "ended": "resigned", "result": -1 if game["you"] == 0 else 1}
        return self.settle(game, position, name)

    def settle(self, game, position, name):
        """The agent answers; a game that is over changes the rating."""
        while game["status"] == "playing" and not position.finished and position.player != game["you"]:
            position = position.play(position.legal[0])
            game["opponent_value"] = 0.25
        game["state"] = position
        if position.finished and game["status"] == "playing":
            game |= {"status": "finished", "ended": "played", "result": int(position.result)}
        if game["status"] == "finished" and game["rated"] and not game["rating_change"]:
            self.ratings[game["game"]] = 1016
            game["rating_change"] = {"before": 1000, "after": 1016}
        return self.shown(game, name)

    def found(self, id):
        if id not in self.games:
            raise Wrong(404, f"there is no game {id}")
        return self.games[id]

    def shown(self, game, name):
        you = next((i for i, p in enumerate(game["players"]) if p["name"] == name), None)
        return {
            **{k: v for k, v in game.items() if k != "state"},
            "you": you,
            "position": position_json(game["state"]),
        }


@contextmanager
def serving(stub=None):
    """The stub on a port of its own; `stub.url` says where."""
    stub = stub or Stub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def reply(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            parts = urlsplit(self.path)
            token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            stub.requests.append((self.command, self.path, token))
            query = {
                name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()
            }
            headers = {}
            if stub.trouble:
                status, content, headers = stub.trouble.pop(0)
            else:
                try:
                    path = parts.path.removeprefix("/api/")
                    status, content = (
                        200,
                        stub.answer(self.command, path, query, json.loads(body or b"null"), token),
                    )
                except Wrong as wrong:
                    status, content, headers = (
                        wrong.status,
                        {"error": str(wrong), **wrong.more},
                        wrong.headers,
                    )
                except NoughtError as error:
                    status, content = 400, {"error": str(error)}
            text = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(text)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = reply

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
