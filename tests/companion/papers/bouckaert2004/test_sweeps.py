"""The sweeps: an identity in exact fractions, counts one test after another, claims."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import stored
from companion.lab.experiments import runner
from companion.papers import ledger, networks, published
from companion.papers.bouckaert2004.sweeps import claims, experiments, pairs, scores
from replib import replicability

CHANCES = st.lists(st.fractions(0, 1, max_denominator=20), min_size=1, max_size=6)


@given(chances=CHANCES)
def test_replicability_is_made_of_the_rate_and_the_correlation(chances):
    """Enumerates the decisions of two experiments on every data set, in exact fractions."""
    joint = {
        outcome: sum(
            (p if outcome[0] else 1 - p) * (p if outcome[1] else 1 - p) for p in chances
        )
        / Fraction(len(chances))
        for outcome in ((0, 0), (0, 1), (1, 0), (1, 1))
    }
    agree = joint[0, 0] + joint[1, 1]
    rate = joint[1, 0] + joint[1, 1]
    found = scores.correlation(float(100 * rate), float(100 * (2 * agree - 1)))
    if 0 < rate < 1:
        exact = (joint[1, 1] - rate**2) / (rate * (1 - rate))
        assert found == pytest.approx(float(exact), abs=1e-9)
        assert 2 * agree - 1 == 1 - 4 * rate * (1 - rate) * (1 - exact)
    else:
        assert found == 1


@pytest.fixture(scope="module")
def made_up():
    """A sweep of runs with known rejection probabilities, on many data sets of ten networks."""
    rng = np.random.default_rng(3)
    chances = {"1": [0.05, 0.05, 0.05], "2": [0.5, 0.3, 0.1]}
    results = {}
    for source, by_value in chances.items():
        ones = np.ones((len(by_value), 1, len(experiments.DESIGNS)))
        p = np.array(by_value)[:, None, None] * ones
        rejected = rng.binomial(
            experiments.EXPERIMENTS, np.broadcast_to(p, (200, 10, *p.shape))
        )
        counts = np.stack(
            [rejected, experiments.EXPERIMENTS - rejected, np.zeros_like(rejected)],
            axis=-1,
        )
        experiment = runner.Experiment(
            "companion.papers.networks.experiments:decisions_over_grid",
            seed=1,
            parameters={"experiments": experiments.EXPERIMENTS, "runs": [10, 20, 30]},
        )
        results[f"source{source}"] = runner.Replications(experiment, counts, {})
    return scores.scores("runs", results), chances


def test_summaries_find_the_chances(made_up):
    scored, chances = made_up
    found = scores.summary(scored).set_index(["source", "value", "test"])
    for source, by_value in chances.items():
        for value, p in zip((10, 20, 30), by_value):
            rows = found.loc[(source, value)]
            # 30 settings in all: five standard errors are exceeded once in 10^5 runs; a
            # rate that is 6.3 of them off is found with probability 0.9
            assert (abs(rows["rejected"] - 100 * p) < 5 * rows["rejected_error"]).all()
            expected = 100 * (1 - 2 * p) ** 2
            assert (
                abs(rows["replicability"] - expected) < 5 * rows["replicability_error"]
            ).all()
            # the chance is the same on all data sets, so the error is that of R2 by
            # Theorem 3.1
            r = (1 + (1 - 2 * p) ** 2) / 2
            error = 200 * np.sqrt(replicability.r2_variance(r, 10) / 2000)
            assert np.allclose(rows["replicability_error"], error, rtol=0.12)
            assert (rows["data_sets"] == 2000).all()


def test_directions_and_steps(made_up):
    scored, _ = made_up
    found = claims.directions(scored).set_index(["source", "test"])["direction"]
    assert (
        found.loc["2"] == "rises"
    ).all()  # from 0 % at p = 0.5 up to 64 % at p = 0.1
    assert (found.loc["all"] == "rises").all()
    assert (found.loc["1"] == "unclear").all()  # nothing moves
    backwards = scored.assign(value=-scored["value"]).iloc[::-1]
    found = claims.directions(backwards).set_index(["source", "test"])["direction"]
    assert (found.loc["2"] == "falls").all()
    rows = claims.claims({"runs": scored, "class_probability": backwards}).set_index(
        "id"
    )
    assert rows.loc["bouckaert2004.cl.07", "rebuilt"]
    assert not rows.loc["bouckaert2004.cl.06", "rebuilt"]
    assert rows.loc[
        "bouckaert2004.cl.24", "rebuilt"
    ]  # it falls, which is an impact, too
    rises = claims.networks_on_which_it_rises(scored)
    assert (
        rises.loc["2"].all()
        and not claims.networks_on_which_it_rises(backwards).loc["2"].any()
    )
    nothing = {"runs": scored, "class_probability": scored[scored["source"] == "1"]}
    rows = claims.claims(nothing).set_index("id")
    assert not rows.loc["bouckaert2004.cl.24", "rebuilt"]


def test_a_direction_is_one_of_networks_and_not_of_data_sets():
    """A change of -4 on half of ten networks and of 6 on the others may be none on the next."""
    place = pd.MultiIndex.from_product(
        [range(10), range(50), [10, 20]], names=["network", "data_set", "value"]
    )
    scored = place.to_frame(index=False).assign(
        source="1", test="paired_t", rejected=5.0
    )
    change = np.where(scored["network"] % 2, 6.0, -4.0)
    scored["replicability"] = 50 + change * (scored["value"] == 20)
    step = scores.steps(scored).iloc[-1]
    assert step["change"] == 1 and step["standard_error"] == pytest.approx(5 / 3)
    assert (claims.directions(scored)["direction"] == "unclear").all()
    scored["rejected"] += 2 + change
    errors = scores.type_1_errors({"runs": scores.summary(scored)})
    assert errors["excess"].tolist() == [3, 3] and np.allclose(
        errors["standard_error"], 5 / 3
    )


def test_claimed_errors_of_made_up_blocks():
    """A bias that all folds of a data set share is in the true error, not in the claimed one.

    A true error 8% off is found with probability 0.9.
    """
    rng = np.random.default_rng(8)
    shared = rng.normal(0, 2, (3000, 1, 1, 1, 1))
    counts = 20 + np.round(
        shared * (np.arange(6) == 0) + rng.normal(0, 2, (3000, 1, 4, 5, 6))
    )
    one = runner.Replications(
        experiments.pairs_experiment("source1.0", 1), counts.astype(int), {}
    )
    one.experiment.parameters["instances"] = 150
    found = pairs.claimed_and_true_errors({"source1.0": one})
    # variances of a mean of 20 differences of counts, with that of rounding, in percent
    # of 30 rows
    of_folds = 2 * (4 + 1 / 12) / 20
    for pair, row in found.iterrows():
        variance = of_folds + 4 * pair.startswith("NB")
        # 3000 data sets: a relative error of 1.3 %
        assert row["true"] == pytest.approx(np.sqrt(variance) * 100 / 30, rel=0.06)
        # the claimed error does not know of the bias; from sorted values it is rather
        # too large
        assert row["claimed"] > 0.94 * np.sqrt(of_folds) * 100 / 30
        assert (row["ratio"] > 1.5) == pair.startswith("NB")


def test_channels_add_up(made_up):
    for row in scores.channels({"runs": made_up[0]}).itertuples():
        assert row.by_rejections + row.by_correlation == pytest.approx(
            row.change, abs=1e-9
        )
        assert row.start + row.change == pytest.approx(row.end)
        if row.source == "2":  # all data sets are alike: correlation has no part in it
            assert row.by_correlation == pytest.approx(0, abs=5 * row.standard_error)


def test_bound_on_the_type_1_error(made_up):
    scored, _ = made_up
    frames = dict.fromkeys(("runs", "class_probability"), scored)
    rows = claims.claims(frames).set_index("id")
    assert rows.loc["bouckaert2004.cl.08", "rebuilt"]
    too_many = scored.assign(rejected=scored["rejected"] + 2)
    frames["runs"] = too_many
    rows = claims.claims(frames).set_index("id")
    assert not rows.loc["bouckaert2004.cl.08", "rebuilt"]
    assert not rows.loc["bouckaert2004.cl.18", "rebuilt"]  # runs
    assert rows.loc["bouckaert2004.cl.19", "rebuilt"]  # class probabilities
    excess = rows.loc["bouckaert2004.txt.type1_excess"]
    assert excess["rebuilt"] == pytest.approx(2, abs=5 * excess["standard_error"] + 0.3)
    assert not excess["holds"]
    frame = ledger.compare(rows.reset_index(), chapter="what_moves_replicability")
    assert set(frame["id"]) <= set(published.facts().index)
    assert frame.set_index("id").loc["bouckaert2004.cl.08", "verdict"] == "differs"


def test_null_hypothesis_is_exactly_true_with_equal_classes_only():
    null = scores.null_hypothesis([0.5, 0.1], training_sets=20)
    assert null.loc[0.5, "difference"] == pytest.approx(0, abs=1e-10)
    assert null.loc[0.5, ["naive_bayes", "c45"]].tolist() == [100, 100]
    assert null.loc[0.1, "both"] <= null.loc[0.1, ["naive_bayes", "c45"]].min() <= 100


def test_values_of_a_sweep_have_the_same_random_numbers():
    a, b = (experiments.experiment("class_probability", "2", (p,)) for p in (0.5, 0.1))
    assert (a.seed, a.stream) == (b.seed, b.stream)
    assert a.parameters["sources"][0] == {
        "network": "source2.0",
        "class_probabilities": [0.5, 0.5],
    }
    streams = [
        experiments.experiment(name, source, sweep.values[:1]).stream
        for name, sweep in experiments.SWEEPS.items()
        for source in sweep.sources
    ] + [experiments.pairs_experiment(name, 10).stream for name in networks.names()]
    assert len(set(streams)) == len(streams)
    with pytest.raises(ValueError, match="must be one of"):
        experiments.experiment("weather", "1", (1,))
    with pytest.raises(ValueError, match="must be one of"):
        experiments.experiment("runs", "5", (1,))


@pytest.mark.parametrize("name", experiments.SWEEPS)
def test_every_stored_experiment_has_an_outcome(name):
    for one in stored.load(f"sweep_{name}").values():
        assert (one.counts.sum(axis=-1) == experiments.EXPERIMENTS).all()


def test_no_learner_is_right_more_often_than_there_are_instances():
    # ten stratified folds of 300 instances have 30 each
    assert all(one.counts.max() <= 30 for one in stored.load("sweep_pairs").values())


@pytest.mark.parametrize(
    ("sweep", "values", "source", "sentence"),
    [
        ("weather", [1], "2", "sweep must be one of 'alpha'"),
        ("class_cardinality", [2], "2", "must be one of '1', 'random', not '2'"),
        ("alpha", [0.05, 5], "2", "must be between 0 and 1, not"),
        ("runs", [2.5], "2", "must be whole numbers from 2 to 1000"),
        ("instances", [], "1", r"whole numbers from 20 to 100000, not \[\]"),
    ],
)
def test_a_sweep_of_the_reader_is_refused_at_once(sweep, values, source, sentence):
    with pytest.raises(ValueError, match=sentence):
        experiments.live(sweep, values, source=source)
