"""The bench: its stored differences, and what it says of tests whose size is known."""

import numpy as np
import pytest

from companion.studies import bench
from companion.studies.since_the_papers import stored_differences
from replib import significance


def test_stored_differences_are_what_is_drawn_again():
    """Three of the data sets of each size, on both sides of the file."""
    rng = np.random.default_rng()  # others at each run
    with np.load(bench.FILE) as stored:
        for instances, numbers in stored_differences.DATASETS.items():
            for source in (1, 4, 2):
                number = numbers[source > 1]
                kept = stored[f"n{instances}_source{source}"]
                assert kept.shape == (10 * number, 2, 10, 10) and kept.dtype == np.int8
                network, index = rng.integers(10), rng.integers(number)
                drawn = stored_differences.differences(
                    f"source{source}.{network}", instances, int(index)
                )
                np.testing.assert_array_equal(kept[network * number + index], drawn)
    assert bench.FILE.stat().st_size <= 300_000


def test_a_test_that_does_not_look_has_its_own_size():
    """Uniform p-values: 10%, on ten networks and within 5.7 standard errors (t, one in 3,000).

    A size of 16% is found with probability 0.98 under the null, and 0.8 under the
    alternative.
    """
    rng = np.random.default_rng(6)
    row = bench.measure(lambda x: rng.random(), alpha=0.1)
    assert abs(row.type_1[0] - 10) < 5.7 * row.type_1[1]
    assert abs(row.power[0] - 10) < 5.7 * row.power[1]
    assert row.datasets == (1000, 600)
    expected = 100 * (2 * (0.1**2 + 0.9**2) - 1)
    assert (
        row.replicability[0] < expected + 5.7 * row.replicability[1]
    )  # the least of four


@pytest.mark.slow
@pytest.mark.parametrize("instances", [100, 300])
def test_own_test_is_measured_as_the_reference_is(instances):
    own = bench.measure(
        lambda x: significance.corrected_resampled_t(
            x, test_train_ratio=1 / 9, axis=(-2, -1)
        ),
        name="corrected t, 10 × 10 folds",
        instances=instances,
    )
    assert own in bench.references(instances, 0.05)
    assert (own.level(0.05), own.level(0.001)) == ("held", "not held")


def test_fewer_data_sets_are_the_first_of_each_network():
    seen = []
    row = bench.measure(lambda x: seen.append(x) or 0.5, datasets=1)
    assert row.datasets == (10, 30) and row.type_1[0] == 0
    with np.load(bench.FILE) as stored:
        first = stored["n300_source1"][::100, 0] / 30
    np.testing.assert_allclose(seen[:20:2], first)


def test_two_networks_by_hand():
    """Both experiments on a data set of the first network reject, and one of the second."""
    rejected = [np.array([[[True, True]], [[True, False]]])] * 4
    row = bench._row("by hand", rejected)
    assert row.type_1 == (75, 25) and row.replicability == (0, 100)
    assert row.power == (75, pytest.approx(25 / 3**0.5)) and row.datasets == (2, 6)


def test_a_p_value_that_is_not_defined_rejects_nothing():
    assert bench.measure(lambda x: np.float64("nan"), datasets=1).type_1 == (0, 0)


def test_a_test_cannot_spoil_the_differences():
    def spoils(x):
        x[:] = 0
        return 0.5

    assert bench.measure(spoils, datasets=1).type_1[0] == 0
    assert bench.differences_by_source(300)[0].any()
