"""The bench: experiments on data whose truth is known, and the answers of each method.

Data come from the 40 networks, and from *twins*: ten attributes in two halves that are
independent copies of each other given the class.  The same learner on each half makes
two learners that are equally good on average, although any two fitted models differ.
On the networks of source 1 every classifier is right half the time, so the fitted
models are also equal.  On Task I of Bouckaert (2005) the two classifiers learn nothing
at all.

Besides pairs, methods get single learners, whose *difference* is their accuracy; there
the only question is whether the interval covers it.
"""

import itertools
import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from companion.lab.experiments import runner
from companion.lab.experiments.splits import (
    fold_sizes,
    random_test_sets,
    stratified_folds,
)
from companion.lab.learners.kernels.bits import (
    pack_folds,
    pack_masks,
    pack_rows,
    unpack,
)
from companion.lab.learners.kernels.packed_naive_bayes import empty_model
from companion.lab.learners.kernels.split_predictions import (
    LEARNERS,
    by_distance,
    predict_splits,
)
from companion.lab.learners.packed import workspace
from companion.lab.sources import BayesianNetwork, random_network, task_1
from companion.papers import networks
from companion.studies.since_the_papers.methods import (
    BISECTIONS,
    CHEAP,
    COSTLY,
    FOLDS,
    NESTED_FOLDS,
    NESTED_RUNS,
    RUNS,
    SPLITS,
    Answer,
    Evidence,
    answers,
)

SEED = 2020
SIZES = (100, 300, 1000, 3000)
#: Number of twins.
TWINS = 10

#: Pairs of learners, A and B, by place in `LEARNERS`; single learners have no B.
PAIRS: dict[str, tuple[int, int | None]] = {
    "naive_bayes-c45": (0, 1),
    "c45-nearest_neighbour": (1, 2),
    "naive_bayes-nearest_neighbour": (0, 2),
    "naive_bayes": (0, None),
    "c45": (1, None),
}
#: On twins: each learner on the first half and on the second, and single learners on
#: the first.
TWIN_PAIRS: dict[str, tuple[int, int | None]] = {
    f"{learner}-{learner}": (first, first + len(LEARNERS))
    for first, learner in enumerate(LEARNERS)
} | {"naive_bayes": (0, None), "c45": (1, None)}

#: The counts for each method.
COUNTED = ("b_better", "undecided", "a_better", "covers_models", "covers_learners")

#: Mean accuracies of the learners by number of training instances; written by
#: `write_truth`.
TRUTH = Path(__file__).with_name("accuracies.json")

#: Accuracies are stored as whole numbers in units of 1 / `UNIT`.
UNIT = 10**9


# ------------------------------------------------------------------ data


def twin_names() -> list[str]:
    """List the names of the twins.

    >>> twin_names()[:2]
    ['twins.0', 'twins.1']
    """
    return [f"twins.{number}" for number in range(TWINS)]


@cache
def half_of_twins(name: str) -> BayesianNetwork:
    """Return the network of the class and one half of the attributes of twins."""
    number = int(name.removeprefix("twins."))
    return random_network(seed=SEED, stream=(number,), attributes=5, arrows=4)


@cache
def network_of(source: str) -> BayesianNetwork:
    """Return a committed network, or twins, by name.

    >>> network_of("twins.0").n_attributes
    10
    """
    if not source.startswith("twins."):
        return networks.load(source)
    half = half_of_twins(source)
    shifted = [
        [u + half.n_attributes if u else 0 for u in above] for above in half.parents[1:]
    ]
    return BayesianNetwork([*half.parents, *shifted], [*half.tables, *half.tables[1:]])


