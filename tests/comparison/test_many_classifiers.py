"""Three or more classifiers: one decision after Holm's correction, in every form of the result."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from equal_learners import accuracies

from replib.comparison import Comparison, MultipleComparison, compare_classifiers, compare_scores
from replib.comparison.design import read_design

RNG = np.random.default_rng(12)
BLOCKS = RNG.normal([[[0.80]], [[0.81]], [[0.83]], [[0.85]]], 0.02, (4, 10, 10))
FRAME = pd.DataFrame({name: of.ravel() for name, of in zip(("nb", "knn", "tree", "svm"), BLOCKS)})


@pytest.fixture(scope="module")
def result() -> MultipleComparison:
    return compare_scores(FRAME, cv="10x10", metric="accuracy", dataset="moons")


def holm(p):
    """Holm (1979), one hypothesis after the other."""
    adjusted, before = np.empty(len(p)), 0.0
    for step, place in enumerate(np.argsort(p)):
        before = adjusted[place] = max(before, min(1.0, (len(p) - step) * p[place]))
    return adjusted


def test_every_pair_has_the_recommended_test_and_holms_correction(result):
    pairs = result.pairs
    assert len(pairs) == 6 and (pairs["difference"] >= 0).all()
    p = []
    for row in pairs.itertuples():
        two = compare_scores(FRAME[row.a], FRAME[row.b], cv="10x10")
        assert (row.difference, row.statistic, row.df, row.unadjusted) == pytest.approx(
            (two.estimate, two.statistic, 99, two.pvalue), rel=1e-10
        )
        assert [row.low, row.high] == pytest.approx(two.confidence_interval(1 - 0.05 / 6))
        p.append(two.pvalue)
    assert pairs["pvalue"].tolist() == pytest.approx(holm(p), rel=1e-10)
    assert pairs["decision"].tolist() == [int(x < 0.05) for x in holm(p)]
    assert 0 < pairs["decision"].sum() < 6


def test_sentence_table_page_and_json_have_the_corrected_decision(result):
    differ = {(row.a, row.b): row.pvalue for row in result.pairs.itertuples() if row.decision}
    only_before = result.pairs.query("unadjusted < 0.05 and decision == 0")
    assert len(only_before)  # or this test could not fail
    text = result.sentence()
    found = text.split("Significantly higher: ")[1].split("; not")[0]
    said = {
        (part.split(" than ")[0], other)
        for part in found.split("; ") for other in re.findall(r"(\w+) \(p", part)
    }
    assert said == set(differ)
    assert "Holm-adjusted for 6 pairs" in text and "corrected resampled t tests" in text
    table = result.contents().tables["Pairs"].reset_index()
    says = {(row[0], row[1]) for row in table.to_numpy() if row[4] == "higher"}
    assert says == set(differ)
    rows = json.loads(json.dumps(result.to_dict(), allow_nan=False))["table"]
    assert {(row["a"], row["b"]) for row in rows if row["decision"]} == set(differ)
    page = result.page()
    assert "moons" in page and "cv=&#x27;10x10&#x27;" in page


@pytest.mark.parametrize("correction, allowed", [("bonferroni", 0.05 / 6), ("none", 0.05)])
def test_other_corrections_are_named(correction, allowed, result):
    other = compare_scores(FRAME, cv="10x10", correction=correction)
    found = [int(p < allowed) for p in result.pairs["unadjusted"]]
    assert other.pairs["decision"].tolist() == found
    words = {"bonferroni": "Bonferroni-adjusted for 6 pairs", "none": "not adjusted for 6 pairs"}
    assert words[correction] in other.sentence()
    methods = other.contents().methods
    assert ("intervals hold for all pairs" in methods) == (correction == "bonferroni")
    assert "less strict" not in methods and "less strict" in result.contents().methods


def test_two_columns_are_a_comparison_of_two():
    frame = compare_scores(FRAME[["nb", "svm"]], cv="10x10")
    two = compare_scores(FRAME["nb"], FRAME["svm"], cv="10x10")
    assert type(frame) is type(two) is Comparison
    assert frame.to_frame().equals(two.to_frame()) and frame.sentence() == two.sentence()
    mapping = compare_scores({name: FRAME[name].to_numpy() for name in ("nb", "svm")}, cv="10x10")
    assert mapping.sentence() == two.sentence()


def test_the_order_of_the_columns_and_the_sign_of_errors_do_not_matter(result):
    turned = compare_scores(FRAME[FRAME.columns[::-1]], cv="10x10", metric="accuracy")
    pd.testing.assert_frame_equal(turned.pairs.iloc[:, :10], result.pairs.iloc[:, :10])
    errors = compare_scores(1 - FRAME, cv="10x10", metric="error", greater_is_better=False)
    assert errors.pairs["pvalue"].tolist() == pytest.approx(result.pairs["pvalue"].tolist())
    assert "svm had the lowest mean error" in errors.sentence()
    assert "Significantly lower: svm than" in errors.sentence()


def test_a_single_run_and_copied_runs_predict_nothing():
    one = MultipleComparison(tuple("abc"), tuple(BLOCKS[:3, :1]), read_design("1x10"))
    assert one.agreement is None and "single run" in one.sentence()
    assert one.pairs["agreement"].isna().all()
    copied = np.repeat(BLOCKS[:3, :1], 10, axis=1)
    same = MultipleComparison(tuple("abc"), tuple(copied), read_design("10x10"))
    assert same.agreement is None and "no spread" in same.sentence()
    assert "1.00" not in same.sentence() and same.pairs["agreement"].isna().all()


@pytest.mark.slow
def test_estimators_in_a_mapping_are_trained_on_the_same_splits():
    from sklearn.datasets import make_moons
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    X, y = make_moons(80, noise=0.3, random_state=0)
    three = {"nb": GaussianNB(), "knn": KNeighborsClassifier(3),
             "tree": DecisionTreeClassifier(random_state=0)}
    options = {"cv": "2x5", "random_state": 1, "progress": False}
    many = compare_classifiers(three, X, y, **options)
    assert many.names == tuple(three)
    for a, b in (("nb", "knn"), ("knn", "tree")):
        two = compare_classifiers(three[a], three[b], X, y, names=(a, b), **options)
        by_name = dict(zip(many.names, many.scores))
        np.testing.assert_array_equal(two.scores, [by_name[a], by_name[b]])
        mapping = compare_classifiers({a: three[a], b: three[b]}, X=X, y=y, **options)
        assert mapping.to_frame().equals(two.to_frame())
    assert many.record["knn"] == "KNeighborsClassifier(n_neighbors=3)"
    assert many.record["size"] == "80 instances with 2 features"


@pytest.mark.slow
def test_five_equal_classifiers_seldom_differ():
    """Family-wise error in 1,000 experiments, each on new data of a source without differences.

    At a true rate of 5% more than 6% would be found in 8% of all seeds; the seed is fixed.
    """
    rng = np.random.default_rng(3)
    design = read_design("10x10")
    wrong = uncorrected = 0
    for _ in range(1000):
        c = MultipleComparison(tuple("abcde"), tuple(accuracies(rng, [1.0] * 5)), design)
        uncorrected += c.tested.pvalue.min() < 0.05
        wrong += c.pvalue.min() < 0.05
    assert wrong <= 60
    assert uncorrected > 150  # without a correction the experiments would show it
