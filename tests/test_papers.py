"""The papers' presets, value by value: 000 and 003 are Wandhoven's text and listing, 001 the blog, 002 Prince's thesis."""

import pytest

from nought.config import Choice, NoiseInto, Parameters
from nought.games import load
from nought.network.resnet import outline, shape_of
from nought.presets import PLAIN, PRESETS, PRINCE_SIZES, preset

WANDHOVEN = {
    "search.simulations": 50,  # 1.5
    "search.choice": Choice.PUCT,  # equation 5
    "search.c_puct": 2.0,  # 003, CMakeLists.txt
    "search.noise": False,
    "search.sampled_moves": 10,  # 003, config.hpp: probabilistic_moves
    "network.blocks": 6,  # 1.4.2.2, with all that follows
    "network.filters": 75,
    "network.kernel": 3,
    "network.norm": "batch",
    "network.activation": "leaky",
    "network.policy_filters": 2,
    "network.value_filters": 10,
    "network.value_hidden": 210,
    "network.head_norm": False,
    "network.head_activation": False,
    "network.masked": -1000.0,
    "selfplay.positions": 30000,  # 1.5.2.2
    "learning.window": 30000,
    "learning.batch": 256,  # 1.4.2.3
    "learning.reuse": 1.0,
    "learning.repeats": 1,
    "learning.optimizer": "sgd",  # 003, config.hpp and model.hpp
    "learning.rate": 0.1,
    "learning.momentum": 0.9,
    "learning.weight_decay": 0.0,
    "learning.policy_loss": "logits",  # equations 41 and 42
    "learning.policy_weight": 1.0,
    "learning.value_weight": 1.0,
    "learning.symmetries": False,
    "gate.rule": "wins",  # 1.6
    "gate.threshold": 1.3,
    "gate.games": 20,
    "gate.sampled_moves": 1,  # 003, config.hpp: 2, of which `probMoves > turn` makes 1
    "gate.simulations": 50,
    "gate.back": False,
}
WANDHOVEN_CODE = WANDHOVEN | {
    "search.sampled_moves": 9,  # playGame.cpp: probMoves > turn, and the first turn is 1
    "network.kernel": 5,  # model.hpp: convSize
    "network.norm": "layer",
    "network.head_activation": True,
    "selfplay.games": 60,  # config.hpp: GEN_THREADS
    "selfplay.positions": 20 * 256 // 2,  # as many as leave the memory, where each is twice
    "learning.window": 40 * 20 * 256 // 2,  # in which hardly anything is left that has not been learned from
    "learning.begin": 30000 // 2,
    "learning.consumed": True,  # memory.hpp: getState
    "learning.steps": 20 * 5,  # Training_loops, Training_epochs
    "learning.repeats": 5,
    "learning.policy_loss": "visited",  # model.hpp: polyLoss
    "learning.policy_weight": 0.5,  # model.hpp: train
    "learning.value_weight": 0.5,
    "learning.symmetries": True,  # memory.hpp: commit
}
PRINCE = {
    "search.choice": Choice.PUCT,  # 5.1
    "search.c_puct": 1.0,
    "search.noise": True,  # 7, as in AlphaGo Zero
    "search.noise_into": NoiseInto.PRIOR,
    "search.noise_share": 0.25,
    "search.noise_alpha": 0.03,
    "search.symmetries": 8,  # 5.2
    "search.sampled_moves": 10,
    "network.blocks": 6,  # 7.2
    "network.kernel": 3,
    "network.norm": "batch",  # 5.2
    "network.activation": "relu",
    "network.head_norm": True,
    "network.policy_filters": 2,
    "network.value_filters": 1,
    "network.value_hidden": 0,
    "selfplay.games": 10,  # 7.2
    "learning.batch": 256,
    "learning.steps": 10,
    "learning.repeats": 1,
    "learning.optimizer": "sgd",
    "learning.rate": 0.1,
    "learning.momentum": 0.9,
    "learning.symmetries": False,
    "gate.rule": "ratio",  # a draw is half a point
    "gate.threshold": 1.3,
    "gate.games": 30,
    "gate.opening_moves": 2,
    "gate.back": False,
}
BLOG = {
    "search.simulations": 100,
    "search.choice": Choice.PUCT_PLUS_ONE,
    "search.c_puct": 1.0,
    "search.noise": True,
    "search.noise_into": NoiseInto.MOVE,
    "search.noise_share": 0.25,
    "search.noise_alpha": 0.03,
    "search.sampled_moves": 1000,
    "network.blocks": 5,
    "network.filters": 64,
    "network.signed": True,
    "selfplay.positions": 2500,
    "learning.window": 2500,
    "learning.batch": 32,
    "learning.reuse": 30.0,
    "learning.optimizer": "adamw",  # without decay: Adam
    "learning.weight_decay": 0.0,
    "learning.rate": 0.001,
    "learning.symmetries": False,
    "gate.rule": "share",
    "gate.threshold": 0.51,
    "gate.games": 40,
    "gate.noise_share": 0.05,
    "gate.back": True,
}
# what no paper has
NONE = {
    "search.proofs": False,
    "search.look_ahead": False,
    "selfplay.opening_share": 0.0,
    "learning.search_share": 0.0,
    "learning.proven_targets": False,
    "learning.final_rate": 1.0,
    "learning.average": 0.0,
    "learning.clip": 0.0,
    "learning.surprise": 0.0,
    "search.first_play_urgency": 0.0,
    "search.reuse": True,
    "run.growth": 1.0,
}
PAPERS = {"wandhoven": WANDHOVEN, "wandhoven-code": WANDHOVEN_CODE, "prince": PRINCE, "blog": BLOG}


