from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from nought.arithmetic import ceil_div, sign


@given(st.integers(), st.integers(1))
def test_quotients_are_rounded_up(number: int, divisor: int) -> None:
    assert ceil_div(number, divisor) == math.ceil(Fraction(number, divisor))


def test_signs() -> None:
    assert [sign(number) for number in (3, 0, -0.5, 0.0, 1e-9)] == [1, 0, -1, 0, 1]
