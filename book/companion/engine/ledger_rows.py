"""The ledger without a chapter: rows from every module of papers and studies that has some.

This module depends on every paper, every study and every stored run; no module used by
a chapter imports it.
"""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType

import pandas as pd

from companion import papers, stored, studies
from companion.papers import ledger


def modules() -> dict[str, ModuleType]:
    """Return the modules with a function `ledger_rows`, by their name within their floor.

    Examples
    --------
    >>> modules()["bouckaert2004.table_1"].__name__
    'companion.papers.bouckaert2004.table_1'
    """
    with_rows = {}
    for floor in (papers, studies):
        prefix = f"{floor.__name__}."
        for found in pkgutil.walk_packages(floor.__path__, prefix):
            module = importlib.import_module(found.name)
            if hasattr(module, "ledger_rows"):
                with_rows[found.name.removeprefix(prefix)] = module
    return with_rows


def rows(from_modules: Iterable[ModuleType]) -> Iterator[pd.DataFrame]:
    """Compute the rows of each module in turn, with its default parameters, and their verdicts.

    A module that needs stored runs names them in `NEEDS` and is passed them as
    `results`.
    """
    for module in from_modules:
        parameters = {}
        if needs := getattr(module, "NEEDS", ()):
            parameters["results"] = {run: stored.load(run) for run in needs}
        yield ledger.compare(module.ledger_rows(**parameters), chapter="")
