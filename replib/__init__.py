"""Replicability of classifier experiments: would the same experiment say the same again?

>>> import replib
>>> result = replib.compare({"a": [.8, .9, .7, .8], "b": [.6, .7, .6, .7]}, design="2x2",
...                         metric="accuracy")
>>> int(result.decisions[0])
0

=============================================  ================================================
`compare`, `Result`                            models compared by the test that their design needs
`estimate`                                     what each model scores, with its interval
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
`replicability`, `replication_probability`, `adaptive`), and `intervals` and `variance`.
Names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# For editors and type checkers only: loading pandas and SciPy takes a second.
if TYPE_CHECKING:
    from replib import (
        adaptive,
        comparison,
        designs,
        estimation,
        intervals,
        methods,
        multiple_comparisons,
        planning,
        readers,
        replicability,
        replication_probability,
        rerun,
        results,
        schemes,
        scores,
        significance,
        training,
        variance,
    )
    from replib.comparison import compare
    from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
    from replib.estimation import estimate
    from replib.planning import plan
    from replib.readers import (
        from_arrays,
        from_cross_validate,
        from_predictions,
        from_search,
        from_wide,
        read,
    )
    from replib.results import Result
    from replib.scores import Metric, Predictions, Scores
    from replib.training import train

__version__ = "0.1.0"

__all__ = [
    "CV",
    "Datasets",
    "Items",
    "Metric",
    "Predictions",
    "RandomSplits",
    "Result",
    "Scores",
    "Seeds",
    "adaptive",
    "compare",
    "comparison",
    "designs",
    "estimate",
    "estimation",
    "from_arrays",
    "from_cross_validate",
    "from_predictions",
    "from_search",
    "from_wide",
    "intervals",
    "methods",
    "multiple_comparisons",
    "plan",
    "planning",
    "read",
    "readers",
    "replicability",
    "replication_probability",
    "rerun",
    "results",
    "schemes",
    "scores",
    "significance",
    "train",
    "training",
    "variance",
]

#: The modules of the public functions and classes.  The other names are modules.
_HOMES = {
    "compare": "comparison",
    "estimate": "estimation",
    "Result": "results",
    "Scores": "scores",
    "Predictions": "scores",
    "Metric": "scores",
    "CV": "designs",
    "RandomSplits": "designs",
    "Seeds": "designs",
    "Items": "designs",
    "Datasets": "designs",
    "read": "readers",
    "from_wide": "readers",
    "from_arrays": "readers",
    "from_predictions": "readers",
    "from_cross_validate": "readers",
    "from_search": "readers",
    "train": "training",
    "plan": "planning",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_HOMES.get(name, name)}")
    return getattr(module, name) if name in _HOMES else module


def __dir__() -> list[str]:
    return __all__
