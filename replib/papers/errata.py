"""What is wrong in print, shown: a function for each erratum that a computation can show.

Each docstring begins with the id of its erratum in :func:`replib.papers.published.errata`.  A function
returns a tidy frame in which *printed* is what the paper's formula, rule or sentence gives as it
stands, beside the right value, found without either wherever that is possible: by enumeration in
exact fractions, or from the published tables themselves.  What can only be read (a wrong line
number, a sentence that stops) is returned as the rows that a reader should compare.

Errata that a function of a paper's own module shows have none here: see the ``errata_…`` functions
in the modules of :mod:`replib.papers.bouckaert2005`, :func:`replib.papers.berrar2024.coverage`,
:func:`replib.papers.bouckaert2004.theorem_3_1` and
:func:`replib.papers.bouckaert_frank2004.decreases`.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
from scipy import stats

from replib import replicability, replication_probability, significance
from replib.papers import (
    berrar2024,
    bouckaert2004,
    bouckaert_frank2004,
    published,
)

# ------------------------------------------------------------------ the list itself


def overview() -> pd.DataFrame:
    """The list of errata with what a table of contents needs.

    Returns
    -------
    DataFrame
        Columns `id`, `paper`, `place`, `kind`, `certainty`, `printed`.

    Examples
    --------
    >>> overview()["id"].iloc[0]
    'bouckaert2004.e01'
    """
    return published.errata()[["id", "paper", "place", "kind", "certainty", "printed"]]


def counts() -> pd.DataFrame:
    """How many errata each paper has, by certainty.

    Returns
    -------
    DataFrame
        Indexed by paper; columns `certain`, `text layer`, `inferred` and `all`.
    """
    listed = published.errata()
    table = pd.crosstab(listed["paper"], listed["certainty"]).loc[list(published.PAPERS)]
    table = table.rename_axis(columns=None).rename_axis("paper")
    return table.assign(all=table.sum(axis=1))


# ------------------------------------------------------------------ Bouckaert, ICML 2004


def variances_of_r1_and_r2(
    repetitions: Sequence[int] = (2, 4, 6, 8), p: Fraction = Fraction(1, 4)
) -> pd.DataFrame:
    """bouckaert2004.e02: Var R1 and Var R2 by enumeration, from n = 2 on.

    Parameters
    ----------
    repetitions : sequence of int
        Even values of n; the work grows as 2^n.
    p : Fraction
        Probability of accepting.

    Returns
    -------
    DataFrame
        Columns `n`, `var R1`, `var R2`, `difference` (Fractions).

    Examples
    --------
    >>> variances_of_r1_and_r2((2,))["difference"].item()
    Fraction(0, 1)
    """
    rows = []
    for n in repetitions:
        _, r1 = bouckaert2004.exact_moments(bouckaert2004.r1_weights(n), n, p)
        _, r2 = bouckaert2004.exact_moments(bouckaert2004.r2_weights(n), n, p)
        rows.append({"n": n, "var R1": r1, "var R2": r2, "difference": r1 - r2})
    return pd.DataFrame(rows)


def derivatives_of_theorem_3_2(
    n: int = 5, p: Fraction = Fraction(1, 4), seed: int = 1,
    pairs: Sequence[tuple[int, int]] = ((1, 3), (2, 4), (3, 4)),
) -> pd.DataFrame:
    """bouckaert2004.e03: the derivatives of the printed proof beside the true ones.

    Parameters
    ----------
    n : int
        Repetitions.
    p : Fraction
        Probability of accepting.
    seed : int
        Of the arbitrary weights k_ij at which the derivative is taken.
    pairs : sequence of (int, int)
        The pairs (a, b).

    Returns
    -------
    DataFrame
        Columns `a`, `b`, `printed`, `true`, floats.
    """
    weights = bouckaert2004.random_weights(n, seed)
    rows = [bouckaert2004.theorem_3_2_printed_derivative(weights, n, p, pair) for pair in pairs]
    return pd.concat(rows, ignore_index=True).astype({"printed": float, "true": float})


def coefficients_of_theorem_3_2(
    probabilities: Sequence[Fraction] = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)),
) -> pd.DataFrame:
    """bouckaert2004.e04: E[I_ab (I_ab - I_12)] for disjoint and for overlapping pairs.

    Both coefficients of the proof of Theorem 3.2, enumerated over four outcomes.

    Parameters
    ----------
    probabilities : sequence of Fraction
        Values of p.

    Returns
    -------
    DataFrame
        Columns `p`, `case`, `printed`, `enumerated` (Fractions).

    Examples
    --------
    >>> coefficients_of_theorem_3_2([Fraction(1, 4)])["enumerated"].tolist()
    [Fraction(15, 64), Fraction(3, 16)]
    """
    rows = []
    for p in probabilities:
        q = 1 - p
        outcomes = bouckaert2004.outcome_probabilities(4, p)
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


def signed_rank_variance(
    sizes: Sequence[int] = (5, 10, 20, 50), alpha: float = 0.05
) -> pd.DataFrame:
    """bouckaert2004.e05: variance of the sum of positive ranks, and the size of the test with it.

    Parameters
    ----------
    sizes : sequence of int
        Numbers n' of nonzero differences, without ties.
    alpha : float
        Nominal two-sided level of the normal test.

    Returns
    -------
    DataFrame
        Columns `n'`, `enumerated` (variance over all 2^n' sign vectors), `printed`, `right` (the
        two formulas), `size printed` and `size right` (percent of sign vectors rejected with each).

    Examples
    --------
    >>> signed_rank_variance((10,)).iloc[0, 1:4].tolist()
    [Fraction(385, 4), Fraction(55, 1), Fraction(385, 4)]
    """
    z = stats.norm.isf(alpha / 2)
    rows = []
    for n in sizes:
        ways = _ways_to_sum_ranks(n)
        total = 2**n
        mean = Fraction(n * (n + 1), 4)
        variance = sum(w * (s - mean) ** 2 for s, w in enumerate(ways)) / total
        formulas = {
            "printed": Fraction(n * (n + 1) * (n + 2), 24),
            "right": Fraction(n * (n + 1) * (2 * n + 1), 24),
        }
        sizes_of_tests = {
            f"size {name}": 100 * sum(
                w for s, w in enumerate(ways) if abs(s - mean) >= z * float(v) ** 0.5
            ) / total
            for name, v in formulas.items()
        }
        rows.append({"n'": n, "enumerated": variance, **formulas, **sizes_of_tests})
    return pd.DataFrame(rows)


def _ways_to_sum_ranks(n: int) -> list[int]:
    """In how many of the 2^n sign vectors the positive ranks among 1..n sum to 0, 1, 2, ..."""
    ways = [1]
    for rank in range(1, n + 1):
        ways = [
            (ways[s] if s < len(ways) else 0) + (ways[s - rank] if s >= rank else 0)
            for s in range(len(ways) + rank)
        ]
    return ways


#: Made-up accuracies (percent) of two learners on eight folds: the folds differ a lot among
#: themselves, A and B differ little but always in the same direction.
FOLDS_OF_A = (91.5, 88.0, 83.0, 79.5, 74.0, 70.5, 66.0, 61.0)
FOLDS_OF_B = (91.0, 87.0, 81.5, 77.5, 71.5, 67.5, 62.5, 57.0)


def rank_tests(
    a: Sequence[float] = FOLDS_OF_A, b: Sequence[float] = FOLDS_OF_B
) -> pd.DataFrame:
    """bouckaert2004.e06: the rank-sum and the signed-rank test of the same paired accuracies.

    Parameters
    ----------
    a, b : sequence of float
        Accuracies of A and B on the same folds.

    Returns
    -------
    DataFrame
        Columns `test`, `compares`, `pvalue` (two-sided).
    """
    differences = np.asarray(a) - np.asarray(b)
    return pd.DataFrame([
        {"test": "rank-sum (Wilcoxon, Mann and Whitney)", "compares": "two unpaired samples",
         "pvalue": stats.mannwhitneyu(a, b).pvalue},
        {"test": "signed-rank (Wilcoxon)", "compares": "paired differences with 0",
         "pvalue": significance.signed_rank(differences).pvalue},
    ])


def ranks_of_ties(differences: Sequence[float] = (1, -1, 1, -1, 2, 3, -3, 4)) -> pd.DataFrame:
    """bouckaert2004.e06: the sum of positive ranks when ties are ranked in the order they come.

    Parameters
    ----------
    differences : sequence of float
        Nonzero differences, some tied in absolute value.

    Returns
    -------
    DataFrame
        Columns `ties`, `sum of positive ranks`: losses first, wins first, and mean ranks.
    """
    x = np.asarray(differences, dtype=float)
    rank_sum = lambda order: sum(
        rank for rank, i in enumerate(order, start=1) if x[i] > 0
    )
    by_size = lambda tie_break: np.lexsort((tie_break, np.abs(x)))
    return pd.DataFrame({
        "ties": ["losses ranked first", "wins ranked first", "mean ranks"],
        "sum of positive ranks": [
            rank_sum(by_size(x)), rank_sum(by_size(-x)),
            stats.rankdata(np.abs(x))[x > 0].sum(),
        ],
    })


def sign_test_rule(sizes: Sequence[int] = (10, 20), alpha: float = 0.05) -> pd.DataFrame:
    """bouckaert2004.e07: which numbers of pluses the printed rule rejects, and how often.

    Parameters
    ----------
    sizes : sequence of int
        Numbers n of differences, none zero.
    alpha : float
        Level.

    Returns
    -------
    DataFrame
        Columns `n`, `rule`, `rejects up to`, `rejects from` (numbers of pluses), `size` (percent of
        samples rejected under H0).

    Examples
    --------
    >>> sign_test_rule((10,))[["rejects up to", "rejects from"]].to_numpy().tolist()
    [[1, 8], [1, 9]]
    """
    rows = []
    for n, (rule, method) in product(sizes, (("printed", "as_printed"), ("exact", "exact"))):
        pluses = np.arange(n + 1)
        signs = np.where(np.arange(n) < pluses[:, np.newaxis], 1, -1)
        rejected = np.asarray(significance.sign_test(signs, method=method).pvalue) < alpha
        ways = sum(comb(n, int(z)) for z in pluses[rejected])
        rows.append({
            "n": n, "rule": rule,
            "rejects up to": pluses[rejected & (pluses < n / 2)].max(),
            "rejects from": pluses[rejected & (pluses > n / 2)].min(),
            "size": 100 * ways / 2**n,
        })
    return pd.DataFrame(rows)


def t_statistic(
    shifts: Sequence[float] = (0.5, 1, 2, 4), spread: Sequence[float] = (-2, -1, 0, 1, 2)
) -> pd.DataFrame:
    """bouckaert2004.e08: the printed Z of samples that differ only in their mean.

    Parameters
    ----------
    shifts : sequence of float
        Means m of the samples.
    spread : sequence of float
        Deviations from the mean, summing to 0.

    Returns
    -------
    DataFrame
        Columns `mean`, `printed` (s/m over the root of df + 1), `t`, `product`.
    """
    rows = []
    for shift in shifts:
        x = shift + np.asarray(spread, dtype=float)
        printed = (np.sqrt(x.var(ddof=1)) / x.mean()) / np.sqrt(x.size)
        t = significance.paired_t(x).statistic
        rows.append({"mean": shift, "printed": printed, "t": t, "product": printed * t})
    return pd.DataFrame(rows)


def use_all_data_index(runs: int = 3, folds: int = 3) -> pd.DataFrame:
    """bouckaert2004.e09: which run and fold the i-th difference comes from.

    Parameters
    ----------
    runs, folds : int

    Returns
    -------
    DataFrame
        Columns `i`, `printed run` (i mod r), `right run`, `fold` (the ceiling of i/r).
    """
    i = np.arange(1, runs * folds + 1)
    return pd.DataFrame({
        "i": i, "printed run": i % runs, "right run": (i - 1) % runs + 1, "fold": -(-i // runs),
    })


def events_of_lemma_3_1(
    probabilities: Sequence[Fraction] = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)),
) -> pd.DataFrame:
    """bouckaert2004.e10: the two events over which the proof of Lemma 3.1 takes a mean.

    Parameters
    ----------
    probabilities : sequence of Fraction
        Values of p, the probability of accepting.

    Returns
    -------
    DataFrame
        Columns `p`, `agree`, `differ` (probabilities of two outcomes), `printed sum` (twice the
        first event), `right sum`.
    """
    rows = []
    for p in probabilities:
        outcomes = bouckaert2004.outcome_probabilities(2, p)
        agree = sum(weight for (first, second), weight in outcomes.items() if first == second)
        differ = sum(weight for (first, second), weight in outcomes.items() if first != second)
        rows.append({"p": p, "agree": agree, "differ": differ,
                     "printed sum": agree + agree, "right sum": agree + differ})
    return pd.DataFrame(rows)


def smallest_estimates(repetitions: Sequence[int] = (2, 4, 6, 10, 20, 100)) -> pd.DataFrame:
    """bouckaert2004.e11: the smallest value of R2 for n repetitions.

    Parameters
    ----------
    repetitions : sequence of int
        Values of n.

    Returns
    -------
    DataFrame
        Columns `n`, `least R2` (Fraction), `normalised` (percent).

    Examples
    --------
    >>> smallest_estimates((10,))["least R2"].item()
    Fraction(4, 9)
    """
    rows = []
    for n in repetitions:
        least = min(
            Fraction(i * (i - 1) + (n - i) * (n - i - 1), n * (n - 1)) for i in range(n + 1)
        )
        rows.append({"n": n, "least R2": least, "normalised": float(100 * (2 * least - 1))})
    return pd.DataFrame(rows)


def estimates_below_one_half() -> pd.DataFrame:
    """bouckaert2004.e11: how many printed cells of two tables have an estimate below 1/2.

    Returns
    -------
    DataFrame
        Columns `table`, `cells`, `below one half`.
    """
    draws = bouckaert_frank2004.table_1_draws().to_numpy().ravel()
    estimates = {
        "bouckaert_frank2004, Table 1":
            replicability.r2_from_counts(draws, bouckaert_frank2004.REPETITIONS),
        "bouckaert2004, Table 2": bouckaert2004.table_2_draws()["r2"].to_numpy(),
    }
    return pd.DataFrame([
        {"table": table, "cells": r2.size, "below one half": int((r2 < 0.5).sum())}
        for table, r2 in estimates.items()
    ])


def three_outcomes() -> pd.DataFrame:
    """bouckaert2004.e12: ten repetitions counted as two outcomes and as three.

    Returns
    -------
    DataFrame
        Columns `A better`, `B better`, `no difference` (repetitions), `R2 of two outcomes`,
        `R2 of three outcomes`.
    """
    counts_ = pd.DataFrame({
        "A better": [7, 6, 4], "B better": [0, 1, 3], "no difference": [3, 3, 3],
    })
    return counts_.assign(**{
        "R2 of two outcomes": replicability.r2_from_counts(counts_["no difference"], 10),
        "R2 of three outcomes": replicability.three_outcome_r2(
            *(counts_[column] for column in counts_)
        ),
    })


def means_of_table_2() -> pd.DataFrame:
    """bouckaert2004.e13: means of Table 2 with R2 rounded before normalising, and without.

    Returns
    -------
    DataFrame
        Columns `row`, `printed`, `rounded first`, `unrounded`, in percent.
    """
    means = bouckaert2004.table_2_means()
    key = means["id"].str.split(".", expand=True)
    return pd.DataFrame({
        "row": key[2] + ", " + key[3], "printed": means["id"].map(published.value),
        "rounded first": means["by_printed_rule"], "unrounded": means["rebuilt"],
    })


#: The digits over the columns of Table 2, one a data set; two blocks start with a ten.
TABLE_2_HEADER = "123456789 01234567890 01234567"


def header_of_table_2() -> pd.DataFrame:
    """bouckaert2004.e13: digits over the columns of Table 2, and columns beneath them.

    Returns
    -------
    DataFrame
        Columns `block`, `digits printed`, `data sets`.
    """
    datasets = bouckaert2004.table_2_draws()["dataset"].nunique()
    blocks = TABLE_2_HEADER.split()
    needed = [9, 10, datasets - 19]
    return pd.DataFrame({
        "block": ["1 to 9", "10 to 19", f"20 to {datasets}"],
        "digits printed": [len(block) for block in blocks], "data sets": needed,
    })


def size_of_the_test_sets() -> pd.DataFrame:
    """bouckaert2004.e45: test instances behind the same three margins, in two papers.

    Returns
    -------
    DataFrame
        Columns `paper`, `place`, `test instances`, `margins` (percent, sources 2 to 4).
    """
    constants = published.design_constants().set_index("const_id")
    cells = published.cells("bouckaert_frank2004.tab05")
    in_table = cells[cells["cell_id"].str.contains("delta_accuracy")]["printed"].tolist()
    margins = {
        "bouckaert2004": [
            published.facts().at[f"bouckaert2004.txt.margin_source{k}", "printed"]
            for k in (2, 3, 4)
        ],
        "bouckaert_frank2004": in_table[1:4],
    }
    return pd.DataFrame([
        {"paper": paper, "place": constants.at[f"{paper}.c.test_instances", "where"],
         "test instances": int(constants.at[f"{paper}.c.test_instances", "value"]),
         "margins": ", ".join(values)}
        for paper, values in margins.items()
    ])


def scale_of_section_4() -> pd.DataFrame:
    """bouckaert2004.e46: what the text calls replicability, on the two scales.

    Returns
    -------
    DataFrame
        Columns `row` of Table 1, `called replicability` (the printed number, percent), `raw` (the
        probability that it stands for, percent).
    """
    rows = [
        (f"sorted runs, {test}", f"bouckaert2004.txt.repl_{key}")
        for test, key in (("rank test", "ranksum"), ("sign test", "sign"), ("t-test", "t"))
    ] + [("limit of what is acceptable", "bouckaert2004.txt.repl_below")]
    printed = [published.value(fact) for _, fact in rows]
    return pd.DataFrame({
        "row": [row for row, _ in rows], "called replicability": printed,
        "raw": [50 + value / 2 for value in printed],
    })


# ------------------------------------------------------------------ Bouckaert and Frank, PAKDD 2004


def cross_validation_against_resampling() -> pd.DataFrame:
    """bouckaert_frank2004.e34: 100 resamplings against 10 x 10-fold cross-validation, as printed.

    Returns
    -------
    DataFrame
        Columns `pair`, `measure`, `resampling` (last column of Table 2), `cross-validation` (last
        column of Table 3), `better`.
    """
    table = pd.DataFrame({
        "resampling": bouckaert_frank2004.printed_table(2)["runs100"],
        "cross-validation": bouckaert_frank2004.printed_table(3)["runs10"],
    }).reset_index()
    ahead = np.sign(table["cross-validation"] - table["resampling"])
    return table.assign(better=ahead.map({1: "cross-validation", 0: "equal", -1: "resampling"}))


# ------------------------------------------------------------------ Berrar, JMLR 2024


def power_of_44_data_sets() -> pd.DataFrame:
    """berrar2024.e36: three printed numbers, with and without rounding on the way.

    Returns
    -------
    DataFrame
        Columns `quantity`, `printed`, `from the rounded rate`, `from the exact rate` (NaN where no
        rate is involved).
    """
    critical = replication_probability.smallest_significant(44)
    upper_tail = lambda rate: stats.binom.sf(critical - 1, 44, rate)
    rows = [
        ("P_b, 29 of 44", "berrar2024.ex01.P_b", upper_tail(0.66), upper_tail(29 / 44)),
        ("P_b, 24 of 44", "berrar2024.txt24.P_b", upper_tail(0.5455), upper_tail(24 / 44)),
        ("p-value, 29 of 44", "berrar2024.ex01.p_again", np.nan, 2 * stats.binom.sf(28, 44, 0.5)),
    ]
    return pd.DataFrame([
        {"quantity": quantity, "printed": published.facts().at[fact, "printed"],
         "from the rounded rate": rounded, "from the exact rate": exact}
        for quantity, fact, rounded, exact in rows
    ])


def two_tailed_p_value(wins: int = 29, n: int = 44) -> pd.DataFrame:
    """berrar2024.e35: the printed sum and twice it, in exact arithmetic.

    Parameters
    ----------
    wins, n : int

    Returns
    -------
    DataFrame
        Columns `formula`, `value` (a decimal of an exact fraction), `printed`.
    """
    tail = Fraction(sum(comb(n, i) for i in range(wins, n + 1)), 2**n)
    return pd.DataFrame({
        "formula": ["the printed sum", "twice the sum"], "value": [float(tail), float(2 * tail)],
        "printed": published.value("berrar2024.ex01.p"),
    })


def mean_under_the_alternative(t: float | None = None, folds: int = 10) -> pd.DataFrame:
    """berrar2024.e37: replication probability with T as noncentrality, and with T as mean.

    Parameters
    ----------
    t : float, optional
        T; by default the t of Example 4.
    folds : int
        k.

    Returns
    -------
    DataFrame
        Columns `T is`, `noncentrality`, `mean`, `replication probability`.
    """
    t = published.value("berrar2024.ex04.t") if t is None else t
    df = folds - 1
    mean_of_one = stats.nct.mean(df, 1.0)  # the mean is proportional to the noncentrality
    rows = []
    for role, noncentrality in (("the noncentrality", t), ("the mean", t / mean_of_one)):
        point = replication_probability.cv_t(noncentrality, folds).point
        rows.append({"T is": role, "noncentrality": noncentrality,
                     "mean": mean_of_one * noncentrality, "replication probability": point})
    return pd.DataFrame(rows)


def estimate_after_significance(
    rates: Sequence[float] = (0.5, 0.6, 0.7, 0.8), n: int = 44
) -> pd.DataFrame:
    """berrar2024.e39: mean observed rate and estimate among significant experiments.

    Binomial model, by summing over all numbers of wins.

    Parameters
    ----------
    rates : sequence of float
        True probabilities that A wins on a data set.
    n : int
        Data sets.

    Returns
    -------
    DataFrame
        Columns `rate` (true), `mean rate` (observed, over the significant experiments), `truth`
        (replication probability), `mean estimate` (of it, over the significant experiments).
    """
    wins = np.arange(replication_probability.smallest_significant(n), n + 1)
    weight = stats.binom.pmf(wins, n, np.asarray(rates)[:, None])
    bias = berrar2024.binomial_selection_bias(rates, n)
    return pd.DataFrame({
        "rate": bias["theta"],
        "mean rate": weight @ wins / (n * weight.sum(axis=1)),
        "truth": bias["P"],
        "mean estimate": bias["binomial"],
    })


def studies_in_table_1() -> pd.DataFrame:
    """berrar2024.e40: which studies Table 1 itself calls cross-validation.

    Returns
    -------
    DataFrame
        Columns `study`, `row of Table 1`, `design`.
    """
    rows = published.cells("berrar2024.tab01")["row"].drop_duplicates()
    rows = rows[~rows.str.contains("average")]
    return pd.DataFrame({
        "study": rows.str.extract(r"(#\d)")[0].to_numpy(),
        "row of Table 1": rows.str.replace(r"study #\d ", "", regex=True).to_numpy(),
        "design": np.where(rows.str.contains("CV"), "cross-validation", "many data sets"),
    })


def start_sizes_of_algorithm_2() -> pd.DataFrame:
    """berrar2024.e41: the printed set of start sizes and the one that the text describes.

    The i-th of 20 data sets of a group has (start size) + 10 i cases.

    Returns
    -------
    DataFrame
        Columns `start sizes`, `groups`, and the cases of two data sets: `group 1, last data set`,
        `group 3, second data set`.
    """
    series = {
        "printed: 190 to 1290": np.arange(190, 1291, 50),
        "right: 290 to 1290": np.arange(290, 1291, 50),
    }
    rows = [
        {"start sizes": name, "groups": len(start), "group 1, last data set": start[0] + 200,
         "group 3, second data set": start[2] + 20}
        for name, start in series.items()
    ]
    constants = published.design_constants().set_index("const_id")["value"]
    rows.append({
        "start sizes": "text of Section 3.1.1", "groups": int(constants["berrar2024.c.s1_groups"]),
        "group 1, last data set": int(constants["berrar2024.c.s1_size_g1_20"]),
        "group 3, second data set": int(published.value("berrar2024.fig07.size_g3_2")),
    })
    return pd.DataFrame(rows)


def lines_of_algorithm_2() -> pd.DataFrame:
    """berrar2024.e42: the lines of Algorithm 2 that Section 3.1.1 cites. Read, not computed.

    Returns
    -------
    DataFrame
        Columns `step`, `cited line`, `does` (what stands in the cited line), `right line`.
    """
    return pd.DataFrame([
        ("repeat 1000 times", "5", "sets a counter to 0", "7"),
        ("number of cases", "10", "empties the positive cases", "12"),
        ("mean of the positives", "12", "sets the number of cases", "14"),
        ("deviation of the positives", "13", "sets the number of features", "15"),
        ("draw the positives", "16", "opens the loop over positives", "18"),
        ("draw the negatives", "22", "opens the loop over negatives", "24"),
        ("train and test", "28", "trains", "28 and 29"),
    ], columns=["step", "cited line", "does", "right line"])


def groups_of_study_4() -> pd.DataFrame:
    """berrar2024.e43: the greatest number of features in study #4, in four places of the paper.

    Returns
    -------
    DataFrame
        Columns `place`, `up to`.
    """
    constants = published.design_constants().set_index("const_id")["quote"]
    table_1 = published.cells("berrar2024.tab01")["row"]
    places = {
        "text of Section 3.2.2": constants["berrar2024.c.s4_d_text"],
        "Algorithm 4": constants["berrar2024.c.s4_d"].split("}")[0],
        "Figure 14": constants["berrar2024.c.s4_shown"].split("}")[0],
        "Table 1 (its one group)": table_1[table_1.str.contains("#4")].iloc[0],
    }
    last_number = lambda text: int(re.findall(r"\d+", text)[-1])
    return pd.DataFrame({
        "place": places.keys(), "up to": [last_number(text) for text in places.values()],
    })


def last_digit_of_study_4(folds: int = 10) -> pd.DataFrame:
    """berrar2024.e44: P_t for the least and the greatest t that print as the mean t of d = 11.

    Parameters
    ----------
    folds : int
        k.

    Returns
    -------
    DataFrame
        Columns `t`, `exact critical value`, `critical value 2.262`, and `printed`.
    """
    t, printed = published.value("berrar2024.s4.T11"), published.value("berrar2024.s4.P11")
    df = folds - 1
    rounded = published.value("berrar2024.ex04.t")
    return pd.DataFrame([
        {"t": value, "exact critical value": replication_probability.cv_t(value, folds).point,
         f"critical value {rounded}": stats.nct.sf(rounded, df, value), "printed": printed}
        for value in (t - 0.00005, t, t + 0.00005)
    ])


def interval_at_other_levels(
    confidence_levels: Sequence[float] = (0.5, 0.8, 0.95, 0.99),
    folds: int = 10,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """berrar2024.e51: Equation 14 with the critical value of level c (printed) and of alpha.

    Parameters
    ----------
    confidence_levels : sequence of float
        Values of 1 - c.
    folds : int
        k.
    alpha : float
        Level of the test.

    Returns
    -------
    DataFrame
        Columns `1 - c`, `point`, `printed low`, `printed high`, `right low`, `right high`, for the
        t of Example 4.
    """
    t = published.value("berrar2024.ex04.t")
    rows = []
    for level in confidence_levels:
        right = replication_probability.cv_t(t, folds, alpha=alpha, confidence_level=level)
        printed = replication_probability.cv_t(t, folds, alpha=1 - level, confidence_level=level)
        rows.append({
            "1 - c": level, "point": right.point,
            "printed low": printed.low, "printed high": printed.high,
            "right low": right.low, "right high": right.high,
        })
    return pd.DataFrame(rows)


def swapped_classifiers(differences: Sequence[float] = (1, 2, 3, 4, 5, 6, 7, -8)) -> pd.DataFrame:
    """berrar2024.e52: Z of Equation 10 when A and B change places.

    Parameters
    ----------
    differences : sequence of float
        Scores of A minus scores of B on some data sets.

    Returns
    -------
    DataFrame
        Columns `difference`, `W+`, `printed Z`, `right Z` (the correction moves towards 0).
    """
    x = np.asarray(differences, dtype=float)
    z = lambda sample, correction: significance.signed_rank(
        sample, method="normal", correction=correction
    ).zstatistic
    return pd.DataFrame([
        {"difference": name, "W+": int(significance.signed_rank(sample, method="exact").statistic),
         "printed Z": z(sample, "as_printed"), "right Z": z(sample, "towards_zero")}
        for name, sample in (("A minus B", x), ("B minus A", -x))
    ])
