"""Random differences on which every test is compared with another program's."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def random_differences():
    """Twenty samples of twelve; the last ten rounded, so that they have ties and zeros."""
    x = np.random.default_rng(24).normal(0.01, 0.03, size=(20, 12))
    x[10:] = np.round(x[10:], 2)
    return x