class PackedData:
    """A data set, or one half of its attributes, for the learners."""

    def __init__(
        self, labels: np.ndarray, columns: np.ndarray, network: BayesianNetwork
    ):
        cardinality = np.full(len(columns), 2)
        self.network = network
        self.packed = pack_rows(columns, labels, cardinality, 2)
        self.rows = np.bitwise_or.reduce(self.packed.classes)
        self.codes, _ = unpack(self.packed)
        self.memory = workspace(self.packed)
        self.model = empty_model(self.packed)
        self.distances = by_distance(len(columns))

    def predict(
        self, train: np.ndarray, test: np.ndarray, place: np.ndarray
    ) -> np.ndarray:
        """Predict test rows, shape (places, learners, rows); -1 for rows that are not tested."""
        out = np.full(
            (place[-1] + 1, len(LEARNERS), self.packed.n_rows), -1, dtype=np.int8
        )
        predict_splits(
            self.packed,
            train,
            self.codes,
            test,
            place,
            self.memory,
            self.model,
            *self.distances,
            out,
        )
        return out

    def accuracies(self, train: np.ndarray) -> np.ndarray:
        """Compute exact accuracies of models fitted to sets of rows, (splits, learners)."""
        grid = self.network.grid()
        packed = pack_rows(
            grid, np.zeros(grid.shape[1], dtype=int), np.full(len(grid), 2), 2
        )
        codes, _ = unpack(packed)
        everything = np.bitwise_or.reduce(packed.classes)
        test = np.broadcast_to(everything, (len(train), len(everything))).copy()
        out = np.empty((len(train), len(LEARNERS), len(codes)), dtype=np.int8)
        predict_splits(
            self.packed,
            train,
            codes,
            test,
            np.arange(len(train)),
            self.memory,
            self.model,
            *self.distances,
            out,
        )
        return np.asarray(self.network.expected_accuracy(out))


class NetworkData:
    """One data set; on twins, every learner occurs once for each half of the attributes."""

    def __init__(self, rng: np.random.Generator, source: str, instances: int):
        self.labels, columns = network_of(source).sample(instances, rng)
        self.pairs = pairs_of(source)
        if source.startswith("twins."):
            half = half_of_twins(source)
            parts = [
                (columns[: half.n_attributes], half),
                (columns[half.n_attributes :], half),
            ]
        else:
            parts = [(columns, network_of(source))]
        self._tables = [
            PackedData(self.labels, part, network) for part, network in parts
        ]

    def hits(
        self, test: np.ndarray, place: np.ndarray, train: np.ndarray | None = None
    ) -> np.ndarray:
        """Correct of A minus correct of B, shape (pairs, places, rows); `test` as bit sets.

        By default the other rows are for training.
        """
        train = self._tables[0].rows & ~test if train is None else train
        predicted = np.concatenate(
            [table.predict(train, test, place) for table in self._tables], axis=1
        )
        correct = (predicted == self.labels).astype(np.int8)
        return _differences(correct.swapaxes(1, 2), self.pairs)

    def fitted(self, test: np.ndarray) -> np.ndarray:
        """Exact differences in accuracy of fitted models, (pairs, splits)."""
        return _differences(self.accuracies(self._tables[0].rows & ~test), self.pairs)

    def accuracies(self, train: np.ndarray | None = None) -> np.ndarray:
        """Exact accuracies, (splits, learners); by default after training on all rows."""
        train = self._tables[0].rows[np.newaxis] if train is None else train
        return np.concatenate(
            [table.accuracies(train) for table in self._tables], axis=-1
        )


class TaskOneData:
    """One data set of Task I at a step; its classifiers need no training."""

    def __init__(self, rng: np.random.Generator, source: str, instances: int):
        q = 0.25 + _step(source) / (4 * task_1.STEPS)
        a_correct, b_correct = task_1.instances(rng, instances, q=q)
        # one class, so that folds are as in the paper, not stratified
        self.labels = np.zeros(instances, dtype=int)
        self.pairs = pairs_of(source)
        self._fixed = a_correct.astype(np.int8) - b_correct.astype(np.int8)
        self._truth = truth(source, instances)

    def hits(
        self, test: np.ndarray, place: np.ndarray, train: np.ndarray | None = None
    ) -> np.ndarray:
        return np.broadcast_to(self._fixed, (1, place[-1] + 1, len(self._fixed)))

    def fitted(self, test: np.ndarray) -> np.ndarray:
        return np.reshape(self._truth, (1, 1)).repeat(len(test), axis=1)


Data = NetworkData | TaskOneData


def drawn(rng: np.random.Generator, source: str, instances: int) -> Data:
    """Draw a data set of a network, of twins or of Task I."""
    kind = TaskOneData if source.startswith("task_1.") else NetworkData
    return kind(rng, source, instances)


