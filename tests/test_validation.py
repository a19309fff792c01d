"""What the library's checks allow, up to the very edge, and what they say about anything else."""

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replib import (
    _validation as validation,
)
from replib import (
    adaptive,
    replicability,
    replication_probability,
    rerun,
    significance,
)

ALLOWED = [
    (validation.whole_number("x", 0, at_least=0), 0),
    (validation.whole_number("x", 3.0, at_least=0, at_most=3), 3),
    (validation.whole_number("x", np.array(2), at_least=2), 2),
    (validation.whole_number("x", Fraction(4, 2), at_least=2), 2),
    (validation.whole_number("x", 2**53, at_least=0), 2**53),
    (validation.real_number("x", 0, 0, 1), 0.0),
    (validation.real_number("x", np.float32(1), 0, 1), 1.0),
    (validation.positive_number("x", 5e-324), 5e-324),
    (validation.check_level("x", 0.4, at_most=0.4), None),
    (validation.check_level("x", np.nextafter(1, 0)), None),
    (validation.check_level("x", 1e-15), None),
    (validation.scores_array("x", [0, 1.1e-75]), [0.0, 1.1e-75]),
    (validation.scores_array("x", [0, -0.9e75]), [0.0, -0.9e75]),
    (validation.listed(range(10)), "0, 1, 2, 3, 4, 5, 6, 7, 8 and 9"),
    (validation.listed(range(11)), "0, 1, 2, 3, 4, 5, 6, 7, 8 and 2 more"),
    (validation.check_flag("x", np.False_), None),
    (validation.axis_index(-2, 2), 0),
    (validation.axis_index(np.int64(1), 2), 1),
    (validation.file_path("x", "a.csv"), Path("a.csv")),
    (validation.as_number(np.array(2.5)), 2.5),
    (validation.array_within("x", [0, 1], 0, 1), [0.0, 1.0]),
    (
        validation.array_within("x", [-np.inf, np.inf], -np.inf, np.inf),
        [-np.inf, np.inf],
    ),
    (validation.whole_numbers("x", [2.0, 5], at_least=2, at_most=5), [2, 5]),
    (validation.finite_array("x", [True, Fraction(1, 2)]), [1.0, 0.5]),
    (validation.real_array("x", np.array([1, 2], dtype=object)), [1.0, 2.0]),
    (validation.successes_and_trials("x", [0, 1], 1)[1], [1, 1]),
    (validation.successes_and_trials("x", 0, 10**9)[1], 10**9),
]
WHOLE, REAL, LEVEL = (
    validation.whole_number,
    validation.real_number,
    validation.check_level,
)
AXIS = lambda x, axis: validation.axis_index(axis, 2)
RECTANGLE = "x must form a rectangular array of real numbers"
REFUSED = [  # what is called, with which arguments after the name, and what it says about x
    (WHOLE, (-1,), {"at_least": 0}, "x must be a whole number of at least 0, not -1"),
    (
        WHOLE,
        (4,),
        {"at_least": 0, "at_most": 3},
        "x must be a whole number from 0 to 3, not 4",
    ),
    (
        WHOLE,
        (True,),
        {"at_least": 0},
        "x must be a whole number of at least 0, not True",
    ),
    (
        WHOLE,
        (math.nan,),
        {"at_least": 0},
        "x must be a whole number of at least 0, not nan",
    ),
    (
        WHOLE,
        (5,),
        {"at_least": -math.inf, "at_most": 3},
        "x must be a whole number of at most 3",
    ),
    (WHOLE, ("3",), {"at_least": -math.inf}, "x must be a whole number, not '3'"),
    (
        WHOLE,
        (2**53 + 1,),
        {"at_least": 0},
        "x must be a whole number of at least 0, not 900719925",
    ),
    (REAL, (1.1, 0, 1), {}, "x must be one number from 0 to 1, not 1.1"),
    (
        REAL,
        (10**400, 0, math.inf),
        {},
        "x must be one number of at least 0, not 1000000000000",
    ),
    (validation.positive_number, (0,), {}, "x must be one positive number, not 0"),
    (AXIS, (True,), {}, "axis must be a whole number, not True"),
    (AXIS, (2,), {}, "axis must be from -2 to 1, not 2"),
    (AXIS, (-3,), {}, "axis must be from -2 to 1, not -3"),
    (LEVEL, (1,), {}, "x must lie between 1e-15 and 1, not at 1"),
    (LEVEL, (0.9e-15,), {}, "x must lie between 1e-15 and 1, not at 9e-16"),
    (
        validation.scores_array,
        ([0, 0.9e-75],),
        {},
        "x must be between 1e-75 and 1e75 in size, not 9e-76",
    ),
    (
        validation.scores_array,
        ([0, -1.1e75],),
        {},
        "x must be between 1e-75 and 1e75 in size, not 1.1e+75",
    ),
    (
        LEVEL,
        (Fraction(1, 20),),
        {},
        "x must be a float such as 0.05, not Fraction(1, 20)",
    ),
    (LEVEL, (0.5,), {"at_most": 0.4}, "x must lie above 0 and at most 0.4, not at 0.5"),
    (validation.check_flag, (1,), {}, "x must be True or False, not 1"),
    (
        validation.check_instance,
        (1, str, list),
        {},
        "x must be an object of str or list, not 1",
    ),
    (
        validation.check_choice,
        (["a"], "ab"),
        {},
        "x must be one of 'a', 'b', not ['a']",
    ),
    (validation.file_path, ("a\0",), {}, "x must be the name of a file, not 'a\\x00'"),
    (
        validation.array_within,
        ([0, math.nan], 0, 1),
        {},
        "x must be numbers from 0 to 1, not nan",
    ),
    (
        validation.whole_numbers,
        ([1, 2.5],),
        {"at_least": 0},
        "x must be whole numbers of",
    ),
    (validation.finite_array, ([1, math.inf],), {}, "x must be finite, not inf"),
    (validation.real_array, ([1, 1j],), {}, RECTANGLE),
    (validation.real_array, ([[1], [1, 2]],), {}, RECTANGLE),
    (
        validation.real_array,
        ([1],),
        {"axes": ["runs", "folds"]},
        "x must have shape (..., runs, ",
    ),
    (
        validation.successes_and_trials,
        ([0, 2], 1),
        {},
        "x must be whole numbers between 0 and n",
    ),
    (
        validation.successes_and_trials,
        (0, 0),
        {},
        "n must be whole numbers from 1 to 1e+09",
    ),
]


