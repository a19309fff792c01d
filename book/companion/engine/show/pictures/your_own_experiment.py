"""Pictures of predicted and observed agreement of reruns."""

import numpy as np
import pandas as pd

from .drawing import marks, picture
from .style import BLUE, GREEN, INK, RED

_COLLECTIONS = {"UCI": (BLUE, "o"), "sources": (RED, "s"), "scikit-learn": (GREEN, "D")}


@picture(
    height=4.0,
    legend=3,
    xlabel="share of reruns that agree",
    xlim=(0.45, 1.01),
    ylabel="predicted from one experiment",
    ylim=(0.4, 1.02),
)
def predicted_reruns(ax, calibration: pd.DataFrame, cells: pd.DataFrame) -> None:
    """Draw predicted against observed agreement, one mark per data set and pair of learners.

    Parameters
    ----------
    calibration, cells : DataFrame
        `companion.studies.reruns.calibration` and `cells` of it.
    """
    ax.plot([0.4, 1], [0.4, 1], color=INK, lw=1, ls=":")
    keys = ["collection", "dataset", "pair"]
    limits = (
        calibration.groupby(keys, sort=False)["predicted"]
        .quantile([0.1, 0.9])
        .unstack()
    )
    for collection, look in _COLLECTIONS.items():
        rows = cells[cells["collection"] == collection]
        if len(rows):
            low, high = limits.loc[collection].to_numpy().T
            y = rows["predicted"]
            reach = [y - np.minimum(low, y), np.maximum(high, y) - y]
            marks(
                ax,
                rows["observed"],
                y,
                collection,
                *look,
                yerr=reach,
                mew=0,
                elinewidth=0.6,
                alpha=0.7,
            )
