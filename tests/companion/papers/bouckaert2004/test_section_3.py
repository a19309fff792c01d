"""Section 3: its errata by algebra, slopes and counts of pairs."""

from fractions import Fraction
from math import comb

import pytest
import sympy

from companion.papers.bouckaert2004 import section_3

QUARTER = Fraction(1, 4)


def agreeing_share(*groups):
    """Share of pairs of ten repetitions that are in the same group."""
    return Fraction(sum(comb(group, 2) for group in groups), comb(10, 2))


def test_e01_printed_bracket_is_wrong_and_regrouped_right_as_polynomials():
    n, p = sympy.symbols("n p")
    r, cubes, fourths = (p**x + (1 - p) ** x for x in (2, 3, 4))
    first = 2 * (n - 2) * (n - 3) * fourths + (4 - 2 * (n - 3)) * (n - 2) * cubes
    last = (n - 2) * (n - 3) + 2
    pairs = n * (n - 1)
    regrouped = (first + last * r) / pairs - r**2
    printed = (first + last) * r / pairs - r**2
    # from the covariances of agreeing pairs, without either formula
    s = p * (1 - p)
    true = (4 * (n - 2) * s * (1 - 4 * s) + 2 * (r - r**2)) / pairs
    assert sympy.simplify(regrouped - true) == 0
    assert sympy.simplify(printed - true) != 0


def test_e02_variances_are_equal_for_two_repetitions_and_only_then():
    r = Fraction(5, 8)
    for n in (2, 4, 6):
        _, r1 = section_3.exact_moments(section_3.r1_weights(n), n, QUARTER)
        _, r2 = section_3.exact_moments(section_3.r2_weights(n), n, QUARTER)
        assert r1 - r2 == 2 * (n - 2) * (1 - r) ** 2 / Fraction(n * (n - 1))
        row = section_3.figure_2((n,), (float(r),)).iloc[0]
        assert row["r1"] == pytest.approx(float(r1))
        assert row["r2"] == pytest.approx(float(r2))


def test_e03_true_derivative_is_the_slope_of_the_variance():
    n = 5
    step = Fraction(1, 1000)
    pairs = [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]

    def variance(pair, moved):
        weights = section_3.random_weights(n, 1)
        weights[pairs.index(pair)] += moved
        weights[0] -= moved
        return section_3.exact_moments(weights, n, QUARTER)[1]

    frame = section_3.derivatives_of_theorem_3_2(n, QUARTER, seed=1)
    for pair, row in frame.set_index(["a", "b"]).iterrows():
        # exact for a quadratic
        slope = (variance(pair, step) - variance(pair, -step)) / (2 * step)
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
    twice = [2 * (p**2 + (1 - p) ** 2) for p in frame["p"]]
    assert (frame["right_sum"] == 1).all()
    assert (frame["printed_sum"] == twice).all()


def test_e11_smallest_estimate():
    frame = section_3.smallest_estimates((2, 4, 10, 100))
    least = [Fraction(n // 2 - 1, n - 1) for n in frame["n"]]
    assert frame["least_r2_raw"].tolist() == least


def test_e12_three_outcomes_are_replicated_less_often():
    for a, b, neither, r2_of_two, r2_of_three in section_3.three_outcomes().itertuples(
        index=False
    ):
        two = agreeing_share(a + b, neither)
        three = agreeing_share(a, b, neither)
        assert r2_of_two == pytest.approx(float(two))
        assert r2_of_three == pytest.approx(float(three))
        assert (three < two) == (a > 0 and b > 0)
