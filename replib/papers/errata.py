"""What is wrong in print, shown: a function for each erratum that a computation can show.

Each docstring begins with the id of its erratum in :func:`replib.papers.published.errata`.  A
function
returns a tidy frame in which *printed* is what the paper's formula, rule or sentence gives as it
stands, beside the right value, found without either wherever that is possible: by enumeration in
exact fractions, or from the published tables themselves.  What can only be read (a wrong line
number, a sentence that stops) is returned as the rows that a reader should compare.

Errata that a module of their own paper shows have none here: those of the papers of 2004 and 2005
stand beside what they correct; see also :func:`replib.papers.berrar2024.coverage`.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
from scipy import stats

from replib import replication_probability, significance
from replib.papers import berrar2024, published

# ------------------------------------------------------------------ the list itself


def overview() -> pd.DataFrame:
    """The list for a table of contents: `id`, `paper`, `place`, `kind`, `certainty`, `printed`.

    >>> overview()["id"].iloc[0]
    'bouckaert2004.e01'
    """
    return published.errata()[["id", "paper", "place", "kind", "certainty", "printed"]]


def counts() -> pd.DataFrame:
    """How many errata each paper has by certainty, `all` of them, and how many `remarks` beside."""
    listed = published.errata()
    is_remark = listed["kind"] == "remark"
    found = listed[~is_remark]
    table = pd.crosstab(found["paper"], found["certainty"]).loc[list(published.PAPERS)]
    table = table.rename_axis(columns=None).rename_axis("paper").assign(all=table.sum(axis=1))
    remarks = listed.loc[is_remark, "paper"].value_counts()
    return table.assign(remarks=remarks.reindex(table.index, fill_value=0))


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
