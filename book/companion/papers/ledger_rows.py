"""The ledger without a chapter: rows from every module of `companion.papers` that has some.

This module depends on every paper; no module used by a chapter imports it.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator

import pandas as pd

import companion.papers
from companion.lab.experiments.long_run import Results
from companion.papers import ledger


def modules() -> list[str]:
    """Return the names, below `companion.papers`, of the modules with a function `ledger_rows`.

    Examples
    --------
    >>> "bouckaert2004.table_1" in modules()
    True
    """
    prefix = "companion.papers."
    return [
        module.name.removeprefix(prefix)
        for module in pkgutil.walk_packages(companion.papers.__path__, prefix)
        if hasattr(importlib.import_module(module.name), "ledger_rows")
    ]


def rows(
    names: Iterable[str], load: Callable[[str], Results]
) -> Iterator[pd.DataFrame]:
    """Compute the rows of each module in turn, with its default parameters, and their verdicts.

    A module that needs stored runs names them in `NEEDS` and is passed them as
    `results`; `load` reads one by its name (`companion.stored.load`).
    """
    for name in names:
        module = importlib.import_module(f"companion.papers.{name}")
        needs = getattr(module, "NEEDS", ())
        given = {"results": {run: load(run) for run in needs}} if needs else {}
        yield ledger.compare(module.ledger_rows(**given), chapter="")
