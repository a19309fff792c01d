"""Section 3 of Bouckaert (2004), its appendix, Figure 2, and errata e01 to e04 and e10 to e12.

Moments and laws are enumerated in exact fractions wherever possible.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pandas as pd
from scipy import stats

from replib import replicability

_QUARTER = Fraction(1, 4)
_THREE = (Fraction(1, 10), _QUARTER, Fraction(1, 2))


# ------------------------------------------------------------------ moments by enumeration


def outcome_probabilities(n: int, p: Fraction) -> dict[tuple[bool, ...], Fraction]:
    """Return every sequence of n outcomes (True means accept), with its probability."""
    return {
        outcomes: p ** sum(outcomes) * (1 - p) ** (n - sum(outcomes))
        for outcomes in product((False, True), repeat=n)
    }


def exact_moments(
    weights: Sequence[Fraction], n: int, p: Fraction
) -> tuple[Fraction, Fraction]:
    """Return mean and variance of R_k over all 2^n outcomes; weights k_12, k_13, ..., k_23, ...

    >>> exact_moments([Fraction(1, 6)] * 6, 4, Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 24))
    """
    weight_of_pair = dict(zip(combinations(range(n), 2), weights))
    return _moments(
        (probability, _estimate(weight_of_pair, outcomes))
        for outcomes, probability in outcome_probabilities(n, p).items()
    )


def _estimate(
    weight_of_pair: Mapping[tuple[int, int], Fraction], outcomes: Sequence[bool]
) -> Fraction:
    """Return R_k, the sum of the weights of the pairs of equal outcomes."""
    agreeing = [
        weight
        for (i, j), weight in weight_of_pair.items()
        if outcomes[i] == outcomes[j]
    ]
    return sum(agreeing, Fraction(0))


def exact_r2_moments(n: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """Return mean and variance of R2 by summing over the number of accepted tests, for any n.

    >>> exact_r2_moments(10, Fraction(1, 4))
    (Fraction(5, 8), Fraction(7, 320))
    """
    return _moments((_binomial(i, n, p), _r2(i, n)) for i in range(n + 1))


def _binomial(accepted: int, n: int, p: Fraction) -> Fraction:
    """Return the probability of that many accepted tests among n."""
    return comb(n, accepted) * p**accepted * (1 - p) ** (n - accepted)


def _moments(
    distribution: Iterable[tuple[Fraction, Fraction]],
) -> tuple[Fraction, Fraction]:
    """Return mean and variance from pairs of a probability and a value."""
    mean = Fraction(0)
    mean_square = Fraction(0)
    for probability, value in distribution:
        mean += probability * value
        mean_square += probability * value**2
    return mean, mean_square - mean**2


def _r2(accepted: int, n: int) -> Fraction:
    """Return R2, the share of agreeing pairs, from the number of accepted tests."""
    rejected = n - accepted
    return Fraction(accepted * (accepted - 1) + rejected * (rejected - 1), n * (n - 1))


def r1_weights(n: int) -> list[Fraction]:
    """Return R1 as a member of the class R_k: weight 2/n on the pairs (1,2), (3,4), ..."""
    weights = []
    for i, j in combinations(range(n), 2):
        is_pair_of_r1 = i % 2 == 0 and j == i + 1
        weights.append(Fraction(2, n) if is_pair_of_r1 else Fraction(0))
    return weights


def r2_weights(n: int) -> list[Fraction]:
    """Return R2 as a member of the class R_k: the same weight on every pair."""
    return [Fraction(1, comb(n, 2))] * comb(n, 2)


def random_weights(n: int, seed: int = 0) -> list[Fraction]:
    """Draw weights k_ij that sum to one and are otherwise arbitrary fractions."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    parts = [Fraction(int(x), 12) for x in rng.integers(-12, 25, comb(n, 2) - 1)]
    return [*parts, 1 - sum(parts)]


# ------------------------------------------------------------------ theorems


