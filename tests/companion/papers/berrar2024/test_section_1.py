"""Section 1 and the definitions of Berrar (2024), in exact fractions."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.papers.berrar2024 import section_1
from replib import replication_probability


@given(st.integers(0, 12), st.integers(6, 14))
def test_replication_given_the_effect_is_power(k, n):
    theta = Fraction(1 + k, 14)
    first, again = section_1.two_experiments({theta: Fraction(1)}, n)
    s = replication_probability.smallest_significant(n)
    power = sum(comb(n, i) * theta**i * (1 - theta) ** (n - i) for i in range(s, n + 1))
    assert first == again == power


@given(st.lists(st.integers(1, 13), min_size=2, max_size=4, unique=True))
def test_with_an_uncertain_effect_the_first_result_tells_something(numerators):
    share = Fraction(1, len(numerators))
    first, again = section_1.two_experiments(
        {Fraction(k, 14): share for k in numerators}, 10
    )
    assert again > first


@pytest.mark.parametrize("experiments", [2, 5, 9])
@pytest.mark.parametrize("power", [Fraction(1, 40), Fraction(1, 2), Fraction(9, 10)])
def test_empirical_probability_without_the_first_is_unbiased(experiments, power):
    assert section_1.mean_empirical_probability(power, experiments) == power
    with_first = section_1.mean_empirical_probability(
        power, experiments, leave_out_first=False
    )
    assert with_first == power + (1 - power) / experiments
    pool = {"experiments": experiments, "power": power, "selected": False}
    assert section_1.mean_empirical_probability(**pool, leave_out_first=False) == power
    less_one = section_1.mean_empirical_probability(**pool)
    assert less_one == power - (1 - power) / (experiments - 1)


def test_what_a_first_result_says_about_the_next_by_enumerating_both():
    """All pairs of results of two experiments with one effect, drawn from three."""
    effects = {
        Fraction(k, 10): Fraction(share, 6) for k, share in ((5, 3), (7, 2), (9, 1))
    }
    n, s = 7, replication_probability.smallest_significant(7)
    binomial = lambda i, p: comb(n, i) * p**i * (1 - p) ** (n - i)
    for wins, (_, found) in enumerate(section_1.by_first_wins(effects, n)):
        pairs = [
            (share * binomial(wins, p), sum(binomial(i, p) for i in range(s, n + 1)))
            for p, share in effects.items()
        ]
        assert found == sum(a * b for a, b in pairs) / sum(a for a, _ in pairs)


@pytest.mark.parametrize("share, recounted", [(60, True), (61, True), (62, False)])
def test_a_share_of_seventy_people_is_of_whole_people(monkeypatch, share, recounted):
    known = {
        "berrar2024.cited.oakes_n": 70.0,
        "berrar2024.cited.oakes_share": float(share),
    }
    monkeypatch.setattr(section_1.published, "value", known.get)
    found = section_1.cited_share()["rebuilt"].item()
    assert (abs(found - share) < 0.5) == recounted
