"""Verdicts: a rebuilt value compared with the printed one, at one error rate.

A row that is right fails with a probability of at most `LEVEL`, 0.27%, whatever it is
compared with; a normal deviate is beyond three standard errors as often.  The verdicts,
from best to worst:

===================  ========================================================================
``exact``            a number recomputed from the definition, equal to the printed precision
``holds``            a statement, an item or a bound that meets its stated criterion
``recounted``        agrees, but follows from other printed numbers, from the data files or from
                     a rule read off the table: a check of the transcription, no more
``within noise``     Monte Carlo: no more than three standard errors apart, both errors counted; a
                     count, which is not rounded, is judged by its own distribution
                     where it has one
``in kind``          the paper's inputs are unpublished: the printed value lies within the
                     prediction interval for one more replica, which is no wider than
                     `WIDEST`
``explained``        differs as printed, agrees under another reading that evidence from
                     elsewhere supports
``not comparable``   for a stated reason; or inside a prediction interval that is too wide
                     to say anything
``erratum``          wrong in print by the paper's own text, data or algebra, by the rule of
                     :func:`companion.papers.published.slips`; what is right was checked
``differs``          none of these; the chapter says why, or that we do not know
``open``             not rebuilt yet
===================  ========================================================================

What cannot fail has no verdict (:func:`companion.papers.published.cannot_fail`).
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import special

from companion.papers import published
from companion.papers.ledger.words import words

VERDICTS = (
    "exact",
    "holds",
    "recounted",
    "within noise",
    "in kind",
    "explained",
    "not comparable",
    "erratum",
    "differs",
    "open",
)

#: Verdicts on what agrees as printed.  What agrees in kind, or in another reading, is
#: counted beside it.
AGREE = VERDICTS[:4]

#: Widest prediction interval, in percentage points, inside which a number agrees in
#: kind: nearly any number lies inside a wider one.
WIDEST = 20.0

#: Largest distance, in joint standard errors, that noise explains.
MAX_Z = 3.0

#: Probability that a row that is right fails: that of a normal deviate beyond `MAX_Z`.
LEVEL = float(2 * special.ndtr(-MAX_Z))

COLUMNS = [
    "id",
    "quantity",
    "where",
    "printed",
    "rebuilt",
    "standard_error",
    "verdict",
    "reading",
    "note",
    "erratum",
    "chapter",
    "low",
    "high",
    "replicas",
    "compared",
    "in_kind",
    "criterion",
]

#: Facts that only repeat others: `check_by` in `companion.papers.published`.
_REPEATED = ("data set", "design", "table")

_NUMBERS = (
    "standard_error",
    "published_error",
    "other",
    "other_error",
    "compared",
    "replica_error",
)
_OBJECTS = ("holds", "corrected", "replicas", "other_holds", "law", "interval")
_WORDS = (
    "in_kind",
    "recounted",
    "evidence",
    "not_comparable",
    "reading",
    "note",
    "criterion",
)


def compare(*rebuilt: pd.DataFrame, chapter: str) -> pd.DataFrame:
    """Compare rebuilt values with the printed ones and give each a verdict.

    Parameters
    ----------
    *rebuilt : DataFrame
        Frames of `companion.papers` with the columns

        `id`
            of a published cell, value, claim or item;
        `rebuilt`
            the number in the printed unit, or True/False for a claim or item that was
            checked;

        and any of

        `standard_error`
            Monte Carlo standard error of `rebuilt`; 0 or missing for a formula;
        `published_error`
            standard error of the printed value, where the paper prints none but it can
            be derived; with it, even an exact `rebuilt` is judged "within noise";
        `holds`
            for a bound or a claim: whether the statement holds for the rebuilt number;
        `replicas`
            sequence: this number in each of our own tables, made as the paper made its
            table;
        `compared`
            the printed value in the units of `replicas`, where that is not the printed
            number;
        `replica_error`
            Monte Carlo standard error of a single replica, which the published value
            shares;
        `law`
            sequence: the probabilities of the counts 0, 1, 2, ... under what we found;
            a printed count agrees if neither it nor one farther out is rarer than
            `LEVEL` / 2;
        `in_kind`
            why the row can only be compared in kind (unpublished inputs): a number is
            then judged by its `interval`, or else by the :func:`prediction_interval`
            of its `replicas`;
        `interval`
            the least and the greatest number of one more replica, which leave out
            `LEVEL`;
        `criterion`
            what a statement, an item or a bound must meet; the default is the
            `how_to_test` of a claim, and the `note` of anything else;
        `reading`
            "inferred" if `rebuilt` follows a reading that the paper does not print;
        `other`, `other_error`, `other_holds`, `evidence`
            the number under another reading; the joint standard error of its distance
            from the printed value, or whether it agrees; and the reading, with its
            support from elsewhere;
        `corrected`
            for a fact that is wrong in print: whether what its erratum says was checked
            and holds (`companion.papers.published.corrections` has the right numbers of
            all others);
        `recounted`
            why the row follows from other printed numbers or from a choice of ours;
        `not_comparable`
            why the row cannot be compared at all;
        `note`
            a sentence for the reader;

        `numbers`
            mapping: the numbers for the placeholders of its words in
            `companion.papers.published.judgements`, which has the words of every row
            that brings none of its own.
    chapter : str
        Name of the chapter that rebuilt the values.

    Returns
    -------
    DataFrame
        One row per fact, with the columns `COLUMNS`; `low` and `high` are from
        :func:`acceptance`.

    Raises
    ------
    ValueError
        If an id is not published, occurs twice, or is of a fact that cannot fail.

    Examples
    --------
    >>> frame = pd.DataFrame({"id": ["berrar2024.ex01.p"], "rebuilt": [0.048767]})
    >>> compare(frame, chapter="wins_and_losses")[["printed", "verdict"]].values.tolist()
    [['0.0488', 'exact']]
    """
    frame = pd.concat(rebuilt)
    facts = published.facts()
    unknown = frame.loc[~frame["id"].isin(facts.index), "id"]
    if len(unknown):
        raise ValueError(f"not among the published ids: {', '.join(unknown)}")
    twice = frame.loc[frame["id"].duplicated(), "id"]
    if len(twice):
        raise ValueError(f"rebuilt twice in one ledger: {', '.join(twice)}")
    hopeless = frame.loc[frame["id"].isin(published.cannot_fail()), "id"]
    if len(hopeless):
        raise ValueError(
            f"nothing could disagree, so there is no verdict on: {', '.join(hopeless)}"
        )
    for column in _NUMBERS:
        frame[column] = frame[column].astype(float) if column in frame else np.nan
    for column in _OBJECTS:
        values = frame.get(column, pd.Series(None, frame.index)).astype(object)
        frame[column] = values.where(values.notna(), None)
    for column in _WORDS:
        frame[column] = words(frame, column)
    frame["erratum"] = frame["id"].map(published.slips()).fillna("")
    judged = [
        {**_judged(facts.loc[row.id], row), "chapter": chapter}
        for row in frame.itertuples()
    ]
    return pd.DataFrame(judged, columns=COLUMNS)


def _judged(fact: pd.Series, row) -> dict[str, object]:
    """Return the columns of the ledger for one rebuilt row, but for its chapter."""
    found = verdict(fact, row)
    is_number = fact["kind"] in ("cell", "value")
    low, high = acceptance(fact, row) if is_number else (np.nan, np.nan)
    is_exact = np.isnan(row.standard_error)
    replicas = None if row.replicas is None else [float(x) for x in row.replicas]
    reading = "inferred" if found == "explained" else row.reading
    return {
        "id": row.id,
        "quantity": fact["quantity"],
        "where": fact["where"],
        "printed": fact["printed"],
        "rebuilt": row.rebuilt,
        "standard_error": 0.0 if is_exact else row.standard_error,
        "verdict": found,
        "reading": reading or "printed",
        "note": _note(fact, row, found),
        "erratum": row.erratum,
        # a difference of near numbers has fewer digits than its parts
        "low": round(low, 12),
        "high": round(high, 12),
        "replicas": replicas,
        "compared": fact["value"] if np.isnan(row.compared) else row.compared,
        "in_kind": bool(row.in_kind),
        "criterion": _criterion(fact, row) if found == "holds" else "",
    }


def _criterion(fact: pd.Series, row) -> str:
    """Return what the row met: its own criterion, or the first that anything says of it."""
    whole = f"{fact['quantity']}: {fact['printed'] or 'checked'}"
    return row.criterion or fact["how_to_test"] or row.note or row.in_kind or whole


def verdict(fact: pd.Series, row) -> str:
    """Return the verdict on one rebuilt row, by the rules in the module's table.

    Parameters
    ----------
    fact : Series
        A row of :func:`companion.papers.published.facts`.
    row : object
        With everything that :func:`compare` documents as attributes; missing ones are
        None or NaN.

    Returns
    -------
    str
        One of `VERDICTS`, never ``"open"``.
    """
    if row.not_comparable:
        return "not comparable"
    if _agrees(fact, row):
        if row.recounted or fact["check_by"] in _REPEATED or fact["role"] == "design":
            return "recounted"
        if fact["kind"] in ("claim", "item") or (
            fact["kind"] == "value" and row.holds is not None
        ):
            return "holds"  # a criterion, met or not, rather than a random number
        if row.in_kind:
            return "in kind" if _width(fact, row) <= WIDEST else "not comparable"
        is_random = row.standard_error > 0 or row.published_error > 0
        return "within noise" if is_random else "exact"
    if row.evidence and _is_explained(fact, row):
        return "explained"
    return "erratum" if row.erratum and _is_corrected(fact, row) else "differs"


def near(printed: float, rebuilt: float, error: float, rounding: float) -> bool:
    """Return whether numbers agree within `MAX_Z` joint standard errors, after rounding.

    >>> near(8.1, 8.0, 0, 0.05), near(8.1, 8.0, 0.0167, 0.05)
    (False, True)
    """
    return bool(abs(float(rebuilt) - printed) - rounding <= MAX_Z * error)


def chances(law: Sequence[float]) -> np.ndarray:
    """Return, for each count, twice the probability of its smaller tail, the count included.

    >>> chances([0.5, 0.25, 0.25]).tolist()
    [1.0, 1.0, 0.5]
    """
    law = np.asarray(law)
    return np.minimum(2 * np.minimum(law.cumsum(), law[::-1].cumsum()[::-1]), 1.0)


def acceptance(fact: pd.Series, row) -> tuple[float, float]:
    """Return the least and the greatest printed number with which a rebuilt number agrees.

    The arguments are those of :func:`verdict`.
    """
    if row.law is not None:
        likely = np.flatnonzero(chances(row.law) >= LEVEL)
        return float(likely[0]), float(likely[-1])
    if row.interval is not None:
        low, high = row.interval
        return float(low) - fact["rounding"], float(high) + fact["rounding"]
    if row.in_kind and row.replicas is not None:
        return prediction_interval(row.replicas, row.replica_error, fact["rounding"])
    noise, printed_error = np.nan_to_num(row.standard_error), row.published_error
    if np.isnan(printed_error):
        # noise in the printed value does not excuse an exact rebuilt one
        printed_error = np.nan_to_num(fact["standard_error"]) if noise else 0.0
    reach = MAX_Z * float(np.hypot(noise, printed_error)) + fact["rounding"]
    return float(row.rebuilt) - reach, float(row.rebuilt) + reach


def prediction_interval(
    replicas: Sequence[float], error: float = 0.0, rounding: float = 0.0
) -> tuple[float, float]:
    r"""Return the interval that holds one more of n normal numbers with probability 1 - `LEVEL`.

    The interval is mean ± t s √(1 + 1/n), with the quantile of Student's t at n − 1
    degrees of freedom, and `rounding` on either side.  s is the standard deviation of
    the replicas, but at least `error`, the Monte Carlo standard error of each of them.

    Examples
    --------
    >>> print("{:.1f} to {:.1f}".format(*prediction_interval([1.0, 2.0, 3.0])))
    -20.2 to 24.2
    """
    n = len(replicas)
    deviation = max(float(np.std(replicas, ddof=1)), error if error > 0 else 0.0)
    reach = -special.stdtrit(n - 1, LEVEL / 2) * deviation * np.sqrt(1 + 1 / n)
    mean = float(np.mean(replicas))
    return mean - reach - rounding, mean + reach + rounding


def _agrees(fact: pd.Series, row) -> bool:
    if fact["kind"] in ("claim", "item") or row.holds is not None:
        return bool(row.rebuilt if row.holds is None else row.holds)
    low, high = acceptance(fact, row)
    return bool(low <= fact["value"] <= high)


def _width(fact: pd.Series, row) -> float:
    """Return the width of the accepted values in percentage points; in other units, zero."""
    points = {"percent": 1.0, "fraction": 100.0}.get(fact["unit"])
    if points is None:
        return 0.0
    low, high = np.clip(np.array(acceptance(fact, row)) * points, 0.0, 100.0)
    return float(high - low)


def _is_explained(fact: pd.Series, row) -> bool:
    """Return whether the other reading agrees, and is at least a standard error nearer."""
    if row.other_holds is not None:
        return bool(row.other_holds)
    gained = abs(row.rebuilt - fact["value"]) - abs(row.other - fact["value"])
    return gained >= row.other_error and near(
        fact["value"], row.other, row.other_error, fact["rounding"]
    )


def _is_corrected(fact: pd.Series, row) -> bool:
    """Return whether the rebuilt value is what the erratum says should be printed."""
    if fact["kind"] in ("claim", "item") or row.corrected is not None:
        return bool(row.corrected)
    known, which = published.corrections(), (row.erratum, row.id)
    noise = 0.0 if np.isnan(row.standard_error) else row.standard_error
    return which in known.index and near(
        known.at[which, "corrected"], row.rebuilt, noise, known.at[which, "rounding"]
    )


def _note(fact: pd.Series, row, found: str) -> str:
    """Return the sentence for the reader."""
    if found == "explained":
        return (
            row.evidence if np.isnan(row.other) else f"{row.other:.3g} {row.evidence}"
        )
    in_kind = row.in_kind and found in ("in kind", "differs", "not comparable")
    if in_kind and row.interval is not None:
        return f"{row.note or row.in_kind}: {_one_more(fact, row.interval)}"
    if in_kind and row.replicas is not None and not row.not_comparable:
        return _note_on_replicas(fact, row)
    return row.note or row.recounted or row.in_kind or row.not_comparable or ""


def _note_on_replicas(fact: pd.Series, row) -> str:
    interval = prediction_interval(row.replicas, row.replica_error)
    return (
        f"{len(row.replicas)} rebuilt: {min(row.replicas):.1f} to {max(row.replicas):.1f}; "
        + _one_more(fact, interval)
    )


def _one_more(fact: pd.Series, interval: tuple[float, float]) -> str:
    low, high = interval
    if fact["unit"] == "percent":
        low = max(low, 0.0)
        high = min(high, 100.0)
    return f"one more lies between {low:.1f} and {high:.1f} with probability {1 - LEVEL:.3f}"
