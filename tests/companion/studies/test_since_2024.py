"""Split halves and the run on networks: by hand, with the package of SHARP, and plain learners."""

import numpy as np
import pytest
import sharp_cv
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from companion import stored
from companion.studies.correlation_map import distribution
from companion.studies.correlation_map import experiments as the_map
from companion.studies.since_2024 import (
    experiments,
    halves,
    learning_curves,
    levels_on_the_map,
    on_the_map,
)
from companion.studies.since_the_papers import experiments as bench
from replib import significance

SEED = 3


@pytest.mark.parametrize("n", [40, 57, 100])
def test_halves_share_no_instance_and_folds_divide_them(n):
    labels = np.random.default_rng(1).integers(0, 2, n)
    divided = halves.stratified_halves(labels, np.random.default_rng(2), 4)
    test = divided.test_sets().reshape(4, 2, halves.INNER_FOLDS, n)
    train = divided.training_sets().reshape(test.shape)
    assert (test.sum(axis=(1, 2)) == 1).all()  # each instance is tested once
    assert not (test & train).any()
    in_half = test.any(axis=2)
    assert (in_half[:, :, np.newaxis] == (test | train)).all()
    assert (np.abs(in_half.sum(axis=-1) - n / 2) < 1).all()
    assert np.ptp(test.sum(axis=-1)) <= 2
    for kind in (0, 1):
        of_class = (in_half & (labels == kind)).sum(axis=-1)
        assert np.ptp(of_class) <= 1


def test_halves_are_drawn_again_in_each_repetition():
    labels = np.zeros(60, dtype=int)
    divided = halves.stratified_halves(labels, np.random.default_rng(2), 50)
    assert len({tuple(half) for half in divided.half}) == 50
    # two halves of different repetitions share half of their instances on average
    shared = np.mean([divided.half[0] == half for half in divided.half[1:]])
    assert abs(shared - 0.5) < 0.05


def test_means_are_over_folds_then_over_halves():
    labels = np.array([0, 1] * 11)  # halves of 11: folds of two and of three
    divided = halves.stratified_halves(labels, np.random.default_rng(2), 3)
    right = np.random.default_rng(3).integers(0, 2, (3, 22))
    by_hand = [
        [
            np.mean(
                [
                    right[r, (divided.half[r] == h) & (divided.fold[r] == f)].mean()
                    for f in range(halves.INNER_FOLDS)
                ]
            )
            for h in (0, 1)
        ]
        for r in range(3)
    ]
    assert divided.means(right) == pytest.approx(np.array(by_hand))


@pytest.fixture(scope="module")
def collected():
    """One experiment on a data set of a network, and the splits that it used."""
    data = bench.drawn(np.random.default_rng(SEED), "source2.0", 60)
    evidence = experiments.evidence(data, np.random.default_rng(SEED), 1)
    return data, evidence


def test_naive_bayes_in_halves_is_that_of_scikit_learn(collected):
    data, _ = collected
    labels, columns = bench.network_of("source2.0").sample(
        60, np.random.default_rng(SEED)
    )
    assert (labels == data.labels).all()
    _, of_halves = np.random.default_rng(SEED).spawn(2)
    divided = halves.stratified_halves(labels, of_halves, experiments.REPETITIONS)
    train, test = divided.training_sets()[7], divided.test_sets()[7]
    alone = data.hits(
        experiments.pack_masks(test[np.newaxis]),
        np.array([0]),
        experiments.pack_masks(train[np.newaxis]),
    )[list(data.pairs).index("learner 0"), 0, test]
    # both smooth by one count for each value
    plain = BernoulliNB(alpha=1.0).fit(columns.T[train], labels[train])
    score = plain.predict_joint_log_proba(columns.T[test])
    is_clear = np.abs(np.diff(score, axis=1)[:, 0]) > 0.1
    right = plain.predict(columns.T[test]) == labels[test]
    assert (alone.astype(bool) == right)[is_clear].all()
    assert is_clear.sum() > 3


def test_each_method_is_the_test_that_it_names(collected):
    _, evidence = collected
    signed = {
        name: method.signed(evidence) for name, method in experiments.METHODS.items()
    }
    for runs in (1, 2, 10, 30):
        centre, reach = signed[f"corrected_t_{runs}"]
        test = significance.corrected_resampled_t(
            evidence.block[..., :runs, :], test_train_ratio=1 / 9, axis=(-2, -1)
        )
        low, high = test.confidence_interval()
        assert centre - reach == pytest.approx(low)
        assert centre + reach == pytest.approx(high)
    for repetitions in (10, 30):
        centre, reach = signed[f"sharp_{repetitions}"]
        for pair in range(experiments.PAIRS):
            x = evidence.halves[pair, 0, :repetitions]
            _, pvalue = sharp_cv.sharp_test(x)
            assert (np.abs(centre[pair, 0]) > reach[pair, 0]) == (pvalue < 0.05)
    centre, reach = signed["clt_conservative"]
    plain = significance.cv_clt(evidence.hits)
    assert centre == pytest.approx(plain.estimate)
    assert (reach > 1.95 * plain.standard_error).all()  # never narrower


def test_trainings_are_counted():
    sharp = 2 * halves.INNER_FOLDS
    each = {"corrected_t": 10, "sorted": 10, "sharp": sharp}
    for name, method in experiments.METHODS.items():
        kind, _, number = name.rpartition("_")
        if kind in each:
            assert method.trainings == each[kind] * int(number)
    assert experiments.METHODS["clt_conservative"].trainings == experiments.FOLDS


