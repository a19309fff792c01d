"""The ledger: every published fact beside what this project rebuilds, with a verdict.

A chapter hands frames of `replib.papers` to :func:`compare`, which gives each row a verdict;
:func:`assess` then gives every fact of `replib.papers.published` exactly one row, open or not.
`replib.book` shows them.

The verdicts (their order is from best to worst):

===================  ========================================================================
``exact``            follows from a formula and agrees to the last printed digit
``within noise``     Monte Carlo: no more than three standard errors apart, both errors counted
``in kind``          the paper's inputs are unpublished; its claims and orderings hold
``erratum``          the printed value is wrong; a cell of the book shows it
``not comparable``   for a stated reason
``differs``          none of these; the chapter says why, or that we do not know
``open``             not rebuilt yet
===================  ========================================================================
"""

import importlib
import pkgutil

import numpy as np
import pandas as pd

from replib.papers import published

VERDICTS = (
    "exact", "within noise", "in kind", "erratum", "not comparable", "differs", "open",
)

#: Largest distance, in joint standard errors, that noise explains.
MAX_Z = 3.0

COLUMNS = ["id", "quantity", "where", "printed", "rebuilt", "standard_error", "verdict", "note",
            "erratum", "chapter"]

def compare(*rebuilt: pd.DataFrame, chapter: str) -> pd.DataFrame:
    """Put rebuilt values beside the printed ones and give each a verdict.

    Parameters
    ----------
    *rebuilt : DataFrame
        Frames of `replib.papers` with the columns

        `id`
            of a published cell, value, claim or item;
        `rebuilt`
            the number in the printed unit, or True/False for a claim or item that was checked;
        `standard_error` (optional)
            Monte-Carlo standard error of `rebuilt`; 0 or missing for a formula;
        `published_error` (optional)
            standard error of the printed value, where the paper prints none but it can be derived;
            with it even an exact `rebuilt` is judged within noise;
        `holds` (optional)
            for a bound or a claim: whether the statement holds for the rebuilt number;
        `erratum` (optional)
            id of the erratum that explains a disagreement;
        `in_kind` (optional)
            why the row can only be compared in kind (unpublished inputs);
        `not_comparable` (optional)
            why the row cannot be compared at all;
        `note` (optional)
            a sentence for the reader.
    chapter : str
        Name of the chapter that rebuilt the values.

    Returns
    -------
    DataFrame
        One row a fact: `id`, `quantity`, `where`, `printed`, `rebuilt`, `standard_error`,
        `verdict`, `note`, `erratum`, `chapter`.

    Raises
    ------
    ValueError
        If an id is not published, stands twice, or an erratum is not listed.

    Examples
    --------
    >>> frame = pd.DataFrame({"id": ["berrar2024.ex01.p"], "rebuilt": [0.048767]})
    >>> compare(frame, chapter="wins_and_losses")[["printed", "verdict"]].values.tolist()
    [['0.0488', 'exact']]
    """
    frame = pd.concat(rebuilt, ignore_index=True)
    facts = published.facts()
    unknown = frame.loc[~frame["id"].isin(facts.index), "id"]
    if len(unknown):
        raise ValueError(f"not among the published ids: {', '.join(unknown)}")
    twice = frame.loc[frame["id"].duplicated(), "id"]
    if len(twice):
        raise ValueError(f"rebuilt twice in one ledger: {', '.join(twice)}")
    listed = set(published.errata()["id"])
    for column in ("standard_error", "published_error"):
        frame[column] = frame[column].astype(float) if column in frame else np.nan
    for column in ("holds", "erratum", "in_kind", "not_comparable", "note"):
        column_or_empty = frame[column] if column in frame else pd.Series(None, index=frame.index)
        frame[column] = column_or_empty.astype(object).where(column_or_empty.notna(), None)
    unlisted = {e for e in frame["erratum"] if e} - listed
    if unlisted:
        raise ValueError(f"not in the list of errata: {', '.join(sorted(unlisted))}")
    rows = []
    for row in frame.itertuples():
        fact = facts.loc[row.id]
        rows.append({
            "id": row.id,
            "quantity": fact["quantity"],
            "where": fact["where"],
            "printed": fact["printed"],
            "rebuilt": row.rebuilt,
            "standard_error": 0.0 if np.isnan(row.standard_error) else row.standard_error,
            "verdict": verdict(fact, row),
            "note": row.note or row.in_kind or row.not_comparable or "",
            "erratum": row.erratum or "",
            "chapter": chapter,
        })
    return pd.DataFrame(rows, columns=COLUMNS)


def verdict(fact: pd.Series, row) -> str:
    """The verdict on one rebuilt row; the rules are those of the module's table.

    Parameters
    ----------
    fact : Series
        A row of :func:`replib.papers.published.facts`.
    row : object
        With the attributes `rebuilt`, `standard_error`, `published_error`, `holds`, `erratum`,
        `in_kind` and `not_comparable`, as :func:`compare` documents them; missing ones None or NaN.

    Returns
    -------
    str
        One of `VERDICTS`, never ``"open"``.
    """
    if row.not_comparable:
        return "not comparable"
    noise = 0.0 if np.isnan(row.standard_error) else row.standard_error
    if _agrees(fact, row, noise):
        if row.in_kind:
            return "in kind"
        return "within noise" if noise > 0 or row.published_error > 0 else "exact"
    return "erratum" if row.erratum else "differs"


