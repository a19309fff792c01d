"""Section 3: the argument from Z to a second rejection."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from scipy import integrate

from companion.papers.bouckaert2005 import section_3


def test_algebra_of_section_3():
    a, e, plus, minus = sympy.symbols("a epsilon plus minus", positive=True)
    n = plus + minus
    bound = 1 - 2 * a + 2 * a**2
    assert sympy.expand(a * a + (1 - a) * (1 - a) - bound) == 0  # e14
    assert sympy.expand(a * a + (1 - a) * (a - 1) - bound) != 0
    z = (plus / n - sympy.Rational(1, 2)) / sympy.sqrt(sympy.Rational(1, 4) / n)  # e18
    assert sympy.simplify(z - (plus - minus) / sympy.sqrt(n)) == 0
    assert sympy.simplify(2 * (plus / n - 1) / sympy.sqrt(1 / n) - z) != 0
    own_terms = (1 - a) * (1 - a) + a * (a + e)  # e23
    assert sympy.expand(own_terms - (1 - (2 - e) * a + 2 * a**2)) == 0
    # of two experiments with Type I error a, P(both accept) = 1 - 2a + P(both reject)
    both_reject = a * (a + e)
    assert sympy.expand(1 - 2 * a + 2 * both_reject - (bound + 2 * a * e)) == 0
    for row in section_3.errata_of_algebra().itertuples():
        assert abs(row.printed_value - row.correct_value) > 1e-4


def test_e19_overlap_is_the_share_of_test_data():
    for row in section_3.overlap_of_two_test_sets(30).itertuples(index=False):
        assert row[1] == row[0] and row[2] == 1 - row[0]


@pytest.mark.parametrize("z", [0.0, 1.0, 1.959963984540054, 8.0, 40.0])
def test_truncated_mean_by_quadrature(z):
    # with x = z + u the common factor exp(-z^2/2) cancels
    density = lambda u: np.exp(-z * u - u * u / 2)
    tail = lambda k: integrate.quad(lambda u: u**k * density(u), 0, np.inf, epsabs=0)[0]
    assert section_3.truncated_mean(z) == pytest.approx(z + tail(1) / tail(0), rel=1e-9)


def test_line_of_footnote_1():
    x = np.linspace(0, 8, 801)
    printed = 0.97 * x + 0.33
    assert (
        printed < section_3.truncated_mean(x)
    ).all()  # no fit of any kind to the whole range
    # nearly the least-squares line of the part from 3 on
    fit = section_3.truncated_mean_line(3)
    assert (round(fit["slope"], 2), round(fit["intercept"], 2)) == (0.97, 0.35)
    at_z = section_3.errata_of_truncated_mean().set_index("z").loc[1.959964]
    assert (round(at_z["exact"], 3), round(at_z["line"], 3)) == (2.338, 2.231)
    assert at_z["excess_percent"] == pytest.approx(19.3, abs=0.05)


def test_type1_derivation():
    frame = section_3.type1_derivation()
    by_fraction = frame.groupby("test_fraction")
    # as printed: neither alpha nor alpha + epsilon, but towards certainty
    assert (by_fraction["literal"].diff().dropna() > 0).all() and frame[
        "literal"
    ].min() > 0.5
    # the surplus as printed makes the excess vanish, in truth it stays
    assert (by_fraction["surplus_only"].diff().dropna() < 0).all()
    last = by_fraction.last()
    assert (last["surplus_only"] - 0.05 < 2e-4).all()
    np.testing.assert_allclose(
        last["exact"] - last["type1_error"], last["limit"] - 0.05, rtol=0.02
    )
    # first results at their mean overstate the excess
    second = section_3.second_rejection(frame["test_fraction"])
    assert (second["mean_only"] > frame["limit"]).all()
    # P(accept) = P(accept, accept) + P(accept, reject), so the two conditional excesses
    # are tied
    np.testing.assert_allclose(
        0.95 * (1 - frame["accept_given_accept"]),
        0.05 * (1 - frame["limit"]),
        atol=1e-12,
    )


def test_e22_deviation_of_a_sum_of_signs():
    frame = section_3.deviation_of_the_surplus((4, 9))
    for n, enumerated in zip(frame["n"], frame["enumerated"]):
        sums = [sum(signs) for signs in product((-1, 1), repeat=n)]
        assert enumerated == pytest.approx(np.std(sums))
    assert np.allclose(frame["enumerated"], 2 * frame["printed"])


def test_e28_correlation_is_the_share_of_test_data():
    for n, m in ((3, 1), (4, 2), (4, 3)):
        assert (
            section_3.correlation_with_draws(n, m)["correlation"] == Fraction(m, n)
        ).all()


def test_e50_half_of_the_rejections():
    row = section_3.errata_of_algebra().set_index("erratum").loc["bouckaert2005.e50"]
    assert row["correct_value"] == pytest.approx(0.05) == 2 * row["printed_value"]


def test_the_mean_beyond_a_far_threshold_is_nearly_the_threshold():
    holds = {
        alpha: section_3.ledger_rows(alpha=alpha)
        .set_index("id")
        .loc["bouckaert2005.cl.20"]
        for alpha in (0.05, 1e-5)
    }
    assert not holds[0.05]["rebuilt"] and holds[1e-5]["rebuilt"]
    assert all(row["corrected"] for row in holds.values())
