"""Bouckaert and Frank (PAKDD 2004): consistency and replicability of significance tests.

The test statistics of Section 3, and what follows from the printed tables themselves: the
summary rows of Table 1 recomputed from its 27 rows of draws, and the statements of the text about
the tables.
"""

import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import stats

from replib import datasets, replicability, significance, theory
from replib.papers import published, stored, uci
from replib.papers.topics import dependence

PAIRS = ("nb_c45", "nb_nn", "c45_nn")
REPETITIONS = 10

# ------------------------------------------------------------------ Section 3: the statistics

MCNEMAR_FORMS = ("exact", "corrected", "as_printed", "uncorrected")


def mcnemar_sizes(alpha: float = 0.05, most: int = 60) -> pd.DataFrame:
    """Exact Type I error of four forms of McNemar's test, given the number of discordant pairs.

    Parameters
    ----------
    alpha : float
        Nominal level.
    most : int
        Largest number of discordant pairs.

    Returns
    -------
    DataFrame
        Columns `form`, `n` (discordant pairs, from 1) and `size` (percent).

    Examples
    --------
    >>> mcnemar_sizes(most=25).query("n == 25").round(2).to_string(index=False, header=False)
    '      exact 25 4.33\\n  corrected 25 4.33\\n as_printed 25 4.33\\nuncorrected 25 4.33'
    """
    rows = []
    for form in MCNEMAR_FORMS:
        for n in range(1, most + 1):
            n10 = np.arange(n + 1)
            pvalue = significance.mcnemar(n10, n - n10, method=form).pvalue
            rows.append((form, n, 100 * stats.binom.pmf(n10, n, 0.5)[pvalue < alpha].sum()))
    return pd.DataFrame(rows, columns=["form", "n", "size"])


def five_by_two_orders(
    datasets: int = 10_000, *, instances: int = 300, seed: int = 2004
) -> pd.DataFrame:
    """The 5x2cv test on the same ten differences, with each of them as the first.

    Parameters
    ----------
    datasets : int
        Data sets of Task I: two classifiers that perform the same and learn nothing.
    instances : int
        Instances in a data set.
    seed : int

    Returns
    -------
    DataFrame
        p-values; one row a data set, columns (`run`, `fold`): the difference in the numerator.
        Column (1, 1) is the test as it would have been done.

    Examples
    --------
    >>> five_by_two_orders(3).shape
    (3, 10)
    """
    block = dependence.task_1_differences(
        datasets, instances=instances, runs=5, folds=2, seed=seed
    )
    with warnings.catch_warnings():
        # in a small data set all five runs may split evenly; then p is 0 or 1, as it should
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        columns = {
            (run, fold): significance.five_by_two_cv_t(
                np.roll(block, (1 - run, 1 - fold), axis=(-2, -1))
            ).pvalue
            for run in range(1, 6) for fold in (1, 2)
        }
    frame = pd.DataFrame(columns)
    frame.columns.names = ["run", "fold"]
    return frame


