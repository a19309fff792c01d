"""What a column has by its name alone: times, sizes and counts are no scores of a model.

Names are matched as a whole, so that a model that is called "10 features" or a metric
that is called "time to accuracy" is none of these.
"""

import re

#: Columns of times, as scikit-learn, trackers and people call them.  A column that is
#: called "time" alone may be a model of the time domain.
_TIME = re.compile(
    r"(?:(?:avg|average|mean|total)[ _])?"
    r"(?:(?:fit|train|training|test|testing|score|scoring|predict|prediction|inference"
    r"|wall|wall[ _]clock|cpu|gpu|run|elapsed|build|compute)[ _]?times?"
    r"|runtime|duration|seconds|secs|time(?=[ _]?[(\[])|time[ _](?:s|sec|secs|seconds|ms))"
    r"(?:[ _]?[(\[]?(?:s|sec|secs|seconds|ms|min|minutes|h|hours)[)\]]?)?"
)
#: Columns of sizes: of a data set, or of a model.
_SIZE = re.compile(
    r"(?:n|nr|num|number[ _]of|no|#)[ _.]*"
    r"(?:instances|samples|rows|examples|items|features|attributes|classes|params"
    r"|parameters|epochs|steps|iterations|trees|leaves|nodes|tokens|seeds|runs|folds)"
    r"|(?:num|number[ _]of|n)?[ _]?(?:trainable[ _])?(?:params|parameters)"
    r"|flops|gflops|macs|model[ _]size|memory|peak[ _]memory|support"
)
#: Columns of tests, and of what tells rows apart.
_P_VALUE = re.compile(r"p[ _-]?values?|p[ _-]?val|t[ _-]?stat(?:istic)?s?")
_IDENTIFIER = re.compile(
    r"(?:(?:run|job|trial|experiment|exp|sample|row|task|model)[ _]?)?(?:id|uuid)"
)


def measured_by_name(name: object) -> str | None:
    """Return what a column has by its name, such as "times"; None for a name like any other.

    Parameters
    ----------
    name : object

    Returns
    -------
    str or None

    Examples
    --------
    >>> names = ("fit_time", "time (s)", "#instances", "n_params", "time", "10 features")
    >>> [measured_by_name(name) for name in names]
    ['times', 'times', 'sizes', 'sizes', None, None]
    """
    plain = str(name).strip().casefold()
    if _TIME.fullmatch(plain):
        return "times"
    if _SIZE.fullmatch(plain):
        return "sizes"
    if _P_VALUE.fullmatch(plain):
        return "results of tests"
    return "identifiers" if _IDENTIFIER.fullmatch(plain) else None
