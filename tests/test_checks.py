"""What the library's checks allow, up to the very edge, and what they say about anything else."""

import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replib import checks, margins, replicability, replication_probability, significance
from replib.comparison import agreement

ALLOWED = [
    (checks.whole_number("x", 0, at_least=0), 0),
    (checks.whole_number("x", 3.0, at_least=0, at_most=3), 3),
    (checks.whole_number("x", np.array(2), at_least=2), 2),
    (checks.whole_number("x", Fraction(4, 2), at_least=2), 2),
    (checks.whole_number("x", 2**53, at_least=0), 2**53),
    (checks.real_number("x", 0, 0, 1), 0.0),
    (checks.real_number("x", np.float32(1), 0, 1), 1.0),
    (checks.positive_number("x", 5e-324), 5e-324),
    (checks.check_level("x", 0.4, at_most=0.4), None),
    (checks.check_level("x", np.nextafter(1, 0)), None),
    (checks.check_flag("x", np.False_), None),
    (checks.as_list("x", (1, 2), at_least=2), [1, 2]),
    (checks.as_list("x", ()), []),
    (checks.axis_index(-2, 2), 0),
    (checks.axis_index(np.int64(1), 2), 1),
    (checks.file_path("x", "a.csv"), Path("a.csv")),
    (checks.as_number(np.array(2.5)), 2.5),
]
ARRAYS = [
    (checks.array_within("x", [0, 1], 0, 1), [0.0, 1.0]),
    (checks.array_within("x", [-np.inf, np.inf], -np.inf, np.inf), [-np.inf, np.inf]),
    (checks.whole_numbers("x", [2.0, 5], at_least=2, at_most=5), [2, 5]),
    (checks.finite_array("x", [True, Fraction(1, 2)]), [1.0, 0.5]),
    (checks.real_array("x", np.array([1, 2], dtype=object)), [1.0, 2.0]),
    (checks.successes_and_trials("x", [0, 1], 1)[1], [1, 1]),
    (checks.successes_and_trials("x", 0, 10**9)[1], 10**9),
]
REFUSED = [
    (
        lambda: checks.whole_number("x", -1, at_least=0),
        "x must be a whole number of at least 0, not -1",
    ),
    (
        lambda: checks.whole_number("x", 4, at_least=0, at_most=3),
        "x must be a whole number from 0 to 3, not 4",
    ),
    (
        lambda: checks.whole_number("x", 1.5, at_least=0, at_most=3),
        "x must be a whole number from 0 to 3, not 1.5",
    ),
    (
        lambda: checks.whole_number("x", True, at_least=0),
        "x must be a whole number of at least 0, not True",
    ),
    (
        lambda: checks.whole_number("x", np.array([2]), at_least=0),
        "x must be a whole number of at least 0, not array([2])",
    ),
    (
        lambda: checks.whole_number("x", math.nan, at_least=0),
        "x must be a whole number of at least 0, not nan",
    ),
    (
        lambda: checks.whole_number("x", 5, at_least=-math.inf, at_most=3),
        "x must be a whole number of at most 3, not 5",
    ),
    (
        lambda: checks.whole_number("x", "3", at_least=-math.inf),
        "x must be a whole number, not '3'",
    ),
    (lambda: checks.real_number("x", 1.1, 0, 1), "x must be one number from 0 to 1, not 1.1"),
    (lambda: checks.real_number("x", -0.1, 0, 1), "x must be one number from 0 to 1, not -0.1"),
    (
        lambda: checks.real_number("x", 10**400, 0, math.inf),
        "x must be one number of at least 0, not 1000000000000",
    ),
    (lambda: checks.positive_number("x", 0), "x must be one positive number, not 0"),
    (lambda: checks.check_level("x", 0), "x must lie between 0 and 1, not at 0"),
    (lambda: checks.check_level("x", 1), "x must lie between 0 and 1, not at 1"),
    (
        lambda: checks.check_level("x", Fraction(1, 20)),
        "x must be a float such as 0.05, not Fraction(1, 20)",
    ),
    (
        lambda: checks.check_level("x", Decimal("0.05")),
        "x must be a float such as 0.05, not Decimal('0.05')",
    ),
    (
        lambda: checks.check_level("x", 0.5, at_most=0.4),
        "x must lie above 0 and at most 0.4, not at 0.5",
    ),
    (lambda: checks.check_generator("x", 7), "x must be a numpy.random.Generator, not 7"),
    (lambda: checks.check_flag("x", 1), "x must be True or False, not 1"),
    (
        lambda: checks.check_instance("x", 1, str, list),
        "x must be an object of str or list, not 1",
    ),
    (lambda: checks.check_choice("x", "c", "ab"), "x must be one of 'a', 'b', not 'c'"),
    (lambda: checks.check_choice("x", ["a"], "ab"), "x must be one of 'a', 'b', not ['a']"),
    (lambda: checks.as_list("x", "ab"), "x must be a list, not 'ab'"),
    (lambda: checks.as_list("x", {"a": 1}), "x must be a list, not {'a': 1}"),
    (lambda: checks.as_list("x", [1], at_least=2), "x must have at least 2 elements, not 1"),
    (lambda: checks.file_path("x", ""), "x must be the name of a file, not ''"),
    (lambda: checks.file_path("x", "a\0"), "x must be the name of a file, not 'a\\x00'"),
    (lambda: checks.axis_index(True, 2), "axis must be a whole number, not True"),
    (lambda: checks.axis_index(2, 2), "axis must be from -2 to 1, not 2"),
    (lambda: checks.axis_index(-3, 2), "axis must be from -2 to 1, not -3"),
    (lambda: checks.array_within("x", [0, 1.5], 0, 1), "x must be numbers from 0 to 1, not 1.5"),
    (
        lambda: checks.array_within("x", [0, math.nan], 0, 1),
        "x must be numbers from 0 to 1, not nan",
    ),
    (
        lambda: checks.whole_numbers("x", [1, 2.5], at_least=0),
        "x must be whole numbers of at least 0, not 2.5",
    ),
    (
        lambda: checks.whole_numbers("x", [1, 3], at_least=2),
        "x must be whole numbers of at least 2, not 1",
    ),
    (lambda: checks.finite_array("x", [1, math.inf]), "x must be finite, not inf"),
    (lambda: checks.real_array("x", [1, 1j]), "x must form a rectangular array of real numbers"),
    (
        lambda: checks.real_array("x", [[1], [1, 2]]),
        "x must form a rectangular array of real numbers",
    ),
    (
        lambda: checks.real_array("x", [1], axes=["runs", "folds"]),
        "x must have shape (..., runs, folds), not (1,)",
    ),
    (lambda: checks.rectangular_array("x", [[1], [1, 2]]), "x must form a rectangular array"),
    (
        lambda: checks.whole_number("x", 2**53 + 1, at_least=0),
        "x must be a whole number of at least 0, not 9007199254740993",
    ),
    (
        lambda: checks.successes_and_trials("x", [0, 2], 1),
        "x must be whole numbers between 0 and n",
    ),
    (lambda: checks.successes_and_trials("x", 2, 1), "x must be whole numbers between 0 and n"),
    (lambda: checks.successes_and_trials("x", 0, 0), "n must be whole numbers from 1 to 1e+09"),
    (
        lambda: checks.broadcast(("a", "b"), np.ones(2), np.ones(3)),
        "these shapes do not broadcast: a (2,), b (3,)",
    ),
]