def value(parameters: Parameters, key: str) -> object:
    section, name = key.split(".")
    return getattr(getattr(parameters, section), name)


@pytest.mark.parametrize("name", PAPERS)
def test_every_value_is_the_papers(name: str) -> None:
    parameters = preset(name, "connect4")
    wanted = NONE | {"gate.opening_moves": 0} | PAPERS[name]
    assert {key: value(parameters, key) for key in wanted} == wanted


@pytest.mark.parametrize("name", PAPERS)
def test_no_preset_sets_what_is_not_compared(name: str) -> None:
    assert PRESETS[name].keys() <= NONE.keys() | PAPERS[name].keys() | {"gate.opening_moves"}
    assert PLAIN.keys() <= NONE.keys() | {"gate.opening_moves"}


@pytest.mark.parametrize(  # 002, tables 1 and 2
    ("side", "window", "simulations", "filters"), [(2, 1000, 50, 35), (3, 2000, 100, 70), (4, 3333, 167, 114)]
)
def test_the_thesis_on_its_three_boards(side: int, window: int, simulations: int, filters: int) -> None:
    wanted = {
        "selfplay.positions": 10 * 2 * side * (side + 1),  # ten games, and so many edges
        "learning.window": window,
        "search.simulations": simulations,
        "gate.simulations": simulations,
        "network.filters": filters,
    }
    parameters = preset("prince", f"dots-and-boxes:{side}x{side}")
    assert {key: value(parameters, key) for key in wanted} == wanted
    assert PRINCE_SIZES[side].keys() == wanted.keys()


@pytest.mark.parametrize(
    ("name", "game", "size"),
    [
        ("wandhoven", "connect4", 700_928),  # an action for each column, as in nought
        ("wandhoven", "connect4-cells", 703_903),  # one for each cell, as in the papers
        ("wandhoven-code", "connect4", 1_864_253),
        ("wandhoven-code", "connect4-cells", 1_867_228),
    ],
)
def test_the_networks_of_text_and_listing_have_so_many_weights(name: str, game: str, size: int) -> None:
    network = outline(load(game), preset(name, game).network)
    assert sum(p.numel() for p in network.parameters()) == size


def test_the_listings_network_layer_by_layer() -> None:
    network = shape_of((2, 6, 7), 42, preset("wandhoven-code", "connect4").network, margin=False)
    stem = [
        2 * 75 * 25,
        75,
        75 * 42,
        75 * 42,
    ]  # weights and biases; a scale and a shift for each number of the board
    half = [75 * 75 * 25, 75, 75 * 42, 75 * 42]
    policy = [75 * 2, 2, 84 * 42, 42]  # 2 channels of 42 cells
    worth = [75 * 10, 10, 420 * 210, 210, 210, 1]
    assert [p.numel() for p in network.parameters()] == stem + 6 * 2 * half + policy + worth
    kinds = [type(m).__name__ for m in network.policy.convolution.modules()][1:]
    assert kinds == ["Conv2d", "Identity", "LeakyReLU"]  # rectified, not normalised
