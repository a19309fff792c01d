"""The margin by which C4.5 beats naive Bayes on a source, with exact accuracies.

The papers of 2004 do not print their networks, only the mean difference in accuracy of
the two learners after training on 300 instances (:func:`targets`).  Here the accuracy
of a trained classifier is exact, an expectation over all combinations of attribute
values; only the training sets are random.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from companion.lab.compiled import njit
from companion.lab.learners.kernels.bits import pack_masks, pack_rows
from companion.lab.learners.kernels.packed_c45 import learn_binary, predict_tree
from companion.lab.learners.kernels.packed_naive_bayes import (
    empty_model,
    learn_naive_bayes,
    predict_naive_bayes,
)
from companion.lab.learners.packed import pack, workspace
from companion.lab.sources import BayesianNetwork, sample_into
from companion.papers import published
from companion.papers.networks.weakened import weakened

#: The learners of a margin, which is the second's accuracy minus the first's.
PAIR = ("naive_bayes", "c45")

SEED = 2004

_PREDICTIONS = 2**18  # of one learner, held in memory at once


def targets() -> dict[int, float]:
    """Return the margins that the papers print for their four sources, in percent.

    Examples
    --------
    >>> targets()
    {1: 0.0, 2: 2.77, 3: 5.83, 4: 11.27}
    """
    cell = "bouckaert_frank2004.tab05.delta_accuracy.source{}".format
    return {source: published.value(cell(source)) for source in range(1, 5)}


def summary(accuracies: np.ndarray) -> dict[str, float]:
    """Return mean accuracies in percent and their standard errors, from :func:`exact_accuracies`.

    Keys `margin` (accuracy of C4.5 minus that of naive Bayes), `naive_bayes` and `c45`,
    each also with `_error`, and `training_sets`.
    """
    naive_bayes, c45 = 100 * accuracies.T
    found = {}
    for name, x in {
        "margin": c45 - naive_bayes,
        "naive_bayes": naive_bayes,
        "c45": c45,
    }.items():
        found[name] = float(x.mean())
        found[f"{name}_error"] = float(x.std(ddof=1) / np.sqrt(len(x)))
    return found | {"training_sets": len(accuracies)}


def exact_accuracies(
    network: BayesianNetwork,
    rng: np.random.Generator,
    *,
    training_sets: int,
    instances: int = 300,
) -> np.ndarray:
    """Compute the expected accuracies of the two learners trained on samples of a network.

    Parameters
    ----------
    network : BayesianNetwork
        Of binary variables.
    rng : Generator
    training_sets : int
        Number of samples, at least 1; both learners are trained on the same samples.
    instances : int
        Size of each sample, at least 1.

    Returns
    -------
    ndarray of float, shape (training_sets, 2)
        Between 0 and 1, in the order of :data:`PAIR`.

    Raises
    ------
    ValueError
        If the joint distribution of the network is too large to be enumerated.

    Examples
    --------
    A class that is the exclusive or of two coins, the second of which is biased: naive Bayes does
    not see it.

    >>> table = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    >>> xor = BayesianNetwork([(), (0,), (0, 1)], [[0.5, 0.5], [[0.4, 0.6], [0.6, 0.4]], table])
    >>> exact_accuracies(xor, np.random.default_rng(1), training_sets=2)
    array([[0.6, 1. ],
           [0.6, 1. ]])
    """
    return np.concatenate(
        [
            network.expected_accuracy(predicted)
            for predicted in predictions(network, rng, training_sets, instances)
        ]
    )


def predictions(
    network: BayesianNetwork,
    rng: np.random.Generator,
    training_sets: int,
    instances: int,
) -> Iterator[np.ndarray]:
    """Yield the classes that the two learners give every combination of attribute values.

    They come in parts of shape (sets, 2, n_combinations), all of them in the same
    memory.
    """
    cardinality = np.array(network.cardinality[1:])
    grid = network.grid()
    combinations = pack(
        grid, np.zeros(grid.shape[1], dtype=int), cardinality, network.n_classes
    )
    labels = np.zeros(instances, dtype=np.int8)
    columns = np.zeros((network.n_attributes, instances), dtype=np.int8)
    empty = pack(columns, labels, cardinality, network.n_classes)
    memory, model = workspace(empty), empty_model(empty)
    at_once = max(1, _PREDICTIONS // grid.shape[1])
    predicted = np.empty(
        (min(at_once, training_sets), len(PAIR), grid.shape[1]), dtype=np.int64
    )
    for first in range(0, training_sets, at_once):
        part = predicted[: training_sets - first]
        _train_and_predict(
            rng,
            network.flat,
            combinations,
            labels,
            columns,
            memory,
            model,
            part,
        )
        yield part


def margin(
    network: BayesianNetwork,
    *,
    instances: int = 300,
    training_sets: int = 1000,
    seed: int = SEED,
    stream: Sequence[int] = (),
) -> dict[str, float]:
    """Measure the mean expected accuracy of C4.5 minus that of naive Bayes.

    Parameters
    ----------
    network : BayesianNetwork
    instances : int
        Size of a training set, at least 1.
    training_sets : int
        At least 2.
    seed : int
        At least 0; the samples come from ``SeedSequence(seed, spawn_key=stream)``.
    stream : sequence of int

    Returns
    -------
    dict
        The :func:`summary`.

    Raises
    ------
    ValueError
        If the joint distribution of the network is too large to be enumerated.

    Examples
    --------
    >>> from companion.lab.sources import random_network
    >>> independent = random_network(seed=1, attributes=5)
    >>> found = margin(independent, training_sets=10)
    >>> found["margin"], round(found["c45"], 9)
    (0.0, 50.0)
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(stream)))
    return summary(
        exact_accuracies(network, rng, training_sets=training_sets, instances=instances)
    )


