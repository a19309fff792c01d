"""The command: what it says is what the library computes."""

import json

import numpy as np
import pandas as pd
import pytest

import replib
from replib import Metric, compare, plan
from replib.__main__ import main as program
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
    in_python = compare(SCORES, design="4x5", metric="accuracy").to_dict()
    in_python["record"] |= {key: found["record"][key] for key in ("files", "command")}
    assert found == json.loads(json.dumps(in_python))


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


@pytest.mark.parametrize(("margin", "code"), [("0.3", 0), ("0.001", 1)])
def test_a_gate_blocks_what_is_not_shown_to_be_as_good(file, margin, code, capsys):
    gate = ["--pair", "rule", "tree", "--fail-if", "maybe-worse"]
    options = [file, *DESIGN, *gate, "--equivalence", margin]
    assert main("compare", options) == code
    assert main("compare", [file, *DESIGN, *gate]) == 2
    assert "say --equivalence" in capsys.readouterr().err
    assert main("plan", ["items", "--discordant", "0.1", "--not-worse", margin]) == 0


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


def test_the_metric_may_name_the_column_of_the_scores(tmp_path, capsys):
    table = pd.DataFrame(
        {"model": [*"aaabbb"], "seed": [1, 2, 3] * 2, "accuracy": [0.9, 0.91, 0.92] * 2}
    )
    table.to_csv(tmp_path / "own.csv", index=False)
    given = [str(tmp_path / "own.csv"), *SEEDS]
    assert main("compare", given) == 0
    assert "a (0.910)" in capsys.readouterr().out
    table.assign(val_accuracy=0.8).to_csv(tmp_path / "own.csv", index=False)
    assert main("compare", given) == 2
    assert "say which it is, as in --column score=NAME" in capsys.readouterr().err


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


@pytest.fixture
def tasks(tmp_path):
    """Two models on three tasks, with the columns of a tool."""
    table = pd.DataFrame(
        {
            "model": np.repeat(["a", "b"], 12),
            "run": np.tile(range(4), 6),
            "the task": np.tile(np.repeat(["x", "y", "z"], 4), 2),
            "score": RNG.random(24).round(3),
        }
    )
    path = tmp_path / "tasks.csv"
    table.to_csv(path, index=False)
    return str(path)


SEEDS = ["--design", "seeds", "--metric", "accuracy"]
ITEMS = ["--design", "items", "--metric", "accuracy"]


def test_where_of_one_column_adds_its_values(tasks, capsys):
    chosen = ["--where", "the task=x", "--where", "run=0", "--where", "run=3"]
    assert main("compare", [tasks, *SEEDS, *chosen, "--json"]) == 0
    means = json.loads(capsys.readouterr().out)["means"]
    table = pd.read_csv(tasks).query("`the task` == 'x' and run in [0, 3]")
    found = {model: row["mean"] for model, row in means.items()}
    assert found == pytest.approx(table.groupby("model")["score"].mean().to_dict())


