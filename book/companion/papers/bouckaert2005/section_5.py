"""Sections 4.4 and 5: the design to choose for a given number of trainings.

Holds in the limit of large data sets and without learning
(`companion.papers.bouckaert2005.models`), where a larger test share has no effect on
training.  Replicabilities are normalised, in percent.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
from scipy import special
from scipy.optimize import brentq

from companion.papers.bouckaert2005 import models
from companion.papers.bouckaert2005.section_4 import percent


def frontier(
    *,
    test_fraction: float = 0.1,
    folds: int = 10,
    alpha: float = 0.05,
    most: int = 1000,
) -> pd.DataFrame:
    """Trainings and worst case of five families of designs.

    Columns `family`, `size` (test share in percent, samples or runs), `trainings` of
    each learner, `type1_error`, `type1_replicability`, `worst_case`, and `shift`: the
    standardised difference that is detected with probability one half.
    """
    counts = [
        n
        for n in (
            2,
            3,
            5,
            7,
            10,
            15,
            20,
            30,
            50,
            70,
            100,
            150,
            200,
            300,
            500,
            700,
            1000,
        )
        if n <= most
    ]
    runs = [
        n for n in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100) if n * folds <= most
    ]
    families = {
        "McNemar": [(100 * t, models.McNemar(t)) for t in (0.1, 0.2, 1 / 3, 0.5)],
        f"resampling, {100 * test_fraction:.0f}% for testing": [
            (n, models.Resampling(n, test_fraction)) for n in counts
        ],
        "resampling, 50% for testing": [(n, models.Resampling(n, 0.5)) for n in counts],
        f"{folds}-fold cross-validation": [
            (n, models.CrossValidation(n, folds)) for n in runs
        ],
        f"{folds}-fold, sorted": [
            (n, models.SortedCrossValidation(n, folds)) for n in runs
        ],
    }
    return pd.DataFrame(
        [
            {
                "family": family,
                "size": size,
                "trainings": design.trainings,
                **limits(design, alpha=alpha),
                "shift": shift_at_half(design, alpha=alpha),
            }
            for family, members in families.items()
            for size, design in members
        ]
    )


def limits(design: models.Model, *, alpha: float = 0.05) -> dict[str, float]:
    """Return Type I error, Type I replicability and worst case of a design, for large data."""
    return {
        "type1_error": 100 * models.power(design, 0, alpha=alpha),
        "type1_replicability": percent(models.replicability(design, 0, alpha=alpha)),
        "worst_case": percent(models.worst_case(design, alpha=alpha)[1]),
    }


def shift_at_half(design: models.Model, *, alpha: float = 0.05) -> float:
    """Return the standardised difference that a design detects with probability one half."""

    def excess(shift: float) -> float:
        return models.power(design, shift, alpha=alpha) - 0.5

    farthest = 60.0
    while excess(farthest) < 0:
        farthest *= 2
    return float(brentq(excess, 0, farthest))


def cheapest(
    frontier: pd.DataFrame, targets: Sequence[float] = (25, 50, 75, 90)
) -> pd.DataFrame:
    """Find the fewest trainings with which each family of `frontier` reaches a worst case.

    One row per family, one column per target; missing where no design of the family
    reaches it.
    """
    least = {}
    for target in targets:
        reached = frontier[frontier["worst_case"] >= target]
        least[f"{target}%"] = reached.groupby("family")["trainings"].min()
    return pd.DataFrame(least).reindex(frontier["family"].unique()).astype("Int64")


def samples_required(targets: Sequence[float] = (30, 50, 70, 90)) -> pd.DataFrame:
    """Find the samples of a tenth that reach a worst case (normalised, percent), in the limit.

    Columns `target`, `samples`, `per_point` (additional samples per point of the
    target).
    """

    def worst_case(samples: int) -> float:
        _, replicability = models.worst_case(models.Resampling(samples))
        return percent(replicability)

    possible = range(2, 4096)
    least = [2 + bisect_left(possible, t, key=worst_case) for t in targets]
    frame = pd.DataFrame({"target": targets, "samples": least})
    return frame.assign(per_point=frame["samples"].diff() / frame["target"].diff())


@cache
def samples_of_the_plateau(gain: float = 5.0, *, alpha: float = 0.05) -> int:
    """Find the least multiple of five samples of a tenth beyond which more add little power.

    Little is less than `gain` points.
    """
    shift = np.linspace(0, 6, 121)
    z = -special.ndtri(alpha / 2)
    # the limit of many samples: a test of the mean difference over all test sets
    power_of_all = special.ndtr(shift - z) + special.ndtr(-shift - z)
    for samples in range(5, 1000, 5):
        power = models.power(models.Resampling(samples), shift, alpha=alpha)
        if 100 * (power_of_all - power).max() < gain:
            return samples
    raise AssertionError("a thousand samples are enough for any gain above 2 points")
