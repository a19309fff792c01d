"""Pictures with controls: computed in the page, or a table if scripts are switched off.

The mathematics is JavaScript in ``templates/``; tests compare it with the library.
"""

import json
import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from companion.engine.show.display import html
from companion.engine.show.pictures import names
from companion.papers.bouckaert2005.order_statistics import normal_order_statistics
from replib.adaptive import Course

#: Numbers of folds that :func:`designs` offers.
FOLDS = (2, 5, 10, 20)


class Explorer:
    """A picture with controls, which displays itself on a page.

    Parameters
    ----------
    name : str
        Name of its template, ``explorer_<name>.html``.
    fallback : DataFrame
        Shown if scripts are switched off.
    values
        Values for the template.
    """

    def __init__(self, name: str, fallback: pd.DataFrame, **values: object):
        self.name, self.fallback, self.values = name, fallback, values

    def __repr__(self) -> str:
        return f"A picture with controls (on the page).\n{self.fallback}"

    def _repr_html_(self) -> str:
        return html(
            f"explorer_{self.name}",
            id=f"replib-{self.name.replace('_', '-')}",
            fallback=self.fallback.to_html(),
            **self.values,
        )


def designs(fallback: pd.DataFrame, *, alpha: float, test_fraction: float) -> Explorer:
    """Return power and replicability of any design against the difference."""
    return Explorer(
        "designs",
        fallback,
        constants=json.dumps(constants()),
        alpha=alpha,
        test_fraction=test_fraction,
    )


def over_power(
    fallback: pd.DataFrame, *, alpha: float, test_fraction: float
) -> Explorer:
    """Return the replicability of McNemar's test against its power, for any share of test data."""
    return Explorer("over_power", fallback, alpha=alpha, test_fraction=test_fraction)


def again(fallback: pd.DataFrame, *, alpha: float) -> Explorer:
    """Return the probability of a significant result on new data, against the first p-value."""
    return Explorer("again", fallback, alpha=alpha)


def false_discoveries(measured: pd.DataFrame, fallback: pd.DataFrame) -> Explorer:
    """Return, by design, how many of a hundred experiments find something where nothing is.

    `measured` is `companion.studies.which_test.measured`.
    """
    columns = [
        "title",
        "type_1",
        "type_1_deviation",
        "power",
        "replicability_normalized",
        "trainings",
    ]
    rows = measured[columns].to_dict("records")
    return Explorer(
        "false_discoveries", fallback, designs=rows, values=json.dumps(rows)
    )


def bench(
    fallback: pd.DataFrame,
    methods: Sequence[Mapping[str, object]],
    *,
    nulls: Sequence[str],
    sizes: Sequence[int],
    chosen: str,
    alpha: float = 0.05,
) -> Explorer:
    """Return replicability and Type I error of every method, by size and by null hypothesis.

    `methods` from `companion.studies.since_the_papers.measures.by_size`; `nulls`
    in words; `chosen` is the method that is named at first.
    """
    values = {"methods": list(methods), "nulls": list(nulls), "sizes": list(sizes)}
    return Explorer(
        "bench",
        fallback,
        bench=values,
        values=json.dumps(values),
        chosen=chosen,
        alpha=alpha,
    )


def reruns(fallback: pd.DataFrame, decisions: np.ndarray) -> Explorer:
    """Return what each seed finds, by the number of runs, with the reader's own seed marked.

    `decisions` has shape (runs, seeds): 1 where naive Bayes is better, -1 where the
    tree is, or 0.
    """
    marks = ["".join("-.+"[1 + kind] for kind in one) for one in decisions]
    return Explorer(
        "reruns",
        fallback,
        values=json.dumps(marks),
        runs=len(marks),
        seeds=len(marks[0]),
    )


def odds(fallback: pd.DataFrame, pairs: Sequence[Mapping[object, object]]) -> Explorer:
    """Return the p-value of a corrected t test against the odds, with the range for a pair.

    `pairs` is `companion.studies.correlation_map.distribution.ranges`.
    """
    return Explorer("odds", fallback, pairs=pairs, values=json.dumps(pairs))


