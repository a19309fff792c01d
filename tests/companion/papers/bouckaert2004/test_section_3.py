"""Section 3: its errata by algebra, slopes and counts of pairs."""

from fractions import Fraction
from math import comb

import pytest
import sympy

from companion.papers.bouckaert2004 import section_3

QUARTER = Fraction(1, 4)


def test_e01_printed_bracket_is_wrong_and_regrouped_right_as_polynomials():
    n, p = sympy.symbols("n p")
    f = lambda x: p**x + (1 - p) ** x
    r, s = f(2), p * (1 - p)
    inner = 2 * (n - 2) * (n - 3) * f(4) + (4 - 2 * (n - 3)) * (n - 2) * f(3)
    # from the covariances of agreeing pairs, without either formula
    true = (4 * (n - 2) * s * (1 - 4 * s) + 2 * (r - r**2)) / (n * (n - 1))
    regrouped = (inner + ((n - 2) * (n - 3) + 2) * f(2)) / (n * (n - 1)) - r**2
    printed = (inner + (n - 2) * (n - 3) + 2) * f(2) / (n * (n - 1)) - r**2
    assert sympy.simplify(regrouped - true) == 0
    assert sympy.simplify(printed - true) != 0


def test_e02_variances_are_equal_for_two_repetitions_and_only_then():
    r = Fraction(5, 8)
    for n in (2, 4, 6):
        (_, r1), (_, r2) = (
            section_3.exact_moments(weights(n), n, QUARTER)
            for weights in (section_3.r1_weights, section_3.r2_weights)
        )
        assert r1 - r2 == 2 * (n - 2) * (1 - r) ** 2 / Fraction(n * (n - 1))
        row = section_3.figure_2((n,), (float(r),)).iloc[0]
        assert (row["r1"], row["r2"]) == pytest.approx((float(r1), float(r2)))


def test_e03_true_derivative_is_the_slope_of_the_variance():
    n, step = 5, Fraction(1, 1000)
    weights = section_3.random_weights(n, 1)
    pairs = [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]
    frame = section_3.derivatives_of_theorem_3_2(n, QUARTER, seed=1).set_index(
        ["a", "b"]
    )
    variance = lambda k: section_3.exact_moments(k, n, QUARTER)[1]
    for pair, row in frame.iterrows():
        moved = [[*weights], [*weights]]
        for k, sign in zip(moved, (1, -1)):
            k[pairs.index(pair)] += sign * step
            k[0] -= sign * step
        slope = (variance(moved[0]) - variance(moved[1])) / (
            2 * step
        )  # exact for a quadratic
        assert row["true"] == pytest.approx(float(slope), abs=1e-12)
        assert abs(row["printed"] - row["true"]) > 0.05


def test_e04_coefficient_is_the_variance_of_an_indicator():
    for row in section_3.coefficients_of_theorem_3_2().itertuples():
        r = row.p**2 + (1 - row.p) ** 2
        if row.case == "a > 2":
            assert row.enumerated == r - r**2 == 2 * row.printed
        else:
            assert row.enumerated == (1 - r) / 2 == row.printed


def test_e10_agreeing_and_differing_exhaust_the_outcomes():
    frame = section_3.events_of_lemma_3_1()
    assert (frame["right_sum"] == 1).all()
    assert (
        frame["printed_sum"] == [2 * (p**2 + (1 - p) ** 2) for p in frame["p"]]
    ).all()


def test_e11_smallest_estimate():
    frame = section_3.smallest_estimates((2, 4, 10, 100))
    assert frame["least_r2_raw"].tolist() == [
        Fraction(n // 2 - 1, n - 1) for n in frame["n"]
    ]


def test_e12_three_outcomes_are_replicated_less_often():
    pairs = lambda *groups: Fraction(sum(comb(g, 2) for g in groups), comb(10, 2))
    for a, b, none, two, three in section_3.three_outcomes().itertuples(index=False):
        assert two == pytest.approx(float(pairs(a + b, none)))
        assert three == pytest.approx(float(pairs(a, b, none)))
        assert (pairs(a, b, none) < pairs(a + b, none)) == (a > 0 and b > 0)
