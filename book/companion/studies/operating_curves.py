"""Behind Table 1 of Bouckaert (2004): Type I errors from two variances, power at equal errors."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.experiments import on_sources, runner
from companion.lab.experiments.results import results_for
from companion.papers import correlated_differences, synthetic
from companion.papers.networks import committed
from companion.papers.synthetic import SOURCES
from replib import schemes
from replib.methods import decide, pvalues

Blocks = Mapping[int, np.ndarray]


def blocks(
    network: int = 0,
    datasets: int = synthetic.DATASETS,
    *,
    instances: int = 300,
    runs: int = 10,
    folds: int = 10,
) -> dict[int, np.ndarray]:
    """Differences of one repeated cross-validation on data sets of a network of each source.

    By source, shape (datasets, runs, folds): accuracy of naive Bayes minus that of
    C4.5, as fractions, on the same data sets as the stored decisions.
    """
    size = {"instances": instances, "experiments": 1, "runs": runs, "folds": folds}
    plan = {}
    for source in SOURCES:
        experiment = runner.Experiment(
            "companion.papers.networks.experiments:correct_counts",
            seed=synthetic.SEED,
            stream=(source, network),
            parameters={"source": committed.name_of(source, network), **size},
        )
        plan[source] = experiment, datasets
    results, _ = results_for(plan, {}, chunk_size=synthetic.CHUNK)
    return {
        source: on_sources.differences(result.counts[:, 0], instances)
        for source, result in results.items()
    }


def type_1_from_variances(block: np.ndarray, alpha: float = 0.05) -> pd.DataFrame:
    r"""Type I error of the paired t test in each scheme, from two variances.

    A t test on n differences takes the variance of their mean to be :math:`s^2/n`.  If
    the variance is really `ratio` times that, t is about :math:`\sqrt{\text{ratio}}`
    times a Student t, and its Type I error follows.  `block` is from equally good
    learners, as on source 1.

    Indexed by scheme: `n`; `true` and `claimed`, the mean square of the mean difference
    and the mean of :math:`s^2/n`, in squared percentage points; `ratio`; `df`, the
    degrees of freedom of a chi-square that varies as much as :math:`s^2`; and in
    percent `predicted`, the same `with_df` instead of n - 1, `observed` and the
    standard error of `observed`.
    """
    rows = {}
    for scheme in schemes.SCHEMES:
        sample = 100 * schemes.sample(block, scheme=scheme)
        n = sample.shape[-1]
        variances = sample.var(axis=-1, ddof=1)
        true = (sample.mean(axis=-1) ** 2).mean()
        claimed = (variances / n).mean()
        ratio = true / claimed
        size = correlated_differences.type1_error_of_scaled_t(ratio, n, alpha=alpha)
        df = 2 * variances.mean() ** 2 / variances.var(ddof=1)
        threshold = special.stdtrit(n - 1, 1 - alpha / 2)
        rejected = decide(block, method=f"{scheme}.paired_t", alpha=alpha) != 0
        share = rejected.mean()
        rows[scheme] = {
            "n": n,
            "true": true,
            "claimed": claimed,
            "ratio": ratio,
            "df": df,
            "predicted": 100 * size,
            "with_df": 200 * special.stdtr(df, -threshold / np.sqrt(ratio)),
            "observed": 100 * share,
            "standard_error": 100 * np.sqrt(share * (1 - share) / len(rejected)),
        }
    return pd.DataFrame(rows).T


def spread_of_runs(differences: Blocks) -> pd.DataFrame:
    """Return how much single folds and means of runs vary within an experiment.

    Indexed by source, root mean squares over the data sets in percentage points:
    `folds`, the standard deviation of the differences in one run; `runs`, that of the
    means of the runs.
    """

    def deviation(values: np.ndarray) -> float:
        return 100 * float(np.sqrt(values.var(axis=-1, ddof=1).mean()))

    rows = {}
    for source, block in differences.items():
        rows[source] = {
            "folds": deviation(block[:, 0]),
            "runs": deviation(block.mean(axis=-1)),
        }
    return pd.DataFrame(rows).T.rename_axis("source")


def operating_points(
    differences: Blocks, designs: Sequence[str], alpha: float = 0.05
) -> pd.DataFrame:
    """Type I error and power of each design at a level: `design`, `source`, `type_1`, `power`."""
    rows = []
    for design in designs:
        pvalue = _pvalues(differences, design)
        rejected = {source: 100 * (p < alpha).mean() for source, p in pvalue.items()}
        rows += [
            (design, source, rejected[1], rejected[source]) for source in SOURCES[1:]
        ]
    return pd.DataFrame(rows, columns=["design", "source", "type_1", "power"])


def power_at_equal_type_1(
    differences: Blocks,
    designs: Sequence[str],
    level: float = 0.05,
    *,
    resamples: int = 200,
) -> pd.DataFrame:
    """Power of designs, each at the significance level that gives it the Type I error `level`.

    Columns `design`, `column` ("source2" to "source4"), `value` (the power), `error`
    (its standard error, from `resamples` bootstrap samples of the data sets) and
    `nominal` (the significance level needed), in percent.
    """
    rng = np.random.default_rng(np.random.SeedSequence(synthetic.SEED))

    def power(null: np.ndarray, values: np.ndarray) -> float:
        return 100 * np.interp(level, *_curve(null, values))

    rows = []
    for design in designs:
        pvalue = _pvalues(differences, design)
        null = pvalue[1]
        for source in SOURCES[1:]:
            values = pvalue[source]
            bootstrap = [
                power(rng.choice(null, len(null)), rng.choice(values, len(values)))
                for _ in range(resamples)
            ]
            row = {
                "design": design,
                "column": f"source{source}",
                "value": power(null, values),
                "error": np.std(bootstrap, ddof=1),
                "nominal": 100 * np.quantile(null, level),
            }
            rows.append(row)
    return pd.DataFrame(rows)


def _pvalues(differences: Blocks, design: str) -> dict[int, np.ndarray]:
    return {
        source: pvalues(block, method=design) for source, block in differences.items()
    }


def _curve(null: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return shares of p-values up to each threshold that occurs, from 0 to 1."""
    thresholds = np.unique(np.concatenate([null, values]))
    shares = []
    for p in (null, values):
        n_up_to = np.searchsorted(np.sort(p), thresholds, side="right")
        shares.append(np.concatenate([[0.0], n_up_to / len(p)]))
    return np.array(shares)
