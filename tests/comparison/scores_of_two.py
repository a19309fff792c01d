"""Scores of two classifiers in a 10x10 cross-validation."""

import numpy as np

RNG = np.random.default_rng(5)
A = 0.85 + RNG.normal(0.01, 0.04, 100)
B = 0.85 + RNG.normal(0.00, 0.04, 100)
