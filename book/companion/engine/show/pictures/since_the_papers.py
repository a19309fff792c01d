"""Pictures of the chapters on later methods: the bench, and Type I error by size."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.engine.show.pictures import style
from companion.engine.show.pictures.style import BLUE, GREY, INK, RED, in_house_style
from companion.papers.topics.since_the_papers import measures

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


@in_house_style
def bench(table: pd.DataFrame, alpha: float = 0.05) -> Figure:
    """Draw replicability against Type I error, one mark per method, sized by its cost.

    Parameters
    ----------
    table : DataFrame
        `companion.papers.topics.since_the_papers.measures.table`.
    alpha : float
    """
    fig, ax = style.figure(height=5.4)
    ax.axvline(100 * alpha, color=INK, lw=1, ls=":")
    for method, row in table.iterrows():
        worst = max(row["type_1"], row["type_1_twins"])
        best = min(row["type_1"], row["type_1_twins"])
        inside = worst <= 150 * alpha
        color, marker = (BLUE, "o") if inside else (RED, "X")
        y = row["replicability"]
        ax.plot([max(best, 0.3), worst], [y, y], color=color, lw=1, ls="-")
        ax.errorbar(
            worst, y, row["replicability_error"], color=color, elinewidth=0.8, marker=marker,
            ms=4 + 2.5 * np.log10(row["trainings"] + 1), mew=0, ls="none", alpha=0.85,
        )
        if method in _LABELS:
            text, shift, align = _LABELS[method]
            style.note(ax, text, (worst, y), shift, ha=align, va="center", fontsize=9)
    style.log_ticks(ax.xaxis, (1, 2, 5, 10, 20, 50))
    ax.set(xlabel="Type I error (%), logarithmic", ylabel="replicability, normalised (%)",
           xlim=(0.8, 90), ylim=(0, 104))
    handles = [
        ax.plot([], [], mark, color=color, ms=size, ls="none", label=label)[0]
        for mark, color, size, label in (
            ("o", BLUE, 9, "holds its level"), ("X", RED, 9, "does not"),
            ("o", GREY, 5, "1 training"), ("o", GREY, 9, "100 trainings"),
        )
    ]
    fig.legend(handles=handles, loc="outside upper center", ncols=2)
    return fig


@in_house_style
def type_1_by_size(measured: pd.DataFrame, method: str, alpha: float = 0.05) -> Figure:
    """Draw the Type I error of a method against the size of the data sets, by null hypothesis.

    `measured` is from `companion.papers.topics.since_the_papers.measures.measures`.
    """
    fig, ax = style.figure(height=4.6)
    ax.axhline(100 * alpha, color=INK, lw=1, ls=":")
    found = measures.type_1(measured, method)
    for (key, label), (color, line), marker in zip(measures.EQUAL.items(), style.SERIES, "osD^vX"):
        rows = found.loc[key]
        ax.errorbar(
            rows.index, rows["rejected"], 2 * rows["rejected_error"], color=color, ls=line,
            marker=marker, ms=6, label=label,
        )
    style.log_ticks(ax.xaxis, sorted(measured.index.unique("n")), ",")
    ax.set(xlabel="instances, logarithmic", ylabel="Type I error (%)", ylim=(0, None))
    fig.legend(loc="outside upper center", ncols=1)
    return fig


@in_house_style
def targets(found: pd.DataFrame, learners: float) -> Figure:
    """Draw cross-validated estimates against the truth about the fitted models.

    `found` is from `companion.papers.topics.since_the_papers.targets.sample`; `learners` is the
    expected value.
    """
    fig, ax = style.figure(height=4.4)
    x, y = 100 * found["models"], 100 * found["estimate"]
    ax.scatter(x, y, s=14, color=BLUE, alpha=0.6, lw=0, label="a data set")
    ends = np.array([min(x.min(), y.min()), max(x.max(), y.max())])
    ax.plot(ends, ends, color=INK, lw=1, ls=":", label="estimate = its models")
    ax.axhline(100 * learners, color=RED, lw=1.2, ls="--", label="the learners")
    ax.set(xlabel="true difference of the fitted models (points)",
           ylabel="cross-validated difference (points)")
    fig.legend(loc="outside upper center", ncols=2)
    return fig
