"""What names say about runs: how those of a model are summarised, and which are none."""

import re
from collections.abc import Sequence
from functools import lru_cache

from replib._names.words import MOST_NAMES, plain_text, plain_words, text_in_bracket

#: Words for a summary of runs.
_SUMMARIES = {
    **dict.fromkeys(["mean", "avg", "average"], "mean"),
    "median": "median",
    **dict.fromkeys(["best", "max", "maximum"], "best"),
    **dict.fromkeys(["worst", "min", "minimum"], "worst"),
    **dict.fromkeys(["last", "final", "single"], "last"),
}
_OF_RUNS = re.compile(
    rf"(?P<word>{'|'.join(_SUMMARIES)})\.? (?:(?:out )?of|over|across|from|in)"
    r"(?: the| all)?(?: \d+| n| k)?(?: \w+)?"
    r"|(?P<alone>best|mean|avg|average|median|last)\.?(?: runs?| seeds?| n| \d+)*"
)
#: Models that choose or average others are called so.
_ENSEMBLES = {"ensemble", "pooling", "single", "soup", "teacher", "vote", "voting"}
#: Labels of runs that are computed from the others, or come before them.
_NO_RUNS = re.compile(
    r"(?:(?:run|seed|rep|trial|sample)s?[-_ ])?(?:"
    r"(?:cons|sc|vote|best|pass|avg|mean)[-_ ]?@[-_ ]?(?:\d+|[kn])"
    r"|(?:maj(?:ority)?|consensus|self[-_ ]?consistency|ensemble)"
    r"(?:[-_ ]?(?:vote|voting|of))?(?:[-_ ]?@?[-_ ]?(?:\d+|[kn]))?"
    r"|(?:warm[-_ ]?up|burn[-_ ]?in|dry[-_ ]?run)s?[-_ ]?\d*)(?:[-_ ]runs?)?"
)


@lru_cache(MOST_NAMES)
def summary_of_runs(name: str) -> tuple[str, bool] | None:
    """Return how the runs of a model are summarised by its name, and whether it says of what.

    >>> summary_of_runs("BERT (mean of 5 runs)"), summary_of_runs("ours_best")
    (('mean', True), ('best', False))
    >>> summary_of_runs("mean teacher") is summary_of_runs("best ensemble") is None
    True
    """
    if not _ENSEMBLES.isdisjoint(plain_words(name).split()):
        return None
    in_bracket = text_in_bracket(name)
    words = plain_words(in_bracket or name).split()
    for start in range(len(words)):
        match = _OF_RUNS.fullmatch(" ".join(words[start:]))
        if match is None:
            continue
        if match["word"] is not None:
            return _SUMMARIES[match["word"]], True
        # a model that is called "mean" predicts the mean
        is_whole_name = start == 0 and in_bracket is None
        return None if is_whole_name else (_SUMMARIES[match["alone"]], False)
    return None


def are_summarised_differently(names: Sequence[str]) -> tuple[str, str] | None:
    """Return two names that say that the runs of one model were summarised otherwise.

    >>> are_summarised_differently(["BERT (mean of 5 runs)", "ours (best of 5 runs)"])
    ('BERT (mean of 5 runs)', 'ours (best of 5 runs)')
    >>> are_summarised_differently(["bert (mean)", "bert (max)"])
    """
    first: dict[str, str] = {}
    alone: dict[str, str] = {}
    for name in names:
        summary = summary_of_runs(name)
        if summary is None:
            continue
        kind, says_of_what = summary
        alone.setdefault(kind, name)
        if says_of_what:
            first.setdefault(kind, name)
    if len(first) > 1:
        a, b, *_ = first.values()
        return a, b
    if "best" in alone and "mean" in alone:
        return alone["mean"], alone["best"]
    return None


def is_no_run(label: str) -> bool:
    """Return whether a label is a vote over runs by its name, or comes before them.

    >>> [is_no_run(label) for label in ("maj@5", "warm-up", "main")]
    [True, True, False]
    """
    return _NO_RUNS.fullmatch(plain_text(label)) is not None
