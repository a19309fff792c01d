"""Picture of resampling and cross-validation: the frontier."""

import pandas as pd
from matplotlib.figure import Figure

from . import style
from .style import SERIES, in_house_style


@in_house_style
def frontier(designs: pd.DataFrame) -> Figure:
    """Draw the worst case against the trainings spent, a line per family: `section_5.frontier`."""
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
                style.note(ax, f"{row.size:.0f}%", (row.trainings, row.worst_case), (6, -4),
                           color=color, fontsize=9)
    ax.set(xscale="log", xlabel="trainings of each learner", ylim=(-2, 102),
           ylabel="worst-case normalised\nreplicability (%)")
    style.log_ticks(ax.xaxis, [1, 3, 10, 30, 100, 300, 1000], ",")
    fig.legend(loc="outside upper center", ncols=1)
    return fig
