"""The table of mistakes: each is refused or noted with the sentence in ``rules.json``."""

import json
import re
from functools import cache
from importlib import resources
from typing import Any


@cache
def table() -> dict[str, Any]:
    """Read the table, which a page of the book also reads."""
    text = resources.files("replib.comparison").joinpath("rules.json").read_text("utf-8")
    return json.loads(text)


def apply(rule: str, **facts: Any) -> str:
    """Raise an error with the sentence of a rule, or return it if the mistake is only noted.

    Raises
    ------
    ValueError
        If the rule says that the mistake is refused.

    Examples
    --------
    >>> apply("constant", name="tree", score=0.9)
    'tree has the same score, 0.9, on every split.'
    """
    row = table()["rules"][rule]
    facts = {"say": "greater_is_better=False"} | facts
    sentence = row["says"].format(**{name: shown(value) for name, value in facts.items()})
    if row["verdict"] == "refused":
        raise ValueError(sentence)
    return sentence


def shown(value: Any) -> str:
    r"""Write a value for a sentence: a number with four digits, a text without control characters.

    Examples
    --------
    >>> shown(0.12345), shown("a\tb")
    ('0.1235', 'a\\tb')
    """
    if isinstance(value, float):
        return f"{value:.4g}"
    text = printable(str(value))
    return text if len(text) <= 120 else f"{text[:119]}…"


def printable(text: str) -> str:
    r"""Escape the characters that a terminal or a page would interpret instead of showing.

    Examples
    --------
    >>> printable("tree\x1b[31m")
    'tree\\x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def listed(values: Any, most: int = 6) -> str:
    """Join the first few values with commas."""
    values = [shown(value) for value in values]
    return ", ".join(values[:most]) + (", …" if len(values) > most else "")


def simple(name: Any) -> str:
    """Return a name in lower case and without superfluous blanks."""
    return " ".join(str(name).split()).lower()


def role(name: Any) -> str | None:
    """Return what a column of this name describes (run, fold, dataset ...); None: a classifier."""
    plain = simple(name)
    plain = "unnamed: 0" if plain.startswith("unnamed: ") else plain
    return next((of for of, names in table()["columns"].items()
                 if plain in names and of not in ("classifier", "score")), None)


def is_baseline(name: Any) -> bool:
    """Return whether a name sounds like that of a classifier that only guesses."""
    plain = simple(name).replace("_", " ").replace("-", " ")
    return any(word in plain for word in table()["baselines"])


def measure(metric: Any) -> str:
    """Return the name of a measure as the table spells it, without its unit.

    Examples
    --------
    >>> measure("Test error (%)")
    'error'
    """
    plain = re.sub(r"\s*[(\[][^)\]]*[)\]]$", "", simple(metric or ""))
    return re.sub(r"^(test|val|validation)_", "", re.sub("[ -]", "_", plain))


def metric_range(metric: str | None) -> tuple[str, float, float] | None:
    """Return the kind of a known metric, "score" or "error", and its range; None if unknown."""
    name = measure(metric)
    if name.startswith("neg_"):
        return "score", -float("inf"), 0.0
    if name.startswith("1_") and (found := metric_range(name[1:].lstrip("_"))):  # 1 - accuracy
        return "error" if found[0] == "score" else "score", -float("inf"), float("inf")
    if name in table()["errors"]:
        return "error", 0.0, float("inf")
    for suffix in table()["metric_suffixes"]:
        name = name.removesuffix(suffix)
    if name not in table()["metrics"]:
        return None
    low, high = table()["metrics"][name]
    return "score", -float("inf") if low is None else low, high
