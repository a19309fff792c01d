"""Pictures of the reader's own experiment: scores, and predicted and observed agreement."""

import numpy as np
import pandas as pd

from .drawing import marks, picture
from .style import BLUE, GREEN, GREY, INK, RED

_COLLECTIONS = {"UCI": (BLUE, "o"), "sources": (RED, "s"), "scikit-learn": (GREEN, "D")}


@picture(xlabel="mean accuracy of a run")
def scores(ax, table: pd.DataFrame, learners: list[str]) -> None:
    """Draw the mean score of each run, one row per learner; the marks of a run are joined.

    Parameters
    ----------
    table : DataFrame
        `companion.papers.topics.own_experiment.scores`.
    learners : list of str
    """
    ax.figure.set_figheight(1.1 + 0.6 * len(learners))
    of_runs = table.groupby("run")[learners].mean()
    places = np.arange(len(learners))[::-1]
    ax.plot(of_runs.to_numpy().T, places, color=GREY, ls="-", lw=0.7, alpha=0.6)
    for place, name in zip(places, learners):
        marks(ax, of_runs[name], np.full(len(of_runs), place), None, BLUE, ms=6, alpha=0.6, mew=0)
        marks(ax, of_runs[name].mean(), place, None, INK, "|", ms=18, mew=2)
    ax.set(yticks=places, yticklabels=learners, ylim=(-0.5, len(learners) - 0.5))
    ax.locator_params(axis="x", nbins=5)
    ax.tick_params(axis="y", length=0)


@picture(height=4.8, legend=3, xlabel="share of reruns that agree", xlim=(0.45, 1.01),
         ylabel="predicted from one experiment", ylim=(0.4, 1.02))
def predicted_reruns(ax, calibration: pd.DataFrame, cells: pd.DataFrame) -> None:
    """Draw predicted against observed agreement, one mark per data set and pair of learners.

    Parameters
    ----------
    calibration, cells : DataFrame
        `companion.papers.topics.reruns.calibration` and `cells` of it.
    """
    ax.plot([0.4, 1], [0.4, 1], color=INK, lw=1, ls=":")
    keys = ["collection", "dataset", "pair"]
    limits = calibration.groupby(keys, sort=False)["predicted"].quantile([0.1, 0.9]).unstack()
    for collection, look in _COLLECTIONS.items():
        rows = cells[cells["collection"] == collection]
        if len(rows):
            low, high = limits.loc[collection].to_numpy().T
            y = rows["predicted"]
            reach = [y - np.minimum(low, y), np.maximum(high, y) - y]
            marks(ax, rows["observed"], y, collection, *look, yerr=reach, mew=0, elinewidth=0.6,
                  alpha=0.7)
