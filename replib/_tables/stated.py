"""Notes about columns that say how the scores were made, and contradict the design."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from replib._names.words import plain_text
from replib._validation import shown
from replib.designs import CV, Datasets, Design, RandomSplits

#: What a column says by its name, as scikit-learn and others call it.
_FACTS = {
    **dict.fromkeys(("test_size", "test_share", "test_fraction"), "test"),
    **dict.fromkeys(("train_size", "train_share", "train_fraction"), "train"),
    **dict.fromkeys(("n_splits", "num_splits", "nsplits"), "splits"),
    **dict.fromkeys(("n_folds", "num_folds", "nfolds", "nfold", "k_folds"), "folds"),
    **dict.fromkeys(("n_repeats", "num_repeats", "nrepeats"), "runs"),
}
_FACT_OF_NAME = {plain_text(name): fact for name, fact in _FACTS.items()}
#: Columns that name the splitter.
_SPLITTERS = {
    *map(plain_text, ("cv", "splitter", "cv_splitter", "cv_strategy", "resampling"))
}
_OF_TIME = "TimeSeriesSplit"
#: Folds differ by a few rows, and a share may be rounded to two digits.
_SHARE_ERROR = 0.0051


def notes_on_stated_design(
    frame: pd.DataFrame, used: Iterable[Any], design: Design
) -> Iterator[str]:
    """Note that a column says other splits than the design.

    Parameters
    ----------
    frame : DataFrame
    used : iterable
        Columns that were mentioned.
    design : Design

    Examples
    --------
    >>> frame = pd.DataFrame({"model": ["a", "b"], "n_splits": [5, 5]})
    >>> list(notes_on_stated_design(frame, [], CV(1, 10)))
    ["Column 'n_splits' says 5, and the design 1 run of 10-fold cross-validation: which is it?"]
    """
    splits = design.within if isinstance(design, Datasets) else design
    if not isinstance(splits, CV | RandomSplits):
        return
    names = [*used]
    for name in frame:
        is_fact = plain_text(name) in (*_FACT_OF_NAME, *_SPLITTERS)
        if name in names or not is_fact:
            continue
        values = frame[name].map(str).unique()  # or splitters, as they are written
        if len(values) != 1:
            continue  # labels of runs or folds, and no setting of them all
        facts = _stated(plain_text(name), values[0])
        if any(_contradicts(splits, fact, number) for fact, number in facts):
            yield (
                f"Column {shown(name)} says {values[0]}, and the design {splits}: which "
                "is it?"
            )


def _stated(name: str, text: str) -> list[tuple[str, float]]:
    """Return what a cell says of the splits: facts, and the number of each.

    >>> _stated("cv", "StratifiedKFold(n_splits=5, shuffle=True)"), _stated("cv", "10")
    ([('splits', 5.0)], [('folds', 10.0)])
    """
    number = pd.to_numeric(text, errors="coerce")
    if not pd.isna(number):
        return [(_FACT_OF_NAME.get(name, "folds"), float(number))]
    return _stated_by_splitter(text) if name in _SPLITTERS else []


def _stated_by_splitter(text: str) -> list[tuple[str, float]]:
    """Return what a splitter says, as scikit-learn or a person writes it."""
    facts = [
        (_FACT_OF_NAME[plain_text(setting)], float(number))
        for setting, number in re.findall(r"(\w+)=(\d*\.?\d+)", text)
        if plain_text(setting) in _FACT_OF_NAME
    ]
    folds = re.search(r"(\d+)[- ]?fold", text, flags=re.IGNORECASE)
    if folds is not None:
        facts.append(("folds", float(folds[1])))
    if _OF_TIME in text:
        facts.append(("time", 1.0))
    return facts


def _contradicts(design: CV | RandomSplits, fact: str, number: float) -> bool:
    """Return whether a fact cannot be true of a design; what cannot be compared may be true."""
    if fact == "time":
        return True
    if fact in ("test", "train"):
        shares = _shares(design)
        return 0 < number < 1 and abs(number - shares[fact]) > _SHARE_ERROR
    if not number.is_integer():
        return False  # no number of splits, such as a coefficient of variation
    if isinstance(design, RandomSplits):
        return fact == "splits" and number != design.splits
    if fact == "runs":
        return number != design.runs
    return number > 1 and number not in (design.folds, design.runs * design.folds)


def _shares(design: CV | RandomSplits) -> dict[str, float]:
    """Return the shares of test and of training data."""
    if isinstance(design, RandomSplits) and design.test < 1:
        train = 1 - design.test if design.train is None else design.train
        return {"test": design.test, "train": train}
    test = design.ratio / (1 + design.ratio)
    return {"test": test, "train": 1 - test}
