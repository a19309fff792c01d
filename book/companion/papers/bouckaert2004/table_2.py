"""Table 2 of Bouckaert (2004): three tests on sorted runs of the 27 UCI data sets.

The table is rebuilt from stored cross-validations, once for every ten experiments per
data set.
"""

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

from companion.lab import datasets
from companion.lab.experiments import runner
from companion.papers import published, uci
from companion.papers.bouckaert2004 import section_2
from companion.papers.ledger import LEVEL, chances
from replib import replicability, schemes

#: The stored runs that :func:`ledger_rows` takes.
NEEDS = ("uci_cross_validation", "uci_cross_validation_weka_order")

Results = Mapping[str, runner.Replications]
Samples = Mapping[str, Mapping[str, np.ndarray]]
_CELL = ["test", "pair", "dataset"]

# ------------------------------------------------------------------ recounted from print


def printed_draws() -> pd.DataFrame:
    """The printed counts: `test`, `pair`, `dataset`, `draws` (NaN for a dot), `r2` (raw).

    A dot stands for 0 or 10 acceptances, which have the same R2.
    """
    cells = published.cells("bouckaert2004.tab02")
    draws = cells[cells["unit"] == "count of 10"]
    key = draws["cell_id"].str.split(".", expand=True)
    accepted = draws["value"].to_numpy()
    return pd.DataFrame(
        {
            "test": key[2].to_numpy(),
            "pair": key[3].to_numpy(),
            "dataset": draws["column"].str.extract(r"\((.*)\)")[0].to_numpy(),
            "draws": accepted,
            "r2": replicability.r2_from_counts(np.nan_to_num(accepted, nan=10.0), 10),
        }
    )


def means_of_print() -> pd.DataFrame:
    """e13: the twelve means recomputed from the printed counts, as ledger rows in percent.

    Further columns: `row`, `printed`, and `by_printed_rule` (mean R2 first rounded to
    0.1%, then normalised), which reproduces all printed means.
    """
    draws = printed_draws()
    by_test = draws.groupby("test")["r2"].mean()
    by_test.index = pd.MultiIndex.from_product([by_test.index, ["all"]])
    r2 = 100 * pd.concat([draws.groupby(["test", "pair"])["r2"].mean(), by_test])
    ids = [f"bouckaert2004.tab02.{test}.{pair}.mean_norm_r2" for test, pair in r2.index]
    return pd.DataFrame(
        {
            "id": ids,
            "row": [f"{test}, {pair}" for test, pair in r2.index],
            "printed": [published.value(i) for i in ids],
            "rebuilt": 2 * (r2.to_numpy() - 50),
            "by_printed_rule": 2 * (r2.round(1).to_numpy() - 50),
        }
    )


def half_widths() -> pd.DataFrame:
    """e13: 95% half-widths of the means by Theorem 3.1, in points: `row`, `raw`, `normalized`."""
    draws = printed_draws()
    # an estimate below 1/2 is replaced by 1/2, the least that r can be
    variance = pd.Series(replicability.r2_variance(draws["r2"].clip(0.5, 1), 10))
    half = lambda v: 100 * stats.norm.ppf(0.975) * np.sqrt(v.sum()) / len(v)
    raw = variance.groupby([draws["test"], draws["pair"]]).agg(half)
    return pd.DataFrame(
        {
            "row": [f"{test}, {pair}" for test, pair in raw.index],
            "raw": raw.to_numpy(),
            "normalized": 2 * raw.to_numpy(),
        }
    )


def rows_of_print() -> pd.DataFrame:
    """Ledger rows that follow from the printed counts: the means, and the bound in the caption."""
    widest = half_widths()["raw"].max()
    caption = pd.DataFrame(
        [
            {
                "id": "bouckaert2004.cap.tab02_ci",
                "rebuilt": widest,
                "holds": widest <= published.value("bouckaert2004.cap.tab02_ci"),
            }
        ]
    )
    return pd.concat([means_of_print(), caption], ignore_index=True)


# ------------------------------------------------------------------ the table rebuilt


def blocks(
    results: Results, pair: str, *, tables: int = 20, runs: int = 10
) -> dict[str, np.ndarray]:
    """Differences in the first experiments and runs: (experiments, runs, folds), by data set."""
    found = uci.differences(results, "uci_cross_validation", pair)
    return {name: block[: tables * uci.TABLE, :runs] for name, block in found.items()}


