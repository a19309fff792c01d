"""Sentences of the right sign with the numbers of what they say, and numbers in words."""

import re
from math import inf

import numpy as np
import pytest
from scores_of_two import A, B

from replib.comparison import compare_scores, words


@pytest.mark.parametrize("shift, decision", [(0.05, 1), (-0.05, -1), (0.0, 0)])
def test_a_sentence_has_the_sign_of_what_it_says(shift, decision):
    rng = np.random.default_rng(11)
    b = rng.normal(0.8, 0.02, (4, 5))
    noise = rng.normal(0, 0.01, (4, 5))
    a = b + noise - noise.mean() + 0.001 + shift
    result = compare_scores(a, b, runs=4, folds=5)
    assert result.decision == decision
    text = result.sentence()
    begins = {1: r"A \(.*\) had .* than B", -1: r"B \(.*\) had .* than A", 0: "The mean score of A"}
    assert re.match(begins[decision], text) and ("did not differ" in text) == (decision == 0)
    means = dict(re.findall(r"\b([AB]) \((\d\.\d+)\)", text))
    assert float(means["A"]) == pytest.approx(a.mean(), abs=6e-4)
    assert float(means["B"]) == pytest.approx(b.mean(), abs=6e-4)
    assert "-0" not in text  # a minus sign is no hyphen
    text = text.replace("\N{MINUS SIGN}", "-")
    number = r"(-?\d+\.?\d*)"
    said = re.search(
        rf"difference {number}, 95% confidence interval {number} to {number};"
        rf".*, t\({number}\) = {number}", text
    )
    difference, low, high, df, t = map(float, said.groups())
    side = -1 if decision < 0 else 1
    limits = sorted(side * x for x in result.confidence_interval())
    assert [difference, low, high] == pytest.approx([side * result.estimate, *limits], abs=6e-4)
    assert df == 19 and t == pytest.approx(side * result.statistic, abs=0.006)
    again = re.search(rf"with probability {number} \(95% interval {number} to {number}\)", text)
    of = result.agreement
    found = [float(x) for x in again.groups()]
    assert found == pytest.approx([of.point, of.low, of.high], abs=0.006)


def test_one_run_is_said_to_show_no_spread():
    one = compare_scores(A[:5], B[:5], runs=1, folds=5)
    assert "cannot be predicted" in one.sentence()


@pytest.mark.parametrize("form, value, text", [
    (words.number, 9.9994, "9.999"), (words.number, -9.9994, "−9.999"), (words.number, 10, "10"),
    (words.number, 12.3456, "12.35"), (words.number, -123.456, "−123.5"),
    (words.number, -0.0004, "0.000"), (words.with_minus, "5x2-fold -1e-05", "5x2-fold −1e-05"),
    (words.p_value, 0.00099, "p < 0.001"), (words.p_value, 0.001, "p = 0.001"),
    (words.p_value, 0.0345, "p = 0.035"), (words.p_value, 1.0, "p = 1"),
    (words.runs, inf, "more than 100 000"), (words.runs, 100_000, "100000"), (words.runs, 7, "7"),
])
def test_numbers_in_words(form, value, text):
    assert form(value) == text
