"""Type I error of the three questions: the stored cells are those of the design."""

import numpy as np

from companion import stored
from companion.studies import five_seeds


def test_every_cell_is_stored_once_and_a_cell_is_counted_by_itself():
    table = five_seeds.type_1_errors(stored.load("five_seeds"))
    cells = table[list(five_seeds.Cell._fields)]
    assert len(table) == 1788 and not cells.duplicated().any()
    for place in np.flatnonzero((table["items"] == 100) & (table["runs"] == 2))[
        [0, -1]
    ]:
        cell, row = five_seeds.Cell(*cells.iloc[place]), table.iloc[place]
        assert five_seeds.rejections_of(cell, row["experiments"]) == row["rejections"]


def test_metrics_hold_the_level_in_the_stored_cells():
    counts = [one.counts[0] for one in stored.load("five_seeds_metrics").values()]
    assert len(counts) == 26 and max(counts) <= 1000 * (0.05 + 3 * 0.0069)
