"""The border model: a data set is reduced to its distance from the border of a decision.

Distances are in standard deviations of a run.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from companion.studies.adaptive_design.rules import SEED
from replib import adaptive, replicability


def border_course(
    distance: float, max_runs: int, *, walks: int = 4000, seed: int = SEED
) -> adaptive.Course:
    """Simulate experiments on a data set that is reduced to its distance from the border.

    Each run contributes a normal number with mean `distance` and standard deviation 1;
    the null hypothesis is rejected while their mean is positive.

    The course has the shape (walks, max_runs) and no p-values.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    noise = rng.standard_normal((walks, max_runs))
    runs = np.arange(1, max_runs + 1)
    mean = noise.cumsum(axis=1) / runs
    squares = np.maximum((noise**2).cumsum(axis=1) - runs * mean**2, 0)
    deviation = np.sqrt(squares / np.maximum(runs - 1, 1))
    deviation[:, 0] = np.inf
    margin = mean + distance
    decision = (margin > 0).astype(np.int8)
    confidence = adaptive.confidence_of_forecast(margin, deviation, runs, max_runs)
    no_pvalue = np.full(margin.shape, np.nan)
    return adaptive.Course(
        decision, no_pvalue, decision, confidence, margin, deviation, max_runs
    )


def border(
    rule: str,
    levels: Sequence[float],
    max_runs: int,
    *,
    distances: Sequence[float],
    min_runs: int = 3,
    walks: int = 4000,
    seed: int = SEED,
) -> pd.DataFrame:
    """Return cost and disagreement of a rule with itself, by distance from the border.

    Columns `level`, `distance`; `runs` (mean); `rejects`; `disagree`, probability that
    two experiments decide differently (unbiased); and `not_as_all`, share whose
    decision differs from that of all runs.
    """
    rows = []
    for distance in distances:
        course = border_course(distance, max_runs, walks=walks, seed=seed)
        decision_of_all_runs = course.decision[:, -1]
        for level in levels:
            stopped = adaptive.stop(course, level, rule=rule, min_runs=min_runs)
            rejects = stopped.decision != 0
            row = {
                "level": level,
                "distance": distance,
                "runs": stopped.runs.mean(),
                "rejects": rejects.mean(),
                "disagree": 1 - replicability.r2_from_counts((~rejects).sum(), walks),
                "not_as_all": (stopped.decision != decision_of_all_runs).mean(),
            }
            rows.append(row)
    return pd.DataFrame(rows)


def prices(
    max_runs: Sequence[int],
    confidences: Sequence[float],
    density: float,
    *,
    min_runs: int = 3,
    walks: int = 1000,
    seed: int = SEED,
) -> pd.DataFrame:
    r"""Return the cost of replicability where data sets are spread evenly about the border.

    Let a share f of the data sets lie in each unit of distance.  Then f times the
    integral over all distances of the probability of disagreement is the share of pairs
    that disagree, and the mean cost is `min_runs` plus f times the integral of the runs
    beyond them.  A fixed design of r runs disagrees with probability
    :math:`2\Phi(\delta\sqrt r)\,\Phi(-\delta\sqrt r)`, whose integral is
    :math:`2/\sqrt{\pi r}`.

    Columns `max_runs`, `confidence`; `runs` (mean cost) and `disagree` (percent) of the
    curtailed design; `fixed`, the runs of a fixed design that disagrees as often.
    """
    rows = []
    for most in max_runs:
        # dense where walks of that length are undecided, and as far out as Student's t
        # with so few runs can make any rule wait
        distances = np.concatenate([[0], np.geomspace(0.1 / np.sqrt(most), 30, 40)])
        table = border(
            "curtailed",
            confidences,
            most,
            distances=distances,
            min_runs=min_runs,
            walks=walks,
            seed=seed,
        )
        least = min(min_runs, most)
        for confidence, group in table.groupby("level"):
            disagree = density * _integral(group["disagree"], distances)
            extra = density * _integral(group["runs"] - least, distances)
            row = {
                "max_runs": most,
                "confidence": confidence,
                "runs": least + extra,
                "disagree": 100 * disagree,
                "fixed": 4 * density**2 / (np.pi * disagree**2),
            }
            rows.append(row)
    return pd.DataFrame(rows)


def _integral(values: pd.Series, distances: np.ndarray) -> float:
    """Integrate over the distances on both sides of the border, which are alike."""
    return 2 * float(np.trapezoid(values, distances))


def disagreement_of_fixed(density: float, runs: np.ndarray) -> np.ndarray:
    r"""Return the percentage of pairs of fixed designs that disagree, as in `prices`.

    It is :math:`2f/\sqrt{\pi r}` with density f and r runs.
    """
    return 200 * density / np.sqrt(np.pi * np.asarray(runs, dtype=float))


def density_at_border(fixed: pd.DataFrame) -> float:
    """Return the share of all data sets in a unit of distance about the border.

    A least-squares fit of :func:`disagreement_of_fixed`.
    """
    unit = disagreement_of_fixed(1.0, fixed["level"])
    return float(unit @ fixed["disagree"] / (unit @ unit))
