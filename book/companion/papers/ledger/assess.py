"""One row for every published fact: the worst verdict that a chapter gave it, or open."""

import numpy as np
import pandas as pd

from companion.papers import published
from companion.papers.ledger.verdicts import LEVEL, VERDICTS


def worst(rows: pd.DataFrame) -> pd.DataFrame:
    """Keep one row per fact: if several chapters rebuilt it, the worst verdict stays."""
    rank = rows["verdict"].map(VERDICTS.index)
    return rows.iloc[rank.argsort(kind="stable")].drop_duplicates("id", keep="last")


def counts(rows: pd.DataFrame) -> pd.Series:
    """Count the rows with each verdict, in the order of `VERDICTS`, without zeros."""
    found = rows["verdict"].value_counts()
    return found.reindex([v for v in VERDICTS if v in found])


def assess(rebuilt: pd.DataFrame) -> pd.DataFrame:
    """Give every published fact one row, rebuilt or open.

    An item (a table, a figure, a theorem) is judged by its parts: its own check, if a chapter made
    one, and its cells, values and claims.  It is open if any of them is open, and otherwise has the
    worst of their verdicts.  Cited numbers, design constants and labels that nothing can check do
    not count (`check_by` is none, or the file of judgements says why).

    Parameters
    ----------
    rebuilt : DataFrame
        The result of :func:`worst`.

    Returns
    -------
    DataFrame
        Indexed by id, in the order of :func:`companion.papers.published.facts`, with its columns
        `kind`, `paper`, `item_id`, `where`, `quantity`, `printed`, `check_by` and the ledger's
        `rebuilt`, `standard_error`, `verdict`, `reading`, `note`, `erratum`, `chapter`,
        `criterion`; and `independent`, the first fact that says the same, empty for items, which
        are judged by their parts.
    """
    facts = published.facts().drop(columns=["standard_error"])
    text = ["reading", "note", "erratum", "chapter", "criterion"]
    ours = rebuilt.set_index("id")[["rebuilt", "standard_error", "verdict", *text]]
    frame = facts.join(ours)
    label = frame.index.isin(published.judgements().get("not_comparable", {}))
    nothing_to_check = frame["verdict"].isna() & (label | (frame["check_by"] == "none"))
    frame.loc[nothing_to_check, "note"] = (
        "cited or chosen by the paper: there is nothing to rebuild"
    )
    frame["verdict"] = frame["verdict"].mask(nothing_to_check, "not comparable").fillna("open")
    frame[text] = frame[text].fillna("")
    rank = frame["verdict"].map(VERDICTS.index)
    is_item = frame["kind"] == "item"
    counted = ~is_item & ~nothing_to_check
    parts = rank[counted].groupby(frame.loc[counted, "item_id"]).max()
    own = rank[is_item].where(frame.loc[is_item, "verdict"] != "open")
    worst = pd.concat([own, parts.reindex(own.index)], axis=1).max(axis=1)
    only_cited = frame.loc[nothing_to_check, "item_id"].unique()
    worst = worst.fillna(pd.Series(VERDICTS.index("not comparable"), index=only_cited))
    frame.loc[is_item, "verdict"] = worst.fillna(VERDICTS.index("open")).map(
        lambda place: VERDICTS[int(place)]
    )
    chapter_of_parts = (
        frame[counted & (frame["chapter"] != "")].groupby("item_id")["chapter"].first()
    )
    silent = is_item & (frame["chapter"] == "")
    frame.loc[silent, "chapter"] = chapter_of_parts.reindex(
        frame.index[silent], fill_value=""
    ).to_numpy()
    independent = frame.index.map(published.independent)
    return frame.assign(independent=np.where(is_item, "", independent))


def disagreements(assessed: pd.DataFrame) -> pd.DataFrame:
    """Return the facts that differ, each once: facts with the same `independent` id say the same.

    `assessed` is from :func:`assess`.
    """
    differing = assessed[(assessed["verdict"] == "differs") & (assessed["independent"] != "")]
    return differing[~differing["independent"].duplicated()]


def expected_by_chance(assessed: pd.DataFrame) -> float:
    """Return how many independent facts would differ by chance if every printed one were right.

    Counts facts that depend on Monte Carlo or on unpublished inputs, at `LEVEL` each.
    """
    random = assessed["verdict"].isin(["within noise", "in kind", "explained", "differs"])
    return LEVEL * assessed.loc[random & (assessed["independent"] != ""), "independent"].nunique()


def worse(now: pd.Series, before: pd.Series) -> pd.DataFrame:
    """Return the facts whose verdict became worse.

    Parameters
    ----------
    now, before : Series of str
        Verdicts indexed by id.

    Returns
    -------
    DataFrame
        Columns `before` and `now`, one row for each verdict that became worse; a fact that is
        missing from `before` counts as open there.
    """
    both = pd.DataFrame({"before": before, "now": now}).fillna("open")
    fell = both["now"].map(VERDICTS.index) > both["before"].map(VERDICTS.index)
    return both[fell]


def counts_by_paper(assessed: pd.DataFrame) -> pd.DataFrame:
    """Count the facts of each kind and paper with each verdict.

    Parameters
    ----------
    assessed : DataFrame
        The result of :func:`assess`.

    Returns
    -------
    DataFrame
        Indexed by (`paper`, `kind`), papers in the order of `companion.papers.published.PAPERS`,
        one column per verdict of `VERDICTS`.
    """
    counts = assessed.groupby(["paper", "kind", "verdict"]).size().unstack(fill_value=0)
    counts = counts.reindex(columns=list(VERDICTS), fill_value=0)
    order = [(p, k) for p in published.PAPERS for k in ("item", "value", "claim", "cell")]
    return counts.reindex([key for key in order if key in counts.index])
