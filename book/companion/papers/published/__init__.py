"""The printed facts of the four papers and of a fifth source, as tidy frames.

``papers.csv`` lists the sources (`PAPERS`).  Four CSV files next to this module hold
what they print, transcribed and cross-checked:

* ``cells.csv``: every table cell (`cells`);
* ``values.csv``: every number in text, captions and examples that can be checked, with its quote
  (`values`);
* ``claims.csv``: statements without a number that a rerun can test;
* ``items.csv``: every table, figure, algorithm, equation, definition, lemma, theorem, proposition,
  example and in-text result (`items`).

`facts` is their union in one shape, the left-hand side of the ledger.  ``errata.csv``
(`errata`) lists the errors that we found in print; the verdict pages show each.
``corrections.csv`` (`corrections`) has the numbers that should have been printed;
``design_constants.csv`` (`design_constants`) has the sizes, levels and rules of the
papers' experiments; ``repeats.csv`` (`independent`) has the facts that only repeat
another one; and ``judgements.csv`` (`judgements`) has the words of the ledger that do
not depend on what was computed.
"""

import fnmatch
from functools import cache
from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).parent

#: Title of each source by its id, in the order of the book: ``papers.csv``.
PAPERS: dict[str, str] = dict(
    pd.read_csv(FOLDER / "papers.csv", dtype=str).itertuples(index=False, name=None)
)
_NORMAL_95 = 1.959963984540054  # half-widths of 95% intervals become standard errors


@cache
def _read(name: str) -> pd.DataFrame:
    frame = pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)
    numeric = (
        () if name == "design_constants" else ("value", "decimals", "ci95_half_width")
    )
    for column in numeric:
        if column in frame:
            frame[column] = pd.to_numeric(frame[column], errors="coerce")
    return frame


def half_a_digit(decimals: pd.Series | float) -> pd.Series | float:
    """Return the largest change by rounding to that many decimals.

    A billionth is added so that the binary form of a printed decimal does not decide a
    value on the boundary.
    """
    return 0.5 * 10.0**-decimals * (1 + 1e-9)


def _paper(frame: pd.DataFrame, column: str = "item_id") -> pd.Series:
    return frame[column].str.split(".").str[0]


def cells(item_id: str | None = None) -> pd.DataFrame:
    """Return table cells, one per row.

    Parameters
    ----------
    item_id : str, optional
        Only the cells of this table, for instance ``"bouckaert2004.tab01"``.

    Returns
    -------
    DataFrame
        Columns `cell_id`, `item_id`, `where`, `row`, `column`, `quantity`, `printed`
        (text), `value`, `unit`, `decimals`, `ci95_half_width`, `check_by`, `note`.

    Raises
    ------
    ValueError
        If no table has that id.

    Examples
    --------
    >>> cells("bouckaert2004.tab01").loc[0, ["printed", "unit"]].tolist()
    ['14.8', 'percent']
    """
    return _select(_read("cells"), item_id)


def values(item_id: str | None = None) -> pd.DataFrame:
    """Return the numbers in text, captions and examples, one per row.

    Parameters
    ----------
    item_id : str, optional
        Only the values of this item, for instance ``"berrar2024.ex01"``.

    Returns
    -------
    DataFrame
        Columns `value_id`, `item_id`, `where`, `quantity`, `condition`, `printed`
        (text), `value`, `unit`, `decimals`, `role`, `check_by`, `quote`, `note`.

    Raises
    ------
    ValueError
        If no item with values has that id.

    Examples
    --------
    >>> values("berrar2024.ex01")["printed"].tolist()[:3]
    ['0.0488', '0.66', '0.16']
    """
    return _select(_read("values"), item_id)


def independent(fact_id: str) -> str:
    """Return the first fact that says the same, or the fact itself; such facts count once.

    ``repeats.csv`` lists numbers that are printed twice, or as both a count and a
    share.  The result is empty for facts that have no place in a count: an item with
    parts, which is judged by them, unless it has a slip of its own; and what
    :func:`cannot_fail`.

    Examples
    --------
    >>> independent("berrar2024.s3.F3"), independent("bouckaert2004.tab01")
    ('berrar2024.s3.n_sig3', '')
    """
    return _independent()[fact_id]


@cache
def _independent() -> dict[str, str]:
    facts, repeats = (
        _facts(),
        _read("repeats").set_index("fact_id")["repeats"].to_dict(),
    )
    parts = set(facts.loc[facts["kind"] != "item", "item_id"]) - slips().keys()
    uncounted = parts | cannot_fail().keys()
    return {
        fact: "" if fact in uncounted else repeats.get(fact, fact)
        for fact in facts.index
    }