def theorem_3_1(
    repetitions: Sequence[int] = (2, 3, 4, 5, 6, 7, 8, 9, 10),
    probabilities: Sequence[Fraction] = tuple(Fraction(k, 20) for k in range(1, 11)),
) -> pd.DataFrame:
    """e01: Theorem 3.1 compared with the exact variance of R2.

    Fractions by `n` and `p` (of accepting): `exact`; `printed`; `regrouped`, with the
    last bracket moved in front of F(p, 2); `closed_form`.
    """
    rows = []
    for n, p in product(repetitions, probabilities):
        r = _power_sum(p, 2)
        with_fourths = 2 * (n - 2) * (n - 3) * _power_sum(p, 4)
        with_cubes = (4 - 2 * (n - 3)) * (n - 2) * _power_sum(p, 3)
        first = with_fourths + with_cubes
        last = (n - 2) * (n - 3) + 2
        pairs = n * (n - 1)
        row = {
            "n": n,
            "p": p,
            "exact": exact_r2_moments(n, p)[1],
            "printed": (first + last) * r / pairs - r**2,
            "regrouped": (first + last * r) / pairs - r**2,
            "closed_form": 2 * (1 - r) * ((2 * n - 3) * r - (n - 2)) / pairs,
        }
        rows.append(row)
    return pd.DataFrame(rows)


def _power_sum(p: Fraction, x: int) -> Fraction:
    """Return the paper's F(p, x) = p^x + (1-p)^x."""
    return p**x + (1 - p) ** x


def figure_2(
    repetitions: Sequence[int] = tuple(range(4, 29, 2)),
    replicability_raw: Sequence[float] = tuple(np.linspace(0.5, 1.0, 51)),
) -> pd.DataFrame:
    """Figure 2 and e02: variances `r1`, `r2` of the estimators, by even `n` and raw `r`."""
    grid = np.meshgrid(repetitions, replicability_raw, indexing="ij")
    n, r = (axis.ravel() for axis in grid)
    r1 = 2 * r * (1 - r) / n
    r2 = replicability.r2_variance(r, n)
    return pd.DataFrame({"n": n, "r": r, "r1": r1, "r2": r2})


def interval_coverage(n: int = 10, confidence_level: float = 0.95) -> pd.DataFrame:
    """Return the exact coverage of two intervals from n repetitions, for `r` from 1/2 to 1.

    `wald` adds normal quantiles times the plugged-in standard error to the estimate; `mapped` is
    :func:`replib.replicability.replicability_interval`.  Both are fractions.
    """
    accepted = np.arange(n + 1)
    estimate = np.clip(replicability.r2_from_counts(accepted, n), 0.5, 1)
    variance = np.maximum(replicability.r2_variance(estimate, n), 0)
    half_width = stats.norm.ppf((1 + confidence_level) / 2) * np.sqrt(variance)
    mapped = replicability.replicability_interval(
        accepted, n, confidence_level=confidence_level
    )
    r = np.linspace(0.5, 1.0, 501)[:, None]
    p = (1 + np.sqrt(np.maximum(2 * r - 1, 0))) / 2
    weight = stats.binom.pmf(accepted, n, p)

    def coverage(low: np.ndarray, high: np.ndarray) -> np.ndarray:
        covers = (low <= r + 1e-12) & (r - 1e-12 <= high)
        return (covers * weight).sum(axis=1)

    columns = {
        "r": r[:, 0],
        "wald": coverage(estimate - half_width, estimate + half_width),
        "mapped": coverage(mapped.low, mapped.high),
    }
    return pd.DataFrame(columns)


# ------------------------------------------------------------------ errata


def derivatives_of_theorem_3_2(
    n: int = 5, p: Fraction = _QUARTER, seed: int = 1
) -> pd.DataFrame:
    """e03: the derivative of Var R_k in the proof of Theorem 3.2, `printed` and `true`.

    Weight moves from the pair (1, 2) to the pair (`a`, `b`), starting at the weights
    ``random_weights(n, seed)``.  Values are Fractions.
    """
    # counted from 0, as outcomes are
    weight_of_pair = dict(zip(combinations(range(n), 2), random_weights(n, seed)))
    rows = []
    for a, b in ((0, 2), (1, 3), (2, 3)):
        kernel = _printed_coefficient(p, is_disjoint=a > 1)
        gain = weight_of_pair[a, b] - weight_of_pair[0, 1]
        true = Fraction(0)
        for outcomes, probability in outcome_probabilities(n, p).items():
            estimate = _estimate(weight_of_pair, outcomes)
            change = (outcomes[a] == outcomes[b]) - (outcomes[0] == outcomes[1])
            true += probability * 2 * estimate * change
        row = {"a": a + 1, "b": b + 1, "printed": 2 * gain * kernel, "true": true}
        rows.append(row)
    return pd.DataFrame(rows)


