"""Players, and the one loop in which they play."""

from nought.selfplay.play import play_games
from nought.selfplay.players import (
    Player,
    RandomPlayer,
    SearchPlayer,
    policy_player,
    rollout_player,
)

__all__ = [
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "play_games",
    "policy_player",
    "rollout_player",
]
