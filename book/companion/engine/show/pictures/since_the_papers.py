"""Pictures of the chapters on later methods: the bench, and Type I error by size."""

import numpy as np
import pandas as pd

from companion.papers.topics.since_the_papers import measures

from .drawing import log_ticks, marks, note, picture, rule, series
from .style import BLUE, GREEN, GREY, INK, RED, SERIES

_LABELS = {
    "corrected_t_all": ("corrected t and sorted runs,\n10 × 10", (-10, -16), "right"),
    "bayesian_t_rope": ("Bayesian t", (-2, 16), "right"),
    "corrected_t_folds": ("corrected t,\n10 folds", (-8, 8), "right"),
    "corrected_t_splits": ("corrected t, 10 splits", (10, 4), "left"),
    "clt_all_pairs": ("CLT (Bayle)", (10, 8), "left"),
    "mcnemar_pooled": ("McNemar, pooled", (-8, -4), "right"),
    "paired_t_folds": ("t, 10 folds", (10, -2), "left"),
    "paired_t_all": ("t, 10 × 10", (2, -16), "center"),
    "z_instance_means": ("z, means of\ninstances", (10, 10), "left"),
    "five_by_two_f": ("5 × 2 cv F", (10, 5), "left"),
    "five_by_two_t": ("5 × 2 cv t", (10, -7), "left"),
    "mcnemar_held_out": ("McNemar,\nheld out", (-8, 8), "right"),
    "z_held_out": ("z, held out", (10, 4), "left"),
    "nested_cv": ("nested cv", (-10, -10), "right"),
    "conservative_z": ("conservative z", (10, -8), "left"),
}


@picture(height=5.4, legend=2, xlabel="Type I error (%), logarithmic", xlim=(0.8, 90),
         ylabel="replicability, normalised (%)", ylim=(0, 104))
def bench(ax, table: pd.DataFrame, alpha: float = 0.05) -> None:
    """Draw replicability against Type I error, one mark per method, sized by its cost.

    Parameters
    ----------
    table : DataFrame
        `companion.papers.topics.since_the_papers.measures.table`.
    alpha : float
    """
    rule(ax, x=100 * alpha, color=INK)
    for method, row in table.iterrows():
        best, worst = sorted(row[["type_1", "type_1_twins"]])
        look = (BLUE, "o") if worst <= 150 * alpha else (RED, "X")
        if method == "corrected_t_all":  # the design that the book recommends, whatever its level
            look = GREEN, look[1]
        y = row["replicability"]
        ax.plot([max(best, 0.3), worst], [y, y], color=look[0], lw=1, ls="-")
        marks(ax, worst, y, None, *look, yerr=row["replicability_error"], mew=0, alpha=0.85,
              ms=4 + 2.5 * np.log10(row["trainings"] + 1))
        if method in _LABELS:
            text, shift, align = _LABELS[method]
            note(ax, text, (worst, y), shift, ha=align, va="center", fontsize=9)
    for label, color, marker, size in (
        ("holds its level", BLUE, "o", 9), ("does not", RED, "X", 9),
        ("recommended", GREEN, "X", 9), ("1 training", GREY, "o", 5),
        ("100 trainings", GREY, "o", 9),
    ):
        marks(ax, [], [], label, color, marker, ms=size)
    log_ticks(ax.xaxis, (1, 2, 5, 10, 20, 50))


@picture(height=4.6, legend=1, xlabel="instances, logarithmic", ylabel="Type I error (%)",
         ylim=(0, None))
def type_1_by_size(ax, measured: pd.DataFrame, method: str, alpha: float = 0.05) -> None:
    """Draw the Type I error of a method against the size of the data sets, by null hypothesis.

    `measured` is from `companion.papers.topics.since_the_papers.measures.measures`.
    """
    rule(ax, y=100 * alpha, color=INK)
    errors = measures.type_1(measured, method)
    for (key, label), look, marker in zip(measures.EQUAL.items(), SERIES, "osD^vX"):
        rows = errors.loc[key]
        series(ax, rows.index, rows["rejected"], label, *look, marker,
               error=2 * rows["rejected_error"])
    log_ticks(ax.xaxis, sorted(measured.index.unique("n")), ",")


@picture(height=4.4, legend=2, xlabel="true difference of the fitted models (points)",
         ylabel="cross-validated difference (points)")
def targets(ax, found: pd.DataFrame, learners: float) -> None:
    """Draw cross-validated estimates against the truth about the fitted models.

    `found` is from `companion.papers.topics.since_the_papers.targets.sample`; `learners` is the
    expected value.
    """
    x, y = 100 * found["models"], 100 * found["estimate"]
    ax.scatter(x, y, s=14, color=BLUE, alpha=0.6, lw=0, label="a data set")
    ends = np.array([min(x.min(), y.min()), max(x.max(), y.max())])
    ax.plot(ends, ends, color=INK, lw=1, ls=":", label="estimate = its models")
    rule(ax, y=100 * learners, color=RED, ls="--", label="the learners")
