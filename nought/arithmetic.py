"""Arithmetic on whole numbers that Python does not name."""

from __future__ import annotations


def sign(number: float) -> int:
    """1, 0 or -1, as the number is above, at or below 0."""
    return (number > 0) - (number < 0)


def ceil_div(number: int, divisor: int) -> int:
    """The quotient of two whole numbers, rounded up."""
    return -(number // -divisor)
