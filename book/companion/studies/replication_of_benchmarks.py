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
SHAPES = ("normal", "t3", "right", "left")


def _deviations(
    rng: np.random.Generator, shape: str, size: tuple[int, int]
) -> np.ndarray:
    match shape:
        case "normal":
            return rng.standard_normal(size)
        case "t3":
            return rng.standard_t(3, size) / np.sqrt(3)
        case "right":
            return rng.exponential(size=size) - 1
        case "left":
            return 1 - rng.exponential(size=size)
        case _:
            raise ValueError(f"shape must be one of {SHAPES}, not {shape!r}")


def _settings() -> Iterator[tuple[int, int, float, str, str]]:
    combinations = itertools.product(BENCHMARKS, DATASETS, EFFECTS, SHAPES)
    for classifiers, datasets, effect, shape in combinations:
        setting = (classifiers, datasets, effect, shape)
        yield (*setting, "first")
        if classifiers > 2 and effect and shape in ("normal", "t3"):
            yield (*setting, "ladder")


#: Classifiers, data sets, effect, shape and layout of each setting: two shapes also as
#: a ladder.
SETTINGS = list(_settings())
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
    size = (benchmarks, datasets)
    if layout == "ladder":
        deviations = [_deviations(rng, shape, size) for _ in range(classifiers)]
        scores = np.stack(deviations, axis=1) / np.sqrt(2)
        scores -= effect * np.arange(classifiers)[:, np.newaxis]
    else:
        normal_share = 0.2 if classifiers > 2 else 0.0
        normal_parts = rng.standard_normal((benchmarks, classifiers, datasets))
        scores = np.sqrt(normal_share) * normal_parts
        shaped_part = np.sqrt(1 - normal_share) * _deviations(rng, shape, size)
        scores[:, 0] = effect + shaped_part
    pairs = list(itertools.combinations(range(classifiers), 2))
    d = np.stack([scores[:, a] - scores[:, b] for a, b in pairs], axis=1)
    return d, [_kind_of_pair(a, b, layout) for a, b in pairs]


def _kind_of_pair(a: int, b: int, layout: str) -> str:
    if layout == "ladder":
        return f"{b - a} apart"
    return "first" if a == 0 else "others"


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments: all shapes in the layout "first", two in the layout "ladder"."""
    experiments = {}
    for classifiers, _, effect, shape, layout in SETTINGS:
        experiment = runner.Experiment(
            coverage,
            seed=SEED,
            parameters={
                "classifiers": classifiers,
                "layout": layout,
                "shape": shape,
                "effect": effect,
                "benchmarks": BENCHMARKS[classifiers],
            },
        )
        experiments[f"{classifiers}_{layout}_{shape}_{effect}"] = experiment, 1
    return experiments


def promises(
    d: np.ndarray, alpha: float = 0.05
) -> Iterator[tuple[bool, dict[str, np.ndarray]]]:
    """Yield truth and prediction of each pair, (benchmarks, pairs): plain, and if significant.

    The truth is the number of benchmarks in which the first classifier of the pair is
    significantly better.
    """
    tests = significance.signed_rank(d)
    holm = tests.pvalue
    if d.shape[1] > 1:
        holm = adjusted_pvalues(tests.pvalue, method="holm")
    truth = ((holm < alpha) & (tests.estimate >= 0)).sum(axis=0)
    for selected in (False, True):
        again = replication_probability.signed_rank(d, alpha=alpha, selected=selected)
        counts = np.ones_like(holm, dtype=bool)
        if selected:
            counts = holm < alpha
        prediction = {
            "truth": np.broadcast_to(truth, holm.shape),
            "low": again.low,
            "high": again.high,
            "rank_sum": tests.statistic,
            "counts": counts,
        }
        yield selected, prediction


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
    rows = []
    entropy = rng.bit_generator.seed_seq.entropy
    for datasets in DATASETS:
        stream = SETTINGS.index((classifiers, datasets, effect, shape, layout))
        sequence = np.random.SeedSequence(entropy, spawn_key=(stream,))
        d, names = differences(
            np.random.default_rng(sequence),
            classifiers=classifiers,
            layout=layout,
            shape=shape,
            effect=effect,
            datasets=datasets,
            benchmarks=benchmarks,
        )
        for _, prediction in promises(d):
            for name in dict.fromkeys(names):
                is_kind = prediction["counts"] & (np.array(names) == name)
                members = {key: values[is_kind] for key, values in prediction.items()}
                rows.append(_counts_of_kind(members, benchmarks))
    return np.array(rows, int).reshape(len(DATASETS), 2, -1, len(COUNTS))


def _counts_of_kind(results: Mapping[str, np.ndarray], benchmarks: int) -> list[int]:
    """Return `COUNTS` of the results that a kind of pair has."""
    truth = results["truth"]
    n = len(truth)
    return [
        n,
        (truth < benchmarks * results["low"]).sum(),
        (truth > benchmarks * results["high"]).sum(),
        n > 0 and reachable(results["rank_sum"]),
        truth.sum(),
    ]


def judged(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Tabulate stored settings with enough results and a truth off 0 and 1, with their coverage.

    Columns `classifiers`, `datasets`, whether `selected`, whether a coverage of 95% is
    `reachable`, the mean `truth`, and the share of truths that are `covered`.
    """
    frames = []
    for result in results.values():
        setting = result.experiment.parameters
        counts = result.counts[0]
        d, selected, _ = np.indices(counts.shape[:3]).reshape(3, -1)
        frame = pd.DataFrame(counts.reshape(-1, len(COUNTS)), columns=COUNTS)
        missed = frame["below"] + frame["above"]
        frames.append(
            frame.assign(
                classifiers=setting["classifiers"],
                datasets=np.array(DATASETS)[d],
                selected=selected,
                truth=frame["truths"] / frame["results"] / setting["benchmarks"],
                covered=1 - missed / frame["results"],
            )
        )
    table = pd.concat(frames, ignore_index=True)
    is_judged = (table["results"] >= ENOUGH) & table["truth"].between(*JUDGED)
    columns = ["classifiers", "datasets", "selected", "reachable", "truth", "covered"]
    return table.loc[is_judged, columns]
