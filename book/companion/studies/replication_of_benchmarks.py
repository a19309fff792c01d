"""Does the replication probability of a benchmark keep its promise?  Coverage in simulations.

`replib.replication_probability.signed_rank` predicts whether a pair of classifiers is
significant again, by Wilcoxon's exact signed-rank test with Holm's correction over all
pairs, on as many other data sets.  Here benchmarks are simulated for which the truth is
known: how often the same setting gives a significant result.  Each counts once
unconditionally, and once if the pair was significant.

An interval is judged for the first classifier of a pair, which is nowhere worse.  That
of the other one is the same interval for the effect with its sign changed, but its
truth is often too small to be counted.
"""

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from replib import replication_probability, significance
from replib.multiple_comparisons import adjusted_pvalues

SEED = 2026
DATASETS = (8, 10, 15, 20, 30, 50)
#: Standardised means of the differences.
EFFECTS = (0.0, 0.3, 0.6, 1.0, 1.5)
#: Simulated benchmarks of a setting, by number of classifiers.
BENCHMARKS = {2: 10_000, 3: 3_000, 5: 2_000}
#: Fewer results than this say too little about a share of 0.95.
ENOUGH = 400
#: Truths nearer to 0 or 1 are not judged: whether 0.9999 covers 0.99995 matters to
#: nobody.
JUDGED = 0.002, 0.998

#: Deviations from the mean with variance 1: symmetric, with heavy tails, skewed to
#: either side.
SHAPES = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "t3": lambda rng, size: rng.standard_t(3, size) / np.sqrt(3),
    "right": lambda rng, size: rng.exponential(size=size) - 1,
    "left": lambda rng, size: 1 - rng.exponential(size=size),
}

#: Classifiers, data sets, effect, shape and layout of each setting: two shapes also as
#: a ladder.
SETTINGS = [
    (*setting, layout)
    for setting in itertools.product(BENCHMARKS, DATASETS, EFFECTS, SHAPES)
    for layout in ("first", "ladder")
    if layout == "first"
    or (setting[0] > 2 and setting[2] and setting[3] in ("normal", "t3"))
]
#: Results, truths below and above the limits, whether 95% is reachable, and the sum of
#: all truths, each the number of benchmarks that repeat a result.
COUNTS = ["results", "below", "above", "reachable", "truths"]


