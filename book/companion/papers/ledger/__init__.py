"""The ledger: every published fact beside what this project rebuilds, with a verdict.

A chapter hands frames of `companion.papers` to :func:`compare`, which gives each row a verdict
(:mod:`companion.papers.ledger.verdicts`); :func:`assess` then gives every fact of
`companion.papers.published` exactly one row, open or not; :func:`by_table` judges tables as a
whole. `companion.engine` shows them.
"""

from companion.papers.ledger.assess import (
    assess,
    compute,
    counts,
    counts_by_paper,
    modules_with_rows,
    worse,
    worst,
)
from companion.papers.ledger.pooled import TABLES, by_table, joint_test, shuffled_share
from companion.papers.ledger.verdicts import COLUMNS, MAX_Z, VERDICTS, compare, verdict

__all__ = [
    "COLUMNS", "MAX_Z", "TABLES", "VERDICTS", "assess", "by_table", "compare", "compute", "counts",
    "counts_by_paper", "joint_test", "modules_with_rows", "shuffled_share", "verdict", "worse",
    "worst",
]
