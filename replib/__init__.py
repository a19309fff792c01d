"""Replicability of classifier experiments: would the same experiment say the same again?

>>> import replib
>>> result = replib.compare({"a": [.8, .9, .7, .8], "b": [.6, .7, .6, .7]}, design="2x2",
...                         metric="accuracy")
>>> int(result.decisions[0])
0

=============================================  ================================================
`compare`, `Result`                            models compared by the test that their design needs
`Scores`, `Predictions`, `Metric`              the table that everything reads
`CV`, `RandomSplits`, `Seeds`, `Items`,        how the scores were made
`Datasets`
`read`, `from_wide`, `from_arrays`,            files and objects that become a table
`from_predictions`, `from_cross_validate`,
`from_search`
`train`                                        estimators scored on shared splits
`plan`                                         how many runs, seeds, items are needed
=============================================  ================================================

Below them, each in its module: the tests (`significance`, `schemes`,
`multiple_comparisons`, `methods`), whether they would agree with themselves (`rerun`,
`replicability`, `replication_probability`, `adaptive`), and the theory (`variance`,
`theory`).  Names are loaded when they are first used.
"""

import importlib
import pkgutil
from typing import Any

__version__ = "0.1.0"

_MODULES = {module.name for module in pkgutil.iter_modules(__path__)}
_HOMES = {
    name: module
    for module, names in {
        "comparison": "compare Result",
        "scores": "Scores Predictions Metric",
        "designs": "CV RandomSplits Seeds Items Datasets",
        "readers": "read from_wide from_arrays from_predictions from_cross_validate from_search",
        "training": "train",
        "planning": "plan",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES})
