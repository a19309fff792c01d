"""Study #3 of Berrar (2024): a support vector machine against itself with an oracle; Figure 13."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pandas as pd
from scipy import fft, stats

from companion.lab.experiments.runner import Experiment, Replications
from companion.papers import published
from companion.papers.berrar2024 import algorithms, in_cross_validation
from companion.papers.berrar2024.algorithms import SVM, Learner
from companion.papers.berrar2024.in_cross_validation import CASES, FOLDS, MEAN
from companion.papers.berrar2024.rows import REPLICATIONS, SEED, rows
from replib import replication_probability

#: The stored run that :func:`ledger_rows` takes.
NEEDS = ("berrar2024_study_3",)

#: Percentages of labels that the oracle reveals.
PERCENTS = tuple(range(1, 21))
#: Number of features.
FEATURES = 20
#: The percentage that Figure 13 highlights.
HIGHLIGHTED = 7
#: Up to so many revealed cases per fold all draws of the oracle are summed; more take
#: minutes.
SUMMED = 7


def plan(
    percents: Sequence[int] = PERCENTS,
    *,
    learner: Learner = SVM,
    folds: int = FOLDS,
    replications: int = REPLICATIONS,
    is_independent: bool = False,
    seed: int = SEED,
) -> dict[str, tuple[Experiment, int]]:
    """Return the experiments of all percentages, by name.

    The fits do not depend on the percentage, so one cross-validation serves all
    percentages, unless `is_independent` asks for independent learning sets, as
    Algorithm 3 draws them.
    """
    parameters = {
        "cases": CASES,
        "features": FEATURES,
        "mean": MEAN,
        "folds": folds,
        "learner": learner,
    }
    if is_independent:
        streams = {(3, percent): [percent] for percent in percents}
    else:
        streams = {(3,): list(percents)}
    experiments = {}
    for stream, members in streams.items():
        experiment = Experiment(
            algorithms.algorithm_3, seed, {**parameters, "percents": members}, stream
        )
        name = f"percents_{members[0]}_to_{members[-1]}"
        experiments[name] = experiment, replications
    return experiments


def gains(results: Mapping[str, Replications]) -> dict[int, np.ndarray]:
    """Return correct predictions gained by the oracle: (experiments, folds), by percentage."""
    by_percent = {}
    for result in results.values():
        for i, percent in enumerate(result.experiment.parameters["percents"]):
            by_percent[percent] = result.counts[:, :, 1 + i].astype(int)
    return by_percent


def outcomes(
    results: Mapping[str, Replications], *, alpha: float = 0.05
) -> pd.DataFrame:
    """Return `in_cross_validation.outcomes` of each experiment, with the cases that were drawn."""
    return in_cross_validation.outcomes(gains(results), alpha=alpha)


def expected(
    results: Mapping[str, Replications], *, alpha: float = 0.05
) -> pd.DataFrame:
    """Return `in_cross_validation.outcomes` with expectations over all draws of the oracle.

    Where at most `SUMMED` cases are revealed, `t` of an experiment is its expected
    finite value and `is_significant` the probability of significance; the other columns
    are those drawn.
    """
    frame = outcomes(results, alpha=alpha)
    frame = frame.astype({"is_significant": float})
    columns = ["t", "is_significant"]
    for result in results.values():
        for percent in result.experiment.parameters["percents"]:
            if _n_revealed(result, percent) <= SUMMED:
                is_percent = frame["group"] == percent
                frame.loc[is_percent, columns] = _expected(result, percent, alpha)
    return frame


def _fold_size(result: Replications) -> int:
    """Return the number of cases in a fold."""
    return result.experiment.parameters["cases"] // result.counts.shape[1]


def _n_revealed(result: Replications, percent: int) -> int:
    """Return the number of cases that the oracle reveals in each fold."""
    return _fold_size(result) * percent // 100


@lru_cache(maxsize=40)
def _expected(result: Replications, percent: int, alpha: float) -> np.ndarray:
    """Return the expected T and the probability of significance, by experiment.

    T depends on s, the sum of the gains g, and on b, that of g (g - 1) / 2.  Their
    joint distribution has the product of the Fourier transforms of the folds'
    distributions.
    """
    correct = result.counts[:, :, 0].astype(int)
    folds = correct.shape[1]
    size = _fold_size(result)
    revealed = _n_revealed(result, percent)
    gain = np.arange(revealed + 1)
    pairs = gain * (gain - 1) // 2
    # one number stands for b and s, and for their sums over all folds
    width = folds * revealed + 1
    n_codes = fft.next_fast_len(width * (folds * pairs[-1] + 1), True)
    b, s = np.divmod(np.arange(n_codes), width)
    # the distribution in a fold, by its wrong predictions
    wrong = np.arange(size + 1)[:, None]
    distribution = np.zeros((size + 1, n_codes))
    distribution[:, gain + width * pairs] = stats.hypergeom.pmf(
        gain, size, wrong, revealed
    )
    transform = fft.rfft(distribution)
    t = _t_of_sums(s, b, folds)
    is_finite = np.isfinite(t)
    is_significant = 2 * stats.t.sf(t, folds - 1) < alpha
    summed = np.column_stack([np.where(is_finite, t, 0), is_finite, is_significant])
    expectations = np.array(
        [
            fft.irfft(transform[wrong_by_fold].prod(axis=0), n_codes) @ summed
            for wrong_by_fold in size - correct
        ]
    )
    t_sum, finite_share, significant_share = expectations.T
    return np.column_stack([t_sum / finite_share, significant_share])


def _t_of_sums(s: np.ndarray, b: np.ndarray, folds: int) -> np.ndarray:
    """Return T from the sum s of the gains and the sum b of g (g - 1) / 2; infinite if constant."""
    squares = np.maximum(folds * (s + 2 * b) - s**2, 0)  # centred, times the folds
    with np.errstate(divide="ignore", invalid="ignore"):
        t = s / np.sqrt((1 / folds + 1 / (folds - 1)) * squares * folds / (folds - 1))
    t[0] = 0.0
    return t


def plain_oracle(wrong: int, cases: int, revealed: int) -> np.ndarray:
    """Return the share of gains 0, 1, ... over all draws of an oracle that replaces labels.

    It is line 28 of the algorithm.
    """
    draws = combinations(range(cases), revealed)
    gains = [sum(case < wrong for case in draw) for draw in draws]
    return np.bincount(gains, minlength=revealed + 1) / len(gains)


def oracle_agrees(cases: int = 9) -> bool:
    """Return whether the shares of :func:`plain_oracle` are hypergeometric, for few cases."""
    for wrong, revealed in product(range(cases + 1), repeat=2):
        gains = np.arange(revealed + 1)
        shares = stats.hypergeom.pmf(gains, cases, wrong, revealed)
        if not np.allclose(plain_oracle(wrong, cases, revealed), shares):
            return False
    return True


# ------------------------------------------------------------------ readings of Algorithm 3

#: Percentages for which the paper prints p and F: the ids of both.
PRINTED = {
    2: ("disc.p2", "disc.F2"),
    3: ("s3.p3", "s3.F3"),
    4: ("s3.p4", "s3.F4"),
    7: ("s3.p7", "s3.F7"),
}


def printed_pairs(folds: int = FOLDS) -> pd.DataFrame:
    """Return the paper's mean T (from its p-value) and share, `t` and `F`, by percentage."""
    pairs = {}
    for percent, (p_id, share_id) in PRINTED.items():
        p = published.value(f"berrar2024.{p_id}")
        share = published.value(f"berrar2024.{share_id}")
        pairs[percent] = {"t": stats.t.isf(p / 2, folds - 1), "F": share}
    return pd.DataFrame(pairs).T.rename_axis("percent")


