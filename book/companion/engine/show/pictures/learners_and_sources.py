"""Pictures of the synthetic sources: margins of their networks, and learning curves."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from . import names
from .drawing import legend_outside, marks, panels, picture, rule, series
from .style import BLUE, GREEN, GREY, INK, PAPER, RED, SERIES

_ERRORS = 2  # standard errors that are drawn on either side


@picture(2, height=5.8, sharex=True, ratios=(1, 1.25),
         ylabel=("margin minus\nprinted one (%)", "expected\naccuracy (%)"))
def margins_of_networks(
    axes, measured: pd.DataFrame, printed: Mapping[int, float], tolerance: float
) -> None:
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
    above, below = axes
    source = measured["source"]
    place = pd.Series(np.arange(len(source)), source.index) + 2.0 * (source - source.min())
    above.axhspan(-tolerance, tolerance, color=GREY, alpha=0.2, lw=0)
    rule(above, y=0, color=INK, ls="--")
    error = _ERRORS * measured["margin_error"]
    marks(above, place, measured["margin"] - source.map(printed), None, BLUE, yerr=error)
    below.vlines(place, measured["naive_bayes"], measured["bayes"], color=GREY, lw=0.8)
    marks(below, place, measured["bayes"], "best possible", INK, "_", ms=8, mew=1.4)
    marks(below, place, measured["c45"], names.LEARNERS["c45"], RED, "s", ms=4)
    marks(below, place, measured["naive_bayes"], names.LEARNERS["naive_bayes"], BLUE, mfc=PAPER,
          ms=4)
    below.legend(loc="lower right", ncols=3, handletextpad=0.1)
    below.set_ylim(measured[["naive_bayes", "c45"]].min().min() - 9, 101)
    middle = place.groupby(source).mean()
    below.set_xticks(middle, [f"source {n}\n({printed[n]:g}%)" for n in middle.index])
    below.tick_params(axis="x", length=0)


@picture(0)
def learning_curves(fig, curves: pd.DataFrame, best: Mapping[str, float]) -> None:
    """Draw expected accuracy against the size of the training set, one panel per network.

    Parameters
    ----------
    curves : DataFrame
        `companion.papers.topics.learners_and_sources.learning_curves.learning_curves`.
    best : mapping of str to float
        The largest possible accuracy on each network, in percent.
    """
    rows = -(-len(best) // 2)
    axes = panels(fig, rows, 2, height=2.5 * rows + 0.9, sharex=True)
    learners = list(dict.fromkeys(curves["learner"]))
    for ax, (name, top) in zip(axes, best.items()):
        of_network = curves[curves["network"] == name]
        for learner, look, mark in zip(learners, SERIES, "os^Dvx"):
            of_learner = of_network[of_network["learner"] == learner]
            series(ax, of_learner["instances"], of_learner["accuracy"],
                   names.LEARNERS.get(learner, learner), *look, mark, band=True, ms=3.5,
                   error=_ERRORS * of_learner["standard_error"])
        rule(ax, y=top, color=INK, label="best possible")
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.set_title(names.network(name), fontsize=10)
        if top - of_network["accuracy"].min() < 1:
            # all equal: leave room, so that rounding noise does not look real
            ax.set_ylim(top - 5, top + 5)
    for ax in axes[len(best):]:
        ax.set_axis_off()
    fig.supylabel("expected accuracy (%)")
    fig.supxlabel("instances of the training set (log scale)")
    legend_outside(fig, axes[0], ncols=3)


@picture(0, xlabel="instances of the training set (log scale)")
def margin_curves(
    fig, curves: pd.DataFrame, printed: Mapping[int, float], *, instances: int
) -> None:
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
    by_source = curves.groupby("source")
    axes = panels(fig, len(by_source), height=1.75 * len(by_source) + 0.6, sharex=True)
    for ax, (source, of_source) in zip(axes, by_source):
        for _, curve in of_source.groupby("network"):
            series(ax, curve["instances"], curve["margin"], None, BLUE, band=True, lw=1,
                   error=_ERRORS * curve["standard_error"])
        rule(ax, y=0, color=INK, ls="-")
        rule(ax, x=instances)
        marks(ax, instances, printed[source], None, GREEN, "D", ms=6, mec=PAPER, zorder=3)
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.set_title(f"source {source}", fontsize=10)
    fig.supylabel("C4.5 minus naive Bayes (% accuracy)")
