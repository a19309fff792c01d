"""Limit laws of McNemar's test against quadrature, the exact values, SciPy and sympy."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special, stats

from companion.papers.bouckaert2005 import limits, mcnemar, models
from replib import replicability

Z = stats.norm.isf(0.025)


def exponent(x, y, rho):
    """Exponent of the bivariate normal density with standard margins."""
    return -(x**2 - 2 * rho * x * y + y**2) / (2 * (1 - rho**2))


def test_plackett_identity_on_which_the_limit_rests():
    x, y, rho = sympy.symbols("x y rho", real=True)
    scale = 2 * sympy.pi * sympy.sqrt(1 - rho**2)
    density = sympy.exp(exponent(x, y, rho)) / scale
    residual = sympy.diff(density, rho) - sympy.diff(density, x, y)
    assert sympy.simplify(residual / density) == 0


def test_integrand_of_the_limit_by_sympy():
    """The density on the three kinds of corner, times d rho / d theta."""
    a, b, theta = sympy.symbols("a b theta", real=True)
    rho = sympy.sin(theta)
    assert sympy.simplify(exponent(a, a, rho) + a**2 / (1 + rho)) == 0
    opposite = -(a**2 + b**2 + 2 * a * b * rho) / (2 * sympy.cos(theta) ** 2)
    assert sympy.simplify(exponent(a, b, -rho) - opposite) == 0


@pytest.mark.parametrize("t", [0.1, 1 / 3, 0.5, 0.9])
def test_arcsine_law_by_quadrature_over_data_sets(t):
    def integrand(u):
        p = special.ndtr(np.sqrt(t / (1 - t)) * u)
        return stats.norm.pdf(u) * replicability.agreement(p)

    value, _ = integrate.quad(integrand, -12, 12, epsabs=1e-13)
    assert limits.worst_case_replicability(t) == pytest.approx(value, abs=1e-11)


@pytest.mark.parametrize("t", [0.1, 1 / 3, 0.5])
def test_second_tail_changes_the_worst_case_by_less_than_stated(t):
    one_sided = limits.worst_case_replicability(t)
    assert 1e-6 < abs(limits.replicability(t, Z) - one_sided) < 1e-4
    shifts = np.linspace(1.5, 2.5, 1001)
    lowest = np.argmin(limits.replicability(t, shifts))
    assert abs(limits.power(shifts[lowest]) - 0.5) < 1e-3
    assert abs(limits.replicability(t, shifts[lowest]) - one_sided) < 1e-4


@pytest.mark.parametrize("t", [0.02, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("shift", [0.0, 1.0, 1.959963984540054, 3.0, -2.5])
def test_limit_by_scipys_bivariate_normal(t, shift):
    def corner(x, y, rho):
        return stats.multivariate_normal.cdf([x, y], cov=[[1, rho], [rho, 1]])

    up = shift - Z
    down = -shift - Z
    both = corner(up, up, t) + corner(down, down, t) + 2 * corner(up, down, -t)
    power = special.ndtr(up) + special.ndtr(down)
    assert limits.covariance(t, shift) == pytest.approx(both - power**2, abs=1e-12)


def test_type1_excess_is_positive_and_free_of_data_set_size():
    t = np.linspace(0.01, 1, 100)
    excess = limits.covariance(t, 0) / 0.05
    assert excess[0] > 0
    assert np.all(np.diff(excess) > 0)
    assert excess[-1] == pytest.approx(0.95)  # the same experiment again
    # exact, uncorrected test: the excess settles instead of falling towards 0
    for n in (2000, 20_000):
        d = mcnemar.rejection_distribution(n, n // 2, 0.25, 0.25, method="uncorrected")
        exact = d.weight @ d.probability**2 / d.power - d.power
        assert exact == pytest.approx(limits.covariance(0.5, 0) / 0.05, rel=0.01)


def test_continuity_correction_moves_the_threshold_by_one_over_the_root():
    """Also where less than one discordant instance is expected."""
    for discordant in (0.5, 1.0, 50.0):
        power = limits.power(0.3, discordant=discordant)
        threshold = Z + discordant**-0.5
        expected = stats.norm.sf(threshold - 0.3) + stats.norm.cdf(-threshold - 0.3)
        assert power == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("t", [0.1, 0.5])
@pytest.mark.parametrize("method", ["uncorrected", "corrected"])
@pytest.mark.parametrize("shift", [0.0, 1.96])
def test_exact_values_converge_to_the_limit(t, method, shift):
    errors = []
    for n in (1000, 8000, 64_000):
        m = round(n * t)
        q = 0.25 + shift / np.sqrt(8 * m)
        assert np.sqrt(m) * (2 * q - 0.5) / np.sqrt(0.5) == pytest.approx(shift)
        discordant = np.inf if method == "uncorrected" else m / 2
        limit = limits.replicability(t, shift, discordant=discordant)
        exact = mcnemar.replicability(n, m, q, 0.5 - q, method=method)
        errors.append(abs(exact - limit))
    assert errors[0] < 3e-3
    assert errors[2] < errors[0] / 4


@pytest.mark.slow
@pytest.mark.parametrize("t", [0.1, 0.5])
def test_draws_only_thin_the_sample(t):
    """With the same number of discordant instances the rate of draws does not matter.

    Compared is the covariance of two rejections, not r: r also shows that counts are
    whole numbers, which leaves the Type I error 1e-4 off alpha.
    """
    for n, discordance in ((16_000, 0.9), (28_800, 0.5), (144_000, 0.1)):
        d = mcnemar.rejection_distribution(
            n, round(n * t), discordance / 2, discordance / 2, method="uncorrected"
        )
        covariance = (d.replicability - replicability.agreement(d.power)) / 2
        assert covariance == pytest.approx(limits.covariance(t, 0), rel=0.01)


def test_appendix_agrees_with_the_arcsine_law_to_first_order_only():
    t = sympy.symbols("t")
    printed = sympy.erf(t / sympy.sqrt(sympy.pi)) / 2  # Phi(t sqrt(2/pi)) - 1/2
    exact = sympy.asin(t) / sympy.pi
    exact_series = sympy.series(exact, t, 0, 4).removeO()
    printed_series = sympy.series(printed, t, 0, 4).removeO()
    third = (sympy.Rational(1, 6) + 1 / (3 * sympy.pi)) / sympy.pi
    assert sympy.simplify(exact_series - printed_series - third * t**3) == 0


@pytest.mark.parametrize("t", [0.05, 0.1, 1 / 3, 0.5, 0.8, 0.995])
def test_mcnemar_is_the_closed_form(t):
    model = models.McNemar(t)
    shift = np.linspace(0, 12, 25)
    z = np.sqrt(t) * shift
    np.testing.assert_allclose(models.power(model, shift), limits.power(z), atol=1e-12)
    np.testing.assert_allclose(
        models.replicability(model, shift),
        limits.replicability(t, z),
        rtol=0,
        atol=1e-10,
    )


@given(alpha=st.floats(0.001, 0.4), shift=st.floats(0, 4), t=st.floats(0.01, 0.98))
def test_limit_grows_from_independence_to_certainty(alpha, shift, t):
    power = limits.power(shift, alpha=alpha)
    r = limits.replicability([0, t, t + 0.01, 1], shift, alpha=alpha)
    assert r[0] == pytest.approx(replicability.agreement(power), abs=1e-15)
    assert r[3] == pytest.approx(1, abs=1e-9)
    assert np.all(np.diff(r) >= -1e-12)


def test_covariance_where_a_threshold_is_met_exactly():
    """At a = 0 and t = 1: the same outcome twice, with variance power (1 - power)."""
    # as the library computes it, so that a is 0 and not 1e-17
    z = special.ndtri(1 - 0.05 / 2)
    for shift in (z, -z, 0.0, 0.7):
        power = limits.power(shift)
        variance = power * (1 - power)
        assert limits.covariance(1.0, shift) == pytest.approx(variance, abs=1e-15)
    assert limits.covariance(0.0, [0.0, 1.0, z]) == pytest.approx([0, 0, 0], abs=1e-16)
    half = limits.covariance(0.5, z)
    assert half == pytest.approx(np.arcsin(0.5) / (2 * np.pi), abs=1e-4)
