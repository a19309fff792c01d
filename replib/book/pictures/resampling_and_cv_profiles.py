"""Pictures of resampling and cross-validation: the frontier, and the explorer."""

import json

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from replib.book.display import html
from replib.book.pictures import style
from replib.book.pictures.style import SERIES, in_house_style
from replib.theory.order_statistics import normal_order_statistics

#: Numbers of folds that the explorer offers.
FOLDS = (2, 5, 10, 20)


@in_house_style
def frontier(designs: pd.DataFrame) -> Figure:
    """Worst case over the trainings spent, a line a family: `section_5.frontier`."""
    fig, ax = style.figure(height=4.2)
    marks = "so^vD"
    for (color, line), mark, (family, members) in zip(
        SERIES, marks, designs.groupby("family", sort=False)
    ):
        single = members["trainings"].nunique() == 1
        ax.plot(members["trainings"], members["worst_case"], color=color, marker=mark, ms=4,
                ls="none" if single else line, lw=1.4, label=family)
        if single:
            for row in members.iloc[[0, -1]].itertuples():
                ax.annotate(f"{row.size:.0f} %", (row.trainings, row.worst_case), color=color,
                            xytext=(6, -4), textcoords="offset points", fontsize=9)
    ax.set(xscale="log", xlabel="trainings of each learner", ylim=(-2, 102),
           ylabel="worst-case normalised\nreplicability (%)")
    ticks = [1, 3, 10, 30, 100, 300, 1000]
    ax.set_xticks(ticks, [f"{n:,}" for n in ticks])
    ax.minorticks_off()
    fig.legend(loc="outside upper center", ncols=1)
    return fig


class explorer:
    """A picture with sliders: power and replicability of any design, computed in the page.

    Parameters
    ----------
    alpha, test_fraction : float
        What the sliders begin with.
    """

    def __init__(self, *, alpha: float = 0.05, test_fraction: float = 0.1):
        self.values = {"alpha": alpha, "test_fraction": test_fraction}

    def __repr__(self) -> str:
        return "Explorer: power and replicability of a design, with sliders (on the page)."

    def _repr_html_(self) -> str:
        return html("explorer", constants=json.dumps(constants()), **self.values)


def constants() -> dict[int, list[float]]:
    """What the page needs of the sorted scheme, by number of folds: see ``designs.js``."""
    found = {}
    for folds in FOLDS:
        mean, covariance = normal_order_statistics(folds)
        covariance = covariance - 1 / folds
        found[folds] = [
            float(mean @ mean), float(mean @ covariance @ mean), float(np.square(covariance).sum())
        ]
    return found
