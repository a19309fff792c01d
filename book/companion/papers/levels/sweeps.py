"""The sentences of Bouckaert (2004) about its sweeps, on networks at a level.

The sentences stand in neither table.  The level of each source is the one that Table 5
of the other paper points to, as for Table 1 of this paper.
"""

from collections.abc import Mapping

import pandas as pd

from companion.lab.experiments import runner
from companion.papers import synthetic
from companion.papers.bouckaert2004 import table_1
from companion.papers.bouckaert2004.sweeps import claims
from companion.papers.bouckaert2004.sweeps.experiments import source_of
from companion.papers.bouckaert2004.sweeps.scores import scores
from companion.papers.levels import committed, tables
from companion.papers.levels.sweep_plans import DATA_SETS, stored_as

#: The table that points to the levels: the one by which Table 1 of this paper is judged.
POINTS_TO_LEVELS = tables.JUDGED_BY[table_1.TABLE.item]

#: Networks of each source, the nearest to its level: as many as of the margin alone, so
#: that errors over networks are as large as those.
NEAREST = synthetic.NETWORKS

#: The sweeps on networks at a level, by stored run.
STORED = {stored_as(sweep): sweep for sweep in DATA_SETS}

#: The stored run that says to which level a table points.
OF_LEVELS = "decisions_at_levels"

#: The stored runs that the sentences are judged by.
NEEDS = (*claims.NEEDS, *STORED, OF_LEVELS)

Results = Mapping[str, runner.Replications]


def nearest(source: int, level: float, networks: int = NEAREST) -> list[int]:
    """Return the places of the networks of a source that are nearest to a level.

    The places are those among the networks of the source.

    >>> len(nearest(2, 74.0))
    10
    """
    known = committed.table()
    own = known[known["source"] == source]
    away = (own["naive_bayes"] - level).abs().sort_values(kind="stable")
    return [committed.source_and_place(name)[1] for name in away.index[:networks]]


def levels(
    of_levels: Results, table: synthetic.Table = POINTS_TO_LEVELS
) -> dict[int, float]:
    """Return the level of each source that a table points to, in percent.

    `of_levels` is the stored run `OF_LEVELS`.
    """
    of_networks = tables.measured({OF_LEVELS: of_levels})
    return {
        source: found.level
        for source, found in tables.estimates(of_networks, table).items()
    }


def scores_at(
    level_of: Mapping[int, float], results: Mapping[str, Results]
) -> dict[str, pd.DataFrame]:
    """Return the scores of the sweeps on the networks nearest to given levels, by sweep.

    `results` are by stored run (`STORED`); columns as `scores`.
    """
    return {
        sweep: pd.concat(
            [
                _of_networks(
                    scores(sweep, {key: one}),
                    nearest(int(source_of(key)), level_of[int(source_of(key))]),
                )
                for key, one in results[run].items()
            ],
            ignore_index=True,
        )
        for run, sweep in STORED.items()
    }


def _of_networks(scored: pd.DataFrame, places: list[int]) -> pd.DataFrame:
    return scored[scored["network"].isin(places)]


def judged(
    by_margin: Mapping[str, pd.DataFrame], at_levels: Mapping[str, pd.DataFrame]
) -> dict[str, pd.DataFrame]:
    """Return the scores by which the sentences are judged, by sweep.

    Source 1 has no level: it is that of `by_margin` (`claims.scores_of_sweeps`), and so
    are the sweeps in which only its Type I error matters.
    """
    both = {
        sweep: pd.concat(
            [by_margin[sweep][by_margin[sweep]["source"] == "1"], scored],
            ignore_index=True,
        )
        for sweep, scored in at_levels.items()
    }
    return {**by_margin, **both}


def ledger_rows(*, results: Mapping[str, Results]) -> pd.DataFrame:
    """Return the ledger rows of the sentences from the stored runs of `NEEDS`."""
    at_levels = scores_at(levels(results[OF_LEVELS]), results)
    return claims.claims(judged(claims.scores_of_sweeps(results), at_levels))
