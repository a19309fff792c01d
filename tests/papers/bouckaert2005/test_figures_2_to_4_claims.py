"""The verdicts on Figures 2 to 4 from the stored simulation, and that they can fail."""

import numpy as np
import pandas as pd
import pytest

from replib.papers import ledger, stored
from replib.papers.bouckaert2005 import figures_2_to_4, section_5, simulation
from replib.theory import designs


@pytest.fixture(scope="module")
def simulated():
    return simulation.profile(stored.load("profiles"))


@pytest.fixture(scope="module")
def verdicts(simulated):
    frame = ledger.compare(figures_2_to_4.ledger_rows(simulated), chapter="x")
    frame["id"] = frame["id"].str.removeprefix("bouckaert2005.")
    return frame.set_index("id")["verdict"]


def test_stored_simulation_is_the_papers(simulated):
    for one in stored.load("profiles").values():
        shape = one.counts.shape
        assert shape == (50, 15, simulation.STEPS, simulation.EXPERIMENTS + 1)
        assert (one.counts.sum(axis=(0, -1)) == simulation.DATASETS).all()
    assert simulation.is_stored(simulation.SIZES)
    assert not simulation.is_stored(simulation.SIZES, alpha=0.01)
    assert not simulation.is_stored([1000])


def test_verdicts(verdicts):
    by_verdict = {verdict: set(rows.index) for verdict, rows in verdicts.groupby(verdicts)}
    assert by_verdict["erratum"] == {"cl.08", "cl.10", "cl.12", "cl.14"}
    assert by_verdict["in kind"] == {"fig02", "fig03", "fig04"}
    assert set(by_verdict) == {"exact", "erratum", "in kind"}
    assert len(verdicts) == 16


@pytest.mark.parametrize("claim, figure, graph, column, change", [
    ("cl.06", 2, 0, "replicability", -30), ("cl.07", 2, 0, "power", 10),
    ("cl.09", 2, 2, "replicability", -20),
    ("cl.11", 4, 0, "replicability", -30), ("cl.13", 2, 1, "replicability", -60),
    ("cl.16", 3, 2, "power", 20), ("fig03", 3, 1, "power", -20),
])
def test_claims_fail_where_the_curves_do(simulated, claim, figure, graph, column, change):
    """The checks are not empty: a spoiled curve is found out."""
    spoiled = simulated.copy()
    here = (spoiled["figure"] == figure) & (spoiled["graph"] == graph)
    inner = here & spoiled["power"].between(1, 99) & (spoiled["step"] > 0)
    if claim == "fig03":
        inner &= spoiled["step"] % 2 == 0
    spoiled.loc[inner, column] += change
    rows = figures_2_to_4.ledger_rows(spoiled).set_index("id")["rebuilt"]
    assert not rows[f"bouckaert2005.{claim}"]
    as_it_is = figures_2_to_4.ledger_rows(simulated).set_index("id")["rebuilt"]
    assert as_it_is[f"bouckaert2005.{claim}"]


def test_simulation_is_within_noise_of_the_limits(simulated):
    """Mean squares near 1: the limit holds at a thousand instances."""
    table = figures_2_to_4.agreement_with_limits(simulated)
    mean_squares = table.filter(like="N = ")
    assert len(table) == 9 and mean_squares.shape[1] == 3
    assert (mean_squares < 3).all(axis=None) and 0.7 < mean_squares.mean(axis=None) < 1.3


def test_limit_curves_are_those_of_the_designs():
    curves = figures_2_to_4.limit_curves([1000], most=10)
    row = curves.query("figure == 2 and graph == 1").iloc[100]
    difference = 0.05
    shift = np.sqrt(1000 / (0.5 - difference**2)) * difference
    assert row["difference"] == pytest.approx(5)
    assert row["power"] == pytest.approx(100 * designs.power(designs.Resampling(100), shift))


def test_samples_required_reach_their_target_and_no_fewer_do():
    for row in section_5.samples_required((30, 60)).itertuples():
        worst = [
            200 * designs.worst_case(designs.Resampling(n))[1] - 100
            for n in (row.samples - 1, row.samples)
        ]
        assert worst[0] < row.target <= worst[1]


# ------------------------------------------------------------------ prices


def test_frontier_rises_and_the_cheapest_is_on_it():
    frontier = section_5.frontier(most=200)
    for _, members in frontier.groupby("family"):
        assert members["worst_case"].is_monotonic_increasing
    cheapest = section_5.cheapest(frontier, (50, 99))
    assert cheapest.loc["10-fold cross-validation", "50 %"] == 20
    assert cheapest["99 %"].isna().all() and pd.isna(cheapest.loc["McNemar", "50 %"])


def test_half_power_is_where_power_is_one_half():
    for design in (designs.McNemar(0.3), designs.CrossValidation(2)):
        shift = section_5.shift_at_half(design)
        assert designs.power(design, shift) == pytest.approx(0.5, abs=1e-9)
