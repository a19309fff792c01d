"""The sweeps: their identity in exact fractions, their counts one test after another, their claims."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replib import replicability
from replib.experiments import engine
from replib.papers import ledger, networks, published, stored
from replib.papers.bouckaert2004 import sweeps
from replib.papers.topics import many_comparisons

SMALL = {"instances": 60, "experiments": 4, "folds": 5}
CHANCES = st.lists(st.fractions(0, 1, max_denominator=20), min_size=1, max_size=6)


@given(chances=CHANCES)
def test_replicability_is_made_of_the_rate_and_the_correlation(chances):
    """By enumerating the decisions of two experiments on every data set, in exact fractions."""
    joint = {
        outcome: sum(
            (p if outcome[0] else 1 - p) * (p if outcome[1] else 1 - p) for p in chances
        ) / Fraction(len(chances))
        for outcome in ((0, 0), (0, 1), (1, 0), (1, 1))
    }
    agree = joint[0, 0] + joint[1, 1]
    rate = joint[1, 0] + joint[1, 1]
    found = sweeps.correlation(float(100 * rate), float(100 * (2 * agree - 1)))
    if 0 < rate < 1:
        exact = (joint[1, 1] - rate**2) / (rate * (1 - rate))
        assert found == pytest.approx(float(exact), abs=1e-9)
        assert 2 * agree - 1 == 1 - 4 * rate * (1 - rate) * (1 - exact)
    else:
        assert found == 1


@pytest.fixture(scope="module")
def made_up():
    """A sweep of runs with known chances of rejection, on many data sets of two networks."""
    rng = np.random.default_rng(3)
    chances = {"1": [0.05, 0.05, 0.05], "2": [0.5, 0.3, 0.1]}
    results = {}
    for source, by_value in chances.items():
        p = np.array(by_value)[:, None, None] * np.ones((len(by_value), 1, len(sweeps.DESIGNS)))
        rejected = rng.binomial(sweeps.EXPERIMENTS, np.broadcast_to(p, (2000, 2, *p.shape)))
        counts = np.stack(
            [rejected, sweeps.EXPERIMENTS - rejected, np.zeros_like(rejected)], axis=-1
        )
        experiment = engine.Experiment(
            "replib.papers.networks.experiments:decisions_over_grid", seed=1,
            parameters={"experiments": sweeps.EXPERIMENTS, "runs": [10, 20, 30]},
        )
        results[f"source{source}"] = engine.Replications(experiment, counts, {})
    return sweeps.scores("runs", results), chances


def test_summaries_find_the_chances(made_up):
    scored, chances = made_up
    found = sweeps.summary(scored).set_index(["source", "value", "test"])
    for source, by_value in chances.items():
        for value, p in zip((10, 20, 30), by_value):
            rows = found.loc[(source, value)]
            # 30 settings in all: five standard errors are exceeded once in 10^5 runs
            assert (abs(rows["rejected"] - 100 * p) < 5 * rows["rejected_error"]).all()
            expected = 100 * (1 - 2 * p) ** 2
            assert (abs(rows["replicability"] - expected) < 5 * rows["replicability_error"]).all()
            # the chance is the same on all data sets, so the error is that of R2 by Theorem 3.1
            r = (1 + (1 - 2 * p) ** 2) / 2
            error = 200 * np.sqrt(replicability.r2_variance(r, 10) / 4000)
            assert np.allclose(rows["replicability_error"], error, rtol=0.12)
            assert (rows["data_sets"] == 4000).all()


def test_directions_and_steps(made_up):
    scored, _ = made_up
    found = sweeps.directions(scored).set_index(["source", "test"])["direction"]
    assert (found.loc["2"] == "rises").all()  # from 0 % at p = 0.5 up to 64 % at p = 0.1
    assert (found.loc["all"] == "rises").all()
    assert (found.loc["1"] == "unclear").all()  # nothing moves
    backwards = scored.assign(value=-scored["value"]).iloc[::-1]
    found = sweeps.directions(backwards).set_index(["source", "test"])["direction"]
    assert (found.loc["2"] == "falls").all()
    rows = sweeps.claims({"runs": scored, "class_probability": backwards}).set_index("id")
    assert rows.loc["bouckaert2004.cl.07", "rebuilt"]
    assert not rows.loc["bouckaert2004.cl.06", "rebuilt"]


def test_claimed_errors_of_made_up_blocks():
    """A bias that all folds of a data set share is in the true error, not in the claimed one."""
    rng = np.random.default_rng(8)
    shared = rng.normal(0, 2, (3000, 1, 1, 1, 1))
    counts = 20 + np.round(shared * (np.arange(6) == 0) + rng.normal(0, 2, (3000, 1, 4, 5, 6)))
    one = engine.Replications(sweeps.pairs_experiment("source1.0", 1), counts.astype(int), {})
    one.experiment.parameters["instances"] = 150
    found = sweeps.claimed_and_true_errors({"source1.0": one})
    # variances of a mean of 20 differences of counts, with that of rounding, in percent of 30 rows
    of_folds = 2 * (4 + 1 / 12) / 20
    for pair, row in found.iterrows():
        variance = of_folds + 4 * pair.startswith("NB")
        # 3000 data sets: a relative error of 1.3 %
        assert row["true"] == pytest.approx(np.sqrt(variance) * 100 / 30, rel=0.06)
        # the claimed error does not know of the bias; from sorted values it is rather too large
        assert row["claimed"] > 0.94 * np.sqrt(of_folds) * 100 / 30
        assert (row["ratio"] > 1.5) == pair.startswith("NB")


def test_channels_add_up(made_up):
    for row in sweeps.channels({"runs": made_up[0]}).itertuples():
        assert row.by_rejections + row.by_correlation == pytest.approx(row.change, abs=1e-9)
        assert row.start + row.change == pytest.approx(row.end)
        if row.source == "2":  # all data sets are alike: correlation has no part in it
            assert row.by_correlation == pytest.approx(0, abs=5 * row.standard_error)


def test_bound_on_the_type_1_error(made_up):
    scored, _ = made_up
    frames = dict.fromkeys(("runs", "class_probability"), scored)
    rows = sweeps.claims(frames).set_index("id")
    assert rows.loc["bouckaert2004.cl.08", "rebuilt"]
    too_many = scored.assign(rejected=scored["rejected"] + 2)
    frames["runs"] = too_many
    rows = sweeps.claims(frames).set_index("id")
    assert not rows.loc["bouckaert2004.cl.08", "rebuilt"]
    excess = rows.loc["bouckaert2004.txt.type1_excess"]
    assert excess["rebuilt"] == pytest.approx(2, abs=5 * excess["standard_error"] + 0.3)
    assert not excess["holds"]
    frame = ledger.compare(rows.reset_index(), chapter="what_moves_replicability")
    assert set(frame["id"]) <= set(published.facts().index)
    assert frame.set_index("id").loc["bouckaert2004.cl.08", "verdict"] == "differs"


def test_null_hypothesis_is_exactly_true_with_equal_classes_only():
    null = sweeps.null_hypothesis([0.5, 0.1], training_sets=20)
    assert null.loc[0.5, "difference"] == pytest.approx(0, abs=1e-10)
    assert null.loc[0.5, ["naive_bayes", "c45"]].tolist() == [100, 100]
    assert null.loc[0.1, "both"] <= null.loc[0.1, ["naive_bayes", "c45"]].min() <= 100


def test_values_of_a_sweep_have_the_same_random_numbers():
    a, b = (sweeps.experiment("class_probability", "2", (p,)) for p in (0.5, 0.1))
    assert (a.seed, a.stream) == (b.seed, b.stream)
    assert a.parameters["sources"][0] == {
        "network": "source2.0", "class_probabilities": [0.5, 0.5]
    }
    streams = [
        sweeps.experiment(name, source, sweep.values[:1]).stream
        for name, sweep in sweeps.SWEEPS.items() for source in sweep.sources
    ] + [sweeps.pairs_experiment(name, 10).stream for name in networks.names()]
    assert len(set(streams)) == len(streams)
    with pytest.raises(ValueError, match="must be one of"):
        sweeps.experiment("weather", "1", (1,))
    with pytest.raises(ValueError, match="must be one of"):
        sweeps.experiment("runs", "5", (1,))


@pytest.mark.parametrize("name", sweeps.SWEEPS)
def test_every_stored_experiment_has_an_outcome(name):
    for one in stored.load(f"sweep_{name}").values():
        assert (one.counts.sum(axis=-1) == sweeps.EXPERIMENTS).all()


def test_no_learner_is_right_more_often_than_there_are_instances():
    # ten stratified folds of 300 instances have 30 each
    assert all(one.counts.max() <= 30 for one in stored.load("sweep_pairs").values())


# ------------------------------------------------------------------ many learners, many data sets


@given(counts=st.lists(st.integers(0, 9), min_size=2, max_size=5), seed=st.integers(0, 99))
def test_outcomes_of_several_learners_by_hand(counts, seed):
    k = len(counts)
    p = np.random.default_rng(seed).random(k * (k - 1) // 2) ** 3
    pairs = many_comparisons.pairs(k)
    margin = np.array([counts[a] - counts[b] for a, b in pairs])
    found = many_comparisons.outcomes(margin, p, 0.3)
    top = [i for i in range(k) if counts[i] == max(counts)]
    assert found["best"] == (top[0] + 1 if len(top) == 1 else 0)
    winner = int(found["significantly_best"])
    rejected = np.zeros(len(p), dtype=bool)
    for place, pair in enumerate(np.argsort(p, kind="stable")):  # Holm's steps
        if not p[pair] * (len(p) - place) < 0.3:
            break
        rejected[pair] = True
    beats = [
        all(
            any(rejected[n] and {a, b} == {i, j} for n, (a, b) in enumerate(pairs))
            and counts[i] > counts[j] for j in range(k) if j != i
        ) for i in range(k)
    ]
    assert winner == (beats.index(True) + 1 if any(beats) else 0)


def test_rankings_have_codes_of_their_own():
    totals = np.array([[0, 1, 2], [0, 1, 1], [2, 1, 0], [1, 1, 1], [3, 5, 9], [0, 2, 1]])
    margin = np.stack([totals[:, a] - totals[:, b] for a, b in many_comparisons.pairs(3)], axis=-1)
    codes = many_comparisons.outcomes(margin, np.ones(margin.shape), 0.05)["ranking"]
    ranks = [tuple(stats.rankdata(row)) for row in totals]
    for i, j in combinations(range(len(totals)), 2):
        assert (codes[i] == codes[j]) == (ranks[i] == ranks[j])


@pytest.fixture(scope="module")
def papers():
    """Two hundred papers on the UCI data sets."""
    return stored.load("uci_cross_validation")


def test_uncorrected_lists_follow_from_their_data_sets(papers):
    """Data sets are independent, so the chance of the same list is a product."""
    lists = many_comparisons.lists_of_significant(papers, "nb_nn", corrections=["none"]).loc["none"]
    entries = many_comparisons.entries_by_dataset(papers, "nb_nn", corrections=["none"])["none"] / 100
    assert lists["listed"] == pytest.approx(entries.sum())
    product = np.prod(entries**2 + (1 - entries) ** 2)
    assert lists["same"] / 100 == pytest.approx(product, abs=5 * lists["same_error"] / 100)
    # one data set: nothing to correct
    one = many_comparisons.lists_by_number_of_datasets(papers, "nb_nn", [1], subsets=5)
    assert one.groupby("datasets")["same"].nunique().tolist() == [1]


def test_one_conclusion_from_all_data_sets():
    papers = stored.load("uci_cross_validation", size=20)
    found = many_comparisons.across_datasets(papers)
    commonest = round(0.2 * found.loc["order of average ranks", "share"])
    least = 100 * comb(commonest, 2) / comb(20, 2)  # of pairs that agree on the commonest order
    assert found.loc["order of average ranks", "replicability"] >= least - 1e-9
    correct = many_comparisons._correct(papers)
    ranks = np.array([
        [stats.rankdata(-row) for row in paper / np.ones(3)] for paper in correct
    ]).mean(axis=1)
    assert np.allclose(many_comparisons._average_ranks(correct), ranks)


@pytest.mark.parametrize(("sweep", "values", "source", "sentence"), [
    ("weather", [1], "2", "sweep must be one of 'alpha'"),
    ("class_cardinality", [2], "2", "must be one of '1', 'random', not '2'"),
    ("alpha", [0.05, 5], "2", "must be between 0 and 1, not"),
    ("runs", [2.5], "2", "must be whole numbers from 2 to 1000"),
    ("instances", [], "1", r"whole numbers from 20 to 100000, not \[\]"),
])
def test_a_sweep_of_the_reader_is_refused_at_once(sweep, values, source, sentence):
    with pytest.raises(ValueError, match=sentence):
        sweeps.live(sweep, values, source=source)
