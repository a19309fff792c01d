"""Pictures of Berrar's four studies: Figures 5 to 7 and 9 to 14, and what they leave out."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator, MaxNLocator

from .drawing import marks, note, picture, rule, series
from .style import (
    AMBER,
    BLUE,
    GREEN,
    GREY,
    INK,
    PAPER,
    PURPLE,
    RED,
    SERIES,
    SHADES,
    SMALL,
)

#: The models in the figures: column, name in the legend, colour, marker.
MODELS = {
    "P_binomial": ("binomial estimate", INK, "s"),
    "P_bayesian": ("Bayesian estimate", BLUE, "D"),
    "P_wilcoxon": ("estimate", INK, "s"),
    "P": ("estimate", INK, "s"),
}


@picture(height=2.9)
def design(ax, groups: Sequence[str], experiments: Sequence[str]) -> None:
    """Draw Figures 5 and 6: groups as columns, experiments as rows, and what changes along them."""
    middle = {"ha": "center", "va": "center"}
    for x, group in enumerate(groups):
        ax.text(x, -0.85, group, **middle)
        for y, experiment in enumerate(experiments):
            label = (
                "…" if "…" in (group, experiment) else f"$E_{{{group},{experiment}}}$"
            )
            if label != "…":
                cell = Rectangle(
                    (x - 0.42, y - 0.38), 0.84, 0.76, fc="none", ec=GREY, lw=0.8
                )
                ax.add_patch(cell)
            ax.text(x, y, label, fontsize=SMALL, **middle)
    last, below = len(groups) - 0.5, len(experiments) - 0.25
    for row, words, color in (
        (below, "small changes to the data sets", BLUE),
        (below + 0.6, "smaller and smaller p-values", RED),
    ):
        ax.annotate(
            "",
            (last, row),
            (-0.5, row),
            arrowprops={"arrowstyle": "->", "color": color, "lw": 1.2},
        )
        ax.text(
            len(groups) / 2 - 0.5,
            row + 0.02,
            words,
            color=color,
            fontsize=SMALL,
            bbox={"fc": PAPER, "ec": "none", "pad": 1},
            **middle,
        )
    ax.set(xlim=(-0.6, last + 0.1), ylim=(below + 1.0, -1.3))
    ax.set_title("group", loc="center")
    ax.axis("off")


@picture(height=3.2)
def sizes(ax, frame: pd.DataFrame) -> None:
    """Draw the cases of each data set (columns) in each group (rows), both labelled from 1."""
    image = ax.pcolormesh(
        frame.columns, frame.index, frame, cmap=SHADES, rasterized=False, lw=0
    )
    ax.set(xlabel="data set", ylabel="group")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    ax.invert_yaxis()
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, aspect=14, label="cases")
    bar.outline.set_visible(False)


@picture(height=3.9)
def setup(ax, datasets: pd.DataFrame) -> None:
    """Draw Figure 8: training and test set of each data set (`study_1.figure_8`)."""
    for row, data in enumerate(datasets.to_dict("records")):
        negative = data["positive"] + 1
        last = data["features"]
        for column, feature in enumerate("tw"):
            box = Rectangle((column, row + 0.08), 0.94, 0.8, fc="none", ec=GREY, lw=0.8)
            ax.add_patch(box)
            positives = (
                f"cases 1 to {data['positive']}, class 1:\n"
                f"${feature}_1 … {feature}_{{{last}}} \\sim "
                f"N({data['mean']:g}, {data['sd']:g}^2)$"
            )
            negatives = (
                f"cases {negative} to {data['cases']}, class 0:\n"
                f"${feature}_1 … {feature}_{{{last}}} \\sim N(0, 1)$"
            )
            for place, words in ((0.29, positives), (0.66, negatives)):
                ax.text(column + 0.04, row + place, words, va="center", fontsize=SMALL)
        ax.text(-0.03, row + 0.48, f"({data['dataset']})", ha="right", va="center")
    for column, title in enumerate(("training set", "test set")):
        ax.text(column + 0.47, -0.08, title, ha="center", va="center")
    ax.set(xlim=(-0.15, 2), ylim=(len(datasets), -0.25))
    ax.axis("off")


@picture(height=4.4, xlabel="accuracy (%)", ylabel="data set")
def one_experiment(ax, frame: pd.DataFrame) -> None:
    """Draw Figure 7b: accuracies of both classifiers on each data set (`study_1.figure_7b`)."""
    for name, color, marker in (("naive Bayes", BLUE, "o"), ("SVM", RED, "s")):
        marks(ax, 100 * frame[name], frame["dataset"], name, color, marker)
    ax.hlines(
        frame["dataset"],
        100 * frame["naive Bayes"],
        100 * frame["SVM"],
        color=GREY,
        lw=1,
    )
    ax.set_yticks(frame["dataset"][::2])
    ax.invert_yaxis()
    ax.legend(loc="lower right")


@picture(2, 2, height=4.6, xticks=[])
def boxes(axes, experiments: pd.DataFrame) -> None:
    """Draw Figure 7c: success rate, binomial p, Z and Wilcoxon p of one group's experiments."""
    titles = {
        "theta": r"success rate $\hat\theta$",
        "p_binomial": "binomial p",
        "z": "$Z$",
        "p_wilcoxon": "Wilcoxon p",
    }
    for ax, (column, title) in zip(axes.flat, titles.items()):
        ax.boxplot(
            experiments[column],
            widths=0.5,
            showmeans=True,
            patch_artist=True,
            boxprops={"fc": "none", "ec": INK},
            medianprops={"color": BLUE},
            flierprops={"marker": ".", "ms": 3, "mec": GREY},
            whiskerprops={"color": INK},
            capprops={"color": INK},
            meanprops={"marker": "D", "mfc": RED, "mec": RED, "ms": 4},
        )
        ax.set_title(title, fontsize=SMALL)
    for ax in axes[:, 1]:
        rule(ax, y=0.05)


