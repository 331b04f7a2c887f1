"""A game that a server keeps: it decides what is legal, who won and what that does to a rating."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nought.clients.game import Hint, Reply, score
from nought.clients.remote import Refused, Server
from nought.errors import NoughtError
from nought.games import Game, Position
from nought.games.registry import load_found
from nought.shell import command
from nought.wire.play import PlayedGameAnswer

REPEATED = "your rating stays as it is: the same moves against the same opponent were rated before"


def begin(
    server: Server,
    game: str,
    gives_up: Callable[[PlayedGameAnswer], bool],
    *,
    side: str = "random",
    opponent: str = "closest",
    rated: bool = True,
) -> PlayedGameAnswer:
    """A new game on a server. Where it would lose a rated one that is still open the person is asked, and who does not
    give that up goes on with it."""
    play = partial(server.play, game, side=side, opponent=opponent, rated=rated)
    try:
        return play()
    except Refused as refused:
        if refused.open_game is None:
            raise
        still_open = server.played(refused.open_game)
    return play(give_up=True) if gives_up(still_open) else still_open


def loses(played: PlayedGameAnswer) -> str:
    """What a person is told before they give a game up."""
    length, opponent = len(played.position.names), played.players[1 - (played.you or 0)].name
    return (
        f"A rated game of {played.game} against {opponent} is still open, {length} moves long. "
        "Giving it up loses it."
    )


class RemoteGame:
    """A game against an agent on a server."""

    def __init__(self, server: Server, played: PlayedGameAnswer) -> None:
        if played.you is None:
            raise NoughtError(f"the game {played.id} is not yours: `nought replay` shows it")
        self.server, self.human = server, played.you
        self.game: Game = load_found(played.game)
        self._follow(played)

    @property
    def players(self) -> tuple[str, str]:
        first, second = self.played.players
        return first.name, second.name

    @property
    def title(self) -> str:
        kind = "rated" if self.played.rated else "casual"
        return f"{self.game.title} against {self.players[1 - self.human]} on {self.server.url}, {kind}"

    @property
    def result(self) -> float | None:
        return self.played.result if self.played.finished else None

    def begin(self) -> Reply:
        return self._reply(0)  # it has moved already

    def play(self, action: int) -> Reply:
        before = len(self.position.moves)
        try:
            self._follow(self.server.move(self.played.id, action))
        except Refused:
            raise
        except NoughtError:  # the answer was lost; the move perhaps was not
            self._follow(self.server.played(self.played.id))
            if len(self.position.moves) == before:
                raise
        return self._reply(before)

    def undo(self) -> None:
        if self.played.rated:
            raise NoughtError("a rated game has no undo; --casual plays one that has")
        before = len(self.position.moves)
        self._follow(self.server.undo(self.played.id))
        if len(self.position.moves) == before:
            raise NoughtError("there is nothing to take back")

    def resign(self) -> None:
        self._follow(self.server.resign(self.played.id))

    def hints(self) -> list[Hint]:
        if self.played.rated:
            raise NoughtError("a rated game has no hints; --casual plays one that has")
        analysis = self.server.analyse(self.game.name, self.played.position.moves)
        return [
            Hint(
                move.name,
                move.verdict or score(move.value, move.proven),
                move.visits,
                " ".join(move.line[:8]),
            )
            for move in analysis.moves
        ]

    def afterwards(self) -> list[str]:
        """The new rating, the mistakes, and where the game can be seen."""
        lines = []
        if change := self.played.rating_change:
            gained = round(change.after) - round(change.before)
            lines.append(
                f"your rating in {self.game.name}: {change.before:.0f} → {change.after:.0f} ({gained:+d})"
            )
        if self.played.repeated:
            lines.append(REPEATED)
        try:
            lines += self._mistakes()
        except NoughtError as error:
            lines.append(f"mistakes are not shown: {error}")
        link = f"{self.server.url}/game/{self.played.id}"
        return [*lines, f"see it again: {command('replay', link)}"]

    def resuming(self) -> str:
        id = f"--resume={self.played.id}"  # which may begin with -
        return command("play", "--remote", self.server.url, id)

    def _mistakes(self) -> list[str]:
        names = self.played.position.names
        judged = self.server.mistakes(self.game.name, self.played.position.moves)
        bad = [(number, move) for number, move in enumerate(judged[: len(names)], 1) if move.verdict]
        lines = []
        for number, move in bad:
            who, name = "you" if move.player == self.human else "the agent", names[number - 1]
            better = f"; {move.best} was better" if move.best and move.best != name else ""
            lines.append(f"move {number}: {who} played {name}: {move.text or move.verdict}{better}")
        if judged and self.human not in (move.player for _, move in bad):
            lines.append("you made no mistake")
        return lines

    def _follow(self, played: PlayedGameAnswer) -> None:
        """The game as the server has it now."""
        self.played = played
        self.position: Position = self.game.position(played.position.actions)

    def _reply(self, before: int) -> Reply:
        """The agent's moves since then."""
        moves, at = self.position.moves, self.game.start()
        replies = []
        for number, move in enumerate(moves):
            if number >= before and at.player != self.human:
                replies.append(move)
            at = at.play(move)
        value = self.played.opponent_value
        return Reply(tuple(replies), "" if value is None else f"it expects to score {50 * (1 + value):.0f} %")
