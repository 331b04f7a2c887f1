"""Presets, overrides and parameters as text."""

import dataclasses
import re

import pytest

from nought.config import Parameters
from nought.errors import NoughtError
from nought.presets import PRESETS, explained, from_toml, override, parse_overrides, preset, to_toml


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_sensible_and_survives_toml(name):
    parameters = preset(name, "connect4")
    parameters.check()
    assert from_toml(to_toml(parameters), "config.toml") == parameters


def test_overrides_change_only_what_they_name():
    changed = override(Parameters(), parse_overrides(["search.c_puct=1.5", "search.first_play_urgency=none"]))
    assert changed.search.c_puct == 1.5
    assert changed.search.first_play_urgency is None
    back = dataclasses.replace(changed.search, c_puct=1.25, first_play_urgency=0.0)
    assert back == Parameters().search
    assert changed.network == Parameters().network


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("search.c_puct=x", "search.c_puct must be a number"),
        ("search.simulations=1.5", "must be a whole number"),
        ("search.proofs=maybe", "must be true or false"),
        ("search.choice=best", "must be puct, puct+1, ucb1, gumbel"),
        ("search.depth=3", "there is no parameter 'search.depth'"),
        ("serach.c_puct=1", "there is no parameter 'serach.c_puct'"),
        ("c_puct", "section.name=value"),
        ("search.simulations=-1", "must be 0 or more"),
        ("learning.rate=nan", "must be a finite number"),
        ("network.kernel=4", "must be odd"),
        ("network.norm=group", "network.norm is batch, layer or none"),
        ("gate.rule=always", "gate.rule is none, ratio, wins, share, sequential"),
        ("learning.optimizer=lion", "adamw, muon or sgd"),
        ("selfplay.full_share=2", "must be 1 or less"),
    ],
)
def test_a_wrong_setting_is_named(setting, says):
    with pytest.raises(NoughtError, match=re.escape(says)):
        override(Parameters(), parse_overrides([setting])).check()


def test_a_preset_with_changes():
    changed = preset("wandhoven", "connect4", {"search.simulations": 7})
    assert changed == override(preset("wandhoven", "connect4"), {"search.simulations": 7})
    assert changed.search.simulations == 7
    with pytest.raises(NoughtError, match=r"there is no parameter 'search\.speed'"):
        preset("best", "connect4", {"search.speed": 1})


def test_more_minutes_get_a_larger_network():
    short, long = (preset("best", "connect4", {"run.minutes": minutes}) for minutes in ("10", "40"))
    assert short.network == Parameters().network
    assert (long.network.filters, long.network.blocks, long.search.simulations) == (48, 5, 64)
    assert preset("best", "connect4", {"run.minutes": 40, "network.filters": 16}).network.filters == 16
    assert preset("classic", "connect4", {"run.minutes": 40}).network == Parameters().network
    assert preset("best", "connect4", {"run.minutes": 40}, gpu=True).network.filters == 128


def test_an_unknown_preset_is_named():
    with pytest.raises(NoughtError, match="there is no preset 'alpha'"):
        preset("alpha", "connect4")


def test_damaged_toml_is_named():
    with pytest.raises(NoughtError, match=r"config\.toml is damaged"):
        from_toml("[search\n", "config.toml")


def test_every_parameter_has_a_meaning():
    for name, _, meaning, _ in explained(Parameters()):
        assert meaning, name