#: The colour of what the paper prints.
PRINTED = PURPLE

#: The axes of Figures 9 to 14.
OVER_P = {
    "xlabel": "p-value (log scale)",
    "ylabel": "replication probability",
    "ylim": (0, 1.03),
}


@picture(height=4.4, legend=2, **OVER_P)
def over_p(ax, groups: pd.DataFrame, **options) -> None:
    """Draw Figures 9 to 14: estimates with limits, and shares of significance, against p.

    The options are those of :func:`_draw_over_p`.
    """
    _draw_over_p(ax, groups, **options)


@picture(2, 1, height=7.2, legend=2, **OVER_P)
def over_p_by_name(
    axes, groups: Mapping[str, pd.DataFrame], labels: Mapping[int, str], **options
) -> None:
    """Draw the same figure for two classifiers, one below the other, each with its name.

    Only the upper panel has the labels of groups.
    """
    for ax, (name, frame), words in zip(axes, groups.items(), (labels, {})):
        _draw_over_p(ax, frame, labels=words, **options)
        # above the labels of groups
        ax.set_title(name, loc="left", pad=14 if words else None)


def _draw_over_p(
    ax,
    groups: pd.DataFrame,
    *,
    p: str,
    share: str,
    estimates: Sequence[str],
    printed: pd.DataFrame | None = None,
    highlighted: int | None = None,
    labels: Mapping[int, str] | None = None,
) -> None:
    """Draw estimates and shares of groups, and the printed points among them.

    `printed` is from `berrar2024.printed_points.of_figure`.
    """
    shift = np.linspace(-1, 1, len(estimates)) if len(estimates) > 1 else [0.0]
    width = 0.012 * np.log(groups[p].max() / max(groups[p].min(), 1e-15))
    for column, at in zip(estimates, shift):
        look = MODELS[column]
        x = groups[p] * np.exp(at * width)
        ax.vlines(
            x,
            groups[f"{column}_low"],
            groups[f"{column}_high"],
            color=look[1],
            lw=1,
            alpha=0.55,
        )
        marks(ax, x, groups[column], *look)
        if printed is not None:
            _draw_printed(
                ax,
                printed["p"] * np.exp(at * width),
                printed[column],
                f"printed {look[0]}",
                look[2],
            )
    marks(ax, groups[p], groups[share], "share significant", RED, "x", ms=8, mew=2)
    if printed is not None:
        _draw_printed(ax, printed["p"], printed["F"], "printed share", "+")
    if highlighted in groups.index:
        group = groups.loc[highlighted]
        marks(
            ax, group[p], group[estimates[0]], None, GREEN, "s", ms=9, mfc="none", mew=2
        )
        rule(ax, x=group[p], color=GREEN)
    for group, words in (labels or {}).items():
        if group in groups.index:
            note(
                ax,
                words,
                (groups.at[group, p], 1.03),
                ha="center",
                va="bottom",
            )
    ax.set_xscale("log")
    ax.xaxis.set_minor_locator(
        LogLocator(subs=(2, 4))
    )  # labelled if there is one power of ten


def _draw_printed(ax, p, probability, label: str | None, marker: str) -> None:
    marks(
        ax, p, probability, label, PRINTED, marker, ms=11, mfc="none", mew=2, zorder=4
    )


@picture(xlabel="features", ylabel="mean $t$", ylim=(0, None))
def trees(
    ax, groups: Mapping[str, pd.DataFrame], printed: pd.DataFrame, critical: float
) -> None:
    """Draw mean t against the features, by name of the opponent, and the printed values."""
    for (name, frame), color, marker in zip(groups.items(), (BLUE, AMBER), "os"):
        marks(
            ax,
            frame.index,
            frame["t"],
            name,
            color,
            marker,
            yerr=2 * frame["error"],
            ms=4,
        )
    marks(ax, printed["features"], printed["t"], "printed", RED, "x", ms=10, mew=2.2)
    rule(ax, y=critical)
    ax.legend(loc="upper left")


@picture(
    height=4.0,
    xscale="log",
    xlabel="p-value of the first experiment (log scale)",
    ylabel="share significant again",
    ylim=(0, 1.03),
)
def chances(
    ax, curves: Mapping[int, pd.DataFrame], claimed: float, target: float
) -> None:
    """Draw the share that replicates among experiments with similar p-values, a line per study."""
    for (number, frame), look in zip(curves.items(), SERIES):
        series(ax, frame["p"], frame["chance"], f"study #{number}", *look)
    rule(ax, y=target)
    rule(ax, x=claimed, color=RED, ls="--")
    note(
        ax,
        f"{claimed:g}",
        (claimed, 0.02),
        (3, 0),
        xycoords=("data", "axes fraction"),
        color=RED,
    )
    ax.legend(loc="lower left")


@picture(
    height=3.6,
    xlabel="observed p-value",
    ylabel="p-value of a replication",
    xscale="log",
    yscale="log",
)
def precision_of_p(ax, table: pd.DataFrame, alpha: float) -> None:
    """Draw the p-value of a replication against the observed one.

    `table` is from `companion.studies.precision_of_p.of_replications`.
    """
    ax.fill_between(
        table.index, table["low"], table["high"], color=BLUE, alpha=0.2, lw=0
    )
    series(ax, table.index, table["median"], None, BLUE)
    rule(ax, y=alpha, color=INK)
    note(ax, "nominal level", (table.index[0], alpha), (3, 3))
