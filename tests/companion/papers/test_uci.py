"""Experiments on the UCI data sets: exact distributions, calibration of the verdicts."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from companion import stored
from companion.lab import datasets
from companion.lab.experiments.on_datasets import LEARNERS
from companion.papers import ledger, published, uci
from companion.papers.bouckaert_frank2004 import neighbours
from replib import replicability

RATES = pd.Series(np.linspace(0, 1, 27), index=[f"d{i}" for i in range(27)])
COLUMN = RATES.to_numpy()[:, np.newaxis]


def test_summaries_are_those_of_the_estimators():
    accepted = pd.DataFrame(np.random.default_rng(2).integers(0, 11, (27, 4)))
    ours = uci.summaries(accepted)
    for table in accepted:
        same = np.maximum(accepted[table], 10 - accepted[table])
        r = np.mean(replicability.r2_from_counts(accepted[table], 10))
        assert tuple(ours.loc[table]) == ((same == 10).sum(), (same >= 9).sum(), r)
    judged = uci.judged_summaries(accepted)
    assert np.allclose(judged["rebuilt"], ours.mean())
    # against tables drawn from the same frequencies: 4000 give a deviation to 1.1 %,
    # four times that; a deviation 6% off is found with probability 0.9
    drawn = uci.summaries(uci.simulated_tables(accepted, 4000, seed=3)).std(ddof=1)
    assert np.allclose(judged["published_error"], drawn, rtol=0.045)
    assert np.allclose(judged["standard_error"], judged["published_error"] / 2)
    count = np.arange(28)
    for measure in ("consistent", "almost_consistent"):
        law = judged.at[measure, "law"]
        expected = uci.expected_summaries(accepted.mean(axis=1) / 10).loc[measure]
        variance = law @ count**2 - expected["mean"] ** 2
        assert np.isclose(law @ count, expected["mean"])
        assert np.isclose(variance, expected["deviation"] ** 2)


def test_expected_summaries_by_enumeration():
    """All counts of two data sets, weighted with their probabilities."""
    p = pd.Series([0.3, 0.95])
    outcomes = list(product(range(11), repeat=2))
    weight = np.prod([stats.binom.pmf(pair, 10, p) for pair in outcomes], axis=1)
    values = uci.summaries(pd.DataFrame(outcomes).T)
    mean = weight @ values
    deviation = np.sqrt(weight @ (values - mean) ** 2)
    ours = uci.expected_summaries(p)
    assert np.allclose(ours["mean"], mean, rtol=1e-12)
    assert np.allclose(ours["deviation"], deviation, rtol=1e-10)


def test_chance_of_summaries_by_enumeration():
    """All tables of two data sets, weighted with their beta-binomial probabilities."""
    accepted = pd.DataFrame([[10, 9, 10], [4, 6, 1]])
    outcomes = list(product(range(11), repeat=2))
    laws = [stats.betabinom(10, x + 0.5, 30 - x + 0.5) for x in (29, 11)]
    weight = np.array([laws[0].pmf(a) * laws[1].pmf(b) for a, b in outcomes])
    values = uci.summaries(pd.DataFrame(outcomes).T)
    printed = {"consistent": 1, "almost_consistent": 0, "replicability_R": 0.722}
    chance = uci.chance_of_summaries(accepted, pd.Series(printed))
    for measure, value in printed.items():
        rounded = values[measure].round(3).to_numpy()
        at_most = weight[rounded <= value].sum()
        at_least = weight[rounded >= value].sum()
        assert np.isclose(chance[measure], min(1, 2 * min(at_most, at_least)))


def test_cell_of_a_binomial():
    accepted = pd.DataFrame([[10, 9, 10], [0, 0, 0]])
    cells = uci.cells(accepted)
    assert np.allclose(cells["probability"], [30 / 32, 1 / 32])
    variances = [10 * 30 * 2 / 32**2, 10 * 31 / 32**2]
    assert np.allclose(cells["published_error"] ** 2, variances)
    assert np.allclose(cells["standard_error"], cells["published_error"] / np.sqrt(3))


@pytest.mark.slow
def test_verdict_on_cells_is_calibrated():
    """Tables from the same experiments are outside as rarely as a binomial has such tails.

    Exact tail probabilities at the true rates, smoothing and all; 400 pairs of our 200
    experiments and a printed cell each.  The observed number is within four standard
    deviations.
    """
    rng = np.random.default_rng(3)
    outside = expected = variance = 0.0
    count = np.arange(11)
    for _ in range(400):
        ours = pd.DataFrame(rng.binomial(10, COLUMN, (27, 20)), index=RATES.index)
        judged = uci.cells(ours)
        theirs = pd.DataFrame(rng.binomial(10, RATES), index=RATES.index)
        outside += uci.chance_of_disagreement(judged, theirs).sum()
        x = ours.sum(axis=1).to_numpy()[:, None]
        law = stats.betabinom(10, x + 1, 200 - x + 1)
        is_outside = 2 * np.minimum(law.cdf(count), law.sf(count - 1)) < ledger.LEVEL
        tail = (is_outside * stats.binom.pmf(count, 10, COLUMN)).sum(axis=1)
        expected += tail.sum()
        variance += (tail * (1 - tail)).sum()
    assert abs(outside - expected) <= 4 * np.sqrt(variance)
    assert 0 < outside < 0.0027 * 27 * 400 * 3


def test_ledger_and_chance_have_one_rule():
    """A cell is outside for `chance_of_disagreement` if and only if the ledger says "differs"."""
    ids = [f"bouckaert_frank2004.tab01.d{d:02d}.draws_nb_c45" for d in range(1, 28)]
    printed = pd.Series([published.value(i) for i in ids])
    accepted = pd.DataFrame(np.random.default_rng(4).binomial(10, COLUMN, (27, 20)))
    judged = uci.cells(accepted)
    shares = uci.chance_of_disagreement(judged, printed.to_frame())
    verdicts = ledger.compare(judged.assign(id=ids), chapter="uci_tests")["verdict"]
    assert ((verdicts == "differs").to_numpy() == (shares == 1).to_numpy()).all()
    assert 0 < (shares == 1).sum() < 27


def test_chance_of_disagreement_of_summaries():
    """Another 4000 tables from the same rates are outside as often as the first 4000."""
    accepted = pd.DataFrame(np.random.default_rng(5).binomial(10, COLUMN, (27, 20)))
    judged = uci.judged_summaries(accepted)

    def chance(seed):
        summaries = uci.summaries(uci.simulated_tables(accepted, 4000, seed=seed)).T
        return uci.chance_of_disagreement(judged, summaries)

    first = chance(6)
    second = chance(7)
    error = np.sqrt((first * (1 - first) + second * (1 - second)) / 4000)
    assert first.sum() > 0
    assert (np.abs(first - second) <= 4 * error).all()
    counts = ["consistent", "almost_consistent"]
    assert (first[counts] <= ledger.LEVEL + 4 * np.sqrt(ledger.LEVEL / 4000)).all()


def test_distances_by_hand():
    frame = pd.DataFrame(
        {
            "id": list("abc"),
            "printed": [10.0, 4.0, 1.0],
            "rebuilt": [5.0, 4.0, 6.0],
            "standard_error": [3.0, 1.0, 0.0],
            "published_error": [4.0, 1.0, 2.5],
        }
    )
    assert uci.distance(frame).tolist() == [1.0, 0.0, -2.0]
    beside = uci.beside_the_first_neighbour(frame, frame.assign(rebuilt=1.0), max_z=1.5)
    assert beside.index.tolist() == ["c"] and beside["first", "z"].tolist() == [0.0]


#: A cell of each pair of learners.
CELLS = [f"bouckaert_frank2004.tab01.d01.draws_{pair}" for pair in uci.PAIRS]


@pytest.mark.parametrize(
    "first, vote, expected",
    [
        (True, True, ["within noise"] * 3),
        (True, False, ["within noise", "within noise", "explained"]),
        (False, True, ["differs"] * 3),
        (False, False, ["differs"] * 3),
    ],
)
def test_the_neighbour_explains_only_the_pair_that_it_was_chosen_on(
    first, vote, expected
):
    printed = published.facts().loc[CELLS, "value"]
    frame = pd.DataFrame({"id": CELLS, "pair": list(uci.PAIRS), "standard_error": 0.1})
    of = lambda agrees: frame.assign(rebuilt=printed.to_numpy() + (0 if agrees else 5))
    rows = uci.judged(of(first), of(vote))
    judged = ledger.compare(rows, chapter="any")
    assert judged["id"].tolist() == CELLS
    assert judged["verdict"].tolist() == expected
    if first:
        assert judged["reading"].tolist() == ["printed", "inferred", "inferred"]
    else:
        beside = judged["note"].str.contains("neighbours vote").tolist()
        assert beside == [False, True, True]


@pytest.mark.slow
def test_the_choice_of_the_neighbour_is_made_on_one_pair_of_learners():
    """By the printed counts of C4.5 and the nearest neighbour; the other pair is only judged."""
    results = {name: stored.load(name) for name in neighbours.NEEDS}
    found = neighbours.evidence(results)["both"]
    chosen = found.xs(uci.CHOSEN_ON, level="pair")
    # a likelihood ratio of a thousand: seven orders of magnitude stand against three
    assert chosen[neighbours.IB1] - chosen[neighbours.IBK] > 3
    judged = uci.as_judged(results)
    for split in ("uci_five_by_two_cv", "uci_cross_validation"):
        iris, ib1 = judged[split]["iris"], results[f"{split}_weka_order"]["iris"]
        assert np.array_equal(iris.counts[..., 2], ib1.counts[..., 0])
    assert (
        judged["uci_cross_validation_first_neighbour"]
        is results["uci_cross_validation_first_neighbour"]
    )


@pytest.fixture
def weka(shared, monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(shared / "uci"))


def test_the_first_neighbour_has_the_splits_of_the_others(weka):
    """Where no two training rows are alike, all neighbours agree on every split."""
    for split in ("uci_cross_validation", "uci_resampling"):
        shuffled = uci.experiment(split, "sonar", neighbour="first_neighbour")
        parameters = {**shuffled.parameters, "runs": 1}
        first = replace(shuffled, parameters=parameters).replication(3)
        voting = {**parameters, "learners": LEARNERS, "shuffled": False}
        vote = replace(shuffled, parameters=voting).replication(3)
        assert np.array_equal(first[..., 0], vote[..., 2])
