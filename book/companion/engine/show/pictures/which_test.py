"""Pictures of the chapter on which test to use: a tree of questions, and the merits of designs."""

from collections.abc import Mapping

import pandas as pd

from replib import methods

from .drawing import log_ticks, marks, note, picture, rule
from .style import BLUE, GREEN, GREY, INK, PAPER, RED

#: Questions from top to bottom, and what to use if the answer is yes; braces stand for the design
#: that the evidence recommends for that many trainings.
QUESTIONS = (
    ("Are there several\ndata sets?", "compare_benchmark\nsigned rank, Holm", BLUE),
    ("Several seeds, or\nclusters of items?", "compare_item_scores\nitems, clusters, seeds", BLUE),
    ("Only one test set,\nor one training?", "compare_predictions\nMcNemar, exact", BLUE),
    ("Can each learner be\ntrained 100 times?", "compare_classifiers\n{hundred}", GREEN),
    ("10 or 20 times?", "{ten}\nlittle power: say so", GREY),
)
_LAST = "a test set that is kept apart,\nand McNemar"


def leaves(advice: Mapping[int, str]) -> list[str]:
    """Return the texts of the boxes on the right (`companion.papers.topics.which_test.advice`)."""
    names = {
        number: methods.find(advice[trainings]).describe() if trainings in advice
        else "no test holds its level" for number, trainings in (("hundred", 100), ("ten", 10))
    }
    return [leaf.format(**names) for _, leaf, _ in QUESTIONS]


@picture(height=6.8)
def tree(ax, advice: Mapping[int, str]) -> None:
    """Draw the questions, and for each answer the function and the test.

    `advice` is from `companion.papers.topics.which_test.advice`.
    """
    middle = {"ha": "center", "va": "center", "fontsize": 10}
    box = {"boxstyle": "round,pad=0.45", "lw": 1.2, "fc": PAPER, "ec": INK}
    arrow = {"arrowstyle": "->", "color": INK}
    last = -1.25 * len(QUESTIONS)
    for place, ((question, _, color), leaf) in enumerate(zip(QUESTIONS, leaves(advice))):
        y = -1.25 * place
        ax.text(0, y, question, bbox=box, **middle)
        ax.annotate("", (1.27, y), (0.78, y), arrowprops=arrow)
        ax.text(1.02, y + 0.1, "yes", ha="center", va="bottom", fontsize=9, color=GREY)
        ax.text(2.2, y, leaf, bbox=box | {"ec": color, "lw": 2}, **middle)
        ax.annotate("", (0, y - 0.9), (0, y - 0.35), arrowprops=arrow)
        ax.text(0.08, y - 0.62, "no", ha="left", va="center", fontsize=9, color=GREY)
    ax.text(0, last, _LAST, bbox=box | {"ec": BLUE, "lw": 2}, **middle)
    ax.set(xlim=(-0.9, 3.15), ylim=(last - 0.5, 0.5))
    ax.set_axis_off()


@picture(height=5.2, legend=3, xlabel="Type I error (%), logarithmic", xlim=(2.6, 75),
         ylabel="replicability, normalised (%)", ylim=(0, 100))
def trade_off(ax, measured: pd.DataFrame, kept: pd.Series, alpha: float) -> None:
    """Draw Type I error against replicability, one mark per design, labelled with its power.

    Parameters
    ----------
    measured : DataFrame
        `companion.papers.topics.which_test.measured`.
    kept : Series of bool
        Whether the design holds its level.
    alpha : float
    """
    rule(ax, x=100 * alpha, color=INK)
    for design, row in measured.iterrows():
        x, y = row["type_1"], row["replicability_normalized"]
        marks(ax, x, y, None, *((BLUE, "o") if kept[design] else (RED, "X")), mew=0, alpha=0.85,
              ms=11 if row["trainings"] > 50 else 7, xerr=row["type_1_deviation"],
              yerr=row["replicability_normalized_deviation"])
        if design in _LABELS:
            text, shift, align = _LABELS[design]
            note(ax, text, (x, y), shift, ha=align, va="center", fontsize=9)
    marks(ax, [], [], "keeps its level", BLUE, ms=11)
    marks(ax, [], [], "does not", RED, "X", ms=11)
    marks(ax, [], [], "small: 10 trainings", BLUE, ms=7)
    log_ticks(ax.xaxis, (3, 5, 10, 20, 50))


_LABELS = {
    "corrected_repeated_cv": ("corrected t and sorted runs,\n10 × 10 folds", (14, 12), "left"),
    "corrected_resampled_100": ("corrected t,\n100 random splits", (12, -12), "left"),
    "corrected_resampled_10": ("corrected t,\n10 random splits", (12, -4), "left"),
    "five_by_two_cv": ("5 × 2 folds", (12, -8), "left"),
    "k_fold.paired_t": ("t, 1 × 10 folds", (10, 8), "left"),
    "random_33.paired_t": ("t, random splits", (12, 0), "left"),
    "use_all_data.paired_t": ("t, 10 × 10 folds", (6, 14), "right"),
    "average_over_runs.paired_t": ("t on means by fold", (-14, -6), "right"),
}
