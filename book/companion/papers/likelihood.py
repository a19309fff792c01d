"""How many degrees of freedom the 5x2cv test of Bouckaert and Frank had, judged by likelihood.

The stored raw counts give each printed cell a probability under each reading; the sums
of logarithms, as if the cells were independent, are compared between readings.
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from companion.lab import datasets
from companion.papers import published, synthetic, uci
from companion.papers.bouckaert_frank2004 import readings, table_1

#: The stored runs that :func:`degrees_of_freedom` takes.
NEEDS = (*table_1.NEEDS, "table_5_readings")

#: The 5x2cv test by its degrees of freedom (the paper prints 5), and the F test.
FIVE_BY_TWO = {
    f"{df} degrees of freedom": partial(readings.five_by_two_p, df=df)
    for df in (3, 4, 5, 6)
} | {"F of Alpaydin": readings.alpaydin_p}

_TABLE_1 = "bouckaert_frank2004.tab01"
_TABLE_5 = "bouckaert_frank2004.tab05"


def log10_of_counts(
    printed: np.ndarray, accepted: np.ndarray, experiments: int
) -> np.ndarray:
    """Return log10 of the probability of printed counts of ten, given how many of ours accept.

    If x of n experiments accept and the prior is uniform, a count of ten is
    beta-binomial with parameters 10, x + 1, n - x + 1.

    >>> log10_of_counts(np.array([10]), np.array([8]), 8).round(3).tolist()
    [-0.325]
    """
    a = accepted + 1
    b = experiments - accepted + 1
    return np.log10(stats.betabinom.pmf(printed, uci.TABLE, a, b))


def log10_of_numbers(judged: pd.DataFrame, df: float) -> np.ndarray:
    """Return log10 of the probability of printed numbers, by Student's t with both errors.

    `judged` has `id`, `printed`, `rebuilt`, `standard_error`, `published_error`; the
    probability is for all numbers that round to the printed one.
    """
    decimals = published.facts().loc[judged["id"], "decimals"].to_numpy(dtype=float)
    half_digit = 0.5 * 10.0**-decimals
    error = np.hypot(judged["standard_error"], judged["published_error"]).to_numpy()
    distance = (judged["printed"] - judged["rebuilt"]).abs().to_numpy()
    beyond_near_end = stats.t.logsf((distance - half_digit) / error, df)
    beyond_far_end = stats.t.logsf((distance + half_digit) / error, df)
    # log(e^x - e^y) without the cancellation where both are far in the tail
    between = beyond_near_end + np.log1p(-np.exp(beyond_far_end - beyond_near_end))
    return between / np.log(10)


def degrees_of_freedom(results: Mapping[str, uci.Results]) -> pd.DataFrame:
    """Return how likely each of `FIVE_BY_TWO` makes Table 1 and the row of Table 5.

    `results` are those of `NEEDS`, by name; the first of equally near neighbours
    decides.  Indexed by `reading` and `table` (and "all", where both tables have the
    reading): `cells`; `log10`, the logarithm of their probability as if they were
    independent; and `squares`, the sum of squared distances in standard errors.
    """
    first = uci.first_neighbour(results, "weka_order")
    positions = {
        name.removeprefix("t, "): i for i, (_, name) in enumerate(readings.READINGS)
    }
    rows = []
    for reading, pvalue in FIVE_BY_TWO.items():
        draws = _log10_of_table_1(first, pvalue)
        rows.append((reading, _TABLE_1, len(draws), draws.sum(), np.nan))
        if reading in positions:
            cells = _row_of_table_5(results["table_5_readings"], positions[reading])
            row = log10_of_numbers(cells, synthetic.NETWORKS - 1)
            squares = (uci.distance(cells) ** 2).sum()
            rows.append((reading, _TABLE_5, len(row), row.sum(), squares))
            total = draws.sum() + row.sum()
            rows.append((reading, "all", len(draws) + len(row), total, np.nan))
    columns = ["reading", "table", "cells", "log10", "squares"]
    return pd.DataFrame(rows, columns=columns).set_index(["reading", "table"])


def _log10_of_table_1(
    results: Mapping[str, uci.Results], pvalue: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return log10 of the probability of the printed draws of Table 1 under a 5x2cv test."""
    split = "uci_five_by_two_cv"
    printed = table_1.printed_draws()
    logs = []
    for pair in uci.PAIRS:
        by_name = uci.differences(results[split], split, pair)
        blocks = np.stack([by_name[name] for name in datasets.names()])
        accepted = pvalue(blocks) >= 0.05
        n_accepted = accepted.sum(axis=1)
        experiments = accepted.shape[1]
        logs.append(log10_of_counts(printed[pair].to_numpy(), n_accepted, experiments))
    return np.concatenate(logs)


def _row_of_table_5(results: uci.Results, position: int) -> pd.DataFrame:
    """Rebuild the 5x2cv row of Table 5 by a reading, from the stored data sets of each network."""
    ids = [f"{_TABLE_5}.5x2_cv.{column}" for column in synthetic.SOURCE_COLUMNS]
    shares_by_source = []
    for result in results.values():
        counts = result.counts[..., position, :]
        is_consistent = counts.max(axis=-1) == counts[0, 0].sum()
        shares_by_source.append(100 * is_consistent.mean(axis=0))
    shares = np.array(shares_by_source)
    deviation = shares.std(axis=1, ddof=1)
    return pd.DataFrame(
        {
            "id": ids,
            "printed": [published.value(i) for i in ids],
            "rebuilt": shares.mean(axis=1),
            "published_error": deviation,
            "standard_error": deviation / np.sqrt(shares.shape[1]),
        }
    )