@pytest.mark.parametrize("found, expected", ALLOWED)
def test_what_is_allowed_comes_back_plain(found, expected):
    if isinstance(found, np.ndarray):
        expected = np.array(expected)
        assert found.dtype == expected.dtype and found.shape == expected.shape
    assert np.array_equal(found, expected) and type(found) is type(expected)


@pytest.mark.parametrize("check, arguments, options, sentence", REFUSED)
def test_what_is_refused_is_told_in_a_sentence(check, arguments, options, sentence):
    with pytest.raises(ValueError) as refusal:
        check("x", *arguments, **options)
    assert str(refusal.value).startswith(sentence) and "\n" not in str(refusal.value)


BLOCK = np.random.default_rng(0).normal(0.02, 0.03, (3, 4))


@pytest.mark.parametrize(
    "call, most",
    [
        (lambda n: replicability.r2_from_counts(1, n), 10**9),
        (lambda n: replicability.r2_variance(0.7, n), 10**9),
        (lambda n: replicability.replicability_interval(1, n), 10**9),
        (lambda n: replication_probability.binomial(n - 1, n), 10**9),
        (lambda n: replication_probability.smallest_significant(n), 10**9),
        (lambda n: significance.tango(2, 1, n, shift=0), 10**9),
        (lambda n: adaptive.confidence_of_forecast(0.1, 0.1, 3, n), 10**6),
        (lambda n: rerun.margins(BLOCK, test_train_ratio=0.1, runs=n), 10**6),
    ],
)
def test_numbers_are_allowed_up_to_a_limit(call, most):
    call(most)
    with pytest.raises(ValueError, match="whole number|whole numbers"):
        call(most + 1)


MASKED = np.ma.masked_array([0.1, 0.2, 0.3], [False, True, False])


@pytest.mark.parametrize(
    "call",
    [
        lambda x: validation.real_array("x", x),
        lambda x: validation.whole_numbers("x", x, at_least=0),
        significance.paired_t,
        replicability.r2,
        replicability.normalized,
    ],
)
def test_masked_values_are_refused_and_an_empty_mask_is_not(call):
    with pytest.raises(ValueError, match="no masked values"):
        call(MASKED)
    call(np.ma.masked_array([0, 1, 1], [False] * 3))


def test_true_and_false_are_neither_counts_nor_differences():
    for call in (
        significance.paired_t,
        significance.sign_test,
        significance.signed_rank,
    ):
        with pytest.raises(ValueError, match="not True and False"):
            call(np.array([True, False, True]))
    with pytest.raises(ValueError, match="not True and False"):
        significance.mcnemar(np.array([True, False]), np.array([False, False]))
    assert replicability.r2([True, False, True]) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("outcomes", "r"),
    [
        (pd.Series(["accept", "reject", "accept"]), 1 / 3),
        (pd.Categorical(["a", "b", "a"]), 1 / 3),
        ([0.5, 0.25, 0.75, 0.5], 1 / 6),
        ([0.03, 0.2, 0.04, 0.6], None),
        (["yes", "Yes"], None),
        (["yes", "yes "], None),
        ([2.0, 3.0, 4.0, 5.0, 6.0], 0),
    ],
)
def test_outcomes_are_decisions(outcomes, r):
    if r is None:
        with pytest.raises(ValueError, match="outcomes must"):
            replicability.r2(outcomes)
    else:
        assert replicability.r2(outcomes) == pytest.approx(r)
