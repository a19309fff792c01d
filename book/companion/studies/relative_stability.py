"""Two stable learners whose difference is not: soft thresholding with two neighbouring penalties.

After Bayle, Janson and Mackey (2025, arXiv 2508.04409).  Least squares coefficients are
moved towards zero by a threshold.  Each learner alone hardly changes when one instance
does.  The difference of two such learners is much smaller than either loss, and changes
with one instance by as much as it varies.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from companion.lab.experiments.splits import fold_sizes
from replib.significance import corrected_resampled_t, cv_clt
from replib.significance.results import MeanTestResult

#: True coefficients: a sparse linear model, with normal noise of variance 1.
COEFFICIENTS = np.array([3.0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
FOLDS = 10


def soft_thresholded(coefficients: np.ndarray, threshold: float) -> np.ndarray:
    """Move coefficients towards zero by a threshold, and no further.

    >>> soft_thresholded(np.array([3.0, -0.5]), 1.0).tolist()
    [2.0, -0.0]
    """
    return np.sign(coefficients) * np.maximum(np.abs(coefficients) - threshold, 0)


def losses(
    rng: np.random.Generator, instances: int, penalties: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Cross-validate learners on a data set.

    Returns
    -------
    ndarray, shape (penalties, FOLDS, instances / FOLDS)
        The squared error on each instance, which must divide into folds.
    ndarray, shape (penalties,)
        The true mean squared error of the fitted models, averaged over folds.
    """
    X = rng.normal(size=(FOLDS, instances // FOLDS, len(COEFFICIENTS)))
    y = X @ COEFFICIENTS + rng.normal(size=X.shape[:2])
    squares = X.swapaxes(-1, -2) @ X
    products = (y[..., np.newaxis] * X).sum(axis=1)
    # without one fold
    fitted = np.linalg.solve(
        squares.sum(axis=0) - squares,
        (products.sum(axis=0) - products)[..., np.newaxis],
    )[..., 0]
    trained_on = instances - instances // FOLDS
    models = np.stack(
        [soft_thresholded(fitted, penalty / trained_on) for penalty in penalties]
    )
    errors = y - np.einsum("fip,lfp->lfi", X, models)
    true = 1 + ((models - COEFFICIENTS) ** 2).sum(axis=-1)
    return errors**2, true.mean(axis=-1)


def coverage(instances: int, *, datasets: int, rng: np.random.Generator) -> pd.Series:
    """Share of 95% intervals that cover their target, and its standard error (``_error``).

    ``one learner`` and ``difference`` are intervals of the central limit theorem for
    the fitted models, with the penalty √n and for √n against √n + 1; ``conservative``
    adds the standard deviations of both learners; ``corrected t`` is about the
    learners: its target is the mean difference over all data sets.
    """
    assert instances % FOLDS == 0 and len(set(fold_sizes(instances, FOLDS))) == 1
    penalty = np.sqrt(instances)
    parts = [losses(rng, instances, (penalty, penalty + 1)) for _ in range(datasets)]
    of_instances = np.stack([part for part, _ in parts])
    true = np.stack([part for _, part in parts])
    of_all = of_instances.reshape(datasets, 2, -1)
    difference = of_instances[:, 0] - of_instances[:, 1]
    of_models = true[:, 0] - true[:, 1]
    spread = of_all.std(axis=-1).sum(axis=-1) / np.sqrt(instances)
    distance = np.abs(difference.mean(axis=(1, 2)) - of_models)
    of_folds = corrected_resampled_t(
        difference.mean(axis=-1), test_train_ratio=1 / (FOLDS - 1)
    )
    covered = {
        "one learner": _covers(cv_clt(of_all[:, 0]), true[:, 0]),
        "difference": _covers(cv_clt(difference, axis=(-2, -1)), of_models),
        "conservative": distance <= 1.96 * spread,
        "corrected t": _covers(of_folds, of_models.mean()),
    }
    shares = pd.Series({name: np.mean(value) for name, value in covered.items()})
    errors = np.sqrt(shares * (1 - shares) / datasets)
    return pd.concat([shares, errors.add_suffix("_error")])


def _covers(result: MeanTestResult, target: np.ndarray | float) -> np.ndarray:
    low, high = result.confidence_interval()
    return (low <= target) & (target <= high)
