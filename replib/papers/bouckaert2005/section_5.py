"""Sections 4.4 and 5: which design to take for how many trainings.

In the limit of large data sets and without learning (`replib.theory.designs`), so that a test share
costs nothing but what it leaves for training.  Replicabilities are normalised, in percent.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from replib.papers.bouckaert2005.section_4 import percent
from replib.theory import designs


def frontier(
    *, test_fraction: float = 0.1, folds: int = 10, alpha: float = 0.05, most: int = 1000,
) -> pd.DataFrame:
    """Trainings spent against the worst case, for five families of designs.

    Columns `family`, `size` (test share in percent, samples or runs), `trainings` of each learner,
    `worst_case`, `type1_error`, `type1_replicability`, and `shift`: the standardised difference that
    is found with probability one half.
    """
    counts = [n for n in (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
              if n <= most]
    runs = [n for n in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100) if n * folds <= most]
    families = {
        "McNemar": [(100 * t, designs.McNemar(t)) for t in (0.1, 0.2, 1 / 3, 0.5)],
        f"resampling, {100 * test_fraction:.0f} % for testing": [
            (n, designs.Resampling(n, test_fraction)) for n in counts
        ],
        "resampling, 50 % for testing": [(n, designs.Resampling(n, 0.5)) for n in counts],
        f"{folds}-fold cross-validation": [(n, designs.CrossValidation(n, folds)) for n in runs],
        f"{folds}-fold, sorted": [(n, designs.SortedCrossValidation(n, folds)) for n in runs],
    }
    rows = []
    for family, members in families.items():
        for size, design in members:
            rows.append({
                "family": family, "size": size, "trainings": design.trainings,
                "worst_case": percent(designs.worst_case(design, alpha=alpha)[1]),
                "type1_error": 100 * designs.power(design, 0, alpha=alpha),
                "type1_replicability": percent(designs.replicability(design, 0, alpha=alpha)),
                "shift": shift_at_half(design, alpha=alpha),
            })
    return pd.DataFrame(rows)


def shift_at_half(design: designs.Design, *, alpha: float = 0.05) -> float:
    """The standardised difference that a design finds with probability one half."""
    grid = np.arange(0, 40, 0.02)
    return float(np.interp(0.5, designs.power(design, grid, alpha=alpha), grid))


def cheapest(
    frontier: pd.DataFrame, targets: Sequence[float] = (25, 50, 75, 90)
) -> pd.DataFrame:
    """Least trainings of each family of `frontier` that reach a worst case: a row a family, a column a
    target; missing where none of the family does.
    """
    enough = {
        f"{target} %": frontier[frontier["worst_case"] >= target].groupby("family")["trainings"].min()
        for target in targets
    }
    return pd.DataFrame(enough).reindex(frontier["family"].unique()).astype("Int64")
