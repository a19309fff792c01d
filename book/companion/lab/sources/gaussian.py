"""Two classes of independent normal features: the data of Berrar's simulation studies."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TwoGaussians:
    """A source of two equally large classes, with independent features.

    Positive cases come first and have class 1; their features are normal with the given
    mean and standard deviation.  Those of negative cases, class 0, are standard normal.

    Parameters
    ----------
    cases : int
        Even, at least 2.
    features : int
        At least 1.
    mean : float
    sd : float, default 1
        Above 0.

    Examples
    --------
    >>> x, y = TwoGaussians(cases=4, features=3, mean=0.5).sample(np.random.default_rng(0))
    >>> x.shape, y.tolist()
    ((4, 3), [1, 1, 0, 0])
    """

    cases: int
    features: int
    mean: float
    sd: float = 1.0

    def sample(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw a data set.

        Parameters
        ----------
        rng : Generator

        Returns
        -------
        x : ndarray of float, shape (cases, features)
        y : ndarray of int, shape (cases,)
        """
        x = rng.standard_normal((self.cases, self.features))
        positive = x[: self.cases // 2]
        positive *= self.sd
        positive += self.mean
        return x, (np.arange(self.cases) < len(positive)).astype(int)
