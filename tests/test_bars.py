"""A long call shows in a terminal how far it is, and nothing anywhere else."""

import io

import numpy as np
import pandas as pd
import pytest

from replib import _bars, compare, estimate, from_predictions, read
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


LONG = {
    "pair": exchanges,
    "model": bootstrap,
    "sample": calls_of_a_function,
    "part": walsh_averages,
    "file": files,
}


def written(monkeypatch, stream, job, folder):
    monkeypatch.setattr("sys.stderr", stream)
    job(folder)
    return stream.getvalue()


@pytest.mark.parametrize("unit", LONG)
def test_a_long_call_shows_a_bar_in_a_terminal(monkeypatch, tmp_path, unit):
    monkeypatch.setattr(_bars, "PATIENCE", 0)
    assert f"{unit}/s" in written(monkeypatch, Terminal(), LONG[unit], tmp_path)


@pytest.mark.parametrize("unit", LONG)
def test_nothing_is_written_into_a_file(monkeypatch, tmp_path, unit):
    monkeypatch.setattr(_bars, "PATIENCE", 0)
    assert written(monkeypatch, io.StringIO(), LONG[unit], tmp_path) == ""


def test_a_short_call_shows_nothing(monkeypatch, tmp_path):
    assert written(monkeypatch, Terminal(), walsh_averages, tmp_path) == ""
