"""Picture of the chapter on five seeds: predicted and counted agreement of two teams."""

import pandas as pd

from .drawing import marks, picture
from .style import BLUE, GREY, INK, PAPER

_QUESTIONS = {"both": ("test: new seeds and items", "o"), "items": ("test: new items", "s"),
              "seeds": ("test: new seeds", "D")}


@picture(height=4.6, legend=2, xlabel="agreement that a team predicts (%), mean", xlim=(40, 103),
         ylabel="pairs of teams that agree (%)", ylim=(40, 103), aspect="equal")
def same_decisions(ax, chosen: pd.DataFrame, held_out: pd.DataFrame) -> None:
    """Draw counted against predicted agreement, one mark per pair of networks and question.

    Both tables are `companion.papers.topics.teams_with_seeds.same_decisions`: for the runs on which
    the rule was chosen, and for others.
    """
    ax.plot([40, 100], [40, 100], color=INK, lw=1, ls=":")
    for label, marker in _QUESTIONS.values():
        marks(ax, [], [], label, INK, marker, ms=7)
    for table, label, color, fill in ((held_out, "held-out runs", BLUE, BLUE),
                                      (chosen, "runs that chose the rule", GREY, PAPER)):
        look = {"ms": 8, "mfc": fill, "mew": 1.4}
        marks(ax, [], [], label, color, **look)
        for question, rows in table.groupby("question"):
            marks(ax, 100 * rows["predicted"], 100 * rows["counted"], None, color,
                  _QUESTIONS[question][1], alpha=0.9, zorder=2 if table is chosen else 2.1, **look)
