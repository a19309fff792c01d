"""Results of the bench on samples of real data, and whether methods rank as on networks."""

import numpy as np
import pandas as pd
from scipy import stats

from companion.studies.since_the_papers import measures
from companion.studies.since_the_papers.experiments import COUNTED, PAIRS
from companion.studies.since_the_papers.methods import CHEAP

#: The measures of each method.
MEASURES = [
    "rejected",
    "wrong",
    "replicability",
    "new_data",
    "covers_learners",
    "covers_models",
]

#: Places of the pairs of learners.
_PAIRS = [place for place, (_, b) in enumerate(PAIRS.values()) if b is not None]


def by_source(
    results: measures.Results, *kinds: str, n: int = 100, replacement: bool = False
) -> pd.DataFrame:
    """Measure the methods in `CHEAP` on each source: means over the pairs of learners, in percent.

    `results` are stored runs of the bench; only sources of these `kinds` count, with
    data sets of size `n`, drawn with `replacement` or not.  Indexed by `source` and
    `method`; columns are `MEASURES`, as in
    :func:`companion.studies.since_the_papers.measures.measures`; `new_data` is
    estimated without bias from all pairs of data sets; `wrong` counts experiments in
    which the worse learner is significantly better.
    """
    rows = {}
    for one in results.values():
        of = one.experiment.parameters
        source, drawn = of["source"], (of["instances"], of.get("replacement", False))
        if source.split(".")[0] not in kinds or drawn != (n, replacement):
            continue
        counts = one.counts.reshape(-1, *one.counts.shape[2:]).astype(int)[:, _PAIRS]
        worse = [
            COUNTED.index("b_better" if of["truth"][p] > 0 else "a_better")
            for p in _PAIRS
        ]
        for m, method in enumerate(CHEAP):
            cells = counts[:, :, m].swapaxes(0, 1)
            row = pd.DataFrame(
                [measures._measured([of_pair], method) for of_pair in cells]
            ).mean()
            experiments = cells[..., :3].sum(axis=-1)
            lean = 2 * cells[..., COUNTED.index("undecided")] / experiments - 1
            pairs = lean.sum(axis=1) ** 2 - (lean**2).sum(
                axis=1
            )  # pairs of different data sets
            row["new_data"] = 100 * pairs.mean() / (len(counts) * (len(counts) - 1))
            row["wrong"] = 100 * np.mean(
                [of_pair[:, place] for of_pair, place in zip(cells, worse)]
                / experiments
            )
            rows[source, method] = row
    return pd.DataFrame(rows).T.rename_axis(["source", "method"])[MEASURES]


def rank_correlation(
    here: pd.DataFrame,
    there: pd.DataFrame,
    what: str,
    *,
    resamples: int = 2000,
    seed: int = 1,
) -> tuple[float, float]:
    """Correlate the ranks of methods on two kinds of sources, both from :func:`by_source`.

    Returns Spearman's correlation of the methods' means, and the value that 95% of
    bootstrap resamples of the sources of both kinds exceed.  Resampling adds noise,
    which lowers a correlation, so this limit is cautious.

    >>> sources = pd.MultiIndex.from_product([["a", "b"], ["t", "z", "F"]])
    >>> found = pd.DataFrame({"power": [1, 2, 3, 2, 3, 4]}, sources.rename(["source", "method"]))
    >>> np.round(rank_correlation(found, found**2, "power"), 6).tolist()
    [1.0, 1.0]
    """
    rng = np.random.default_rng(seed)
    ranks = []
    for frame in (here, there):
        values = frame[what].unstack("method").dropna(axis=1).to_numpy()
        drawn = rng.integers(len(values), size=(resamples, len(values)))
        chosen = np.vstack([np.arange(len(values)), drawn])
        ranks.append(stats.rankdata(values[chosen].mean(axis=1), axis=1))
    found, *others = stats.pearsonr(*ranks, axis=1).statistic
    return float(found), float(np.quantile(others, 0.05))
