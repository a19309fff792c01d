"""Small tables of nominal attributes, drawn."""

import numpy as np
from hypothesis import strategies as st

from companion.lab.learners import Table
from companion.lab.sources import random_network


@st.composite
def nominal_tables(draw, max_attributes=4, max_rows=14):
    """A small table of nominal attributes; values and classes may be absent."""
    cardinality = draw(st.lists(st.integers(1, 3), min_size=1, max_size=max_attributes))
    n_classes = draw(st.integers(1, 3))
    row = st.tuples(
        *(st.integers(0, k - 1) for k in cardinality), st.integers(0, n_classes - 1)
    )
    rows = np.array(draw(st.lists(row, min_size=1, max_size=max_rows)))
    return Table.from_codes(rows[:, :-1].T, rows[:, -1], cardinality, n_classes)


def drawn(seed, n_rows=120):
    network = random_network(seed=seed, attributes=5, cardinality=3, arrows=4)
    labels, columns = network.sample(n_rows, np.random.default_rng(seed))
    return labels, columns
