"""Readings judged by likelihood, jointly over all printed tables that depend on them.

A *reading* settles something that the paper leaves open, or probably did differently from its text:
the degrees of freedom of the 5x2cv test, which of equally near neighbours decides, where a sign
test counts the observed number, the ratio of test to training instances, how ties count.  The
stored raw counts give each printed cell a probability under each reading; the sums of logarithms,
as if the cells were independent, are compared between readings.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from companion.lab import datasets
from companion.papers import published, synthetic, uci
from companion.papers.berrar2024 import over_data_sets, study_1
from companion.papers.bouckaert2004 import section_2, table_2
from companion.papers.bouckaert2004 import table_1 as table_1_of_schemes
from companion.papers.bouckaert_frank2004 import readings, table_1, tables_2_to_4
from companion.papers.ledger import joint_test

#: The stored runs that :func:`of_readings` takes.
NEEDS = (
    *table_1.NEEDS, *tables_2_to_4.NEEDS, *study_1.NEEDS, "synthetic_decisions", "table_5_readings",
)

#: The 5x2cv test by its degrees of freedom (the paper prints 5), and the F test.
FIVE_BY_TWO = {
    **{f"{df} degrees of freedom": partial(readings.five_by_two_p, df=df) for df in (3, 4, 5, 6)},
    "F of Alpaydin": readings.alpaydin_p,
}


def of_counts(printed: np.ndarray, accepted: np.ndarray, experiments: int) -> np.ndarray:
    """Return log10 of the probability of printed counts of ten, given how many of ours accept.

    If x of n experiments accept and the prior is uniform, a count of ten is beta-binomial with
    parameters 10, x + 1, n - x + 1.

    >>> of_counts(np.array([10]), np.array([8]), 8).round(3).tolist()
    [-0.325]
    """
    a, b = accepted + 1, experiments - accepted + 1
    return np.log10(stats.betabinom.pmf(printed, uci.TABLE, a, b))


def of_numbers(judged: pd.DataFrame, df: float = np.inf) -> np.ndarray:
    """Return log10 of the probability of printed numbers, by Student's t with both errors.

    `judged` has `id`, `printed`, `rebuilt`, `standard_error`, `published_error`; the probability is
    for all numbers that round to the printed one.
    """
    half = 0.5 * 10.0 ** -published.facts().loc[judged["id"], "decimals"].to_numpy(dtype=float)
    error = np.hypot(judged["standard_error"], judged["published_error"]).to_numpy()
    away = (judged["printed"] - judged["rebuilt"]).abs().to_numpy()
    law = stats.norm if np.isinf(df) else stats.t(df)
    near, far = (law.logsf((away + side) / error) for side in (-half, half))
    return (near + np.log1p(-np.exp(far - near))) / np.log(10)


def of_readings(
    results: Mapping[str, uci.Results], questions: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return every question, its readings, and how likely each makes the tables that depend on it.

    `results` are those of `NEEDS`, by name; `questions` are some of `QUESTIONS`.  Indexed by
    `question`, `reading`, `table` (and "all", where every table has the reading): `cells`; `log10`,
    the logarithm of their probability as if they were independent; `squares`, the sum of squared
    distances in standard errors; and `pvalue`, for the table as a whole, where it can be ranked
    among tables of ours.
    """
    rows = pd.DataFrame([
        {"question": question, "reading": reading, "table": table, **figures}
        for question in questions or QUESTIONS
        for reading, table, figures in QUESTIONS[question](results)
    ])
    keys = ["question", "reading", "table"]
    whole = rows.groupby(keys[:2], sort=False)[["cells", "log10"]].sum().reset_index()
    # a sum over fewer cells would look better than it is
    complete = whole["cells"] == whole.groupby("question")["cells"].transform("max")
    both = pd.concat([rows, whole[complete].assign(table="all")])
    ordered = pd.concat([part for _, part in both.groupby(keys[:2], sort=False)])
    return ordered.set_index(keys).reindex(columns=["cells", "log10", "squares", "pvalue"])


def degrees_of_freedom(results: Mapping[str, uci.Results]) -> Iterator[tuple]:
    """The 5x2cv test: its degrees of freedom, or Alpaydin's F test; the first neighbour decides."""
    first = uci.first_neighbour(results, "weka_order")
    for reading, pvalue in FIVE_BY_TWO.items():
        yield reading, "bouckaert_frank2004.tab01", _figures(_table_1(first, pvalue))
    yield from _in_table_5(results, "five_by_two_cv", "5x2_cv")


def neighbours(results: Mapping[str, uci.Results]) -> Iterator[tuple]:
    """All equally near neighbours vote, or the first decides: pairs with nearest neighbour."""
    for reading, of_neighbour in {
        "all vote": lambda order: results, "the first": partial(uci.first_neighbour, results),
    }.items():
        one, pairs = of_neighbour("first_neighbour"), list(uci.PAIRS)[1:]
        judged = table_2.cells(table_2.counts(
            table_2.samples(one["uci_cross_validation"]),
            tests={name: section_2.TESTS[name] for name in ("ranksum", "t")},
        )).query("pair in @pairs")
        yield reading, "bouckaert2004.tab02", _figures(np.log10(judged["probability"]))
        yield reading, "bouckaert_frank2004.tab01", _figures(_table_1(
            of_neighbour("weka_order"), FIVE_BY_TWO["4 degrees of freedom"], pairs
        ))
        for number in (2, 3, 4):
            cells = tables_2_to_4.table(number, one).query("pair in @pairs")
            table = f"bouckaert_frank2004.tab{number:02d}"
            yield reading, table, _figures(of_numbers(cells), cells)


