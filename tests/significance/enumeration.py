"""Exact null distributions by enumeration."""

from fractions import Fraction
from itertools import product

import numpy as np


def sign_vectors(n):
    return np.array(list(product((-1, 1), repeat=n)))


def tail_probabilities(values, observed):
    """P(value <= observed) and P(value >= observed) over equally likely values, as fractions."""
    values = list(values)
    at_most = Fraction(sum(v <= observed for v in values), len(values))
    at_least = Fraction(sum(v >= observed for v in values), len(values))
    return at_most, at_least
