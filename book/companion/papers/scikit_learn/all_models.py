"""All pairs of the four models: Table 4, and the page's conclusions from it."""

from itertools import combinations

import pandas as pd

from companion.papers.scikit_learn.fold_scores import corrected, scores
from companion.papers.scikit_learn.two_models import posterior
from replib.multiple_comparisons import adjusted_pvalues


def table_4(found: pd.DataFrame) -> pd.DataFrame:
    """Return the page's last table, indexed by pair ("rbf.linear").

    Columns `t`, `p` (one-sided, times the number of pairs, at most 1), `worse`,
    `better`, `rope`. Pairs are ordered by mean score, so t is not negative.
    """
    order = found.mean().sort_values(ascending=False).index
    rows = {}
    for a, b in combinations(order, 2):
        x = (found[a] - found[b]).to_numpy()
        result = corrected(x, alternative="greater")
        rows[f"{a}.{b}"] = {"t": result.statistic, "p": result.pvalue} | posterior(x)
    table = pd.DataFrame(rows).T[["t", "p", "worse", "better", "rope"]]
    return table.assign(p=adjusted_pvalues(table["p"], method="bonferroni"))


def ledger_rows(*, alpha: float = 0.05) -> pd.DataFrame:
    """Ledger rows: the cells of Table 4 and the claims about all models."""
    table = table_4(scores())
    rows = [
        {"id": f"scikit_learn.tab04.{pair}.{what}", "rebuilt": number}
        for pair, row in table.iterrows()
        for what, number in row.items()
    ]
    with_2_poly = table.index.str.endswith("2_poly")
    beaten = table.loc[with_2_poly]
    rows += [
        {
            "id": "scikit_learn.cl.06",
            "rebuilt": bool(((table["p"] < alpha) == with_2_poly).all()),
        },
        {"id": "scikit_learn.cl.07", "rebuilt": bool((beaten["better"] > 0.995).all())},
        {"id": "scikit_learn.cl.08", "rebuilt": bool((beaten["rope"] < 0.005).all())},
    ]
    return pd.DataFrame(rows)
