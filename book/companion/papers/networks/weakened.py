"""Random networks whose interactions are weakened, so that they can have any smaller margin."""

import numpy as np

from companion.lab.sources.bayesian_network import BayesianNetwork
from companion.lab.sources.random_networks import random_network

#: "Ten binary variables" may count the class; rows of tables can be near certainty or
#: near equality.
ATTRIBUTES = (9, 10)
CONCENTRATIONS = (0.3, 1.0, 3.0)


def drawn(rng: np.random.Generator) -> BayesianNetwork:
    """Draw a network with one of `ATTRIBUTES` and `CONCENTRATIONS`, and any number of arrows.

    >>> drawn(np.random.default_rng(1)).n_attributes in ATTRIBUTES
    True
    """
    attributes = int(rng.choice(ATTRIBUTES))
    return random_network(
        seed=int(rng.integers(2**32)),
        attributes=attributes,
        arrows=[1, attributes * (attributes - 1) // 2],
        concentration=float(rng.choice(CONCENTRATIONS)),
    )


def weakened(network: BayesianNetwork, strength: float) -> BayesianNetwork:
    """Return a network between naive Bayes (strength 0) and the given one (strength 1).

    Each row of a table is mixed with the mean of the rows of the same class.

    >>> network = random_network(seed=1, attributes=3, arrows=2)
    >>> np.ptp(weakened(network, 0.0).tables[3], axis=1).round(9).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    tables = [network.tables[0]]
    for table in network.tables[1:]:
        of_class = table.mean(axis=tuple(range(1, table.ndim - 1)), keepdims=True)
        tables.append(strength * table + (1 - strength) * of_class)
    return BayesianNetwork(network.parents, tables)
