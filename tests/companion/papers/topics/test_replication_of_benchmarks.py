"""Simulated benchmarks: the stored coverage, its promise, and rows recomputed."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

BOOK = Path(__file__).parents[4] / "book"
SOURCE = BOOK / "companion" / "papers" / "topics" / "replication_of_benchmarks.py"
SPEC = importlib.util.spec_from_file_location("replication_of_benchmarks", SOURCE)
topic = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(topic)
@pytest.fixture(scope="module")
def stored():
    return pd.read_csv(BOOK / "results" / "replication_of_benchmarks.csv", comment="#")


def test_intervals_cover_93_to_97_percent():
    table = topic.judged()
    come, given = (table[table["selected"] == one] for one in (0, 1))
    assert len(come) > 550 and len(given) > 300
    inside = come["covered"].between(0.93, 0.97)
    assert inside.mean() > 0.92 and come["covered"].min() > 0.87
    extremes = come.loc[[come["covered"].idxmin(), come["covered"].idxmax()], "datasets"]
    assert (extremes <= 10).all()  # as the library's page says
    many = come["datasets"] >= 15
    assert inside[many].mean() > 0.97 and come["covered"][many].between(0.92, 0.985).all()
    # given significance, W+ has few values: intervals are too wide rather than too narrow
    assert given["covered"][given["datasets"] >= 30].between(0.93, 0.97).mean() > 0.85
    assert (given["covered"] > 0.93).mean() > 0.95


def test_where_w_has_no_fitting_values_few_intervals_can_cover_so():
    """Two classifiers, so that each result is tested at one level."""
    table = topic.judged()
    cannot = table[(table["reachable"] == 0) & (table["classifiers"] == 2)]
    assert len(cannot) > 5 and not cannot["covered"].between(0.93, 0.97).any()


def test_the_stored_grid_is_the_whole_grid(stored):
    keys = ["classifiers", "layout", "shape", "effect", "datasets"]
    found = stored[keys].drop_duplicates().to_dict("records")
    assert found == [{key: one[key] for key in keys} for one in topic.settings()]


def test_stored_rows_come_again(stored):
    small = [i for i, one in enumerate(topic.settings()) if one["classifiers"] < 4]
    stream = int(np.random.default_rng().choice(small))
    setting = list(topic.settings())[stream]
    again = pd.DataFrame(topic.coverage(setting, stream))
    same = (stored[list(setting)] == pd.Series(setting)).all(axis=1)
    kept = stored[same].reset_index(drop=True)
    counts = ["results", "below", "above"]
    pd.testing.assert_frame_equal(again[counts], kept[counts])


def test_predictions_are_calibrated():
    table = pd.read_csv(BOOK / "results" / "replication_of_benchmarks_reliability.csv", comment="#")
    off = (table["predicted"] - table["observed"]).abs() * table["weight"]
    error = off.groupby(table["kind"]).sum() / table.groupby("kind")["weight"].sum()
    assert error["as it comes"] < 0.07 and error["pairs"] < 0.07
    # given significance, an estimate without prior knowledge stays below what the grid has
    given = table[table["kind"] == "given significance"]
    assert (given["predicted"] < given["observed"] + 0.01).all()


@pytest.mark.parametrize("layout", ["first", "ladder"])
@pytest.mark.parametrize("shape", list(topic.SHAPES))
def test_differences_have_the_standardised_means_that_they_are_called_by(layout, shape):
    d, names = topic.differences(
        np.random.default_rng(4), classifiers=3, layout=layout, shape=shape, effect=0.6,
        datasets=50, benchmarks=4000,
    )
    expected = {"first": [0.6, 0.6, 0], "ladder": [0.6, 1.2, 0.6]}[layout]
    # 200,000 differences; t3 has no fourth moment, and its variance is less well known
    np.testing.assert_allclose(d.mean(axis=(0, 2)), expected, atol=0.01)
    ours = [name in ("first", "1 apart", "2 apart") for name in names]
    np.testing.assert_allclose(d.std(axis=(0, 2))[ours], 1, atol=0.1)
