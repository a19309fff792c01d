"""The same input through other packages, where those are right, and scikit-learn's example."""

import baycomp
import numpy as np
import pandas as pd
import pytest
from mlxtend.evaluate import mcnemar, mcnemar_table
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from replib import replication_probability, schemes, significance, theory
from replib.comparison import (
    agreement,
    compare_benchmark,
    compare_classifiers,
    compare_predictions,
    compare_scores,
)
from replib.comparison.benchmark import bootstrap_sd

RNG = np.random.default_rng(5)
A = 0.85 + RNG.normal(0.01, 0.04, 100)
B = 0.85 + RNG.normal(0.00, 0.04, 100)


@pytest.mark.parametrize("design, runs", [("10x10", 10), ("5x20", 5), ("20x5", 20)])
def test_baycomp(design, runs):
    """Its posterior of the correlated t test has our p-value and our region of equivalence."""
    result = compare_scores(A, B, cv=design)
    b_better, a_better = baycomp.two_on_single(A, B, runs=runs)
    assert result.pvalue == pytest.approx(2 * min(a_better, b_better), rel=1e-10)
    left, rope, right = baycomp.two_on_single(A, B, runs=runs, rope=0.01)
    found = result.probabilities(0.01)
    assert list(found) == ["A", "equivalent", "B"]
    assert list(found.values()) == pytest.approx([left, rope, right], abs=1e-12)


def test_correct_r():
    """`resampled_ttest` and `repkfold_ttest` of correctR, as its source has them."""
    d = A - B
    n1, n2, k, r = 270, 30, 10, 10
    repeated = d.mean() / np.sqrt(d.var(ddof=1) * (1 / (k * r) + n2 / n1))
    result = compare_scores(A, B, cv="10x10")
    assert result.statistic == pytest.approx(repeated, rel=1e-12)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(repeated), k * r - 1), rel=1e-12)
    random_splits = compare_scores(A, B, cv=ShuffleSplit(100, test_size=0.1))
    assert random_splits.statistic == pytest.approx(repeated, rel=1e-12)


def test_scikit_learns_example_of_statistical_comparison():
    """Its corrected t and one-sided p for the two best kernels, printed as 0.750 and 0.227."""
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = SVC(kernel="rbf", random_state=0), SVC(kernel="linear", random_state=0)
    result = compare_classifiers(rbf, linear, X, y, cv=cv, scoring="roc_auc", progress=False)

    def corrected(differences, df, n_train, n_test):
        kr = len(differences)
        std = np.sqrt(np.var(differences, ddof=1) * (1 / kr + n_test / n_train))
        t = np.mean(differences) / std
        return t, stats.t.sf(np.abs(t), df)

    scores = [cross_validate(one, X, y, cv=cv, scoring="roc_auc") for one in (rbf, linear)]
    differences = scores[0]["test_score"] - scores[1]["test_score"]
    t, p = corrected(differences, 99, 90, 10)
    assert (round(t, 3), round(p, 3)) == (0.750, 0.227)
    assert result.statistic == pytest.approx(t, rel=1e-10)
    assert result.pvalue == pytest.approx(2 * p, rel=1e-10)
    assert compare_scores(*scores, cv=cv).pvalue == pytest.approx(result.pvalue, rel=1e-10)
    assert result.probabilities()[result.names[0]] == pytest.approx(1 - p, rel=1e-10)


def test_direct_use_of_the_library():
    result = compare_scores(A, B, cv="10x10")
    block = (A - B).reshape(10, 10)
    tests = result.tests()
    direct = significance.corrected_resampled_t(block, test_train_ratio=1 / 9, axis=(-2, -1))
    assert (result.statistic, result.pvalue) == tuple(direct)
    assert result.confidence_interval() == direct.confidence_interval()
    ordered = schemes.sample(block, scheme="average_over_sorted_runs")
    assert tests.at["t on sorted runs", "pvalue"] == significance.paired_t(ordered).pvalue
    assert tests.at["paired t on all differences", "pvalue"] == stats.ttest_rel(A, B).pvalue
    assert tests.at["corrected t on all differences", "agreement"] == result.agreement.point
    assert result.agreement.point == agreement.predict(block, test_train_ratio=1 / 9).point


@pytest.mark.parametrize("difference, rope, expected", [
    (0.25, 0, (1, 0, 0)), (-0.25, 0, (0, 0, 1)), (0.25, 0.25, (0.5, 0.5, 0)),
    (-0.25, 0.25, (0, 0.5, 0.5)), (0, 0, (0.5, 0, 0.5)), (0.25, 0.5, (0, 1, 0)),
])
def test_scores_that_differ_always_by_the_same(difference, rope, expected):
    """Then the posterior is a point, and half of a point on the border is on either side."""
    b = np.full((2, 10), 0.5)
    found = compare_scores(b + difference, b, cv="2x10").probabilities(rope)
    assert tuple(found.values()) == expected


