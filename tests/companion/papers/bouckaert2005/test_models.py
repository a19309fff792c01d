"""Limit laws of the models, against simulation, enumeration of tables and each other."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from companion.papers.bouckaert2005 import models
from replib import schemes
from replib.significance import corrected_resampled_t, paired_t

EVERY = [
    models.McNemar(0.1),
    models.Resampling(10),
    models.Resampling(100, 0.5),
    models.CrossValidation(1),
    models.CrossValidation(10, 5),
    models.SortedCrossValidation(1),
    models.SortedCrossValidation(10),
    models.MeanOverRuns(10),
]


def test_a_design_trains_once_for_each_of_its_test_sets():
    assert [design.trainings for design in EVERY] == [1, 10, 100, 10, 50, 10, 100, 100]


def simulated(design, mean, size, rng):
    """p-values of experiments on data sets of which the standardised difference is `mean`."""
    if isinstance(design, models.McNemar):
        t = design.test_fraction
        z = np.sqrt(t) * mean + np.sqrt(1 - t) * rng.standard_normal(size)
        return 2 * stats.norm.sf(abs(z))
    if isinstance(design, models.Resampling):
        ratio = design.test_fraction / (1 - design.test_fraction)
        x = mean + rng.standard_normal((size, design.samples)) / np.sqrt(ratio)
        return corrected_resampled_t(x, test_train_ratio=ratio).pvalue
    block = rng.standard_normal((size, design.runs, design.folds))
    block = mean + np.sqrt(design.folds) * (block - block.mean(axis=-1, keepdims=True))
    if isinstance(design, models.CrossValidation):
        ratio = 1 / (design.folds - 1)
        return corrected_resampled_t(
            block, test_train_ratio=ratio, axis=(-2, -1)
        ).pvalue
    scheme = (
        "average_over_runs"
        if isinstance(design, models.MeanOverRuns)
        else "average_over_sorted_runs"
    )
    return paired_t(schemes.sample(block, scheme=scheme)).pvalue


@pytest.mark.slow
@pytest.mark.parametrize("design", EVERY, ids=str)
def test_rejection_by_simulation_of_normal_differences(design):
    """4 standard errors, and 0.004 for the approximation of the sorted scheme.

    At most one other seed in 1000 fails; a rate off by 2.3 points is found with
    probability 0.9.
    """
    rng, size = np.random.default_rng(12), 20_000
    for mean in (0.0, 1.5, 2.5, 4.0):
        p = design.rejection(mean, alpha=0.1)
        share = (simulated(design, mean, size, rng) < 0.1).mean()
        assert abs(share - p) < 4 * np.sqrt(max(p * (1 - p), 1e-4) / size) + 0.004


@pytest.mark.parametrize("t", [0.01, 0.25, 0.5])
@pytest.mark.parametrize("samples", [2, 3, 10, 100, 500])
def test_resampling_is_a_noncentral_t(samples, t):
    """SciPy has NaN for the lower tail where that is negligible."""
    ratio = samples * t / (1 - t)
    critical = stats.t.isf(0.025, samples - 1) * np.sqrt(1 + ratio)
    for mean in (0.3, 1.0, 2.0, 4.0):
        law = stats.nct(samples - 1, mean * np.sqrt(ratio))
        expected = 1 - law.cdf(critical) + np.nan_to_num(law.cdf(-critical))
        assert models.Resampling(samples, t).rejection(mean) == pytest.approx(
            expected, abs=3e-10
        )


def test_two_test_sets_at_a_small_level_need_little_memory():
    """The threshold is 700 times the deviation: 1.7 GB at once would be too much."""
    mean = np.linspace(0, 70, 2500)
    tracemalloc.start()
    share = models.Resampling(2).rejection(mean, alpha=0.001)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e8
    ratio = 2 / 9
    critical = stats.t.isf(0.0005, 1) * np.sqrt(1 + ratio)
    for place in (0, 100, 1000, 2499):
        law = stats.nct(1, mean[place] * np.sqrt(ratio))
        expected = 1 - law.cdf(critical) + np.nan_to_num(law.cdf(-critical))
        assert share[place] == pytest.approx(expected, abs=3e-10)


def test_far_from_no_difference_rejection_is_certain_and_no_more():
    for samples in range(2, 60):
        assert 1 - 1e-11 < models.Resampling(samples).rejection(1e4) <= 1


@pytest.mark.parametrize("samples", [2, 10, 500])
@pytest.mark.parametrize("t", [0.1, 0.5])
def test_the_correction_of_nadeau_and_bengio_is_exact_without_learning(samples, t):
    """Random test sets correlate by tau: the size is the level."""
    assert models.power(models.Resampling(samples, t), 0, alpha=0.03) == pytest.approx(
        0.03
    )


def test_power_and_replicability_are_bounded_and_tied():
    shift = np.linspace(-5, 5, 21)
    for design in EVERY:
        power, r = (f(design, shift) for f in (models.power, models.replicability))
        assert_allclose(power, power[::-1], atol=1e-12)
        assert (r >= power**2 + (1 - power) ** 2 - 1e-12).all()  # Jensen
        assert (r <= 1).all() and (power <= 1).all()


def test_one_run_is_the_same_sorted_or_not():
    mean = np.linspace(0, 5, 11)
    assert_allclose(
        models.SortedCrossValidation(1).rejection(mean),
        models.MeanOverRuns(1).rejection(mean),
    )


@pytest.mark.slow
def test_more_samples_make_the_worst_case_better():
    for make in (
        models.Resampling,
        models.CrossValidation,
        models.SortedCrossValidation,
    ):
        r = [models.worst_case(make(j))[1] for j in (2, 10, 50, 200)]
        assert (np.diff(r) > 0).all()


def test_worst_case_of_mcnemar_is_the_arcsine():
    for t in (0.1, 1 / 3, 0.5):
        shift, r = models.worst_case(models.McNemar(t))
        assert r == pytest.approx(0.5 + np.arcsin(t) / np.pi, abs=2e-4)
        assert models.power(models.McNemar(t), shift) == pytest.approx(0.5, abs=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "design, alpha, farthest",
    [
        (models.McNemar(0.2), 0.4, 10),
        (models.CrossValidation(1, 2), 0.4, 10),
        (models.McNemar(0.2), 0.01, 60),
        (models.CrossValidation(1, 2), 0.01, 600),
    ],
    ids=str,
)
def test_no_shift_is_worse_than_the_worst_case(design, alpha, farthest):
    shifts = np.linspace(0, farthest, 1201)
    r = models.replicability(design, shifts, alpha=alpha)
    shift, worst = models.worst_case(design, alpha=alpha)
    assert worst <= r.min() + 1e-12
    assert worst == pytest.approx(r.min(), abs=1e-5)  # r is flat at its minimum
    assert shift == pytest.approx(shifts[r.argmin()], abs=farthest / 1200)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: models.McNemar(1.0), "test_fraction"),
        (lambda: models.Resampling(1), "samples"),
        (lambda: models.CrossValidation(0), "runs"),
        (lambda: models.SortedCrossValidation(1, 1), "folds"),
        (
            lambda: models.worst_case(models.CrossValidation(1, 2), alpha=1e-5),
            "alpha = 1e-05 is too",
        ),
        (
            lambda: models.power(models.McNemar(), 10_000.5),
            "shift must be numbers from -10000 to",
        ),
        (
            lambda: models.McNemar().rejection(20_000.5),
            "mean must be numbers from -20000 to 20000",
        ),
    ],
)
def test_values_outside_the_range_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
