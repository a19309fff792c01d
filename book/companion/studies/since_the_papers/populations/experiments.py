"""Samples of UCI data sets, and the answers of the cheap methods.

Samples are drawn without replacement from a data set, and the true accuracy of a fitted
model is its accuracy on the rows that were *not* drawn: the truth is about a finite
population.  As a check, samples are also drawn with replacement, and the truth is the
accuracy on all rows.  It is then exact, and samples are independent, but rows occur
more than once, which favours nearest neighbour.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.lab.experiments.on_datasets import _table
from companion.lab.experiments.splits import fold_sizes
from companion.lab.learners.cross_validation import LEARNERS, WEKA_LEARNERS
from companion.lab.learners.kernels.bits import pack_folds
from companion.studies.since_the_papers import experiments as bench
from companion.studies.since_the_papers.methods import CHEAP, FOLDS, answers


class _Sample:
    """A sample and, below it in one table, the rows that determine true accuracies."""

    def __init__(
        self, rng: np.random.Generator, source: str, instances: int, replacement: bool
    ):
        whole = _table(source.removeprefix("uci."))
        drawn = rng.choice(whole.n_rows, instances, replace=replacement)
        others = whole.all_rows if replacement else np.setdiff1d(whole.all_rows, drawn)
        rows = np.concatenate([drawn, others])
        self.table = replace(
            whole, columns=whole.columns[:, rows], labels=whole.labels[rows]
        )
        self.pairs, self.labels = bench.PAIRS, self.table.labels[:instances]

    def hits(self, test: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Correct of A minus correct of B, shape (pairs, places, rows); `test` as bit sets."""
        correct = np.zeros(
            (place[-1] + 1, len(self.labels), len(WEKA_LEARNERS)), dtype=np.int8
        )
        for (train, rows), where in zip(self._splits(test), place):
            correct[where, rows] = self._correct(train, rows)
        return bench._differences(correct, self.pairs)

    def fitted(self, test: np.ndarray) -> np.ndarray:
        """True differences of the models fitted to the other rows, (pairs, splits)."""
        others = self.table.all_rows[len(self.labels) :]
        right = [
            self._correct(train, others).mean(axis=0) for train, _ in self._splits(test)
        ]
        return bench._differences(np.stack(right), self.pairs)

    def _splits(self, test: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Training and test rows of each bit set."""
        bits = np.unpackbits(test.view(np.uint8), axis=1, bitorder="little")
        masks = bits[:, : len(self.labels)].astype(bool)
        return [(np.flatnonzero(~mask), np.flatnonzero(mask)) for mask in masks]

    def _correct(self, train: np.ndarray, test: np.ndarray) -> np.ndarray:
        """Return whether each learner is right, shape (test rows, learners)."""
        return np.stack(
            [
                LEARNERS[name]()
                .fit_table(self.table, train)
                .predict_table(self.table, test)
                == self.table.labels[test]
                for name in WEKA_LEARNERS
            ],
            axis=-1,
        )


def outcomes(
    rng: np.random.Generator,
    *,
    source: str,
    instances: int,
    datasets: int,
    experiments: int,
    replacement: bool,
    truth: Sequence[float],
) -> np.ndarray:
    """Count the answers of the methods in `CHEAP` on samples, as `bench.outcomes` on networks.

    The source is ``"uci."`` and the name of a data set.
    """
    counted = []
    for stream in rng.spawn(datasets):
        data = _Sample(stream, source, instances, replacement)
        evidence = bench.cheap_evidence(data, stream, experiments)
        fitted = data.fitted(pack_folds(evidence.folds[0, :1], FOLDS))
        of_models = fitted @ (fold_sizes(instances, FOLDS) / instances)
        counted.append(
            bench.counts_of_answers(answers(evidence, CHEAP), truth, of_models)
        )
    several_runs = [not method.of_one_run for method in CHEAP.values()]
    found = np.stack(counted)
    found[..., several_runs, bench.COUNTED.index("covers_models")] = 0
    return found


def fitted_differences(
    rng: np.random.Generator, *, source: str, instances: int, replacement: bool
) -> np.ndarray:
    """True differences of the models fitted to a whole sample, in units of 1 / `bench.UNIT`."""
    data = _Sample(rng, source, instances, replacement)
    nothing = pack_folds(np.ones((1, instances), dtype=int), 2)[:1]
    return np.rint(bench.UNIT * data.fitted(nothing)[:, 0]).astype(np.int64)
