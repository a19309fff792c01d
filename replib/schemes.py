r"""Sampling schemes: from the differences of repeated cross-validation to a sample.

An experiment of Bouckaert (2004, Section 2) has a *scheme*, which makes a sample of the accuracy
differences :math:`\hat x_{ij}` of run i and fold j, and a *test*, which turns it into a decision.
:func:`sample` does the first step, :func:`replib.methods.decide` both.
"""

import numpy as np
from numpy.typing import ArrayLike

from replib._validation import Array, check_choice, without_rounding_noise
from replib.significance.samples import finite_scores

SCHEMES = (
    "resampling",
    "k_fold",
    "use_all_data",
    "average_over_folds",
    "average_over_runs",
    "average_over_sorted_runs",
)


def sample(differences: ArrayLike, *, scheme: str) -> Array:
    r"""Make the sample of a scheme from a block of differences (Bouckaert 2004, Section 2.1).

    ==========================  =======  ==========================================================
    scheme                      size     value i
    ==========================  =======  ==========================================================
    "resampling"                runs     first fold of run i: a fresh random split each time
    "k_fold"                    folds    fold i of the first run
    "use_all_data"              both     every difference, run by run within fold by fold
    "average_over_folds"        runs     mean of run i
    "average_over_runs"         folds    mean of the folds numbered i
    "average_over_sorted_runs"  folds    mean of the i-th highest differences of each run
    ==========================  =======  ==========================================================

    Parameters
    ----------
    differences : array_like, shape (..., runs, folds)
        Scores of A minus scores of B, in any unit.
    scheme : str
        One of `SCHEMES`.

    Returns
    -------
    ndarray, shape (..., n)
        The sample, with n as in the table ("both": runs times folds).  An average that
        is only rounding noise compared with the differences is exactly 0.

    Raises
    ------
    ValueError
        If the scheme is unknown, or the axis of runs or of folds is missing or empty.

    Notes
    -----
    The paper orders "use all data" as :math:`x_i = \hat x_{i \bmod r, \lceil i/r \rceil}`, which
    gives run 0 when r divides i; here it is read as run :math:`((i-1) \bmod r) + 1`.

    Averaging over folds can be degenerate.  If folds of equal size share a fixed set of
    wins and losses, as with classifiers that do not depend on the training data, every
    run has the same mean, and the sample has no variance.

    Examples
    --------
    >>> block = [[3.0, -1.0, 1.0], [2.0, 4.0, 0.0]]
    >>> sample(block, scheme="use_all_data").tolist()
    [3.0, 2.0, -1.0, 4.0, 1.0, 0.0]
    >>> sample(block, scheme="average_over_runs").tolist()
    [2.5, 1.5, 0.5]
    >>> sample(block, scheme="average_over_sorted_runs").tolist()
    [3.5, 1.5, -0.5]
    """
    check_choice("scheme", scheme, SCHEMES)
    block = finite_scores("differences", differences, runs=1, folds=1)
    match scheme:
        case "resampling":
            return block[..., :, 0].copy()
        case "k_fold":
            return block[..., 0, :].copy()
        case "use_all_data":
            runs, folds = block.shape[-2:]
            return block.swapaxes(-1, -2).reshape(*block.shape[:-2], runs * folds)
        case "average_over_folds":
            means = block.mean(axis=-1)
        case "average_over_runs":
            means = block.mean(axis=-2)
        case "average_over_sorted_runs":
            descending = np.sort(block, axis=-1)[..., ::-1]
            means = descending.mean(axis=-2)
    largest = np.abs(block).max(axis=(-2, -1))
    return without_rounding_noise(means, largest[..., np.newaxis])