@pytest.mark.parametrize(
    "options",
    [
        ["--metric", "f1"],
        ["--alpha", "0.1", "--alpha", "0.05"],
        ["--pair", "a", "b", "--pair", "b", "a"],
        ["--column", "run=run", "--column", "run=seed"],
    ],
)
def test_a_repeated_option_is_refused_unless_it_adds(tasks, capsys, options):
    assert main("compare", [tasks, *SEEDS, *options]) == 2
    assert "is given twice" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, says",
    [
        (
            ["TASKS", *SEEDS[2:]],
            "design must be given: say --design, a text such as",
        ),
        (["TASKS", *SEEDS[:2]], "metric must be given: say --metric, such as accuracy"),
        (
            ["TASKS", *SEEDS[:2], "--metric", "skill"],
            "say --better higher or --better lower",
        ),
        (
            ["TASKS", *SEEDS],
            "'the task'=VALUE, or if all of them count alike, say --column ignored='the task'",
        ),
        (
            ["TASKS", "--metric", "accuracy", "--design", "items"],
            "say which it is, as in --column item=NAME",
        ),
        (["WIDE", *SEEDS], "if the column numbers the runs, say --column run=note"),
        (["PERCENT", *SEEDS], "for percent say --high 100"),
        (["a=TASKS", *SEEDS], "has the models 'a' and 'b', and 'a' is one"),
        (["COMMAS", *SEEDS], "write decimal points, and no commas"),
        (["a=WIDE", *SEEDS], "NAME=FILE is a file of one model, a row per score"),
        (
            ["TASKS", *SEEDS, "--column", "seed=run"],
            "ROLE in --column ROLE=NAME is one",
        ),
        (["TASKS", *SEEDS, "--best", "--pair", "a", "b"], "say one of them"),
        (["TASKS", *SEEDS[:2], "--metric", "acuracy"], "not known (is it accuracy?)"),
        (["EMPTY", *SEEDS], "it is empty"),
        (["ITEMS", *ITEMS, "--alpha", "2"], "--alpha must lie above 0"),
        (["TASKS", *SEEDS, "--cluster", "text"], "--cluster is about items"),
        (
            ["CLASSES", "--metric", "f1"],
            "say which, as in --positive 'very ill'",
        ),
        (
            ["CLASSES", "--metric", "skill", "--better", "higher"],
            "for another one give",
        ),
        (["ITEMS", *ITEMS, "--about", "tasks"], "names the task, by --suite"),
        (["ITEMS", *ITEMS, "--mean", "items"], "names the task, by --suite"),
        (["ITEMS", *ITEMS, "--about", "training"], "or ask --about models"),
        (["a=-", "b=-", *SEEDS], "give - once"),
    ],
)
def test_refusals_speak_of_options_not_of_python(
    tasks, tmp_path, capsys, arguments, says
):
    files = {"TASKS": tasks}
    for name, text in (
        ("WIDE", "note,a,b\nx,.5,.6\ny,.6,.7\n"),
        ("PERCENT", "a,b\n50,60\n60,70\n"),
        ("COMMAS", "a;b\n1,812;1,700\n1,900;1,800\n"),
        ("EMPTY", ""),
        ("ITEMS", "a,b\n1,0\n1,1\n0,1\n1,1\n"),
        (
            "CLASSES",
            (
                "model,item,truth,prediction\na,1,very ill,well\na,2,well,well\n"
                "b,1,very ill,very ill\nb,2,well,well\n"
            ),
        ),
    ):
        files[name] = str(tmp_path / f"{name}.csv")
        (tmp_path / f"{name}.csv").write_text(text)
    for name, path in files.items():
        arguments = [argument.replace(name, path) for argument in arguments]
    assert main("compare", arguments) == 2
    said = capsys.readouterr().err
    assert says in said
    assert not any(piece in said for piece in ("={", "None", "Metric(", "pandas"))


@pytest.mark.parametrize(
    "arguments, says",
    [
        (
            ["items", "--discordant", "1.2"],
            "--discordant must be one number from 0 to 1",
        ),
        (["seeds", "--sd", "0", "--n", "5"], "--sd must be one positive number"),
        (["seeds", "--sd", "1", "--n", "5", "--n", "6"], "--n: is given twice"),
        (["seeds", "--sd", "1"], "must be given: say --difference or --n"),
        (
            ["seeds", "--discordant", "0.1", "--n", "9"],
            "not the spread of seeds: say --sd",
        ),
        (["items", "--sd", "0.1", "--n", "9"], "of items: say --discordant"),
    ],
)
def test_a_plan_is_refused_by_the_names_of_its_options(capsys, arguments, says):
    assert main("plan", arguments) == 2
    assert says in capsys.readouterr().err


