"""The picture on the first page: the decisions of ten reruns on each data set."""

from collections.abc import Mapping

import pandas as pd

from .drawing import legend_outside, marks, panels, picture
from .style import BLUE, GREY, RED

#: By decision: its words, colour, mark and size.
_MARKS = {
    -1: ("C4.5 better", RED, "D", 4.2),
    1: ("naive Bayes better", BLUE, "s", 5),
    0: ("no difference", GREY, ".", 2.5),
}


@picture(0, ylabel="rerun", xticks=[])
def decisions(fig, by_title: Mapping[str, pd.DataFrame]) -> None:
    """Draw one column per data set and one mark per rerun.

    Parameters
    ----------
    by_title : dict of str to DataFrame
        By title, `companion.studies.ten_reruns.decisions`.  Data sets are in the
        order of the last one, from C4.5's to naive Bayes's.
    """
    *_, last = by_title.values()
    order = last.mean(axis=1).sort_values(kind="stable").index
    axes = panels(fig, len(by_title), height=4.5)
    for ax, (title, frame) in zip(axes, by_title.items()):
        for decision, (words, colour, mark, size) in _MARKS.items():
            columns, reruns = (frame.loc[order] == decision).to_numpy().nonzero()
            marks(ax, columns, reruns + 1, words, colour, mark, ms=size)
        ax.set(title=title, yticks=[1, frame.shape[1]], xlim=(-0.7, len(frame) - 0.3))
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
    ax.set_xlabel(f"{len(order)} data sets, a column each")
    legend_outside(fig, axes[0], ncols=3)