@pytest.mark.parametrize("found, expected", ALLOWED)
def test_what_is_allowed_comes_back_plain(found, expected):
    assert found == expected and type(found) is type(expected)


@pytest.mark.parametrize("found, expected", ARRAYS)
def test_arrays_that_are_allowed(found, expected):
    expected = np.array(expected)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == expected.dtype and found.shape == expected.shape


@pytest.mark.parametrize("call, sentence", REFUSED)
def test_what_is_refused_is_told_in_a_sentence(call, sentence):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).startswith(sentence) and "\n" not in str(refusal.value)


BLOCK = np.random.default_rng(0).normal(0.02, 0.03, (3, 4))


@pytest.mark.parametrize("call, most", [
    (lambda n: replicability.r2_from_counts(1, n), 10**9),
    (lambda n: replicability.r2_variance(0.7, n), 10**9),
    (lambda n: replicability.replicability_interval(1, n), 10**9),
    (lambda n: replication_probability.binomial(n - 1, n), 10**9),
    (lambda n: margins.margins(BLOCK, test_train_ratio=0.1, runs=n), 10**6),
    (lambda n: agreement.noncentrality_limit(1.0, n, 0.5), 10**6),
])
def test_numbers_are_allowed_up_to_a_limit(call, most):
    call(most)
    with pytest.raises(ValueError, match="whole number|whole numbers"):
        call(most + 1)


MASKED = np.ma.masked_array([0.1, 0.2, 0.3], [False, True, False])


@pytest.mark.parametrize("call", [
    lambda x: checks.real_array("x", x), lambda x: checks.whole_numbers("x", x, at_least=0),
    significance.paired_t, replicability.r2, replicability.normalized,
])
def test_masked_values_are_refused_and_an_empty_mask_is_not(call):
    with pytest.raises(ValueError, match="no masked values"):
        call(MASKED)
    call(np.ma.masked_array([0, 1, 1], [False] * 3))


def test_true_and_false_are_neither_counts_nor_differences():
    for call in (significance.paired_t, significance.sign_test, significance.signed_rank):
        with pytest.raises(ValueError, match="not True and False"):
            call(np.array([True, False, True]))
    with pytest.raises(ValueError, match="not True and False"):
        significance.mcnemar(np.array([True, False]), np.array([False, False]))
    assert replicability.r2([True, False, True]) == pytest.approx(1 / 3)


@pytest.mark.parametrize(("outcomes", "r"), [
    (pd.Series(["accept", "reject", "accept"]), 1 / 3), (pd.Categorical(["a", "b", "a"]), 1 / 3),
    ([0.5, 0.25, 0.75, 0.5], 1 / 6), ([0.03, 0.2, 0.04, 0.6], None), (["yes", "Yes"], None),
    (["yes", "yes "], None), ([2.0, 3.0, 4.0, 5.0, 6.0], 0),
])
def test_outcomes_are_decisions(outcomes, r):
    if r is None:
        with pytest.raises(ValueError, match="outcomes must"):
            replicability.r2(outcomes)
    else:
        assert replicability.r2(outcomes) == pytest.approx(r)


@pytest.mark.parametrize("r", [85, -0.2, [0.5, 1.2]])
def test_replicability_is_a_fraction(r):
    with pytest.raises(ValueError, match="r must be numbers from 0 to 1"):
        replicability.normalized(r)
    assert np.isnan(replicability.normalized([np.nan, 0.5])).tolist() == [True, False]
