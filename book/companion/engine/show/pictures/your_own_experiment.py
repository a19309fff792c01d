"""Pictures of the reader's own experiment: scores, and predicted and observed agreement."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from . import style
from .style import BLUE, GREEN, GREY, INK, RED, in_house_style

_COLLECTIONS = {"UCI": (BLUE, "o"), "sources": (RED, "s"), "scikit-learn": (GREEN, "D")}


@in_house_style
def scores(table: pd.DataFrame, learners: list[str]) -> Figure:
    """Draw the mean score of each run, one row per learner; the marks of a run are joined.

    Parameters
    ----------
    table : DataFrame
        `companion.papers.topics.own_experiment.scores`.
    learners : list of str
    """
    fig, ax = style.figure(height=1.1 + 0.6 * len(learners))
    of_runs = table.groupby("run")[learners].mean()
    places = np.arange(len(learners))[::-1]
    for _, row in of_runs.iterrows():
        ax.plot(row.to_numpy(), places, color=GREY, ls="-", lw=0.7, alpha=0.6)
    for place, name in zip(places, learners):
        ax.plot(of_runs[name], np.full(len(of_runs), place), "o", color=BLUE, ms=6, alpha=0.6,
                mew=0, ls="none")
        ax.plot(of_runs[name].mean(), place, "|", color=INK, ms=18, mew=2)
    ax.set(yticks=places, yticklabels=learners, xlabel="mean accuracy of a run",
           ylim=(-0.5, len(learners) - 0.5))
    ax.locator_params(axis="x", nbins=5)
    ax.tick_params(axis="y", length=0)
    return fig


@in_house_style
def agreement(calibration: pd.DataFrame, cells: pd.DataFrame) -> Figure:
    """Draw predicted against observed agreement, one mark per data set and pair of learners.

    Parameters
    ----------
    calibration, cells : DataFrame
        `companion.papers.topics.reruns.calibration` and `cells` of it.
    """
    fig, ax = style.figure(height=4.8)
    ax.plot([0.4, 1], [0.4, 1], color=INK, lw=1, ls=":")
    keys = ["collection", "dataset", "pair"]
    limits = calibration.groupby(keys, sort=False)["predicted"].quantile([0.1, 0.9]).unstack()
    for collection, (color, marker) in _COLLECTIONS.items():
        of_one = cells[cells["collection"] == collection]
        if of_one.empty:
            continue
        low, high = limits.loc[collection].to_numpy().T
        y = of_one["predicted"]
        ax.errorbar(of_one["observed"], y, [y - np.minimum(low, y), np.maximum(high, y) - y],
                    color=color, marker=marker, ms=5, mew=0, ls="none", elinewidth=0.6, alpha=0.7,
                    label=collection)
    ax.set(xlabel="share of reruns that agree", ylabel="predicted from one experiment",
           xlim=(0.45, 1.01), ylim=(0.4, 1.02))
    fig.legend(loc="outside upper center", ncols=3)
    return fig


@in_house_style
def reliability(bins: pd.DataFrame) -> Figure:
    """Draw predictions and observed agreement of groups of experiments with similar predictions.

    Parameters
    ----------
    bins : DataFrame
        `companion.papers.topics.reruns.reliability`.
    """
    fig, ax = style.figure(height=4.2)
    ax.plot([0.45, 1], [0.45, 1], color=INK, lw=1, ls=":")
    ax.errorbar(bins["predicted"], bins["observed"], 2 * bins["standard_error"], color=BLUE,
                marker="o", ms=7, ls="-", lw=1.2, capsize=3)
    for row in bins.itertuples():
        style.note(ax, f"{row.experiments:,}", (row.predicted, row.observed), (9, -12), fontsize=9,
                   color=GREY)
    ax.set(xlabel="predicted", ylabel="share of reruns that agree", xlim=(0.45, 1.04),
           ylim=(0.45, 1.04))
    return fig
