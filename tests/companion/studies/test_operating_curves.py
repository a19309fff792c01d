"""Operating curves: Mann and Whitney, equivalent tests, variances that are known."""

import numpy as np
from scipy import stats

from companion.papers import dependence
from companion.studies import operating_curves


def test_type_1_error_follows_from_two_variances():
    """On Task I both variances are known; 20,000 blocks estimate their ratio to about 1.5%.

    Four times that is allowed; a ratio off by 8% is found with probability 0.9.
    """
    block = dependence.task_1_differences(20000, instances=304)  # folds of two sizes
    ours = operating_curves.type_1_from_variances(block)
    exact = (
        dependence.expected_variances().query("test == 'paired_t'").set_index("scheme")
    )
    near = ours.loc[["resampling", "k_fold", "use_all_data", "average_over_runs"]]
    assert (abs(near["ratio"] / exact["ratio"].loc[near.index] - 1) < 0.06).all()
    assert (near["predicted"] - near["observed"]).abs().max() < 2


def test_the_area_under_an_operating_curve_is_the_mann_whitney_probability():
    rng = np.random.default_rng(6)
    null, values = rng.uniform(size=300), rng.beta(0.4, 1, size=200)
    type_1, power = operating_curves._curve(null, values)
    assert (type_1[0], power[0], type_1[-1], power[-1]) == (0, 0, 1, 1)
    assert (np.diff(type_1) >= 0).all() and (np.diff(power) >= 0).all()
    greater = stats.mannwhitneyu(null, values).statistic / (300 * 200)
    assert np.isclose(np.trapezoid(power, type_1), greater)


def test_power_at_equal_type_1_error_of_equivalent_tests():
    """The corrected t is a multiple of the t of the same differences: calibrated, they are one."""
    rng = np.random.default_rng(7)
    shift = {1: 0.0, 2: 0.2, 3: 0.4, 4: 0.8}
    differences = {
        source: rng.normal(mu, 1, size=(400, 10, 10)) for source, mu in shift.items()
    }
    frame = operating_curves.power_at_equal_type_1(
        differences, ["use_all_data.paired_t", "corrected_repeated_cv"], resamples=20
    )
    plain, corrected = (rows for _, rows in frame.groupby("design", sort=False))
    assert np.allclose(plain["value"], corrected["value"])
    assert (plain["nominal"].to_numpy() < corrected["nominal"].to_numpy()).all()
    # at the level that it needs, the plain test has the Type I error and the power that
    # are given
    level = plain["nominal"].iloc[0] / 100
    at = operating_curves.operating_points(
        differences, ["use_all_data.paired_t"], level
    ).iloc[0]
    assert abs(at["type_1"] - 5) < 1 and abs(at["power"] - plain["value"].iloc[0]) < 1


def test_spread_of_runs_by_hand():
    """Two runs of two folds: differences 0, 4 and 2, 8 points have variances 8 and, by run, 4.5."""
    frame = operating_curves.spread_of_runs(
        {3: np.array([[[0.0, 0.04], [0.02, 0.08]]])}
    )
    assert np.allclose(frame.loc[3] ** 2, [8, 4.5])
