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


def falls_of_a_table(number: int, results: Results) -> pd.Series:
    """Count how often the nine rows of Table 2 or 3 fall between columns, in each of our tables."""
    falls = 0
    for pair in uci.PAIRS:
        columns = [
            uci.summaries(section_3.acceptances(results, pair=pair, **options))
            for options in tables_2_to_4.columns(number).values()
        ]
        falls = falls + sum(
            (after < before).sum(axis=1)
            for before, after in itertools.pairwise(columns)
        )
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
    for part, frame in judged.items():
        cells = outside = by_chance = 0
        for (pair, test, runs, alpha), ours in frame.groupby(
            ["pair", "test", "runs", "alpha"]
        ):
            accepted = section_3.acceptances(
                results, test, pair, runs=runs, alpha=alpha
            )
            if "measure" in ours:
                possible = uci.summaries(uci.simulated_tables(accepted, tables)).T
                possible = possible.loc[ours["measure"]]
            else:
                accepted = accepted.loc[list(datasets.names())]
                possible = uci.simulated_tables(accepted, tables)
            cells += len(ours)
            outside += int(uci.chance_of_disagreement(ours, ours[["printed"]]).sum())
            by_chance += uci.chance_of_disagreement(ours, possible).sum()
        rows[part] = {"cells": cells, "outside": outside, "by_chance": by_chance}
    frame = pd.DataFrame(rows).T.rename_axis("part")
    return frame.astype({"cells": int, "outside": int})


def spread_between_tables(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Standard deviation of a summary between tables, averaged over the columns of each table.

    `tables` are from `tables_2_to_4.table` or `table_1.summary`, by name; one column
    per measure.
    """
    return pd.DataFrame(
        {
            name: table.groupby("measure")["published_error"].mean()
            for name, table in tables.items()
        }
    ).T[list(table_1.MEASURES)]


def order_at_equal_effort(results: Results) -> pd.DataFrame:
    """How often repeated cross-validation is more replicable than resampling at equal effort.

    Indexed by (pair, rounds): `ahead`, mean R of cross-validation minus that of
    resampling; `wins`, the share of all pairs of our tables, one for each test, in
    which its R is larger (ties count half); `printed`, the same for the one printed
    pair.
    """
    printed = [
        tables_2_to_4.printed_table(n).xs("replicability_R", level="measure")
        for n in (2, 3)
    ]
    rows = {}
    for pair in uci.PAIRS:
        for column, (resamplings, runs) in enumerate(zip(TABLE_2_RUNS, TABLE_3_RUNS)):
            resampling, repeated = (
                uci.summaries(section_3.acceptances(results, test, pair, runs=n))[
                    "replicability_R"
                ].to_numpy()
                for test, n in (("resampling", resamplings), ("cross_validation", runs))
            )
            larger = np.sign(np.subtract.outer(repeated, resampling).round(12))
            in_print = (
                printed[1].loc[pair].iloc[column] - printed[0].loc[pair].iloc[column]
            )
            rows[pair, resamplings] = {
                "ahead": repeated.mean() - resampling.mean(),
                "wins": (larger.mean() + 1) / 2,
                "printed": (np.sign(in_print) + 1) / 2,
            }
    return pd.DataFrame(rows).T.rename_axis(["pair", "rounds"])
