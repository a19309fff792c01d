"""Pictures of the chapter on which test to use: a tree of questions, and the merits of designs."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from replib import designs

from . import style
from .style import BLUE, GREEN, GREY, INK, PAPER, RED, in_house_style

#: Questions from top to bottom, and what to use if the answer is yes; braces stand for the design
#: that the evidence recommends for that many trainings.
QUESTIONS = (
    ("Are there several\ndata sets?", "compare_benchmark\nsigned rank, Holm", BLUE),
    ("Several seeds, or\nclusters of items?", "compare_item_scores\nitems, clusters, seeds", BLUE),
    ("Only one test set,\nor one training?", "compare_predictions\nMcNemar, exact", BLUE),
    ("Can each learner be\ntrained 100 times?", "compare_classifiers\n{100}", GREEN),
    ("10 or 20 times?", "{10}\nlittle power: say so", GREY),
)
_LAST = "a test set that is kept apart,\nand McNemar"


def leaves(advice: Mapping[int, str]) -> list[str]:
    """Return the texts of the boxes on the right (`companion.papers.topics.which_test.advice`)."""
    words = {
        f"{{{trainings}}}": designs.find(advice[trainings]).describe()
        if trainings in advice else "no test holds its level"
        for trainings in (10, 100)
    }
    found = []
    for _, leaf, _ in QUESTIONS:
        for name, design in words.items():
            leaf = leaf.replace(name, design)
        found.append(leaf)
    return found


@in_house_style
def tree(advice: Mapping[int, str]) -> Figure:
    """Draw the questions, and for each answer the function and the test.

    `advice` is from `companion.papers.topics.which_test.advice`.
    """
    fig, ax = style.figure(height=6.8)
    box = {"boxstyle": "round,pad=0.45", "lw": 1.2}
    last = len(QUESTIONS)
    for place, ((question, _, color), leaf) in enumerate(zip(QUESTIONS, leaves(advice))):
        y = -1.25 * place
        ax.text(0, y, question, ha="center", va="center", fontsize=10,
                bbox=box | {"fc": PAPER, "ec": INK})
        ax.annotate("", (1.27, y), (0.78, y), arrowprops={"arrowstyle": "->", "color": INK})
        ax.text(1.02, y + 0.1, "yes", ha="center", va="bottom", fontsize=9, color=GREY)
        ax.text(2.2, y, leaf, ha="center", va="center", fontsize=10,
                bbox=box | {"fc": PAPER, "ec": color, "lw": 2})
        ax.annotate("", (0, y - 0.9), (0, y - 0.35), arrowprops={"arrowstyle": "->", "color": INK})
        ax.text(0.08, y - 0.62, "no", ha="left", va="center", fontsize=9, color=GREY)
    ax.text(0, -1.25 * last, _LAST, ha="center", va="center", fontsize=10,
            bbox=box | {"fc": PAPER, "ec": BLUE, "lw": 2})
    ax.set(xlim=(-0.9, 3.15), ylim=(-1.25 * last - 0.5, 0.5))
    ax.set_axis_off()
    return fig


@in_house_style
def trade_off(measured: pd.DataFrame, kept: pd.Series, alpha: float) -> Figure:
    """Draw Type I error against replicability, one mark per design, labelled with its power.

    Parameters
    ----------
    measured : DataFrame
        `companion.papers.topics.which_test.measured`.
    kept : Series of bool
        Whether the design holds its level.
    alpha : float
    """
    fig, ax = style.figure(height=5.2)
    ax.axvline(100 * alpha, color=INK, lw=1, ls=":")
    for design, row in measured.iterrows():
        color, marker = (BLUE, "o") if kept[design] else (RED, "X")
        size = 11 if row["trainings"] > 50 else 7
        x, y = row["type_1"], row["replicability_normalized"]
        ax.errorbar(
            x, y, row["replicability_normalized_deviation"], row["type_1_deviation"], color=color,
            marker=marker, ms=size, mew=0, elinewidth=0.8, ls="none", alpha=0.85,
        )
    for design, text, dx, dy, align in _LABELS:
        if design in measured.index:
            row = measured.loc[design]
            style.note(ax, text, (row["type_1"], row["replicability_normalized"]), (dx, dy),
                       ha=align, va="center", fontsize=9)
    style.log_ticks(ax.xaxis, (3, 5, 10, 20, 50))
    ax.set(xlabel="Type I error (%), logarithmic", ylabel="replicability, normalised (%)",
           xlim=(2.6, 75), ylim=(0, 100))
    handles = [ax.plot([], [], mark, color=color, ms=size, ls="none", label=label)[0]
               for mark, color, size, label in (
                   ("o", BLUE, 11, "keeps its level"), ("X", RED, 11, "does not"),
                   ("o", BLUE, 7, "small: 10 trainings"))]
    fig.legend(handles=handles, loc="outside upper center", ncols=3)
    return fig


_LABELS = (
    ("corrected_repeated_cv", "corrected t and sorted runs,\n10 × 10 folds", 14, 12, "left"),
    ("corrected_resampled_100", "corrected t,\n100 random splits", 12, -12, "left"),
    ("corrected_resampled_10", "corrected t,\n10 random splits", 12, -4, "left"),
    ("five_by_two_cv", "5 × 2 folds", 12, -8, "left"),
    ("k_fold.paired_t", "t, 1 × 10 folds", 10, 8, "left"),
    ("random_33.paired_t", "t, random splits", 12, 0, "left"),
    ("use_all_data.paired_t", "t, 10 × 10 folds", 6, 14, "right"),
    ("average_over_runs.paired_t", "t on means by fold", -14, -6, "right"),
)