def beliefs(
    fallback: pd.DataFrame, beliefs: Mapping[int, pd.DataFrame], *, alpha: float
) -> Explorer:
    """Return what each seed predicts about a rerun and what is counted, against its p-value.

    `beliefs` is `companion.studies.short_book.beliefs`.
    """
    looks = [
        {
            "runs": runs,
            "p": (1000 * one["p"]).round().astype(int).tolist(),
            "predicted": (100 * one["predicted"]).round().astype(int).tolist(),
            "counted": one.groupby("decision")["counted"].first().round(3).to_dict(),
        }
        for runs, one in beliefs.items()
    ]
    return Explorer(
        "beliefs",
        fallback,
        values=json.dumps(looks),
        alpha=alpha,
        looks=len(looks),
        seeds=len(looks[0]["p"]),
    )


def correlated(fallback: pd.DataFrame, *, rho: float, alpha: float) -> Explorer:
    """Return the Type I errors of the plain and the corrected t test by number of differences."""
    return Explorer("correlated", fallback, rho=rho, alpha=alpha)


def stopping(
    fallback: pd.DataFrame, course: Course, *, least: int, words: Sequence[str]
) -> Explorer:
    """Return how certain the forecast of each experiment is after each run, and where it stops.

    `words` are for the decisions -1, 0 and 1.
    """
    courses = [
        {"confidence": confidence.round(4).tolist(), "forecast": forecast.tolist()}
        for confidence, forecast in zip(course.confidence, course.forecast)
    ]
    values = {"courses": courses, "least": least, "words": list(words)}
    return Explorer(
        "stopping", fallback, experiments=len(courses), values=json.dumps(values)
    )


def more_data(
    fallback: pd.DataFrame, *, size: int, test_fraction: float, alpha: float
) -> Explorer:
    """Return the replicability of McNemar's test against the difference, for any data set size."""
    return Explorer(
        "more_data",
        fallback,
        size=round(math.log10(size), 1),
        test_fraction=test_fraction,
        alpha=alpha,
    )


def teams(
    fallback: pd.DataFrame,
    pairs: Sequence[Mapping[str, object]],
    *,
    seeds: int,
    items: int,
    alpha: float,
    chosen: int = 0,
) -> Explorer:
    """Return how often two teams with a few seeds agree, against the difference of two networks.

    A pair has a `title`, its `difference`, and the variances `item`, `seed` and `mixed`
    of one item and one seed: see `companion.studies.teams_with_seeds.per_unit`.
    The picture begins with the pair `chosen`.
    """
    return Explorer(
        "teams",
        fallback,
        pairs=pairs,
        values=json.dumps(pairs),
        seeds=seeds,
        items=round(math.log10(items), 2),
        alpha=alpha,
        chosen=chosen,
    )


def schemes(block: np.ndarray, table: pd.DataFrame) -> Explorer:
    """Return how the differences of a block, runs times folds, slide into each scheme's sample.

    `table` has by scheme `n`, the size of the sample, `p`, the p-value in words, and
    `type_1`, the Type I error in percent.
    """
    run, fold = np.indices(block.shape)
    slots = {
        "resampling": np.where(fold == 0, run, -1),
        "k_fold": np.where(run == 0, fold, -1),
        "average_over_folds": run,
        "average_over_runs": fold,
        "average_over_sorted_runs": np.argsort(np.argsort(-block, axis=1), axis=1),
    }
    rows = [
        {
            "title": names.SCHEMES[scheme],
            "n": int(row.n),
            "p": row.p,
            "type_1": f"{row.type_1:.0f}",
            "slots": slots[scheme].ravel().tolist() if scheme in slots else None,
        }
        for scheme, row in table.iterrows()
    ]
    values = {
        "block": block.ravel().round(4).tolist(),
        "folds": block.shape[1],
        "schemes": rows,
    }
    return Explorer("schemes", table, schemes=rows, values=json.dumps(values))


def constants() -> dict[int, list[float]]:
    """Return constants of the sorted scheme, by number of folds: see ``designs.js``."""
    found = {}
    for folds in FOLDS:
        mean, covariance = normal_order_statistics(folds)
        covariance = covariance - 1 / folds
        found[folds] = [
            float(mean @ mean),
            float(mean @ covariance @ mean),
            float(np.square(covariance).sum()),
        ]
    return found
