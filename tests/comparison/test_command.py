"""The command: what it says is what the library computes."""

import re

import numpy as np
import pandas as pd
import pytest

from replib.comparison import compare_scores
from replib.comparison.command import main

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


@pytest.mark.slow
def test_all_classifiers_are_compared_with_one_corrected_decision(file, capsys):
    assert main([str(file), "--cv", "4x5"]) == 0
    said = capsys.readouterr().out
    assert said.strip() == str(compare_scores(SCORES, cv="4x5"))
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


@pytest.mark.parametrize("arguments", [[], ["--cv", "4x5"]])
def test_columns_say_the_design(arguments, tmp_path, capsys):
    assert main([str(designed(tmp_path)), "--pair", "tree", "bayes", *arguments]) == 0
    assert str(compared("tree", "bayes")) in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--cv", "5x4"], ["--test-fraction", "0.2"]])
def test_an_option_that_contradicts_the_columns_is_refused(arguments, tmp_path, capsys):
    assert main([str(designed(tmp_path)), *arguments]) == 2
    assert "the columns say 4 runs of 5-fold cross-validation, and" in capsys.readouterr().err


def designed(folder):
    path = folder / "scores.csv"
    order = {"run": np.repeat([1, 2, 3, 4], 5), "fold": np.tile([1, 2, 3, 4, 5], 4)}
    pd.DataFrame(order | SCORES).to_csv(path, index=False)
    return path