def order_dependence(orders: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """How often the 5x2cv test rejects, by the order of its differences.

    Parameters
    ----------
    orders : DataFrame
        As :func:`five_by_two_orders` returns it.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Indexed by what rejects ("the given order", "at least one order", "every order"), columns
        `share` and `standard_error`, in percent of the data sets.
    """
    rejects = orders < alpha
    return dependence.rejection_rates(pd.DataFrame({
        "the given order": rejects[1, 1],
        "at least one order": rejects.any(axis=1),
        "every order": rejects.all(axis=1),
    }))


def statistics_of_section_3(
    runs: int = 10, folds: int = 10, alpha: float = 0.05, seed: int = 2004
) -> pd.DataFrame:
    """The three statistics of Section 3, in exact fractions, against the library.

    Parameters
    ----------
    runs, folds : int
        Size of the random block of differences.
    alpha : float
        Level that the corrected test is to keep where its correlation is the true one.
    seed : int

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    pairs, block = rng.integers(-6, 10, (5, 2)), rng.integers(-6, 10, (runs, folds))
    splits = block[:, 0]
    ratio = Fraction(1, folds - 1)

    within = [_variance(run) for run in pairs.tolist()]
    five_by_two = significance.five_by_two_cv_t(pairs)
    resampled = significance.corrected_resampled_t(splits, test_train_ratio=float(ratio))
    plain = significance.paired_t(block, axis=(-2, -1))
    repeated = significance.corrected_resampled_t(
        block, test_train_ratio=float(ratio), axis=(-2, -1)
    )
    level = theory.equicorrelated_type1_error(
        float(ratio / (1 + ratio)), runs, test_train_ratio=float(ratio), alpha=alpha
    )
    checks = {
        "eq_5x2cv": five_by_two.df == 5
        and _has_square(five_by_two, int(pairs[0, 0]) ** 2 / (sum(within) / 5)),
        "eq_resampled": resampled.df == runs - 1 and np.isclose(level, alpha)
        and _has_square(resampled, _squared_t(splits.tolist(), ratio)),
        "eq_repcv": plain.df == repeated.df == runs * folds - 1
        and _has_square(plain, _squared_t(block.ravel().tolist(), Fraction(0)))
        and _has_square(repeated, _squared_t(block.ravel().tolist(), ratio)),
    }
    notes = {"eq_resampled": "keeps its level where the correlation is the share of test instances"}
    return pd.DataFrame([
        {"id": f"bouckaert_frank2004.{key}", "rebuilt": bool(holds),
         "note": notes.get(key, "against exact fractions")}
        for key, holds in checks.items()
    ])


def _variance(sample: Sequence[int]) -> Fraction:
    mean = Fraction(sum(sample), len(sample))
    return sum((x - mean) ** 2 for x in sample) / (len(sample) - 1)


def _squared_t(sample: Sequence[int], ratio: Fraction) -> Fraction:
    """Square of the (corrected) t statistic as printed, without rounding."""
    n = len(sample)
    return Fraction(sum(sample), n) ** 2 / ((Fraction(1, n) + ratio) * _variance(sample))


def _has_square(result: significance.TestResult, square: Fraction) -> bool:
    same_sign = result.statistic * result.direction >= 0
    return same_sign and np.isclose(result.statistic**2, float(square), rtol=1e-12, atol=0)


# ------------------------------------------------------------------ Section 4: the printed tables


def table_1_draws() -> pd.DataFrame:
    """The printed draws of Table 1: acceptances of ten 5x2cv tests on 27 data sets.

    Returns
    -------
    DataFrame
        Indexed by data set, one column a pair of learners (`nb_c45`, `nb_nn`, `c45_nn`), counts of
        10.
    """
    cells = published.cells("bouckaert_frank2004.tab01")
    draws = cells[cells["unit"] == "count of 10"].copy()
    draws["pair"] = draws["cell_id"].str.extract(r"draws\.?_?(\w+)$")[0]
    wide = draws.pivot(index="row", columns="pair", values="value").astype(int)
    return wide.loc[draws["row"].unique(), list(PAIRS)]


def table_1_summary() -> pd.DataFrame:
    """The three bottom rows of Table 1, recomputed from its printed draws.

    Returns
    -------
    DataFrame
        Ledger rows: consistent and almost consistent data sets, and R, for three pairs.
    """
    rows = []
    for pair, draws in table_1_draws().items():
        result = replicability.consistency(draws, REPETITIONS)
        rows += [
            (f"consistent.{pair}", result.consistent),
            (f"almost_consistent.{pair}", result.almost_consistent),
            (f"replicability_R.{pair}", result.replicability),
        ]
    return pd.DataFrame([
        {"id": f"bouckaert_frank2004.tab01.{key}", "rebuilt": rebuilt, "note": "from the printed draws"}
        for key, rebuilt in rows
    ])


def printed_table(number: int) -> pd.DataFrame:
    """Table 2, 3 or 4 as printed.

    Parameters
    ----------
    number : int
        2 (corrected resampled t), 3 (corrected r x 10-fold) or 4 (significance levels).

    Returns
    -------
    DataFrame
        Indexed by (pair, measure), one column a number of runs or a level, in printed order.

    Examples
    --------
    >>> printed_table(3).loc[("nb_c45", "consistent")].tolist()
    [16.0, 20.0, 21.0, 24.0]
    """
    cells = published.cells(f"bouckaert_frank2004.tab{number:02d}")
    key = cells["cell_id"].str.split(".", expand=True)
    cells = cells.assign(pair=key[2], measure=key[3], level=key[4])
    wide = cells.pivot(index=["pair", "measure"], columns="level", values="value")
    return wide[cells["level"].unique()]


def decreases(table: pd.DataFrame) -> pd.DataFrame:
    """Where a row of a printed table falls from one column to the next.

    Returns
    -------
    DataFrame
        Columns `pair`, `measure`, `from`, `to` (column names), `before`, `after`.
    """
    rows = []
    for (pair, measure), row in table.iterrows():
        for left, right in zip(table.columns, table.columns[1:]):
            if row[right] < row[left]:
                rows.append((pair, measure, left, right, row[left], row[right]))
    return pd.DataFrame(rows, columns=["pair", "measure", "from", "to", "before", "after"])


def text_about_tables() -> pd.DataFrame:
    """What the text says about Tables 1 to 5, held against the printed tables.

    Returns
    -------
    DataFrame
        Ledger rows of all in-text values that a printed table decides, and of the two definitions.
    """
    draws = table_1_draws()
    datasets = len(draws)
    summary = table_1_summary().set_index("id")["rebuilt"]
    share = lambda measure: 100 * max(
        summary[f"bouckaert_frank2004.tab01.{measure}.{pair}"] for pair in PAIRS
    ) / datasets
    resampling, levels = printed_table(2), printed_table(4)
    at_100 = resampling["runs100"].unstack("measure")
    almost_10_20 = resampling.loc[("c45_nn", "almost_consistent"), ["runs10", "runs20"]]
    smallest_almost = 100 * at_100["almost_consistent"].min() / datasets
    smallest_level = levels.xs("replicability_R", level="measure").to_numpy().min()
    margins = published.cells("bouckaert_frank2004.tab05")
    margins = margins[margins["cell_id"].str.contains("delta_accuracy")]["value"]
    least = replicability.r2_from_counts(REPETITIONS // 2, REPETITIONS)
    grid = np.linspace(0, 1, 1001)
    rows = [
        ("txt.anneal_draws", draws.at["anneal", "nb_c45"], None, None),
        ("txt.anneal_rejects", REPETITIONS - draws.at["anneal", "nb_c45"], None, None),
        ("txt.differ_19", (draws["nb_c45"] < REPETITIONS).sum(), None, None),
        ("txt.consistent_lt", share("consistent"), share("consistent") < 50, None),
        ("txt.almost_lt", share("almost_consistent"), share("almost_consistent") < 66, None),
        ("txt.dec_by_one", almost_10_20.iloc[0] - almost_10_20.iloc[1], None,
         "right, but not the only decrease of Table 2 (erratum e33)"),
        ("txt.almost_100runs", smallest_almost, smallest_almost >= 80, None),
        ("txt.R_100runs", at_100["replicability_R"].min(),
         round(at_100["replicability_R"].min(), 1) >= 0.9, "smallest of three pairs"),
        ("txt.R_alpha_gt", smallest_level, smallest_level > 0.9, "smallest cell of Table 4"),
        ("txt.delta_lo", margins.min(), None, None),
        ("txt.delta_hi", margins.max(), None, None),
        ("txt.r_min", (grid**2 + (1 - grid) ** 2).min(), None,
         f"of the probability; the estimate reaches {least:.3f} (bouckaert2004, erratum e11)"),
        ("def_consistency", replicability.consistency([0, 1, 9, 10, 5], 10).almost_consistent == 4,
         None, None),
        ("def_R", np.isclose(replicability.consistency(draws["nb_c45"], REPETITIONS).replicability,
                             np.mean([replicability.r2([True] * k + [False] * (REPETITIONS - k))
                                      for k in draws["nb_c45"]])), None, None),
    ]
    return pd.DataFrame([
        {"id": f"bouckaert_frank2004.{key}", "rebuilt": x.item() if hasattr(x, "item") else x,
         "holds": holds, "note": note}
        for key, x, holds, note in rows
    ])


def replicability_by_dataset(pair: str, confidence_level: float = 0.95) -> pd.DataFrame:
    """Replicability of the 5x2cv test on each data set of Table 1, with its interval.

    Parameters
    ----------
    pair : str
        One of `PAIRS`.
    confidence_level : float

    Returns
    -------
    DataFrame
        Columns `dataset`, `draws` (of 10), `r2`, `low`, `high`.
    """
    draws = table_1_draws()[pair]
    low, high = replicability.replicability_interval(
        draws, REPETITIONS, confidence_level=confidence_level
    )
    return pd.DataFrame({
        "dataset": draws.index, "draws": draws.to_numpy(),
        "r2": replicability.r2_from_counts(draws, REPETITIONS), "low": low, "high": high,
    })


# ------------------------------------------------------------------ Section 4: the tables, run again

#: Test instances per training instance of 10 % resampling and of 10-fold cross-validation.
TEST_TRAIN_RATIO = 1 / 9

MEASURES = ("consistent", "almost_consistent", "replicability_R")

#: Number of runs in the columns of Tables 2 and 3, significance levels in those of Table 4.
TABLE_2_RUNS = (10, 20, 50, 100)
TABLE_3_RUNS = (1, 2, 5, 10)
TABLE_4_LEVELS = (0.01, 0.025, 0.05, 0.1)

#: Percent: what happens less often does not happen, by the rule of three standard errors.
IMPOSSIBLE = 0.27

#: The tests of Section 4, and the stored experiments on which they are made.
TESTS = {
    "five_by_two_cv": "uci_five_by_two_cv",
    "resampling": "uci_resampling",
    "stratified_resampling": "uci_stratified_resampling",
    "cross_validation": "uci_cross_validation",
    "plain_cross_validation": "uci_cross_validation",
}


def acceptances(
    test: str, pair: str, *, runs: int | None = None, alpha: float = 0.05,
    experiments: int | None = None, neighbour: str = "vote",
) -> pd.DataFrame:
    """How many of each ten stored experiments accept: the columns of a table of Section 4.

    Parameters
    ----------
    test : str
        One of `TESTS`: the 5x2cv test; the corrected resampled t test without or with
        stratification; the corrected r x 10-fold test; the uncorrected one.
    pair : str
        One of `PAIRS`.
    runs : int, optional
        Resamplings (to 100) or runs of 10-fold cross-validation (to 10): the first ones of each
        experiment; all by default.  The 5x2cv test has five.
    alpha : float
        Significance level.
    experiments : int, optional
        At most so many of each data set, the first ones; all that are stored by default.
    neighbour : str
        One of `replib.papers.uci.NEIGHBOURS`.

    Returns
    -------
    DataFrame of int
        One row a data set, one column a table.
    """
    return _acceptances(test, pair, runs, alpha, experiments, neighbour).copy()


@lru_cache
def _acceptances(
    test: str, pair: str, runs: int | None, alpha: float, experiments: int | None, neighbour: str
) -> pd.DataFrame:
    split = TESTS[test]
    results = stored.load(split, size=experiments)
    if neighbour == "first":
        first = stored.load(f"{split}_first_neighbour", size=experiments)
        results = uci.with_first_neighbour(results, first)
    samples = uci.differences(results, split, pair)
    with warnings.catch_warnings():
        # learners may differ by the same number in all runs; then p is 1 or 0, as it should
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        if test == "five_by_two_cv":
            return uci.acceptances(samples, significance.five_by_two_cv_t, alpha)
        first = {name: sample[:, :runs] for name, sample in samples.items()}
        axis = (-2, -1) if split == "uci_cross_validation" else -1
        if test == "plain_cross_validation":
            return uci.acceptances(first, lambda x: significance.paired_t(x, axis=axis), alpha)
        return uci.acceptances(first, lambda x: significance.corrected_resampled_t(
            x, test_train_ratio=TEST_TRAIN_RATIO, axis=axis
        ), alpha)


def table_1_rerun(
    alpha: float = 0.05, experiments: int | None = None, neighbour: str = "vote"
) -> pd.DataFrame:
    """The draws of Table 1 from our experiments.

    Parameters
    ----------
    alpha : float
    experiments, neighbour
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        Ledger rows, with the columns `pair`, `dataset` (the paper's name), `printed` and
        `probability` besides.
    """
    printed = table_1_draws()
    frames = []
    for pair in PAIRS:
        ours = uci.cells(acceptances(
            "five_by_two_cv", pair, alpha=alpha, experiments=experiments, neighbour=neighbour
        ))
        ours = ours.loc[list(datasets.names())]
        frames.append(ours.assign(
            id=[f"bouckaert_frank2004.tab01.d{d:02d}.draws_{pair}" for d in _row_numbers()],
            pair=pair, dataset=printed.index, printed=printed[pair].to_numpy(),
        ))
    return pd.concat(frames, ignore_index=True)


def _row_numbers() -> range:
    return range(1, len(datasets.names()) + 1)


def data_sets() -> pd.DataFrame:
    """The first columns of Table 1 beside what is counted in Weka's files.

    Returns
    -------
    DataFrame
        Ledger rows: instances, attributes (the class not counted) and classes that occur; with the
        columns `dataset` (the paper's name), `column`, `printed`, and `declared`, the number of
        classes that the file declares.
    """
    counted = datasets.table().loc[list(datasets.names())]
    columns = {
        "instances": counted["instances"],
        "attributes": counted["numeric"] + counted["nominal"],
        "classes": counted["classes_present"],
    }
    rows = [
        {
            "id": f"bouckaert_frank2004.tab01.d{number:02d}.{column}",
            "rebuilt": int(values[name]), "dataset": counted.at[name, "paper_name"],
            "column": column, "declared": int(counted.at[name, "classes_declared"]),
        }
        for column, values in columns.items() for number, name in zip(_row_numbers(), values.index)
    ]
    frame = pd.DataFrame(rows)
    frame["printed"] = frame["id"].map(published.value).astype(int)
    counts_class = (frame["column"] == "attributes") & (frame["printed"] == frame["rebuilt"] + 1)
    frame["erratum"] = counts_class.map({True: "bouckaert_frank2004.e53", False: None})
    frame["note"] = counts_class.map({True: "print counts the class", False: None})
    more = (frame["column"] == "classes") & (frame["declared"] > frame["rebuilt"])
    frame.loc[more, "note"] = "the file declares " + frame["declared"].astype(str)
    return frame


def _columns(number: int) -> dict[str, dict]:
    """The columns of Table 2, 3 or 4: how their ids end, and what :func:`acceptances` takes."""
    if number == 4:
        return {
            f"alpha{100 * level:g}".replace(".", "p"): {"test": "cross_validation", "alpha": level}
            for level in TABLE_4_LEVELS
        }
    test, all_runs = {
        2: ("resampling", TABLE_2_RUNS), 3: ("cross_validation", TABLE_3_RUNS),
    }[number]
    return {f"runs{runs}": {"test": test, "runs": runs} for runs in all_runs}


def summary_rerun(
    number: int, experiments: int | None = None, neighbour: str = "vote"
) -> pd.DataFrame:
    """Table 2, 3 or 4 from our experiments.

    Parameters
    ----------
    number : int
        2 (corrected resampled t), 3 (corrected r x 10-fold) or 4 (significance levels).
    experiments, neighbour
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        Ledger rows, with the columns `pair`, `measure`, `column` (as in :func:`printed_table`) and
        `printed` besides.
    """
    frames = []
    for pair in PAIRS:
        for column, options in _columns(number).items():
            accepted = acceptances(
                pair=pair, experiments=experiments, neighbour=neighbour, **options
            )
            ours = uci.judged_summaries(accepted).rename_axis("measure").reset_index()
            frames.append(ours.assign(pair=pair, column=column))
    frame = pd.concat(frames, ignore_index=True)
    frame["id"] = [
        f"bouckaert_frank2004.tab{number:02d}.{row.pair}.{row.measure}.{row.column}"
        for row in frame.itertuples()
    ]
    frame["printed"] = frame["id"].map(published.value)
    return frame


_PLAIN_TESTS = {"cv10": 1, "cv10x10": 10}


def plain_t_rerun(experiments: int | None = None, neighbour: str = "vote") -> pd.DataFrame:
    """Consistent data sets of the uncorrected t test on one and on ten 10-fold runs.

    Parameters
    ----------
    experiments, neighbour
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        Ledger rows, with the columns `pair`, `runs`, `measure` and `printed` besides.
    """
    rows = []
    for key, runs in _PLAIN_TESTS.items():
        for pair in PAIRS:
            accepted = acceptances(
                "plain_cross_validation", pair, runs=runs, experiments=experiments,
                neighbour=neighbour,
            )
            rows.append({
                "id": f"bouckaert_frank2004.txt.{key}_consistent_{pair}", "pair": pair,
                "runs": runs, "measure": "consistent",
                **uci.judged_summaries(accepted).loc["consistent"],
            })
    frame = pd.DataFrame(rows)
    frame["printed"] = frame["id"].map(published.value)
    return frame


def stratification(experiments: int | None = None) -> pd.DataFrame:
    """Replicability R of Table 2 without and with stratified test sets.

    Parameters
    ----------
    experiments : int, optional
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        Columns `pair`, `runs`, `plain` and `stratified` (mean R of our tables), `difference`, its
        `standard_error`, and `deviation`: the standard deviation of the difference of one table
        each.
    """
    rows = []
    for pair in PAIRS:
        for runs in TABLE_2_RUNS:
            plain, stratified = (
                uci.judged_summaries(
                    acceptances(test, pair, runs=runs, experiments=experiments)
                ).loc["replicability_R"]
                for test in ("resampling", "stratified_resampling")
            )
            rows.append({
                "pair": pair, "runs": runs,
                "plain": plain["rebuilt"], "stratified": stratified["rebuilt"],
                "difference": stratified["rebuilt"] - plain["rebuilt"],
                "standard_error": np.hypot(plain["standard_error"], stratified["standard_error"]),
                "deviation": np.hypot(plain["published_error"], stratified["published_error"]),
            })
    return pd.DataFrame(rows)


def opposite_winners(alpha: float = 0.05, experiments: int | None = None) -> pd.DataFrame:
    """Cells of Table 1 in which ten 5x2cv tests prefer A at least once and B at least once.

    Parameters
    ----------
    alpha : float
    experiments : int, optional
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        One row a cell: `table` (from 0), `pair`, `dataset`, `a_better`, `b_better` (of ten).
    """
    split, rows = TESTS["five_by_two_cv"], []
    for pair in PAIRS:
        samples = uci.differences(stored.load(split, size=experiments), split, pair)
        for dataset, sample in samples.items():
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
                result = significance.five_by_two_cv_t(sample)
            sign = np.where(result.pvalue < alpha, result.direction, 0)
            sign = sign.reshape(-1, uci.TABLE)
            a_better, b_better = (sign > 0).sum(axis=1), (sign < 0).sum(axis=1)
            rows += [
                (table, pair, dataset, a_better[table], b_better[table])
                for table in np.flatnonzero((a_better > 0) & (b_better > 0))
            ]
    return pd.DataFrame(rows, columns=["table", "pair", "dataset", "a_better", "b_better"])


def falls_of_a_table(number: int, experiments: int | None = None) -> pd.Series:
    """How often rows of Table 2 or 3 fall from one column to the next, in each of our tables.

    Parameters
    ----------
    number : int
        2 or 3.
    experiments : int, optional
        As for :func:`acceptances`.

    Returns
    -------
    Series of int
        By table: falls among the steps of nine rows.
    """
    falls = 0
    for pair in PAIRS:
        columns = [
            uci.summaries(acceptances(pair=pair, experiments=experiments, **options))
            for options in _columns(number).values()
        ]
        falls = falls + sum(
            (after < before).sum(axis=1) for before, after in zip(columns, columns[1:])
        )
    return falls


def claims_rerun(
    table_2: pd.DataFrame, table_3: pd.DataFrame, table_4: pd.DataFrame, plain: pd.DataFrame,
    experiments: int | None = None,
) -> pd.DataFrame:
    """The eight claims about Tables 1 to 5, and the remark on opposite winners.

    A claim is held against the means over our tables, where the noise of a single table does not
    decide; the claims on the simulated sources are held against the printed Table 5.

    Parameters
    ----------
    table_2, table_3, table_4 : DataFrame
        Of :func:`summary_rerun`.
    plain : DataFrame
        Of :func:`plain_t_rerun`.
    experiments : int, optional
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    resampling, repeated, levels = map(_means, (table_2, table_3, table_4))
    better = lambda ours, theirs: int((ours.to_numpy() < theirs.to_numpy()).sum())
    exceptions = better(repeated, resampling)
    printed_exceptions = better(printed_table(3), printed_table(2))
    strata = stratification(experiments)
    least_r = levels.xs("replicability_R", level="measure").to_numpy().min()
    once = plain[plain["runs"] == 1].set_index("pair")["rebuilt"]
    consistent = resampling.xs("consistent", level="measure").loc[once.index]
    sources = _sources()
    at_least = sources.min(axis=1)
    few = ["5x2 cv", "10 x resampling", "10-fold cv"]
    grows_with_effort = (
        at_least[few].max() < at_least["100 x resampling"] < at_least["corrected 10x10 fold cv"]
    )
    others = sources.drop(index="5x2 cv")
    fewer_at_the_ends = (
        others[["source1", "source4"]].min(axis=1) > others[["source2", "source3"]].max(axis=1)
    )

    p = pd.concat([
        uci.cells(acceptances("five_by_two_cv", pair, experiments=experiments))["probability"]
        .loc[["iris", "heart-h"]] for pair in PAIRS
    ])
    all_draws = 100 * (p**REPETITIONS).prod()
    both = opposite_winners(experiments=experiments)
    rejections = int((both["a_better"] + both["b_better"]).max()) if len(both) else 0

    rows = [
        ("cl.01", len(decreases(printed_table(2))) == 1, "e33",
         "two rows fall in print; "
         f"the means of ours fall in {len(decreases(resampling))} of 27 steps"),
        ("cl.02", exceptions <= printed_exceptions, None,
         f"of 36 comparisons {exceptions} go the other way, {printed_exceptions} in print"),
        ("cl.03", (strata["difference"].abs() <= strata["deviation"]).all(), None,
         f"mean R changes by {strata['difference'].abs().max():.3f} at most"),
        ("cl.04", least_r > 0.9, None, f"smallest mean R of ours: {least_r:.3f}"),
        ("cl.05", grows_with_effort, None, "of the printed Table 5, the minima over the sources"),
        ("cl.06", fewer_at_the_ends.all(), None, "of the printed Table 5"),
        ("cl.07", all_draws > IMPOSSIBLE, None,
         f"a table shows it with probability {all_draws:.1f} %"),
        ("cl.08",
         (once >= consistent["runs10"]).all() and (once < consistent["runs100"]).all(), None,
         "consistent data sets, means of ours: "
         + "/".join(f"{x:.1f}" for x in once) + " against "
         + "/".join(f"{x:.1f}" for x in consistent["runs10"]) + " and "
         + "/".join(f"{x:.1f}" for x in consistent["runs100"])),
        ("txt.ab_flip", rejections <= 3, None,
         f"the most rejections in the {len(both)} cells of ours with opposite winners"),
    ]
    frame = pd.DataFrame(rows, columns=["id", "holds", "erratum", "note"])
    frame["id"] = "bouckaert_frank2004." + frame["id"]
    frame["erratum"] = "bouckaert_frank2004." + frame["erratum"]
    frame["holds"] = frame["holds"].astype(bool)
    frame["rebuilt"] = frame["holds"].astype(object)
    frame.loc[frame["id"].str.endswith("ab_flip"), "rebuilt"] = rejections
    return frame


def _means(table: pd.DataFrame) -> pd.DataFrame:
    """The means over our tables in the form of :func:`printed_table`."""
    wide = table.pivot(index=["pair", "measure"], columns="column", values="rebuilt")
    return wide.reindex(columns=table["column"].unique()).loc[printed_table(2).index]


def _sources() -> pd.DataFrame:
    """The printed consistency of Table 5 in percent: one row a test, columns the sources."""
    cells = published.cells("bouckaert_frank2004.tab05")
    wide = cells.pivot(index="row", columns="column", values="value")
    return wide.drop(index="delta accuracy")[["source1", "source2", "source3", "source4"]]


def expected_disagreements(
    draws: pd.DataFrame, table_2: pd.DataFrame, table_3: pd.DataFrame, table_4: pd.DataFrame,
    plain: pd.DataFrame, *, max_z: float, experiments: int | None = None, tables: int = 1000,
    seed: int = uci.SEED,
) -> pd.DataFrame:
    """How many printed cells our experiments contradict, and how many they would by chance.

    By chance: in tables drawn from our own frequencies of acceptance.

    Parameters
    ----------
    draws : DataFrame
        Of :func:`table_1_rerun`.
    table_2, table_3, table_4 : DataFrame
        Of :func:`summary_rerun`.
    plain : DataFrame
        Of :func:`plain_t_rerun`.
    max_z : float
        Largest distance, in joint standard errors, that noise explains.
    experiments : int, optional
        As for :func:`acceptances`.
    tables : int
        Number of tables drawn.
    seed : int

    Returns
    -------
    DataFrame
        Indexed by part of the paper: `cells`, `outside` (observed) and `by_chance` (expected).
    """
    parts = {}
    for pair in PAIRS:
        accepted = acceptances("five_by_two_cv", pair, experiments=experiments)
        accepted = accepted.loc[list(datasets.names())]
        possible = uci.simulated_tables(accepted, tables, seed=seed)
        judged = draws[draws["pair"] == pair]
        parts.setdefault("Table 1, draws", []).append(
            (judged, possible.set_axis(judged.index), 0.5)
        )
    options = {
        f"Table {number}": (frame, _columns(number))
        for number, frame in ((2, table_2), (3, table_3), (4, table_4))
    }
    options["plain t test"] = (plain.assign(column=plain["runs"]), {
        runs: {"test": "plain_cross_validation", "runs": runs} for runs in _PLAIN_TESTS.values()
    })
    for part, (frame, columns) in options.items():
        for (pair, column), judged in frame.groupby(["pair", "column"]):
            accepted = acceptances(pair=pair, experiments=experiments, **columns[column])
            possible = uci.summaries(uci.simulated_tables(accepted, tables, seed=seed)).T
            possible = possible.loc[judged["measure"]].set_axis(judged.index)
            half_a_digit = judged["measure"].map(
                {"consistent": 0.5, "almost_consistent": 0.5, "replicability_R": 0.0005}
            )
            parts.setdefault(part, []).append((judged, possible, half_a_digit))
    rows = []
    for part, judgements in parts.items():
        share = lambda possible_of: sum(
            uci.chance_of_disagreement(
                judged, possible_of(judged, possible), max_z=max_z, half_a_digit=half_a_digit
            ).sum() for judged, possible, half_a_digit in judgements
        )
        rows.append({
            "part": part, "cells": sum(len(judged) for judged, _, _ in judgements),
            "outside": int(share(lambda judged, _: judged[["printed"]])),
            "by_chance": share(lambda _, possible: possible),
        })
    return pd.DataFrame(rows).set_index("part")


def table_1_summary_of_ours(experiments: int | None = None) -> pd.DataFrame:
    """The bottom rows of Table 1: printed, and what our experiments expect.

    Parameters
    ----------
    experiments : int, optional
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        As :func:`summary_rerun` returns it, with the single column ``"5x2cv"``.
    """
    frames = []
    for pair in PAIRS:
        ours = uci.judged_summaries(acceptances("five_by_two_cv", pair, experiments=experiments))
        frames.append(ours.rename_axis("measure").reset_index().assign(pair=pair, column="5x2cv"))
    frame = pd.concat(frames, ignore_index=True)
    ids = "bouckaert_frank2004.tab01." + frame["measure"] + "." + frame["pair"]
    return frame.assign(id=ids, printed=ids.map(published.value))


def side_by_side(table: pd.DataFrame) -> pd.DataFrame:
    """A printed table with ours in brackets: mean, and standard deviation between our tables.

    Parameters
    ----------
    table : DataFrame
        Of :func:`summary_rerun`, or one with such columns.

    Returns
    -------
    DataFrame of str
        Indexed by (pair, measure), in the form of the paper.
    """
    digits = table["measure"].map({"replicability_R": 3}).fillna(0).astype(int)
    text = [
        f"{printed:.{d}f} ({mean:.{max(d, 1)}f}±{deviation:.{max(d, 1)}f})"
        for printed, mean, deviation, d in zip(
            table["printed"], table["rebuilt"], table["published_error"], digits
        )
    ]
    wide = table.assign(text=text).pivot(index=["pair", "measure"], columns="column", values="text")
    wide = wide.reindex(columns=table["column"].unique())
    measures = [measure for measure in MEASURES if measure in set(table["measure"])]
    order = [(pair, measure) for pair in PAIRS for measure in measures]
    wide.columns.name = None
    short = {"almost_consistent": "almost", "replicability_R": "R"}
    return wide.loc[order].rename(index=short, level="measure")


def replicability_by_effort(
    efforts: Sequence[int] = TABLE_2_RUNS, experiments: int | None = None
) -> pd.DataFrame:
    """Replicability R of corrected resampling and repeated cross-validation at equal effort.

    Parameters
    ----------
    efforts : sequence of int
        How often a learner is trained and tested: multiples of 10, to 100.
    experiments : int, optional
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        Columns `pair`, `test`, `effort`, `rebuilt`, `standard_error`, `published_error` (of one
        table) and `printed` (NaN where the paper has none).
    """
    printed = {
        "resampling": dict(zip(TABLE_2_RUNS, printed_table(2).to_numpy().T)),
        "cross_validation": dict(
            zip([10 * runs for runs in TABLE_3_RUNS], printed_table(3).to_numpy().T)
        ),
    }
    rows_of_print = printed_table(2).index
    rows = []
    for pair in PAIRS:
        place = rows_of_print.get_loc((pair, "replicability_R"))
        for test in printed:
            for effort in efforts:
                runs = effort if test == "resampling" else effort // 10
                accepted = acceptances(test, pair, runs=runs, experiments=experiments)
                value = printed[test].get(effort)
                rows.append({
                    "pair": pair, "test": test, "effort": effort,
                    **uci.judged_summaries(accepted).loc["replicability_R"],
                    "printed": np.nan if value is None else value[place],
                })
    return pd.DataFrame(rows)


def replicability_by_level(
    levels: Sequence[float] = TABLE_4_LEVELS, experiments: int | None = None
) -> pd.DataFrame:
    """Replicability R of the corrected 10 x 10-fold test over significance levels.

    Parameters
    ----------
    levels : sequence of float
    experiments : int, optional
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        Columns `pair`, `level` (percent), `rebuilt`, `standard_error`, `published_error` (of one
        table) and `printed` (NaN where the paper has none).
    """
    printed = printed_table(4).xs("replicability_R", level="measure")
    known = dict(zip(TABLE_4_LEVELS, printed.columns))
    return pd.DataFrame([
        {
            "pair": pair, "level": 100 * level,
            **uci.judged_summaries(
                acceptances("cross_validation", pair, alpha=level, experiments=experiments)
            ).loc["replicability_R"],
            "printed": printed.at[pair, known[level]] if level in known else np.nan,
        }
        for pair in PAIRS for level in levels
    ])


def distances(*judged: pd.DataFrame) -> pd.DataFrame:
    """Distance of print from ours in joint standard errors, with nothing granted for rounding.

    Parameters
    ----------
    *judged : DataFrame
        Of :func:`table_1_rerun`, :func:`summary_rerun` or :func:`plain_t_rerun`.

    Returns
    -------
    DataFrame
        Columns `id`, `pair` and `z`.
    """
    frame = pd.concat(judged, ignore_index=True)
    error = np.hypot(frame["standard_error"], frame["published_error"])
    z = (frame["printed"] - frame["rebuilt"]) / error
    return pd.DataFrame({"id": frame["id"], "pair": frame["pair"], "z": z})


def mean_distances(parts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Mean distance of print from ours by pair of learners.

    Parameters
    ----------
    parts : mapping of str to DataFrame
        By name, of :func:`distances`.

    Returns
    -------
    DataFrame
        One row a pair, one column a part.
    """
    means = {name: frame.groupby("pair")["z"].mean() for name, frame in parts.items()}
    return pd.DataFrame(means).loc[list(PAIRS)]


def beside_the_first_neighbour(
    vote: pd.DataFrame, first: pd.DataFrame, *, max_z: float
) -> pd.DataFrame:
    """The printed numbers that ours contradict, and what they are with the first neighbour.

    Parameters
    ----------
    vote, first : DataFrame
        Of :func:`table_1_rerun`, :func:`summary_rerun` or :func:`plain_t_rerun`, with either
        neighbour.
    max_z : float
        Largest distance, in joint standard errors, that noise explains.

    Returns
    -------
    DataFrame
        Indexed by id: `printed`; under each neighbour `rebuilt` and `z`.
    """
    columns = {
        name: frame.assign(z=distances(frame)["z"].to_numpy()).set_index("id")[["rebuilt", "z"]]
        for name, frame in (("vote", vote), ("first", first))
    }
    both = pd.concat(columns, axis=1)
    both.insert(0, "printed", vote.set_index("id")["printed"])
    return both[both["vote", "z"].abs() > max_z]


def with_notes(rows: pd.DataFrame, beside: pd.DataFrame) -> pd.DataFrame:
    """Ledger rows that say what the first neighbour would make of a contradicted number.

    Parameters
    ----------
    rows : DataFrame
        As for :func:`beside_the_first_neighbour`.
    beside : DataFrame
        What it returned.

    Returns
    -------
    DataFrame
        The rows with the column `note`.
    """
    notes = {
        row.Index: f"with the first of equally near neighbours {row[4]:.3g}, "
                   f"{abs(row[5]):.1f} standard errors away"
        for row in beside.itertuples()
    }
    return rows.assign(note=rows["id"].map(notes))


def spread_between_tables(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Standard deviation of a summary from one table to the next, averaged over its columns.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        By name, of :func:`summary_rerun` or :func:`table_1_summary_of_ours`.

    Returns
    -------
    DataFrame
        One row a table, one column a measure.
    """
    return pd.DataFrame({
        name: table.groupby("measure")["published_error"].mean() for name, table in tables.items()
    }).T[list(MEASURES)]


def order_at_equal_effort(experiments: int | None = None) -> pd.DataFrame:
    """How surely repeated cross-validation replicates better than resampling at equal effort.

    Parameters
    ----------
    experiments : int, optional
        As for :func:`acceptances`.

    Returns
    -------
    DataFrame
        Indexed by (pair, rounds): `ahead`, the mean R of cross-validation minus that of resampling;
        `wins`, the share of all pairs of our tables, one of each test, in which R is larger (equal
        ones count half); `printed`, the same for the one pair in print.
    """
    printed = [printed_table(n).xs("replicability_R", level="measure") for n in (2, 3)]
    rows = {}
    for pair in PAIRS:
        for column, (resamplings, runs) in enumerate(zip(TABLE_2_RUNS, TABLE_3_RUNS)):
            resampling, repeated = (
                uci.summaries(acceptances(test, pair, runs=n, experiments=experiments))
                ["replicability_R"].to_numpy()
                for test, n in (("resampling", resamplings), ("cross_validation", runs))
            )
            larger = np.sign(np.subtract.outer(repeated, resampling).round(12))
            in_print = printed[1].loc[pair].iloc[column] - printed[0].loc[pair].iloc[column]
            rows[pair, resamplings] = {
                "ahead": repeated.mean() - resampling.mean(), "wins": (larger.mean() + 1) / 2,
                "printed": (np.sign(in_print) + 1) / 2,
            }
    return pd.DataFrame(rows).T.rename_axis(["pair", "rounds"])
