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

#: Percentages of labels that the oracle reveals; number of features.
PERCENTS, FEATURES = tuple(range(1, 21)), 20
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
    """The experiments of all percentages, by name.

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
    sets = [[q] for q in percents] if is_independent else [list(percents)]
    return {
        f"percents_{some[0]}_to_{some[-1]}": (
            Experiment(
                algorithms.algorithm_3,
                seed,
                {**parameters, "percents": some},
                (3, some[0]) if is_independent else (3,),
            ),
            replications,
        )
        for some in sets
    }


def gains(results: Mapping[str, Replications]) -> dict[int, np.ndarray]:
    """Correct predictions gained by the oracle: (experiments, folds), by percentage."""
    return {
        percent: one.counts[:, :, 1 + place].astype(int)
        for one in results.values()
        for place, percent in enumerate(one.experiment.parameters["percents"])
    }


def outcomes(
    results: Mapping[str, Replications], *, alpha: float = 0.05
) -> pd.DataFrame:
    """`in_cross_validation.outcomes` of each experiment, with the cases that the oracle drew."""
    return in_cross_validation.outcomes(gains(results), alpha=alpha)


def expected(
    results: Mapping[str, Replications], *, alpha: float = 0.05
) -> pd.DataFrame:
    """`in_cross_validation.outcomes` with expectations over all draws of the oracle.

    Where at most `SUMMED` cases are revealed, `t` of an experiment is its expected
    finite value and `is_significant` the probability of significance; the other columns
    are those drawn.
    """
    frame = outcomes(results, alpha=alpha)
    frame = frame.astype({"is_significant": float})
    for one in results.values():
        for percent in one.experiment.parameters["percents"]:
            if _revealed(one, percent) <= SUMMED:
                columns = ["t", "is_significant"]
                frame.loc[frame["group"] == percent, columns] = _expected(
                    one, percent, alpha
                )
    return frame


def _revealed(one: Replications, percent: int) -> int:
    return one.experiment.parameters["cases"] // one.counts.shape[1] * percent // 100


@lru_cache(maxsize=40)
def _expected(one: Replications, percent: int, alpha: float) -> np.ndarray:
    """Expected T and probability of significance, by experiment.

    T depends on s, the sum of the gains g, and on b, that of g (g - 1) / 2.  Their
    joint distribution has the product of the Fourier transforms of the folds'
    distributions.
    """
    correct = one.counts[:, :, 0].astype(int)
    folds, revealed = correct.shape[1], _revealed(one, percent)
    size, gain = one.experiment.parameters["cases"] // folds, np.arange(revealed + 1)
    pairs, width = gain * (gain - 1) // 2, folds * revealed + 1
    b, s = np.divmod(
        np.arange(fft.next_fast_len(width * (folds * pairs[-1] + 1), True)), width
    )
    law, wrong = np.zeros((size + 1, len(s))), np.arange(size + 1)[:, None]
    law[:, gain + width * pairs] = stats.hypergeom.pmf(gain, size, wrong, revealed)
    of_fold = fft.rfft(law)
    squares = np.maximum(folds * (s + 2 * b) - s**2, 0)  # centred, times the folds
    with np.errstate(divide="ignore", invalid="ignore"):
        t = s / np.sqrt((1 / folds + 1 / (folds - 1)) * squares * folds / (folds - 1))
    t[0] = 0.0
    is_finite, is_significant = np.isfinite(t), 2 * stats.t.sf(t, folds - 1) < alpha
    summed = np.column_stack([np.where(is_finite, t, 0), is_finite, is_significant])
    t, is_finite, is_significant = np.array(
        [
            fft.irfft(of_fold[row].prod(axis=0), len(s)) @ summed
            for row in size - correct
        ]
    ).T
    return np.column_stack([t / is_finite, is_significant])


def plain_oracle(wrong: int, cases: int, revealed: int) -> np.ndarray:
    """Share of gains 0, 1, ... over all draws of an oracle that replaces labels (line 28)."""
    gains = [
        sum(case < wrong for case in some)
        for some in combinations(range(cases), revealed)
    ]
    return np.bincount(gains, minlength=revealed + 1) / len(gains)


def oracle_agrees(cases: int = 9) -> bool:
    """Return whether the shares of :func:`plain_oracle` are hypergeometric, for few cases."""
    law = lambda wrong, k: stats.hypergeom.pmf(range(k + 1), cases, wrong, k)
    settings = product(range(cases + 1), repeat=2)
    return all(
        np.allclose(plain_oracle(wrong, cases, k), law(wrong, k))
        for wrong, k in settings
    )


# ------------------------------------------------------------------ readings of Algorithm 3

#: Percentages for which the paper prints p and F: the ids of both.
PRINTED = {
    2: ("disc.p2", "disc.F2"),
    3: ("s3.p3", "s3.F3"),
    4: ("s3.p4", "s3.F4"),
    7: ("s3.p7", "s3.F7"),
}


def printed_pairs(folds: int = FOLDS) -> pd.DataFrame:
    """The paper's mean T (from its p-value) and share, `t` and `F`, by percentage."""
    value = lambda key: published.value(f"berrar2024.{key}")
    return pd.DataFrame(
        {
            q: {"t": stats.t.isf(value(p) / 2, folds - 1), "F": value(F)}
            for q, (p, F) in PRINTED.items()
        }
    ).T.rename_axis("percent")


