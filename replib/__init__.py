"""Replicability of classifier experiments: would the same experiment say the same again?

The library, in the order in which data flows through it:

================================  =============================================================
`replib.schemes`                  the six ways to make a sample out of runs x folds differences
`replib.significance`             the tests: t, signed rank, sign, McNemar, 5x2cv, F
`replib.multiple_comparisons`     Holm and its relatives
`replib.adaptive`                 cross-validation that stops when its decision is stable
`replib.replicability`            R1, R2, R_k from repeated outcomes, intervals, consistency
`replib.replication_probability`  will it be significant again on new data?
`replib.theory`                   exact and limiting replicability of McNemar's test
`replib.comparison`               the entrance: your scores or predictions in, a report out
================================  =============================================================

The book that rebuilds four papers on this question is a separate package, `companion`, which uses
this one.  Subpackages are imported when they are first used:

>>> import replib
>>> replib.replicability.r2_from_counts(8, 10)
0.6444444444444445
"""

import importlib
import pkgutil
from types import ModuleType

__version__ = "0.1.0"

_ROOMS = {module.name for module in pkgutil.iter_modules(__path__)}


def __getattr__(name: str) -> ModuleType:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_ROOMS})