def _printed_coefficient(p: Fraction, *, is_disjoint: bool) -> Fraction:
    """Return the proof's coefficient for a pair that is disjoint from (1, 2), or overlaps it."""
    q = 1 - p
    if is_disjoint:
        return p * q**3 + p**3 * q
    return p * q**2 + p**2 * q


def coefficients_of_theorem_3_2(
    probabilities: Sequence[Fraction] = _THREE,
) -> pd.DataFrame:
    """e04: E[I_ab (I_ab - I_12)] for disjoint and overlapping pairs, `printed` and `enumerated`.

    >>> coefficients_of_theorem_3_2([Fraction(1, 4)])["enumerated"].tolist()
    [Fraction(15, 64), Fraction(3, 16)]
    """
    rows = []
    for p in probabilities:
        for case, (a, b) in (("a > 2", (2, 3)), ("a ≤ 2", (0, 2))):
            mean = Fraction(0)
            for outcomes, probability in outcome_probabilities(4, p).items():
                agree = outcomes[a] == outcomes[b]
                first_agree = outcomes[0] == outcomes[1]
                mean += probability * agree * (agree - first_agree)
            row = {
                "p": p,
                "case": case,
                "printed": _printed_coefficient(p, is_disjoint=a > 1),
                "enumerated": mean,
            }
            rows.append(row)
    return pd.DataFrame(rows)


def events_of_lemma_3_1(probabilities: Sequence[Fraction] = _THREE) -> pd.DataFrame:
    """e10: the two events in the proof of Lemma 3.1, with probabilities `agree` and `differ`.

    `printed_sum` is twice the first, and `right_sum` the sum of both.
    """
    rows = []
    for p in probabilities:
        agree = _power_sum(p, 2)
        differ = 2 * p * (1 - p)
        row = {
            "p": p,
            "agree": agree,
            "differ": differ,
            "printed_sum": agree + agree,
            "right_sum": agree + differ,
        }
        rows.append(row)
    return pd.DataFrame(rows)


def smallest_estimates(
    repetitions: Sequence[int] = (2, 4, 6, 10, 20, 100),
) -> pd.DataFrame:
    """e11: the smallest R2 of `n` repetitions, `least_r2_raw` (Fraction) and normalised (percent).

    >>> smallest_estimates((10,))["least_r2_raw"].item()
    Fraction(4, 9)
    """
    least = [min(_r2(i, n) for i in range(n + 1)) for n in repetitions]
    return pd.DataFrame(
        {
            "n": repetitions,
            "least_r2_raw": least,
            "least_r2_normalized": [float(100 * (2 * x - 1)) for x in least],
        }
    )


def three_outcomes() -> pd.DataFrame:
    """e12: ten repetitions counted as two outcomes and as three.

    Columns `a_better`, `b_better`, `no_difference` (repetitions); `r2_of_two_outcomes`,
    `r2_of_three_outcomes` (raw).
    """
    counts = pd.DataFrame(
        {
            "a_better": [7, 6, 4],
            "b_better": [0, 1, 3],
            "no_difference": [3, 3, 3],
        }
    )
    agreeing_pairs = (counts * (counts - 1)).sum(axis=1)  # of 10 * 9 ordered pairs
    return counts.assign(
        r2_of_two_outcomes=replicability.r2_from_counts(counts["no_difference"], 10),
        r2_of_three_outcomes=agreeing_pairs / 90,
    )


# ------------------------------------------------------------------ ledger