def sign_tests(results: Mapping[str, uci.Results]) -> Iterator[tuple]:
    """Where the sign test counts the observed number of pluses."""
    samples = table_2.samples(uci.first_neighbour(results)["uci_cross_validation"])
    for reading, test in section_2.SIGN_TESTS.items():
        judged = table_2.cells(table_2.counts(samples, tests={"sign": test}))
        words = reading.replace("_", " ")
        yield words, "bouckaert2004.tab02", _figures(np.log10(judged["probability"]))
    table = table_1_of_schemes.TABLE
    by_network = synthetic.tables_by_network(
        table, synthetic.measures_by_network(results["synthetic_decisions"])
    )
    for design, reading in table_1_of_schemes.SIGN_TESTS.items():
        cells = synthetic.spread(table, table_1_of_schemes.read_as(by_network, design))
        row = cells[cells["design"] == "average_over_sorted_runs.sign_test"]
        yield reading.replace("_", " "), table.item, _of_networks(row)


def ratios(results: Mapping[str, uci.Results]) -> Iterator[tuple]:
    """The ratio of test to training instances in the corrected test on random test sets."""
    for number in (9, 10):
        frames = []
        for runs in tables_2_to_4.TABLE_2_RUNS:
            level = readings.level_of_another_ratio(0.05, 1 / number, n=runs)
            table = tables_2_to_4.table(2, uci.first_neighbour(results), alpha=level)
            frames.append(table[table["runs"] == runs])
        cells = pd.concat(frames)
        yield f"ratio 1/{number}", "bouckaert_frank2004.tab02", _figures(of_numbers(cells), cells)
    yield from _in_table_5(results, "corrected_resampled_10", "10_x_resampling")


def ties(results: Mapping[str, uci.Results]) -> Iterator[tuple]:
    """How equal accuracies count in the studies on many data sets: group 3 of study #1."""
    seen = study_1.readings_of_ties(results[study_1.NEEDS[0]])
    for reading in over_data_sets.TIES:
        row, of_1000 = seen.loc[reading], over_data_sets.REPLICATIONS
        lucky = row["18 wins"]
        cells = pd.DataFrame({
            "id": ["berrar2024.g3.theta", "berrar2024.g3.n_sig", "berrar2024.disc.n18"],
            "rebuilt": [row["theta"], of_1000 * row["significant"], of_1000 * lucky],
            "standard_error": [
                row["theta_error"], of_1000 * row["significant_error"],
                np.sqrt(of_1000 * lucky * (1 - lucky)),
            ],
        })
        # there are as many published experiments as ours
        cells = cells.assign(
            published_error=cells["standard_error"], printed=cells["id"].map(published.value)
        )
        yield reading, "berrar2024.txt_study1", _figures(of_numbers(cells), cells)


#: The questions that the papers' text leaves open, and the functions that answer them.
QUESTIONS: dict[str, Callable[[Mapping[str, uci.Results]], Iterator[tuple]]] = {
    "5x2cv test": degrees_of_freedom, "nearest neighbour": neighbours, "sign test": sign_tests,
    "corrected resampled t test": ratios, "ties": ties,
}


def _table_1(
    results: Mapping[str, uci.Results], pvalue: Callable[[np.ndarray], np.ndarray],
    pairs: Sequence[str] = tuple(uci.PAIRS),
) -> np.ndarray:
    """The likelihood of printed draws of Table 1 of bouckaert_frank2004 under a 5x2cv test."""
    logs, printed = [], table_1.printed_draws()
    for pair in pairs:
        samples = uci.differences(results["uci_five_by_two_cv"], "uci_five_by_two_cv", pair)
        accepted = pvalue(np.stack([samples[name] for name in datasets.names()])) >= 0.05
        count = accepted.sum(axis=1)
        logs.append(of_counts(printed[pair].to_numpy(), count, accepted.shape[1]))
    return np.concatenate(logs)


def _in_table_5(results: Mapping[str, uci.Results], design: str, row: str) -> Iterator[tuple]:
    """The readings of a row of Table 5, from the stored data sets of each network."""
    for place, (of_design, reading) in enumerate(readings.READINGS):
        if of_design == design:
            ids = [f"bouckaert_frank2004.tab05.{row}.{x}" for x in synthetic.SOURCE_COLUMNS]
            shares = np.array([
                100 * (one.counts[..., place, :].max(axis=-1)
                       == one.counts[0, 0, place].sum()).mean(axis=0)
                for one in results["table_5_readings"].values()
            ])
            deviation = shares.std(axis=1, ddof=1)
            cells = pd.DataFrame({
                "id": ids, "printed": [published.value(i) for i in ids],
                "rebuilt": shares.mean(axis=1), "published_error": deviation,
                "standard_error": deviation / np.sqrt(shares.shape[1]),
            })
            yield reading.removeprefix("t, "), "bouckaert_frank2004.tab05", _of_networks(cells)


def _of_networks(cells: pd.DataFrame) -> dict[str, float]:
    return _figures(of_numbers(cells, synthetic.NETWORKS - 1), cells)


def _figures(logs: np.ndarray, cells: pd.DataFrame | None = None) -> dict[str, float]:
    figures = {"cells": len(logs), "log10": float(np.sum(logs))}
    if cells is not None:
        figures["squares"] = float((uci.distance(cells) ** 2).sum())
    if cells is not None and "replicas" in cells:
        figures["pvalue"] = joint_test(cells["printed"], cells["replicas"].tolist())["pvalue"]
    return figures
