"""Parameters of the network."""

from __future__ import annotations

import os
from dataclasses import dataclass

from nought.config.parameter import Checked, parameter
from nought.errors import NoughtError

# In which a network can calculate. It learns in one of the first two, whatever it plays in.
FLOATS = ("float32", "bfloat16")
PRECISIONS = (*FLOATS, "int8")
WEIGHT = 4  #   bytes
COPIES = 6  # of the weights while a network learns: gradient, two moments, average, the one that plays
USUAL_MEMORY = 64 * 2**30  # bytes, where the system does not say how many there are


def memory_size() -> int:
    """Bytes of memory in this machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return USUAL_MEMORY


def _rounded(number: int) -> str:
    """A large number with three digits and a letter, such as 1.2 M."""
    size = next((i for i in range(6) if number < 1000 ** (i + 1)), 6)
    return f"{number / 1000**size:,.3g} {' kMGTPE'[size]}".strip()


@dataclass(frozen=True)
class NetworkParameters(Checked):
    """The residual network: a stem, a tower of blocks, a policy head and a value head."""

    section = "network"

    blocks: int = parameter(4, "residual blocks", "wandhoven and prince 6", least=0, most=1000)
    filters: int = parameter(32, "channels of the tower", "wandhoven 75, prince 35/70/114", least=1)
    kernel: int = parameter(3, "size of the tower's convolutions", "papers 3, wandhoven's code 5", least=1)
    norm: str = parameter("batch", "batch, layer or none", "papers batch, wandhoven's code layer")
    activation: str = parameter("relu", "relu or leaky", "wandhoven leaky")
    pooling: bool = parameter(
        False,
        "mix in each channel's mean and maximum over the board in every other block (KataGo)",
        "papers no",
    )
    signed: bool = parameter(
        False, "planes of 1 and -1 in the place of 1 and 0; what is beyond the board stays 0", "blog yes"
    )
    policy_filters: int = parameter(8, "channels of the policy head", "wandhoven and prince 2", least=1)
    value_filters: int = parameter(8, "channels of the value head", "wandhoven 10, prince 1", least=1)
    value_hidden: int = parameter(
        64, "hidden units of the value head; 0: no hidden layer", "wandhoven 210, AlphaZero 256", least=0
    )
    value_plane: int | None = parameter(
        None,
        "number of a plane that is the same all over the board, which only the value head sees",
        "prince proposes it for the score",
        least=0,
    )
    head_norm: bool = parameter(True, "normalise and rectify the heads' channels", "wandhoven no, prince yes")
    head_activation: bool = parameter(
        False, "rectify them even where they are not normalised", "wandhoven's code yes"
    )
    outcomes: bool = parameter(False, "predict win, draw and loss instead of a value", "papers no")
    margin: bool = parameter(False, "predict the margin too, in games that count points", "papers no")
    masked: float = parameter(
        -1000.0, "logit of illegal moves before the softmax", "wandhoven -1000", most=-100
    )

    def check(self) -> None:
        super().check()
        if self.norm not in ("batch", "layer", "none"):
            raise NoughtError(f"network.norm is batch, layer or none, not {self.norm!r}")
        if self.activation not in ("relu", "leaky"):
            raise NoughtError(f"network.activation is relu or leaky, not {self.activation!r}")
        if self.kernel % 2 == 0:
            raise NoughtError(f"network.kernel must be odd, not {self.kernel}")
        needed, there = COPIES * WEIGHT * self.least_weights, memory_size()
        if needed > there:
            raise NoughtError(
                f"this network has {_rounded(self.least_weights)} weights at least and needs "
                f"{_rounded(needed)}B to learn; this machine has {_rounded(there)}B: make it smaller "
                "(network.filters, network.blocks)"
            )

    @property
    def least_weights(self) -> int:
        """How many weights it has on the smallest of boards."""
        tower = (1 + 2 * self.blocks * self.filters) * self.filters * self.kernel**2
        heads = (
            self.filters * (self.policy_filters + self.value_filters) + self.value_filters * self.value_hidden
        )
        return tower + heads