def samples(results: Results, *, tables: int = 20, runs: int = 10) -> Samples:
    """The averages over sorted runs: (experiments, folds), by pair and data set."""
    return {
        pair: {
            name: schemes.sample(block, scheme="average_over_sorted_runs")
            for name, block in blocks(results, pair, tables=tables, runs=runs).items()
        }
        for pair in uci.PAIRS
    }


def counts(
    sorted_samples: Samples,
    *,
    alpha: float = 0.05,
    tests: Mapping[str, Callable] = section_2.TESTS,
) -> pd.DataFrame:
    """Table 2 once for every ten experiments, from the result of :func:`samples`.

    Columns `test`, `pair`, `dataset` (the paper's name), `table` (from 0) and `draws`
    (how many of the ten experiments accept), in the order of the printed table.
    """
    frames = []
    for (name, test), pair in product(tests.items(), uci.PAIRS):
        draws = uci.acceptances(sorted_samples[pair], test, alpha).rename_axis(
            "dataset"
        )
        long = draws.reset_index().melt("dataset", var_name="table", value_name="draws")
        frames.append(long.assign(test=name, pair=pair))
    found = pd.concat(frames, ignore_index=True)
    found["dataset"] = found["dataset"].map(datasets.table()["paper_name"])
    return found[[*_CELL, "table", "draws"]]


def cells(counted: pd.DataFrame) -> pd.DataFrame:
    """Every cell: our result from all experiments, and whether the printed count agrees.

    If x of n experiments accept and the prior of the probability is uniform, the count
    of ten new experiments is beta-binomial with parameters 10, x + 1, n - x + 1; the
    printed count is checked against this distribution.  Its mean is ten times p = (x +
    1) / (n + 2).

    Columns `test`, `pair`, `dataset`; `accepted` of `experiments`; `p`; `mean` (count
    of ten) and its `standard_error`; `printed_error` (of ten draws); `dots` (share of
    our tables); `dot` (probability that ten new experiments all agree); `printed` (NaN
    for a dot); `probability` (of the printed count, in ten new experiments) and the
    `law` of all; `agrees`; `chance_outside` (probability that ten new experiments of
    ours would not agree by this check).
    """
    by_table = counted.pivot(index=_CELL, columns="table", values="draws")
    by_table = by_table.loc[pd.MultiIndex.from_frame(counted[_CELL].drop_duplicates())]
    found = uci.cells(by_table).rename(
        columns={
            "probability": "p",
            "rebuilt": "mean",
            "published_error": "printed_error",
        }
    )
    found = found.assign(
        accepted=by_table.sum(axis=1).to_numpy(),
        experiments=uci.TABLE * by_table.shape[1],
        dots=by_table.isin([0, uci.TABLE]).mean(axis=1),
    ).reset_index()

    weight = np.stack(found["law"].tolist())
    found["dot"] = weight[:, 0] + weight[:, -1]
    outside_if = np.stack([chances(law) < LEVEL for law in weight])
    outside_if[:, [0, -1]] = (found["dot"] <= LEVEL).to_numpy()[:, None]
    found["chance_outside"] = (weight * outside_if).sum(axis=1)

    found = found.merge(
        printed_draws()[[*_CELL, "draws"]].rename(columns={"draws": "printed"}),
        on=_CELL,
        how="left",
        validate="one_to_one",
    )
    is_dot = found["printed"].isna()
    count = found["printed"].fillna(0).astype(int).to_numpy()
    found["probability"] = np.where(
        is_dot, found["dot"], np.take_along_axis(weight, count[:, None], axis=1)[:, 0]
    )
    found["agrees"] = ~np.take_along_axis(outside_if, count[:, None], axis=1)[:, 0]
    return found


def outside(judged: pd.DataFrame) -> pd.DataFrame:
    """How many printed :func:`cells` disagree with ours, and how many would by chance.

    Indexed by `test` and `pair`: `cells`, `printed_dots`, `our_dots` (mean of our
    tables), `outside`, `expected_outside`.
    """
    judged = judged.assign(
        is_dot=judged["printed"].isna(), is_outside=~judged["agrees"]
    )
    return judged.groupby(["test", "pair"], sort=False).agg(
        cells=("dataset", "size"),
        printed_dots=("is_dot", "sum"),
        our_dots=("dots", "sum"),
        outside=("is_outside", "sum"),
        expected_outside=("chance_outside", "sum"),
    )


