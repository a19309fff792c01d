"""Pictures with controls: computed in the page, or a table if scripts are switched off.

The mathematics is JavaScript in ``templates/``; tests compare it with the library.
"""

import json
import math
import string
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from companion.engine.show.display import html
from companion.engine.show.pictures import names
from companion.engine.show.tables import with_minus_signs
from companion.papers.bouckaert2005.order_statistics import normal_order_statistics

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
            fallback=with_minus_signs(self.fallback.to_html()),
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


def odds(fallback: pd.DataFrame, pairs: Sequence[Mapping[object, object]]) -> Explorer:
    """Return the p-value of a corrected t test against the odds, with the range for a pair.

    `pairs` is `companion.studies.correlation_map.distribution.ranges`.
    """
    return Explorer("odds", fallback, pairs=pairs, values=json.dumps(pairs))


def correlated(fallback: pd.DataFrame, *, rho: float, alpha: float) -> Explorer:
    """Return the Type I errors of the plain and the corrected t test by number of differences."""
    return Explorer("correlated", fallback, rho=rho, alpha=alpha)


#: Letters for numbers of mistakes, as in ``experiments.js``.
_LETTERS = string.ascii_uppercase + string.ascii_lowercase

#: Pictures of the dealing machine, with what its button for the next experiment says.
MACHINES = {
    "seeds": "another seed",
    "beliefs": "another seed",
    "stops": "another seed",
    "truth": "new patients",
}
#: Long experiments that a machine shows at most: a line each.
_MOST_COURSES = 100


def machine(
    fallback: pd.DataFrame,
    kind: str,
    patients: Mapping[str, tuple[np.ndarray, np.ndarray]],
    *,
    alpha: float,
    runs: int | None = None,
    **options: object,
) -> Explorer:
    """Return the dealing machine: patients are dealt into folds, and a p-value lands.

    Parameters
    ----------
    fallback : DataFrame
    kind : str
        One of `MACHINES`: p-values and decisions of seeds, predictions of a rerun, stops,
        or p-values of the true difference.
    patients : dict of str to (ndarray, ndarray)
        In words whose patients they are; the mistakes of both learners, of shape (seeds,
        runs, folds, 2), and the sizes of the folds.  The last one is shown first.
    alpha : float
    runs : int, optional
        Of a long experiment, which goes on with the runs of the next seeds.
    **options
        For the script: `truth`, or `least`, `wanted` and `words` of stops.
    """
    first, sizes = next(iter(patients.values()))
    n_seeds, n_runs = first.shape[:2]
    limit = min(n_seeds, _MOST_COURSES) if kind == "stops" else n_seeds
    values = {
        "kind": kind,
        "alpha": alpha,
        "ratio": 1 / (len(sizes) - 1),
        "limit": limit,
        "most": n_seeds,
        "patients": {
            f"p{place}": {
                "mistakes": _in_letters(mistakes),
                "sizes": of_folds.tolist(),
                "runs": n_runs,
                "long": runs or n_runs,
            }
            for place, (mistakes, of_folds) in enumerate(patients.values())
        },
        **options,
    }
    return Explorer(
        "machine",
        fallback,
        kind=kind,
        seeds=n_seeds,
        runs=n_runs,
        limit=limit,
        next=MACHINES[kind],
        patients=[(f"p{place}", words) for place, words in enumerate(patients)],
        wanted=options.get("wanted"),
        values=json.dumps(values),
    )


def _in_letters(mistakes: np.ndarray) -> str:
    if mistakes.min() < 0 or mistakes.max() >= len(_LETTERS):
        raise ValueError(
            f"mistakes in a fold must number 0 to {len(_LETTERS) - 1}, "
            f"not {mistakes.min()} to {mistakes.max()}"
        )
    return "".join(_LETTERS[number] for number in mistakes.ravel())


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
    of one item and one seed: see `companion.studies.teams_with_seeds.unit_variances`.
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
