"""Stored experiments on the UCI data sets: counts by hand, exact distributions, calibration."""

import warnings
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.tree import DecisionTreeClassifier

from replib import datasets, replicability, significance
from replib.experiments import engine
from replib.learners.scikit_learn import ScikitLearner, named_classifier
from replib.learners.table import Table
from replib.papers import bouckaert_frank2004, ledger, published, stored, uci

NAMES = ("iris", "labor")
RATES = pd.Series(np.linspace(0, 1, 27), index=[f"d{i}" for i in range(27)])
COLUMN = RATES.to_numpy()[:, np.newaxis]


@pytest.fixture
def made_up(monkeypatch):
    """Twenty experiments of every kind on two data sets, with made-up counts."""
    rng = np.random.default_rng(1)
    shapes = {
        "uci_five_by_two_cv": (20, 5, 2, 3), "uci_cross_validation": (20, 10, 10, 3),
        "uci_resampling": (20, 100, 3), "uci_stratified_resampling": (20, 100, 3),
    }
    results = {}
    for split, shape in shapes.items():
        results[split] = {}
        for name in NAMES:
            size = np.min(uci.test_sizes(split, name))
            counts = rng.binomial(size, [0.7, 0.75, 0.85], shape).astype(np.uint8)
            experiment = uci.experiment(split, name)
            results[split][name] = engine.Replications(experiment, counts, {})
    monkeypatch.setattr(stored, "_read", lambda name, folder: results[name])
    bouckaert_frank2004._acceptances.cache_clear()
    yield results
    bouckaert_frank2004._acceptances.cache_clear()


def plain_loop(results, test, pair, runs, alpha):
    """Acceptances of each ten experiments, one t test after another."""
    a, b = uci.PAIRS[pair]
    split = bouckaert_frank2004.TESTS[test]
    rows = {}
    for name, replications in results[split].items():
        accepted = []
        for counts in replications.counts:
            sizes = np.reshape(uci.test_sizes(split, name), -1)
            difference = (counts[..., a].astype(float) - counts[..., b]) / sizes
            sample = difference[:runs].ravel()
            if test == "five_by_two_cv":
                spread = np.mean([run.var(ddof=1) for run in difference])
                t, df = difference[0, 0] / np.sqrt(spread), 5
            else:
                ratio = 0 if test.startswith("plain") else 1 / 9
                n = len(sample)
                t, df = sample.mean() / np.sqrt((1 / n + ratio) * sample.var(ddof=1)), n - 1
            accepted.append(2 * stats.t.sf(abs(t), df) >= alpha)
        rows[name] = [sum(accepted[i:i + 10]) for i in range(0, len(accepted), 10)]
    return pd.DataFrame(rows).T


@pytest.mark.parametrize(("test", "runs"), [
    ("five_by_two_cv", None), ("resampling", 10), ("resampling", 100),
    ("stratified_resampling", 20), ("cross_validation", 1), ("cross_validation", 10),
    ("plain_cross_validation", 1), ("plain_cross_validation", 10),
])
def test_acceptances_are_those_of_one_test_after_another(made_up, test, runs):
    for pair, alpha in product(uci.PAIRS, (0.01, 0.05)):
        ours = bouckaert_frank2004.acceptances(test, pair, runs=runs, alpha=alpha)
        pd.testing.assert_frame_equal(
            ours, plain_loop(made_up, test, pair, runs, alpha), check_dtype=False
        )


def test_fewer_experiments_are_the_first_ones(made_up):
    all_tables = bouckaert_frank2004.acceptances("five_by_two_cv", "nb_nn")
    one = bouckaert_frank2004.acceptances("five_by_two_cv", "nb_nn", experiments=10)
    assert all_tables.shape == (2, 2)
    pd.testing.assert_frame_equal(one, all_tables[[0]])


def test_opposite_winners_by_hand(made_up):
    found = bouckaert_frank2004.opposite_winners(alpha=0.6)
    expected = 0
    for (a, b), (name, one) in product(uci.PAIRS.values(), made_up["uci_five_by_two_cv"].items()):
        accuracy = one.counts / uci.test_sizes("uci_five_by_two_cv", name)[:, None]
        for table in (accuracy[:10], accuracy[10:]):
            signs = set()
            for experiment in table:
                t, p = significance.five_by_two_cv_t(experiment[..., a] - experiment[..., b])
                signs.add(0 if p >= 0.6 else np.sign(t))
            expected += {1, -1} <= signs
    assert len(found) == expected > 0