def _agrees(fact: pd.Series, row, noise: float) -> bool:
    if fact["kind"] in ("claim", "item") or row.holds is not None:
        return bool(row.rebuilt if row.holds is None else row.holds)
    distance = abs(float(row.rebuilt) - fact["value"])
    half_a_digit = 0.5 * 10.0 ** -fact["decimals"]
    if noise == 0 and np.isnan(row.published_error):
        # a printed number is a decimal: let its binary image not decide a value on the boundary
        return bool(distance <= half_a_digit * (1 + 1e-9))
    printed_error = row.published_error
    if np.isnan(printed_error):
        printed_error = 0.0 if np.isnan(fact["standard_error"]) else fact["standard_error"]
    beyond_rounding = max(distance - half_a_digit, 0.0)
    return bool(beyond_rounding <= MAX_Z * np.hypot(noise, printed_error))


def compute() -> pd.DataFrame:
    """The rows of every module of `replib.papers` that has `ledger_rows`, the worst of each fact."""
    import replib.papers

    found = []
    for module in pkgutil.walk_packages(replib.papers.__path__, "replib.papers."):
        rows = getattr(importlib.import_module(module.name), "ledger_rows", None)
        if rows is not None:
            found.append(compare(rows(), chapter=""))
    return worst(pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=COLUMNS))


def worst(rows: pd.DataFrame) -> pd.DataFrame:
    """One row a fact: if two chapters rebuilt it, the better verdict does not hide the worse one."""
    rank = rows["verdict"].map(VERDICTS.index)
    return rows.loc[rank.sort_values(kind="stable").index].drop_duplicates("id", keep="last")


def counts(rows: pd.DataFrame) -> pd.Series:
    """How many rows have each verdict, in the order of `VERDICTS`, zeros left out."""
    found = rows["verdict"].value_counts()
    return found.reindex([v for v in VERDICTS if v in found])


def assess(rebuilt: pd.DataFrame) -> pd.DataFrame:
    """One row for every published fact, rebuilt or open.

    An item (a table, a figure, a theorem) is judged by its parts: its own check, if a chapter made
    one, and its cells, values and claims.  It is open while one of them is, and otherwise has the
    worst of their verdicts.  Cited numbers and design constants that nothing can check
    (`check_by` none) do not count.

    Parameters
    ----------
    rebuilt : DataFrame
        As :func:`worst` returns them.

    Returns
    -------
    DataFrame
        Indexed by id, in the order of :func:`replib.papers.published.facts`, with its columns `kind`,
        `paper`, `item_id`, `where`, `quantity`, `printed`, `check_by` and the ledger's `rebuilt`,
        `standard_error`, `verdict`, `note`, `erratum`, `chapter`.
    """
    facts = published.facts().drop(columns=["standard_error"])
    ours = rebuilt.set_index("id")[
        ["rebuilt", "standard_error", "verdict", "note", "erratum", "chapter"]
    ]
    frame = facts.join(ours)
    nothing_to_check = frame["verdict"].isna() & (frame["check_by"] == "none")
    frame.loc[nothing_to_check, "note"] = "cited or chosen by the paper: there is nothing to rebuild"
    frame["verdict"] = frame["verdict"].mask(nothing_to_check, "not comparable").fillna("open")
    text = ["note", "erratum", "chapter"]
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
    frame.loc[silent, "chapter"] = frame.index[silent].map(chapter_of_parts).fillna("")
    return frame


def worse(now: pd.Series, before: pd.Series) -> pd.DataFrame:
    """Facts whose verdict got worse.

    Parameters
    ----------
    now, before : Series of str
        Verdicts indexed by id.

    Returns
    -------
    DataFrame
        Columns `before` and `now`, one row for each verdict that fell; a fact that `before` does not
        have counts as open then.
    """
    both = pd.DataFrame({"before": before, "now": now}).fillna("open")
    fell = both["now"].map(VERDICTS.index) > both["before"].map(VERDICTS.index)
    return both[fell]


def counts_by_paper(assessed: pd.DataFrame) -> pd.DataFrame:
    """How many facts of each kind and paper have each verdict.

    Parameters
    ----------
    assessed : DataFrame
        As :func:`assess` returns it.

    Returns
    -------
    DataFrame
        Indexed by (`paper`, `kind`), papers in the order of `replib.papers.published.PAPERS`, one column a
        verdict of `VERDICTS`.
    """
    counts = assessed.groupby(["paper", "kind", "verdict"]).size().unstack(fill_value=0)
    counts = counts.reindex(columns=list(VERDICTS), fill_value=0)
    order = [(p, k) for p in published.PAPERS for k in ("item", "value", "claim", "cell")]
    return counts.reindex([key for key in order if key in counts.index])
