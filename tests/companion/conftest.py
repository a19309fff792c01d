"""Made-up results: decisions of forty networks, experiments on data sets with tests by hand."""

import numpy as np
import pytest

from companion.lab.experiments import runner
from companion.papers import synthetic, uci
from companion.papers.methods_of_2004 import METHODS as OF_2004


def made_up_counts(rng, datasets, experiments=10, designs=len(OF_2004)):
    """Every other design differs much from network to network, the others hardly."""
    p = rng.dirichlet([1, 1, 1], size=(datasets, designs))
    p[:, ::2] = rng.dirichlet([0.1, 0.1, 0.1], size=(1, p[:, ::2].shape[1]))
    return rng.multinomial(experiments, p)


@pytest.fixture(scope="session")
def decisions() -> synthetic.Results:
    """Forty networks with made-up decisions on thirty data sets each."""
    rng = np.random.default_rng(1)
    return {
        name: runner.Replications(one, made_up_counts(rng, 30), {})
        for name, (one, _) in synthetic.plan().items()
    }


@pytest.fixture(scope="session")
def measured(decisions):
    return synthetic.measures_by_network(decisions)


_SHAPES = {
    "uci_five_by_two_cv": (20, 5, 2, 3),
    "uci_cross_validation": (20, 10, 10, 3),
    "uci_resampling": (20, 100, 3),
    "uci_stratified_resampling": (20, 100, 3),
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
            results[split][name] = runner.Replications(
                uci.experiment(split, name), counts, {}
            )
    return results
