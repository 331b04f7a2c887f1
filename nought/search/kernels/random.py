"""Random numbers, one stream per game: a game goes the same way whatever is played beside it.

A stream is one word of 64 bits, advanced by a constant and mixed (splitmix64).
"""

import math

import numpy as np

from nought.search.kernels.elementary import cosine_of_turn, log

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_A, MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)


def mix(x):
    """Hash a number: every bit of x decides every bit of the answer."""
    x = (x ^ (x >> S30)) * MIX_A
    x = (x ^ (x >> S27)) * MIX_B
    return x ^ (x >> S31)


def uniform(words, stream):
    """A number between 0 and 1, evenly distributed, never one of the ends."""
    words[stream] += STEP
    return (np.float64(mix(words[stream]) >> S11) + 0.5) / 9007199254740992.0


def normal(words, stream):
    """A number from the standard normal distribution (Box and Muller)."""
    return math.sqrt(-2.0 * log(uniform(words, stream))) * cosine_of_turn(uniform(words, stream))


def log_gamma_variate(words, stream, alpha):
    """The logarithm of a Gamma(alpha) draw (Marsaglia and Tsang; without it a small alpha would underflow)."""
    boost = 0.0
    if alpha < 1.0:
        boost = log(uniform(words, stream)) / alpha
        alpha += 1.0
    d = alpha - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal(words, stream)
        v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x)
        if v > 0.0 and log(uniform(words, stream)) < 0.5 * x * x + d - d * v + d * log(v):
            return boost + log(d * v)


def gumbel_variate(words, stream):
    """A number from the standard Gumbel distribution."""
    return -log(-log(uniform(words, stream)))