def test_two_runs_are_enough_to_say_how_many_are_needed():
    two, one = compare_scores(A[:20], B[:20], cv="2x10"), compare_scores(A[:10], B[:10], cv="1x10")
    assert two.runs_needed >= 1 and two.agreement.point >= 0.5
    assert one.runs_needed is None and one.agreement is None


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
@pytest.mark.parametrize("shift", [-0.02, 0.004, 0.02])
def test_the_table_of_tests_decides_by_the_level(alpha, shift):
    tests = compare_scores(A - np.mean(A - B) + shift, B, cv="10x10", alpha=alpha).tests()
    rejects = (tests["pvalue"] < alpha).to_numpy()
    assert tests["decision"].tolist() == np.where(rejects, np.sign(shift), 0).tolist()
    assert tests.at["corrected t on all differences", "type_1_error"] == alpha
    assert tests["type_1_error"].isna().tolist() == ["sorted runs" in name for name in tests.index]
    on_all = theory.equicorrelated_type1_error(0.1, 100, alpha=alpha)
    assert tests.at["paired t on all differences", "type_1_error"] == on_all


def test_every_way_to_say_the_same():
    reference = compare_scores(A, B, cv="10x10").to_frame()
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10)
    blocks = A.reshape(10, 10), B.reshape(10, 10)
    for other in (
        compare_scores(A, B, cv=cv), compare_scores(A, B, runs=10, folds=10),
        compare_scores(*blocks, cv=cv), compare_scores(list(A), tuple(B), cv="10×10"),
        compare_scores(pd.Series(A), pd.Series(B), cv="10 x 10"),
        compare_scores({"test_score": A, "fit_time": B}, {"test_score": B, "fit_time": A}, cv=cv),
        compare_scores(-A, -B, cv=cv, greater_is_better=False),
    ):
        columns = ["statistic", "pvalue", "low", "high", "agreement", "runs_needed", "replication"]
        pd.testing.assert_frame_equal(other.to_frame()[columns], reference[columns])


def test_the_level_of_plain_tests_under_equal_correlation():
    """Simulated: differences that correlate by the test fraction, and nothing to be found."""
    rng = np.random.default_rng(0)
    shared, own = rng.normal(size=(4000, 1, 1)), rng.normal(size=(4000, 10, 10))
    x = np.sqrt(0.1) * shared + np.sqrt(0.9) * own
    expected = compare_scores(A, B, cv="10x10").tests()["type_1_error"]
    for test, scheme in (
        ("paired t on all differences", "use_all_data"), ("paired t on the first run", "k_fold"),
        ("paired t on means by fold", "average_over_runs"),
    ):
        rejected = significance.paired_t(schemes.sample(x, scheme=scheme)).pvalue < 0.05
        assert rejected.mean() == pytest.approx(expected[test], abs=0.025)
    corrected = significance.corrected_resampled_t(x, test_train_ratio=1 / 9, axis=(-2, -1))
    assert (corrected.pvalue < 0.05).mean() == pytest.approx(0.05, abs=0.012)


def test_mcnemar_of_two_packages():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 300)
    a, b = (np.where(rng.random(300) < share, y, (y + 1) % 3) for share in (0.85, 0.78))
    result = compare_predictions(y, a, b)
    table = mcnemar_table(y, a, b)
    assert (result.both, result.wins, result.losses, result.neither) == tuple(table.ravel())
    assert result.pvalue == pytest.approx(mcnemar(table, exact=True)[1], rel=1e-10)
    assert result.pvalue == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, rel=1e-10)
    again = replication_probability.binomial(result.wins, result.wins + result.losses)
    assert result.replication_probability().point == again.point


def test_the_interval_of_two_accuracies_covers():
    """Exactly, over all outcomes of 40 instances; Wald's does not."""
    n = 40
    wins, losses = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    possible = wins + losses <= n
    covered = {}
    for p10, p01 in ((0.05, 0.02), (0.1, 0.1), (0.3, 0.1), (0.02, 0.02), (0.4, 0.05)):
        from replib.comparison.predictions import PredictionComparison

        probability = stats.multinomial.pmf(
            np.stack([wins, losses, n - wins - losses], -1)[possible], n, [p10, p01, 1 - p10 - p01]
        )
        held = [
            low <= p10 - p01 <= high for low, high in (
                PredictionComparison(("A", "B"), int(w), int(v), int(n - w - v), 0)
                .confidence_interval() for w, v in zip(wins[possible], losses[possible])
            )
        ]
        covered[p10, p01] = probability @ held
    assert min(covered.values()) > 0.94, covered


