"""The support vector machine with a radial kernel: kernel matrix by BLAS, dual problem by SMO.

The algorithm is that of LIBSVM (Fan, Chen and Lin 2005, second-order working sets, stopping at a
violation of 1e-3), in the same order of the same steps, without its cache and its shrinking: for a
thousand cases the whole matrix fits, and the time goes into finding a pair and moving it.
Nothing here depends on how a machine orders or fuses sums, beyond the last bit of the kernel.
"""

import numpy as np
from numba import njit

_ROWS = 64  # of a kernel matrix computed at a time: they stay in the processor's cache
_FAR = 1e30  # further than any gradient
_FLAT = 1e-12  # curvature between two equal cases
# Lets minima and maxima be taken four at a time; sums keep their order, so that bits are the same.
_MATH = {"nnan", "ninf", "nsz"}


def with_squares(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two forms of the same points, of which the product of one and another is -|a - b|^2 / 2."""
    half, one = -0.5 * np.einsum("ij,ij->i", x, x), np.ones(len(x))
    return np.column_stack((x, half, one)), np.column_stack((x, one, half))


def similarities(x: np.ndarray) -> np.ndarray:
    """exp(-|a - b|^2 / 2) of any two points, computed in double and kept in single precision."""
    a, b = with_squares(x)
    kernel, b = np.empty((len(x), len(x)), np.float32), np.ascontiguousarray(b.T)
    for first in range(0, len(x), _ROWS):
        last = min(first + _ROWS, len(x))
        exponent = a[first:last] @ b[:, :last]
        np.exp(exponent, out=kernel[first:last, :last], casting="same_kind")
        kernel[:first, first:last] = kernel[first:last, :first].T
    return kernel


def weighted_similarity(x: np.ndarray, vectors: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum of exp(-|a - b|^2 / 2) over the weighted vectors b, for each point a."""
    total, a, b = np.empty(len(x)), with_squares(x)[0], with_squares(vectors)[1].T
    for first in range(0, len(x), _ROWS):
        exponent = a[first : first + _ROWS] @ b
        total[first : first + _ROWS] = np.exp(exponent, out=exponent) @ weights
    return total


@njit(cache=True, fastmath=_MATH)
def solve(kernel, sign, cost, tolerance, most):
    """Signed multipliers and intercept of the dual problem, with ones on the kernel's diagonal.

    `sign` is +1 or -1 of each case.  Case t can move up if it may take more of its own sign;
    `margin` is its sign less what the others give it.  Each step moves up the case i of largest
    margin m, and down the case j that gains most by it; at the optimum no pair has m > M.
    """
    n = sign.size
    multiplier = np.zeros(n)
    margin = sign.copy()
    bars_up = np.where(sign > 0, 0.0, -_FAR)  # 0 where a case can move up, else far
    bars_down = np.where(sign > 0, _FAR, 0.0)
    gain = np.empty(n)
    m, M = 1.0, -1.0
    steps = 0
    while m - M >= tolerance and steps < most:
        steps += 1
        i = n - 1
        while margin[i] + bars_up[i] != m:
            i -= 1
        row_i = kernel[i]
        best = 0.0
        for t in range(n):
            far = m - (margin[t] + bars_down[t])
            far = far if far > 0.0 else 0.0
            curvature = 2.0 - 2.0 * row_i[t]
            curvature = curvature if curvature > _FLAT else _FLAT
            g = far * far / curvature
            gain[t] = g
            best = g if g > best else best
        j = n - 1
        while gain[j] != best:
            j -= 1
        row_j = kernel[j]
        room_i = cost - multiplier[i] if sign[i] > 0 else multiplier[i]
        room_j = multiplier[j] if sign[j] > 0 else cost - multiplier[j]
        step = min((m - margin[j]) / max(2.0 - 2.0 * row_i[j], _FLAT), room_i, room_j)
        for t, up, room in ((i, True, room_i), (j, False, room_j)):
            grows = up == (sign[t] > 0)
            if step == room:
                multiplier[t] = cost if grows else 0.0
            else:
                multiplier[t] += step if grows else -step
            more, less = multiplier[t] < cost, multiplier[t] > 0
            bars_up[t] = 0.0 if (more if sign[t] > 0 else less) else -_FAR
            bars_down[t] = 0.0 if (less if sign[t] > 0 else more) else _FAR
        m, M = -_FAR, _FAR
        for t in range(n):
            margin[t] -= step * (np.float64(row_i[t]) - np.float64(row_j[t]))
            high, low = margin[t] + bars_up[t], margin[t] + bars_down[t]
            m = high if high > m else m
            M = low if low < M else M
    total, free = 0.0, 0
    for t in range(n):
        if 0 < multiplier[t] < cost:
            total += margin[t]
            free += 1
    return multiplier * sign, total / free if free else (m + M) / 2
