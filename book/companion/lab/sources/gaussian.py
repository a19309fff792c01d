"""Two classes of independent normal features: the data of Berrar's simulation studies."""

from dataclasses import dataclass

import numpy as np

from replib.validation import whole_numbers


@dataclass(frozen=True)
class TwoGaussians:
    """A source of two equally large classes, with independent features.

    Positive cases come first and have class 1; their features are normal with the given mean and
    standard deviation.  Those of negative cases, class 0, are standard normal.

    Parameters
    ----------
    cases : int
        Even, at least 2.
    features : int
        At least 1.
    mean : float
    sd : float, default 1
        Above 0.

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

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

    def __post_init__(self) -> None:
        whole_numbers("features", self.features, at_least=1)
        if whole_numbers("cases", self.cases, at_least=2) % 2:
            raise ValueError(f"cases must be even, half of each class, not {self.cases}")
        if not self.sd > 0 or not np.isfinite([self.mean, self.sd]).all():
            raise ValueError(
                f"mean must be finite and sd above 0, not mean {self.mean} and sd {self.sd}"
            )

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
