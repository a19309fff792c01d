"""Replicability of Tables 1 to 4 of Bouckaert and Frank (2004), which are experiments too."""

import itertools
from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.lab import datasets
from companion.papers import uci
from companion.papers.bouckaert_frank2004 import section_3, table_1, tables_2_to_4
from companion.papers.bouckaert_frank2004.tables_2_to_4 import (
    TABLE_2_RUNS,
    TABLE_3_RUNS,
    Results,
)

_MEASURE = "replicability_R"


def falls_of_a_table(number: int, results: Results) -> pd.Series:
    """Count how often the nine rows of Table 2 or 3 fall between columns, in each of our tables."""
    falls = 0
    for pair in uci.PAIRS:
        columns = [
            uci.summaries(section_3.acceptances(results, pair=pair, **options))
            for options in tables_2_to_4.columns(number).values()
        ]
        for before, after in itertools.pairwise(columns):
            falls = falls + (after < before).sum(axis=1)
    return falls


def expected_disagreements(
    judged: Mapping[str, pd.DataFrame], results: Results, *, tables: int = 1000
) -> pd.DataFrame:
    """Count the printed numbers that our experiments contradict, and those expected by chance.

    Chance is estimated from `tables` tables drawn from our frequencies of acceptance.
    `judged` has results of `table_1.draws`, `tables_2_to_4.table` or
    `tables_2_to_4.plain_t`, by part of the paper.  Indexed by part: `cells`, `outside`
    (observed) and `by_chance` (expected).
    """
    rows = {}
    for part, cells in judged.items():
        outside = 0
        by_chance = 0.0
        for key, column in cells.groupby(["pair", "test", "runs", "alpha"]):
            possible = _possible_columns(column, key, results, tables)
            disagrees = uci.chance_of_disagreement(column, column[["printed"]])
            outside += int(disagrees.sum())
            by_chance += uci.chance_of_disagreement(column, possible).sum()
        rows[part] = {"cells": len(cells), "outside": outside, "by_chance": by_chance}
    frame = pd.DataFrame(rows).T.rename_axis("part")
    return frame.astype({"cells": int, "outside": int})


def _possible_columns(
    column: pd.DataFrame,
    key: tuple[str, str, int, float],
    results: Results,
    tables: int,
) -> pd.DataFrame:
    """Draw a column many times from our frequencies of acceptance: a row per cell."""
    pair, test, runs, alpha = key
    accepted = section_3.acceptances(results, test, pair, runs=runs, alpha=alpha)
    if "measure" in column:
        summaries = uci.summaries(uci.simulated_tables(accepted, tables)).T
        return summaries.loc[column["measure"]]
    return uci.simulated_tables(accepted.loc[list(datasets.names())], tables)


def spread_between_tables(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the standard deviation of a summary between tables, averaged over their columns.

    `tables` are from `tables_2_to_4.table` or `table_1.summary`, by name; one column
    per measure.
    """
    means = {
        name: table.groupby("measure")["published_error"].mean()
        for name, table in tables.items()
    }
    return pd.DataFrame(means).T[list(table_1.MEASURES)]


def order_at_equal_effort(results: Results) -> pd.DataFrame:
    """Return how often repeated cross-validation replicates better than resampling of equal effort.

    Indexed by (pair, rounds): `ahead`, mean R of cross-validation minus that of
    resampling; `wins`, the share of all pairs of our tables, one for each test, in
    which its R is larger (ties count half); `printed`, the same for the one printed
    pair.
    """
    printed_resampling = tables_2_to_4.printed_table(2).xs(_MEASURE, level="measure")
    printed_repeated = tables_2_to_4.printed_table(3).xs(_MEASURE, level="measure")
    rows = {}
    for pair in uci.PAIRS:
        # both are in the order of the columns; their labels count different things
        printed = (
            printed_repeated.loc[pair].to_numpy()
            - printed_resampling.loc[pair].to_numpy()
        )
        for column, (resamplings, runs) in enumerate(zip(TABLE_2_RUNS, TABLE_3_RUNS)):
            resampling = _replicability(results, "resampling", pair, resamplings)
            repeated = _replicability(results, "cross_validation", pair, runs)
            # a tie is no difference beyond rounding errors
            larger = np.sign(np.subtract.outer(repeated, resampling).round(12))
            rows[pair, resamplings] = {
                "ahead": repeated.mean() - resampling.mean(),
                "wins": (larger.mean() + 1) / 2,
                "printed": (np.sign(printed[column]) + 1) / 2,
            }
    return pd.DataFrame(rows).T.rename_axis(["pair", "rounds"])


def _replicability(results: Results, test: str, pair: str, runs: int) -> np.ndarray:
    """Return the R of a test with that many runs, in each of our tables."""
    acceptances = section_3.acceptances(results, test, pair, runs=runs)
    return uci.summaries(acceptances)[_MEASURE].to_numpy()
