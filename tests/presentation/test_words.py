"""Sentences: what is said of one pair and of several."""

import numpy as np
import pytest

from replib import Metric, RandomSplits, compare


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_a_sentence_names_the_better_first_and_gives_its_advantage(better):
    rng = np.random.default_rng(0)
    low, high = rng.normal(0.2, 0.01, 20), rng.normal(0.3, 0.01, 20)
    result = compare(
        {"low": low, "high": high},
        design="seeds",
        metric=Metric("yield per item", better=better),
    )
    first, second = ("high", "low") if better == "higher" else ("low", "high")
    said = result.sentence()
    assert (
        said.startswith(f"{first} (0.") and f"significantly {better} mean yield" in said
    )
    assert f"than {second} (0." in said and "(difference 0.1" in said


def test_over_data_sets_nothing_is_said_of_means_that_the_test_does_not_compare():
    """The better model on 22 of 24 data sets has the lower mean."""
    a = np.linspace(0.7, 0.9, 24)
    b = a + 0.01
    b[:2] = 0.1
    result = compare({"a": a, "b": b}, design="datasets", metric="accuracy")
    assert result.sentence().startswith(
        "b had a significantly higher accuracy than a (Hodges-Lehmann"
    )
    assert list(result.ranks().index) == ["b", "a"]
    three = compare(
        {"a": a, "b": b, "c": b - 1e-3 * (-1) ** np.arange(24)},
        design="datasets",
        metric="accuracy",
    )
    assert list(three.ranks().index)[-1] == "a" and list(map(set, three.tied())) == [
        {"b", "c"}
    ]


def test_numbers_show_two_digits_of_the_width_of_their_interval():
    seeds = {"a": [0.9971, 0.9970, 0.9972], "b": [0.9973, 0.9974, 0.9975]}
    said = compare(seeds, design="seeds", metric="accuracy").sentence()
    assert "(difference 0.00030, 95% confidence interval 0.00007 to 0.00053" in said


def test_items_right_or_wrong_have_one_test_whether_more_or_less_is_better():
    right = {"a": np.r_[np.ones(30)], "b": np.r_[np.zeros(5), np.ones(25)]}
    wrong = {name: 1 - x for name, x in right.items()}
    of_right, of_wrong = (
        compare(x, design="items", metric=metric)
        for x, metric in ((right, "accuracy"), (wrong, Metric("error", better="lower")))
    )
    assert of_right.tests.name == of_wrong.tests.name == "McNemar's exact test"
    assert np.array_equal(
        of_right.pairs.iloc[:, 2:], of_wrong.pairs.iloc[:, 2:], equal_nan=True
    )


@pytest.mark.parametrize(
    ("design", "said"),
    [
        (RandomSplits(20, test=0.2, train=0.5), "20% test data"),
        (RandomSplits(20, test=20, train=50), "20 test instances"),
    ],
)
def test_a_design_says_what_was_declared(design, said):
    assert str(design) == f"20 random splits with {said}"
