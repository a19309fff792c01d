"""A long call shows in a terminal how far it is, and nothing anywhere else."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from replib import _bars, _sources, compare, estimate, from_predictions, plan, read
from replib.significance import hodges_lehmann

RNG = np.random.default_rng(4)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def exchanges(folder):
    y = RNG.normal(size=30)
    models = {m: y + RNG.normal(size=30) for m in "abc"}
    assert len(compare(from_predictions(y, models, metric="rmse")).pairs) == 3


def bootstrap(folder):
    y = RNG.normal(size=30)
    models = {m: y + RNG.normal(size=30) for m in "abc"}
    assert len(estimate(from_predictions(y, models, metric="rmse")).means) == 3


def calls_of_a_function(folder):
    y = RNG.normal(size=12)
    models = {m: y + RNG.normal(size=12) for m in "ab"}
    table = from_predictions(
        y, models, metric="rmse", function=lambda y, x: float(np.std(y - x))
    )
    assert compare(table).tests.pvalue.size == 1


def walsh_averages(folder):
    hodges_lehmann(RNG.normal(size=(30, 100))).confidence_interval()


def files(folder):
    paths = []
    for name in "ab":
        path = folder / f"{name}.csv"
        pd.DataFrame({"run": range(6), "score": RNG.random(6)}).to_csv(path)
        paths.append(f"{name}={path}")
    read(*paths, design="seeds", metric="accuracy", columns={"ignored": []})


def a_large_table(folder):
    path = folder / "items.csv"
    pd.DataFrame(RNG.integers(0, 2, (60, 2)), columns=["a", "b"]).to_csv(path)
    read(path, design="items", metric="accuracy")


def logs(folder):
    for model in "ab":
        answers = [
            {"doc_id": n, "metrics": ["acc"], "acc": int(RNG.integers(2))}
            for n in range(30)
        ]
        (folder / model).mkdir(exist_ok=True)
        lines = "\n".join(map(json.dumps, answers))
        (folder / model / "samples_arc.jsonl").write_text(lines)
    read(folder, metric="acc")


def reruns_of_pairs(folder):
    scores = {model: RNG.normal(0.8, 0.02, (10, 10)) for model in "abc"}
    assert compare(scores, design="10x10", metric="accuracy").pairs.size


def jackknife(folder):
    y = RNG.integers(0, 2, 40)
    models = {m: y + RNG.normal(size=(2, 40)) for m in "ab"}
    table = from_predictions(y, models, metric="average_precision")
    assert compare(table).pairs.size


def a_plan(folder):
    assert plan("seeds", 0.01, difference=0.01).n


#: What each job counts, which its bar says.
LONG = {
    exchanges: "pair",
    bootstrap: "model",
    calls_of_a_function: "sample",
    walsh_averages: "part",
    files: "file",
    # without parts, there is only the bar of files
    a_large_table: "part" if _sources._CHECKS_PARTS else "file",
    logs: "file",
    reruns_of_pairs: "truth",
    jackknife: "part",
    a_plan: "step",
}
JOBS = pytest.mark.parametrize("job", LONG, ids=lambda job: job.__name__)


def written(monkeypatch, stream, job, folder):
    monkeypatch.setattr("sys.stderr", stream)
    job(folder)
    return stream.getvalue()


@JOBS
def test_a_long_call_shows_a_bar_in_a_terminal(monkeypatch, tmp_path, job):
    monkeypatch.setattr(_bars, "PATIENCE", 0)
    assert f"{LONG[job]}/s" in written(monkeypatch, Terminal(), job, tmp_path)


@JOBS
def test_nothing_is_written_into_a_file(monkeypatch, tmp_path, job):
    monkeypatch.setattr(_bars, "PATIENCE", 0)
    assert written(monkeypatch, io.StringIO(), job, tmp_path) == ""


def test_a_short_call_shows_nothing(monkeypatch, tmp_path):
    assert written(monkeypatch, Terminal(), walsh_averages, tmp_path) == ""
