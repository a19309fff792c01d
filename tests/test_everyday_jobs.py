"""Jobs that people bring, each as they would first try it after the README and the guide.

A job is a command, with files as their tools write them, and what its answer must say.
"""

import io
import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from replib._command import main

DATA = Path(__file__).parent / "data"
RNG = np.random.default_rng(29)
SEEDS = "--design seeds --metric accuracy"


def of_two(rates, n=300):
    """Right and wrong answers of two models to the same items."""
    hard = RNG.random(n)
    return {
        model: (hard + RNG.normal(0, 0.2, n) < rate).astype(int)
        for model, rate in rates.items()
    }


def write_tables(folder):
    """Tables that no tool writes, but people."""
    answers = of_two({"new": 0.8, "old": 0.7})
    pd.DataFrame(answers).to_csv(folder / "answers.csv", index=False)
    pd.DataFrame(
        {"chat": [1, 0.5, 1, 0, 1] * 20, "base": [0, 0.5, 0, 1, 0] * 20}
    ).to_csv(folder / "preferences.csv", index=False)
    pd.DataFrame(
        {"adam": RNG.normal(0.92, 0.005, 5), "sgd": RNG.normal(0.90, 0.005, 5)}
    ).to_csv(folder / "seeds.csv", index=False)
    pd.DataFrame(
        {"forest": RNG.normal(0.90, 0.02, 100), "tree": RNG.normal(0.88, 0.02, 100)}
    ).to_csv(folder / "cv.csv", index=False)
    truth = np.array(["healthy", "cancer"])[(RNG.random(120) < 0.3).astype(int)]
    is_ill = truth == "cancer"
    parts = [
        pd.DataFrame(
            {
                "model": model,
                "item": range(120),
                "truth": truth,
                "prediction": np.clip(is_ill * 0.4 + RNG.normal(0.3, sd, 120), 0, 1),
            }
        )
        for model, sd in (("net", 0.1), ("score", 0.3))
    ]
    predicted = pd.concat(parts)
    predicted.to_csv(folder / "probabilities.csv", index=False)
    classes = predicted.assign(
        prediction=np.where(predicted["prediction"] > 0.5, "cancer", "healthy")
    )
    classes.to_csv(folder / "classes.csv", index=False)
    texts = pd.concat(
        pd.DataFrame(
            {"model": m, "item": range(300), "text": np.arange(300) // 6, "score": x}
        )
        for m, x in answers.items()
    )
    texts.to_csv(folder / "texts.csv", index=False)


JOBS = {
    "harness, all tasks with the metric": (
        "compare {data}/harness --metric acc",
        ["meta__small-3b", "McNemar", "gsm8k is left out"],
    ),
    "harness, two models' folders, a filter": (
        (
            "compare small={data}/harness/meta__small-3b tiny={data}/harness/meta__tiny-1b "
            "--metric exact_match --task gsm8k --where filter=strict-match"
        ),
        ["small", "on 10 items"],
    ),
    "harness, a metric for each task": (
        (
            "compare {data}/harness --metric arc_easy=acc,gsm8k=exact_match "
            "--where filter=none --where filter=strict-match"
        ),
        ["acc and exact match", "2 tasks"],
    ),
    "Inspect, a folder of logs": (
        "compare {data}/inspect",
        ["openai/large", "on 40 items"],
    ),
    "SWE-bench, two reports": (
        (
            "compare {data}/swebench/org__agent-a.my_run.json "
            "{data}/swebench/org__agent-b-1.5.my_run.json"
        ),
        ["org__agent-b-1.5", "McNemar"],
    ),
    "lighteval, a folder of details": (
        "compare {data}/lighteval",
        ["large", "on 40 items"],
    ),
    "HELM, two runs": (
        "compare {data}/helm/large {data}/helm/small --metric exact_match",
        ["org/large", "on 40 items"],
    ),
    "Weights & Biases, the table of runs": (
        "compare {data}/wandb_runs.csv --column model=optimizer --column score=val_acc "
        + SEEDS,
        ["adamw", "Welch"],
    ),
    "Weights & Biases, the chart": (
        "compare {data}/wandb_chart.csv --where Step=last " + SEEDS,
        ["adamw", "on 4 seeds"],
    ),
    "Keras, a folder for each model": (
        "compare {data}/keras/cnn {data}/keras/mlp --column score=val_accuracy "
        "--where epoch=last " + SEEDS,
        ["cnn", "on 4 seeds"],
    ),
    "Keras, the best epoch": (
        "compare {data}/keras --column score=val_accuracy --where epoch=best " + SEEDS,
        ["cnn", "Note: the best epoch"],
    ),
    "Lightning, two experiments": (
        "compare {data}/lightning/wide {data}/lightning/deep --column score=test_acc "
        + SEEDS,
        ["wide", "on 4 seeds"],
    ),
    "MLflow, from its page": (
        "compare {data}/mlflow_page.csv --design seeds --metric neg_log_loss",
        ["forest", "on 5 seeds"],
    ),
    "OpenCompass, two models": (
        "compare {data}/opencompass --where model=model-a --where model=model-b",
        ["model-a", "data sets"],
    ),
    "OpenCompass, a table with a hole": (
        "compare {data}/opencompass --missing common",
        ["model-c", "lacks 1"],
    ),
    "right and wrong answers": (
        "compare answers.csv --design items --metric accuracy",
        ["new", "McNemar", "on 300 items"],
    ),
    "a judge's preferences: 1, 0, and 0.5 for a draw": (
        "compare preferences.csv --design items --metric preference --better higher",
        ["chat", "preference", "on 100 items"],
    ),
    "five seeds": ("compare seeds.csv " + SEEDS, ["adam", "With one seed of each"]),
    "ten runs of ten folds, equivalent within a point?": (
        "compare cv.csv --design 10x10 --metric accuracy --equivalence 0.01",
        ["forest", "quivalence within 0.01 was not shown"],
    ),
    "average precision of probabilities": (
        "compare probabilities.csv --metric average_precision --positive cancer",
        ["average precision of cancer", "net"],
    ),
    "Brier score": (
        "compare probabilities.csv --metric brier --positive cancer",
        ["brier of cancer", "lower"],
    ),
    "log loss": (
        "compare probabilities.csv --metric log_loss --positive cancer",
        ["log loss of cancer", "net"],
    ),
    "recall of the ill": (
        "compare classes.csv --metric recall --positive cancer",
        ["recall of cancer", "exact permutation test"],
    ),
    "standard input": (
        "compare - --design items --metric accuracy < answers.csv",
        ["new", "on 300 items"],
    ),
    "a gate in continuous integration": (
        (
            "compare answers.csv --design items --metric accuracy --pair new old "
            "--equivalence 0.05 --fail-if maybe-worse"
        ),
        ["new", "is not worse than old"],
    ),
    "how many items does that gate need?": (
        "plan items --discordant 0.15 --not-worse 0.01 --json",
        ['"n"', '"sentence"'],
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jobs")
    write_tables(folder)
    return folder


def run(command, folder, capsys, monkeypatch):
    """The exit code and the output of a command in a folder, with "<" as in a shell."""
    monkeypatch.chdir(folder)
    words, _, source = command.format(data=DATA).partition(" < ")
    if source:
        content = io.BytesIO(Path(source).read_bytes())
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=content))
    name, *arguments = shlex.split(words)
    code = main(name, arguments)
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, captured.out


@pytest.mark.parametrize("command, says", JOBS.values(), ids=JOBS)
def test_a_job_is_done_at_first_try(command, says, folder, capsys, monkeypatch):
    code, printed = run(command, folder, capsys, monkeypatch)
    assert code == 0
    missing = [text for text in says if text not in printed]
    assert not missing, printed


def test_what_the_gate_says_is_what_the_json_says(folder, capsys, monkeypatch):
    gate, _ = JOBS["a gate in continuous integration"]
    strict = gate.replace("0.05", "0.0001")
    assert (
        run(strict.replace("new old", "old new"), folder, capsys, monkeypatch)[0] == 1
    )
    code, printed = run(f"{gate} --json", folder, capsys, monkeypatch)
    (pair,) = json.loads(printed)["pairs"]
    assert (code == 0) == pair["not_worse"]
