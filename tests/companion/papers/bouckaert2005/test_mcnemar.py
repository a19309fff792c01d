"""Exact theory of McNemar's test against enumeration, pairs of outcomes and SciPy."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from companion.papers.bouckaert2005 import mcnemar
from replib import replicability, significance

METHODS = ("corrected", "uncorrected", "exact")
RATES = [
    (Fraction(1, 4), Fraction(1, 4)),
    (Fraction(1, 2), Fraction(1, 5)),
    (Fraction(5, 8), Fraction(3, 8)),  # no draws
]


# ------------------------------------------------------------------ enumeration


def rejects(plus: int, minus: int, alpha: float, method: str) -> bool:
    return significance.mcnemar(plus, minus, method=method).pvalue < alpha


def enumerated(n, m, p_plus, p_minus, alpha, method):
    """Power and replicability as fractions, over all counts of data sets and test sets."""
    power = both = Fraction(0)
    for plus in range(n + 1):
        for minus in range(n - plus + 1):
            draws = n - plus - minus
            weight = (
                comb(n, plus)
                * comb(n - plus, minus)
                * p_plus**plus
                * p_minus**minus
                * (1 - p_plus - p_minus) ** draws
            )
            ways = sum(
                comb(plus, a) * comb(minus, b) * comb(draws, m - a - b)
                for a in range(m + 1)
                for b in range(m - a + 1)
                if rejects(a, b, alpha, method)
            )
            p = Fraction(ways, comb(n, m))
            power += weight * p
            both += weight * p**2
    return power, 1 - 2 * power + 2 * both


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("p_plus, p_minus", RATES)
@pytest.mark.parametrize(
    "n, m, alpha", [(2, 1, 0.35), (5, 3, 0.4), (8, 6, 0.1), (8, 7, 0.05), (8, 8, 0.2)]
)
def test_power_and_replicability_by_enumeration(n, m, alpha, p_plus, p_minus, method):
    power, replicability = enumerated(n, m, p_plus, p_minus, alpha, method)
    rates = float(p_plus), float(p_minus)
    options = {"alpha": alpha, "method": method}
    assert significance.mcnemar_power(m, *rates, **options) == pytest.approx(
        float(power), abs=1e-12
    )
    computed = mcnemar.replicability(n, m, *rates, **options)
    assert computed == pytest.approx(float(replicability), abs=1e-12)


def replicability_by_overlap(n, m, p_plus, p_minus, alpha, method):
    """Two test sets share H instances, hypergeometric; given these they are independent."""
    region = np.array(
        [
            [a + b <= m and rejects(a, b, alpha, method) for b in range(m + 1)]
            for a in range(m + 1)
        ]
    )

    def counts(size):
        """Probability of (plus, minus) among `size` instances."""
        a, b = np.indices((size + 1, size + 1))
        return stats.multinomial.pmf(
            np.stack([a, b, size - a - b], axis=-1),
            size,
            [p_plus, p_minus, 1 - p_plus - p_minus],
        )

    power, both = (counts(m) * region).sum(), 0.0
    for h in range(max(0, 2 * m - n), m + 1):
        own, shared = counts(m - h), counts(h)
        second_rejects = np.array(
            [
                [
                    (own * region[a : a + m - h + 1, b : b + m - h + 1]).sum()
                    for b in range(h + 1)
                ]
                for a in range(h + 1)
            ]
        )
        both += stats.hypergeom.pmf(h, n, m, m) * (shared * second_rejects**2).sum()
    return 1 - 2 * power + 2 * both


@pytest.mark.parametrize(
    "n, m, p_plus, p_minus, alpha, method",
    [
        (40, 20, 0.25, 0.25, 0.05, "corrected"),
        (40, 20, 0.4, 0.1, 0.05, "exact"),
        (100, 25, 0.35, 0.15, 0.05, "uncorrected"),
        (30, 20, 0.6, 0.3, 0.1, "corrected"),
    ],
)
def test_replicability_by_the_overlap_of_two_test_sets(
    n, m, p_plus, p_minus, alpha, method
):
    computed = mcnemar.replicability(n, m, p_plus, p_minus, alpha=alpha, method=method)
    expected = replicability_by_overlap(n, m, p_plus, p_minus, alpha, method)
    assert computed == pytest.approx(expected, abs=1e-11)


def test_a_data_set_of_one_instance():
    options = {"alpha": 0.4, "method": "uncorrected"}  # which is sure of a single win
    assert [
        mcnemar.rejection_probability(*counts, n=1, test_size=1, **options)
        for counts in ((1, 0), (0, 1), (0, 0))
    ] == [1, 1, 0]
    assert mcnemar.rejection_distribution(
        1, 1, 0.5, 0.25, **options
    ).power == pytest.approx(0.75)


@pytest.mark.parametrize("n", [300, 150])  # of which all are discordant at 150
def test_rejection_probability_by_scipys_hypergeometric(n):
    m = 90
    for a, b in product((60, 75, 90, 2, min(150, n - 60)), (60, 40, 0)):
        computed = mcnemar.rejection_probability(a, b, n=n, test_size=m)
        j = np.arange(min(m, a + b) + 1)
        critical = significance.mcnemar_critical_count(j)
        few_plus, few_minus = (
            stats.hypergeom.cdf(critical, a + b, good, j) for good in (a, b)
        )
        of_j = stats.hypergeom.pmf(j, n, a + b, m)
        expected = (of_j * (few_plus + few_minus)).sum()
        assert computed == pytest.approx(expected, abs=1e-10)


# ------------------------------------------------------------------ numerical error


@pytest.mark.slow
@pytest.mark.parametrize(
    "n, m, p_plus, p_minus",
    [
        (1000, 100, 0.25, 0.25),
        (1000, 500, 0.28, 0.22),
        (1000, 700, 0.26, 0.24),
        (600, 300, 0.06, 0.03),
        (800, 400, 0.5, 0.45),
        (1600, 1300, 0.26, 0.24),
    ],
)
def test_every_sth_count_is_as_good_as_every_count(n, m, p_plus, p_minus, monkeypatch):
    quick = mcnemar.rejection_distribution(n, m, p_plus, p_minus)
    names = mcnemar.rejection_distribution.__globals__
    monkeypatch.setitem(names, "_stride", lambda variance, narrowing: 1)
    full = mcnemar.rejection_distribution(n, m, p_plus, p_minus)
    assert quick.probability.size < full.probability.size / 2
    assert quick.power == pytest.approx(full.power, abs=1e-10)
    assert quick.replicability == pytest.approx(full.replicability, abs=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("n, m", [(2000, 200), (20_000, 10_000), (200_000, 20_000)])
def test_power_over_data_sets_is_power_over_test_sets(n, m):
    q = 0.25 + np.array([0.0, 0.9, 2.0]) / np.sqrt(8 * m)
    distribution = mcnemar.rejection_distribution(n, m, q, 0.5 - q)
    np.testing.assert_allclose(distribution.weight.sum(axis=-1), 1, atol=1e-9)
    np.testing.assert_allclose(
        distribution.power, significance.mcnemar_power(m, q, 0.5 - q), atol=1e-10
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "p_plus, p_minus",
    [
        (np.linspace(0.25, 0.5, 6), 0.5 - np.linspace(0.25, 0.5, 6)),
        ([0.25, 0.01], [0.25, 0.002]),  # many discordant instances and few
        ([0.04, 0.08], [0.04, 0.0]),  # a share of one half, and all
    ],
)
def test_many_settings_at_once_are_as_each_alone(p_plus, p_minus):
    n, m = 2000, 100
    together = mcnemar.replicability(n, m, p_plus, p_minus)
    alone = [mcnemar.replicability(n, m, *rates) for rates in zip(p_plus, p_minus)]
    np.testing.assert_allclose(together, alone, atol=1e-10, rtol=0)


# ------------------------------------------------------------------ properties

rates = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(
    lambda x: (x[0] * x[1], x[0] * (1 - x[1]))  # discordance, share
)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    n=st.integers(1, 60),
    fraction=st.floats(0, 1),
    rates=rates,
    method=st.sampled_from(METHODS),
)
def test_replicability_lies_between_jensens_bound_and_one(n, fraction, rates, method):
    m = max(1, round(fraction * n))
    power = significance.mcnemar_power(m, *rates, method=method)
    r = mcnemar.replicability(n, m, *rates, method=method)
    assert replicability.agreement(power) - 1e-10 <= r <= 1 + 1e-10
    mirrored = mcnemar.replicability(n, m, *rates[::-1], method=method)
    assert r == pytest.approx(mirrored, abs=1e-10)


def test_without_discordant_instances_every_experiment_agrees():
    assert mcnemar.replicability(40, 20, 0, 0) == 1


def test_a_test_set_of_all_instances_replicates_always():
    assert mcnemar.replicability(50, 50, 0.3, 0.2) == pytest.approx(1, abs=1e-12)


def test_rounding_leaves_no_probability_outside_its_range():
    p = mcnemar.rejection_distribution(50, 25, [0.25, 0.5], [0.25, 0.0]).probability
    assert p.min() == 0 and p.max() == 1


def test_what_is_certain_replicates_exactly():
    p_plus, p_minus = np.array([0.5, 1e-9]), np.array([0.0, 0.0])
    power = significance.mcnemar_power(100, p_plus, p_minus)
    assert 1 - 1e-12 < power[0] <= 1 and 0 < power[1] < 1e-12
    assert mcnemar.replicability(1000, 100, p_plus, p_minus).tolist() == [1, 1]


# ------------------------------------------------------------------ pairs of outcomes


@st.composite
def distributions(draw):
    """Two settings, of three to six nodes."""
    nodes = draw(st.integers(3, 6))
    probability = draw(arrays(float, nodes, elements=st.floats(0, 1)))
    shares = draw(arrays(np.int64, (2, nodes), elements=st.integers(1, 9)))
    return mcnemar.RejectionDistribution(
        probability, shares / shares.sum(axis=1, keepdims=True)
    )


@given(distributions())
def test_power_and_replicability_are_those_of_two_experiments_on_one_data_set(
    distribution,
):
    """Summed over the data sets and the four pairs of outcomes."""
    for setting, weight in enumerate(distribution.weight):
        rejected = agreed = 0.0
        for p, w in zip(distribution.probability.tolist(), weight.tolist()):
            for first, second in ((1, 1), (1, 0), (0, 1), (0, 0)):
                pair = w * (p if first else 1 - p) * (p if second else 1 - p)
                rejected += pair * first
                agreed += pair * (first == second)
        assert distribution.power[setting] == pytest.approx(rejected, abs=1e-14)
        assert distribution.replicability[setting] == pytest.approx(agreed, abs=1e-14)


@given(distributions())
def test_no_distribution_of_a_power_replicates_less_than_its_mean(distribution):
    """Jensen; what lies above the bound is twice the variance over data sets."""
    mean, square = distribution.power, distribution.weight @ distribution.probability**2
    above = distribution.replicability - replicability.agreement(mean.clip(0, 1))
    np.testing.assert_allclose(above, 2 * (square - mean**2), atol=1e-14)
    assert (above >= -1e-15).all()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: mcnemar.replicability(10, 11, 0.2, 0.2), "from 1 to 10"),
        (
            lambda: mcnemar.rejection_probability(6, 5, n=10, test_size=5),
            "minus must .* to 4, not 5",
        ),
    ],
)
def test_sizes_that_do_not_go_together_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
