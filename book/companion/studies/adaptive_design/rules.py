"""Rules of the adaptive scheme that Bouckaert (2005, Section 5) sketches, by name and level."""

from collections.abc import Mapping, Sequence

import pandas as pd

#: The designs that are compared: rules, and for each the levels (runs, decisions in a
#: row, confidences) at which it is tried.
LEVELS = {
    "fixed": (1, 2, 5, 10, 20, 50),
    "agreeing": (2, 3, 5, 10, 20),
    "curtailed": (0.8, 0.9, 0.95, 0.99),
    "first_rejection": (1,),
}
SEED = 2005
# Columns that name a design.
DESIGN = ["rule", "level"]
# The names of designs in tables.
_TITLES = {
    "fixed": "{} runs",
    "agreeing": "{} agree",
    "curtailed": "curtailed {}",
    "first_rejection": "first rejection",
}


def levels(
    max_runs: int, rule: str | None = None, level: float | None = None
) -> dict[str, list[float]]:
    """Return `LEVELS` for experiments of at most `max_runs` runs, with one more level.

    >>> by_rule = levels(10, "curtailed", 0.97)
    >>> by_rule["fixed"], by_rule["curtailed"]
    ([1, 2, 5, 10], [0.8, 0.9, 0.95, 0.97, 0.99])
    """
    by_rule = {}
    for name, defaults in LEVELS.items():
        possible = {default for default in defaults if default <= max_runs}
        if name == "fixed":
            possible.add(max_runs)
        if name == rule:
            possible.add(level)
        by_rule[name] = sorted(possible)
    return by_rule


def designs_of(levels: Mapping[str, Sequence[float]]) -> list[tuple[str, float]]:
    """List the designs, rule by rule.

    >>> designs_of({"fixed": (1, 2), "curtailed": (0.9,)})
    [('fixed', 1), ('fixed', 2), ('curtailed', 0.9)]
    """
    return [(rule, level) for rule, values in levels.items() for level in values]


def titled(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn the columns `rule` and `level` of a frame into one readable index, "design".

    Examples
    --------
    >>> frame = pd.DataFrame({"rule": ["fixed", "curtailed"], "level": [5, 0.9], "runs": [5, 4.2]})
    >>> titled(frame)["runs"].to_dict()
    {'5 runs': 5.0, 'curtailed 0.9': 4.2}
    """
    designs = zip(frame["rule"], frame["level"])
    titles = [_TITLES[rule].format(f"{level:g}") for rule, level in designs]
    titles = ["1 run" if title == "1 runs" else title for title in titles]
    return frame.drop(columns=DESIGN).set_axis(pd.Index(titles, name="design"), axis=0)
