"""Naive Bayes with normal densities, as R's package e1071 computes it."""

from math import log, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from companion.lab.learners.arrays import ArrayClassifier

# e1071 replaces a standard deviation or a density of 0 by this.
_IN_PLACE_OF_ZERO = 1e-3
# Beyond this many standard deviations from the mean, R's density loses digits and soon
# becomes 0.
_FAR = 37.0
_ZERO_DENSITY = sqrt(2 * log(2) * 1073)


class GaussianNaiveBayes(ArrayClassifier):
    r"""Naive Bayes classifier with a normal density for each feature and class.

    Agrees with ``naiveBayes`` of R's package e1071: standard deviations have the divisor
    :math:`n_c - 1`, priors are the shares of the classes, and nothing is smoothed.  A standard
    deviation of 0 is replaced by 0.001; so is a density that is 0 in double precision, which
    happens 38 standard deviations from the mean.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of int, shape (n_classes,)
        Training rows of each class.
    mean_, deviation_ : ndarray of shape (n_classes, n_features)
        Mean and standard deviation of each feature in each class; the standard
        deviation is NaN in a class with one row.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A class with a single training row has no standard deviation.  As in R it is never predicted;
    its probability, missing in R, is 0 here.

    The predicted class has the largest :math:`\log n_c + \sum_j \log f_{cj}(x_j)`, the
    first of several.

    References
    ----------
    D. Meyer, E. Dimitriadou, K. Hornik, A. Weingessel and F. Leisch. e1071: Misc Functions of the
    Department of Statistics, Probability Theory Group. R package, 2022.

    Examples
    --------
    >>> learner = GaussianNaiveBayes().fit([[1.0], [2.0], [3.0], [7.0], [9.0]], list("aaabb"))
    >>> learner.predict([[0.0], [4.0], [6.0]]).tolist()
    ['a', 'a', 'b']
    >>> learner.predict_proba([[4.0]]).round(3).tolist()
    [[0.94, 0.06]]
    """

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Compute the probability of each class.

        Parameters
        ----------
        X : array_like of float, shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of `classes_`; rows sum to 1.

        Raises
        ------
        ValueError
            If the shape differs from that in training, or a value is missing or
            infinite.
        """
        return softmax(self._log_joint(self._checked(X)), axis=1)

    def _learn(self, X: np.ndarray, labels: np.ndarray) -> None:
        self.class_count_ = np.bincount(labels)
        if self.class_count_.max() < 2:
            raise ValueError(
                "naive Bayes needs a class with two rows for a standard deviation, but with "
                f"n_samples={len(X)} every class has one"
            )
        shape = (len(self.class_count_), X.shape[1])
        self.mean_ = np.empty(shape)
        self.deviation_ = np.full(shape, np.nan)
        for c, n in enumerate(self.class_count_):
            rows = X[labels == c]
            self.mean_[c] = rows.mean(axis=0)
            if n > 1:
                is_constant = (rows == rows[0]).all(axis=0)
                # the mean of equal numbers may differ from them by a rounding error
                deviation = rows.std(axis=0, ddof=1, mean=self.mean_[c : c + 1])
                self.deviation_[c] = np.where(is_constant, 0.0, deviation)

    def _labels(self, X: np.ndarray) -> np.ndarray:
        return self._log_joint(X).argmax(axis=1)

    def _log_joint(self, X: np.ndarray) -> np.ndarray:
        """Return log prior plus log densities, up to a constant, shape (n_rows, n_classes)."""
        out = np.full((len(X), len(self.class_count_)), -np.inf)
        for c in np.flatnonzero(self.class_count_ > 1):
            deviation = self.deviation_[c]
            deviation = np.where(deviation > 0, deviation, _IN_PLACE_OF_ZERO)
            z = (X - self.mean_[c]) / deviation
            log_count = log(self.class_count_[c])
            out[:, c] = log_count + _log_likelihood(z, deviation)
        return out


def _log_likelihood(z: np.ndarray, deviation: np.ndarray) -> np.ndarray:
    """Return sums of logarithms of normal densities, each rounded near 0 as in R's ``dnorm``."""
    scale = np.log(deviation * sqrt(2 * pi))
    if z.max(initial=0.0) <= _FAR and z.min(initial=0.0) >= -_FAR:
        return -0.5 * np.einsum("ij,ij->i", z, z) - scale.sum()
    z = np.abs(z)
    is_far = z > _FAR
    z = np.minimum(z, 2 * _FAR)
    log_density = np.log(_rounded_density(z, deviation))
    return np.where(is_far, log_density, -0.5 * z * z - scale).sum(axis=1)


def _rounded_density(z: np.ndarray, deviation: np.ndarray) -> np.ndarray:
    """Return normal densities with R's rounding errors, and with its replacement of zero."""
    # R splits z into coarse + fine so that the square of coarse is exact.
    coarse = np.rint(z * 65536) / 65536
    fine = z - coarse
    density = np.exp(-0.5 * coarse * coarse) * np.exp((-0.5 * fine - coarse) * fine)
    density *= 1 / (sqrt(2 * pi) * deviation)
    is_zero = (z > _ZERO_DENSITY) | (density <= 0)
    return np.where(is_zero, _IN_PLACE_OF_ZERO, density)