@cache
def cannot_fail() -> dict[str, str]:
    """Return, by fact, why nothing that we could compute would disagree with it.

    Such a fact has no verdict.

    Examples
    --------
    >>> "bouckaert2004.fig01" in cannot_fail()
    True
    """
    words = _read("judgements").query("column == 'cannot_fail'")
    return dict(zip(words["fact_id"], words["text"]))


#: Kinds of errors that stand beside what a fact says, and not in it.
BESIDE = ("name", "proof", "reference", "remark")


@cache
def slips() -> dict[str, str]:
    """Return the erratum of each fact that is wrong in print for certain.

    An erratum names facts in its `affects` and in ``corrections.csv``.  They are wrong
    if it is certain and lies in what they say: errors of the kinds `BESIDE` do not
    count.

    Examples
    --------
    >>> slips()["berrar2024.ex01"], "bouckaert2004.thm3_2" in slips()  # only its proof is wrong
    ('berrar2024.e35', False)
    """
    named = (
        errata().query("certainty == 'certain' and kind not in @BESIDE").set_index("id")
    )
    facts = named["affects"].str.split(";").explode()
    also = corrections().reset_index("fact_id")["fact_id"]
    pairs = pd.concat([facts[facts != ""], also[also.index.isin(named.index)]])
    return {fact: erratum for erratum, fact in reversed(list(pairs.items()))}


@cache
def judgements() -> dict[str, dict[str, str]]:
    """Return words for ledger rows by column (`note`, `recounted`, ...) and fact.

    For facts that differ, `tried` and `settles` say what was tried and what would
    settle it; words for an item are those of all its parts that have none.
    For claims that fail, `in_words`, `finding` and `change` are sentences for readers,
    and `weight` says what kind of thing changes.

    In the file a text may be about several facts, separated by semicolons, or about a
    pattern of ids (``bouckaert2004.tab01.*.source1``).  It may have placeholders for
    the numbers of a ledger row (`companion.papers.ledger.words`).

    Examples
    --------
    >>> judgements()["recounted"]["berrar2024.g3.P_w"]
    'from the printed mean and deviation'
    """
    words: dict[str, dict[str, str]] = {}
    for row in _read("judgements").itertuples():
        of_column = words.setdefault(row.column, {})
        for fact in _facts_named(row.fact_id):
            if fact in of_column:
                raise ValueError(
                    f"judgements.csv has two texts for {row.column} of {fact}"
                )
            of_column[fact] = row.text
    return words


def _facts_named(ids: str) -> list[str]:
    """Return the facts that ids name, which are separated by semicolons and may be patterns."""
    named = []
    for fact in ids.split(";"):
        named += fnmatch.filter(_ids(), fact) if set("*?") & set(fact) else [fact]
    return named


@cache
def _ids() -> list[str]:
    return list(_facts().index)


def items() -> pd.DataFrame:
    """Tables, figures, theorems and so on: `id`, `paper`, `kind`, `where`, `title`, `description`.

    Examples
    --------
    >>> int((items()["kind"] == "figure").sum())
    20
    """
    return _read("items").copy()


def errata() -> pd.DataFrame:
    """Return the errors in print: `id`, `paper`, `place`, `kind`, `certainty`, `printed`,
    `correct`, `affects`.

    `affects` lists the ids of the facts that the error is in or beside (:func:`slips`),
    separated by semicolons; those of which ``corrections.csv`` has the number need not
    stand there. `certainty` is ``"text layer"`` where we know the printed formula only
    from the text extracted from the PDF, which scrambles fractions; the page itself may
    be right.  It is ``"inferred"`` where printed random numbers are unlikely under the
    procedure that the paper describes, and ``"simulation"`` where only our simulation
    contradicts a statement, by our own criterion.

    Examples
    --------
    >>> errata().set_index("id").loc["berrar2024.e35", "correct"]
    'twice that sum'
    """
    frame = _read("errata").copy()
    frame.insert(1, "paper", _paper(frame, "id"))
    return frame


