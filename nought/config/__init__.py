"""Parameters: frozen dataclasses, every field with its meaning and the papers' values.

Presets and overrides are in nought/presets.py.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from nought.config.learning import GateParameters, LearningParameters, SelfPlayParameters
from nought.config.network import FLOATS, PRECISIONS, NetworkParameters
from nought.config.parameter import Checked, kinds_of
from nought.config.run import LARGEST_SEED, ClusterParameters, ExamParameters, RunParameters
from nought.config.search import Choice, NoiseInto, SearchParameters

__all__ = [
    "FLOATS", "LARGEST_SEED", "PRECISIONS", "Checked", "Choice", "ClusterParameters", "ExamParameters", "GateParameters",
    "LearningParameters", "NetworkParameters", "NoiseInto", "Parameters", "RunParameters", "SearchParameters",
    "SelfPlayParameters", "kinds_of",
]  # fmt: skip


@dataclass(frozen=True)
class Parameters:
    """All parameters of a run."""

    search: SearchParameters = SearchParameters(
        simulations=32, c_puct=1.25, noise=True, sampled_moves=12, look_ahead=True
    )
    network: NetworkParameters = NetworkParameters()
    selfplay: SelfPlayParameters = SelfPlayParameters()
    learning: LearningParameters = LearningParameters()
    gate: GateParameters = GateParameters()
    exam: ExamParameters = ExamParameters()
    run: RunParameters = RunParameters()
    cluster: ClusterParameters = ClusterParameters()

    def check(self) -> None:
        """Raise NoughtError for a value that cannot be meant."""
        for section in dataclasses.fields(self):
            getattr(self, section.name).check()
