"""Data as bit sets, and learners on bit sets compared with the plain ones."""

import numpy as np
import pandas as pd

from companion.lab.experiments.splits import stratified_folds
from companion.lab.learners import Table, correct_counts, packed, predictions
from companion.papers.networks import committed

SEED = 2004


def bit_sets(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """A data set as bit sets, with the counts that naive Bayes takes from them.

    Indexed by `attribute` and `value`: `rows`, the packed set as text with the first row on the
    left, and a column per class, the number of bits left after *and* with the class's set.

    >>> from companion.papers.topics.learners_and_sources.by_hand import days
    >>> bit_sets(*days()).at[("wind", "storm"), "rows"]
    '0000000001110001'
    """
    columns = np.stack([X[name].cat.codes for name in X.columns]).astype(np.int64)
    categories = [X[name].cat.categories for name in X.columns]
    classes = y.cat.categories
    labels = y.cat.codes.to_numpy(dtype=np.int64)
    table = packed.pack(columns, labels, [len(values) for values in categories], len(classes))
    bits = np.unpackbits(table.values.view(np.uint8), axis=1, bitorder="little")
    names = [(name, v) for name, values in zip(X.columns, categories) for v in values]
    frame = pd.DataFrame(
        {"rows": ["".join(map(str, row)) for row in bits[:, : len(X)]]},
        index=pd.MultiIndex.from_tuples(names, names=["attribute", "value"]),
    )
    for c, of_class in zip(classes, table.classes):
        frame[c] = np.bitwise_count(table.values & of_class).sum(axis=1, dtype=int)
    return frame


def equal_counts(
    network: str, *, instances: int = 300, runs: int = 10, folds: int = 10, seed: int = SEED
) -> pd.DataFrame:
    """Compare learners on bit sets with the plain ones, in cross-validations of one data set.

    A row per learner: `trainings`; how many of them have an `equal` number of correct test rows;
    and the mean `accuracy` in percent.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(23, 0)))
    drawn = committed.load(network)
    labels, columns = drawn.sample(instances, rng)
    test_folds = stratified_folds(labels, folds, rng, runs=runs)
    names = ["naive_bayes", "c45"]
    table = Table.from_codes(columns, labels, drawn.cardinality[1:], drawn.n_classes)
    quick = correct_counts(table, test_folds, learners=names)
    right = predictions(table, test_folds, learners=names) == labels[:, None]
    in_fold = test_folds == np.arange(folds)[:, None, None]
    plain = np.einsum("frn,rnl->rfl", in_fold, right, dtype=int)
    return pd.DataFrame({
        "trainings": runs * folds,
        "equal": (quick == plain).sum(axis=(0, 1)),
        "accuracy": 100 * plain.sum(axis=(0, 1)) / (runs * instances),
    }, index=pd.Index(names, name="learner"))
