"""Does the replication probability of a benchmark keep its promise?  Coverage in simulations.

`replib.replication_probability.signed_rank` predicts whether a pair of classifiers is significant
again, by Wilcoxon's exact signed-rank test with Holm's correction over all pairs, on as many other
data sets.  Here benchmarks are simulated for which the truth is known: how often the same setting
gives a significant result.  Each counts once unconditionally, and once if the pair was significant.

An interval is judged for the first classifier of a pair, which is nowhere worse.  That of the other
one is the same interval for the effect with its sign changed, but its truth is often too small to
be counted.

Run as a program, it writes the counts that the book shows, in about ten minutes.
"""

import csv
import datetime
import itertools
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

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
#: Truths nearer to 0 or 1 are not judged: whether 0.9999 covers 0.99995 matters to nobody.
JUDGED = 0.002, 0.998
#: Edges of the predictions in :func:`reliability`.
EDGES = np.linspace(0, 1, 11)
RESULTS = Path(__file__).resolve().parents[4] / "book" / "results"

#: Deviations from the mean with variance 1: symmetric, with heavy tails, skewed to either side.
SHAPES = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "t3": lambda rng, size: rng.standard_t(3, size) / np.sqrt(3),
    "right": lambda rng, size: rng.exponential(size=size) - 1,
    "left": lambda rng, size: 1 - rng.exponential(size=size),
}


def differences(
    rng: np.random.Generator, *, classifiers: int, layout: str, shape: str, effect: float,
    datasets: int, benchmarks: int,
) -> tuple[np.ndarray, list[str]]:
    """Draw differences of all pairs, (benchmarks, pairs, datasets), and name the pairs.

    In the layout "first", the first classifier is better than all others, which are equally good,
    by `effect` standard deviations of the differences; these have the given shape, apart from a
    normal part with a fifth of the variance if there are several others.  In the layout "ladder"
    each is better than the next by `effect`, and the scores have the shape.

    >>> d, names = differences(np.random.default_rng(1), classifiers=3, layout="ladder",
    ...                        shape="t3", effect=0.3, datasets=8, benchmarks=5)
    >>> d.shape, names
    ((5, 3, 8), ['1 apart', '2 apart', '1 apart'])
    """
    size, draw = (benchmarks, datasets), SHAPES[shape]
    if layout == "ladder":
        scores = np.stack([draw(rng, size) for _ in range(classifiers)], axis=1) / np.sqrt(2)
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


def settings() -> Iterator[dict[str, Any]]:
    """Yield the grid: all shapes in the layout "first", two in the layout "ladder"."""
    for k, n, effect, shape in itertools.product(BENCHMARKS, DATASETS, EFFECTS, SHAPES):
        layouts = ("first", "ladder") if k > 2 and effect and shape in ("normal", "t3") else (
            "first",)
        for layout in layouts:
            yield {"classifiers": k, "layout": layout, "shape": shape, "effect": effect,
                   "datasets": n}


