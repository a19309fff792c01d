"""SHARP, two and thirty runs of ten folds, and a conservative interval, on the forty networks.

The data sets are like those of the bench, with 300 instances; each has one experiment
where the learners are equally good, and two where they differ.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from companion.lab.experiments import runner
from companion.lab.learners.kernels.bits import pack_masks
from companion.papers import networks
from companion.studies.since_2024.halves import REPETITIONS, stratified_halves
from companion.studies.since_the_papers import experiments as bench
from companion.studies.since_the_papers.methods import ALPHA, FOLDS
from replib import schemes
from replib.significance import corrected_resampled_t, paired_t, sharp

#: Runs of ten folds: as many trainings as SHARP with `REPETITIONS`.
RUNS = 30
#: Runs of the design that most of the book is about.
TEN_RUNS = 10
#: Repetitions of SHARP that take as many trainings as ten runs of ten folds.
FEW_REPETITIONS = 10

INSTANCES = 300
#: Pairs of learners; the first of the bench.
PAIRS = 3
#: Replications of ten data sets, and experiments on each: where the learners are
#: equally good, and where they differ.
EQUAL = (16, 1)
UNEQUAL = (3, 2)
DATASETS = 10

#: Widths are stored up to this one, so that thousandths fit in 16 bits.
LARGEST = 32


@dataclass(frozen=True)
class Evidence:
    """Results of experiments, A minus B, for each of `PAIRS`.

    Attributes
    ----------
    block : ndarray, shape (pairs, experiments, RUNS, FOLDS)
        Differences of accuracies in the folds.
    halves : ndarray, shape (pairs, experiments, REPETITIONS, 2)
        The same inside the halves.
    hits, spread : ndarray, shape (pairs, experiments, n) and (pairs, experiments)
        In the first run: right (1) or not (0) for A minus the same for B, and the sum
        of the standard deviations of right and wrong of A and of B.
    """

    block: np.ndarray
    halves: np.ndarray
    hits: np.ndarray
    spread: np.ndarray


@dataclass(frozen=True)
class Width:
    """A method: half the width of its 95% interval, over the distance of its centre from zero.

    Attributes
    ----------
    title, source : str
        Its name in tables, and where it comes from.
    trainings : int
        How often each learner is trained.
    about_models : bool
        Whether it speaks of the models that were fitted, and not of training again.
    signed : callable
        Takes `Evidence`; returns estimates and half-widths.
    """

    title: str
    source: str
    trainings: int
    signed: Callable[[Evidence], tuple[np.ndarray, np.ndarray]]
    about_models: bool = False


def _corrected(runs: int) -> Callable[[Evidence], tuple[np.ndarray, np.ndarray]]:
    def signed(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
        result = corrected_resampled_t(
            evidence.block[..., :runs, :],
            test_train_ratio=1 / (FOLDS - 1),
            axis=(-2, -1),
        )
        critical = special.stdtrit(result.df, 1 - ALPHA / 2)
        return np.asarray(result.estimate), critical * np.asarray(result.standard_error)

    return signed


def _sorted_runs(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    block = evidence.block[..., :TEN_RUNS, :]
    means = schemes.sample(block, scheme="average_over_sorted_runs")
    result = paired_t(means)
    critical = special.stdtrit(result.df, 1 - ALPHA / 2)
    return np.asarray(result.estimate), critical * np.asarray(result.standard_error)


def _sharp(repetitions: int) -> Callable[[Evidence], tuple[np.ndarray, np.ndarray]]:
    def signed(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
        result = sharp(evidence.halves[..., :repetitions, :])
        critical = special.ndtri(1 - ALPHA / 2)
        return np.asarray(result.estimate), critical * np.asarray(result.standard_error)

    return signed


def _conservative(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Use that a difference varies by no more than both of its parts together.

    Each learner alone may be stable where their difference is not.
    """
    n = evidence.hits.shape[-1]
    critical = special.ndtri(1 - ALPHA / 2)
    return evidence.hits.mean(axis=-1), critical * evidence.spread / np.sqrt(n)


