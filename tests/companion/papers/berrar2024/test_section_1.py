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
    first, again = section_1.two_experiments({Fraction(k, 14): share for k in numerators}, 10)
    assert again > first


@pytest.mark.parametrize("experiments", [2, 5, 9])
@pytest.mark.parametrize("power", [Fraction(1, 40), Fraction(1, 2), Fraction(9, 10)])
def test_empirical_probability_without_the_first_is_unbiased(experiments, power):
    assert section_1.mean_empirical_probability(power, experiments) == power
    with_first = section_1.mean_empirical_probability(power, experiments, leave_out_first=False)
    assert with_first == power + (1 - power) / experiments
    pool = {"experiments": experiments, "power": power, "selected": False}
    assert section_1.mean_empirical_probability(**pool, leave_out_first=False) == power
    less_one = section_1.mean_empirical_probability(**pool)
    assert less_one == power - (1 - power) / (experiments - 1)
