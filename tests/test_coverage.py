"""The stored Type I errors of suites, and how often intervals of means hold the truth."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from replib import Items, compare, from_arrays

suites = import_module("benchmarks.suites")
estimates = import_module("benchmarks.estimates")
ROOT = Path(__file__).parents[1]
OF_SUITES = pd.read_csv(ROOT / "tests" / "data" / "suites.csv")
OF_MEANS = pd.read_csv(ROOT / "tests" / "data" / "estimates.csv")
SMALL = suites.Setting(3, 20, "0.05 to 0.95", "unequal", "tasks differ and cancel")


@pytest.mark.parametrize("mean", suites.METHODS)
def test_the_counts_of_a_setting_come_again(mean):
    chosen = OF_SUITES["mean"] == mean
    for name, value in SMALL._asdict().items():
        chosen &= OF_SUITES[name] == value
    (row,) = OF_SUITES[chosen].itertuples()
    assert suites.counts(SMALL, mean) == (row.rejected, row.covered)


def answers(wins, losses, n_items):
    """Items of each task that only the first, only the second, and neither has right."""
    by_task = [
        np.repeat([1, -1, 0], [w, c, n - w - c])
        for w, c, n in zip(wins, losses, n_items)
    ]
    difference = np.concatenate(by_task)
    return {"a": (difference > 0).astype(int), "b": (difference < 0).astype(int)}


@pytest.mark.parametrize("mean", suites.METHODS)
def test_the_simulated_tests_are_those_of_compare(mean):
    setting = suites.Setting(3, 20, "0.5", "unequal", "one model is ahead")
    n_items = setting.n_items()
    wins, losses = suites.wins_and_losses(setting, mean, 40)
    truth = 0.1
    rejected, covered = suites.METHODS[mean](wins, losses, n_items, truth)
    labels = np.repeat(range(3), n_items)
    decided, held = [], []
    for won, lost in zip(wins, losses):
        table = from_arrays(
            answers(won, lost, n_items),
            design=Items(suite="task", mean=mean),
            metric="accuracy",
            tasks=labels,
        )
        pair = compare(table, pairs=[("a", "b")]).pairs.iloc[0]
        decided.append(pair["decision"] != 0)
        held.append(pair["low"] <= truth <= pair["high"])
    assert decided == rejected.tolist() and held == covered.tolist()
    assert 0 < sum(decided) < 40


def test_the_tables_of_the_book_are_those_counts():
    for name, module, counts in (
        ("suites", suites, OF_SUITES),
        ("estimates", estimates, OF_MEANS),
    ):
        shown = pd.read_csv(ROOT / "book" / "_static" / f"{name}.csv", dtype=str)
        assert shown.equals(module.summary(counts).astype(str))


def test_all_settings_are_stored():
    assert len(OF_SUITES) == len(suites.settings()) * len(suites.METHODS)
    names = [[s.kind.interval, str(s)] for s in estimates.settings()]
    assert OF_MEANS[["interval", "setting"]].values.tolist() == names


def test_the_exact_interval_covers_as_often_as_its_distribution_says():
    """Of each count of right items; the stored share is within four standard errors."""
    for setting in estimates.settings():
        if setting.kind.interval != "right or wrong items":
            continue
        items, rate = setting.arguments.values()
        right = np.arange(items + 1)
        low = stats.beta.ppf(0.025, right, items - right + 1)
        high = stats.beta.ppf(0.975, right + 1, items - right)
        inside = (np.nan_to_num(low) <= rate) & (rate <= np.nan_to_num(high, nan=1.0))
        exact = stats.binom.pmf(right, items, rate)[inside].sum()
        (row,) = OF_MEANS[
            (OF_MEANS["interval"] == "right or wrong items")
            & (OF_MEANS["setting"] == str(setting))
        ].itertuples()
        error = np.sqrt(exact * (1 - exact) / row.experiments)
        assert exact >= 0.95
        assert abs(row.covered / row.experiments - exact) < 4 * error + 1e-12


def test_what_the_book_says_of_suites():
    """Below 7.5% if no task differs or differences cancel; the mean over items never above 5%."""
    null = OF_SUITES[OF_SUITES["truth"] != "one model is ahead"]
    rate = null["rejected"] / null["experiments"]
    limit = stats.beta.ppf(0.95, null["rejected"] + 1, null["experiments"])
    assert limit.max() < 0.075
    of_items = rate[null["mean"] == "items"]
    # 5%, and three standard errors of 0.2 points
    assert of_items.max() < 0.0566
    coverage = OF_SUITES["covered"] / OF_SUITES["experiments"]
    few = (OF_SUITES["mean"] == "tasks") & (OF_SUITES["items"] == 20)
    assert coverage[~few].min() > 0.93 > coverage[few].min()


def test_what_the_book_says_of_intervals():
    """Exact ones are wide, and that of RMSE is too short; the others cover in 91% or more."""
    coverage = OF_MEANS["covered"] / OF_MEANS["experiments"]
    exact = OF_MEANS["interval"] == "right or wrong items"
    of_errors = OF_MEANS["interval"] == "RMSE"
    assert coverage[exact].mean() > 0.96
    assert coverage[of_errors].min() < 0.88
    assert coverage[~of_errors].min() > 0.91
