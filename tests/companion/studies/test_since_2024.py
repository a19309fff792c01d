"""Split halves and the run on networks: by hand, with the package of SHARP, and plain learners."""

import numpy as np
import pytest
import sharp_cv
from sklearn.naive_bayes import BernoulliNB

from companion import stored
from companion.studies.since_2024 import experiments, halves, learning_curves
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
