"""Readers: arrays, wide tables, results of scikit-learn and files that become one table of scores.

Values without labels are labelled by their position, in the order that each docstring
states.
"""

from replib.readers.arrays import from_arrays
from replib.readers.data import as_data
from replib.readers.files import read
from replib.readers.predictions import from_predictions
from replib.readers.scikit_learn import from_cross_validate, from_search
from replib.readers.wide import from_wide

__all__ = [
    "as_data",
    "from_arrays",
    "from_cross_validate",
    "from_predictions",
    "from_search",
    "from_wide",
    "read",
]
