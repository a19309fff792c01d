"""What follows from the map: the distribution of the odds, what predicts them, what tests cost."""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from companion.papers.correlated_differences import equicorrelated_type1_error
from companion.studies.correlation_map.experiments import FINITE, NETWORKS, TWINS
from companion.studies.correlation_map.measures import LINEAR
from replib import methods
from replib.significance.means import mean_odds

#: The map, written with the stored run by ``python -m replib results correlation_map``.
FILE = Path(__file__).parents[3] / "results" / "correlation_map.csv"
#: What `replib.methods` takes from the map.
RANGES = Path(methods.__file__).parent / "data" / "odds.csv"
#: Pairs that differ on a smaller share of test instances count as the same learner.
NEARLY_EQUAL = 0.04
#: What the corrected test assumes for ten folds.
ASSUMED = 1 / 9


def read(design: str = "2x10") -> pd.DataFrame:
    """Read the map: pairs of one design that are not nearly equal, and what may predict their odds.

    Columns as in :func:`companion.studies.correlation_map.measures.table`, with
    its errors; also `kind` of population, `error` (mean of the two error rates), `gap`
    (distance of the two accuracies) and `flexible` (how many of the two learners are
    not linear).
    """
    frame = pd.read_csv(FILE)
    frame = frame[(frame["design"] == design) & (frame["disagreement"] >= NEARLY_EQUAL)]
    kinds = dict.fromkeys(NETWORKS, "network") | dict.fromkeys(TWINS, "twins")
    kinds |= dict.fromkeys(FINITE, "real data")
    accuracies = frame[["accuracy_a", "accuracy_b"]]
    return frame.assign(
        kind=[kinds.get(name, "generated") for name in frame["population"]],
        error=1 - accuracies.mean(axis=1),
        gap=accuracies.diff(axis=1).iloc[:, 1].abs(),
        flexible=sum(~frame[name].isin([*LINEAR, "stump"]) for name in "ab"),
    ).reset_index(drop=True)


def shrunk(values: pd.Series, errors: pd.Series) -> pd.Series:
    """Draw values to their mean until they scatter as much as without their errors.

    >>> x = pd.Series([1.0, 3.0, 5.0])
    >>> shrunk(x, pd.Series([2.0, 2.0, 2.0])).tolist(), shrunk(x, 0 * x).tolist()
    ([3.0, 3.0, 3.0], [1.0, 3.0, 5.0])
    """
    mean, variance = values.mean(), values.var()
    true = max(variance - (errors**2).mean(), 0)
    return mean + np.sqrt(true / variance) * (values - mean)


def of_runs(pairs: pd.DataFrame, runs: float) -> pd.Series:
    """Return the odds of the mean correlation in `runs` runs of ten folds; infinite: between runs.

    Correlations are drawn to their mean by :func:`shrunk`, with the errors of those
    between runs, or within a run if there is only one.
    """
    share = 9 / (10 * runs - 1)  # of pairs of differences in the same run
    rho = share * pairs["rho_within"] + (1 - share) * pairs["rho_between"]
    rho = shrunk(rho, pairs["rho_within_error" if runs == 1 else "rho_between_error"])
    return rho / (1 - rho)


def summary(
    pairs: pd.DataFrame, runs: float, *, resamples: int = 300, seed: int = 1
) -> pd.Series:
    """Summarise the odds of :func:`of_runs` over pairs: each value, and its error (``_error``).

    `mean`, `sd`, `above` (the share above `ASSUMED`), and the quantiles `q05`,
    `median`, `q95`. Errors come from resampling whole populations.
    """

    def of(frame: pd.DataFrame) -> dict[str, float]:
        odds = of_runs(frame, runs)
        low, median, high = np.quantile(odds, [0.05, 0.5, 0.95])
        return {
            "mean": odds.mean(),
            "sd": odds.std(),
            "above": (odds > ASSUMED).mean(),
            "q05": low,
            "median": median,
            "q95": high,
        }

    rng = np.random.default_rng(seed)
    parts = [part for _, part in pairs.groupby("population")]
    again = pd.DataFrame(
        [
            of(
                pd.concat(
                    [
                        parts[place]
                        for place in rng.integers(len(parts), size=len(parts))
                    ]
                )
            )
            for _ in range(resamples)
        ]
    )
    return pd.concat([pd.Series(of(pairs)), again.std().add_suffix("_error")])


def by_learner(pairs: pd.DataFrame) -> pd.DataFrame:
    """Odds of the mean correlation of the pairs that contain a learner, and errors of populations.

    Indexed by `learner`, from the smallest odds between runs, and `n`; columns
    `within`, `between`, and their errors (``_error``); learners on more than five
    populations.
    """
    names = ["learner", "n", "population"]
    long = pd.concat([pairs.rename(columns={side: "learner"}) for side in "ab"])
    of = long.groupby(names)[["rho_within", "rho_between"]].mean().groupby(names[:2])
    rho, error = (x[of["rho_within"].count() > 5] for x in (of.mean(), of.sem()))
    found = (rho / (1 - rho)).join(error / (1 - rho) ** 2, rsuffix="_error")
    found.columns = found.columns.str.removeprefix("rho_")
    order = found["between"].groupby("learner").mean().sort_values().index
    return found.reindex(order, level="learner")


