"""The picture on the first page: the decisions of ten reruns on each data set."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from . import style
from .style import BLUE, GREY, RED, in_house_style

#: By decision: its words, colour, mark and size.
_MARKS = {
    -1: ("C4.5 better", RED, "D", 4.2), 1: ("naive Bayes better", BLUE, "s", 5),
    0: ("no difference", GREY, ".", 2.5),
}


@in_house_style
def decisions(panels: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw one column per data set and one mark per rerun.

    Parameters
    ----------
    panels : dict of str to DataFrame
        By title, `companion.papers.topics.ten_reruns.decisions`.  Data sets are in the order of the
        last one, from C4.5's to naive Bayes's.
    """
    order = list(panels.values())[-1].mean(axis=1).sort_values(kind="stable").index
    fig, axes = style.figure(len(panels), height=4.5, squeeze=False)
    for ax, (title, frame) in zip(axes[:, 0], panels.items()):
        for decision, (label, color, mark, size) in _MARKS.items():
            columns, reruns = (frame.loc[order] == decision).to_numpy().nonzero()
            ax.plot(columns, reruns + 1, mark, color=color, ms=size, ls="none", label=label)
        ax.set_title(title)
        ax.set_ylabel("rerun")
        ax.set(xticks=[], yticks=[1, frame.shape[1]], xlim=(-0.7, len(frame) - 0.3))
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
    axes[-1, 0].set_xlabel(f"{len(order)} data sets, a column each")
    style.legend_outside(fig, axes[0, 0], where="lower center", ncols=3, handletextpad=0.2,
                         columnspacing=1)
    return fig
