"""One page to take away: four numbers, a picture, which test to use, and a sentence to report."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .style import BLUE, GREY, RED, in_house_style

#: Of a page A4, in inches.
WIDTH, HEIGHT = 8.27, 11.69
#: Left edge of the text, as a share of the width.
LEFT = 0.09
#: Left edges of the columns of the table of designs.
_COLUMNS = (0.155, 0.45, 0.7)

OTHER_SCORES = (
    "* about the fitted models, not about training again.  Several seeds on one test set: "
    "Welch's t test over the seeds, which says nothing about new items.  Two trained models on "
    "one test set: McNemar's exact test.  One score per data set: Wilcoxon's signed-rank test."
)

SENTENCE = (
    "A (mean ...) had a significantly higher accuracy than B (mean ...): difference ... points, "
    "95% confidence interval ... to ..., corrected resampled t test on ten runs of 10-fold "
    "cross-validation, p = ... . By these ten runs, a rerun with another seed agrees with "
    "probability ... (95% interval ... to ...)."
)


@in_house_style
def one_page(
    numbers: Sequence[tuple[str, str]],
    beliefs: pd.DataFrame,
    decisions: pd.DataFrame,
    *,
    alpha: float = 0.05,
) -> Figure:
    """Draw the page.

    Parameters
    ----------
    numbers : sequence of (str, str)
        Each number, and the words below it.
    beliefs : DataFrame
        `companion.studies.short_book.beliefs` after ten runs.
    decisions : DataFrame
        `replib.methods.decision_table`.
    alpha : float
        Level of the test in the picture.
    """
    fig = plt.figure(figsize=(WIDTH, HEIGHT), facecolor="white", layout="none")
    fig.text(
        LEFT,
        0.945,
        "Would the same experiment say the same again?",
        size=17,
        weight="bold",
    )
    for place, (number, words) in enumerate(numbers):
        x = LEFT + 0.212 * place
        fig.text(x, 0.895, number, size=15, weight="bold", color=BLUE)
        fig.text(x, 0.885, textwrap.fill(words, 25), size=8, va="top", linespacing=1.35)
    _heading(fig, 0.775, "Near the border of significance, the next seed decides")
    _beliefs(fig.add_axes((LEFT + 0.05, 0.5, 0.8, 0.25)), beliefs, alpha)
    _heading(
        fig,
        0.435,
        "Two learners, one data set: what do you fear, and what can you pay?",
    )
    _decisions(fig, 0.412, decisions)
    fig.text(
        LEFT,
        0.243,
        textwrap.fill(OTHER_SCORES, 125),
        size=7.5,
        va="top",
        linespacing=1.4,
    )
    _heading(fig, 0.172, "What to report")
    fig.text(
        LEFT, 0.158, textwrap.fill(SENTENCE, 112), size=9, va="top", linespacing=1.5
    )
    fig.text(
        LEFT,
        0.06,
        "Choose the design and the test before you see a p-value. With more runs the seed "
        "matters less.\nAnother seed and new data are two questions: p = 0.05 says little "
        "about either.",
        size=9,
        linespacing=1.5,
    )
    return fig


def _heading(fig: Figure, y: float, words: str) -> None:
    fig.text(LEFT, y, words, size=12, weight="bold")


def _beliefs(ax: Axes, beliefs: pd.DataFrame, alpha: float) -> None:
    """Draw what each seed predicts about a rerun, and what is counted, against its p-value."""
    least = 0.002
    p = beliefs["p"].clip(lower=least)
    ax.plot(p, 100 * beliefs["predicted"], ".", color=BLUE, ms=3, alpha=0.5, mew=0)
    is_found = beliefs["decision"] != 0
    for found, ends in ((True, (least, alpha)), (False, (alpha, 1))):
        counted = 100 * beliefs.loc[is_found == found, "counted"].mean()
        ax.plot(ends, [counted, counted], color=RED, lw=2.5, ls="-")
    ax.axvline(alpha, color=GREY, lw=1, ls=":")
    ax.set(
        xscale="log",
        xlim=(least, 1),
        ylim=(0, 102),
        xlabel="p-value of an experiment (one dot per seed)",
        ylabel="reruns that agree (%)",
    )
    ticks = [least, 0.01, alpha, 0.2, 1]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.text(0.0022, 8, "predicted by each seed", color=BLUE, size=9)
    ax.text(0.0022, 2, "counted among all seeds", color=RED, size=9)


def _decisions(fig: Figure, top: float, decisions: pd.DataFrame) -> None:
    """Write the table of designs: a row per number of trainings, a column per fear."""
    fig.text(LEFT, top, "trainings", size=7.5, color=GREY)
    for x, fear in zip(_COLUMNS, decisions.columns):
        fig.text(x, top, fear, size=7.5, color=GREY)
    for trainings, row in decisions.iterrows():
        # every alternative on a line of its own
        lines = max(cell.count(" or ") for cell in row) + 1
        fig.text(LEFT, top - 0.006, f"{trainings}", size=7.5, va="top")
        for x, cell in zip(_COLUMNS, row):
            words = cell.replace(" or ", "\nor ")
            fig.text(x, top - 0.006, words, size=6.5, va="top", linespacing=1.3)
        top -= 0.0125 * lines + 0.009


def write(fig: Figure, folder: Path) -> list[Path]:
    """Write the page as SVG and as PDF; the same page has the same bytes."""
    files = []
    for ending, metadata in (
        ("svg", dict.fromkeys(("Creator", "Date", "Format", "Type"))),
        ("pdf", dict.fromkeys(("Creator", "Producer", "CreationDate"))),
    ):
        file = folder / f"take_away.{ending}"
        # letters as shapes: a reader's machine may not have ours
        with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": "replib"}):
            fig.savefig(file, metadata=metadata, facecolor="white")
        files.append(file)
    plt.close(fig)
    return files