# ------------------------------------------------------------------ readings of the paper


def readings(
    by_neighbour: Mapping[str, Samples], *, alpha: float = 0.05
) -> pd.DataFrame:
    """The printed counts under readings of the sign test and of the nearest neighbour.

    `by_neighbour` has :func:`samples` of equal size for "vote" and "first".  Indexed by
    `test` and `reading` (from `section_2.SIGN_TESTS`), with three columns per
    neighbour: `outside` (how many of the 81 cells disagree with ours), `expected` (how
    many would by chance) and `log10` (decimal logarithm of the probability of all 81,
    as if they were independent).
    """
    tests = {
        ("sign", reading): test for reading, test in section_2.SIGN_TESTS.items()
    } | {(name, ""): section_2.TESTS[name] for name in ("ranksum", "t")}
    columns = {}
    for neighbour, of_neighbour in by_neighbour.items():
        rows = {}
        for (name, reading), test in tests.items():
            judged = cells(counts(of_neighbour, alpha=alpha, tests={name: test}))
            rows[name, reading] = {
                "outside": (~judged["agrees"]).sum(),
                "expected": judged["chance_outside"].sum(),
                "log10": np.log10(judged["probability"]).sum(),
            }
        frame = pd.DataFrame(rows).T.rename_axis(["test", "reading"])
        columns[neighbour] = frame.astype({"outside": int})
    return pd.concat(columns, axis=1)


def explained_cells(
    judged: pd.DataFrame, first_neighbour: Samples, *, alpha: float = 0.05
) -> pd.DataFrame:
    """The :func:`cells` that disagree, also under the readings that the printed counts support.

    These readings are the nearest neighbour of `first_neighbour`, and the sign test with
    the observed value in neither tail.  Indexed by `test`, `pair`, `dataset`: `printed`,
    `mean`, and under those readings `mean_then` and `agrees_then`.
    """
    tests = {**section_2.TESTS, "sign": section_2.SIGN_TESTS["lenient"]}
    then = cells(counts(first_neighbour, alpha=alpha, tests=tests))
    frame = judged.loc[~judged["agrees"], [*_CELL, "printed", "mean"]].merge(
        then[[*_CELL, "mean", "agrees"]],
        on=_CELL,
        suffixes=("", "_then"),
        validate="one_to_one",
    )
    return frame.rename(columns={"agrees": "agrees_then"}).set_index(_CELL)


# ------------------------------------------------------------------ the last column and the claim


def means_by_table(counted: pd.DataFrame) -> pd.DataFrame:
    """The last column of each of our tables: `test`, `pair`, `table`, `replicability_normalized`.

    Mean normalised R2 in percent; the pair "all" is the mean over the three pairs.
    """
    r2 = replicability.r2_from_counts(counted["draws"].to_numpy(), uci.TABLE)
    found = counted.assign(replicability_normalized=100 * replicability.normalized(r2))
    mean = lambda frame, keys: (
        frame.groupby(keys, sort=False)["replicability_normalized"].mean().reset_index()
    )
    by_row = mean(found, ["test", "pair", "table"])
    return pd.concat(
        [by_row, mean(by_row, ["test", "table"]).assign(pair="all")], ignore_index=True
    )


def summary(counted: pd.DataFrame) -> pd.DataFrame:
    """Compare the printed means with the distribution of ours: how replicable the table is.

    Indexed by `test` and `pair` ("all" is the mean over the three); percent on the
    normalised scale: `printed`, `mean` and `deviation` (between our tables; NaN for a
    single table), `expected_deviation` (from Theorem 3.1 at our estimates of r), `z`
    (printed minus ours, over the expected deviation).
    """
    means = means_by_table(counted)
    order = pd.MultiIndex.from_frame(means[["test", "pair"]].drop_duplicates())
    of_tables = means.groupby(["test", "pair"])["replicability_normalized"]
    frame = of_tables.agg(mean="mean", deviation="std").reindex(order)
    draws = counted.groupby(_CELL)["draws"].agg(["sum", "size"])
    r = replicability.r2_from_counts(
        draws["sum"].to_numpy(), uci.TABLE * draws["size"].to_numpy()
    )
    variance = pd.Series(
        replicability.r2_variance(np.clip(r, 0.5, 1), uci.TABLE), index=draws.index
    )
    of_row = variance.groupby(["test", "pair"]).agg(
        lambda v: 200**2 * v.sum() / len(v) ** 2
    )
    of_test = of_row.groupby("test").agg(lambda v: v.sum() / len(v) ** 2)
    of_test.index = pd.MultiIndex.from_product(
        [of_test.index, ["all"]], names=["test", "pair"]
    )
    frame["expected_deviation"] = np.sqrt(pd.concat([of_row, of_test])).reindex(order)
    frame.insert(
        0,
        "printed",
        [
            published.value(f"bouckaert2004.tab02.{test}.{pair}.mean_norm_r2")
            for test, pair in order
        ],
    )
    noise = frame["expected_deviation"] * np.sqrt(1 + 1 / means["table"].nunique())
    frame["z"] = (frame["printed"] - frame["mean"]) / noise
    return frame


