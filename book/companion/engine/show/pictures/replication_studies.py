"""Pictures of Berrar's four studies: Figures 5 to 7 and 9 to 14, and what they leave out."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator, MaxNLocator

from . import style
from .style import AMBER, BLUE, GREEN, GREY, INK, PAPER, PURPLE, RED, in_house_style

#: The models in the figures: column, name in the legend, colour, marker.
MODELS = {
    "P_binomial": ("binomial estimate", INK, "s"), "P_bayesian": ("Bayesian estimate", BLUE, "D"),
    "P_wilcoxon": ("estimate", INK, "s"), "P": ("estimate", INK, "s"),
}


@in_house_style
def design(groups: Sequence[str], experiments: Sequence[str]) -> Figure:
    """Draw Figures 5 and 6: groups as columns, experiments as rows, and what changes along them."""
    fig, ax = style.figure(height=2.9)
    for x, group in enumerate(groups):
        ax.text(x, -0.85, group, ha="center", va="center")
        for y, experiment in enumerate(experiments):
            label = "…" if "…" in (group, experiment) else f"$E_{{{group},{experiment}}}$"
            if label != "…":
                ax.add_patch(Rectangle((x - 0.42, y - 0.38), 0.84, 0.76, facecolor="none",
                                       edgecolor=GREY, lw=0.8))
            ax.text(x, y, label, ha="center", va="center", fontsize=10)
    last, below = len(groups) - 0.5, len(experiments) - 0.25
    for row, words, color in ((below, "small changes to the data sets", BLUE),
                              (below + 0.6, "smaller and smaller p-values", RED)):
        ax.annotate("", (last, row), (-0.5, row),
                    arrowprops={"arrowstyle": "->", "color": color, "lw": 1.2})
        ax.text(len(groups) / 2 - 0.5, row + 0.02, words, color=color, ha="center", va="center",
                fontsize=10, bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1})
    ax.set(xlim=(-0.6, last + 0.1), ylim=(below + 1.0, -1.3))
    ax.set_title("group", loc="center")
    ax.axis("off")
    return fig


@in_house_style
def sizes(frame: pd.DataFrame) -> Figure:
    """Draw the cases of each data set (columns) in each group (rows), both labelled from 1."""
    fig, ax = style.figure(height=3.2)
    image = ax.pcolormesh(frame.columns, frame.index, frame, cmap="cividis", rasterized=False, lw=0)
    ax.set(xlabel="data set", ylabel="group")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    ax.invert_yaxis()
    bar = fig.colorbar(image, ax=ax, pad=0.02, aspect=14)
    bar.set_label("cases")
    bar.outline.set_visible(False)
    return fig


@in_house_style
def one_experiment(frame: pd.DataFrame) -> Figure:
    """Draw Figure 7b: accuracies of both classifiers on each data set (`study_1.figure_7b`)."""
    fig, ax = style.figure(height=4.4)
    for name, color, marker in (("naive Bayes", BLUE, "o"), ("SVM", RED, "s")):
        ax.plot(100 * frame[name], frame["dataset"], marker, color=color, ls="none", label=name)
    ax.hlines(frame["dataset"], 100 * frame["naive Bayes"], 100 * frame["SVM"], color=GREY, lw=1)
    ax.set(xlabel="accuracy (%)", ylabel="data set", yticks=frame["dataset"][::2])
    ax.invert_yaxis()
    ax.legend(loc="lower right")
    return fig


@in_house_style
def boxes(experiments: pd.DataFrame) -> Figure:
    """Draw Figure 7c: success rate, binomial p, Z and Wilcoxon p of one group's experiments."""
    panels = (
        ("theta", r"success rate $\hat\theta$"), ("p_binomial", "binomial p"),
        ("z", "$Z$"), ("p_wilcoxon", "Wilcoxon p"),
    )
    fig, axes = style.figure(2, 2, height=4.6)
    for ax, (column, words) in zip(axes.flat, panels):
        ax.boxplot(experiments[column], widths=0.5, showmeans=True, patch_artist=True,
                   boxprops={"facecolor": "none", "edgecolor": INK}, medianprops={"color": BLUE},
                   flierprops={"marker": ".", "markersize": 3, "markeredgecolor": GREY},
                   whiskerprops={"color": INK}, capprops={"color": INK},
                   meanprops={"marker": "D", "markerfacecolor": RED, "markeredgecolor": RED,
                              "markersize": 4})
        ax.set_xticks([])
        ax.set_title(words, fontsize=10)
    for ax in axes[:, 1]:
        ax.axhline(0.05, color=GREY, ls=":", lw=1)
    return fig


