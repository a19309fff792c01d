"""Repeated split halves: which instances each model of SHARP learns from, and is tested on."""

from typing import NamedTuple

import numpy as np

from companion.lab.experiments.splits import stratified_folds

#: Repetitions that the authors of SHARP recommend, and folds inside each half.
REPETITIONS = 30
INNER_FOLDS = 5


class Halves(NamedTuple):
    """Repeated divisions of a data set.

    Attributes
    ----------
    half : ndarray of int, shape (repetitions, n)
        0 or 1 for each instance.
    fold : ndarray of int, shape (repetitions, n)
        The fold of each instance inside its half.
    """

    half: np.ndarray
    fold: np.ndarray

    def test_sets(self) -> np.ndarray:
        """Return masks of the test sets, shape (repetitions * 2 * INNER_FOLDS, n)."""
        return self._masks(self._part == np.arange(2 * INNER_FOLDS)[:, np.newaxis])

    def training_sets(self) -> np.ndarray:
        """Return masks of the training sets: the other folds of the same half."""
        part = np.arange(2 * INNER_FOLDS)[:, np.newaxis]
        in_half = self.half[:, np.newaxis] == part // INNER_FOLDS
        return self._masks(in_half & (self._part != part))

    def means(self, right: np.ndarray) -> np.ndarray:
        """Average over the instances of each fold, then over the folds of each half.

        `right` has the shape (..., repetitions, n), and the means have the shape
        (..., repetitions, 2).
        """
        part = np.arange(2 * INNER_FOLDS)[:, np.newaxis]
        is_in_part = (self._part == part).astype(float)
        sums = np.einsum("...rn,rpn->...rp", right.astype(float), is_in_part)
        of_folds = sums / is_in_part.sum(axis=-1)
        return of_folds.reshape(*of_folds.shape[:-1], 2, INNER_FOLDS).mean(axis=-1)

    @property
    def _part(self) -> np.ndarray:
        return (INNER_FOLDS * self.half + self.fold)[:, np.newaxis]

    def _masks(self, masks: np.ndarray) -> np.ndarray:
        return masks.reshape(-1, masks.shape[-1])


def stratified_halves(
    labels: np.ndarray, rng: np.random.Generator, repetitions: int
) -> Halves:
    """Divide instances into halves, and each half into folds, with their shares of each class.

    >>> labels = np.array([0, 1] * 10)
    >>> halves = stratified_halves(labels, np.random.default_rng(1), 3)
    >>> halves.test_sets().sum(axis=1).tolist() == [2] * 30
    True
    >>> halves.training_sets().sum(axis=1).tolist() == [8] * 30
    True
    """
    half = stratified_folds(labels, 2, rng, runs=repetitions)
    classes = labels.max() + 1
    # the instances of a half are dealt one class after the other
    fold = [
        stratified_folds(of_half * classes + labels, INNER_FOLDS, rng)
        for of_half in half
    ]
    return Halves(half, np.stack(fold))