def with_replacement(rng, wrong: np.ndarray, size: int, revealed: int) -> np.ndarray:
    """Draw gains of an oracle that may draw a case more than once: its different wrong cases."""
    drawn = np.sort(rng.integers(size, size=(*wrong.shape, revealed)), axis=-1)
    is_new = np.diff(drawn, axis=-1, prepend=-1) > 0
    return (is_new & (drawn < wrong[..., None])).sum(axis=-1)


def over_the_whole_set(
    rng, wrong: np.ndarray, size: int, revealed: int, times: int
) -> np.ndarray:
    """Draw gains if the cases come from all folds at once: how many were wrong in each fold."""
    folds = wrong.shape[1]
    gains = []
    for by_fold in wrong:
        urn = [*by_fold, size * folds - by_fold.sum()]
        drawn = rng.multivariate_hypergeometric(urn, revealed * folds, size=times)
        gains.append(drawn[:, :-1])
    return np.concatenate(gains)


#: Times that the oracle draws for each stored cross-validation in :func:`readings`.
_TIMES = 10

#: Readings of how the oracle draws its cases.
_ORACLES = (
    "as written",
    "one case more",
    "a case may be drawn twice",
    "each case with that probability",
    "cases of all folds at once",
)


def _drawn_gains(
    rng: np.random.Generator, oracle: str, wrong: np.ndarray, size: int, percent: int
) -> np.ndarray:
    """Draw gains by one of `_ORACLES`."""
    repeated = np.tile(wrong, (_TIMES, 1))
    revealed = size * percent // 100
    match oracle:
        case "one case more":
            return rng.hypergeometric(repeated, size - repeated, revealed + 1)
        case "a case may be drawn twice":
            return with_replacement(rng, repeated, size, revealed)
        case "each case with that probability":
            return rng.binomial(repeated, percent / 100)
        case "cases of all folds at once":
            return over_the_whole_set(rng, wrong, size, revealed, _TIMES)
    return rng.hypergeometric(repeated, size - repeated, revealed)


