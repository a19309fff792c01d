"""Suites of tasks: their means, tests and intervals."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from replib import (
    Items,
    Metric,
    Scores,
    compare,
    from_arrays,
    from_predictions,
    from_wide,
    read,
)
from replib._presentation import report
from replib._strata import Strata
from replib.multiple_comparisons import adjusted_pvalues

RNG = np.random.default_rng(53)
SIZES = {"arc": 40, "gsm8k": 25, "mmlu": 90}
TASKS = np.repeat(list(SIZES), list(SIZES.values()))
GRADES = {name: RNG.random(len(TASKS)).round(3) for name in ("a", "b", "c")}
ANSWERS = {name: (scores > 0.4).astype(int) for name, scores in GRADES.items()}
SUITE = Items(suite="task")
OVER_ITEMS = Items(suite="task", mean="items")


def compared(scores=GRADES, design=SUITE, tasks=TASKS, **options):
    table = from_arrays(scores, design=design, metric="accuracy", tasks=tasks)
    return compare(table, **options)


def stratified(differences, strata, weights):
    """Estimate, standard error and Satterthwaite's degrees of freedom, by groups of pandas."""
    groups = pd.Series(differences).groupby(strata, sort=False)
    means, variances, sizes = groups.mean(), groups.var(), groups.size()
    parts = weights**2 * variances / sizes
    df = parts.sum() ** 2 / (parts**2 / (sizes - 1)).sum()
    return (weights * means).sum(), np.sqrt(parts.sum()), df


@pytest.mark.parametrize("scores", [GRADES, ANSWERS], ids=["grades", "answers"])
def test_the_mean_over_tasks_has_a_variance_by_task(scores):
    result = compared(scores, pairs=[("a", "b")])
    (pair,) = result.pairs.itertuples()
    estimate, error, df = stratified(scores["a"] - scores["b"], TASKS, 1 / 3)
    assert pair.difference == pytest.approx(estimate)
    assert pair.df == pytest.approx(df)
    assert pair.p == pytest.approx(2 * stats.t.sf(abs(estimate) / error, df))
    reach = stats.t.ppf(0.975, df) * error
    assert (pair.low, pair.high) == pytest.approx((estimate - reach, estimate + reach))


def test_one_task_is_no_suite():
    one = compared(
        {m: x[TASKS == "arc"] for m, x in ANSWERS.items()}, tasks=["arc"] * 40
    )
    plain = compare(
        {m: x[TASKS == "arc"] for m, x in ANSWERS.items()},
        design="items",
        metric="accuracy",
    )
    assert one.pairs.equals(plain.pairs)
    assert one.tasks.empty


def test_two_equal_halves_have_the_estimate_of_the_whole_and_welchs_degrees_of_freedom():
    """Satterthwaite's approximation for two strata of one item each is Welch's."""
    x, y = RNG.normal(0.5, 0.1, 30), RNG.normal(0.4, 0.02, 12)
    scores = {"a": np.r_[x, -y] / 2 + 0.5, "b": np.full(42, 0.5)}
    result = compared(scores, tasks=["x"] * 30 + ["y"] * 12)
    t = stats.ttest_ind(x, y, equal_var=False)
    (pair,) = result.pairs.itertuples()
    assert (abs(pair.statistic), pair.df, pair.p) == pytest.approx(
        (abs(t.statistic), t.df, t.pvalue)
    )


def test_the_mean_over_items_of_answers_is_tested_by_mcnemar():
    result = compared(ANSWERS, OVER_ITEMS, pairs=[("a", "b")])
    a, b = ANSWERS["a"], ANSWERS["b"]
    table = [[0, np.sum(a > b)], [np.sum(a < b), 0]]
    (pair,) = result.pairs.itertuples()
    assert pair.p == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert pair.difference == pytest.approx((a - b).mean())
    assert "all items of 3 tasks" in result.sentence()
    assert "tests the mean over all items only" in result.sentence()


def test_the_interval_of_the_mean_over_items_is_stratified():
    """Of tasks that all differ alike it is Agresti and Min's; of unlike ones it is shorter."""
    a = np.tile([1, 1, 1, 0, 0, 0, 1, 0, 1, 0], 30)
    b = np.tile([0, 0, 1, 0, 0, 1, 1, 0, 1, 0], 30)
    alike = np.repeat(["x", "y", "z"], 100)
    plain = compare({"a": a, "b": b}, design="items", metric="accuracy").pairs
    pooled = compared({"a": a, "b": b}, OVER_ITEMS, alike).pairs
    width = plain["high"][0] - plain["low"][0]
    stratified_width = pooled["high"][0] - pooled["low"][0]
    assert stratified_width == pytest.approx(width, rel=0.01)
    order = np.argsort(a - b, kind="stable")
    unlike = np.empty(300, dtype=object)
    unlike[order] = alike
    shorter = compared({"a": a, "b": b}, OVER_ITEMS, unlike).pairs
    assert shorter["high"][0] - shorter["low"][0] < 0.9 * width
    assert shorter["p"][0] == plain["p"][0]


