"""The support vector machine with a radial kernel: kernel matrix by BLAS, dual problem by SMO.

The algorithm is that of LIBSVM (Fan, Chen and Lin 2005, second-order working sets,
stopping at a violation of 1e-3), with the same steps in the same order, without its
cache and its shrinking: the whole matrix of a thousand cases fits, and most time is
spent on finding a pair and moving it. Only the last bit of the kernel depends on how a
machine orders or fuses sums.
"""

from math import factorial, log

import numpy as np

from companion.lab.compiled import njit

_ROWS = 64  # of a kernel matrix computed at a time, which stay in the processor's cache
_FAR = 1e30  # further than any gradient
_LANES = 16  # of a maximum taken at a time
_FLAT = 1e-12  # curvature between two equal cases
# Allows maxima to be taken many at a time; sums keep their order, so the bits are the
# same.
_MATH = {"nnan", "ninf", "nsz"}
# For e^x: its least argument; 1/k! of its series, the last first; ln 2 in two parts,
# with exact multiples of the first; a number whose addition rounds to a whole number.
_LEAST = -708.0
_C13, _C12, _C11, _C10, _C9, _C8, _C7, _C6, _C5, _C4, _C3, _C2 = (
    1 / factorial(k) for k in range(13, 1, -1)
)
_PER_LN_2 = 1 / log(2)
_LN_2 = float.fromhex("0x1.62e42fefap-1")
_REST_OF_LN_2 = float.fromhex("0x1.cf79abc9e3b3ap-40")
_ROUNDING = 1.5 * 2.0**52


@njit(fastmath=_MATH | {"contract"})
def exponentiate(x):
    """Replace each x <= 0 of a matrix by e^x, to a unit in the last place.

    It is 2^k e^r with the nearest whole k and the series of e^r: several numbers at
    once, while the mathematical library takes them one by one.  Below -708 it is
    e^-708, too small for any sum. The series is cut into loops so short that a
    processor works on several turns of each at once.
    """
    power, series = np.empty((2, x.shape[1]))
    exponent = power.view(np.int64)
    for row in range(x.shape[0]):
        values = x[row]
        bits = values.view(np.int64)
        for t in range(values.size):
            value = values[t] if values[t] > _LEAST else _LEAST
            power[t] = value * _PER_LN_2 + _ROUNDING
            k = power[t] - _ROUNDING
            values[t] = value - k * _LN_2 - k * _REST_OF_LN_2
        for t in range(values.size):
            r = values[t]
            series[t] = (((_C13 * r + _C12) * r + _C11) * r + _C10) * r + _C9
        for t in range(values.size):
            r = values[t]
            series[t] = (((series[t] * r + _C8) * r + _C7) * r + _C6) * r + _C5
        for t in range(values.size):
            r = values[t]
            p = ((series[t] * r + _C4) * r + _C3) * r + _C2
            values[t] = (p * r + 1.0) * r + 1.0
        for t in range(values.size):
            bits[t] += exponent[t] << 52