@pytest.mark.slow
def test_the_stored_widths_are_those_of_today():
    assert "identical" in stored.spot_check("since_2024", 1, rng=1)


def test_learning_curves_cross_where_the_truth_at_two_sizes_has_two_signs():
    table = learning_curves.directions(stored.load("since_2024"))
    assert len(table) == 30 * experiments.PAIRS
    for row in table.itertuples():
        small, all_data = (
            bench.truth(row.source, n)[list(bench.pairs_of(row.source)).index(row.pair)]
            for n in (learning_curves.SMALL, experiments.INSTANCES)
        )
        assert row.crosses == (small * all_data < 0)
    crossing = table[table["crosses"]]
    assert crossing["sharp_30_worse"].mean() > crossing["sharp_30_better"].mean()
    assert table["corrected_t_30_worse"].mean() < table["corrected_t_30_better"].mean()


# ------------------------------------------------------------------ on the map


def test_the_three_populations_are_the_first_of_their_kinds():
    chosen = on_the_map.populations()
    listed = [name for name in the_map.POPULATIONS if name in chosen]
    assert listed == chosen
    kinds = (the_map.GENERATED, the_map.FINITE)
    for kind, name in zip(kinds, chosen[1:]):
        assert name == next(iter(kind))
    assert not {*chosen} & {*the_map.NETWORKS, *the_map.TWINS}
    # the first in the list that is neither a network nor of another kind
    others = {*the_map.NETWORKS, *the_map.TWINS, *kinds[0], *kinds[1]}
    assert chosen[0] == next(name for name in the_map.POPULATIONS if name not in others)


def test_correct_predictions_in_halves_are_those_of_scikit_learn():
    options = dict(population="moons", instances=40, learners=["naive Bayes"])
    counts = on_the_map.correct_in_halves(np.random.default_rng(SEED), **options)
    rng = np.random.default_rng(SEED)
    X, classes = the_map.POPULATIONS["moons"]("moons", rng, 40)
    y = np.unique(classes, return_inverse=True)[1]
    divided = halves.stratified_halves(y, rng, halves.REPETITIONS)
    shape = (halves.REPETITIONS, 2, halves.INNER_FOLDS, 40)
    test = divided.test_sets().reshape(shape)
    train = divided.training_sets().reshape(shape)
    for repetition, half in ((0, 0), (7, 1)):
        right = 0
        for fitted, tested in zip(train[repetition, half], test[repetition, half]):
            model = GaussianNB().fit(X[fitted], y[fitted])
            right += int((model.predict(X[tested]) == y[tested]).sum())
        assert counts[repetition, half, 0] == right


@pytest.mark.parametrize("fraction", [0.0, 0.3])
def test_moved_differences_scatter_about_zero_as_new_data_sets_would(fraction):
    rng = np.random.default_rng(SEED)
    of_data_sets = rng.normal(0, np.sqrt(1 - fraction), (2000, 1, 1))
    x = 5 + of_data_sets + rng.normal(0, 1, (2000, 10, 2))
    moved = levels_on_the_map.with_mean_zero(x, fraction)
    means = moved.mean(axis=(-2, -1))
    assert means.mean() == pytest.approx(0, abs=1e-12)
    assert means.var() == pytest.approx(1 + 1 / 20, rel=0.08)
    # what happens inside a data set is left alone
    inside = x - x.mean(axis=(-2, -1), keepdims=True)
    assert moved - means[:, np.newaxis, np.newaxis] == pytest.approx(inside)


def test_levels_on_the_map_are_rejections_of_the_mean_by_hand():
    results = stored.load("sharp_on_the_map")
    result = results[f"{on_the_map.populations()[0]} n={on_the_map.INSTANCES}"]
    pairs = levels_on_the_map.pairs_on_map(result)
    learners = result.experiment.parameters["learners"]
    a, b = (learners.index(pairs.at[5, side]) for side in "ab")
    counts = result.counts.astype(int)
    x = (counts[..., a] - counts[..., b]) / (on_the_map.INSTANCES / 2)
    means = x.mean(axis=(1, 2))
    away = (means - means.mean()) * np.sqrt(len(x) / (len(x) - 1))
    rejected = [
        sharp_cv.sharp_test(block - mean + distance)[1] < 0.05
        for block, mean, distance in zip(x, means, away)
    ]
    found = levels_on_the_map.rejections(result, halves.REPETITIONS)
    assert found[5].tolist() == rejected
    table = levels_on_the_map.levels(results).set_index(["population", "a", "b"])
    key = (result.experiment.parameters["population"], *pairs.loc[5, ["a", "b"]])
    assert table.at[key, "level"] == np.mean(rejected)


def test_the_table_compares_the_same_pairs():
    results = stored.load("sharp_on_the_map")
    table = levels_on_the_map.table(results)
    assert table.index.tolist() == [*on_the_map.populations(), "all"]
    levels = levels_on_the_map.levels(results).groupby("population")["level"].mean()
    map_ = distribution.read().query(f"n == {on_the_map.INSTANCES}")
    for population in on_the_map.populations():
        row = table.loc[population]
        assert row["SHARP, 30 repetitions"] == pytest.approx(100 * levels[population])
        of_map = map_[map_["population"] == population]
        assert row["pairs"] == len(of_map)
        of_t = distribution.level(of_map, experiments.RUNS, distribution.ASSUMED)
        assert row["corrected t, 30 runs"] == pytest.approx(100 * of_t.mean())
