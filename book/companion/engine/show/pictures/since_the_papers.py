"""Pictures of the chapter on the correlation: the odds of pairs, estimates and their targets."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from .drawing import marks, note, picture, rule
from .style import BLUE, GREY, INK, RED


@picture(
    height=5.2,
    legend=2,
    xlabel="odds, mean over the pairs of a learner",
    xlim=(0, None),
)
def odds(ax, by_learner: pd.DataFrame, assumed: float) -> None:
    """Draw the odds within and between runs of each learner's pairs, with two standard errors.

    `by_learner` is from
    `companion.studies.correlation_map.distribution.by_learner`.
    """
    rule(ax, x=assumed, color=INK)
    for sizes, shift in zip(by_learner.groupby("n"), (0.16, -0.16)):
        n, rows = sizes
        y = by_learner.index.unique("learner").get_indexer(
            rows.index.get_level_values("learner")
        )
        for kind, color, marker in (("within", GREY, "s"), ("between", BLUE, "o")):
            label = f"{kind} {'a run' if kind == 'within' else 'runs'}, n = {n}"
            marks(
                ax,
                rows[kind],
                y + shift,
                label,
                color,
                marker,
                xerr=2 * rows[f"{kind}_error"],
                mfc=color if n == 100 else "none",
            )
    names = by_learner.index.unique("learner")
    ax.set_yticks(range(len(names)), names)
    note(ax, "1/9", (assumed, len(names) - 0.6), (3, 0))


@picture(
    height=3.8,
    legend=2,
    xlabel="Type I error of the corrected t test (%)",
    ylabel="pairs with at most this error (%)",
    xlim=(0, 30),
    ylim=(0, 100),
)
def levels(ax, errors: Mapping[str, np.ndarray], nominal: float = 0.05) -> None:
    """Draw the share of pairs whose Type I error is at most a value, a curve per design.

    `errors` has the Type I error of each pair, by the label of the design.
    """
    rule(ax, x=100 * nominal, color=INK)
    for (label, values), color in zip(errors.items(), (GREY, BLUE), strict=True):
        shares = 100 * np.arange(1, len(values) + 1) / len(values)
        ax.step(100 * np.sort(values), shares, where="post", color=color, label=label)
    note(ax, "nominal level", (100 * nominal, 8), (3, 0))


@picture(
    height=4.4,
    legend=2,
    xlabel="true difference of the fitted models (points)",
    ylabel="cross-validated difference (points)",
)
def targets(ax, found: pd.DataFrame, learners: float) -> None:
    """Draw cross-validated estimates against the truth about the fitted models.

    `found` is from `companion.studies.since_the_papers.targets.sample`;
    `learners` is the expected value.
    """
    x, y = 100 * found["models"], 100 * found["estimate"]
    ax.scatter(x, y, s=14, color=BLUE, alpha=0.6, lw=0, label="a data set")
    ends = np.array([min(x.min(), y.min()), max(x.max(), y.max())])
    ax.plot(ends, ends, color=INK, lw=1, ls=":", label="estimate = its models")
    rule(ax, y=100 * learners, color=RED, ls="--", label="the learners")
