"""Replicability by example: one data set, two classifiers, McNemar's test, many seeds.

The classifiers are those of Task I of Bouckaert (2005), which learn nothing, so only
the random test set changes the outcome.  Worlds with equal Type I error show what
replicability is not.
"""

import numpy as np
import pandas as pd

from companion.lab.sources import task_1
from companion.papers.bouckaert2005 import mcnemar
from replib import replicability, significance


def two_classifiers(
    datasize: int = 300, difference: float = 0.15, seed: int = 2004
) -> pd.DataFrame:
    """Draw one data set of Task I for two classifiers that learn nothing from it.

    A class y and an attribute x are fair coins that agree with probability 1/2 +
    `difference`.  A predicts 1, B predicts x (Bouckaert 2005, Section 4).

    Columns `A`, `B`: whether the classifier is right on the instance.

    >>> two_classifiers(4, difference=0.5)["B"].tolist()
    [True, True, True, True]
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    a_correct, b_correct = task_1.instances(rng, datasize, q=0.25 + difference / 2)
    return pd.DataFrame({"A": a_correct, "B": b_correct})


def repeated_mcnemar(
    right: pd.DataFrame,
    test_size: int,
    *,
    repetitions: int = 10,
    alpha: float = 0.05,
    seed: int = 2004,
) -> pd.DataFrame:
    """Repeat McNemar's exact test on one data set, each time with a new random test set.

    Columns `repetition` (from 1), `only_a`, `only_b` (test instances that only one of
    the two classifies correctly), `pvalue` and `outcome`: "A better", "B better" or "no
    difference".

    >>> outcomes = repeated_mcnemar(two_classifiers(), 99)["outcome"]
    >>> len(outcomes), outcomes.isin(["A better", "B better", "no difference"]).all().item()
    (10, True)
    """
    only_a = _only(right, "A", "B")
    only_b = _only(right, "B", "A")
    rows = []
    for i in range(repetitions):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, i)))
        test = rng.choice(len(right), test_size, replace=False)
        rows.append((i + 1, int(only_a[test].sum()), int(only_b[test].sum())))
    frame = pd.DataFrame(rows, columns=["repetition", "only_a", "only_b"])
    frame["pvalue"] = significance.mcnemar(frame["only_a"], frame["only_b"]).pvalue
    winner = np.where(frame["only_a"] > frame["only_b"], "A better", "B better")
    frame["outcome"] = np.where(frame["pvalue"] < alpha, winner, "no difference")
    return frame


def _only(right: pd.DataFrame, winner: str, loser: str) -> np.ndarray:
    """Return where only the first of two classifiers is right."""
    return (right[winner] & ~right[loser]).to_numpy()


def acceptance_probability(
    right: pd.DataFrame, test_size: int, *, alpha: float = 0.05
) -> float:
    """Exact probability that `repeated_mcnemar` finds no difference, over all test sets.

    Of the six test sets of two instances out of four, none can reject at 5%:

    >>> acceptance_probability(two_classifiers(4), 2)
    1.0
    """
    return 1 - mcnemar.rejection_probability(
        _only(right, "B", "A").sum(),
        _only(right, "A", "B").sum(),
        n=len(right),
        test_size=test_size,
        alpha=alpha,
        method="exact",
    )


def worlds_of_equal_type_1_error(
    datasize: int = 300, test_size: int = 100, *, alpha: float = 0.05
) -> dict[str, mcnemar.RejectionDistribution]:
    """Return three experiments under H0 that reject equally often but differ in replicability.

    The distribution of the rejection probability over data sets, for "coin" (the
    outcome ignores the data), "McNemar" (the exact distribution on Task I) and "fixed"
    (only the data set decides).

    >>> worlds = worlds_of_equal_type_1_error()
    >>> {name: round(world.replicability, 3) for name, world in worlds.items()}
    {'coin': 0.929, 'McNemar': 0.933, 'fixed': 1.0}
    """
    on_task_1 = _rejection_distribution(datasize, test_size, 0.0, alpha)
    error = on_task_1.power
    coin = mcnemar.RejectionDistribution(np.array([error]), np.array([1.0]))
    fixed = mcnemar.RejectionDistribution(
        np.array([0.0, 1.0]), np.array([1 - error, error])
    )
    return {"coin": coin, "McNemar": on_task_1, "fixed": fixed}


def compare_worlds(worlds: dict[str, mcnemar.RejectionDistribution]) -> pd.DataFrame:
    """Type I error and replicability of each world, and the correlation that connects them.

    Indexed by world: `type_1_error` (the mean over data sets of the probability of
    rejecting), `variance` (its variance over data sets), `replicability` (raw scale),
    `normalized`, and `correlation` of two outcomes on the same data set (NaN where no
    outcome is random).

    >>> compare_worlds(worlds_of_equal_type_1_error())["correlation"].round(3).tolist()
    [0.0, 0.056, 1.0]
    """
    rows = {}
    for name, world in worlds.items():
        error = world.power
        variance = world.weight @ (world.probability - error) ** 2
        is_random = 0 < error < 1
        rows[name] = {
            "type_1_error": error,
            "variance": variance,
            "replicability": world.replicability,
            "normalized": replicability.normalized(world.replicability),
            "correlation": variance / (error * (1 - error)) if is_random else np.nan,
        }
    return pd.DataFrame(rows).T.rename_axis("world")


def draw_worlds(
    worlds: dict[str, mcnemar.RejectionDistribution],
    *,
    datasets: int = 100,
    repetitions: int = 10,
    seed: int = 2004,
) -> pd.DataFrame:
    """Draw outcomes of repeated experiments on typical data sets of each world.

    The data sets are quantiles: a share (i - 1/2)/D of all data sets rejects less often
    than the i-th of D.  Only the outcomes are random.

    Columns `world`, `dataset`, `repetition` (both from 1), `reject`.

    In the "fixed" world all repetitions on a data set agree:

    >>> drawn = draw_worlds(worlds_of_equal_type_1_error()).query("world == 'fixed'")
    >>> sorted(set(drawn.groupby("dataset")["reject"].mean()))
    [0.0, 1.0]
    """
    frames = []
    quantiles = (np.arange(datasets) + 0.5) / datasets
    for w, (name, world) in enumerate(worlds.items()):
        order = np.argsort(world.probability)
        share = np.cumsum(world.weight[order])
        # the shares may sum to a little less than 1
        place = np.searchsorted(share, quantiles).clip(max=len(order) - 1)
        p = world.probability[order][place]
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2, w)))
        reject = rng.random((repetitions, datasets)) < p
        repetition, dataset = np.indices(reject.shape) + 1
        frames.append(
            pd.DataFrame(
                {
                    "world": name,
                    "dataset": dataset.ravel(),
                    "repetition": repetition.ravel(),
                    "reject": reject.ravel(),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def power_and_replicability(
    datasize: int, test_size: int, difference: float, *, alpha: float = 0.05
) -> dict[str, float]:
    """Return power and replicability at a difference, and the correlation of two outcomes.

    Keys `difference`, `power`, `replicability` and `correlation`, that of two outcomes on
    the same data.  The replicability follows from power and correlation:

    >>> x = power_and_replicability(300, 100, 0.15)
    >>> y = 1 - 2 * x["power"] * (1 - x["power"]) * (1 - x["correlation"])
    >>> float(round(x["replicability"], 4)), float(round(y, 4))
    (0.6089, 0.6089)
    """
    world = _rejection_distribution(datasize, test_size, difference, alpha)
    row = compare_worlds({"McNemar": world}).loc["McNemar"]
    return {
        "difference": difference,
        "power": row["type_1_error"],
        "replicability": row["replicability"],
        "correlation": row["correlation"],
    }


def replicability_over_power(
    datasize: int = 300, test_size: int = 100, *, alpha: float = 0.05
) -> pd.DataFrame:
    """:func:`power_and_replicability` as the difference, and with it the power, grows from zero.

    The mean of the test statistic takes steps of a fifth of its standard deviation.

    >>> curve = replicability_over_power()
    >>> bool(abs(curve.loc[curve["replicability"].idxmin(), "power"] - 0.5) < 0.05)
    True
    """
    statistic_means = np.arange(0, 5.01, 0.2)
    differences = np.minimum(statistic_means / np.sqrt(2 * test_size), 0.5)
    rows = [
        power_and_replicability(datasize, test_size, difference, alpha=alpha)
        for difference in np.unique(differences)
    ]
    return pd.DataFrame(rows)


def rejecting_again(
    datasize: int = 300,
    test_size: int = 100,
    difference: float = 0.15,
    *,
    alpha: float = 0.05,
) -> dict[str, float]:
    """Return the probability of a second rejection, on the same data and on new data.

    "same data": P(second rejects | first rejects) with a new test set from the same
    data set, averaged over data sets; "new data": the same with a new data set, which
    is the power.

    >>> {key: float(round(p, 3)) for key, p in rejecting_again().items()}
    {'same data': 0.624, 'new data': 0.52}
    """
    world = _rejection_distribution(datasize, test_size, difference, alpha)
    return {
        "same data": world.weight @ world.probability**2 / world.power,
        "new data": world.power,
    }


def _rejection_distribution(
    datasize: int, test_size: int, difference: float, alpha: float
) -> mcnemar.RejectionDistribution:
    """Return how often McNemar's exact test rejects, over all data sets of Task I."""
    win_rate_b = 0.25 + difference / 2
    win_rate_a = 0.25 - difference / 2
    return mcnemar.rejection_distribution(
        datasize, test_size, win_rate_b, win_rate_a, alpha=alpha, method="exact"
    )
