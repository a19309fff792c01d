"""The stored rates at which equivalence is declared although the truth lies on the margin."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from companion.studies import bench
from replib import compare

rates = import_module("benchmarks.equivalence")
KEPT = pd.read_csv(
    Path(__file__).parents[1] / "book" / "_static" / "equivalence.csv", dtype=str
)


def test_enumerated_rates_are_those_that_are_stored():
    assert (
        rates.exact_rows()
        == KEPT[~KEPT["test"].str.startswith("corrected")].values.tolist()
    )


@pytest.mark.parametrize("instances", bench.SIZES)
@pytest.mark.parametrize("alpha", [0.05, 0.025])
def test_simulated_rates_agree_with_the_differences_of_the_bench(instances, alpha):
    """On other data sets of the networks, within four standard errors between networks."""
    networks = [
        network.reshape(-1, 10, 10)
        for of_source in bench.differences_by_source(instances)[1:]
        for network in of_source
    ]
    found = 100 * np.array([rates.of_corrected_t(blocks, alpha) for blocks in networks])
    (kept,) = KEPT[
        (KEPT["level (%)"] == f"{100 * alpha:g}")
        & KEPT["truth on the margin for"].str.endswith(f"{instances} instances")
    ].values
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    expected = [float(cell.split()[0]) for cell in kept[-2:]]
    assert (np.abs(found.mean(axis=0) - expected) < 4 * error).all()


def test_the_rates_are_those_of_compare():
    blocks = np.random.default_rng(1).normal(0.01, 0.02, size=(20, 10, 10))
    margin, counted = blocks.mean(), []
    for block in blocks:
        result = compare(
            {"a": 0.5 + block, "b": np.full((10, 10), 0.5)},
            design="10x10",
            metric="accuracy",
            equivalence=margin,
            pairs=[("a", "b")],
        )
        counted.append(result.pairs[["equivalent", "b_not_worse"]].iloc[0])
    assert (
        rates.of_corrected_t(blocks, 0.05).tolist() == np.mean(counted, axis=0).tolist()
    )


def test_what_the_guide_says_of_these_rates():
    cells = (
        KEPT[["equivalent (%)", "not worse (%)"]]
        .stack()
        .str.extract(r"(.*) \((.*) to (.*)\)")
    )
    table = cells.astype(float).set_axis(["mean", "low", "high"], axis=1).unstack()
    level, test = KEPT["level (%)"].astype(float), KEPT["test"].str.split().str[0]
    high, not_worse = table["high"].max(axis=1), table["mean", "not worse (%)"]
    assert (high[test == "shifted"] <= 5).all() and high[test == "Tango's"].between(
        5, 6
    ).all()
    at_5, at_2 = ((test == "corrected") & (level == of) for of in (5, 2.5))
    assert (not_worse[at_5] > 6).all() and (high[at_5] > 10).all()
    assert not_worse[at_2].between(4, 6).all()