@in_house_style
def over_p(
    groups: pd.DataFrame, *, p: str, share: str, estimates: Sequence[str],
    highlighted: int | None = None, labels: Mapping[int, str] | None = None,
) -> Figure:
    """Draw Figures 9 to 14: estimates with limits, and shares of significance, against p."""
    fig, ax = style.figure(height=4.0)
    shift = np.linspace(-1, 1, len(estimates)) if len(estimates) > 1 else [0.0]
    width = 0.012 * np.log(groups[p].max() / max(groups[p].min(), 1e-15))
    for column, at in zip(estimates, shift):
        words, color, marker = MODELS[column]
        x = groups[p] * np.exp(at * width)
        ax.vlines(x, groups[f"{column}_low"], groups[f"{column}_high"], color=color, lw=1,
                  alpha=0.55)
        ax.plot(x, groups[column], marker, color=color, ms=5, ls="none", label=words)
    ax.plot(groups[p], groups[share], "x", color=RED, ms=8, mew=2, ls="none",
            label="share significant")
    if highlighted in groups.index:
        one = groups.loc[highlighted]
        ax.plot(one[p], one[estimates[0]], "s", color=GREEN, ms=9, mfc="none", mew=2, ls="none")
        ax.axvline(one[p], color=GREEN, lw=0.8, ls=":")
    for group, words in (labels or {}).items():
        if group in groups.index:
            ax.annotate(words, (groups.at[group, p], 1.03), ha="center", va="bottom", fontsize=9,
                        annotation_clip=False)
    ax.set_xscale("log")
    ax.xaxis.set_minor_locator(LogLocator(subs=(2, 4)))  # labelled if there is one power of ten
    ax.set(xlabel="p-value (log scale)", ylabel="replication probability", ylim=(0, 1.03))
    ax.legend(loc="lower left", fontsize=9)
    return fig


@in_house_style
def single_experiments(spread: pd.DataFrame, *, mean: pd.Series) -> Figure:
    """Draw estimates from single experiments of a group, and from its mean, with its share."""
    fig, ax = style.figure(height=4.2)
    frame = spread.sort_values("F", kind="stable")
    ax.plot([0, 1], [0, 1], color=GREY, lw=1, ls=":")
    ax.vlines(frame["F"], frame["q05"], frame["q95"], color=BLUE, lw=1)
    ax.vlines(frame["F"], frame["q25"], frame["q75"], color=BLUE, lw=4, alpha=0.5)
    ax.plot(frame["F"], frame["q50"], "o", color=BLUE, ms=4, ls="none",
            label="from one experiment: median, half, 90%")
    ax.plot(frame["F"], frame["mean_significant"], "^", color=RED, ms=5, ls="none",
            label="mean, where it was significant")
    ax.plot(frame["F"], mean.loc[frame.index], "s", color=INK, ms=4, ls="none",
            label="from the group's mean")
    ax.set(xlabel="share of significant experiments $F$", ylabel=r"estimate $\hat P$",
           xlim=(max(0, frame["F"].min() - 0.05), 1.01), ylim=(0, 1.02))
    fig.legend(loc="outside upper center")
    return fig


@in_house_style
def deviations(bootstrapped: pd.DataFrame, printed: float, group: int) -> Figure:
    """Draw s* of bootstrapped experiments by group; one group has several."""
    fig, ax = style.figure(height=3.2)
    ax.plot(bootstrapped["group"], bootstrapped["s"], "o", color=BLUE, ms=5, mfc="none", ls="none",
            label="rebuilt")
    ax.plot(group, printed, "x", color=RED, ms=9, mew=2, ls="none", label="printed")
    ax.axhline(1, color=GREY, lw=0.9, ls=":")
    ax.set(xlabel="group", ylabel="$s^*$", ylim=(0, None))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    fig.legend(loc="outside upper center", ncols=2)
    return fig