def promises(
    d: np.ndarray, alpha: float = 0.05, *, ahead: bool = False
) -> Iterator[tuple[bool, dict[str, np.ndarray]]]:
    """Yield truth and prediction of each pair, (benchmarks, pairs): plain, and if significant.

    The truth is the share of all benchmarks in which the first classifier of the pair is
    significantly better; or, if `ahead`, the one that this benchmark says is better.
    """
    tests = significance.signed_rank(d)
    holm = adjusted_pvalues(tests.pvalue, method="holm") if d.shape[1] > 1 else tests.pvalue
    winner = np.where(tests.estimate < 0, -1, 1)
    side = winner if ahead else np.ones_like(winner)
    truths = [((holm < alpha) & (winner == sign)).mean(axis=0) for sign in (1, -1)]
    for selected in (False, True):
        again = replication_probability.signed_rank(
            d * side[..., np.newaxis], alpha=alpha, selected=selected
        )
        yield selected, {
            "truth": np.where(side > 0, *truths), "point": again.point, "low": again.low,
            "high": again.high, "rank_sum": tests.statistic,
            "counts": holm < alpha if selected else np.ones_like(side, dtype=bool),
        }


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
    setting: dict[str, Any], stream: int, benchmarks: int | None = None, alpha: float = 0.05
) -> list[dict[str, Any]]:
    """Count, by kind of pair in one setting, `results` and truths `below` or `above` limits."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(stream,)))
    benchmarks = benchmarks or BENCHMARKS[setting["classifiers"]]
    d, names = differences(rng, benchmarks=benchmarks, **setting)
    rows = []
    for selected, of in promises(d, alpha):
        for name in dict.fromkeys(names):
            here = of["counts"] & (np.array(names) == name)
            one = {key: values[here] for key, values in of.items()}
            rows.append(setting | {
                "pair": name, "selected": int(selected), "results": int(here.sum()),
                "below": int((one["truth"] < one["low"]).sum()),
                "above": int((one["truth"] > one["high"]).sum()),
                "reachable": int(here.any() and reachable(one["rank_sum"])),
                **{f"sum_{key}": round(float(one[key].sum()), 3)
                   for key in ("truth", "point", "low", "high")},
            })
    return rows


def judged() -> pd.DataFrame:
    """Read the stored settings with enough results and a truth off 0 and 1, with their coverage."""
    table = pd.read_csv(RESULTS / "replication_of_benchmarks.csv", comment="#")
    truth = table["sum_truth"] / table["results"]
    kept = (table["results"] >= ENOUGH) & truth.between(*JUDGED)
    covered = 1 - (table["below"] + table["above"]) / table["results"]
    return table.assign(truth=truth, covered=covered)[kept]


def reliability(benchmarks: int, alpha: float = 0.05) -> list[dict[str, Any]]:
    """Compare predictions over the whole grid with the truths, in bins of predictions.

    For all results as they come, for significant ones given significance, and as in
    `replib.comparison.Benchmark.pairs`: significant ones given significance, others as they come.
    Settings have equal weights, whatever their number of pairs; `weight` is in settings.
    """
    of_bins = dict.fromkeys(("as it comes", "given significance", "pairs"), 0.0)
    for stream, setting in enumerate(settings()):
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(stream, 1)))
        d, _ = differences(rng, benchmarks=benchmarks, **setting)
        (_, plain), (_, given) = promises(d, alpha, ahead=True)
        for kind, of, counts in (
            ("as it comes", plain, plain["counts"]), ("given significance", given, given["counts"]),
            ("pairs", given, plain["counts"]),
        ):
            point, truth = of["point"][counts], of["truth"][counts]
            place = np.clip(np.digitize(point, EDGES) - 1, 0, len(EDGES) - 2)
            of_bins[kind] = of_bins[kind] + np.array([
                np.bincount(place, x / counts.size, minlength=len(EDGES) - 1)
                for x in (np.ones(len(point)), point, truth)
            ])
    return [
        {"kind": kind, "from": round(EDGES[i], 1), "to": round(EDGES[i + 1], 1),
         "weight": round(weight, 3), "predicted": round(point / weight, 4),
         "observed": round(truth / weight, 4)}
        for kind, bins in of_bins.items() for i, (weight, point, truth) in enumerate(bins.T)
    ]


def write(folder: Path = RESULTS) -> None:
    """Simulate the whole grid, and write both tables."""
    save(folder, "", BENCHMARKS, [
        row for stream, setting in enumerate(settings()) for row in coverage(setting, stream)
    ])
    save(folder, "_reliability", 100, reliability(100))


def save(folder: Path, name: str, benchmarks: Any, table: list[dict[str, Any]]) -> None:
    """Write a table whose first line has its origin, including the benchmarks per setting."""
    with (folder / f"replication_of_benchmarks{name}.csv").open(
        "w", newline="", encoding="utf-8"
    ) as file:
        file.write(
            f"# seed {SEED}, benchmarks {benchmarks}, alpha 0.05, level 0.95, python "
            f"{platform.python_version()}, numpy {np.__version__}, {datetime.date.today()}\n"
        )
        writer = csv.DictWriter(file, table[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