def differences(
    rng: np.random.Generator,
    *,
    classifiers: int,
    layout: str,
    shape: str,
    effect: float,
    datasets: int,
    benchmarks: int,
) -> tuple[np.ndarray, list[str]]:
    """Draw differences of all pairs, (benchmarks, pairs, datasets), and name the pairs.

    In the layout "first", the first classifier is better than all others, which are
    equally good, by `effect` standard deviations of the differences; these have the
    given shape, apart from a normal part with a fifth of the variance if there are
    several others.  In the layout "ladder" each is better than the next by `effect`,
    and the scores have the shape.

    >>> d, names = differences(np.random.default_rng(1), classifiers=3, layout="ladder",
    ...                        shape="t3", effect=0.3, datasets=8, benchmarks=5)
    >>> d.shape, names
    ((5, 3, 8), ['1 apart', '2 apart', '1 apart'])
    """
    size, draw = (benchmarks, datasets), SHAPES[shape]
    if layout == "ladder":
        scores = np.stack(
            [draw(rng, size) for _ in range(classifiers)], axis=1
        ) / np.sqrt(2)
        scores -= effect * np.arange(classifiers)[:, np.newaxis]
    else:
        own = 0.2 if classifiers > 2 else 0.0
        scores = np.sqrt(own) * rng.standard_normal((benchmarks, classifiers, datasets))
        scores[:, 0] = effect + np.sqrt(1 - own) * draw(rng, size)
    pairs = list(itertools.combinations(range(classifiers), 2))
    names = [
        f"{b - a} apart" if layout == "ladder" else "first" if a == 0 else "others"
        for a, b in pairs
    ]
    return np.stack([scores[:, a] - scores[:, b] for a, b in pairs], axis=1), names


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments: all shapes in the layout "first", two in the layout "ladder"."""
    return {
        f"{k}_{layout}_{shape}_{effect}": (
            runner.Experiment(
                coverage,
                seed=SEED,
                parameters={
                    "classifiers": k,
                    "layout": layout,
                    "shape": shape,
                    "effect": effect,
                    "benchmarks": BENCHMARKS[k],
                },
            ),
            1,
        )
        for k, _, effect, shape, layout in SETTINGS
    }


def promises(
    d: np.ndarray, alpha: float = 0.05
) -> Iterator[tuple[bool, dict[str, np.ndarray]]]:
    """Yield truth and prediction of each pair, (benchmarks, pairs): plain, and if significant.

    The truth is the number of benchmarks in which the first classifier of the pair is
    significantly better.
    """
    tests = significance.signed_rank(d)
    holm = (
        adjusted_pvalues(tests.pvalue, method="holm")
        if d.shape[1] > 1
        else tests.pvalue
    )
    truth = ((holm < alpha) & (tests.estimate >= 0)).sum(axis=0)
    for selected in (False, True):
        again = replication_probability.signed_rank(d, alpha=alpha, selected=selected)
        yield (
            selected,
            {
                "truth": np.broadcast_to(truth, holm.shape),
                "low": again.low,
                "high": again.high,
                "rank_sum": tests.statistic,
                "counts": holm < alpha if selected else np.ones_like(holm, dtype=bool),
            },
        )


def reachable(rank_sums: np.ndarray) -> bool:
    """Return whether a run of neighbouring rank sums has between 93% and 97% of the results.

    If not, no limits that rise with the rank sum can have such a coverage.

    >>> reachable(np.arange(100)), reachable(np.repeat([33, 34, 35, 36], [10, 20, 30, 40]))
    (True, False)
    """
    _, counts = np.unique(rank_sums, return_counts=True)
    up_to = np.r_[0, np.cumsum(counts)] / len(rank_sums)
    runs = up_to - up_to[:, np.newaxis]
    return bool(((runs >= 0.93) & (runs <= 0.97)).any())


def coverage(
    rng: np.random.Generator,
    *,
    classifiers: int,
    layout: str,
    shape: str,
    effect: float,
    benchmarks: int,
) -> np.ndarray:
    """Count, by number of data sets, selection and kind of pair, what `COUNTS` lists.

    Each number of data sets has a random stream of its own, from the seed of `rng` and
    its place in `SETTINGS`.
    """
    rows, entropy = [], rng.bit_generator.seed_seq.entropy
    for datasets in DATASETS:
        stream = SETTINGS.index((classifiers, datasets, effect, shape, layout))
        d, names = differences(
            np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(stream,))),
            classifiers=classifiers,
            layout=layout,
            shape=shape,
            effect=effect,
            datasets=datasets,
            benchmarks=benchmarks,
        )
        for _, of in promises(d):
            for name in dict.fromkeys(names):
                here = of["counts"] & (np.array(names) == name)
                one = {key: values[here] for key, values in of.items()}
                rows.append(
                    (
                        here.sum(),
                        (one["truth"] < benchmarks * one["low"]).sum(),
                        (one["truth"] > benchmarks * one["high"]).sum(),
                        here.any() and reachable(one["rank_sum"]),
                        one["truth"].sum(),
                    )
                )
    return np.array(rows, int).reshape(len(DATASETS), 2, -1, len(COUNTS))


def judged(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Tabulate stored settings with enough results and a truth off 0 and 1, with their coverage.

    Columns `classifiers`, `datasets`, whether `selected`, whether a coverage of 95% is
    `reachable`, the mean `truth`, and the share of truths that are `covered`.
    """
    frames = []
    for one in results.values():
        places = np.indices(one.counts[0].shape[:3]).reshape(3, -1)
        found = pd.DataFrame(one.counts[0].reshape(-1, len(COUNTS)), columns=COUNTS)
        given = one.experiment.parameters
        frames.append(
            found.assign(
                classifiers=given["classifiers"],
                datasets=np.array(DATASETS)[places[0]],
                selected=places[1],
                truth=found["truths"] / found["results"] / given["benchmarks"],
                covered=1 - (found["below"] + found["above"]) / found["results"],
            )
        )
    table = pd.concat(frames, ignore_index=True)
    kept = (table["results"] >= ENOUGH) & table["truth"].between(*JUDGED)
    return table.loc[
        kept, ["classifiers", "datasets", "selected", "reachable", "truth", "covered"]
    ]