def test_a_task_with_strata_counts_once():
    subjects = np.where(TASKS == "mmlu", np.arange(len(TASKS)) % 4, 0)
    frame = pd.concat(
        pd.DataFrame(
            {"model": m, "item": range(len(TASKS)), "task": TASKS, "score": x}
        ).assign(subject=subjects)
        for m, x in GRADES.items()
    )
    design = Items(suite="task", strata="subject")
    result = compare(
        Scores(frame, metric="accuracy", design=design), pairs=[("a", "b")]
    )
    strata = [f"{t} {s}" for t, s in zip(TASKS, subjects)]
    sizes = pd.Series(strata).groupby(strata, sort=False).size()
    of_task = pd.Series(TASKS).groupby(strata, sort=False).first().map(SIZES)
    d = GRADES["a"] - GRADES["b"]
    estimate, error, df = stratified(d, strata, sizes / of_task / 3)
    (pair,) = result.pairs.itertuples()
    assert (pair.difference, pair.df) == pytest.approx((estimate, df))
    assert pair.statistic == pytest.approx(estimate / error)
    means = pd.Series(d).groupby(TASKS).mean()
    assert pair.difference == pytest.approx(means.mean())
    # strata that count equally
    equal = Items(suite="task", strata="subject", equal_strata=("mmlu",))
    other = compare(Scores(frame, metric="accuracy", design=equal), pairs=[("a", "b")])
    by_subject = pd.Series(d).groupby([TASKS, subjects]).mean().groupby(level=0).mean()
    assert other.pairs["difference"][0] == pytest.approx(by_subject.mean())


def test_clusters_are_within_tasks():
    clusters = [f"{t}{i // 5}" for t, i in zip(TASKS, range(len(TASKS)))]
    table = from_arrays(
        GRADES, design=SUITE, metric="accuracy", tasks=TASKS, clusters=clusters
    )
    result = compare(table, pairs=[("a", "b")])
    d = pd.DataFrame({"d": GRADES["a"] - GRADES["b"], "t": TASKS, "c": clusters})
    variance = 0.0
    for _, part in d.groupby("t"):
        totals = (part["d"] - part["d"].mean()).groupby(part["c"]).sum()
        n_clusters = len(totals)
        cr1 = n_clusters / (n_clusters - 1) * (totals**2).sum() / len(part) ** 2
        variance += cr1 / 9
    (pair,) = result.pairs.itertuples()
    assert (pair.difference / pair.statistic) ** 2 == pytest.approx(variance)
    with pytest.raises(ValueError, match="a cluster must have items of one task"):
        from_arrays(
            GRADES,
            design=SUITE,
            metric="accuracy",
            tasks=TASKS,
            clusters=np.arange(len(TASKS)) % 7,
        )


def test_trainings_share_their_seed_over_tasks():
    """The variance of new seeds is that of the weighted means of the runs."""
    runs = {m: RNG.random((6, len(TASKS))) for m in ("a", "b")}
    result = compared(runs, about="training")
    means = {
        m: np.mean([x[:, t == TASKS].mean(axis=1) for t in SIZES], axis=0)
        for m, x in runs.items()
    }
    t = stats.ttest_ind(means["a"], means["b"], equal_var=False)
    (pair,) = result.pairs.itertuples()
    statistic = t.statistic if pair.a == "a" else -t.statistic
    assert (pair.statistic, pair.df) == pytest.approx((statistic, t.df))
    assert result.mean_scores["a"] == pytest.approx(means["a"].mean())
    assert compared(runs).pairs["rerun"].notna().all()


def test_other_tasks_are_asked_about_by_signed_ranks_of_their_means():
    tasks = np.repeat(range(9), 20)
    scores = {m: RNG.random(180) ** power for m, power in (("a", 1), ("b", 2))}
    result = compared(scores, tasks=tasks, about="tasks")
    d = (scores["a"] - scores["b"]).reshape(9, 20).mean(axis=1)
    assert result.pairs["p"][0] == pytest.approx(stats.wilcoxon(d).pvalue)
    assert "other tasks" in result.sentence()
    few = compared(scores, tasks=np.repeat(range(5), 36), about="tasks")
    assert any("5 tasks could give" in note for note in few.notes)
    with pytest.raises(ValueError, match="asks about other tasks"):
        compare(scores, design="items", metric="accuracy", about="tasks")