#: Training sets per margin in the bisection of :func:`strength_of_margin`.
TRAINING_SETS = 300

#: Steps of the bisection.
STEPS = 7

#: Training sets on which it asks first whether the margin is reached at all.
_FIRST_LOOK = 30


def strength_of_margin(
    network: BayesianNetwork,
    target: float,
    *,
    seed: int,
    training_sets: int = TRAINING_SETS,
    steps: int = STEPS,
) -> float | None:
    """Return how far a network must be weakened to have a margin (percent).

    Every strength is measured on the same training sets, so bisection finds the margin.

    Returns
    -------
    float or None
        The strength, for :func:`~companion.papers.networks.weakened.weakened`; None if
        the network itself does not reach the margin.
    """

    def excess(strength: float, size: int) -> float:
        rng = np.random.default_rng(seed)
        weaker = weakened(network, strength)
        accuracies = exact_accuracies(weaker, rng, training_sets=size)
        return summary(accuracies)["margin"] - target

    if excess(1.0, _FIRST_LOOK) < 0:
        return None
    too_weak = 0.0
    strong_enough = 1.0
    for _ in range(steps):
        middle = (too_weak + strong_enough) / 2
        if excess(middle, training_sets) > 0:
            strong_enough = middle
        else:
            too_weak = middle
    return strong_enough


@njit(nogil=True)
def _train_and_predict(
    rng, network, combinations, labels, columns, memory, model, predicted
):
    """Predict with both learners for each sample; `labels` and `columns` are overwritten."""
    n_classes, cardinality = network.cardinality[0], network.cardinality[1:]
    all_rows = pack_masks(np.ones((1, len(labels)), dtype=np.bool_))[0]
    for s in range(len(predicted)):
        sample_into(rng, network, labels, columns)
        table = pack_rows(columns, labels, cardinality, n_classes)
        learn_naive_bayes(table, all_rows, model)
        predict_naive_bayes(model, combinations, predicted[s, 0])
        learn_binary(table, all_rows, memory)
        predict_tree(memory, combinations, predicted[s, 1])
