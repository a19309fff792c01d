"""Section 3 of Bouckaert (2004), its appendix, Figure 2, and errata e01 to e04 and e10 to e12.

Moments and laws are enumerated in exact fractions wherever possible.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
from scipy import stats

from replib import replicability

_QUARTER = Fraction(1, 4)
_THREE = (Fraction(1, 10), _QUARTER, Fraction(1, 2))


# ------------------------------------------------------------------ moments by enumeration


def outcome_probabilities(n: int, p: Fraction) -> dict[tuple[bool, ...], Fraction]:
    """Every sequence of n outcomes (True means accept), with its probability."""
    return {
        e: p ** sum(e) * (1 - p) ** (n - sum(e))
        for e in product((False, True), repeat=n)
    }


def exact_moments(
    weights: Sequence[Fraction], n: int, p: Fraction
) -> tuple[Fraction, Fraction]:
    """Mean and variance of R_k over all 2^n outcomes, with weights k_12, k_13, ..., k_23, ...

    >>> exact_moments([Fraction(1, 6)] * 6, 4, Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 24))
    """
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    return _moments(
        (
            probability,
            sum((k for k, (i, j) in zip(weights, pairs) if e[i] == e[j]), Fraction(0)),
        )
        for e, probability in outcome_probabilities(n, p).items()
    )


def exact_r2_moments(n: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """Mean and variance of R2 by summing over the number of accepted tests, for any n.

    >>> exact_r2_moments(10, Fraction(1, 4))
    (Fraction(5, 8), Fraction(7, 320))
    """
    return _moments(
        (comb(n, i) * p**i * (1 - p) ** (n - i), _r2(i, n)) for i in range(n + 1)
    )


def _moments(law) -> tuple[Fraction, Fraction]:
    mean = second = Fraction(0)
    for probability, value in law:
        mean += probability * value
        second += probability * value**2
    return mean, second - mean**2


def _r2(accepted: int, n: int) -> Fraction:
    rejected = n - accepted
    return Fraction(accepted * (accepted - 1) + rejected * (rejected - 1), n * (n - 1))


def r1_weights(n: int) -> list[Fraction]:
    """R1 as a member of the class R_k: weight 2/n on the pairs (1,2), (3,4), ..."""
    return [
        Fraction(2, n) if i % 2 == 0 and j == i + 1 else Fraction(0)
        for i in range(n)
        for j in range(i + 1, n)
    ]


def r2_weights(n: int) -> list[Fraction]:
    """R2 as a member of the class R_k: the same weight on every pair."""
    return [Fraction(1, comb(n, 2))] * comb(n, 2)


def random_weights(n: int, seed: int = 0) -> list[Fraction]:
    """Weights k_ij that sum to one and are otherwise arbitrary fractions."""
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
        r, cubes, fourths = (_power_sum(p, x) for x in (2, 3, 4))
        first = 2 * (n - 2) * (n - 3) * fourths + (4 - 2 * (n - 3)) * (n - 2) * cubes
        last = (n - 2) * (n - 3) + 2
        pairs = n * (n - 1)
        rows.append(
            {
                "n": n,
                "p": p,
                "exact": exact_r2_moments(n, p)[1],
                "printed": (first + last) * r / pairs - r**2,
                "regrouped": (first + last * r) / pairs - r**2,
                "closed_form": 2 * (1 - r) * ((2 * n - 3) * r - (n - 2)) / pairs,
            }
        )
    return pd.DataFrame(rows)


def _power_sum(p: Fraction, x: int) -> Fraction:
    """The paper's F(p, x) = p^x + (1-p)^x."""
    return p**x + (1 - p) ** x


def figure_2(
    repetitions: Sequence[int] = tuple(range(4, 29, 2)),
    replicability_raw: Sequence[float] = tuple(np.linspace(0.5, 1.0, 51)),
) -> pd.DataFrame:
    """Figure 2 and e02: variances `r1`, `r2` of the estimators, by even `n` and raw `r`."""
    n, r = (
        a.ravel() for a in np.meshgrid(repetitions, replicability_raw, indexing="ij")
    )
    return pd.DataFrame(
        {
            "n": n,
            "r": r,
            "r1": 2 * r * (1 - r) / n,
            "r2": replicability.r2_variance(r, n),
        }
    )


