"""The committed networks, which replace the papers' unpublished ones, and experiments on them.

There are ten networks for each of the four margins between C4.5 and naive Bayes that
the papers of 2004 report (:mod:`companion.papers.networks.margins`);
:mod:`companion.papers.networks.search` says how they were found.

>>> load("source4.0").n_attributes
10
"""

from companion.papers.networks import experiments
from companion.papers.networks.committed import (
    load,
    name_of,
    names,
    search_terms,
    source,
    source_and_place,
    table,
)

__all__ = [
    "experiments",
    "load",
    "name_of",
    "names",
    "search_terms",
    "source",
    "source_and_place",
    "table",
]
