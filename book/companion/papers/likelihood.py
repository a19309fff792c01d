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

#: The stored runs that :func:`of_five_by_two` takes.
NEEDS = (*table_1.NEEDS, "table_5_readings")

#: The 5x2cv test by its degrees of freedom (the paper prints 5), and the F test.
FIVE_BY_TWO = {
    **{
        f"{df} degrees of freedom": partial(readings.five_by_two_p, df=df)
        for df in (3, 4, 5, 6)
    },
    "F of Alpaydin": readings.alpaydin_p,
}


def of_counts(
    printed: np.ndarray, accepted: np.ndarray, experiments: int
) -> np.ndarray:
    """Return log10 of the probability of printed counts of ten, given how many of ours accept.

    If x of n experiments accept and the prior is uniform, a count of ten is
    beta-binomial with parameters 10, x + 1, n - x + 1.

    >>> of_counts(np.array([10]), np.array([8]), 8).round(3).tolist()
    [-0.325]
    """
    a, b = accepted + 1, experiments - accepted + 1
    return np.log10(stats.betabinom.pmf(printed, uci.TABLE, a, b))


def of_numbers(judged: pd.DataFrame, df: float) -> np.ndarray:
    """Return log10 of the probability of printed numbers, by Student's t with both errors.

    `judged` has `id`, `printed`, `rebuilt`, `standard_error`, `published_error`; the
    probability is for all numbers that round to the printed one.
    """
    half = 0.5 * 10.0 ** -published.facts().loc[judged["id"], "decimals"].to_numpy(
        dtype=float
    )
    error = np.hypot(judged["standard_error"], judged["published_error"]).to_numpy()
    away = (judged["printed"] - judged["rebuilt"]).abs().to_numpy()
    near, far = (stats.t.logsf((away + side) / error, df) for side in (-half, half))
    return (near + np.log1p(-np.exp(far - near))) / np.log(10)


def of_five_by_two(results: Mapping[str, uci.Results]) -> pd.DataFrame:
    """Return how likely each of `FIVE_BY_TWO` makes Table 1 and the row of Table 5.

    `results` are those of `NEEDS`, by name; the first of equally near neighbours
    decides.  Indexed by `reading` and `table` (and "all", where both tables have the
    reading): `cells`; `log10`, the logarithm of their probability as if they were
    independent; and `squares`, the sum of squared distances in standard errors.
    """
    first = uci.first_neighbour(results, "weka_order")
    places = {
        name.removeprefix("t, "): place
        for place, (_, name) in enumerate(readings.READINGS)
    }
    rows = []
    for reading, pvalue in FIVE_BY_TWO.items():
        draws = _of_table_1(first, pvalue)
        rows.append(
            (reading, "bouckaert_frank2004.tab01", len(draws), draws.sum(), np.nan)
        )
        if reading in places:
            cells = _row_of_table_5(results["table_5_readings"], places[reading])
            row, squares = (
                of_numbers(cells, synthetic.NETWORKS - 1),
                uci.distance(cells) ** 2,
            )
            rows += [
                (
                    reading,
                    "bouckaert_frank2004.tab05",
                    len(row),
                    row.sum(),
                    squares.sum(),
                ),
                (
                    reading,
                    "all",
                    len(draws) + len(row),
                    draws.sum() + row.sum(),
                    np.nan,
                ),
            ]
    columns = ["reading", "table", "cells", "log10", "squares"]
    return pd.DataFrame(rows, columns=columns).set_index(columns[:2])


def _of_table_1(
    results: Mapping[str, uci.Results], pvalue: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """The likelihood of the printed draws of Table 1 under a 5x2cv test."""
    logs, printed = [], table_1.printed_draws()
    for pair in uci.PAIRS:
        samples = uci.differences(
            results["uci_five_by_two_cv"], "uci_five_by_two_cv", pair
        )
        accepted = (
            pvalue(np.stack([samples[name] for name in datasets.names()])) >= 0.05
        )
        count = accepted.sum(axis=1)
        logs.append(of_counts(printed[pair].to_numpy(), count, accepted.shape[1]))
    return np.concatenate(logs)


def _row_of_table_5(results: uci.Results, place: int) -> pd.DataFrame:
    """The 5x2cv row of Table 5 under a reading, from the stored data sets of each network."""
    ids = [f"bouckaert_frank2004.tab05.5x2_cv.{x}" for x in synthetic.SOURCE_COLUMNS]
    shares = np.array(
        [
            100
            * (
                one.counts[..., place, :].max(axis=-1) == one.counts[0, 0, place].sum()
            ).mean(axis=0)
            for one in results.values()
        ]
    )
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