def readings(results: Mapping[str, Replications]) -> pd.DataFrame:
    """Compare readings of Algorithm 3 with the paper, where it prints p and F, at its level of 5%.

    The oracle draws ten times for each stored cross-validation, which leaves little
    noise on our side.  Columns `reading`, `percent`, `t` (mean), `F`, and `distance` of
    both from the printed pair, a chi-square with 2 degrees of freedom.
    """
    result = next(iter(results.values()))
    correct = result.counts[:, :, 0].astype(int)
    folds = correct.shape[1]
    size = _fold_size(result)
    wrong = size - correct
    rng = np.random.default_rng(np.random.SeedSequence(SEED))
    drawn = {}
    for oracle in _ORACLES:
        drawn[oracle] = {
            percent: _drawn_gains(rng, oracle, wrong, size, percent)
            for percent in PRINTED
        }
    # the last two readings are of the formula of T, and multiply it by a factor
    factors = dict.fromkeys(_ORACLES, 1.0) | {
        "variance divided by k": np.sqrt(folds / (folds - 1)),
        "test/train ratio 1/k": np.sqrt((1 / folds + 1 / (folds - 1)) / (2 / folds)),
    }
    critical = stats.t.isf(0.05 / 2, folds - 1)
    printed = printed_pairs(folds)
    distances = []
    for reading, factor in factors.items():
        gains_of_reading = drawn.get(reading, drawn["as written"])
        experiments = in_cross_validation.outcomes(gains_of_reading, alpha=0.05)
        pairs = experiments[["group"]].assign(t=factor * experiments["t"])
        pairs["F"] = (pairs["t"] > critical).astype(float)
        finite = pairs[np.isfinite(pairs["t"])]
        for percent, pair in finite.groupby("group")[["t", "F"]]:
            distance = pair.mean() - printed.loc[percent]
            covariance = pair.cov() * (1 / len(pair) + 1 / REPLICATIONS)
            row = {
                "reading": reading,
                "percent": percent,
                **pair.mean(),
                "distance": _squared_distance(distance, covariance),
            }
            distances.append(row)
    return pd.DataFrame(distances)


def _squared_distance(distance: pd.Series, covariance: pd.DataFrame) -> float:
    """Return the distance in standard errors, squared; NaN if a coordinate does not vary.

    Of few experiments, all may be significant: then their share has no error.
    """
    if not np.diag(covariance).all():
        return np.nan
    return float(distance @ np.linalg.solve(covariance, distance))


