"""Pictures of the sweeps: small multiples, their common pattern, and all of them together."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from . import names, style
from .style import AMBER, BLUE, GREEN, GREY, INK, PAPER, PURPLE, RED, in_house_style

#: What varies, as written on axes and rows.
LABELS = {
    "alpha": "significance level (%)",
    "runs": "runs of 10-fold cross-validation",
    "class_probability": "probability of the rarer class",
    "class_cardinality": "number of classes",
    "instances": "instances in the data set",
    "pairs": "pair of learners",
}

_SOURCES = {
    "1": ("source 1", GREY, (0, (1, 1)), "o"), "2": ("source 2", BLUE, "-", "s"),
    "3": ("source 3", RED, "--", "^"), "4": ("source 4", GREEN, "-.", "D"),
    "random": ("random networks", PURPLE, "-", "v"),
}
_TEST_MARKS = {"signed_rank": (BLUE, "o"), "sign_test": (RED, "s"), "paired_t": (GREEN, "^")}

_CORRECTIONS = {
    "none": ("no correction", GREY, "-", "o"), "bonferroni": ("Bonferroni", BLUE, "--", "s"),
    "holm": ("Holm", GREEN, "-.", "^"),
    "benjamini_hochberg": ("Benjamini–Hochberg", RED, (0, (1, 1)), "D"),
}

_OUTCOMES = {
    "best": ("the best", BLUE, "-", "o"),
    "significantly_best": ("significantly best, or none", GREEN, "-.", "^"),
    "ranking": ("the whole ranking", AMBER, (0, (5, 1, 1, 1)), "v"),
    "all_pairs": ("all pairs", RED, "--", "s"),
    "all_pairs_holm": ("all pairs, Holm", PURPLE, (0, (1, 1)), "D"),
}

TWO_ERRORS = 2  # standard errors that the bars show


def _places(sweep: str, values: pd.Series) -> pd.Series:
    """Return the positions of values on their axis."""
    return 100 * values if sweep == "alpha" else values


@in_house_style
def sweep(summarised: pd.DataFrame, name: str, level: float | None = None) -> Figure:
    """Draw rejections and replicability against what varies, one line per source.

    Parameters
    ----------
    summarised : DataFrame
        Rows of one test of `companion.papers.bouckaert2004.sweeps.scores.summary`.
    name : str
        What varies, a name in `LABELS`.
    level : float, optional
        The significance level in percent, drawn if it is the same throughout.
    """
    fig, axes = style.figure(2, height=5.4, sharex=True)
    by_source = list(summarised.groupby("source", sort=False))
    for source, rows in by_source:
        label, color, line, marker = _SOURCES[source]
        x = _places(name, rows["value"]).to_numpy(float)
        for ax, measure in zip(axes, ("rejected", "replicability")):
            ax.errorbar(
                x, rows[measure], TWO_ERRORS * rows[f"{measure}_error"], color=color, ls=line,
                marker=marker, ms=5, lw=1.6, elinewidth=1.2, capsize=2, label=label,
            )
    if name == "alpha":
        edges = np.array([0, 100 * summarised["value"].max()])
        axes[0].plot(edges, edges, color=INK, lw=0.9, ls=":")
    elif level is not None:
        axes[0].axhline(level, color=INK, lw=0.9, ls=":")
    axes[0].set(ylabel="rejections (%)", ylim=(-3, 103))
    axes[1].set(ylabel="replicability 2r − 1 (%)", xlabel=LABELS[name])
    if name == "instances":
        axes[1].set_xscale("log")
        axes[1].xaxis.set_major_formatter("{x:,.0f}")
    else:
        values = np.unique(_places(name, summarised["value"]))
        axes[1].set_xticks(values, [f"{value:g}" for value in values])
    if name == "class_probability":
        axes[1].invert_xaxis()
    style.legend_outside(fig, axes[0], ncols=min(len(by_source), 4), columnspacing=1,
                         handlelength=2, handletextpad=0.4)
    return fig


@in_house_style
def type_1_errors(errors: pd.DataFrame, bound: float) -> Figure:
    """Draw the excess of Type I errors over their level, one row per setting, one mark per test.

    Parameters
    ----------
    errors : DataFrame
        `companion.papers.bouckaert2004.sweeps.scores.type_1_errors` of the tests of the paper.
    bound : float
        The largest excess that the paper states, in percentage points.
    """
    groups = list(errors.groupby("sweep", sort=False))
    n_rows = sum(frame["value"].nunique() for _, frame in groups)
    fig, ax = style.figure(height=0.2 * (n_rows + 1.6 * len(groups)) + 1.2)
    ticks, y = [], 0.0
    for name, frame in groups:
        _head(ax, y, LABELS[name])
        y += 1
        for value, rows in frame.groupby("value", sort=False):
            for place, row in enumerate(rows.itertuples()):
                color, marker = _TEST_MARKS[row.test]
                ax.errorbar(
                    row.excess, y + 0.22 * (place - 1), xerr=TWO_ERRORS * row.standard_error,
                    color=color, marker=marker, ms=3.6, lw=0.9, ls="none",
                )
            shown = value if isinstance(value, str) else f"{_places(name, value):,g}"
            ticks.append((y, shown))
            y += 1
        y += 0.6
    ax.axvline(0, color=INK, lw=0.9)
    ax.axvline(bound, color=AMBER, lw=1.3, ls="--")
    ax.set_yticks(*zip(*ticks), fontsize=9)
    ax.set(ylim=(y - 0.4, -0.8), xlabel="Type I error minus level (percentage points)")
    ax.grid(axis="x", color=GREY, alpha=0.25, lw=0.6)
    handles = [
        ax.plot([], [], marker, color=color, ls="none", ms=5, label=names.TESTS[test])[0]
        for test, (color, marker) in _TEST_MARKS.items()
    ]
    handles += ax.plot([], [], color=AMBER, ls="--", lw=1.3, label="the paper's bound")
    fig.legend(handles=handles, loc="outside upper center", ncols=4, columnspacing=1,
               handlelength=1.4, handletextpad=0.3, fontsize=9)
    return fig


def _head(ax: Axes, y: float, text: str) -> None:
    """Write the heading of a group above its rows, on top of the lines through all rows."""
    ax.text(0, y, text, fontsize=10, weight="bold", va="center",
            transform=ax.get_yaxis_transform(), bbox={"fc": PAPER, "ec": "none", "pad": 1})


@in_house_style
def replicability_over_rejections(summarised: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw replicability against rejections for every setting of every sweep.

    Parameters
    ----------
    summarised : mapping of str to DataFrame
        `companion.papers.bouckaert2004.sweeps.scores.summary` by sweep, of one test.
    """
    fig, ax = style.figure(height=4.6)
    share = np.linspace(0, 1, 201)
    for correlation, text in ((0, "0"), (0.5, "½"), (0.8, "0.8")):
        r = 100 * (1 - 4 * share * (1 - share) * (1 - correlation))
        ax.plot(100 * share, r, color=INK, lw=1, ls="-" if correlation == 0 else ":")
        ax.text(50, r[100] - 1.5, f"$\\rho$ = {text}", ha="center", va="top", fontsize=10,
                bbox={"fc": PAPER, "ec": "none", "pad": 0.5}, zorder=3)
    marks = zip(summarised.items(), style.SERIES, "os^Dvp", strict=False)
    for (name, frame), (color, _), marker in marks:
        ax.plot(frame["rejected"], frame["replicability"], marker, color=color, ms=5, ls="none",
                alpha=0.8, label=LABELS[name].split(" (")[0])
    ax.set(xlabel="rejections, mean over data sets (%)", ylabel="replicability 2r − 1 (%)",
           xlim=(-2, 102), ylim=(-12, 103))
    fig.legend(loc="outside upper center", ncols=2, columnspacing=1, handletextpad=0.2)
    return fig


