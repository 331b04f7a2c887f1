"""Self-play of Connect 4 by pgx (rules) and mctx (Gumbel MuZero search): the peer in benchmarks/peers.py.

Runs in an environment of its own and knows nothing of nought. It says on a line of JSON what it is, then answers
each line of JSON it reads with another:

    {"replay": [[3, 3, …], …]}   → per game: the legal moves before each move, and the first player's result
    {"play": 10}                 → what ten seconds of self-play gave, and the network alone

As in pgx's own example of AlphaZero: positions are the search's embeddings, the network sees pgx's observations, and
a move of all games, with its whole search, is one compiled call. Two things are kinder to the peer than that
example: batch norm is taken as folded into the convolutions, and a finished game is replaced at once.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import pgx

ROWS, COLUMNS, PLANES = 6, 7, 2
POLICY_FILTERS, VALUE_FILTERS, VALUE_HIDDEN = 8, 8, 64
RANDOM_MOVES = 60  # before the first measurement, so that games stand at different moves

ENV = pgx.make("connect_four")


# ---- the network ---------------------------------------------------------------------------------------------
def new_weights(key: Any, filters: int, blocks: int, kind: Any) -> dict[str, Any]:
    """Of a stem, blocks of two convolutions, a policy head and a value head with a hidden layer."""
    keys = iter(jax.random.split(key, 2 * blocks + 6))

    def layer(*shape: int, scale: float = 1.0, kind: Any = kind) -> tuple[Any, Any]:
        weight = scale * (2 / math.prod(shape[:-1])) ** 0.5 * jax.random.normal(next(keys), shape)
        return weight.astype(kind), jnp.zeros(shape[-1], kind)

    cells = ROWS * COLUMNS
    return {
        "stem": layer(3, 3, PLANES, filters),
        "blocks": [[layer(3, 3, filters, filters) for _ in range(2)] for _ in range(blocks)],
        "policy": layer(1, 1, filters, POLICY_FILTERS),
        "policy_last": layer(POLICY_FILTERS * cells, COLUMNS, scale=0.01, kind=jnp.float32),
        "value": layer(1, 1, filters, VALUE_FILTERS),
        "value_hidden": layer(VALUE_FILTERS * cells, VALUE_HIDDEN),
        "value_last": layer(VALUE_HIDDEN, 1, scale=0.01, kind=jnp.float32),
    }


def evaluate(weights: dict[str, Any], observation: Any) -> tuple[Any, Any]:
    """Observations [n, rows, columns, planes] → logits [n, columns] and values [n]."""

    def convolution(x: Any, layer: tuple[Any, Any]) -> Any:
        places = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(x, layer[0], (1, 1), "SAME", dimension_numbers=places) + layer[1]

    def linear(x: Any, layer: tuple[Any, Any]) -> Any:
        return x.astype(layer[0].dtype) @ layer[0] + layer[1]

    x = jax.nn.relu(convolution(observation.astype(weights["stem"][0].dtype), weights["stem"]))
    for first, second in weights["blocks"]:
        x = jax.nn.relu(x + convolution(jax.nn.relu(convolution(x, first)), second))
    policy = jax.nn.relu(convolution(x, weights["policy"])).reshape(len(x), -1)
    value = jax.nn.relu(convolution(x, weights["value"])).reshape(len(x), -1)
    value = linear(jax.nn.relu(linear(value, weights["value_hidden"])), weights["value_last"])
    return linear(policy, weights["policy_last"]), jnp.tanh(value[:, 0])


# ---- self-play -----------------------------------------------------------------------------------------------
class Sample(NamedTuple):
    """What a move leaves to learn from."""

    observation: Any
    policy: Any
    reward: Any  #      of the player who moved
    finished: Any


def look_ahead(weights: Any, key: Any, action: Any, state: Any) -> tuple[mctx.RecurrentFnOutput, Any]:
    """A step of the search: play, and evaluate where that leads."""
    del key
    player = state.current_player
    state = jax.vmap(ENV.step)(state, action)
    logits, value = evaluate(weights, state.observation)
    reward = state.rewards[jnp.arange(len(player)), player]
    return mctx.RecurrentFnOutput(
        reward=reward,
        discount=jnp.where(state.terminated, 0.0, -1.0),
        prior_logits=jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min),
        value=jnp.where(state.terminated, 0.0, value),
    ), state


def advance(state: Any, action: Any, key: Any) -> tuple[Any, Any, Any]:
    """Play a move in every game and replace those that it finished; also each mover's reward, and which finished."""
    player = state.current_player
    state = jax.vmap(ENV.step)(state, action)
    reward, finished = state.rewards[jnp.arange(len(player)), player], state.terminated
    fresh = jax.vmap(ENV.init)(jax.random.split(key, len(player)))
    kept = jax.tree.map(
        lambda new, old: jnp.where(finished.reshape(-1, *[1] * (old.ndim - 1)), new, old), fresh, state
    )
    return kept, reward, finished