def test_summaries_are_those_of_the_estimators(made_up):
    accepted = pd.DataFrame(np.random.default_rng(2).integers(0, 11, (27, 4)))
    ours = uci.summaries(accepted)
    for table in accepted:
        expected = replicability.consistency(accepted[table], 10)
        assert tuple(ours.loc[table]) == (
            expected.consistent, expected.almost_consistent, expected.replicability
        )
    judged = uci.judged_summaries(accepted)
    assert np.allclose(judged["rebuilt"], ours.mean())
    # against tables drawn from the same frequencies: 4000 give a deviation to 1.1 %, four times that
    drawn = uci.summaries(uci.simulated_tables(accepted, 4000, seed=3)).std(ddof=1)
    assert np.allclose(judged["published_error"], drawn, rtol=0.045)
    assert np.allclose(judged["standard_error"], judged["published_error"] / 2)


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


def test_cell_of_a_binomial():
    accepted = pd.DataFrame([[10, 9, 10], [0, 0, 0]])
    cells = uci.cells(accepted)
    assert np.allclose(cells["probability"], [30 / 32, 1 / 32])
    assert np.allclose(cells["published_error"] ** 2, [10 * 30 * 2 / 32**2, 10 * 31 / 32**2])
    assert np.allclose(cells["standard_error"], cells["published_error"] / np.sqrt(3))


def test_verdict_on_cells_is_calibrated():
    """Tables from the same experiments are outside as rarely as a binomial has such tails.

    Exact tail probabilities at the true rates, smoothing and all; 400 pairs of our 200 experiments
    and a printed cell each.  The observed number is within four standard deviations.
    """
    rng = np.random.default_rng(3)
    outside = expected = variance = 0.0
    count = np.arange(11)
    for _ in range(400):
        ours = pd.DataFrame(rng.binomial(10, COLUMN, (27, 20)), index=RATES.index)
        judged = uci.cells(ours)
        theirs = pd.DataFrame(rng.binomial(10, RATES), index=RATES.index)
        outside += uci.chance_of_disagreement(
            judged, theirs, max_z=ledger.MAX_Z, half_a_digit=0.5
        ).sum()
        allowed = ledger.MAX_Z * np.hypot(judged["standard_error"], judged["published_error"]) + 0.5
        distance = np.abs(count - judged["rebuilt"].to_numpy()[:, None])
        is_outside = distance > allowed.to_numpy()[:, None]
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
    shares = uci.chance_of_disagreement(
        judged, printed.to_frame(), max_z=ledger.MAX_Z, half_a_digit=0.5
    )
    verdicts = ledger.compare(judged.assign(id=ids), chapter="uci_tests")["verdict"]
    assert ((verdicts == "differs").to_numpy() == (shares == 1).to_numpy()).all()
    assert 0 < (shares == 1).sum() < 27


def test_chance_of_disagreement_of_summaries():
    """Another 4000 tables from the same rates fall as often outside as the first 4000."""
    accepted = pd.DataFrame(np.random.default_rng(5).binomial(10, COLUMN, (27, 20)))
    judged = uci.judged_summaries(accepted)
    options = {"max_z": 1.5, "half_a_digit": pd.Series([0.5, 0.5, 0.0005], index=judged.index)}
    first, second = (
        uci.chance_of_disagreement(
            judged, uci.summaries(uci.simulated_tables(accepted, 1000, seed=seed)).T, **options
        ) for seed in (6, 7)
    )
    error = np.sqrt((first * (1 - first) + second * (1 - second)) / 1000)
    assert (np.abs(first - second) <= 4 * error).all() and (first > 0).all()


def test_distances_by_hand():
    frame = pd.DataFrame({
        "id": list("abc"), "pair": ["nb_c45", "nb_nn", "c45_nn"], "printed": [10.0, 4.0, 1.0],
        "rebuilt": [5.0, 4.0, 6.0], "standard_error": [3.0, 1.0, 0.0],
        "published_error": [4.0, 1.0, 2.5],
    })
    assert bouckaert_frank2004.distances(frame)["z"].tolist() == [1.0, 0.0, -2.0]
    twice = bouckaert_frank2004.distances(frame, frame.assign(printed=frame["rebuilt"]))
    means = bouckaert_frank2004.mean_distances({"x": twice})
    assert means["x"].to_dict() == {"nb_c45": 0.5, "nb_nn": 0.0, "c45_nn": -1.0}