@in_house_style
def channels(frame: pd.DataFrame) -> Figure:
    """Draw how much each sweep changes replicability, and the two parts of this.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert2004.sweeps.scores.channels`.
    """
    groups = list(frame.groupby("sweep", sort=False))
    fig, ax = style.figure(height=0.3 * (len(frame) + 1.5 * len(groups)) + 1.2)
    ticks, y = [], 0.0
    for name, rows in groups:
        first, last = (
            f"{_places(name, rows[end].iloc[0]):,g}" for end in ("first", "last")
        )
        what = LABELS[name].replace(" (%)", "")
        unit = " %" if "(%)" in LABELS[name] else ""
        _head(ax, y, f"{what}: {first} to {last}{unit}")
        y += 1
        for row in rows.itertuples():
            for part, color, shift in (
                (row.by_rejections, BLUE, -0.16), (row.by_correlation, RED, 0.16)
            ):
                ax.barh(y + shift, part, height=0.3, color=color, alpha=0.55, lw=0)
            ax.errorbar(row.change, y, xerr=TWO_ERRORS * row.standard_error, color=INK, marker="o",
                        ms=4.5, lw=1.4, ls="none", capsize=2)
            ticks.append((y, _SOURCES[row.source][0]))
            y += 1
        y += 0.5
    ax.axvline(0, color=INK, lw=0.9)
    ax.set_yticks(*zip(*ticks), fontsize=9)
    ax.grid(axis="x", color=GREY, alpha=0.25, lw=0.6)
    ax.set(ylim=(y - 0.3, -0.8), xlabel="change of 2r − 1 (percentage points)")
    handles = [
        ax.plot([], [], "o", color=INK, ls="none", ms=5, label="change, ± 2 errors")[0],
        ax.barh(0, 0, color=BLUE, alpha=0.55, label="by how often it rejects"),
        ax.barh(0, 0, color=RED, alpha=0.55, label="by agreement on the same data"),
    ]
    fig.legend(handles=handles, loc="outside upper center", ncols=2, fontsize=9, columnspacing=1,
               handlelength=1.2)
    return fig