@partial(jax.jit, static_argnames="simulations", donate_argnames="state")
def search_and_move(weights: Any, state: Any, key: Any, simulations: int) -> tuple[Any, Sample, Any]:
    """One searched move of every game; also how many of the moves were against the rules."""
    searching, starting = jax.random.split(key)
    logits, value = evaluate(weights, state.observation)
    found = mctx.gumbel_muzero_policy(
        weights,
        searching,
        mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
        look_ahead,
        num_simulations=simulations,
        invalid_actions=~state.legal_action_mask,
    )
    illegal = (~jnp.take_along_axis(state.legal_action_mask, found.action[:, None], 1)).sum()
    after, reward, finished = advance(state, found.action, starting)
    return after, Sample(state.observation, found.action_weights, reward, finished), illegal


@jax.jit
def random_move(state: Any, key: Any) -> Any:
    choosing, starting = jax.random.split(key)
    action = jax.random.categorical(choosing, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
    return advance(state, action, starting)[0]


class SelfPlay:
    """Games that go on from one measurement to the next."""

    def __init__(
        self, filters: int, blocks: int, precision: str, games: int, simulations: int, seed: int
    ) -> None:
        self.games, self.simulations = games, simulations
        self.key = jax.random.key(seed)
        self.state = jax.vmap(ENV.init)(jax.random.split(self._next_key(), games))
        for _ in range(RANDOM_MOVES):
            self.state = random_move(self.state, self._next_key())
        self.observation = jnp.array(self.state.observation)
        self.network = jax.jit(evaluate)
        self.weights = new_weights(self._next_key(), filters, blocks, precision)
        self.play(0.0)  # compiles

    def _next_key(self) -> Any:
        self.key, key = jax.random.split(self.key)
        return key

    def play(self, seconds: float) -> dict[str, float]:
        """Moves until the time is over, each of them in all games: at least one."""
        moves, finished, took, begin = 0, 0, 0.0, time.perf_counter()
        while took < seconds or not moves:
            self.state, sample, illegal = search_and_move(
                self.weights, self.state, self._next_key(), self.simulations
            )
            if int(illegal) > 0:  # waits for the move
                raise RuntimeError("the peer played a move against the rules")
            moves, finished = moves + self.games, finished + int(sample.finished.sum())
            took = time.perf_counter() - begin
        return {
            "simulations_per_s": moves * self.simulations / took,
            "evaluations_per_s": moves * (self.simulations + 1) / took,  # and one of the root
            "games_per_s": finished / took,
        }

    def network_alone(self, seconds: float) -> float:
        """Evaluations per second."""
        jax.block_until_ready(self.network(self.weights, self.observation))
        done, begin = 0, time.perf_counter()
        while (took := time.perf_counter() - begin) < seconds or not done:
            jax.block_until_ready(self.network(self.weights, self.observation))
            done += self.games
        return done / took


def replay(games: list[list[int]]) -> list[dict[str, Any]]:
    """How these games look to pgx."""
    step: Callable[..., Any] = jax.jit(ENV.step)
    seen = []
    for moves in games:
        state = jax.jit(ENV.init)(jax.random.key(0))
        first, legal, ended_early = int(state.current_player), [], False
        for move in moves:
            ended_early |= bool(state.terminated)
            legal.append([a for a, allowed in enumerate(state.legal_action_mask.tolist()) if allowed])
            state = step(state, move)
        ended = bool(state.terminated) and not ended_early
        seen.append({"legal": legal, "result": float(state.rewards[first]) if ended else None})
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("filters", "blocks", "games", "simulations", "seed"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--precision", choices=("float32", "bfloat16"), required=True)
    options = parser.parse_args()
    player = SelfPlay(**vars(options))
    weights = sum(leaf.size for leaf in jax.tree.leaves(player.weights))
    versions = {name: version(name) for name in ("jax", "pgx", "mctx")}
    say({"weights": weights, "versions": versions})
    for line in sys.stdin:
        asked = json.loads(line)
        if "replay" in asked:
            say(replay(asked["replay"]))
        else:
            alone = player.network_alone(asked["play"] / 5)
            say({"network_alone_per_s": alone, **player.play(asked["play"])})


def say(answer: Any) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
