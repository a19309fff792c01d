"""Pictures of the synthetic sources: margins of their networks, and learning curves."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from . import names, style
from .style import BLUE, GREEN, GREY, INK, PAPER, RED, SERIES, in_house_style

_MARKS = ("o", "s", "^", "D", "v", "x")
_ERRORS = 2  # standard errors that are drawn on either side


@in_house_style
def margins_of_networks(
    measured: pd.DataFrame, printed: Mapping[int, float], tolerance: float
) -> Figure:
    """Draw each network's margin minus the printed one, and the accuracies behind it.

    Parameters
    ----------
    measured : DataFrame
        `companion.papers.topics.learners_and_sources.sources.remeasured_margins`.
    printed : mapping of int to float
        The papers' margin of each source, in percent.
    tolerance : float
        Tolerance of the search for networks, in percent: the shaded band.
    """
    fig, (above, below) = style.figure(
        2, height=5.8, sharex=True, gridspec_kw={"height_ratios": [1, 1.25]}
    )
    place = _places(measured["source"])
    above.axhspan(-tolerance, tolerance, color=GREY, alpha=0.2, lw=0)
    above.axhline(0, color=INK, lw=0.9, ls="--")
    above.errorbar(
        place, measured["margin"] - measured["source"].map(printed),
        _ERRORS * measured["margin_error"], fmt="o", color=BLUE, ms=4, lw=1, ls="none",
    )
    below.vlines(place, measured["naive_bayes"], measured["bayes"], color=GREY, lw=0.8, ls="-")
    for column, color, mark, fill, label in (
        ("bayes", INK, "_", INK, "best possible"), ("c45", RED, "s", RED, names.LEARNERS["c45"]),
        ("naive_bayes", BLUE, "o", PAPER, names.LEARNERS["naive_bayes"]),
    ):
        below.plot(
            place, measured[column], mark, color=color, mfc=fill, ms=8 if mark == "_" else 4,
            mew=1.4 if mark == "_" else 1, ls="none", label=label,
        )
    below.legend(loc="lower right", ncols=3, handletextpad=0.1, columnspacing=1)
    low = measured[["naive_bayes", "c45"]].min().min()
    below.set(ylabel="expected\naccuracy (%)", ylim=(low - 9, 101))
    above.set(ylabel="margin minus\nprinted one (%)")
    middle = place.groupby(measured["source"]).mean()
    ticks = [f"source {source}\n({printed[source]:g}%)" for source in middle.index]
    below.set_xticks(middle, ticks)
    below.tick_params(axis="x", length=0)
    return fig


def _places(source: pd.Series) -> pd.Series:
    """Return one position per network, with a gap between the sources."""
    return pd.Series(np.arange(len(source)), index=source.index) + 2.0 * (source - source.min())


@in_house_style
def learning_curves(curves: pd.DataFrame, best: Mapping[str, float]) -> Figure:
    """Draw expected accuracy against the size of the training set, one panel per network.

    Parameters
    ----------
    curves : DataFrame
        `companion.papers.topics.learners_and_sources.learning_curves.learning_curves`.
    best : mapping of str to float
        The largest possible accuracy on each network, in percent.
    """
    rows = -(-len(best) // 2)
    fig, axes = style.figure(
        rows, 2, height=2.5 * rows + 0.9, sharex=True, squeeze=False, layout="constrained"
    )
    learners = list(dict.fromkeys(curves["learner"]))
    for ax, (name, top) in zip(axes.flat, best.items()):
        of_network = curves[curves["network"] == name]
        ax.axhline(top, color=INK, lw=0.9, ls=":")
        for learner, (color, line), mark in zip(learners, SERIES, _MARKS):
            rows_of = of_network[of_network["learner"] == learner]
            x, y = rows_of["instances"], rows_of["accuracy"]
            error = _ERRORS * rows_of["standard_error"]
            ax.fill_between(x, y - error, y + error, color=color, alpha=0.2, lw=0)
            ax.plot(x, y, color=color, ls=line, lw=1.4, marker=mark, ms=3.5)
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.set_title(names.network(name), fontsize=10)
        low = of_network["accuracy"].min()
        if top - low < 1:  # all equal: leave room, so that rounding noise does not look real
            ax.set_ylim(top - 5, top + 5)
    for ax in axes.flat[len(best):]:
        ax.set_axis_off()
    fig.supylabel("expected accuracy (%)", fontsize=11)
    fig.supxlabel("instances of the training set (log scale)", fontsize=11)
    handles = [
        Line2D([], [], color=color, ls=line, lw=1.4, marker=mark, ms=3.5)
        for _, (color, line), mark in zip(learners, SERIES, _MARKS)
    ]
    handles.append(Line2D([], [], color=INK, lw=0.9, ls=":"))
    labels = [names.LEARNERS.get(learner, learner) for learner in learners] + ["best possible"]
    fig.legend(handles, labels, loc="outside upper center", ncols=3, fontsize=9)
    return fig


@in_house_style
def margin_curves(
    curves: pd.DataFrame, printed: Mapping[int, float], *, instances: int
) -> Figure:
    """Draw margins against the size of the training set: a line per network, a panel per source.

    Parameters
    ----------
    curves : DataFrame
        `companion.papers.topics.learners_and_sources.learning_curves.margin_curves`.
    printed : mapping of int to float
        The papers' margins, in percent.
    instances : int
        Size of the training sets on which they were measured.
    """
    sources = sorted(set(curves["source"]))
    fig, axes = style.figure(
        len(sources), height=1.75 * len(sources) + 0.6, sharex=True, squeeze=False
    )
    for ax, source in zip(axes.flat, sources):
        for _, curve in curves[curves["source"] == source].groupby("network"):
            error = _ERRORS * curve["standard_error"]
            ax.fill_between(
                curve["instances"], curve["margin"] - error, curve["margin"] + error, color=BLUE,
                alpha=0.12, lw=0,
            )
            ax.plot(curve["instances"], curve["margin"], color=BLUE, ls="-", lw=1)
        ax.axhline(0, color=INK, lw=0.8, ls="-")
        ax.axvline(instances, color=GREY, lw=0.9, ls=":")
        ax.plot(instances, printed[source], "D", color=GREEN, ms=6, mec=PAPER, zorder=3)
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.set_title(f"source {source}", fontsize=10)
    fig.supylabel("C4.5 minus naive Bayes (% accuracy)", fontsize=11)
    axes[-1, 0].set_xlabel("instances of the training set (log scale)")
    return fig
