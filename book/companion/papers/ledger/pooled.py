"""Tests of tables as a whole, because a check of a single cell may almost never fail.

Each of our own tables is made as the paper made its table.  If the printed table comes
from the same distribution, it and ours are exchangeable: every rank of its distance
from their common mean is equally likely, however its cells depend on one another.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from companion.papers import published
from companion.papers.ledger.verdicts import AGREE

#: Tables that are judged as a whole.
TABLES = tuple(
    published.items().query(
        "kind == 'table' and id in @published.cells().item_id.unique()"
    )["id"]
)


#: A table is flagged as a whole if its joint p is at most this, or the least that it
#: can be.
FAR = 0.05


def joint_test(
    printed: Sequence[float], replicas: Sequence[Sequence[float]]
) -> dict[str, float]:
    """Test how far a printed table is from our own tables, over all its cells together.

    The distance of a table is the mean over its cells of the squared distance from the
    mean of all tables, including the printed one, in standard deviations of the cell.
    Cells that are the same in all tables contribute nothing.

    Parameters
    ----------
    printed : sequence of float
        One number per cell.
    replicas : sequence of sequence of float
        For each cell, its numbers in our tables.

    Returns
    -------
    dict
        `cells`; `distance` of the printed table; `largest` distance of ours;
        `replicas`, the number of our tables; and `pvalue`, the share of all tables that
        are at least as far away as the printed one.

    Examples
    --------
    >>> test = joint_test([9.0, 3.0], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    >>> test["pvalue"], round(test["distance"], 2)
    (0.25, 1.83)
    """
    tables = np.column_stack(
        [np.asarray(replicas, dtype=float), np.asarray(printed, dtype=float)]
    )
    variance = tables.var(axis=1, keepdims=True)
    squares = np.divide(
        (tables - tables.mean(axis=1, keepdims=True)) ** 2,
        variance,
        out=np.zeros_like(tables),
        where=variance > 1e-12,
    )
    distance = squares.mean(axis=0)
    return {
        "cells": len(tables),
        "distance": float(distance[-1]),
        "largest": float(distance[:-1].max()),
        "replicas": tables.shape[1] - 1,
        "pvalue": float((distance >= distance[-1] - 1e-12).mean()),
    }


def shuffled_share(rows: pd.DataFrame) -> float:
    """Share of cells that would agree if the printed numbers of a table were shuffled.

    Every printed number is equally likely in every cell of its kind (unit and digits),
    so this is the share of all pairs of a printed number and a cell that agree.
    """
    facts = published.facts().loc[rows["id"]]
    agreeing = pairs = 0
    kinds = [facts["unit"].to_numpy(), facts["decimals"].to_numpy()]
    for place in rows.groupby(kinds).indices.values():
        cell, fact = rows.iloc[place], facts.iloc[place]
        low, high = (
            cell["low"].to_numpy(dtype=float),
            cell["high"].to_numpy(dtype=float),
        )
        values = fact["value"].to_numpy(dtype=float)
        # a dot instead of a number stands for 0 or 10
        either = [np.where(np.isnan(values), end, values) for end in (0.0, 10.0)]
        passes = np.logical_or(
            *((low[:, None] <= x) & (x <= high[:, None]) for x in either)
        )
        agreeing, pairs = agreeing + passes.sum(), pairs + passes.size
    return agreeing / pairs if pairs else np.nan


def could_fail(rows: pd.DataFrame) -> pd.Series:
    """Return for each cell whether any number that could stand there would differ."""
    facts = published.facts().loc[rows["id"]]
    most = (
        facts["unit"]
        .map({"fraction": 1.0, "percent": 100.0})
        .fillna(facts["unit"].str.extract(r"^count of (\d+)$")[0].astype(float))
        .to_numpy()
    )
    least = np.where(np.isnan(most), -np.inf, 0.0)
    return (rows["low"] > least) | (
        rows["high"] < np.where(np.isnan(most), np.inf, most)
    )


def by_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Pooled and shuffled agreement of every table, and of every source with unpublished inputs.

    Parameters
    ----------
    rows : DataFrame
        From :func:`companion.papers.ledger.compare`.

    Returns
    -------
    DataFrame
        Indexed by table, and by table and source ("bouckaert2004.tab01, source2"):
        `rows` of it; `cells` that were rebuilt by other means than from print (a table
        without any has no other numbers); those of them that `could_fail`; `agree`, the
        share of the cells that agrees, and `shuffled`, the share that would agree if
        the printed numbers were shuffled; `replicas`, the number of our own tables;
        `distance` of the printed table, the `largest` of ours, `pvalue`
        (:func:`joint_test`), and `far`, whether the p-value is at most 0.05 or the
        least possible, even if every cell agrees.
    """
    facts = published.facts().loc[rows["id"]]
    found = {}
    for table in TABLES:
        own = rows[
            (facts["item_id"] == table).to_numpy()
            & (facts["kind"] == "cell").to_numpy()
        ]
        if own.empty:
            continue
        found[table] = _figures(own)
        last = own["id"].str.rsplit(".", n=1).str[1]
        unpublished = own["in_kind"].to_numpy(dtype=bool)
        for source in sorted(
            x for x in last[unpublished].unique() if x.startswith("source")
        ):
            found[f"{table}, {source}"] = _figures(own[unpublished & (last == source)])
    columns = [
        "rows",
        "cells",
        "could_fail",
        "agree",
        "shuffled",
        "replicas",
        "distance",
        "largest",
        "pvalue",
        "far",
    ]
    return pd.DataFrame.from_dict(found, orient="index", columns=columns).rename_axis(
        "table"
    )


def _figures(rows: pd.DataFrame) -> dict[str, float]:
    # others follow from print, from data files or from a rule
    is_repeated = rows["verdict"].isin(["recounted", "erratum"])
    # a cell that is too uncertain on its own counts together with the others
    is_too_wide = rows["in_kind"].astype(bool) & rows["replicas"].notna()
    is_cited = (rows["verdict"] == "not comparable") & ~is_too_wide
    cells = rows[~is_repeated & ~is_cited]
    figures = {
        "rows": len(rows),
        "cells": len(cells),
        "could_fail": could_fail(cells).sum(),
    }
    if len(cells):
        figures["agree"] = cells["verdict"].isin([*AGREE, "in kind"]).mean()
        figures["shuffled"] = shuffled_share(cells)
    tested = cells[cells["replicas"].notna() & cells["compared"].notna()]
    if len(tested):
        # columns with fewer tables of their own decide how many there are
        fewest = tested["replicas"].map(len).min()
        replicas = [values[:fewest] for values in tested["replicas"]]
        test = joint_test(tested["compared"], replicas)
        figures |= {
            name: test[name] for name in ("replicas", "distance", "largest", "pvalue")
        }
        figures["far"] = test["pvalue"] <= max(FAR, 1 / (test["replicas"] + 1) + 1e-12)
    return figures