def test_every_row_of_table_1_has_its_own_data_set():
    sizes = bouckaert_frank2004.data_sets()
    assert len(sizes) == 81 and sizes["id"].is_unique
    instances = sizes[sizes["column"] == "instances"]
    assert (instances["printed"] == instances["rebuilt"]).all()
    different = sizes[sizes["printed"] != sizes["rebuilt"]]
    assert set(different["dataset"]) == {"arrhythmia", "credit-rating", "ecoli"}
    assert (different["printed"] - different["rebuilt"] == 1).all()
    verdicts = ledger.counts(ledger.compare(sizes, chapter="uci_tests"))
    assert verdicts.to_dict() == {"exact": 78, "erratum": 3}


def test_a_learner_of_scikit_learn_is_what_it_would_be_by_hand():
    rng = np.random.default_rng(8)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    y = np.where(X["a"] + X["b"] > 0, "yes", "no")
    ours = ScikitLearner("DecisionTreeClassifier").fit(X[:40], y[:40]).predict(X[40:])
    scaled = (X - X[:40].mean()) / X[:40].std(ddof=0)
    by_hand = DecisionTreeClassifier(random_state=0).fit(scaled[:40], y[:40]).predict(scaled[40:])
    assert ours.tolist() == by_hand.tolist()


def test_a_learner_of_scikit_learn_takes_missing_and_unseen_values():
    X = pd.DataFrame({
        "all missing in training": [np.nan] * 6 + [1.0, 2.0],
        "unseen": pd.Categorical(list("aabbab") + ["c", None], categories=list("abc")),
    })
    table = Table.from_frame(X, list("nnyyny") + ["y", "n"])
    learner = ScikitLearner("LogisticRegression").fit_table(table, np.arange(6))
    assert learner.predict_table(table, np.arange(6)).tolist() == [0, 0, 1, 1, 0, 1]
    assert learner.predict_table(table, np.array([6, 7])).shape == (2,)


def test_unknown_classifiers_are_refused():
    with pytest.raises(ValueError, match="no classifier 'Oracle'"):
        named_classifier("Oracle")
    with pytest.raises(ValueError, match="without arguments"):
        named_classifier("VotingClassifier")


def test_unknown_data_sets_are_refused():
    with pytest.raises(ValueError, match="no data set 'titanic'"):
        uci.fourth_learner("GaussianNB", ["iris", "titanic"])


@pytest.mark.parametrize("percent", [0, 100])
def test_a_split_needs_training_and_test_data(percent):
    with pytest.raises(ValueError, match=f"1 to 99 percent, not .*{percent}"):
        uci.acceptances_by_test_fraction("nb_c45", ["iris"], [10, percent])


@pytest.fixture
def weka(shared, monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(shared / "uci"))


def test_fourth_learner_has_the_splits_of_the_stored_experiments(weka):
    """The three learners beside it have the accuracies of the experiment as stored."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        ours = uci.fourth_learner("DecisionTreeClassifier", ["labor"], experiments=1)
    counts = uci.experiment("uci_cross_validation", "labor").replication(0)
    sizes = uci.test_sizes("uci_cross_validation", "labor")
    stored = 100 * (counts / sizes[:, None]).mean(axis=(0, 1))
    assert np.allclose(ours.loc["labor"].iloc[:3].astype(float), stored, rtol=1e-12)
    assert set(ours.loc["labor"].iloc[4:]) <= {0, 1}


def test_a_tenth_of_test_data_gives_the_stored_experiments(weka):
    """At 10 percent the acceptances are those that the book stores."""
    differences = uci.differences(
        stored.load("uci_resampling", size=uci.TABLE), "uci_resampling", "nb_c45"
    )
    expected = uci.acceptances(
        {"labor": differences["labor"]},
        lambda x: significance.corrected_resampled_t(x, test_train_ratio=1 / 9),
    )
    ours = uci.acceptances_by_test_fraction("nb_c45", ["labor"], [10, 50])
    assert ours.columns.tolist() == [10, 50]
    assert 0 < ours.loc["labor", 10] == expected.loc["labor", 0] < uci.TABLE


def test_the_first_neighbour_has_the_splits_of_the_others(weka):
    """Where no two training rows are alike, all neighbours agree on every split."""
    for split in ("uci_cross_validation", "uci_resampling"):
        shuffled = uci.experiment(split, "sonar", neighbour="first")
        parameters = {**shuffled.parameters, "runs": 1}
        first = replace(shuffled, parameters=parameters).replication(3)
        vote = replace(
            shuffled, parameters={**parameters, "learners": uci.LEARNERS, "shuffled": False}
        ).replication(3)
        assert np.array_equal(first[..., 0], vote[..., 2])
