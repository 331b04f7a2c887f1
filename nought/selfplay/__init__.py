"""Players, and the one loop in which they play."""

from nought.selfplay.play import games_as_they_end, play_games
from nought.selfplay.players import (
    Player,
    RandomPlayer,
    SearchPlayer,
    analyse_with,
    choose_move,
    policy_player,
    rollout_player,
)

__all__ = [
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "analyse_with",
    "choose_move",
    "games_as_they_end",
    "play_games",
    "policy_player",
    "rollout_player",
]
