"""Made-up decisions of forty networks, shared by the tests of the two synthetic tables."""

import numpy as np
import pytest

from replib.experiments import engine
from replib.experiments.designs import DESIGNS
from replib.papers import synthetic


def made_up_counts(rng, datasets, experiments=10, designs=len(DESIGNS)):
    """Every other design differs much from network to network, the others hardly."""
    p = rng.dirichlet([1, 1, 1], size=(datasets, designs))
    p[:, ::2] = rng.dirichlet([0.1, 0.1, 0.1], size=(1, p[:, ::2].shape[1]))
    return rng.multinomial(experiments, p)


@pytest.fixture(scope="session")
def decisions() -> synthetic.Results:
    """Forty networks with made-up decisions on thirty data sets each."""
    rng = np.random.default_rng(1)
    return {
        name: engine.Replications(one, made_up_counts(rng, 30), {})
        for name, (one, _) in synthetic.plan().items()
    }


@pytest.fixture(scope="session")
def measured(decisions):
    return synthetic.measures_by_network(decisions)