def test_columns_group_items_into_clusters_and_tasks(tmp_path, capsys):
    frame = pd.DataFrame(
        {
            "model": np.repeat(["a", "b"], 60),
            "item": np.tile(np.arange(60), 2),
            "text": np.tile(np.arange(60) // 5, 2),
            "topic": np.tile(np.repeat(["x", "y"], [20, 40]), 2),
            "score": (RNG.random(120) < np.repeat([0.8, 0.5], 60)).astype(int),
        }
    )
    path = str(tmp_path / "items.csv")
    frame.to_csv(path, index=False)
    ignored = ["--column", "ignored=topic"]
    assert main("compare", [path, *ITEMS, "--cluster", "text", *ignored]) == 0
    assert "in 12 clusters" in capsys.readouterr().out
    suite = [path, *ITEMS, "--suite", "topic", "--column", "ignored=text", "--json"]
    for more, weights in (([], [0.5, 0.5]), (["--mean", "items"], [1 / 3, 2 / 3])):
        assert main("compare", [*suite, *more]) == 0
        means = frame.groupby(["model", "topic"])["score"].mean().unstack() @ weights
        found = json.loads(capsys.readouterr().out)["pairs"][0]["difference"]
        assert abs(found) == pytest.approx(abs(means["a"] - means["b"]))


def test_the_version_is_that_of_the_library(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["replib", "--version"])
    program()
    assert capsys.readouterr().out == f"replib {replib.__version__}\n"


def test_a_plan_is_data_too(capsys):
    arguments = ["items", "--difference", "0.03", "--discordant", "0.2", "--json"]
    assert main("plan", arguments) == 0
    planned = plan("items", 0.2, difference=0.03)
    assert json.loads(capsys.readouterr().out) == planned.to_dict()
    assert (
        main("plan", ["10x10", "--sd", "0.05", "--difference", "0.001", "--json"]) == 0
    )
    hopeless = json.loads(capsys.readouterr().out)
    assert hopeless["n"] is None and "no number" in hopeless["sentence"]


def test_a_plan_is_made(capsys):
    assert main("plan", ["items", "--difference", "0.03", "--discordant", "0.2"]) == 0
    assert "items" in capsys.readouterr().out
    assert main("plan", ["seeds"]) == 2


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--equivalence", "1%"], "not '1%': write 0.01, or 1 if scores are percent"),
        (["--alpha", "0,05"], "must be a number, not '0,05': write a point"),
        (["--high", "hundred"], "--high: must be a number, not 'hundred'; see"),
    ],
)
def test_numbers_of_options_are_asked_for_in_words(file, capsys, arguments, says):
    assert main("compare", [file, *SEEDS, *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_number_of_a_plan_is_whole(capsys):
    assert main("plan", ["seeds", "--sd", ".03", "--n", "five"]) == 2
    assert "--n: must be a whole number, not 'five'; see" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text, says",
    [
        ("| set | a |\n|---|---|\n| iris | 0.9 |\n", "it is a table in Markdown"),
        ("iris & 0.9 & 0.8 \\\\\nwine & 0.8 & 0.7 \\\\\n", "it is a table in LaTeX"),
        (
            "set,a,b\niris,0.91±0.02,0.93±0.01\n",
            "'0.91±0.02' in row 1 of 'a' is a number",
        ),
        (
            "set,a,b\niris,0.91 (0.02),0.9\n",
            "'0.91 (0.02)' in row 1 of 'a' is a number",
        ),
    ],
)
def test_tables_that_were_copied_from_a_paper(tmp_path, capsys, text, says):
    (tmp_path / "paper.csv").write_text(text)
    options = [
        "--design",
        "datasets",
        "--metric",
        "accuracy",
        "--column",
        "dataset=set",
    ]
    assert main("compare", [str(tmp_path / "paper.csv"), *options]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("first", "second", "is_noted"),
    [
        ("old_ranker", "new_ranker", True),
        ("champion", "challenger", True),
        ("Production", "shadow", True),
        ("main", "feature/attention", True),
        ("model-v1.9", "model-v1.10", True),
        ("agent-2024-11", "agent-2025-01", True),
        ("previous", "current", True),
        ("current", "previous", False),
        ("new", "old", False),
        ("v10", "v9", False),
        ("baseline", "svm", False),
        ("resnet18", "resnet50", False),
        ("tree_old_growth", "new_forest", False),
    ],
)
def test_a_gate_is_about_the_model_under_test(
    first, second, is_noted, tmp_path, capsys
):
    file = tmp_path / "scores.csv"
    scores = {
        first: [0.81, 0.84, 0.79, 0.83, 0.85],
        second: [0.7, 0.72, 0.69, 0.7, 0.71],
    }
    pd.DataFrame(scores).rename_axis("seed").to_csv(file)
    gate = [str(file), "--design", "seeds", "--metric", "accuracy", "--fail-if"]
    assert main("compare", [*gate, "worse", "--pair", first, second]) == 0
    said = capsys.readouterr().out
    assert (f"is {second} under test" in said) == is_noted
    # who is undecided does not depend on the order
    main("compare", [*gate, "undecided", "--pair", first, second])
    assert "under test" not in capsys.readouterr().out
