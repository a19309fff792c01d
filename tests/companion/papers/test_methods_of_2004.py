"""The sign test as printed in 2004, by the paper's rule, and the methods that apply it."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from designs_by_hand import decided_by_hand

from companion.papers import methods_of_2004
from companion.papers.methods_of_2004 import lenient_sign_test, sign_test_as_printed
from replib import methods


def samples_of_ten_signs():
    """All numbers of pluses and minuses among ten differences; the others are zero."""
    for pluses in range(11):
        for minuses in range(11 - pluses):
            yield [1] * pluses + [-1] * minuses + [0] * (10 - pluses - minuses)


def test_printed_sign_test_is_the_rule_of_the_paper():
    """B wins when p(Z) < alpha/2, A when p(Z) > 1 - alpha/2; a zero is half a plus."""
    alpha = Fraction(1, 20)
    for sample in samples_of_ten_signs():
        z = sample.count(1) + Fraction(sample.count(0), 2)
        p = sum(Fraction(int(sympy.binomial(10, i)), 2**10) for i in range(int(z) + 1))
        result = sign_test_as_printed(sample)
        assert result.statistic == z
        rejects = p < alpha / 2 or p > 1 - alpha / 2
        # without any sign there is nothing to reject
        assert (result.pvalue < alpha) == (rejects and any(sample))
        if rejects:
            assert (result.estimate > 0) == (p > Fraction(1, 2))


def test_the_lenient_sign_test_is_the_printed_one_for_either_learner():
    """It takes the smaller of the two p-values that the learners' names decide between."""
    for sample in samples_of_ten_signs():
        swapped = [-sign for sign in sample]
        printed = [sign_test_as_printed(x).pvalue for x in (sample, swapped)]
        assert lenient_sign_test(sample).pvalue == pytest.approx(min(printed))


@pytest.mark.parametrize("test", [sign_test_as_printed, lenient_sign_test])
def test_all_differences_zero_accepts(test):
    result = test(np.zeros(10))
    assert (result.statistic, result.pvalue, result.estimate) == (5, 1, 0)


@pytest.mark.parametrize("name", methods_of_2004.PRINTED)
def test_decisions_of_printed_methods_are_those_by_hand(name):
    method, rng = methods_of_2004.find(name), np.random.default_rng(3)
    wins = rng.integers(-2, 3, (60, 6, 5)) + rng.integers(-2, 3, (60, 1, 1))
    wins[:3] = np.reshape([-1, 0, 1], (3, 1, 1))
    blocks, alpha = wins / 43, 0.1
    by_hand = [decided_by_hand(name, block[: method.runs], alpha) for block in blocks]
    assert set(by_hand) == {-1, 0, 1}
    assert methods.decide(blocks, method=method, alpha=alpha).tolist() == by_hand


def test_the_library_has_all_methods_of_2004_but_the_printed_ones():
    others = set(methods_of_2004.METHODS) - set(methods_of_2004.PRINTED)
    assert others == set(methods.METHODS) - set(methods.LATER)
    assert all(methods_of_2004.find(name) is methods.find(name) for name in others)