def test_a_table_by_task_is_corrected_for_all_its_tests():
    result = compared(ANSWERS)
    assert len(result.tasks) == 9
    for row in result.tasks.itertuples():
        a, b = (ANSWERS[m][row.task == TASKS] for m in (row.a, row.b))
        table = [[0, np.sum(a > b)], [np.sum(a < b), 0]]
        assert row.p == pytest.approx(mcnemar(table, exact=True).pvalue)
        assert row.items == SIZES[row.task]
        assert row.difference == pytest.approx((a - b).mean())
    holm = adjusted_pvalues(result.tasks["p"], method="holm")
    assert result.tasks["adjusted_p"].to_numpy() == pytest.approx(holm)
    assert result.to_dict()["tasks"][0]["task"] == "arc"


def test_the_page_and_the_tables_have_the_tasks(tmp_path, monkeypatch):
    result = compared(ANSWERS)
    page = result.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h2>Tasks</h2>" in page and "gsm8k" in page
    assert result.to_markdown("tasks").count("gsm8k") == 3
    monkeypatch.setattr(report, "_MOST_TASK_ROWS", 4)
    tables = report.tables(result)
    (name,) = [title for title in tables if title.startswith("Tasks")]
    assert name == "Tasks: the 4 smallest p-values of 9" and len(tables[name]) == 4
    plain = compare(ANSWERS, design="items", metric="accuracy")
    with pytest.raises(ValueError, match="no table of tasks"):
        plain.to_markdown("tasks")


def test_equal_models_have_p_1_and_constant_differences_none():
    same = compared({"a": ANSWERS["a"], "b": ANSWERS["a"]})
    assert same.pairs["p"][0] == 1
    shifted = np.where(TASKS == "arc", 0.2, 0.5)
    with pytest.raises(ValueError, match="without any spread"):
        compared({"a": shifted, "b": np.full(len(TASKS), 0.1)})


def test_items_may_be_counted_within_each_task():
    rows = [
        {"model": m, "task": t, "item": i, "score": float(ANSWERS[m][t == TASKS][i])}
        for m in "ab"
        for t, n in SIZES.items()
        for i in range(n)
    ]
    by_label = Scores(pd.DataFrame(rows), metric="accuracy", design=SUITE)
    assert compare(by_label).pairs.equals(compared({m: ANSWERS[m] for m in "ab"}).pairs)
    assert by_label.units[:2] == ["arc/0", "arc/1"]


def test_a_table_with_a_column_of_tasks_is_a_suite_if_it_is_said(tmp_path):
    wide = pd.DataFrame(ANSWERS).assign(task=TASKS, item=range(len(TASKS)))
    path = tmp_path / "items.csv"
    wide.to_csv(path, index=False)
    expected = compared(ANSWERS).pairs
    options = dict(metric="accuracy", columns={})
    for design in ("suite", SUITE):
        assert compare(from_wide(wide, design=design, **options)).pairs.equals(expected)
        assert compare(read(path, design=design, **options)).pairs.equals(expected)
    long = wide.melt(["task", "item"], var_name="model", value_name="score")
    with pytest.raises(ValueError, match=r"say design=Items\(suite='task'\), choose"):
        compare(long, design="items", metric="accuracy")


def test_predictions_of_a_suite():
    truth = RNG.integers(0, 2, len(TASKS))
    models = {m: np.where(right, truth, 1 - truth) for m, right in ANSWERS.items()}
    table = from_predictions(truth, models, metric="accuracy", tasks=TASKS)
    assert compare(table).pairs.equals(compared(ANSWERS).pairs)
    f1 = from_predictions(truth, models, metric="f1", tasks=TASKS)
    with pytest.raises(ValueError, match="no mean over items"):
        compare(f1)


def test_only_scores_with_a_range_are_averaged_over_tasks():
    with pytest.raises(ValueError, match="no common scale"):
        from_arrays(
            GRADES, design=SUITE, metric=Metric("ppl", better="lower"), tasks=TASKS
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(strata="subject"), "say suite="),
        (dict(suite="task", equal_strata=("mmlu",)), "say strata="),
        (dict(suite="task", mean="all"), "mean must be"),
        (dict(suite="task", predicted="by_fold"), "no clusters, tasks"),
    ],
)
def test_designs_that_make_no_suite(options, message):
    with pytest.raises(ValueError, match=message):
        Items(**options)


def test_a_task_of_one_item_is_refused():
    with pytest.raises(ValueError, match="'y' has one item"):
        Strata.from_labels(["x", "x", "y"])
