"""Methods compared at equal size: the power of each if it rejected in 5% of coin tosses."""

import numpy as np
import pandas as pd

from companion.papers.topics.since_the_papers.stored_differences import FILE
from replib import methods

#: Methods by title: designs of `replib.methods`, and the number of runs that they are given.
COMPARED = {
    "corrected t, ten runs": ("corrected_repeated_cv", 10),
    "corrected t, two runs": ("corrected_repeated_cv", 2),
    "corrected t, one run": ("corrected_repeated_cv", 1),
    "t on sorted runs, ten runs": ("average_over_sorted_runs.paired_t", 10),
    "signed rank, one run": ("k_fold.signed_rank", 1),
}


def table(instances: int = 300, alpha: float = 0.05) -> pd.DataFrame:
    """Power, agreement of two seeds and of two data sets, each method at its own exact level.

    The differences are those of `replib.bench`, of the pair of 2004.  The threshold of a method is
    the quantile `alpha` of its p-values on source 1.  Indexed by method: `threshold`; `power`,
    `rerun` (share of data sets on which two seeds agree) and `new_data` (the same for two data
    sets), means over the networks of sources 2 to 4, with errors between networks; percent.
    """
    with np.load(FILE) as stored:
        blocks = {source: stored[f"n{instances}_source{source}"] for source in (1, 2, 3, 4)}
    rows = {}
    for title, (method, runs) in COMPARED.items():
        found = {source: methods.pvalues(block[..., :runs, :].astype(float), method=method)
                 for source, block in blocks.items()}
        threshold = np.quantile(found[1], alpha)
        rejected = np.concatenate([
            (found[source] <= threshold).reshape(10, -1, 2) for source in (2, 3, 4)
        ])
        share = rejected.mean(axis=(1, 2))
        values = {
            "power": share, "rerun": (rejected[..., 0] == rejected[..., 1]).mean(axis=1),
            "new_data": share**2 + (1 - share) ** 2,
        }
        rows[title] = {"threshold": threshold} | {
            f"{name}{end}": 100 * number for name, value in values.items()
            for end, number in (("", value.mean()), ("_error", value.std(ddof=1) / len(value)**0.5))
        }
    return pd.DataFrame(rows).T.rename_axis("method")