def test_friedman_and_pairs_of_scipy():
    rng = np.random.default_rng(2)
    scores = rng.normal(0.8, 0.05, (20, 4)) + [0, 0.01, 0.03, 0.05]
    frame = pd.DataFrame(scores, columns=list("abcd"))
    result = compare_benchmark(frame)
    ranks = frame.rank(axis=1, ascending=False)
    chi2 = stats.friedmanchisquare(*frame.to_numpy().T).statistic
    by_hand = 12 * 20 / (4 * 5) * ((ranks.mean() ** 2).sum() - 4 * 25 / 4)
    assert chi2 == pytest.approx(by_hand)
    f = 19 * chi2 / (20 * 3 - chi2)
    assert result.friedman_pvalue == pytest.approx(stats.f.sf(f, 3, 57), rel=1e-10)
    for row in result.pairs.itertuples():
        d = frame[row.a] - frame[row.b]
        assert row.signed_rank == pytest.approx(stats.wilcoxon(d).pvalue, rel=1e-10)
        assert row.sign == pytest.approx(stats.binomtest(row.wins, 20).pvalue, rel=1e-10)
        assert row.wins + row.losses + row.draws == 20 and row.difference == np.median(d)
    # Demsar's table: q = 2.569 for four classifiers
    assert result.critical_difference == pytest.approx(2.569 * np.sqrt(4 * 5 / 120), rel=1e-3)


def test_the_bootstrap_redraws_data_sets():
    differences = np.random.default_rng(5).normal(0.3, 1, 14)
    drawn = differences[np.random.default_rng(6).integers(14, size=(300, 14))]
    z = [significance.signed_rank(one, method="normal").zstatistic for one in drawn]
    found = bootstrap_sd(differences, np.random.default_rng(6), samples=300)
    assert found == pytest.approx(np.std(z, ddof=1), rel=1e-12)


def test_six_data_sets_are_enough_for_significance():
    scores = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9, 0.8, 0.9], "b": np.linspace(0.1, 0.6, 6)})
    result = compare_benchmark(scores)
    assert result.notes == () and result.pairs["signed_rank"].item() == 1 / 32


def test_two_classifiers_are_compared_by_the_sign_test():
    wins = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9, 0.8], "b": [0.8, 0.6, 0.4, 0.5, 0.9]})
    result = compare_benchmark(wins)
    assert result.friedman_pvalue == pytest.approx(stats.binomtest(4, 5).pvalue)


def test_a_pvalue_of_just_alpha_is_no_difference():
    scores = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9, 0.8], "b": [0.85, 0.7, 0.4, 0.5, 0.6]})
    for alpha, decision in ((1 / 16, 0), (0.063, 1)):  # five wins have a p-value of 2 / 2**5
        row, = compare_benchmark(scores, alpha=alpha).pairs.itertuples()
        assert row.signed_rank == 1 / 16 and row.decision == decision


def test_long_and_wide_frames_say_the_same():
    rng = np.random.default_rng(3)
    wide = pd.DataFrame(rng.random((9, 3)), columns=list("abc"), index=list("stuvwxyzk"))
    repeated = pd.concat([wide - 0.01, wide + 0.01])
    long = wide.rename_axis("dataset").reset_index().melt("dataset", var_name="Classifier",
                                                          value_name="Score")
    named = wide.rename_axis("dataset").reset_index()
    reference = compare_benchmark(wide)
    for other in (repeated, long.sample(frac=1, random_state=1), named):
        found = compare_benchmark(other)
        assert found.mean_ranks.to_dict() == pytest.approx(reference.mean_ranks.to_dict())
        assert found.friedman_pvalue == pytest.approx(reference.friedman_pvalue)
    errors = compare_benchmark(1 - wide, greater_is_better=False)
    assert errors.pairs["signed_rank"].tolist() == pytest.approx(
        reference.pairs["signed_rank"].tolist())


def test_a_seed_gives_the_splits_of_scikit_learn():
    X, y = make_moons(60, noise=0.3, random_state=0)
    learners = GaussianNB(), SVC()
    for text, runs in (("2x5", 2), (5, 1)):
        by_text = compare_classifiers(*learners, X, y, cv=text, random_state=7, progress=False)
        cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=runs, random_state=7)
        by_splitter = compare_classifiers(*learners, X, y, cv=cv, progress=False)
        np.testing.assert_array_equal(by_text.scores, by_splitter.scores)
        assert by_text.design == by_splitter.design


def test_classifiers_see_the_same_splits_and_are_not_changed():
    X, y = make_moons(60, noise=0.3, random_state=0)
    one, other = GaussianNB(), GaussianNB(var_smoothing=1e-9)
    for cv in (ShuffleSplit(5, test_size=0.25), "2x5", 5):  # none of them has a seed
        result = compare_classifiers(one, other, X, y, cv=cv, progress=False)
        assert np.array_equal(*result.scores)
        assert result.pvalue == 1 and result.estimate == 0
    assert not hasattr(one, "classes_")
    thirds = ShuffleSplit(4, test_size=1 / 3)
    third = compare_classifiers(one, other, X, y, cv=thirds, progress=False)
    assert third.design.test_train_ratio == pytest.approx(20 / 40)