def equivalent_percentages(groups: pd.DataFrame) -> pd.DataFrame:
    """Interpolate the percentages at which our mean T and our share equal the printed ones."""
    printed = printed_pairs()
    near = groups.loc[:10]
    columns = {
        column: np.interp(printed[column], near[column], near.index)
        for column in ("t", "F")
    }
    return pd.DataFrame(columns, index=printed.index)


def attainable_t(near: float, folds: int = FOLDS, revealed: int = 3) -> pd.DataFrame:
    """Find the attainable T nearest to a printed one; gains are 0 to `revealed` in each fold.

    Columns `divisor` of the variance, `ratio` (test/train), `t` (the nearest value) and
    `agrees` (whether `t` is within 0.0005 of the printed value).
    """
    gains = np.array(list(combinations_with_replacement(range(revealed + 1), folds)))
    gains = gains[gains[:, 0] < gains[:, -1]]  # others have no variance
    nearest_values = []
    for divisor, ratio in product((folds - 1, folds), (1 / (folds - 1), 1 / folds)):
        variance = gains.var(axis=1) * folds / divisor
        t = gains.mean(axis=1) / np.sqrt((1 / folds + ratio) * variance)
        nearest = t[np.abs(t - near).argmin()]
        agrees = bool(abs(nearest - near) <= 0.0005)
        nearest_values.append((divisor, ratio, nearest, agrees))
    columns = ["divisor", "ratio", "t", "agrees"]
    return pd.DataFrame(nearest_values, columns=columns)


# ------------------------------------------------------------------ ledger


def numbers(groups: pd.DataFrame) -> dict[str, float]:
    """Return the numbers that the paper prints, by id, from `in_cross_validation.by_group`."""
    printed = {
        "s3.T3": (3, "t"),
        "s3.p3": (3, "p"),
        "s3.F3": (3, "F"),
        "s3.p4": (4, "p"),
        "s3.P4": (4, "P"),
        "s3.F4": (4, "F"),
        "s3.p7": (7, "p"),
        "s3.F7": (7, "F"),
        "s3.P7": (7, "P"),
        "disc.T2": (2, "t"),
        "disc.p2": (2, "p"),
    }
    values = {key: groups.at[cell] for key, cell in printed.items()}
    n_of_two = REPLICATIONS * groups.at[2, "share"]
    n_of_three = REPLICATIONS * groups.at[3, "share"]
    return values | {
        "s3.n_sig3": n_of_three,
        "disc.n2": n_of_two,
        "disc.F2": n_of_two / REPLICATIONS,
    }


def ledger_rows(
    *,
    results: Mapping[str, Mapping[str, Replications]],
    alpha: float = 0.05,
    folds: int = FOLDS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Return ledger rows of study #3; errors as in `in_cross_validation.with_errors`."""
    groups, rebuilt, published_error = in_cross_validation.with_errors(
        outcomes(results[NEEDS[0]], alpha=alpha),
        numbers,
        expected=expected(results[NEEDS[0]], alpha=alpha),
        alpha=alpha,
        folds=folds,
        seed=seed,
    )
    critical = stats.t.isf(alpha / 2, folds - 1)
    below = (groups["P"] <= groups["F"]).loc[5:]
    first = published.value("berrar2024.s3.t31")
    printed_mean = published.value("berrar2024.s3.T3")
    return rows(
        rebuilt
        | {
            "s3.t31": attainable_t(first)["t"].iloc[0],
            "s3.p31": 2 * stats.t.sf(first, folds - 1),
            "s3.P3": replication_probability.cv_t(
                printed_mean, folds, alpha=alpha, scale=1
            ).point,
            "alg03": oracle_agrees(),
            "cl.04": bool((groups["t"].loc[:2] < critical).all()),
            "cl.05": bool(below.all()),
            "fig13": bool(below.all() and groups.at[3, "P"] > groups.at[3, "F"]),
        },
        published_error=published_error,
    )