@in_house_style
def pairs(summarised: pd.DataFrame) -> Figure:
    """Draw rejections and replicability of all pairs of learners, one mark per source.

    Parameters
    ----------
    summarised : DataFrame
        Rows of one test of `companion.papers.bouckaert2004.sweeps.scores.summary` of the pairs.
    """
    values = list(summarised["value"].unique())
    fig, axes = style.figure(1, 2, height=0.3 * len(values) + 1.2, sharey=True)
    for place, (source, rows) in enumerate(summarised.groupby("source", sort=False)):
        label, color, _, marker = _SOURCES[source]
        y = rows["value"].map(values.index) + 0.16 * (place - 1.5)
        for ax, measure in zip(axes, ("rejected", "replicability")):
            ax.errorbar(
                rows[measure], y, xerr=TWO_ERRORS * rows[f"{measure}_error"], color=color,
                marker=marker, ms=4, lw=1, ls="none", label=label,
            )
    for ax, title in zip(axes, ("rejections (%)", "2r − 1 (%)")):
        ax.set_xlabel(title)
        ax.grid(color=GREY, alpha=0.2, lw=0.6)
    axes[0].set_yticks(range(len(values)), values, fontsize=9)
    axes[0].set_ylim(len(values) - 0.4, -0.6)
    style.legend_outside(fig, axes[0], ncols=4, columnspacing=1, handletextpad=0.2)
    return fig


@in_house_style
def outcomes_by_number_of_learners(frame: pd.DataFrame) -> Figure:
    """Draw the replicability of reports on several learners, one panel per source.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert2004.sweeps.pairs.outcomes_by_number_of_learners`.
    """
    fig, axes = style.figure(2, 2, height=5.2, sharex=True, sharey=True)
    for ax, (source, part) in zip(axes.flat, frame.groupby("source", sort=False)):
        for outcome, (label, color, line, marker) in _OUTCOMES.items():
            rows = part[part["outcome"] == outcome]
            ax.errorbar(
                rows["learners"], rows["replicability"], TWO_ERRORS * rows["standard_error"],
                color=color, ls=line, marker=marker, ms=4, lw=1.4, elinewidth=1, label=label,
            )
        ax.set_title(_SOURCES[source][0])
        ax.set(xticks=range(2, 7), ylim=(0, 103))
    for ax in axes[:, 0]:
        ax.set_ylabel("same outcome (%)")
    for ax in axes[-1]:
        ax.set_xlabel("learners")
    style.legend_outside(fig, axes[0, 0], ncols=2, columnspacing=1)
    return fig


@in_house_style
def lists_by_number_of_datasets(frame: pd.DataFrame) -> Figure:
    """Draw the chance of the same list of significant data sets, against their number.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.topics.many_comparisons.lists_by_number_of_datasets`.
    """
    fig, ax = style.figure(height=3.8)
    for correction, (label, color, line, marker) in _CORRECTIONS.items():
        rows = frame[frame["correction"] == correction]
        ax.fill_between(rows["datasets"], rows["low"], rows["high"], color=color, alpha=0.12, lw=0)
        ax.plot(rows["datasets"], rows["same"], color=color, ls=line, marker=marker, ms=4.5,
                label=label)
    ax.set(xlabel="data sets in the study", ylabel="same list (%)", ylim=(0, 103))
    fig.legend(loc="outside upper center", ncols=2)
    return fig


@in_house_style
def entries_by_dataset(frame: pd.DataFrame) -> Figure:
    """Draw how many of the studies list each data set, one column per correction.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.topics.many_comparisons.entries_by_dataset`.
    """
    frame = frame.sort_values(list(frame.columns), kind="stable")
    frame = frame[frame["none"] > 0]
    fig, ax = style.figure(height=0.21 * len(frame) + 1.3)
    for place, (correction, column) in enumerate(frame.items()):
        label, color, _, marker = _CORRECTIONS[correction]
        ax.plot(column, np.arange(len(frame)) + 0.18 * (place - 1.5), marker, color=color, ms=4.5,
                ls="none", label=label)
    ax.set_yticks(range(len(frame)), frame.index, fontsize=9)
    ax.axvspan(5, 95, color=GREY, alpha=0.12, lw=0)
    ax.grid(axis="y", color=GREY, alpha=0.2, lw=0.6)
    ax.xaxis.set_major_formatter(PercentFormatter())
    ax.set(xlabel="of the studies, how many list the data set", xlim=(-3, 103),
           ylim=(-0.7, len(frame) - 0.3))
    fig.legend(loc="outside upper center", ncols=2)
    return fig
