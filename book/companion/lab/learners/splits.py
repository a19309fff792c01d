"""Checks of the splits of a data set into training and test rows."""

import numpy as np
from numpy.typing import ArrayLike

from replib.validation import rectangular_array


def checked_folds(test_folds: ArrayLike, n_rows: int) -> np.ndarray:
    """Return the folds in which rows are test rows, whole numbers from 0, shape (..., n_rows).

    Raises
    ------
    ValueError
        If they are not such numbers, of one run or several, or a fold has all rows or none.
    """
    folds = rectangular_array("test_folds", test_folds)
    if folds.ndim not in (1, 2) or folds.shape[-1] != n_rows:
        raise ValueError(
            f"test_folds must have shape (runs, {n_rows}) or ({n_rows},), not {folds.shape}"
        )
    if folds.dtype.kind not in "iu" or folds.size == 0 or folds.min() < 0:
        raise ValueError("test_folds must hold whole numbers of at least 0, of one run or more")
    folds, n_folds = np.ascontiguousarray(folds, dtype=np.int64), int(folds.max()) + 1
    if n_folds == 1:
        raise ValueError("test_folds has one fold only; at least two are needed")
    runs = np.arange(folds.size // n_rows)[:, None]
    sizes = np.bincount((folds + n_folds * runs).ravel(), minlength=n_folds * len(runs))
    if not sizes.all():
        raise ValueError("a split has no test row in test_folds")
    return folds


def masks_of_folds(folds: np.ndarray) -> np.ndarray:
    """Return the test rows of each fold, a mask of shape (..., folds, n_rows)."""
    return folds[..., None, :] == np.arange(folds.max() + 1)[:, None]


def checked_splits(test: ArrayLike, n_rows: int) -> np.ndarray:
    """Return masks of test rows, shape (..., n_rows), of splits that train on all others.

    Raises
    ------
    ValueError
        If they are not such masks, or a split has no test row or no training row.
    """
    test = checked_masks("test", test, n_rows)
    checked_masks("train", ~test, n_rows)
    return test


def checked_masks(name: str, masks: ArrayLike, n_rows: int) -> np.ndarray:
    """Return sets of rows, none of them empty, as masks of shape (..., n_rows)."""
    rows = rectangular_array(name, masks)
    if rows.dtype != bool or rows.ndim == 0 or rows.shape[-1] != n_rows:
        raise ValueError(
            f"{name} must be boolean with {n_rows} entries along its last axis, "
            f"but has shape {rows.shape} and dtype {rows.dtype}"
        )
    if not rows.any(axis=-1).all():
        raise ValueError(f"a split has no {name} row")
    return rows