@in_house_style
def trees(groups: Mapping[str, pd.DataFrame], printed: pd.DataFrame, critical: float) -> Figure:
    """Draw mean t against the features, by name of the opponent, and the printed values."""
    fig, ax = style.figure(height=3.6)
    for (name, frame), (color, marker) in zip(groups.items(), ((BLUE, "o"), (AMBER, "s"))):
        ax.errorbar(frame.index, frame["t"], yerr=2 * frame["error"], fmt=marker, color=color, ms=4,
                    lw=1, label=name)
    ax.plot(printed["features"], printed["t"], "x", color=RED, ms=10, mew=2.2, ls="none",
            label="printed")
    ax.axhline(critical, color=GREY, lw=0.9, ls=":")
    ax.set(xlabel="features", ylabel="mean $t$", ylim=(0, None))
    ax.legend(loc="upper left", fontsize=9)
    return fig


@in_house_style
def distribution_of_t(
    panels: Sequence[tuple[str, np.ndarray, np.ndarray, Mapping[str, np.ndarray]]]
) -> Figure:
    """Draw T of a group's experiments with laws of its mean: name, T, grid, densities by name."""
    fig, axes = style.figure(len(panels), height=2.5 * len(panels), squeeze=False)
    for ax, (name, t, x, laws) in zip(axes[:, 0], panels):
        ax.hist(t[np.isfinite(t)], bins=60, density=True, color=GREY, alpha=0.35, lw=0)
        for (law, density), (color, line) in zip(laws.items(), ((RED, "--"), (BLUE, "-"))):
            ax.plot(x, density, color=color, ls=line, label=law)
        ax.set_title(name)
        ax.set(ylabel="density", xlim=(x[0], x[-1]))
    style.legend_outside(fig, axes[0, 0], ncols=2)
    axes[-1, 0].set(xlabel="$t$")
    return fig


@in_house_style
def chances(curves: Mapping[int, pd.DataFrame], claimed: float, target: float) -> Figure:
    """Draw the share that replicates among experiments with similar p-values, a line per study."""
    fig, ax = style.figure(height=4.0)
    for (number, frame), (color, line) in zip(curves.items(), style.SERIES):
        ax.plot(frame["p"], frame["chance"], color=color, ls=line, label=f"study #{number}")
    ax.axhline(target, color=GREY, lw=0.8, ls=":")
    _claimed(ax, claimed)
    ax.set_xscale("log")
    ax.set(xlabel="p-value of the first experiment (log scale)",
           ylabel="share significant again", ylim=(0, 1.03))
    ax.legend(loc="lower left", fontsize=9)
    return fig


@in_house_style
def needed(frame: pd.DataFrame, claimed: float) -> Figure:
    """Draw the p-values that readings require, a row per study, a marker per reading."""
    fig, ax = style.figure(height=3.4)
    places = np.arange(len(frame))
    for column, (color, marker) in zip(
        frame.columns, ((INK, "s"), (BLUE, "o"), (PURPLE, "D"), (GREEN, "v"))
    ):
        ax.plot(frame[column], places, marker, color=color, ms=7, ls="none", label=column)
    _claimed(ax, claimed)
    ax.set_xscale("log")
    ax.set_yticks(places, [f"study #{n}" for n in frame.index])
    ax.set(xlabel="p-value needed (log scale)", ylim=(len(frame) - 0.5, -0.9))
    ax.legend(loc="lower left", bbox_to_anchor=(-0.1, 1.0), fontsize=9)
    return fig


def _claimed(ax: Axes, claimed: float) -> None:
    ax.axvline(claimed, color=RED, lw=1, ls="--")
    style.note(ax, f"{claimed:g}", (claimed, 0.02), (3, 0), xycoords=("data", "axes fraction"),
               color=RED, fontsize=10)


@in_house_style
def related(frame: pd.DataFrame) -> Figure:
    """Draw bias and typical error of each formula, a panel per study (`related_work`)."""
    numbers = frame["study"].unique()
    fig, axes = style.figure(len(numbers), height=1.45 * len(numbers) + 0.5, sharex=True)
    for ax, number in zip(np.atleast_1d(axes), numbers):
        one = frame[frame["study"] == number].reset_index(drop=True)
        ax.axvline(0, color=GREY, lw=0.9, ls=":")
        ax.barh(one.index, 100 * (one["mean"] - one["F"]), color=BLUE, alpha=0.35, height=0.6)
        ax.plot(100 * one["error"], one.index, "D", color=RED, ms=4, ls="none")
        ax.set_yticks(one.index, one["formula"], fontsize=9)
        ax.invert_yaxis()
        ax.set_title(f"study #{number}")
    np.atleast_1d(axes)[-1].set(xlabel="bias (bar), typical error (diamond), % points")
    return fig