def size_effect(
    pairs: pd.DataFrame, small: int = 100, large: int = 300
) -> tuple[float, float]:
    """Return how much rho between runs of a pair grows with the data, and its error of populations.

    The change from `small` to `large` data sets is that of the same pair on the same
    population.
    """
    wide = pairs.pivot_table("rho_between", ["population", "a", "b"], "n")
    change = (wide[large] - wide[small]).groupby("population").mean()
    return change.mean(), change.sem()


def ranges(pairs: pd.DataFrame, populations: int = 10) -> list[dict]:
    """List the odds that hold 90% of the populations of each two learners and size, by runs.

    An entry has a `title` and, for 1 and 10 runs, the quantiles 5%, 50% and 95%, at
    least 0; pairs on fewer populations are left out.
    """
    odds = pairs.assign(**{str(runs): of_runs(pairs, runs) for runs in (1, 10)})
    found = []
    for (a, b, n), part in odds.groupby(["a", "b", "n"]):
        if len(part) >= populations:
            found.append(
                {"title": f"{a} and {b}, {n} instances"}
                | {
                    int(runs): part[runs]
                    .quantile([0.05, 0.5, 0.95])
                    .clip(0)
                    .round(3)
                    .tolist()
                    for runs in ("1", "10")
                }
            )
    return found


def predictors(pairs: pd.DataFrame) -> pd.Series:
    """Share of the variance of rho between runs that properties explain on other populations.

    A straight line, or for learners their mean, is fitted on all populations but one
    and judged on that one; the share is of the variance between pairs without the
    errors of single pairs.
    """
    learners = pd.get_dummies(pairs["a"]).add(pd.get_dummies(pairs["b"]), fill_value=0)
    found = {
        "instances": np.log(pairs["n"]),
        "error rates": pairs["error"],
        "distance of error rates": pairs["gap"],
        "disagreement": pairs["disagreement"],
        "flexible learners": pairs["flexible"],
        "variance between seeds": pairs["seeds"],
        "the two learners": learners,
    }
    found["all of these"] = pd.concat(found.values(), axis=1)
    y = pairs["rho_between"].to_numpy()
    true = y.var() - (pairs["rho_between_error"] ** 2).mean()
    shares = {}
    for name, x in found.items():
        x = np.column_stack([np.ones(len(y)), np.asarray(x, dtype=float)])
        predicted = np.empty(len(y))
        for population in pairs["population"].unique():
            out = (pairs["population"] == population).to_numpy()
            predicted[out] = x[out] @ np.linalg.lstsq(x[~out], y[~out])[0]
        shares[name] = (y.var() - ((y - predicted) ** 2).mean()) / true
    return pd.Series(shares).sort_values(ascending=False)


def calibrated(pairs: pd.DataFrame, share: float = 0.95) -> tuple[float, float]:
    """Return the odds (within, between) with which the test keeps its level on a share of pairs.

    With one run only those within matter; those between are then chosen for ten runs of
    ten folds.
    """
    within, mean = (
        max(np.quantile(of_runs(pairs, runs), share), 0.0) for runs in (1, 10)
    )
    rho = mean / (1 + mean) * 99 - 9 * within / (1 + within)
    return float(within), float(rho / (90 - rho))


def write_ranges(pairs: pd.DataFrame) -> None:
    """Write the range of the odds of 90% of pairs for one run and for ten, for `replib.methods`."""
    rows = [
        (runs, *of_runs(pairs, runs).quantile([0.05, 0.95]).clip(1e-3))
        for runs in (1, 10)
    ]
    pd.DataFrame(rows, columns=["runs", "low", "high"]).to_csv(
        RANGES, index=False, float_format="%.3f", lineterminator="\n"
    )


def level(pairs: pd.DataFrame, runs: int, assumed: float) -> np.ndarray:
    """Type I error of the corrected t test with this ratio on each pair, if normal."""
    odds = of_runs(pairs, runs)
    rho = np.maximum(odds / (1 + odds), 0)
    return np.array(
        [
            equicorrelated_type1_error(float(it), n=10 * runs, test_train_ratio=assumed)
            for it in rho
        ]
    )


def power(runs: int, odds: float, *, true: float, reference: float = 0.8) -> float:
    """Power with these odds at the difference where 1/9 has the power `reference`.

    Differences are normal, and any two have the odds `true`.

    >>> round(power(10, 1 / 9, true=0.12), 3)
    0.8
    """
    n = 10 * runs
    critical = stats.t.isf(0.025, n - 1)

    def of(effect: float, assumed: float) -> float:
        scale = critical * np.sqrt((1 / n + assumed) / (1 / n + true))
        return float(
            stats.nct.sf(scale, n - 1, effect) + stats.nct.cdf(-scale, n - 1, effect)
        )

    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if of(middle, ASSUMED) < reference else (low, middle)
    return of(low, odds)


def for_runs(within: float, between: float, runs: int) -> float:
    """Return the odds of the mean of `runs` runs of ten folds."""
    return float(mean_odds(within, between, runs=runs, folds=10))
