"""Sources of random data.

>>> import numpy as np
>>> network = random_network(seed=3, attributes=4, arrows=2)
>>> labels, columns = network.sample(300, np.random.default_rng(0))
>>> columns.shape
(4, 300)
"""

from companion.lab.sources.bayesian_network import BayesianNetwork
from companion.lab.sources.flat_network import FlatNetwork, sample_into
from companion.lab.sources.random_networks import random_network

__all__ = ["BayesianNetwork", "FlatNetwork", "random_network", "sample_into"]