def _augmented(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two forms of the points, such that their products are -|a - b|^2 / 2."""
    half_square = -0.5 * np.einsum("ij,ij->i", x, x)
    ones = np.ones(len(x))
    left = np.column_stack((x, half_square, ones))
    right = np.column_stack((x, ones, half_square))
    return left, right


def similarities(x: np.ndarray) -> np.ndarray:
    """Return exp(-|a - b|^2 / 2) of all pairs of points, computed in double, stored in single."""
    left, right = _augmented(x)
    columns = np.ascontiguousarray(right.T)
    kernel = np.empty((len(x), len(x)), np.float32)
    for first in range(0, len(x), _ROWS):
        last = min(first + _ROWS, len(x))
        similarity = left[first:last] @ columns[:, :last]
        exponentiate(similarity)
        kernel[first:last, :last] = similarity
        kernel[:first, first:last] = kernel[first:last, :first].T
    return kernel


def weighted_similarity(
    x: np.ndarray, vectors: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Return the sum of exp(-|a - b|^2 / 2) over the weighted vectors b, for each point a."""
    points, _ = _augmented(x)
    _, columns = _augmented(vectors)
    total = np.empty(len(x))
    for first in range(0, len(x), _ROWS):
        similarity = points[first : first + _ROWS] @ columns.T
        exponentiate(similarity)
        total[first : first + _ROWS] = similarity @ weights
    return total


@njit(fastmath=_MATH)
def _last_largest(values, lanes):
    """Return the maximum and its last place; the size is an even multiple of that of `lanes`."""
    for lane in range(lanes.size):
        lanes[lane] = values[lane]
    for first in range(0, values.size, 2 * _LANES):
        for lane in range(_LANES):
            value = values[first + lane]
            second = values[first + _LANES + lane]
            value = value if value > second else second
            lanes[lane] = value if value > lanes[lane] else lanes[lane]
    largest = lanes[0]
    last = -1
    for lane in range(1, lanes.size):
        largest = lanes[lane] if lanes[lane] > largest else largest
    for lane in range(lanes.size):
        if lanes[lane] == largest:
            t = values.size - lanes.size + lane
            while values[t] != largest:
                t -= lanes.size
            last = max(last, t)
    return largest, last


@njit(fastmath=_MATH)
def solve(kernel, sign, cost, tolerance, most):
    """Solve the dual problem: signed multipliers and intercept; the kernel's diagonal is one.

    `sign` is +1 or -1 for each case, and `margin` is what remains of it after the pull
    of the others.  A case can move up if it may take more of its own sign.  Each step
    moves up the case i with the largest margin `top`, and moves down the case j that
    gains most; at the optimum no case that can move down has a smaller margin than one
    that can move up.
    """
    n = sign.size
    multiplier = np.zeros(n)
    # Padded to whole lanes: margins of the cases that can move up, and negative margins
    # of those that can move down, otherwise far below, where no step shows; the gain of
    # moving each down.
    padded = -(-n // (2 * _LANES)) * 2 * _LANES
    lanes = np.empty(_LANES)
    up = np.full(padded, -_FAR)
    down = np.full(padded, -_FAR)
    gain = np.zeros(padded)
    for t in range(n):
        if sign[t] > 0:
            up[t] = 1.0
        else:
            down[t] = 1.0
    steps = 0
    while True:
        top, i = _last_largest(up, lanes)
        row_i = kernel[i]
        for t in range(n):
            far = top + down[t]
            far = far if far > 0.0 else 0.0
            curvature = 2.0 - 2.0 * row_i[t]
            curvature = curvature if curvature > _FLAT else _FLAT
            gain[t] = far * far / curvature
        _, j = _last_largest(gain, lanes)
        if steps == most:
            break
        # the largest of `down` needs another pass, and is asked for only at this point
        is_near = top + down[j] < tolerance
        if is_near and top + _last_largest(down, lanes)[0] < tolerance:
            break
        steps += 1
        row_j = kernel[j]
        room_i = cost - multiplier[i] if sign[i] > 0 else multiplier[i]
        room_j = multiplier[j] if sign[j] > 0 else cost - multiplier[j]
        step = min((top + down[j]) / max(2.0 - 2.0 * row_i[j], _FLAT), room_i, room_j)
        for t in range(n):
            change = step * (np.float64(row_i[t]) - np.float64(row_j[t]))
            up[t] -= change
            down[t] += change
        for t, is_i, room in ((i, True, room_i), (j, False, room_j)):
            margin = up[t] if up[t] > -_FAR else -down[t]
            grows = is_i == (sign[t] > 0)
            if step == room:
                multiplier[t] = cost if grows else 0.0
            else:
                multiplier[t] += step if grows else -step
            can_grow = multiplier[t] < cost
            can_shrink = multiplier[t] > 0
            can_move_up = can_grow if sign[t] > 0 else can_shrink
            can_move_down = can_shrink if sign[t] > 0 else can_grow
            up[t] = margin if can_move_up else -_FAR
            down[t] = -margin if can_move_down else -_FAR
    total = 0.0
    n_free = 0
    for t in range(n):
        if 0 < multiplier[t] < cost:
            total += up[t]
            n_free += 1
    if n_free:
        return multiplier * sign, total / n_free
    bottom = -_last_largest(down, lanes)[0]
    return multiplier * sign, (top + bottom) / 2
