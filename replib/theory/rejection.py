"""Power and replicability from the probability of rejection on each data set."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replib.significance import Floats
from replib.validation import array_within, as_number, finite_array


@dataclass(frozen=True, eq=False)
class RejectionDistribution:
    """Distribution over data sets D of p(D), the probability of rejecting H0.

    Attributes
    ----------
    probability : ndarray, shape (nodes,)
        Values of p(D).
    weight : ndarray, shape (..., nodes)
        Their weights, which sum to one; one distribution per setting of the win rates.
    """

    probability: NDArray[np.float64]
    weight: NDArray[np.float64]

    def expectation(self, values: ArrayLike) -> Floats:
        """Average a function of p(D) over data sets.

        Parameters
        ----------
        values : array_like, shape (nodes,)
            Values of the function at `probability`.

        Returns
        -------
        float or ndarray
            Without the axis of the nodes.

        Raises
        ------
        ValueError
            If there is not one value per node.

        Examples
        --------
        >>> coin = RejectionDistribution(np.array([0.0, 1.0]), np.array([0.95, 0.05]))
        >>> coin.expectation(coin.probability**2)
        0.05
        """
        f = finite_array("values", values)
        if f.shape != self.probability.shape:
            raise ValueError(
                f"values must be one for each of {self.probability.size} nodes, not {f.shape}"
            )
        return as_number(self.weight @ f)

    @property
    def power(self) -> Floats:
        """Probability that an experiment rejects: the mean of p(D)."""
        return self.expectation(self.probability)

    @property
    def replicability(self) -> Floats:
        """Probability that two experiments on the same data set agree, raw scale."""
        return self.expectation(agreement(self.probability))


def agreement(p: ArrayLike) -> Floats:
    r"""Compute the probability :math:`p^2 + (1-p)^2` that two independent outcomes agree.

    At the Type I error alpha it is the bound :math:`1 - 2\alpha + 2\alpha^2` of Bouckaert (2005,
    Section 3): the function is convex, so by Jensen's inequality no experiment with that error has
    a lower Type I replicability.

    Parameters
    ----------
    p : array_like
        Probability of one of the two outcomes, 0 to 1.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If a probability lies outside 0 to 1.

    Examples
    --------
    >>> agreement(0.25)
    0.625
    """
    p = array_within("p", p, 0, 1)
    return as_number(0.5 + 2 * (p - 0.5) ** 2)  # the same, but never below 1/2 by rounding
