"""Sources of random data: Bayesian networks over a class and nominal attributes.

A source is described by plain data, a name or the arguments of :func:`random_network`:

>>> import numpy as np
>>> network = source({"seed": 3, "attributes": 4, "arrows": 2})
>>> labels, columns = network.sample(300, np.random.default_rng(0))
>>> columns.shape
(4, 300)

The committed networks are ten for each of the four margins between C4.5 and naive Bayes that the
papers of 2004 report; how they were found is told in `replib.margins`.

>>> load("source4.0").n_attributes
10
"""

from replib.sources.bayesian_network import BayesianNetwork, FlatNetwork, sample_into
from replib.sources.committed import load, names, search, source, table
from replib.sources.random_networks import random_network

__all__ = [
    "BayesianNetwork", "FlatNetwork", "load", "names", "random_network", "sample_into", "search",
    "source", "table",
]