def with_replacement(rng, wrong: np.ndarray, size: int, revealed: int) -> np.ndarray:
    """Gains of an oracle that may draw a case more than once: the wrong cases that it draws."""
    drawn = np.sort(rng.integers(size, size=(*wrong.shape, revealed)), axis=-1)
    is_new = np.diff(drawn, axis=-1, prepend=-1) > 0
    return (is_new & (drawn < wrong[..., None])).sum(axis=-1)


def over_the_whole_set(
    rng, wrong: np.ndarray, size: int, revealed: int, times: int
) -> np.ndarray:
    """Gains if the cases are drawn from all folds at once: how many were wrong in each fold."""
    folds = wrong.shape[1]
    return np.concatenate(
        [
            rng.multivariate_hypergeometric(
                [*w, size * folds - w.sum()], revealed * folds, size=times
            )[:, :-1]
            for w in wrong
        ]
    )


def readings(results: Mapping[str, Replications]) -> pd.DataFrame:
    """Compare readings of Algorithm 3 with the paper, where it prints p and F, at its level of 5%.

    The oracle draws ten times for each stored cross-validation, which leaves little
    noise on our side.  Columns `reading`, `percent`, `t` (mean), `F`, and `distance` of
    both from the printed pair, a chi-square with 2 degrees of freedom.
    """
    one = next(iter(results.values()))
    correct = one.counts[:, :, 0].astype(int)
    folds = correct.shape[1]
    size = one.experiment.parameters["cases"] // folds
    wrong, rng = size - correct, np.random.default_rng(np.random.SeedSequence(SEED))
    many, right = np.tile(wrong, (10, 1)), np.tile(correct, (10, 1))
    draws = {
        "as written": lambda q: rng.hypergeometric(many, right, q),
        "one case more": lambda q: rng.hypergeometric(many, right, q + 1),
        "a case may be drawn twice": lambda q: with_replacement(rng, many, size, q),
        "each case with that probability": lambda q: rng.binomial(many, q / 100),
        "cases of all folds at once": lambda q: over_the_whole_set(
            rng, wrong, size, q, 10
        ),
    }
    drawn = {reading: {q: draw(q) for q in PRINTED} for reading, draw in draws.items()}
    factors = dict.fromkeys(draws, 1.0) | {
        "variance divided by k": np.sqrt(folds / (folds - 1)),
        "test/train ratio 1/k": np.sqrt((1 / folds + 1 / (folds - 1)) / (2 / folds)),
    }
    printed, frames = printed_pairs(folds), []
    for reading, factor in factors.items():
        seen = in_cross_validation.outcomes(
            drawn.get(reading, drawn["as written"]), alpha=0.05
        )
        pairs = seen[["group"]].assign(t=factor * seen["t"])
        pairs["F"] = (pairs["t"] > stats.t.isf(0.05 / 2, folds - 1)).astype(float)
        for q, pair in pairs[np.isfinite(pairs["t"])].groupby("group")[["t", "F"]]:
            away = pair.mean() - printed.loc[q]
            covariance = pair.cov() * (1 / len(pair) + 1 / REPLICATIONS)
            frames.append(
                {
                    "reading": reading,
                    "percent": q,
                    **pair.mean(),
                    "distance": away @ np.linalg.solve(covariance, away),
                }
            )
    return pd.DataFrame(frames)


def equivalent_percentages(groups: pd.DataFrame) -> pd.DataFrame:
    """Percentages, interpolated, at which our mean T and our share would equal the printed ones."""
    printed, near = printed_pairs(), groups.loc[:10]
    return pd.DataFrame(
        {
            column: np.interp(printed[column], near[column], near.index)
            for column in ("t", "F")
        },
        index=printed.index,
    )


def attainable_t(near: float, folds: int = FOLDS, revealed: int = 3) -> pd.DataFrame:
    """The attainable T nearest to a printed one, with gains of 0 to `revealed` cases in each fold.

    Columns `divisor` of the variance, `ratio` (test/train), `t` (the nearest value) and
    `agrees` (whether `t` is within 0.0005 of the printed value).
    """
    gains = np.array(list(combinations_with_replacement(range(revealed + 1), folds)))
    gains = gains[gains[:, 0] < gains[:, -1]]  # others have no variance
    found = []
    for divisor, ratio in product((folds - 1, folds), (1 / (folds - 1), 1 / folds)):
        variance = gains.var(axis=1) * folds / divisor
        t = gains.mean(axis=1) / np.sqrt((1 / folds + ratio) * variance)
        nearest = t[np.abs(t - near).argmin()]
        found.append((divisor, ratio, nearest, bool(abs(nearest - near) <= 0.0005)))
    return pd.DataFrame(found, columns=["divisor", "ratio", "t", "agrees"])


# ------------------------------------------------------------------ ledger


def numbers(groups: pd.DataFrame) -> dict[str, float]:
    """The numbers that the paper prints for it, by id, from `in_cross_validation.by_group`."""
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
    found = {key: groups.at[where] for key, where in printed.items()}
    two, three = REPLICATIONS * groups["share"].loc[[2, 3]]
    return found | {"s3.n_sig3": three, "disc.n2": two, "disc.F2": two / REPLICATIONS}


def ledger_rows(
    *,
    results: Mapping[str, Mapping[str, Replications]],
    alpha: float = 0.05,
    folds: int = FOLDS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Ledger rows of study #3; errors as in `in_cross_validation.with_errors`."""
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
