"""Table 1 of Bouckaert and Frank (2004): the 5x2cv test on the 27 UCI data sets, ten times each.

The numbers that follow from its printed draws, the data sets in its first columns, and
the table rebuilt from stored experiments.
"""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd

from companion.lab import datasets
from companion.papers import ledger, published, uci
from companion.papers.bouckaert2004 import table_2
from companion.papers.bouckaert_frank2004 import section_3
from companion.papers.ledger import Span
from replib import replicability

#: The stored runs that :func:`ledger_rows` takes.
NEEDS = (
    "uci_five_by_two_cv",
    "uci_five_by_two_cv_first_neighbour",
    "uci_five_by_two_cv_weka_order",
)

MEASURES = ("consistent", "almost_consistent", "replicability_R")

#: Percent: rarer events count as impossible, by the rule of three standard errors.
IMPOSSIBLE = 0.27

Results = Mapping[str, uci.Results]

rows = partial(ledger.rows, "bouckaert_frank2004")

# ------------------------------------------------------------------ recounted from print


def printed_draws() -> pd.DataFrame:
    """The printed acceptances out of ten: one row per data set, one column per pair of learners."""
    cells = published.cells("bouckaert_frank2004.tab01")
    draws = cells[cells["unit"] == "count of 10"].copy()
    draws["pair"] = draws["cell_id"].str.extract(r"draws\.?_?(\w+)$")[0]
    wide = draws.pivot(index="row", columns="pair", values="value").astype(int)
    return wide.loc[draws["row"].unique(), list(uci.PAIRS)]


def summary_of_print() -> pd.DataFrame:
    """The three bottom rows recomputed from the printed draws, as ledger rows."""
    summary = uci.summaries(printed_draws()).stack()
    return pd.DataFrame(
        {
            "id": [
                f"bouckaert_frank2004.tab01.{measure}.{pair}"
                for pair, measure in summary.index
            ],
            "rebuilt": summary.to_numpy(),
            "recounted": "from the printed draws",
        }
    )


def replicability_by_dataset(pair: str, confidence_level: float = 0.95) -> pd.DataFrame:
    """`draws` (of 10), raw `r2` of each printed `dataset`, and the limits `low`, `high` of r."""
    draws = printed_draws()[pair]
    low, high = replicability.replicability_interval(
        draws, uci.TABLE, confidence_level=confidence_level
    )
    return pd.DataFrame(
        {
            "dataset": draws.index,
            "draws": draws.to_numpy(),
            "r2": replicability.r2_from_counts(draws, uci.TABLE),
            "low": low,
            "high": high,
        }
    )


def estimates_below_one_half() -> pd.DataFrame:
    """bouckaert2004.e11: estimates `below_one_half` among the printed `cells` of two tables."""
    estimates = {
        "bouckaert_frank2004, Table 1": replicability.r2_from_counts(
            printed_draws().to_numpy().ravel(), uci.TABLE
        ),
        "bouckaert2004, Table 2": table_2.printed_draws()["r2"].to_numpy(),
    }
    return pd.DataFrame(
        [
            {"table": table, "cells": r2.size, "below_one_half": int((r2 < 0.5).sum())}
            for table, r2 in estimates.items()
        ]
    )


