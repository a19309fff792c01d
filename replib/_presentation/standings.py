"""Where three models or more stand: ranks, and letters for those that are not separated."""

import string

import pandas as pd

from replib._numbers import number
from replib.designs import Datasets
from replib.results import Result

#: With more models, a result is printed as a table of ranks, and pairs are only counted.
MOST_IN_SENTENCES = 6


def has_ranks(result: Result) -> bool:
    """Return whether all pairs of three models or more have corrected decisions."""
    is_decided = result.selection == "all" and result.correction != "none"
    return is_decided and len(result.mean_scores) > 2


def are_many(result: Result) -> bool:
    """Return whether a table of ranks says more than a list of pairs."""
    return has_ranks(result) and len(result.mean_scores) > MOST_IN_SENTENCES


def standings(result: Result) -> pd.DataFrame:
    """Return ranks with their intervals and groups, as text.

    Models that share a letter are not separated.  There are no letters where the groups
    are more than the letters.

    Returns
    -------
    DataFrame
        Indexed by model, the best first: `mean`, for data sets `mean rank`, `rank`, such
        as "1–3", and `group`, such as "ab".
    """
    ranks = result.ranks()
    table = pd.DataFrame({"mean": means_as_text(result)}, ranks.index)
    if isinstance(result.data.design, Datasets):
        table["mean rank"] = ranks["mean_rank"].map(lambda rank: number(rank, 2))
    table["rank"] = [_interval(row.low, row.high) for row in ranks.itertuples()]
    groups = _groups(result, list(ranks.index))
    if groups is not None:
        table["group"] = groups
    return table.rename_axis("model")


def means_as_text(result: Result) -> "pd.Series[str]":
    """Return the mean of each model, with three digits or more of the largest."""
    tenth = result.mean_scores.abs().max() / 10
    return result.mean_scores.map(lambda mean: number(mean, width=tenth))


def _interval(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}–{high}"


def _groups(result: Result, models: list[str]) -> list[str] | None:
    """Return the letters of each model, or None if there are too many groups."""
    try:
        sets = result.tied()
    except ValueError:  # more sets than anybody reads
        return None
    in_a_set = {model for members in sets for model in members}
    alone = [[model] for model in models if model not in in_a_set]
    groups = sorted(sets + alone, key=lambda members: models.index(members[0]))
    if len(groups) > len(string.ascii_lowercase):
        return None
    letters = dict.fromkeys(models, "")
    for letter, members in zip(string.ascii_lowercase, groups):
        for model in members:
            letters[model] += letter
    return list(letters.values())


def contiguous_sets(result: Result, models: list[str]) -> list[tuple[int, int]]:
    """Return the first and the last position of each set that stands together in an order.

    Parameters
    ----------
    models : list of str
        All models, in the order in which they are drawn.

    Returns
    -------
    list of pair of int
        Of the sets of models that are not separated, those without a gap.
    """
    try:
        sets = result.tied()
    except ValueError:  # more sets than anybody reads
        return []
    spans = []
    for members in sets:
        positions = [models.index(model) for model in members]
        if max(positions) - min(positions) + 1 == len(positions):
            spans.append((min(positions), max(positions)))
    return sorted(spans)
