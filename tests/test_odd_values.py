"""Odd values at the door: a table and a result, or a refusal in one line that is ours."""

import datetime
import decimal
import fractions
import warnings

import numpy as np
import pandas as pd
import pytest

from replib import Items, Metric, Predictions, Scores, compare, from_arrays, from_wide
from replib.planning import plan

RNG = np.random.default_rng(0)


class Odd:
    """An object of somebody else."""

    def __repr__(self):
        return "<odd>"


ODD = (
    None,
    np.nan,
    np.inf,
    -1,
    10**30,
    True,
    "",
    b"b",
    "\x1b[2J\n",
    "1e400",
    [1],
    {"k": 1},
    (1,),
    set(),
    Odd(),
    decimal.Decimal("0.5"),
    fractions.Fraction(1, 2),
    1j,
    np.datetime64("2020-01-01"),
    datetime.date(2020, 1, 1),
    pd.NaT,
    pd.NA,
    np.array([1, 2]),
    len,
)
DTYPES = (
    "category",
    "string",
    "Int64",
    "boolean",
    "float16",
    "uint8",
    "complex",
    "datetime64[ns]",
)
#: Pieces of sentences of other libraries.
FOREIGN = (
    "could not convert",
    "cannot reshape",
    "truth value",
    "unhashable",
    "'<' not",
)

SEEDS = pd.DataFrame(
    {"model": np.repeat(["a", "b"], 4), "run": [*range(4)] * 2, "score": RNG.random(8)}
)
FOLDS = pd.DataFrame(
    {
        "model": np.repeat(["a", "b"], 4),
        "run": [0, 0, 1, 1] * 2,
        "fold": [0, 1] * 4,
        "score": RNG.random(8),
    }
)
ITEMS = SEEDS.rename(columns={"run": "item"})
SETS = SEEDS.rename(columns={"run": "dataset"})
CLASSES = ITEMS.drop(columns="score").assign(
    truth=[0, 1] * 4, prediction=[0, 1, 1, 0, 1, 1, 0, 0]
)
WIDE = pd.DataFrame({"a": RNG.random(4), "b": RNG.random(4), "run": range(4)})
ACCURACY = {"metric": "accuracy"}
TABLES = {
    "seeds": (SEEDS, lambda frame: Scores(frame, design="seeds", **ACCURACY)),
    "folds": (FOLDS, lambda frame: Scores(frame, design="2x2", **ACCURACY)),
    "items": (ITEMS, lambda frame: Scores(frame, design="items", **ACCURACY)),
    "datasets": (SETS, lambda frame: Scores(frame, design="datasets", **ACCURACY)),
    "accuracy": (CLASSES, lambda frame: Predictions(frame, **ACCURACY)),
    "f1": (CLASSES, lambda frame: Predictions(frame, metric="f1_macro")),
    "wide": (WIDE, lambda frame: from_wide(frame, design="seeds", **ACCURACY)),
}


def is_answered(call) -> str:
    """An empty text, or what is wrong with the answer of a call."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except ValueError as refusal:
        text = str(refusal)
        if not text.isprintable() or any(piece in text for piece in FOREIGN):
            return text
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def changed(frame):
    """Copies of a table with an odd value in a cell, a whole column, or one more column."""
    for value in ODD:
        whole = pd.Series([value] * len(frame), dtype=object)
        for column in frame:
            cell = frame.astype({column: object})
            cell.at[3, column] = value
            yield f"{column}[3] = {value!r}", cell
            yield f"{column} = {value!r}", frame.assign(**{column: whole})
        yield f"extra = {value!r}", frame.assign(extra=whole)
    for column in frame:
        for dtype in DTYPES:
            try:
                yield f"{column} as {dtype}", frame.astype({column: dtype})
            except (TypeError, ValueError, OverflowError):
                continue
    yield "empty", frame.iloc[:0]
    yield "a single row", frame.iloc[:1]
    yield "numbers as names", frame.set_axis(range(frame.shape[1]), axis=1)
    yield "one label for all rows", frame.set_axis([0] * len(frame))


@pytest.mark.parametrize("kind", TABLES)
def test_odd_values_in_a_table(kind):
    frame, read = TABLES[kind]
    wrong = {}
    for name, table in changed(frame):
        problem = is_answered(lambda: read(table))
        if problem:
            wrong[name] = problem
    assert wrong == {}


@pytest.mark.parametrize(
    "design", ["seeds", "items", "datasets", "2x2", "4 x 10%", Items(cluster="text")]
)
def test_odd_arrays(design):
    arrays = [
        *ODD,
        [],
        np.zeros((0,)),
        np.zeros((2, 0)),
        np.zeros((0, 2)),
        [[1, 2], [3]],
        pd.Series(dtype=float),
        pd.DataFrame(),
        pd.Series([0.5] * 4, index=[0] * 4),
        np.array(["x"] * 4),
    ]
    wrong = {}
    for values in arrays:
        for clusters in (None, [1] * 4, "x"):
            problem = is_answered(
                lambda: compare(
                    from_arrays(
                        {"a": values, "b": values},
                        design=design,
                        clusters=clusters,
                        **ACCURACY,
                    )
                )
            )
            if problem:
                wrong[repr(values)] = problem
    assert wrong == {}


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_odd_arguments(value):
    pair = {"a": [0.5, 0.6, 0.7], "b": [0.1, 0.4, 0.3]}
    seeds = {"design": "seeds", **ACCURACY}
    calls = [
        *(
            lambda name=name: Metric(**{"name": "x", "better": "higher", name: value})
            for name in ("name", "better", "low", "high")
        ),
        lambda: Scores(SEEDS, **seeds, columns={"score": value}),
        lambda: Scores(SEEDS, **seeds, columns={"ignored": value}),
        lambda: Scores(SEEDS, **seeds, where={"run": value}),
        lambda: compare(pair, **seeds, equivalence=value),
        lambda: compare(value, **seeds),
        lambda: str(plan("seeds", 0.1, n=9, equivalence=value)),
        lambda: str(plan("seeds", value, n=9)),
    ]
    assert [problem for problem in map(is_answered, calls) if problem] == []
