"""The points of Figures 9 to 14 of Berrar (2024) whose numbers are printed."""

import pandas as pd
from scipy import stats

from companion.papers import published
from companion.papers.berrar2024.rows import PAPER

#: By figure and group, the facts that give a point: its p-value (or the mean Z that gives
#: it), the estimates by model, and the share of significant experiments, `F`.  The paper
#: prints no number of a point of Figure 11.
FACTS = {
    9: {
        3: {"p": "g3.p", "P_binomial": "g3.P_b", "P_bayesian": "g3.P_B", "F": "g3.F_b"}
    },
    10: {
        3: {"z": "g3.Zw", "P_wilcoxon": "g3.P_w", "F": "g3.F_w"},
        7: {"p": "fig10.p", "P_wilcoxon": "fig10.P", "F": "fig10.F"},
    },
    12: {7: {"p": "fig12.p", "P_wilcoxon": "fig12.P", "F": "fig12.F"}},
    13: {
        3: {"p": "s3.p3", "P": "s3.P3", "F": "s3.F3"},
        4: {"p": "s3.p4", "P": "s3.P4", "F": "s3.F4"},
        7: {"p": "s3.p7", "P": "s3.P7", "F": "s3.F7"},
    },
    14: {
        11: {"p": "s4.p11", "P": "s4.P11", "F": "s4.F11"},
        24: {"p": "fig14.p24", "P": "fig14.P24", "F": "fig14.F24"},
    },
}


def of_figure(figure: int) -> pd.DataFrame:
    """Return the printed points of a figure, one row per group.

    Columns `p`, `F` (the share of significant experiments) and the estimates, named as
    by `over_data_sets.by_group` and `in_cross_validation.by_group`.

    Examples
    --------
    >>> of_figure(13).loc[7].tolist()
    [0.00427, 0.91996, 0.96597]
    """
    points = pd.DataFrame(
        {
            group: {
                name: published.value(f"{PAPER}.{fact}") for name, fact in of.items()
            }
            for group, of in FACTS[figure].items()
        }
    ).T.rename_axis("group")
    if "z" in points:
        from_z = pd.Series(2 * stats.norm.sf(points["z"]), points.index)
        points["p"] = points["p"].fillna(from_z)
        points = points.drop(columns="z")
    return points
