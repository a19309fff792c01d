"""Picture of resampling and cross-validation: the frontier."""

import pandas as pd

from .drawing import log_ticks, note, picture, series
from .style import SERIES


@picture(height=4.2, legend=1, xlabel="trainings of each learner", ylim=(-2, 102),
         ylabel="worst-case normalised\nreplicability (%)")
def frontier(ax, designs: pd.DataFrame) -> None:
    """Draw the worst case against the trainings spent, a line per family: `section_5.frontier`."""
    families = designs.groupby("family", sort=False)
    for (color, line), mark, (family, members) in zip(SERIES, "so^vD", families):
        single = members["trainings"].nunique() == 1
        series(ax, members["trainings"], members["worst_case"], family, color,
               "none" if single else line, mark)
        for row in members.iloc[[0, -1] if single else []].itertuples():
            note(ax, f"{row.size:.0f}%", (row.trainings, row.worst_case), (6, -4), color=color,
                 fontsize=9)
    log_ticks(ax.xaxis, [1, 3, 10, 30, 100, 300, 1000], ",")