def rows_of_print() -> pd.DataFrame:
    """Ledger rows that the printed draws decide: bottom rows, the text about them, definitions."""
    draws, summary = printed_draws(), summary_of_print()
    consistent = _largest_share(summary, "consistent")
    almost = _largest_share(summary, "almost_consistent")
    least = replicability.r2_from_counts(uci.TABLE // 2, uci.TABLE)
    least_probability = np.min(replicability.agreement(np.linspace(0, 1, 1001)))
    of_pair = draws["nb_c45"].to_numpy()
    outcomes = [[True] * k + [False] * (uci.TABLE - k) for k in of_pair]
    by_outcomes = np.mean([replicability.r2(experiments) for experiments in outcomes])
    by_counts = uci.measures_of(of_pair)["replicability_R"].mean()
    five = uci.measures_of(np.array([0, 1, 9, 10, 5]))
    of_text = rows(
        {
            "txt.anneal_draws": draws.at["anneal", "nb_c45"],
            "txt.anneal_rejects": uci.TABLE - draws.at["anneal", "nb_c45"],
            "txt.differ_19": (of_pair < uci.TABLE).sum(),
            "txt.consistent_lt": consistent,
            "txt.almost_lt": almost,
            "txt.r_min": least_probability,
            "txt.R_least": least,
            "def_consistency": bool(
                five["consistent"].sum() == 2 and five["almost_consistent"].sum() == 4
            ),
            "def_R": bool(np.isclose(by_counts, by_outcomes)),
        },
        holds={
            "txt.consistent_lt": bool(consistent < 50),
            "txt.almost_lt": bool(almost < 66),
        },
        numbers={"txt.r_min": {"least": least}},
    )
    return pd.concat([summary, of_text], ignore_index=True)


def _largest_share(summary: pd.DataFrame, measure: str) -> float:
    """Return the largest of three printed counts of data sets, in percent of all."""
    is_measure = summary["id"].str.contains(f".{measure}.", regex=False)
    return 100 * summary.loc[is_measure, "rebuilt"].max() / len(datasets.names())


# ------------------------------------------------------------------ the table rebuilt


def data_sets() -> pd.DataFrame:
    """e53: the first columns of the table compared with counts in Weka's files, as ledger rows.

    Counts instances, attributes (without the class) and classes that occur.  Further
    columns: `dataset` (the paper's name), `column`, `printed`, and `declared`, the
    number of classes that the file declares.
    """
    counted = datasets.table().loc[list(datasets.names())]
    columns = {
        "instances": counted["instances"],
        "attributes": counted["numeric"] + counted["nominal"],
        "classes": counted["classes_present"],
    }
    frame = pd.concat(
        [
            pd.DataFrame(
                {
                    "id": [
                        f"bouckaert_frank2004.tab01.{row}.{column}" for row in _rows()
                    ],
                    "rebuilt": values.to_numpy(),
                    "dataset": counted["paper_name"].to_numpy(),
                    "column": column,
                    "declared": counted["classes_declared"].to_numpy(),
                }
            )
            for column, values in columns.items()
        ],
        ignore_index=True,
    )
    frame["printed"] = frame["id"].map(published.value).astype(int)
    counts_class = (frame["column"] == "attributes") & (
        frame["printed"] == frame["rebuilt"] + 1
    )
    frame["note"] = counts_class.map({True: "print counts the class", False: None})
    more = (frame["column"] == "classes") & (frame["declared"] > frame["rebuilt"])
    frame.loc[more, "note"] = "the file declares " + frame["declared"].astype(str)
    return frame


def _rows() -> list[str]:
    return [f"d{number:02d}" for number in range(1, len(datasets.names()) + 1)]


def draws(results: Results, *, alpha: float = 0.05) -> pd.DataFrame:
    """The draws of the table from our experiments, as ledger rows.

    Further columns: `pair`, `dataset` (the paper's name), `printed`, `probability` of
    accepting, and the arguments of `section_3.acceptances`: `test`, `runs`, `alpha`.
    """
    printed, frames = printed_draws(), []
    for pair in uci.PAIRS:
        accepted = section_3.acceptances(results, "five_by_two_cv", pair, alpha=alpha)
        accepted = accepted.loc[list(datasets.names())]
        frames.append(
            uci.cells(accepted).assign(
                id=[f"bouckaert_frank2004.tab01.{row}.draws_{pair}" for row in _rows()],
                pair=pair,
                dataset=printed.index,
                printed=printed[pair].to_numpy(),
                test="five_by_two_cv",
                runs=5,
                alpha=alpha,
                replicas=accepted.to_numpy().tolist(),
            )
        )
    return pd.concat(frames, ignore_index=True)


def summary(results: Results, *, alpha: float = 0.05) -> pd.DataFrame:
    """The bottom rows, printed and as expected from our experiments.

    Columns of `companion.papers.uci.judged_summaries`, and `id`, `pair`, `measure`,
    `column`, `printed`.
    """
    frames = []
    for pair in uci.PAIRS:
        accepted = section_3.acceptances(results, "five_by_two_cv", pair, alpha=alpha)
        ours = uci.judged_summaries(accepted).rename_axis("measure").reset_index()
        frames.append(ours.assign(pair=pair, column="5x2cv"))
    frame = pd.concat(frames, ignore_index=True)
    ids = "bouckaert_frank2004.tab01." + frame["measure"] + "." + frame["pair"]
    return frame.assign(id=ids, printed=ids.map(published.value))


def side_by_side(draws: pd.DataFrame, bottom: pd.DataFrame) -> pd.DataFrame:
    """Return Table 1 in its own form, the counts with the mean of ours in brackets.

    `draws` are from :func:`draws`, `bottom` from :func:`summary`.  One row per data set
    with its `instances`, `attributes` and `classes` as printed, and a column per pair of
    learners; below them the three bottom rows.
    """
    first = data_sets().pivot(index="dataset", columns="column", values="printed")
    first = first[["instances", "attributes", "classes"]]
    draws = draws.assign(text=_with_ours(draws, digits=0))
    counts = draws.pivot(index="dataset", columns="pair", values="text")
    in_print = list(draws["dataset"].unique())
    body = first.join(counts).loc[in_print]
    digits = bottom["measure"].map({"replicability_R": 3}).fillna(0).astype(int)
    bottom = bottom.assign(text=_with_ours(bottom, digits=digits))
    summaries = bottom.pivot(index="measure", columns="pair", values="text")
    whole = pd.concat([body.astype(object), summaries.loc[list(MEASURES)]])
    named = whole[[*first.columns, *uci.PAIRS]].rename_axis("data set").fillna("")
    return named.rename(index=lambda name: name.replace("_", " ")).reset_index()


def _with_ours(frame: pd.DataFrame, *, digits: pd.Series | int) -> list[str]:
    digits = pd.Series(digits, frame.index)
    return [
        f"{printed:.{d}f} ({ours:.{max(d, 1)}f})"
        for printed, ours, d in zip(frame["printed"], frame["rebuilt"], digits)
    ]


def opposite_winners(results: Results, *, alpha: float = 0.05) -> pd.DataFrame:
    """Cells of our tables in which ten 5x2cv tests prefer A at least once and B at least once.

    One row per cell: `table` (from 0), `pair`, `dataset`, `a_better`, `b_better` (of
    ten).
    """
    cells = []
    split, test = section_3.TESTS["five_by_two_cv"]
    for pair in uci.PAIRS:
        for dataset, sample in uci.differences(results[split], split, pair).items():
            result = test(sample)
            sign = np.where(result.pvalue < alpha, np.sign(result.estimate), 0)
            sign = sign.reshape(-1, uci.TABLE)
            a_better, b_better = (sign > 0).sum(axis=1), (sign < 0).sum(axis=1)
            cells += [
                (table, pair, dataset, a_better[table], b_better[table])
                for table in np.flatnonzero((a_better > 0) & (b_better > 0))
            ]
    return pd.DataFrame(
        cells, columns=["table", "pair", "dataset", "a_better", "b_better"]
    )


def rows_with_an_inconsistent_cell(draws: pd.DataFrame) -> np.ndarray:
    """How many rows of each of our tables have a cell other than 0 or 10.

    `draws` are from :func:`draws`.
    """
    counts = np.stack(draws["replicas"].tolist())
    is_open = pd.DataFrame((counts > 0) & (counts < uci.TABLE))
    return is_open.groupby(draws["dataset"].to_numpy()).any().sum().to_numpy()


def only_vehicle(draws: pd.DataFrame) -> float:
    """Percent of tables in which vehicle alone has all ten tests of naive Bayes and C4.5 reject."""
    one_pair = draws[draws["pair"] == "nb_c45"].set_index("dataset")["probability"]
    all_reject = (1 - one_pair) ** uci.TABLE
    others = all_reject.drop("vehicle")
    return float(100 * all_reject["vehicle"] * (1 - others).prod())


# ------------------------------------------------------------------ ledger


def ledger_rows(*, results: Results, alpha: float = 0.05) -> pd.DataFrame:
    """Ledger rows of the table and of the text about it; `results` are those of `NEEDS`, by name.

    The nearest neighbour is Weka's IB1 (`uci.judged`).

    * cl.07: no test rejects on iris or Hungarian heart disease, in any of six cells.
    * cl.09: on average, more than half the rows of one of our tables have an inconsistent cell.
    * txt.ab_flip: in every cell of a table where both learners win, at most three of ten tests
      reject.
    * cl.10: for naive Bayes and C4.5, all ten tests reject on vehicle and on no other data set.
      Like cl.07, it holds if a table shows it with a probability above `IMPOSSIBLE`.
    """
    first = uci.as_judged(results)
    ours = draws(first, alpha=alpha)
    of_vote = draws(results, alpha=alpha)
    return pd.concat(
        [
            data_sets(),
            uci.judged(ours, of_vote),
            rows_of_print(),
            _claims(ours),
            _row_of_opposite_winners(opposite_winners(first, alpha=alpha), ours),
        ],
        ignore_index=True,
    )


def _claims(ours: pd.DataFrame) -> pd.DataFrame:
    """Claims 07, 09 and 10, from the rebuilt :func:`draws`."""
    paper_names = datasets.table().loc[["iris", "heart-h"], "paper_name"]
    p = ours.loc[ours["dataset"].isin(paper_names), "probability"]
    six_cells = 100 * (p**uci.TABLE).prod()
    only = only_vehicle(ours)
    inconsistent = rows_with_an_inconsistent_cell(ours)
    in_print = (~printed_draws().isin([0, uci.TABLE])).any(axis=1).sum()
    n_rows = len(datasets.names())
    return rows(
        {
            "cl.07": bool(six_cells > IMPOSSIBLE),
            "cl.09": bool(inconsistent.mean() > n_rows / 2),
            "cl.10": bool(only > IMPOSSIBLE),
        },
        numbers={
            "cl.07": {"probability": six_cells},
            "cl.09": {
                "mean": inconsistent.mean(),
                "rows": n_rows,
                "inconsistent": Span(inconsistent),
                "in_print": in_print,
            },
            "cl.10": {"probability": only},
        },
    )


def _row_of_opposite_winners(winners: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """The row of the most rejections in a cell of a table where both learners win.

    A table without such a cell agrees with print.  It has no part in the median: two
    winners need two rejections, so a mean of a count and of none is no count of a cell.
    """
    rejections = winners["a_better"] + winners["b_better"]
    n_tables = len(ours["replicas"].iloc[0])
    most = rejections.groupby(winners["table"]).max()
    as_printed = (most <= 3).sum() + n_tables - len(most)
    return rows(
        {"txt.ab_flip": 0 if most.empty else most.median()},
        holds={"txt.ab_flip": bool(100 * as_printed / n_tables > IMPOSSIBLE)},
        numbers={
            "txt.ab_flip": {
                "tables": n_tables,
                "with_both": len(most),
                "most": Span([0] if most.empty else most),
                "as_printed": as_printed,
            }
        },
    )
