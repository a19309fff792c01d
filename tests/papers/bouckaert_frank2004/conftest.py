"""Made-up experiments, for which a test can be made by hand."""

import numpy as np
import pytest

from replib.experiments import engine
from replib.papers import uci

_SHAPES = {
    "uci_five_by_two_cv": (20, 5, 2, 3), "uci_cross_validation": (20, 10, 10, 3),
    "uci_resampling": (20, 100, 3), "uci_stratified_resampling": (20, 100, 3),
}


@pytest.fixture(scope="session")
def made_up() -> dict[str, uci.Results]:
    """Twenty experiments of every kind on two data sets, by split."""
    rng = np.random.default_rng(1)
    results = {}
    for split, shape in _SHAPES.items():
        results[split] = {}
        for name in ("iris", "labor"):
            size = np.min(uci.test_sizes(split, name))
            counts = rng.binomial(size, [0.7, 0.75, 0.85], shape).astype(np.uint8)
            results[split][name] = engine.Replications(uci.experiment(split, name), counts, {})
    return results