def order_of_tests(means: pd.DataFrame) -> pd.DataFrame:
    """Check that the sign test is much worse than the others, and t marginally the best (cl.09).

    "Much" and "marginally" mean that the step from `sign` to `ranksum` is longer than
    the step from `ranksum` to `t`.  Adds the columns `sign_is_last`, `t_is_first` and
    `holds`.
    """
    first_step, second_step = (
        means["ranksum"] - means["sign"],
        means["t"] - means["ranksum"],
    )
    return means.assign(
        sign_is_last=means["sign"] < means[["ranksum", "t"]].min(axis=1),
        t_is_first=second_step > 0,
        holds=(second_step > 0) & (first_step > second_step),
    )


def order_by_table(counted: pd.DataFrame) -> pd.DataFrame:
    """:func:`order_of_tests` for the means (percent, normalised) of each of our tables."""
    means = means_by_table(counted).query("pair == 'all'")
    wide = means.pivot(index="table", columns="test", values="replicability_normalized")
    return order_of_tests(wide[list(section_2.TESTS)])


# ------------------------------------------------------------------ ledger


def ledger_rows(
    *,
    results: Mapping[str, Results],
    tables: int = 20,
    runs: int = 10,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Ledger rows of the table: its 243 counts, what follows from print, and three claims.

    `results` are those of `NEEDS`, by name; the nearest neighbour is Weka's IB1
    (`uci.judged`).  A dot holds if ten experiments of ours show a dot with a
    probability above `LEVEL`.
    """
    first = uci.as_judged(results)["uci_cross_validation"]
    sorted_samples = {
        name: samples(of_neighbour, tables=tables, runs=runs)
        for name, of_neighbour in (
            ("first", first),
            ("vote", results["uci_cross_validation"]),
        )
    }
    counted = counts(sorted_samples["first"], alpha=alpha)
    rows_of = {
        name: _rows_of_cells(of_neighbour, alpha)
        for name, of_neighbour in sorted_samples.items()
    }
    return pd.concat(
        [
            uci.judged(rows_of["first"], rows_of["vote"]),
            rows_of_print(),
            _order_of_tests_row(order_by_table(counted)),
            _ties_row(ties(first, counted)),
            _open_cells_row(counted),
        ],
        ignore_index=True,
    )


def _rows_of_cells(of_neighbour: Samples, alpha: float) -> pd.DataFrame:
    """Ledger rows of the 243 counts, with their `pair`, by one of the nearest neighbours."""
    counted = counts(of_neighbour, alpha=alpha)
    judged = cells(counted)
    explained = explained_cells(judged, of_neighbour, alpha=alpha)
    # how likely each reading of the sign test makes its rows
    of_readings = readings({"this": of_neighbour}, alpha=alpha)
    log10 = of_readings["this", "log10"]["sign"]
    place = pd.MultiIndex.from_frame(judged[_CELL])
    then = explained.reindex(place).reset_index(drop=True)
    is_outside = pd.Series(place.isin(explained.index))
    # a dot stands for 0 or 10, so counts are compared by the size of the minority of
    # ten
    draws = counted["draws"]
    minority = counted.assign(draws=np.minimum(draws, uci.TABLE - draws))
    of_tables = minority.pivot(index=_CELL, columns="table", values="draws").loc[place]
    printed = np.minimum(judged["printed"], uci.TABLE - judged["printed"])
    is_dot = judged["printed"].isna()
    is_sign = judged["test"] == "sign"
    likely = {name: log10[name] for name in ("lenient", "as_printed")}
    return pd.DataFrame(
        {
            "id": _ids_of_cells(judged),
            "rebuilt": judged["mean"],
            "standard_error": judged["standard_error"],
            "published_error": judged["printed_error"],
            "law": judged["law"],
            "holds": judged["agrees"].astype(object).where(is_dot, None),
            "replicas": of_tables.to_numpy().tolist(),
            "compared": printed.fillna(0),
            "other": then["mean_then"],
            "other_holds": then["agrees_then"].astype(object).where(is_outside, None),
            "numbers": [likely if sign else None for sign in is_sign],
            "pair": judged["pair"],
            "note": _notes_of_cells(judged, then.where(is_sign & is_outside)),
        }
    )


def _ids_of_cells(judged: pd.DataFrame) -> list[str]:
    names = list(judged["dataset"].unique())
    return [
        f"bouckaert2004.tab02.{row.test}.{row.pair}.d{1 + names.index(row.dataset):02d}"
        for row in judged.itertuples()
    ]


def _notes_of_cells(judged: pd.DataFrame, then: pd.DataFrame) -> list[str]:
    """Return what was counted in each cell; `then` is its count in another reading, or NaN."""
    notes = []
    for row, other in zip(judged.itertuples(), then.itertuples()):
        note = f"{row.accepted} of {row.experiments} accept"
        if np.isnan(row.printed):
            note += f"; ten agree with probability {row.dot:.2g}"
        if not np.isnan(other.mean_then):
            ending = "agrees" if other.agrees_then else "does not agree either"
            note += f"; under the other reading {other.mean_then:.1f}, which {ending}"
        notes.append(note)
    return notes


def ties(results: Results, counted: pd.DataFrame) -> pd.Series:
    """Share of folds (percent) in which two learners have the same accuracy.

    By whether the t test on sorted runs accepts most experiments on the data set (of
    `counted`).
    """
    accepted = (
        counted[counted["test"] == "t"].groupby(["pair", "dataset"])["draws"].mean()
    )
    names = datasets.table()["paper_name"]
    shares = pd.Series(
        {
            (pair, names[name]): 100 * (block == 0).mean()
            for pair in uci.PAIRS
            for name, block in blocks(results, pair).items()
        }
    )
    return shares.groupby(accepted.reindex(shares.index) > uci.TABLE / 2).mean()


def _order_of_tests_row(by_table: pd.DataFrame) -> pd.DataFrame:
    """Claim 09, from :func:`order_by_table`.

    The error of the claim is the error of the difference between its two steps.
    """
    tests = list(section_2.TESTS)
    means = by_table[tests].mean()
    overall = order_of_tests(means.to_frame().T).iloc[0]
    from_sign = by_table["ranksum"] - by_table["sign"]
    from_rank_sum = by_table["t"] - by_table["ranksum"]
    in_order = [f"{test} {mean:.1f}%" for test, mean in means.sort_values().items()]
    numbers = {
        "means": " < ".join(in_order),
        "holds": by_table["holds"].sum(),
        "tables": len(by_table),
    }
    row = {
        "id": "bouckaert2004.cl.09",
        "rebuilt": bool(overall["holds"]),
        "published_error": (from_sign - from_rank_sum).std(),
        "numbers": numbers,
    }
    return pd.DataFrame([row])


def _ties_row(tied: pd.Series) -> pd.DataFrame:
    """Claim 14: a tenth of folds is tied where the test accepts, and fewer where it does not."""
    similar, other = tied.get(True, 0), tied.get(False, 0)
    row = {
        "id": "bouckaert2004.cl.14",
        "rebuilt": bool(similar >= 10 and similar > other),
        "numbers": {"similar": similar, "other": other},
    }
    return pd.DataFrame([row])


def _open_cells_row(counted: pd.DataFrame) -> pd.DataFrame:
    """Claim 22: with each test each of our tables has a cell other than 0 and 10."""
    is_open = ~counted["draws"].isin([0, uci.TABLE])
    least = is_open.groupby([counted["test"], counted["table"]]).sum().min()
    row = {
        "id": "bouckaert2004.cl.22",
        "rebuilt": bool(least > 0),
        "numbers": {"least": least},
    }
    return pd.DataFrame([row])