METHODS = {
    "corrected_t_1": Width(
        "corrected t on 10 folds", "Nadeau and Bengio 2003", 10, _corrected(1)
    ),
    "corrected_t_2": Width(
        "corrected t on 2 × 10 folds", "Bouckaert and Frank 2004", 20, _corrected(2)
    ),
    "corrected_t_10": Width(
        "corrected t on 10 × 10 folds",
        "Bouckaert and Frank 2004",
        100,
        _corrected(TEN_RUNS),
    ),
    "corrected_t_30": Width(
        "corrected t on 30 × 10 folds", "Bouckaert and Frank 2004", 300, _corrected(30)
    ),
    "sorted_10": Width(
        "t on sorted runs, 10 × 10", "Bouckaert 2004", 100, _sorted_runs
    ),
    "sharp_10": Width(
        "SHARP, 10 × 2 × 5 folds",
        "Zeng et al. 2026",
        100,
        _sharp(FEW_REPETITIONS),
    ),
    "sharp_30": Width(
        "SHARP, 30 × 2 × 5 folds", "Zeng et al. 2026", 300, _sharp(REPETITIONS)
    ),
    "clt_conservative": Width(
        "cross-validation CLT, conservative",
        "Bayle, Janson and Mackey 2025",
        10,
        _conservative,
        about_models=True,
    ),
}


def evidence(
    data: bench.NetworkData, rng: np.random.Generator, experiments: int
) -> Evidence:
    """Run experiments on a data set: 30 runs of ten folds, and 30 repetitions of halves."""
    of_runs, of_halves = rng.spawn(2)
    named = dict(list(data.pairs.items())[:PAIRS])
    pairs = list(named.values())
    learners = 1 + max(max(pair) for pair in pairs)
    # each learner alone, too: the conservative interval needs both
    alone = {f"learner {place}": (place, None) for place in range(learners)}
    data.pairs = named | alone
    hits, _, block, _ = bench._cross_validated(data, of_runs, experiments * RUNS, FOLDS)
    n = len(data.labels)
    first_run = hits.reshape(-1, experiments, RUNS, n)[:, :, 0]
    deviation = first_run[PAIRS:].std(axis=-1)
    spread = np.stack([deviation[a] + deviation[b] for a, b in pairs])
    halves = stratified_halves(data.labels, of_halves, experiments * REPETITIONS)
    test = halves.test_sets()
    place = np.repeat(np.arange(len(halves.half)), len(test) // len(halves.half))
    right = data.hits(pack_masks(test), place, pack_masks(halves.training_sets()))
    of_halves_means = halves.means(right[:PAIRS])
    return Evidence(
        block=block[:PAIRS].reshape(PAIRS, experiments, RUNS, FOLDS),
        halves=of_halves_means.reshape(PAIRS, experiments, REPETITIONS, 2),
        hits=first_run[:PAIRS],
        spread=spread,
    )


def widths(
    rng: np.random.Generator,
    *,
    source: str,
    instances: int,
    datasets: int,
    experiments: int,
) -> np.ndarray:
    """Half-widths of 95% intervals, in thousandths of the distance of their centres from zero.

    A number below 1000 is a significant difference; its sign is that of A minus B.
    Shape (data sets, pairs, methods, experiments).

    >>> rng = np.random.default_rng(1)
    >>> widths(rng, source="twins.0", instances=60, datasets=2, experiments=1).shape
    (2, 3, 8, 1)
    """
    relative = []
    for stream in rng.spawn(datasets):
        data = bench.drawn(stream, source, instances)
        collected = evidence(data, stream, experiments)
        of_methods = [method.signed(collected) for method in METHODS.values()]
        centres = np.stack([centre for centre, _ in of_methods], axis=1)
        reach = np.stack([half_width for _, half_width in of_methods], axis=1)
        width = np.full_like(reach, LARGEST)
        np.divide(reach, np.abs(centres), out=width, where=centres != 0)
        signs = np.where(centres < 0, -1, 1)
        relative.append(signs * width.clip(max=LARGEST))
    return (1000 * np.stack(relative)).astype(np.int16)


def is_null(source: str) -> bool:
    """Return whether the learners are equally good on a network."""
    return source.startswith(("source1", "twins"))


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """Return the experiments on the networks and the twins, by name.

    >>> len(plan())
    50
    """
    planned = {}
    for source in [*networks.names(), *bench.twin_names()]:
        replications, experiments = EQUAL if is_null(source) else UNEQUAL
        on_bench = bench.experiment(source, INSTANCES)
        experiment = replace(
            on_bench,
            function=widths,
            stream=(*on_bench.stream[:-1], 2),  # 0 and 1 are those of the bench
            parameters={
                "source": source,
                "instances": INSTANCES,
                "datasets": DATASETS,
                "experiments": experiments,
            },
        )
        planned[f"{source} n={INSTANCES}"] = experiment, replications
    return planned