def ledger_rows(*, repetitions: int = 6) -> pd.DataFrame:
    """Return ledger rows: definitions, lemmas and theorems, checked for that many repetitions."""
    probabilities = [Fraction(k, 10) for k in range(11)]
    r = {p: _power_sum(p, 2) for p in probabilities}
    theorem = theorem_3_1()
    checks = {
        "def_replicability": all(Fraction(1, 2) <= x <= 1 for x in r.values()),
        **_checks_of_estimators(repetitions, r),
        **_checks_of_weights(repetitions, r),
        "thm3_1": (theorem["printed"] == theorem["exact"]).all(),
        "lemA_1": all(
            _lemma_a_1(size, p) for size in range(1, 11) for p in probabilities
        ),
        **_checks_of_figure_2(),
        "cl.15": all(
            _power_sum(p, 100) < _power_sum(p, 10) for p in probabilities[1:-1]
        ),
    }
    corrected = {"thm3_1": (theorem["regrouped"] == theorem["exact"]).all()}
    rows = [
        {
            "id": f"bouckaert2004.{key}",
            "rebuilt": bool(holds),
            "corrected": corrected.get(key),
        }
        for key, holds in checks.items()
    ]
    rows += [
        {"id": "bouckaert2004.txt.range_r_lo", "rebuilt": 100 * float(min(r.values()))},
        {"id": "bouckaert2004.txt.range_r_hi", "rebuilt": 100 * float(max(r.values()))},
    ]
    return pd.DataFrame(rows)


def _checks_of_estimators(n: int, r: Mapping[Fraction, Fraction]) -> dict[str, bool]:
    """Check the definitions of R1 and R2, their moments, and the least variance of R2."""
    r1_moments = {p: exact_moments(r1_weights(n), n, p) for p in r}
    r2_moments = {p: exact_moments(r2_weights(n), n, p) for p in r}
    outcomes = np.array(list(product((0, 1), repeat=n)))
    by_pairs = replicability.r2(outcomes.astype(bool))
    by_count = replicability.r2_from_counts(outcomes.sum(axis=1), n)
    forms_agree = np.array_equal(by_pairs, by_count)
    random_members = [random_weights(n, seed) for seed in range(5)]
    return {
        "def_r1": all(r1_moments[p][0] == r[p] for p in r),
        "def_r2": all(r2_moments[p][0] == r[p] for p in r),
        "eq01": forms_agree,
        "lem3_2": forms_agree,
        "lem3_1": all(r1_moments[p] == (r[p], 2 * (r[p] - r[p] ** 2) / n) for p in r),
        "thm3_2": all(
            exact_moments(weights, n, p)[1] >= r2_moments[p][1]
            for weights in random_members
            for p in r
        ),
        "cl.16": all(exact_r2_moments(2 * n, p)[0] == r2_moments[p][0] for p in r),
    }


def _checks_of_weights(n: int, r: Mapping[Fraction, Fraction]) -> dict[str, bool]:
    """Check that exactly those members of the class R_k are unbiased whose weights sum to one."""
    unequal = random_weights(n)
    members = {
        "unequal": unequal,
        "doubled": [2 * weight for weight in unequal],
        "r1": r1_weights(n),
        "r2": r2_weights(n),
    }
    is_unbiased = {
        name: [exact_moments(weights, n, p)[0] == r[p] for p in r]
        for name, weights in members.items()
    }
    sum_decides = [
        unbiased == (sum(weights) == 1)
        for name, weights in members.items()
        for unbiased in is_unbiased[name]
    ]
    return {
        "def_rk": all(is_unbiased["unequal"]),
        "eq02": all(is_unbiased["unequal"]),
        "eq03": not all(is_unbiased["doubled"]),
        "lem3_3": all(sum_decides),
    }


def _checks_of_figure_2() -> dict[str, bool]:
    """Check that R1 varies more than R2, and neither where all repetitions agree."""
    variances = figure_2()
    below_one = variances[variances["r"] < 1]
    at_one = variances.loc[variances["r"] == 1, ["r1", "r2"]]
    r1_is_larger = (below_one["r1"] > below_one["r2"]).all()
    both_vanish = np.allclose(at_one, 0, atol=0)
    return {
        "fig02": (variances["r1"] >= variances["r2"]).all(),
        "cl.01": r1_is_larger and both_vanish,
    }


def _lemma_a_1(n: int, p: Fraction) -> bool:
    """Check the first moments of the number of accepted tests, as the appendix prints them."""

    def moment(k: int) -> Fraction:
        return sum(_binomial(i, n, p) * i**k for i in range(n + 1))

    second = n**2 * p**2 - n * p**2 + n * p
    return (moment(0), moment(1), moment(2)) == (1, n * p, second)
