"""Random Bayesian networks, from a stated distribution and a seed."""

from collections.abc import Sequence

import numpy as np

from companion.lab.sources.bayesian_network import BayesianNetwork


def random_network(
    *,
    seed: int,
    stream: Sequence[int] = (),
    attributes: int = 10,
    cardinality: int | Sequence[int] = 2,
    class_probabilities: Sequence[float] = (0.5, 0.5),
    arrows: int | Sequence[int] | None = None,
    max_parents: int | None = None,
    concentration: float = 1.0,
) -> BayesianNetwork:
    """Draw a network at random (Bouckaert and Frank 2004, Section 4.4).

    Without `arrows` the attributes are independent of each other and of the class.
    Otherwise the network is an augmented naive Bayes (BAN): the class is a parent of
    every attribute, and `arrows` arrows run between attributes, each from a lower to a
    higher number.  The pairs are taken in random order; a pair is skipped if its child
    already has `max_parents` attributes as parents.  Every row of every table is drawn
    independently from a symmetric Dirichlet distribution. The arguments are plain data,
    so a network can be stored as its arguments.

    Parameters
    ----------
    seed : int
        At least 0.  The numbers come from ``SeedSequence(seed, spawn_key=stream)``.
    stream : sequence of int
        Distinguishes networks with the same seed.
    attributes : int
        At least 1.
    cardinality : int or sequence of int
        Number of values of every attribute, or of each; at least 2.
    class_probabilities : sequence of float
        One per class.
    arrows : int or pair of int, optional
        Number of arrows between attributes, at least 0, or the smallest and largest of
        equally probable numbers.  By default there are no arrows at all.
    max_parents : int, optional
        Largest number of attributes that are parents of an attribute; by default
        unlimited.
    concentration : float
        Parameter of the Dirichlet distribution, above 0.  At 1 all tables are equally
        probable; below 1, rows close to certainty are more probable.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    ValueError
        If the network cannot have so many arrows, or the classes have no such
        probabilities.

    Notes
    -----
    The generator of Weka, by the first author of the paper, draws networks in the same way: all
    tables are equally probable, and arrows run from lower to higher numbers.

    Examples
    --------
    >>> random_network(seed=1, attributes=3).parents
    ((), (), (), ())
    >>> random_network(seed=1, attributes=3, arrows=2).parents
    ((), (0,), (0, 1), (0, 1))
    """
    cardinality = np.broadcast_to(cardinality, attributes).tolist()
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(stream)))
    parents = [(), *_parents(rng, attributes, arrows, max_parents)]
    sizes = [len(class_probabilities), *cardinality]
    tables = [
        rng.dirichlet([concentration] * size, size=[sizes[u] for u in above])
        for above, size in zip(parents[1:], cardinality)
    ]
    return BayesianNetwork(parents, [class_probabilities, *tables])


def _parents(
    rng: np.random.Generator,
    attributes: int,
    arrows: int | Sequence[int] | None,
    max_parents: int | None,
) -> list[tuple[int, ...]]:
    """Draw the parents of each attribute."""
    if arrows is None:
        return [()] * attributes
    if max_parents is None:
        max_parents = attributes - 1
    most = sum(min(before, max_parents) for before in range(attributes))
    low, high = np.broadcast_to(arrows, 2).tolist()
    if not 0 <= low <= high <= most:
        raise ValueError(
            f"between {attributes} attributes with at most {max_parents} parents there is room "
            f"for 0 to {most} arrows, not for {arrows}"
        )
    missing = rng.integers(low, high, endpoint=True)
    above = {v: [] for v in range(1, attributes + 1)}
    for u, v in rng.permutation(np.argwhere(np.tri(attributes, k=-1).T) + 1):
        if missing > 0 and len(above[v]) < max_parents:
            above[v].append(int(u))
            missing -= 1
    return [(0, *sorted(above[v])) for v in above]
