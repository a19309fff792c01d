"""One row for every published fact: the worst verdict that a chapter gave it, or open."""

import numpy as np
import pandas as pd

from companion.papers import published
from companion.papers.ledger.verdicts import AGREE, LEVEL, VERDICTS


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

    An item (a table, a figure, a theorem) is judged by its parts: its own check, if a
    chapter made one, and its cells, values and claims.  It is open if any of them is
    open, and otherwise has the worst of their verdicts.  What is not comparable does
    not count: cited numbers, design constants and labels that nothing can check
    (`check_by` is none, or the judgements say why), and what cannot fail.

    Parameters
    ----------
    rebuilt : DataFrame
        The result of :func:`worst`.

    Returns
    -------
    DataFrame
        Indexed by id, in the order of :func:`companion.papers.published.facts`, with
        its columns `kind`, `paper`, `item_id`, `where`, `quantity`, `printed`,
        `check_by` and the ledger's `rebuilt`, `standard_error`, `verdict`, `reading`,
        `note`, `erratum`, `chapter`, `criterion`; and `independent`
        (:func:`companion.papers.published.independent`).
    """
    facts = published.facts().drop(columns=["standard_error"])
    text = ["reading", "note", "erratum", "chapter", "criterion"]
    frame = facts.join(
        rebuilt.set_index("id")[["rebuilt", "standard_error", "verdict", *text]]
    )
    frame[text] = frame[text].fillna("")
    is_item, is_new = frame["kind"] == "item", frame["verdict"].notna()
    known = published.judgements().get("not_comparable", {}) | published.cannot_fail()
    why = pd.Series(known, frame.index, dtype=object)
    nothing_to_check = ~is_new & (why.notna() | (frame["check_by"] == "none"))
    why = why.fillna("cited or chosen by the paper: there is nothing to rebuild")
    frame["note"] = frame["note"].mask(nothing_to_check, why)
    # an item is its own part, and the worst of the parts decides
    verdicts = {-2: "open", -1: "not comparable"} | dict(enumerate(VERDICTS))
    rank = frame["verdict"].fillna("open").map(VERDICTS.index)
    nothing_to_check |= frame["verdict"] == "not comparable"
    cannot_fail = frame.index.isin(published.cannot_fail())
    rank = rank.mask(nothing_to_check, -1)
    rank = rank.mask(is_item & ~is_new & ~cannot_fail, -2)
    worst = rank.groupby(frame["item_id"]).transform("max")
    frame["verdict"] = rank.mask(is_item, worst).map(verdicts)
    first = (
        frame["chapter"].replace("", None).groupby(frame["item_id"]).transform("first")
    )
    frame["chapter"] = (
        frame["chapter"].mask(is_item & (frame["chapter"] == ""), first).fillna("")
    )
    return frame.assign(independent=frame.index.map(published.independent))


def disagreements(assessed: pd.DataFrame) -> pd.DataFrame:
    """Return what differs, what was tried, and what would settle it.

    `assessed` is from :func:`assess`.  Adds to its columns `tried` and `settles`, from
    ``judgements.csv``, and `facts`, the number of independent facts with the same
    words: they are one disagreement, of which the first fact has the row.
    """
    differing = assessed[
        (assessed["verdict"] == "differs") & (assessed["independent"] != "")
    ]
    differing = differing.drop_duplicates("independent")
    for column in ("tried", "settles"):
        words = published.judgements().get(column, {})
        own, of_item = (
            differing["independent"].map(words),
            differing["item_id"].map(words),
        )
        differing = differing.assign(**{column: own.fillna(of_item).fillna("")})
    together = differing["tried"].where(differing["tried"] != "", differing.index)
    facts = together.groupby(together).transform("size")
    return differing.assign(facts=facts)[~together.duplicated()]


#: What a failed claim changes, from the heaviest: what a reader would do, a number, or
#: only the words.
WEIGHTS = ("advice", "number", "wording")


def failed_claims(assessed: pd.DataFrame) -> pd.DataFrame:
    """Return the claims that are wrong in print or that differ, each once, the heaviest first.

    Parameters
    ----------
    assessed : DataFrame
        The result of :func:`assess`.

    Returns
    -------
    DataFrame
        Indexed by id; columns `paper`, `where`, `verdict`, `claim` (as transcribed),
        `found` (what the ledger notes, with its numbers, or else what the list of
        errata says is right), and from ``judgements.csv`` `weight` (one of `WEIGHTS`)
        and the sentences `in_words` (the claim), `finding` and `change`.  A claim that
        fails with a reader's parameters only has no sentences there: then those of the
        ledger stand for them, and it is last.
    """
    is_failed = assessed["verdict"].isin(["erratum", "differs"])
    is_counted = (assessed["kind"] == "claim") & (assessed["independent"] != "")
    failed = assessed[is_failed & is_counted].drop_duplicates("independent")
    errata = published.errata()
    affected = errata.assign(fact=errata["affects"].str.split(";")).explode("fact")
    right = affected.drop_duplicates("fact").set_index("fact")["correct"]
    found = failed["note"].where(failed["note"] != "", failed.index.map(right))
    claims = pd.DataFrame(
        {
            "paper": failed["paper"],
            "where": failed["where"],
            "verdict": failed["verdict"],
            "claim": failed["quantity"],
            "found": found,
        }
    )
    sentences = {
        column: failed.index.map(published.judgements().get(column, {}))
        for column in ("weight", "in_words", "finding", "change")
    }
    claims = claims.assign(**sentences).fillna(
        {
            "weight": WEIGHTS[-1],
            "in_words": claims["claim"],
            "finding": claims["found"],
            "change": "",
        }
    )
    return claims.iloc[_heaviest_first(claims)]


def _heaviest_first(claims: pd.DataFrame) -> np.ndarray:
    """Return the order by weight, and within a weight that of ``judgements.csv``."""
    place = {fact: i for i, fact in enumerate(published.judgements().get("weight", {}))}
    weight = claims["weight"].map(WEIGHTS.index)
    in_file = claims.index.map(lambda fact: place.get(fact, len(place)))
    return np.lexsort((in_file, weight))


def expected_by_chance(assessed: pd.DataFrame) -> float:
    """Return how many independent facts would differ by chance if every printed one were right.

    Counts facts that depend on Monte Carlo or on unpublished inputs, at `LEVEL` each.
    """
    random = assessed["verdict"].isin(
        ["within noise", "in kind", "explained", "differs"]
    )
    return (
        LEVEL
        * assessed.loc[
            random & (assessed["independent"] != ""), "independent"
        ].nunique()
    )


def worse(now: pd.Series, before: pd.Series) -> pd.DataFrame:
    """Return the facts whose verdict became worse.

    Parameters
    ----------
    now, before : Series of str
        Verdicts indexed by id.

    Returns
    -------
    DataFrame
        Columns `before` and `now`, one row for each verdict that became worse; a fact
        that is missing from `before` counts as open there.
    """
    both = pd.DataFrame({"before": before, "now": now}).fillna("open")
    fell = both["now"].map(VERDICTS.index) > both["before"].map(VERDICTS.index)
    return both[fell]


#: What a verdict rests on, by `check_by` of `companion.papers.published.facts`.
_BASIS = {
    "rerun": "experiment",
    "formula": "formula",
    "table": "print",
    "data set": "print",
    "design": "print",
    "parts": "statement",
    "none": "cited",
}


def tally(verdicts: pd.Series) -> pd.DataFrame:
    """Count every fact once, by paper, by what its verdict rests on, and by verdict.

    Facts that say the same count as the first of them, with the worst of their
    verdicts.

    Parameters
    ----------
    verdicts : Series of str
        Verdicts indexed by id.

    Returns
    -------
    DataFrame
        Indexed by `paper` and `basis`, one column per verdict of `VERDICTS`.  The basis
        of a number is an ``"experiment"``, a ``"formula"``, other ``"print"`` (or data
        files, or a rule read off the table), or nothing if it is ``"cited"`` or chosen;
        other facts are a ``"claim"`` or a ``"statement"``: a theorem, a formula, an
        algorithm or a figure.
    """
    facts = published.facts()
    from_print = verdicts.reindex(facts.index).eq("recounted") | facts.index.isin(
        published.judgements().get("recounted", {})
    )
    basis = facts["check_by"].map(_BASIS).mask(from_print, "print")
    basis = basis.mask(facts["kind"] == "claim", "claim").mask(
        facts["kind"] == "item", "statement"
    )
    same = verdicts.index.map(published.independent)
    rank = verdicts.map(VERDICTS.index).groupby(same).max().drop("", errors="ignore")
    of_first = [
        facts["paper"].reindex(rank.index),
        basis.reindex(rank.index).rename("basis"),
    ]
    table = pd.crosstab(of_first, rank.map(VERDICTS.__getitem__).rename("verdict"))
    order = [paper for paper in published.PAPERS if paper in table.index]
    return table.reindex(columns=list(VERDICTS), fill_value=0).loc[order]


def in_numbers(verdicts: pd.Series) -> dict[str, str]:
    """Return the counts of :func:`tally` that pages quote.

    The number of `facts`, `errata`, and facts that `differ` or are `incomparable`; of
    each basis, of those that `agree` (``claim``, ``claim_agree``, ...), and beside them
    of those that agree `in_kind` or are `explained` (``experiment_in_kind``, ...); of
    claims that fail when they are tested again, ``claim_differ``, and of those that the
    paper's own text, data or algebra contradicts, ``claim_erratum``; and the paper with
    the most claims that fail in either way: `paper`, `paper_claim`, `paper_fail`.
    """
    counted = tally(verdicts)
    by_basis = counted.groupby("basis").sum()
    claims = counted.xs("claim", level="basis")
    failing = claims[["erratum", "differs"]].sum(axis=1)
    numbers = {
        "facts": counted.to_numpy().sum(),
        "claim_differ": claims["differs"].sum(),
        "claim_erratum": claims["erratum"].sum(),
        "paper_claim": claims.loc[failing.idxmax()].sum(),
        "paper_fail": failing.max(),
        **counted.sum().rename(
            {
                "erratum": "errata",
                "differs": "differ",
                "not comparable": "incomparable",
            }
        )[["errata", "differ", "incomparable"]],
        **by_basis.sum(axis=1),
        **by_basis[list(AGREE)].sum(axis=1).add_suffix("_agree"),
        **by_basis["in kind"].add_suffix("_in_kind"),
        **by_basis["explained"].add_suffix("_explained"),
    }
    paper = published.PAPERS[failing.idxmax()]
    return {"paper": paper} | {name: f"{n:,}" for name, n in numbers.items()}
