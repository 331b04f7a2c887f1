"""Perfect play: exact values of positions, independent of network and search."""

from nought.oracle.truth import Oracle, Truth

__all__ = ["Oracle", "Truth"]
