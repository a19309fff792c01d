"""The ledger: every published fact, its rebuilt value, and a verdict.

A chapter passes frames of `companion.papers` to :func:`compare`, which gives each row a
verdict (:mod:`companion.papers.ledger.verdicts`); :func:`assess` then gives every fact
of `companion.papers.published` exactly one row, open or not; :func:`by_table` judges
tables as a whole. `companion.engine` displays them.
"""

from companion.papers.ledger.assess import (
    WEIGHTS,
    assess,
    counts,
    disagreements,
    expected_by_chance,
    failed_claims,
    in_numbers,
    tally,
    worse,
    worst,
)
from companion.papers.ledger.pooled import TABLES, by_table, joint_test, shuffled_share
from companion.papers.ledger.rebuilt import rows
from companion.papers.ledger.verdicts import (
    AGREE,
    COLUMNS,
    LEVEL,
    MAX_Z,
    VERDICTS,
    WIDEST,
    chances,
    compare,
    prediction_interval,
    verdict,
)
from companion.papers.ledger.words import Listed, Span

__all__ = [
    "AGREE",
    "COLUMNS",
    "LEVEL",
    "MAX_Z",
    "TABLES",
    "VERDICTS",
    "WEIGHTS",
    "WIDEST",
    "Listed",
    "Span",
    "assess",
    "by_table",
    "chances",
    "compare",
    "counts",
    "disagreements",
    "expected_by_chance",
    "failed_claims",
    "in_numbers",
    "joint_test",
    "prediction_interval",
    "rows",
    "shuffled_share",
    "tally",
    "verdict",
    "worse",
    "worst",
]