def interval_coverage(n: int = 10, confidence_level: float = 0.95) -> pd.DataFrame:
    """Exact coverage of two intervals from n repetitions, as fractions, for `r` from 1/2 to 1.

    `wald` adds normal quantiles times the plugged-in standard error to the estimate; `mapped` is
    :func:`replib.replicability.replicability_interval`.
    """
    accepted = np.arange(n + 1)
    estimate = np.clip(replicability.r2_from_counts(accepted, n), 0.5, 1)
    half = stats.norm.ppf((1 + confidence_level) / 2) * np.sqrt(
        np.maximum(replicability.r2_variance(estimate, n), 0)
    )
    mapped = replicability.replicability_interval(
        accepted, n, confidence_level=confidence_level
    )
    r = np.linspace(0.5, 1.0, 501)[:, None]
    p = (1 + np.sqrt(np.maximum(2 * r - 1, 0))) / 2
    weight = stats.binom.pmf(accepted, n, p)
    inside = lambda low, high: ((low <= r + 1e-12) & (r - 1e-12 <= high)) * weight
    return pd.DataFrame(
        {
            "r": r[:, 0],
            "wald": inside(estimate - half, estimate + half).sum(axis=1),
            "mapped": inside(mapped.low, mapped.high).sum(axis=1),
        }
    )


# ------------------------------------------------------------------ errata


def derivatives_of_theorem_3_2(
    n: int = 5, p: Fraction = _QUARTER, seed: int = 1
) -> pd.DataFrame:
    """e03: the derivative of Var R_k in the proof of Theorem 3.2, `printed` and `true`.

    Weight moves from the pair (1, 2) to the pair (`a`, `b`), starting at the weights
    ``random_weights(n, seed)``.  Values are Fractions.
    """
    all_pairs = [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]
    k, q = dict(zip(all_pairs, random_weights(n, seed))), 1 - p
    rows = []
    for a, b in ((1, 3), (2, 4), (3, 4)):
        kernel = p * q**3 + p**3 * q if a > 2 else p * q**2 + p**2 * q
        true = Fraction(0)
        for e, probability in outcome_probabilities(n, p).items():
            same = lambda i, j: e[i - 1] == e[j - 1]
            estimate = sum((k[i, j] for i, j in all_pairs if same(i, j)), Fraction(0))
            true += probability * 2 * estimate * (int(same(a, b)) - int(same(1, 2)))
        rows.append(
            {"a": a, "b": b, "printed": 2 * (k[a, b] - k[1, 2]) * kernel, "true": true}
        )
    return pd.DataFrame(rows)


def coefficients_of_theorem_3_2(
    probabilities: Sequence[Fraction] = _THREE,
) -> pd.DataFrame:
    """e04: E[I_ab (I_ab - I_12)] for disjoint and overlapping pairs, `printed` and `enumerated`.

    >>> coefficients_of_theorem_3_2([Fraction(1, 4)])["enumerated"].tolist()
    [Fraction(15, 64), Fraction(3, 16)]
    """
    rows = []
    for p in probabilities:
        q, outcomes = 1 - p, outcome_probabilities(4, p)
        for case, (a, b), printed in (
            ("a > 2", (2, 3), p * q**3 + p**3 * q),
            ("a ≤ 2", (0, 2), p * q**2 + p**2 * q),
        ):
            mean = sum(
                weight * (e[a] == e[b]) * ((e[a] == e[b]) - (e[0] == e[1]))
                for e, weight in outcomes.items()
            )
            rows.append({"p": p, "case": case, "printed": printed, "enumerated": mean})
    return pd.DataFrame(rows)


def events_of_lemma_3_1(probabilities: Sequence[Fraction] = _THREE) -> pd.DataFrame:
    """e10: the two events in the proof of Lemma 3.1, with probabilities `agree` and `differ`.

    `printed_sum` is twice the first, and `right_sum` the sum of both.
    """
    return pd.DataFrame(
        [
            {
                "p": p,
                "agree": r,
                "differ": 2 * p * (1 - p),
                "printed_sum": r + r,
                "right_sum": r + 2 * p * (1 - p),
            }
            for p in probabilities
            for r in [_power_sum(p, 2)]
        ]
    )


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
    return counts.assign(
        r2_of_two_outcomes=replicability.r2_from_counts(counts["no_difference"], 10),
        r2_of_three_outcomes=(counts * (counts - 1)).sum(axis=1)
        / 90,  # of 10 * 9 ordered pairs
    )