def _step(source: str) -> int:
    return int(source.removeprefix("task_1."))


def pairs_of(source: str) -> dict[str, tuple[int, int | None]]:
    """Return the pairs of learners on a source.

    >>> list(pairs_of("twins.0"))[0]
    'naive_bayes-naive_bayes'
    """
    if source.startswith("task_1."):
        return {"constant-attribute": (0, 1)}
    return TWIN_PAIRS if source.startswith("twins.") else PAIRS


def _differences(
    of_learners: np.ndarray, pairs: dict[str, tuple[int, int | None]]
) -> np.ndarray:
    """A minus B for each pair, from values by learner on the last axis; pairs come first."""
    values = []
    for a, b in pairs.values():
        of_a = of_learners[..., a]
        values.append(of_a if b is None else of_a - of_learners[..., b])
    return np.stack(values)


# ------------------------------------------------------------------ one data set


def _cross_validated(
    data: Data, rng: np.random.Generator, runs: int, folds: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Hits (pairs, runs, n), folds (runs, n), their differences, and their bit sets."""
    dealt = stratified_folds(data.labels, folds, rng, runs=runs)
    test = pack_folds(dealt, folds)
    hits = data.hits(test, np.repeat(np.arange(runs), folds))
    fold = (dealt + folds * np.arange(runs)[:, np.newaxis]).ravel()
    sums = [
        np.bincount(fold, of_pair.ravel(), minlength=runs * folds) for of_pair in hits
    ]
    block = np.reshape(sums, (len(hits), runs, folds))
    return hits, dealt, block / fold_sizes(len(data.labels), folds), test


def cheap_evidence(data: Data, rng: np.random.Generator, experiments: int) -> Evidence:
    n = len(data.labels)
    of_runs, of_halves, of_hold_out = rng.spawn(3)

    def by_experiment(values: np.ndarray) -> np.ndarray:
        return values.reshape(
            *values.shape[: values.ndim - 2], experiments, -1, values.shape[-1]
        )

    hits, folds, block, _ = _cross_validated(data, of_runs, experiments * RUNS, FOLDS)
    five_by_two = _cross_validated(data, of_halves, experiments * 5, 2)[2]
    chosen = random_test_sets(of_hold_out, experiments, n, n // 3)
    held_out = data.hits(pack_masks(chosen), np.arange(experiments))
    held_out = np.stack([held_out[:, e, chosen[e]] for e in range(experiments)], axis=1)
    return Evidence(
        by_experiment(hits),
        by_experiment(folds),
        by_experiment(block),
        by_experiment(five_by_two),
        held_out,
    )


def costly_evidence(data: Data, rng: np.random.Generator, experiments: int) -> Evidence:
    n = len(data.labels)
    tested = n // 10
    of_splits, of_halves, of_nested = rng.spawn(3)

    def differences(chosen: np.ndarray, train: np.ndarray | None = None) -> np.ndarray:
        hits = data.hits(pack_masks(chosen), np.arange(len(chosen)), train)
        return np.where(chosen, hits, 0).sum(axis=-1) / tested

    splits = differences(random_test_sets(of_splits, experiments * SPLITS, n, tested))
    bisections = experiments * BISECTIONS
    half = np.zeros((bisections, 2, n), dtype=bool)
    half[:, 0] = random_test_sets(of_halves, bisections, n, n // 2)
    half[:, 1] = ~half[:, 0]
    inside = np.zeros((bisections, 2, SPLITS, n), dtype=bool)
    for m, h in np.ndindex(bisections, 2):
        rows = np.flatnonzero(half[m, h])
        inside[m, h][:, rows] = random_test_sets(of_halves, SPLITS, len(rows), tested)
    train = half[:, :, np.newaxis] & ~inside
    halves = differences(inside.reshape(-1, n), pack_masks(train.reshape(-1, n)))

    nested, folds = nested_hits(
        data, of_nested, (experiments, NESTED_RUNS), NESTED_FOLDS
    )
    pairs = len(data.pairs)
    return Evidence(
        splits=splits.reshape(pairs, experiments, SPLITS),
        halves=halves.reshape(pairs, experiments, BISECTIONS, 2, SPLITS),
        nested=nested,
        nested_folds=folds,
    )


def nested_hits(
    data: Data, rng: np.random.Generator, shape: tuple[int, int], k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Hits for nested cross-validation with k folds, (pairs, *shape, k, n), and the folds.

    `shape` are the numbers of experiments and of runs in each.
    """
    runs = math.prod(shape)
    folds = stratified_folds(data.labels, k, rng, runs=runs)
    bits = pack_folds(folds, k).reshape(runs, k, -1)
    # a model without each fold, where both are the same, and without every two folds
    first, second = np.triu_indices(k)
    models = len(first)
    test = (bits[:, first] | bits[:, second]).reshape(runs * models, -1)
    hits = data.hits(test, np.arange(runs * models))
    hits = hits.reshape(len(hits), runs, models, -1)
    model = np.empty((k, k), dtype=int)
    model[first, second] = np.arange(models)
    model[second, first] = np.arange(models)
    # (runs, k, n): the model without fold g and without the instance's own fold
    wanted = model[:, folds].swapaxes(0, 1)
    hits = np.take_along_axis(hits, wanted[np.newaxis], axis=2)
    return hits.reshape(len(hits), *shape, k, -1), folds.reshape(*shape, -1)


# ------------------------------------------------------------------ experiments


def outcomes(
    rng: np.random.Generator,
    *,
    source: str,
    instances: int,
    datasets: int,
    experiments: int,
    costly: bool,
    truth: Sequence[float],
) -> np.ndarray:
    """Count the answers of methods on data sets; for :mod:`companion.lab.experiments.runner`.

    Parameters
    ----------
    rng : Generator
    source : str
        The name of a network or of twins.
    instances, datasets, experiments : int
        Size of a data set, number of data sets, and repetitions on each with other
        splits.
    costly : bool
        Whether to apply the methods in `COSTLY`, or those in `CHEAP`.
    truth : sequence of float
        Mean accuracy of A minus that of B after training on `instances`, for each pair.

    Returns
    -------
    ndarray of int8, shape (datasets, pairs, methods, 5)
        How many experiments have each of `COUNTED`; fitted models are considered only
        in the first experiment, and only for methods of one run.
    """
    if costly:
        return _costly_outcomes(rng, source, instances, datasets, experiments, truth)
    parts, of_models = [], []
    for stream in rng.spawn(datasets):
        data = drawn(stream, source, instances)
        evidence = cheap_evidence(data, stream, experiments)
        parts.append(evidence)
        of_models.append(_mean_of_models(data, evidence, source, truth))
    of_one_run = np.array([method.of_one_run for method in CHEAP.values()])
    together = answers(_stacked(parts), CHEAP)
    counted = counts_of_answers(together, truth, np.stack(of_models, axis=1))
    counted[..., ~of_one_run, COUNTED.index("covers_models")] = 0
    return counted.swapaxes(0, 1)


def _costly_outcomes(
    rng: np.random.Generator,
    source: str,
    instances: int,
    datasets: int,
    experiments: int,
    truth: Sequence[float],
) -> np.ndarray:
    """Count the answers of the costly methods, one data set after the other.

    All nested cross-validations together would not fit in memory.
    """
    counted = []
    for stream in rng.spawn(datasets):
        data = drawn(stream, source, instances)
        evidence = costly_evidence(data, stream, experiments)
        counted.append(counts_of_answers(answers(evidence, COSTLY), truth, None))
    return np.stack(counted)


def _mean_of_models(
    data: Data, evidence: Evidence, source: str, truth: Sequence[float]
) -> np.ndarray:
    """Return the mean difference of the models that were fitted in the first run, by pair."""
    if source.startswith("source1."):  # where the truth holds for every model
        return np.array(truth)
    test = pack_folds(evidence.folds[0, :1], FOLDS)
    n = len(data.labels)
    return data.fitted(test) @ (fold_sizes(n, FOLDS) / n)


def _stacked(parts: Sequence[Evidence]) -> Evidence:
    """Return the evidence of several data sets as one: data sets come after the pairs."""
    stacked = {}
    for name in ("hits", "folds", "block", "five_by_two", "held_out"):
        axis = 0 if name == "folds" else 1  # all pairs have the same folds
        stacked[name] = np.stack([vars(part)[name] for part in parts], axis=axis)
    return Evidence(**stacked)


def counts_of_answers(
    of_methods: Sequence[Answer],
    truth: Sequence[float],
    of_models: np.ndarray | None,
) -> np.ndarray:
    """Count over the last axis, the experiments; shape (pairs, ..., methods, 5)."""
    rows = []
    for answer in of_methods:
        b_better, undecided, a_better = (
            (answer.outcome == outcome).sum(axis=-1) for outcome in (-1, 0, 1)
        )
        covers_models = covers_learners = np.zeros_like(undecided)
        if answer.low is not None:
            low = np.asarray(answer.low)
            high = np.asarray(answer.high)
            target = np.reshape(truth, (-1, *[1] * (low.ndim - 1)))
            covers_learners = ((low <= target) & (target <= high)).sum(axis=-1)
            if of_models is not None:
                is_above = low[..., 0] <= of_models
                covers_models = is_above & (of_models <= high[..., 0])
        counts = [b_better, undecided, a_better, covers_models, covers_learners]
        rows.append(np.stack(counts, axis=-1))
    return np.stack(rows, axis=-2).astype(np.int8)


def fitted_accuracies(
    rng: np.random.Generator, *, source: str, instances: int
) -> np.ndarray:
    """Compute exact accuracies of learners trained on one data set, in units of 1 / `UNIT`."""
    data = NetworkData(rng, source, instances)
    return np.rint(UNIT * data.accuracies()[0]).astype(np.int64)


# ------------------------------------------------------------------ stored runs


def _stream(source: str, instances: int) -> tuple[int, int, int]:
    kind, number = source.split(".")
    kinds = ("twins", "source1", "source2", "source3", "source4", "task_1")
    return kinds.index(kind), int(number), instances


def write_truth(training_sets: int = 100) -> None:
    """Compute the mean accuracies on sources 2 to 4 and on twins, and write them to `TRUTH`."""
    truth = {}
    sources = [name for name in networks.names() if not name.startswith("source1.")]
    for source, n in itertools.product([*sources, *twin_names()], SIZES):
        fitted = runner.Experiment(
            fitted_accuracies,
            seed=SEED,
            stream=_stream(source, n),
            parameters={"source": source, "instances": n},
        )
        result = runner.replicate(fitted, training_sets, chunk_size=training_sets)
        # the mean over both halves of twins
        by_learner = result.counts.reshape(-1, len(LEARNERS)).mean(axis=0)
        truth[f"{source} n={n}"] = np.rint(by_learner).astype(int).tolist()
    lines = ",\n".join(
        f" {json.dumps(name)}: {json.dumps(row)}" for name, row in truth.items()
    )
    TRUTH.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


@cache
def _accuracies() -> dict[str, list[int]]:
    return json.loads(TRUTH.read_text(encoding="utf-8"))


def truth(source: str, instances: int) -> list[float]:
    """Return the mean accuracy of A minus that of B for each pair, after training on `instances`.

    >>> truth("source1.0", 300), truth("task_1.0", 300)
    ([0.0, 0.0, 0.0, 0.5, 0.5], [-0.0])
    """
    if source.startswith("task_1."):
        return [float(-task_1.accuracy_difference(_step(source))) / 100]
    if source.startswith("source1."):
        accuracy = np.full(len(LEARNERS), 0.5)
    else:
        accuracy = np.array(_accuracies()[f"{source} n={instances}"]) / UNIT
    if source.startswith("twins."):
        accuracy = np.tile(accuracy, 2)
    return _differences(accuracy, pairs_of(source)).tolist()


def experiment(
    source: str,
    instances: int,
    *,
    costly: bool = False,
    datasets: int = 10,
    experiments: int = 2,
    seed: int = SEED,
) -> runner.Experiment:
    """Return the experiment on data sets from one source with one size."""
    return runner.Experiment(
        outcomes,
        seed=seed,
        stream=(*_stream(source, instances), int(costly)),
        parameters={
            "source": source,
            "instances": instances,
            "datasets": datasets,
            "experiments": experiments,
            "costly": costly,
            "truth": truth(source, instances),
        },
    )
