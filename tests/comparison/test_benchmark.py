"""Many classifiers on many data sets: ranks, pairs, and frames that say the same."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from replib import significance
from replib.comparison import compare_benchmark
from replib.comparison.benchmark import bootstrap_sd


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
    assert "sign test" in result.sentence() and "Friedman" not in result.sentence()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("classifiers", range(3, 9))
def test_the_same_order_on_every_data_set_has_no_chance(classifiers):
    for datasets in range(6, 12):
        scores = np.tile(np.linspace(0.5, 0.9, classifiers), (datasets, 1))
        result = compare_benchmark(pd.DataFrame(scores))
        assert result.friedman_pvalue == 0 and "Friedman" in result.sentence()


def test_a_pvalue_of_just_alpha_is_no_difference():
    scores = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9, 0.8], "b": [0.85, 0.7, 0.4, 0.5, 0.6]})
    for alpha, decision in ((1 / 16, 0), (0.063, 1)):  # five wins have a p-value of 2 / 2**5
        row, = compare_benchmark(scores, alpha=alpha).pairs.itertuples()
        assert row.signed_rank == 1 / 16 and row.decision == decision


def test_a_pair_has_its_columns_in_the_order_of_the_argument():
    pairs = compare_benchmark(pd.DataFrame(np.random.default_rng(3).random((9, 3)))).pairs
    assert list(pairs) == [
        "a", "b", "wins", "losses", "draws", "difference", "signed_rank", "sign", "holm",
        "decision", "sd", "replication", "replication_low", "replication_high",
    ]


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


def test_wins_losses_and_draws_are_all_the_data_sets():
    scores = pd.DataFrame({"a": [9, 8, 7, 6, 5, 5], "b": [8, 7, 6, 7, 5, 5]})
    row, = compare_benchmark(scores).pairs.itertuples()
    assert (row.a, row.wins, row.losses, row.draws) == ("a", 3, 1, 2)


@pytest.mark.parametrize("largest, smallest, refused", [
    (4.0, 0.04, True), (4.0, 0.2, False), (1.4, 0.04, False), (40.0, 1.1, False), (3.0, 0.0, False),
])
def test_percent_beside_fractions_is_refused(largest, smallest, refused):
    share = np.linspace(0.5, 1, 7)
    scores = pd.DataFrame({"a": largest * share, "b": smallest * share})
    if refused:
        with pytest.raises(ValueError, match="scores of a look like percent .* and some of b like"):
            compare_benchmark(scores)
    else:
        compare_benchmark(scores)