# ------------------------------------------------------------------ ledger


def ledger_rows(*, repetitions: int = 6) -> pd.DataFrame:
    """Ledger rows: definitions, lemmas and theorems checked exactly for that many repetitions."""
    n, probabilities = repetitions, [Fraction(k, 10) for k in range(11)]
    r = {p: _power_sum(p, 2) for p in probabilities}
    r1_moments = {p: exact_moments(r1_weights(n), n, p) for p in probabilities}
    r2_moments = {p: exact_moments(r2_weights(n), n, p) for p in probabilities}
    unequal = random_weights(n)
    scaled = [2 * k for k in unequal]
    means = {
        p: (exact_moments(unequal, n, p)[0], exact_moments(scaled, n, p)[0]) for p in r
    }
    theorem, variances = theorem_3_1(), figure_2()
    below_one, at_one = variances[variances["r"] < 1], variances[variances["r"] == 1]
    outcomes = np.array(list(product((0, 1), repeat=n)))
    by_pairs = replicability.r2(outcomes.astype(bool))
    by_count = replicability.r2_from_counts(outcomes.sum(axis=1), n)
    weights_decide = all(
        (exact_moments(k, n, p)[0] == r[p]) == (sum(k) == 1)
        for k in (unequal, scaled, r1_weights(n), r2_weights(n))
        for p in probabilities
    )
    checks = {
        "def_replicability": all(Fraction(1, 2) <= x <= 1 for x in r.values()),
        "def_r1": all(mean == r[p] for p, (mean, _) in r1_moments.items()),
        "def_r2": all(mean == r[p] for p, (mean, _) in r2_moments.items()),
        **dict.fromkeys(
            ("def_rk", "eq02"), all(means[p][0] == r[p] for p in probabilities)
        ),
        **dict.fromkeys(("eq01", "lem3_2"), np.array_equal(by_pairs, by_count)),
        "eq03": any(doubled != r[p] for p, (_, doubled) in means.items()),
        "lem3_1": all(
            m == (r[p], 2 * (r[p] - r[p] ** 2) / n) for p, m in r1_moments.items()
        ),
        "lem3_3": weights_decide,
        "thm3_1": (theorem["printed"] == theorem["exact"]).all(),
        "thm3_2": all(
            exact_moments(random_weights(n, seed), n, p)[1] >= r2_moments[p][1]
            for seed in range(5)
            for p in probabilities
        ),
        "lemA_1": all(
            _lemma_a_1(size, p) for size in range(1, 11) for p in probabilities
        ),
        "fig02": (variances["r1"] >= variances["r2"]).all(),
        "cl.01": (below_one["r1"] > below_one["r2"]).all()
        and np.allclose(at_one[["r1", "r2"]], 0, atol=0),
        "cl.15": all(
            _power_sum(p, 100) < _power_sum(p, 10) for p in probabilities[1:-1]
        ),
        "cl.16": all(
            exact_r2_moments(2 * n, p)[0] == r2_moments[p][0] for p in probabilities
        ),
    }
    rows = [
        {
            "id": f"bouckaert2004.{key}",
            "rebuilt": bool(holds),
            "corrected": (theorem["regrouped"] == theorem["exact"]).all()
            if key == "thm3_1"
            else None,
        }
        for key, holds in checks.items()
    ]
    rows += [
        {"id": "bouckaert2004.txt.range_r_lo", "rebuilt": 100 * float(min(r.values()))},
        {"id": "bouckaert2004.txt.range_r_hi", "rebuilt": 100 * float(max(r.values()))},
    ]
    return pd.DataFrame(rows)


def _lemma_a_1(n: int, p: Fraction) -> bool:
    moment = lambda k: sum(
        comb(n, i) * p**i * (1 - p) ** (n - i) * i**k for i in range(n + 1)
    )
    return (moment(0), moment(1), moment(2)) == (
        1,
        n * p,
        n**2 * p**2 - n * p**2 + n * p,
    )
