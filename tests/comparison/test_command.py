"""The command and the sentences: what they say is what the library computes."""

import re
from math import inf

import numpy as np
import pandas as pd
import pytest

from replib.comparison import compare_scores, words
from replib.comparison.command import main
from replib.multiple_comparisons import adjusted_pvalues

RNG = np.random.default_rng(11)
SCORES = {
    "tree": 0.80 + RNG.normal(0, 0.02, 20), "bayes": 0.83 + RNG.normal(0, 0.02, 20),
    "rule": 0.81 + RNG.normal(0, 0.02, 20),
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.csv"
    pd.DataFrame(SCORES).to_csv(path, index=False)
    return path


def compared(a, b, **options):
    return compare_scores(SCORES[a], SCORES[b], names=(a, b), **({"cv": "4x5"} | options))


def test_every_pair_is_compared_and_corrected_for(file, capsys):
    assert main([str(file), "--cv", "4x5"]) == 0
    said = capsys.readouterr().out
    pairs = [("tree", "bayes"), ("tree", "rule"), ("bayes", "rule")]
    results = [compared(*pair) for pair in pairs]
    for result in results:
        assert str(result) in said
    holm = adjusted_pvalues([result.pvalue for result in results], method="holm")
    each = "; ".join(f"{a}, {b}: p = {p:.2g}" for (a, b), p in zip(pairs, holm))
    assert f"With Holm's correction for 3 pairs: {each}." in said
    assert "Posterior" not in said and "all numbers" not in said and "open " not in said


def test_options_are_those_of_the_library(file, capsys, tmp_path):
    table, page = tmp_path / "all.csv", tmp_path / "page.html"
    options = ["--pair", "bayes", "tree", "--test-fraction", "0.2", "--errors", "--alpha", "0.2"]
    written = ["--rope", "0.01", "--csv", str(table), "--report", str(page)]
    assert main([str(file), *options, *written]) == 0
    said = capsys.readouterr().out
    result = compared(
        "bayes", "tree", cv=None, test_fraction=0.2, greater_is_better=False, alpha=0.2
    )
    assert str(result) in said and "Holm" not in said
    shares = re.search(r"up to 0.01 as equivalent: (.*)\.", said)[1]
    found = {name: float(p) for name, p in (share.split() for share in shares.split(", "))}
    expected = dict(result.probabilities(0.01))
    assert found == pytest.approx(expected, abs=6e-4) and sum(found.values()) > 0.99
    frame = pd.read_csv(table)
    assert frame["pvalue"].iloc[0] == pytest.approx(result.pvalue)
    assert len(frame) == len(result.to_frame())
    assert page.read_text().startswith("<!") and f"open {page}" in said


@pytest.mark.parametrize("arguments, refusal", [
    ([], "how were the 20 splits made"),
    (["--cv", "4x5", "--pair", "tree", "oak"], "no classifier 'oak'"),
    (["--cv", "4x5", "--report", "page.html"], "about two classifiers"),
    (["--cv", "3x5"], "scores"),
])
def test_what_cannot_be_done_is_refused_with_code_2(file, capsys, arguments, refusal):
    assert main([str(file), *arguments]) == 2
    said = capsys.readouterr()
    assert refusal in said.err and said.err.startswith("Error: ") and not said.out


# ---------------------------------------------------------------- sentences


@pytest.mark.parametrize("shift, decision", [(0.05, 1), (-0.05, -1), (0.0, 0)])
def test_a_sentence_has_the_sign_of_what_it_says(shift, decision):
    b = RNG.normal(0.8, 0.02, (4, 5))
    noise = RNG.normal(0, 0.01, (4, 5))
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
        rf"difference {number}, 95 % confidence interval {number} to {number};"
        rf".*, t\({number}\) = {number}", text
    )
    difference, low, high, df, t = map(float, said.groups())
    side = -1 if decision < 0 else 1
    limits = sorted(side * x for x in result.confidence_interval())
    assert [difference, low, high] == pytest.approx([side * result.estimate, *limits], abs=6e-4)
    assert df == 19 and t == pytest.approx(side * result.statistic, abs=0.006)
    again = re.search(rf"with probability {number} \(95 % interval {number} to {number}\)", text)
    of = result.agreement
    found = [float(x) for x in again.groups()]
    assert found == pytest.approx([of.point, of.low, of.high], abs=0.006)


def test_one_run_is_said_to_show_no_spread():
    one = compare_scores(SCORES["tree"][:5], SCORES["bayes"][:5], runs=1, folds=5)
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