def corrections() -> pd.DataFrame:
    """Return the numbers that should be printed, indexed by (`erratum`, `fact_id`).

    Returns
    -------
    DataFrame
        Columns `corrected`, in the printed unit, and `rounding` (:func:`half_a_digit`).

    Examples
    --------
    >>> float(corrections().at[("berrar2024.e36", "berrar2024.ex01.P_b"), "corrected"])
    0.5696
    """
    frame = _read("corrections")
    frame = frame.assign(
        corrected=frame["corrected"].astype(float),
        rounding=half_a_digit(frame["corrected"].str.partition(".")[2].str.len()),
    )
    return frame.set_index(["erratum", "fact_id"])


def design_constants() -> pd.DataFrame:
    """Return sizes, levels, ranges and rules of the papers' experiments, with quotes.

    Examples
    --------
    >>> design_constants().set_index("const_id").loc["bouckaert2004.c.alpha", "value"]
    '0.05'
    """
    return _read("design_constants").copy()


@cache
def _facts() -> pd.DataFrame:
    shape = [
        "id",
        "kind",
        "item_id",
        "where",
        "quantity",
        "printed",
        "value",
        "decimals",
        "unit",
        "rounding",
        "standard_error",
        "role",
        "check_by",
        "how_to_test",
    ]
    cell = (
        _read("cells")
        .rename(columns={"cell_id": "id"})
        .assign(kind="cell", role="result")
    )
    cell["standard_error"] = cell["ci95_half_width"] / _NORMAL_95
    cell["quantity"] = cell["row"] + ", " + cell["column"] + ": " + cell["quantity"]
    value = _read("values").rename(columns={"value_id": "id"}).assign(kind="value")
    value["quantity"] += value["condition"].map(
        lambda text: f" ({text})" if text else ""
    )
    claim = _read("claims").rename(columns={"claim_id": "id", "claim": "quantity"})
    claim = claim.assign(kind="claim", role="claim", check_by="rerun", printed="holds")
    item = _read("items").rename(columns={"title": "quantity"}).drop(columns="kind")
    item = item.assign(
        kind="item", item_id=item["id"], role="item", check_by="parts", printed=""
    )
    frame = pd.concat(
        [part.reindex(columns=shape) for part in (cell, value, claim, item)]
    )
    frame = frame.fillna({"how_to_test": ""})
    frame.insert(2, "paper", _paper(frame))
    is_count = frame["unit"].str.startswith("count").eq(True)
    frame["rounding"] = half_a_digit(frame["decimals"]).mask(is_count, 1e-9)
    if frame["id"].duplicated().any():
        raise AssertionError("an id stands twice in the published files")
    return frame.set_index("id")


def facts() -> pd.DataFrame:
    """Return every published fact in one shape, indexed by id.

    Returns
    -------
    DataFrame
        Indexed by `id` (a cell, value, claim or item id), with columns `kind` (one of
        ``"cell"``, ``"value"``, ``"claim"``, ``"item"``), `paper`, `item_id`, `where`,
        `quantity`, `printed` (text), `value` (number or NaN), `decimals` (digits
        printed after the point), `unit`, `rounding` (how far the printed number may be
        from what was rounded: :func:`half_a_digit`; a billionth for counts, which are
        not rounded), `standard_error` (of the printed value, from its printed 95%
        half-width; NaN where none is printed), `role`, `check_by` and `how_to_test`
        (the criterion of a claim).

    Examples
    --------
    >>> facts().loc["bouckaert2004.tab01.ranksum.resampling.source1", ["kind", "printed"]].tolist()
    ['cell', '14.8']
    """
    return _facts().copy()


def value(fact_id: str) -> float:
    """Return the printed number of one cell or value, in its printed unit.

    Parameters
    ----------
    fact_id : str
        For instance ``"berrar2024.ex01.P_b"``.

    Returns
    -------
    float

    Raises
    ------
    KeyError
        If no cell or value with a printed number has that id.

    Examples
    --------
    >>> value("berrar2024.ex01.P_b")
    0.5746
    """
    frame = _facts()
    if fact_id not in frame.index or pd.isna(frame.at[fact_id, "value"]):
        raise KeyError(f"no number is published under the id {fact_id!r}")
    return float(frame.at[fact_id, "value"])


def _select(frame: pd.DataFrame, item_id: str | None) -> pd.DataFrame:
    if item_id is None:
        return frame.copy()
    chosen = frame[frame["item_id"] == item_id]
    if chosen.empty:
        known = ", ".join(frame["item_id"].unique())
        raise ValueError(
            f"nothing is published under the item {item_id!r}; there are: {known}"
        )
    return chosen.reset_index(drop=True)
