"""The command: what it says is what the library computes."""

import json

import numpy as np
import pandas as pd
import pytest

from replib import Metric, compare
from replib._command import main

RNG = np.random.default_rng(11)
SCORES = {
    name: mean + RNG.normal(0, 0.02, 20)
    for name, mean in (("tree", 0.80), ("bayes", 0.86), ("rule", 0.81))
}
DESIGN = ["--design", "4x5", "--metric", "accuracy"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.csv"
    pd.DataFrame(SCORES).to_csv(path, index=False)
    return str(path)


def test_a_table_is_compared(file, capsys):
    assert main("compare", [file, *DESIGN]) == 0
    expected = compare(SCORES, design="4x5", metric="accuracy")
    assert capsys.readouterr().out.strip() == str(expected)


def test_options_are_those_of_the_library(file, capsys, tmp_path):
    page = tmp_path / "page.html"
    options = [
        "--design",
        "20 x 20%",
        "--metric",
        "cost",
        "--better",
        "lower",
        "--alpha",
        "0.2",
        "--pair",
        "bayes",
        "tree",
        "--equivalence",
        "0.05",
    ]
    assert main("compare", [file, *options, "--report", str(page)]) == 0
    expected = compare(
        SCORES,
        design="20 x 20%",
        metric=Metric("cost", better="lower"),
        alpha=0.2,
        pairs=[("bayes", "tree")],
        equivalence=0.05,
    )
    said = capsys.readouterr().out
    assert str(expected) in said and f"open {page}" in said
    assert main("compare", [file, *DESIGN, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(
        json.dumps(compare(SCORES, design="4x5", metric="accuracy").to_dict())
    )


@pytest.mark.parametrize(
    "pair, fail_if, code",
    [
        (("bayes", "tree"), "worse", 0),
        (("tree", "bayes"), "worse", 1),
        (("bayes", "tree"), "not-better", 0),
        (("tree", "bayes"), "not-better", 1),
        (("rule", "tree"), "undecided", 1),
        (("bayes", "tree"), "undecided", 0),
    ],
)
def test_the_exit_code_is_for_continuous_integration(file, pair, fail_if, code):
    assert (
        main("compare", [file, *DESIGN, "--pair", *pair, "--fail-if", fail_if]) == code
    )


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["no.csv", *DESIGN], "no.csv"),
        (["FILE"], "design must"),
        (["FILE", *DESIGN[:2]], "metric"),
        (
            ["FILE", *DESIGN, "--fail-if", "worse"],
            "name it and the other with --pair A B",
        ),
        (["FILE", *DESIGN, "--report", "FILE"], "--report would overwrite the input"),
        (["a=FILE", *DESIGN, "--report", "LINK"], "--report would overwrite the input"),
        (
            ["FILE", *DESIGN, "--column", "score"],
            "argument --column: must be NAME=VALUE",
        ),
        (
            ["FILE", "--\x1b[2J"],
            r"unrecognized arguments: --\x1b[2J; see replib compare --help",
        ),
        (["FILE", *DESIGN, "--pair", "tree", "oak"], "there is no model 'oak'"),
    ],
)
def test_a_mistake_gets_one_sentence_and_the_code_2(
    file, arguments, says, capsys, tmp_path
):
    link = tmp_path / "link.csv"
    link.symlink_to(file)
    given = [x.replace("FILE", file).replace("LINK", str(link)) for x in arguments]
    assert main("compare", given) == 2
    said = capsys.readouterr().err
    assert said.startswith("Error: ") and says in said and said.count("\n") == 1


def test_rows_are_chosen_by_a_number_and_percent_has_an_option(tmp_path, capsys):
    table = pd.DataFrame(
        {
            "model": [*"aabb"] * 2,
            "run": [0, 1] * 4,
            "epoch": [4] * 4 + [5] * 4,
            "score": [80, 81, 70, 71, 90, 91, 70, 71],
        }
    )
    table.to_csv(tmp_path / "k.csv", index=False)
    chosen = [
        str(tmp_path / "k.csv"),
        "--design",
        "seeds",
        "--metric",
        "accuracy",
        "--high",
        "100",
    ]
    assert main("compare", [*chosen, "--where", "epoch=5"]) == 0
    assert "a (90.5)" in capsys.readouterr().out
    assert main("compare", [*chosen[:-1], "0", "--where", "epoch=5"]) == 2
    assert "needs low < high" in capsys.readouterr().err
    assert main("compare", [*chosen, "--where", "epoch=6"]) == 2
    assert "there are 4 and 5" in capsys.readouterr().err


def test_a_plan_is_made(capsys):
    assert main("plan", ["items", "--difference", "0.03", "--discordant", "0.2"]) == 0
    assert "items" in capsys.readouterr().out
    assert main("plan", ["seeds"]) == 2
