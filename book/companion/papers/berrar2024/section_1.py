"""Section 1 of Berrar (2024) and the definitions of Section 2: Equations 1 to 4, and the quiz."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
from scipy import special, stats

from companion.papers import published
from companion.papers.berrar2024.rows import are_close, rows
from companion.papers.berrar2024.section_2_wins import (
    binomial_tail,
    two_sided_binomial_p,
)
from companion.papers.ledger import Span
from replib.replication_probability import (
    bayesian,
    binomial,
    smallest_significant,
    wilcoxon,
)


def by_first_wins(
    effects: Mapping[Fraction, Fraction], n: int = 20, alpha: float = 0.05
) -> list[tuple[Fraction, Fraction]]:
    """For each number of wins of a first experiment: its probability, and that of success after it.

    Nature draws the success probability once, from `effects` with their own
    probabilities; both experiments then count wins with it.  Success is a replication
    that is significant for A.

    >>> [float(p) for _, p in by_first_wins({Fraction(1, 2): Fraction(1)}, 6)]
    [0.015625, 0.015625, 0.015625, 0.015625, 0.015625, 0.015625, 0.015625]
    """
    s, found = smallest_significant(n, alpha=alpha), []
    tails = [binomial_tail(s, n, theta) for theta in effects]
    for wins in range(n + 1):
        weights = [
            probability * comb(n, wins) * theta**wins * (1 - theta) ** (n - wins)
            for theta, probability in effects.items()
        ]
        first = sum(weights)
        found.append((first, sum(w * tail for w, tail in zip(weights, tails)) / first))
    return found


def two_experiments(
    effects: Mapping[Fraction, Fraction], n: int = 20, alpha: float = 0.05
) -> tuple[Fraction, Fraction]:
    """Enumerate an experiment and its replication, as in :func:`by_first_wins`.

    Returns P(E1s), that the first experiment is significant for A, and P(E2s | E1s),
    that its replication is significant for A given that the first was (Equation 2).

    >>> first, again = two_experiments({Fraction(3, 4): Fraction(1)})
    >>> first == again, round(float(first), 4)
    (True, 0.6172)
    """
    significant = by_first_wins(effects, n, alpha)[
        smallest_significant(n, alpha=alpha) :
    ]
    first = sum((p for p, _ in significant), Fraction(0))
    return first, sum(p * again for p, again in significant) / first


def mean_empirical_probability(
    power: Fraction,
    experiments: int,
    *,
    leave_out_first: bool = True,
    selected: bool = True,
) -> Fraction:
    """Mean share of significant experiments, over all outcomes of that many experiments.

    In Equation 3 the first experiment is `selected` for being significant and is left
    out of both the significant experiments and the total; the share is then unbiased
    for the power.  If none is selected, all experiments must count: leaving out a
    significant one makes the mean (1 - power) / (experiments - 1) too low.

    >>> mean_empirical_probability(Fraction(1, 3), 5)
    Fraction(1, 3)
    >>> mean_empirical_probability(Fraction(1, 3), 5, leave_out_first=False)
    Fraction(7, 15)
    >>> mean_empirical_probability(Fraction(1, 2), 8, selected=False)
    Fraction(3, 7)
    """
    first, left_out = int(selected), int(leave_out_first)
    drawn = experiments - first
    return sum(
        (
            comb(drawn, others)
            * power**others
            * (1 - power) ** (drawn - others)
            * Fraction(others + first - left_out, experiments - left_out)
            for others in range(drawn + 1)
        ),
        Fraction(0),
    )


def definitions() -> pd.DataFrame:
    """Equations 1 to 4 and Definitions 1 to 3, checked by enumeration in exact fractions."""
    half, effects = Fraction(1, 2), [Fraction(k, 20) for k in (10, 13, 15, 18)]
    p_values = [
        sum(comb(20, j) for j in range(21) if abs(2 * j - 20) >= 2 * i - 20) * half**20
        for i in range(11, 21)
    ]
    known = [two_experiments({theta: Fraction(1)}) for theta in effects]
    power_is_tail = all(
        again == first == binomial_tail(smallest_significant(20), 20, theta)
        for theta, (first, again) in zip(effects, known)
    )
    wins = range(15, 20)
    assume = lambda thetas: [
        float(two_experiments({theta: Fraction(1)})[1]) for theta in thetas
    ]
    observed = assume(Fraction(x, 20) for x in wins)
    posterior_mean = assume(Fraction(1 + x, 22) for x in wins)
    first, again = two_experiments({theta: Fraction(1, 4) for theta in effects})
    pool = mean_empirical_probability(half, 8, selected=False)
    empirical = [mean_empirical_probability(power, 8) == power for power in effects]
    return rows(
        {
            "eq01": are_close(p_values, two_sided_binomial_p(np.arange(11, 21), 20)),
            "eq02": bool(again > first),
            "def01": power_is_tail,
            "eq03": all(empirical),
            "def02": all(
                mean_empirical_probability(power, 8, leave_out_first=False) > power
                for power in effects
            ),
            "eq04": are_close(posterior_mean, bayesian(wins, 20).point),
            "def03": are_close(observed, binomial(wins, 20).point),
        },
        numbers={"def02": {"pool": float(pool)}},
    )


def quiz(p: float = 0.01, n: int = 44, alpha: float = 0.05) -> pd.DataFrame:
    """The question of the introduction: a p-value of 0.01 over 44 data sets.

    Columns `model`, `p` (the attainable p-value nearest to the given one) and `P`.
    """
    wins = np.arange(n // 2, n + 1)
    attainable = two_sided_binomial_p(wins, n)
    nearest = int(wins[np.abs(attainable - p).argmin()])
    z = special.ndtri(1 - p / 2)
    p_wins = two_sided_binomial_p(nearest, n)
    return pd.DataFrame(
        [
            (
                f"binomial, {nearest} wins",
                p_wins,
                binomial(nearest, n, alpha=alpha).point,
            ),
            (
                f"Bayesian, {nearest} wins",
                p_wins,
                bayesian(nearest, n, alpha=alpha).point,
            ),
            ("normal, standard deviation 1", p, wilcoxon(z, 1.0, alpha=alpha).point),
        ],
        columns=["model", "p", "P"],
    )


def quiz_answer() -> pd.DataFrame:
    """Check whether 0.75 is the best of the answers that the introduction offers.

    Returns one ledger row: the mean of the three models of :func:`quiz`.
    """
    offered = np.array(
        [0.50, 0.99, 0.75]
    )  # answers 1 to 3; 4 and 5 are bounds, 6 is words
    models = quiz()["P"].to_numpy()
    nearest = offered[np.abs(offered - models[:, None]).argmin(axis=1)]
    is_best = nearest == published.value("berrar2024.quiz.answer")
    return rows(
        {"quiz.answer": models.mean()},
        holds={"quiz.answer": bool((is_best & (models < 0.9) & (models > 0.1)).all())},
        numbers={"quiz.answer": {"models": Span(models)}},
    )


def statements_about_power() -> pd.DataFrame:
    """cl.13 and cl.14: what power depends on, and what the first p-value has to do with it."""
    alpha, effect, n = np.ix_(
        [0.001, 0.01, 0.05, 0.2], np.linspace(0.1, 0.8, 8), np.arange(5, 41)
    )
    power = stats.nct.sf(stats.t.isf(alpha / 2, n - 1), n - 1, effect * np.sqrt(n))
    effects = [Fraction(k, 20) for k in (10, 13, 15, 18)]
    known = [
        {after for _, after in by_first_wins({theta: Fraction(1)})} for theta in effects
    ]
    drawn = [
        after
        for _, after in by_first_wins({theta: Fraction(1, 4) for theta in effects})
    ]
    of_20, of_21 = (
        binomial_tail(smallest_significant(k), k, Fraction(3, 4)) for k in (20, 21)
    )
    return rows(
        {
            "cl.13": all((np.diff(power, axis=axis) > 0).all() for axis in range(3)),
            "cl.14": all(len(chances) == 1 for chances in known)
            and drawn == sorted(set(drawn)),
        },
        numbers={"cl.13": {"of_20": float(of_20), "of_21": float(of_21)}},
    )


def cited_share() -> pd.DataFrame:
    """The share of the psychologists that the introduction cites, from a whole number of them."""
    asked = published.value("berrar2024.cited.oakes_n")
    found = round(asked * published.value("berrar2024.cited.oakes_share") / 100)
    return rows({"cited.oakes_share": 100 * found / asked})


def ledger_rows() -> pd.DataFrame:
    """Ledger rows of the introduction, Equations 1 to 4 and Definitions 1 to 3."""
    return pd.concat(
        [quiz_answer(), cited_share(), definitions(), statements_about_power()],
        ignore_index=True,
    )
