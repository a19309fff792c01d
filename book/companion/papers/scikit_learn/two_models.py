"""The first two models compared: a t test with and without the correction, and a posterior."""

import numpy as np
import pandas as pd
from scipy import special

from companion.papers import published
from companion.papers.scikit_learn.fold_scores import corrected, scores
from replib import significance

#: Half the width of the page's region of practical equivalence.
ROPE = 0.01


def posterior(differences: np.ndarray, rope: float = ROPE) -> dict[str, float]:
    """Return the posterior probabilities that the first model is better, worse, or neither.

    With the page's prior, the posterior of the mean difference is Student's t
    distribution about the mean, with the corrected standard error.  So each probability
    is a p-value of the corrected t test for differences shifted by the region of
    equivalence.
    """
    better = corrected(differences - rope, alternative="less").pvalue
    worse = corrected(differences + rope, alternative="greater").pvalue
    return {
        "better": float(better),
        "worse": float(worse),
        "rope": float(1 - better - worse),
    }


# ------------------------------------------------------------------ errata e62 to e66


def probability_of_the_second_interval(differences: np.ndarray) -> pd.DataFrame:
    """scikit_learn.e62: the probability of the second printed interval; the text says 70%.

    Columns `interval` (as printed), `stated`, `computed` (percent), from the printed
    ends.
    """
    result = corrected(differences)
    rows = []
    for level in ("050", "075", "095"):
        low, high = (
            published.value(f"scikit_learn.tab03.i{level}.{end}")
            for end in ("lower", "upper")
        )
        inside = np.diff(
            special.stdtr(
                result.df,
                (np.array([low, high]) - result.estimate) / result.standard_error,
            )
        )[0]
        stated = published.value(f"scikit_learn.txt.probability_{level}")
        rows.append((f"{low:.6f} to {high:.6f}", stated, 100 * inside))
    return pd.DataFrame(rows, columns=["interval", "stated", "computed"])


def worse_and_worse_by_a_point(found: pd.DataFrame) -> pd.DataFrame:
    """scikit_learn.e63: the probability of being worse, and of being worse by more than the ROPE.

    Columns `pair`, `printed` as "worse", `worse by 0.01`, `worse` (percent).
    """
    rows = []
    for other, fact in (("linear", "worse_linear"), ("3_poly", "worse_3_poly")):
        x = found["rbf"] - found[other]
        rows.append(
            (
                f"rbf, {other}",
                published.value(f"scikit_learn.txt.{fact}"),
                100 * posterior(x)["worse"],
                100 * posterior(x, 0.0)["worse"],
            )
        )
    return pd.DataFrame(rows, columns=["pair", "printed", "worse by 0.01", "worse"])


def one_sided_of_the_absolute_value(differences: np.ndarray) -> pd.DataFrame:
    """scikit_learn.e64: the page's right-tailed p-value is the tail beyond the *absolute* t.

    Columns `models` (in either order), `as printed`, `right-tailed`, `two-sided`.
    """
    rows = []
    for names, x in (("rbf, linear", differences), ("linear, rbf", -differences)):
        one, two = corrected(x, alternative="greater"), corrected(x)
        rows.append(
            (names, special.stdtr(one.df, -abs(one.statistic)), one.pvalue, two.pvalue)
        )
    return pd.DataFrame(
        rows, columns=["models", "as printed", "right-tailed", "two-sided"]
    )


def outcomes_and_scores() -> pd.DataFrame:
    """scikit_learn.e65: what replicability compares, on the page and in the paper it cites.

    Columns `source`, `compares`, `between`.
    """
    return pd.DataFrame(
        [
            (
                "the page",
                "the performance of one model",
                "random partitions of a data set",
            ),
            (
                "Bouckaert and Frank (2004)",
                "the outcomes of a test of two learners",
                "random partitions of a data set",
            ),
        ],
        columns=["source", "compares", "between"],
    )


def equivalence_by_two_tests(found: pd.DataFrame) -> pd.DataFrame:
    """scikit_learn.e66: two one-sided corrected t tests conclude equivalence where the ROPE does.

    The p-value of the two tests is the larger of the posterior probabilities on either
    side; the page says that such a conclusion needs a posterior.  Columns `pair`,
    `half-width`, `p`, `in the ROPE`.
    """
    x, rows = found["rbf"] - found["linear"], []
    for rope in (ROPE, 0.04):
        found_at = posterior(x, rope)
        rows.append(
            (
                "rbf, linear",
                rope,
                max(found_at["better"], found_at["worse"]),
                found_at["rope"],
            )
        )
    return pd.DataFrame(rows, columns=["pair", "half-width", "p", "in the ROPE"])


def ledger_rows(*, alpha: float = 0.05) -> pd.DataFrame:
    """Ledger rows: the two tests, the posterior, its intervals, and the text about them."""
    found = scores()
    x = (found["rbf"] - found["linear"]).to_numpy()
    test, even = corrected(x, alternative="greater"), posterior(x, 0.0)
    plain = significance.paired_t(x, alternative="greater")
    numbers = {
        "t": test.statistic,
        "p": test.pvalue,
        "t_uncorrected": plain.statistic,
        "p_uncorrected": plain.pvalue,
        "rbf_better": even["better"],
        "linear_better": even["worse"],
        "equivalent": posterior(x)["rope"],
        "equivalent_percent": 100 * posterior(x)["rope"],
        "equivalent_3_poly": 100 * posterior(found["rbf"] - found["3_poly"])["rope"],
    }
    rows = [
        {"id": f"scikit_learn.txt.{key}", "rebuilt": n} for key, n in numbers.items()
    ]
    interval = corrected(
        x
    ).confidence_interval  # with the page's prior also the credible one
    for level in (0.5, 0.75, 0.95):
        cell, ends = f"scikit_learn.tab03.i{100 * level:03.0f}", interval(level)
        rows += [
            {"id": f"{cell}.lower", "rebuilt": ends.low},
            {"id": f"{cell}.upper", "rebuilt": ends.high},
        ]
    stated = probability_of_the_second_interval(x)["computed"]
    worse = worse_and_worse_by_a_point(found)["worse"]
    rows += [
        {"id": f"scikit_learn.txt.{fact}", "rebuilt": share}
        for fact, share in (
            *zip(("probability_050", "probability_075", "probability_095"), stated),
            *zip(("worse_linear", "worse_3_poly"), worse),
        )
    ]
    equal, tail = equivalence_by_two_tests(found), one_sided_of_the_absolute_value(x)
    rows += [
        {
            "id": "scikit_learn.cl.03",
            "rebuilt": bool(plain.pvalue < alpha <= test.pvalue),
        },
        {
            "id": "scikit_learn.cl.04",
            "rebuilt": bool(np.isclose(even["worse"], test.pvalue)),
        },
        {
            "id": "scikit_learn.cl.05",
            "rebuilt": False,
            "corrected": bool(((equal["p"] < alpha) == [False, True]).all()),
        },
        {
            "id": "scikit_learn.cl.09",
            "rebuilt": bool(np.isclose(tail["as printed"].sum(), 1)),
            "corrected": bool(
                np.isclose(tail["right-tailed"].sum(), 1)
                and np.allclose(2 * tail["as printed"], tail["two-sided"])
            ),
        },
        {
            "id": "scikit_learn.cl.10",
            "rebuilt": outcomes_and_scores()["compares"].nunique() == 1,
            "corrected": True,
        },
    ]
    return pd.DataFrame(rows)
