"""Logarithm, exponential, cosine and power, made of additions, multiplications and divisions alone.

Those are the same to the last bit on every machine; what a system's mathematical library answers is not, and a GPU has
none. The polynomials are those of Sun's fdlibm, whose error is below one unit in the last place.
"""

import numpy as np

from nought.search.pointers import as_bits, as_float

MANTISSA, SIGN_SHIFT = np.uint64((1 << 52) - 1), np.uint64(52)
ONE_BITS = np.uint64(1023 << 52)  # of 1.0
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
SQRT2, INVERSE_LN2, TINY = 1.4142135623730951, 1.4426950408889634, 2.2250738585072014e-308
TWO_54, TWO_NEG_54, TWO_PI = 18014398509481984.0, 5.551115123125783e-17, 6.283185307179586
INFINITY, NOT_A_NUMBER = np.inf, np.nan


def log(x):
    """The natural logarithm."""
    x = np.float64(x)
    if not 0.0 < x < INFINITY:
        return -INFINITY if x == 0.0 else x if x > 0.0 else NOT_A_NUMBER
    exponent = 0
    if x < TINY:  # a number without a leading one
        x *= TWO_54
        exponent = -54
    bits = as_bits(x)
    exponent += np.int64(bits >> SIGN_SHIFT) - 1023
    m = as_float((bits & MANTISSA) | ONE_BITS)
    if m > SQRT2:
        m *= 0.5
        exponent += 1
    f, k = m - 1.0, np.float64(exponent)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    odd = z * (
        6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    half = 0.5 * f * f
    return k * LN2_HIGH - ((half - (s * (half + even + odd) + k * LN2_LOW)) - f)


def exp(x):
    """E to the power of x."""
    if not -745.2 < x < 709.79:
        return 0.0 if x < 0.0 else INFINITY if x > 0.0 else NOT_A_NUMBER
    k = np.int64(x * INVERSE_LN2 + (0.5 if x > 0.0 else -0.5))
    high, low = x - np.float64(k) * LN2_HIGH, np.float64(k) * LN2_LOW
    r = high - low
    z = r * r
    c = r - z * (
        1.66666666666666019037e-01
        + z
        * (
            -2.77777777770155933842e-03
            + z
            * (
                6.61375632143793436117e-05
                + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08)
            )
        )
    )
    y = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    if k < -1021:
        return y * as_float(np.uint64(k + 1023 + 54) << SIGN_SHIFT) * TWO_NEG_54
    if k > 1023:
        return y * 2.0 * as_float(np.uint64(k + 1022) << SIGN_SHIFT)
    return y * as_float(np.uint64(k + 1023) << SIGN_SHIFT)


def cosine_of_turn(turn):
    """The cosine of so many full turns, 0 to 1: cos(2π turn)."""
    quarter = np.int64(4.0 * turn + 0.5)
    x = TWO_PI * (turn - 0.25 * np.float64(quarter))  # at most π/4 either side of 0
    if quarter & 1:
        value = sine_near_zero(x)
        return value if quarter & 2 else -value
    value = cosine_near_zero(x)
    return -value if quarter & 2 else value


def cosine_near_zero(x):
    """The cosine of an angle of at most π/4."""
    z = x * x
    r = z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z
                * (
                    -2.75573143513906633035e-07
                    + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
                )
            )
        )
    )
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + z * r)


def sine_near_zero(x):
    """The sine of an angle of at most π/4."""
    z = x * x
    r = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z
        * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
    )
    return x + z * x * (-1.66666666666666324348e-01 + z * r)


def power(x, y):
    """X to the power of y, for x of 0 or more and y above 0; as exact as one digit of y · log x."""
    if y == 1.0 or x == 0.0 or x == 1.0:
        return np.float64(x)
    return exp(y * log(x))
