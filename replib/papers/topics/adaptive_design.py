r"""The adaptive scheme that Bouckaert (2005, Section 5) sketches, beside fixed numbers of runs.

Three grounds: the stored cross-validations of the 27 UCI data sets, whose runs are put together to
longer experiments; data sets drawn from the sources of the papers of 2004, for Type I error and
power; and the *border model*, in which nothing is left of a data set but its distance from the
border between the decisions, in standard deviations of a run.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd

from replib import adaptive, replicability
from replib.experiments import engine
from replib.experiments.splits import fold_sizes
from replib.papers import networks, uci

#: The designs that are compared: rules, and for each the levels (runs, decisions in a row,
#: confidences) at which it is tried.
LEVELS = {
    "fixed": (1, 2, 5, 10, 20, 50),
    "agreeing": (2, 3, 5, 10, 20),
    "curtailed": (0.8, 0.9, 0.95, 0.99),
    "first_rejection": (1,),
}

SEED = 2005

#: Data sets of each network in the stored experiments.
DATASETS = 100

# Columns that name a design.
_DESIGN = ["rule", "level"]

# How a design is called in tables.
_TITLES = {
    "fixed": "{} runs", "agreeing": "{} agree", "curtailed": "curtailed {}",
    "first_rejection": "first rejection",
}


def stop(course: adaptive.Course, rule: str, level: float, *, min_runs: int = 3) -> adaptive.Stop:
    """Where a rule stops, by its name.

    Parameters
    ----------
    course : Course
    rule : str
        A name in `LEVELS`.
    level : float
        Runs of "fixed", decisions in a row of "agreeing", confidence of "curtailed"; "first_rejection"
        has none.
    min_runs : int
        Runs before which "agreeing" and "curtailed" may not stop.

    Returns
    -------
    Stop

    Raises
    ------
    ValueError
        If there is no such rule.
    """
    match rule:
        case "fixed":
            return adaptive.fixed(course, level)
        case "agreeing":
            return adaptive.agreeing(course, level, min_runs=min_runs)
        case "curtailed":
            return adaptive.curtailed(course, level, min_runs=min_runs)
        case "first_rejection":
            return adaptive.first_rejection(course)
    raise ValueError(f"rule must be one of {', '.join(LEVELS)}, not {rule!r}")


def levels(
    max_runs: int, rule: str | None = None, level: float | None = None
) -> dict[str, list[float]]:
    """`LEVELS` for experiments of at most so many runs, with one more level.

    Parameters
    ----------
    max_runs : int
        A level of "fixed"; larger numbers of runs, or of decisions in a row, are left out.
    rule : str, optional
        A name in `LEVELS`.
    level : float, optional
        Of this rule.

    Returns
    -------
    dict of str to list

    Raises
    ------
    ValueError
        If there is no such rule.

    Examples
    --------
    >>> found = levels(10, "curtailed", 0.97)
    >>> found["fixed"], found["curtailed"]
    ([1, 2, 5, 10], [0.8, 0.9, 0.95, 0.97, 0.99])
    """
    if rule is not None and rule not in LEVELS:
        raise ValueError(f"rule must be one of {', '.join(LEVELS)}, not {rule!r}")
    more = {"fixed": {max_runs}}
    if rule is not None:
        more.setdefault(rule, set()).add(level)
    return {
        name: sorted({x for x in known if x <= max_runs} | more.get(name, set()))
        for name, known in LEVELS.items()
    }


def _designs(levels: Mapping[str, Sequence[float]]) -> list[tuple[str, float]]:
    return [(rule, level) for rule, values in levels.items() for level in values]


def titled(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame of designs for reading: `rule` and `level` become one index, "design".

    Examples
    --------
    >>> frame = pd.DataFrame({"rule": ["fixed", "curtailed"], "level": [5, 0.9], "runs": [5, 4.2]})
    >>> print(titled(frame))
                   runs
    design             
    5 runs          5.0
    curtailed 0.9   4.2
    """
    titles = [_TITLES[r].format(f"{x:g}") for r, x in zip(frame["rule"], frame["level"])]
    titles = ["1 run" if title == "1 runs" else title for title in titles]
    return frame.drop(columns=_DESIGN).set_axis(pd.Index(titles, name="design"), axis=0)


# ------------------------------------------------------------------ stored cross-validations


def uci_blocks(
    stored: Mapping[str, engine.Replications], max_runs: int = 50, *, shuffles: int = 4,
    seed: int = SEED,
) -> tuple[pd.DataFrame, np.ndarray]:
    """Long experiments on the UCI data sets, put together from the stored ones.

    The runs of all stored cross-validations of a data set are independent of one another: any
    `max_runs` of them, drawn without looking, are an experiment of that many runs, and
    experiments without a common run are independent.

    Parameters
    ----------
    stored : mapping of str to Replications
        Cross-validations by data set.
    max_runs : int
        Runs of an experiment.
    shuffles : int
        How often the runs of a data set are divided anew into experiments.  An estimate that is
        averaged over shuffles stays unbiased and varies less.
    seed : int

    Returns
    -------
    cells : DataFrame
        `pair`, `dataset`, one row for each element of the first axis of `blocks`.
    blocks : ndarray, shape (cells, shuffles, experiments, max_runs, folds)
        Accuracy differences.

    Raises
    ------
    ValueError
        If there are too few stored runs for two experiments.
    """
    folds = uci.SPLITS["uci_cross_validation"][1]["folds"]
    runs = min(one.counts[..., 0, 0].size for one in stored.values())
    count = runs // max_runs
    if count < 2:
        raise ValueError(
            f"{runs} stored runs are too few for two experiments of {max_runs} runs each"
        )
    cells, blocks = [], []
    for pair in uci.PAIRS:
        for place, (name, x) in enumerate(
            uci.differences(stored, "uci_cross_validation", pair).items()
        ):
            # one seed a data set: the three pairs are compared on the same runs
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(place,)))
            x = x.reshape(-1, folds)
            chosen = [rng.permutation(len(x))[: count * max_runs] for _ in range(shuffles)]
            blocks.append(x[np.array(chosen)].reshape(shuffles, count, max_runs, folds))
            cells.append((pair, name))
    return pd.DataFrame(cells, columns=["pair", "dataset"]), np.stack(blocks)


def course(blocks: np.ndarray, *, test: str, alpha: float = 0.05) -> adaptive.Course:
    """:func:`replib.adaptive.course` of blocks in which constant samples are nothing to warn of.

    Few instances have few values: all differences of a few runs are sometimes equal.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        return adaptive.course(blocks, test=test, alpha=alpha)


def by_cell(
    seen: adaptive.Course, rule: str, level: float, *, min_runs: int = 3
) -> pd.DataFrame:
    """Cost and replicability of one design on each data set.

    Parameters
    ----------
    seen : Course
        Of shape (cells, shuffles, experiments, runs).
    rule, level, min_runs
        As for :func:`stop`.

    Returns
    -------
    DataFrame
        One row a cell: `runs` (mean), `rejects` (share of experiments), `replicability` (raw R2,
        mean over shuffles), `as_all` (share that decide as all runs do), and `experiments`.
    """
    stopped = stop(seen, rule, level, min_runs=min_runs)
    rejects = stopped.decision != 0
    n = rejects.shape[-1]
    mean = lambda x: x.mean(axis=tuple(range(1, x.ndim)))
    return pd.DataFrame({
        "runs": mean(stopped.runs),
        "rejects": mean(rejects),
        "replicability": mean(replicability.r2_from_counts((~rejects).sum(axis=-1), n)),
        "as_all": mean(stopped.decision == seen.decision[..., -1]),
        "experiments": n,
    })


def compare(
    seen: adaptive.Course, levels: Mapping[str, Sequence[float]] = LEVELS, *, min_runs: int = 3
) -> pd.DataFrame:
    """Cost and replicability of designs, averaged over data sets.

    Parameters
    ----------
    seen : Course
        Of shape (cells, shuffles, experiments, runs).
    levels : mapping of str to sequence of float
        Rules and levels as in `LEVELS`.
    min_runs : int

    Returns
    -------
    DataFrame
        Columns `rule`, `level`, `runs`, `rejects`, `as_all` (percent), `replicability`
        (normalised), `standard_error` of it for these data sets, from the variance of R2 with
        one shuffle (with more it is smaller); and `disagree`, percent of pairs of
        experiments that decide differently, with `disagree_error`.
    """
    rows = [
        (rule, level, *_averages(by_cell(seen, rule, level, min_runs=min_runs)))
        for rule, level in _designs(levels)
    ]
    return pd.DataFrame(rows, columns=_DESIGN + _AVERAGES)


_AVERAGES = [
    "runs", "rejects", "as_all", "replicability", "standard_error", "disagree", "disagree_error",
]


def _averages(cells: pd.DataFrame) -> tuple[float, ...]:
    r = cells["replicability"]
    variance = replicability.r2_variance(r.clip(0.5, 1), cells["experiments"])
    error = float(np.sqrt(np.sum(variance)) / len(cells))
    return (
        cells["runs"].mean(), 100 * cells["rejects"].mean(), 100 * cells["as_all"].mean(),
        replicability.normalized(r.mean()), 2 * error, 100 * (1 - r.mean()), 100 * error,
    )


def beside_fixed(compared: pd.DataFrame, every: pd.DataFrame) -> pd.DataFrame:
    """What each adaptive design is worth in runs of a fixed one.

    Parameters
    ----------
    compared : DataFrame
        Of :func:`compare`.
    every : DataFrame
        Of :func:`compare` for "fixed" with every number of runs.

    Returns
    -------
    DataFrame
        The adaptive rows of `compared` with `at_equal_cost`, the normalised replicability of a
        fixed design of the same mean cost (between two whole numbers of runs by a straight line);
        and `equivalent`, the fewest fixed runs from which on all fixed designs are at least as
        replicable (NaN if even the longest is not).
    """
    rows = compared[compared["rule"].isin(["agreeing", "curtailed"])].copy()
    rows["at_equal_cost"] = np.interp(rows["runs"], every["level"], every["replicability"])
    reached = [every["level"][every["replicability"] < r].max() + 1 for r in rows["replicability"]]
    reached = pd.Series(reached, index=rows.index).fillna(1)
    rows["equivalent"] = reached.where(reached <= every["level"].max())
    return rows


def distance_from_border(seen: adaptive.Course) -> np.ndarray:
    """How far a data set is inside the rejection region, in standard deviations of a run.

    Parameters
    ----------
    seen : Course
        Of shape (cells, shuffles, experiments, runs), complete.

    Returns
    -------
    ndarray, shape (cells,)
        Mean margin over mean deviation of all experiments; infinite where no run differs from
        another.
    """
    axes = tuple(range(1, seen.margin.ndim - 1))
    margin, deviation = seen.margin[..., -1].mean(axes), seen.deviation[..., -1].mean(axes)
    with np.errstate(divide="ignore"):
        return margin / deviation


def paths(
    cells: pd.DataFrame, seen: adaptive.Course, pair: str, dataset: str, rule: str, level: float, *,
    experiments: int = 6, min_runs: int = 3,
) -> pd.DataFrame:
    """p-values of a few experiments on one data set after each run, and where a rule stops.

    Parameters
    ----------
    cells, seen
        Of :func:`uci_blocks`, and the :func:`course` of its blocks.
    pair, dataset : str
        A row of `cells`.
    rule, level, min_runs
        As for :func:`stop`.
    experiments : int
        At most so many, the first ones of the first shuffle.

    Returns
    -------
    DataFrame
        One row a run: `experiment`, `runs`, `pvalue`, `stops` (whether the rule stops here),
        `decision` (of the rule where it stops).

    Raises
    ------
    ValueError
        If there is no such data set.
    """
    found = np.flatnonzero((cells["pair"] == pair) & (cells["dataset"] == dataset))
    if not found.size:
        raise ValueError(f"{dataset!r} with {pair!r} is none of the stored cells")
    stopped = stop(seen, rule, level, min_runs=min_runs)
    frames = []
    for e in range(min(experiments, seen.pvalue.shape[2])):
        place = (found[0], 0, e)
        runs = np.arange(1, seen.max_runs + 1)
        frames.append(pd.DataFrame({
            "experiment": e, "runs": runs, "pvalue": seen.pvalue[place],
            "stops": runs == stopped.runs[place], "decision": stopped.decision[place],
        }))
    return pd.concat(frames, ignore_index=True)


# ------------------------------------------------------------------ the border model


def border_course(
    distance: float, max_runs: int, *, walks: int = 4000, seed: int = SEED
) -> adaptive.Course:
    """Experiments on a data set of which only its distance from the border is left.

    Each run contributes a normal number with mean `distance` and standard deviation 1; the null
    hypothesis is rejected while their mean is positive.

    Parameters
    ----------
    distance : float
        Standard deviations of a run; positive where the data set is inside the rejection region.
    max_runs : int
    walks : int
        Experiments.
    seed : int
        The same noise for every distance.

    Returns
    -------
    Course
        Of shape (walks, max_runs), without p-values.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    noise = rng.standard_normal((walks, max_runs))
    runs = np.arange(1, max_runs + 1)
    mean = noise.cumsum(axis=1) / runs
    squares = np.maximum((noise**2).cumsum(axis=1) - runs * mean**2, 0)
    deviation = np.sqrt(squares / np.maximum(runs - 1, 1))
    deviation[:, 0] = np.inf
    margin = mean + distance
    decision = (margin > 0).astype(np.int8)
    confidence = adaptive.confidence_of_forecast(margin, deviation, runs, max_runs)
    no_pvalue = np.full(margin.shape, np.nan)
    return adaptive.Course(decision, no_pvalue, decision, confidence, margin, deviation, max_runs)


def border(
    rule: str, levels: Sequence[float], max_runs: int, *, distances: Sequence[float],
    min_runs: int = 3, walks: int = 4000, seed: int = SEED,
) -> pd.DataFrame:
    """What a rule costs, and how often it disagrees with itself, by the distance from the border.

    Parameters
    ----------
    rule, min_runs
        As for :func:`stop`.
    levels : sequence of float
        Of the rule.
    max_runs : int
    distances : sequence of float
    walks, seed
        As for :func:`border_course`.

    Returns
    -------
    DataFrame
        Columns `level`, `distance`; `runs` (mean) with `runs_error`; `rejects`; `disagree`,
        probability that two experiments decide differently (unbiased); and `not_as_all`, share
        that decide otherwise than all runs.
    """
    rows = []
    for distance in distances:
        seen = border_course(distance, max_runs, walks=walks, seed=seed)
        for level in levels:
            stopped = stop(seen, rule, level, min_runs=min_runs)
            rejects = stopped.decision != 0
            rows.append((
                level, distance, stopped.runs.mean(), stopped.runs.std(ddof=1) / np.sqrt(walks),
                rejects.mean(), 1 - replicability.r2_from_counts((~rejects).sum(), walks),
                (stopped.decision != seen.decision[:, -1]).mean(),
            ))
    return pd.DataFrame(rows, columns=[
        "level", "distance", "runs", "runs_error", "rejects", "disagree", "not_as_all",
    ])


def prices(
    max_runs: Sequence[int], confidences: Sequence[float], density: float, *, min_runs: int = 3,
    walks: int = 1000, seed: int = SEED,
) -> pd.DataFrame:
    r"""What replicability costs where data sets are spread evenly about the border.

    Let a share f of the data sets lie in each unit of distance.  Then f times the integral over
    all distances of the probability of disagreement is the share of pairs that disagree, and
    the mean cost is `min_runs` plus f times the integral of the runs beyond them.  A fixed design of
    r runs disagrees with probability :math:`2\Phi(\delta\sqrt r)\,\Phi(-\delta\sqrt r)`, whose
    integral is :math:`2/\sqrt{\pi r}`.

    Parameters
    ----------
    max_runs : sequence of int
    confidences : sequence of float
        Of the rule "curtailed".
    density : float
        The share f.
    min_runs : int
    walks, seed
        As for :func:`border_course`.

    Returns
    -------
    DataFrame
        Columns `max_runs`, `confidence`; `runs` (mean cost) and `disagree` (percent) of the
        curtailed design; `fixed`, the runs of a fixed design that disagrees as often.
    """
    frames = []
    for most in max_runs:
        # closely where walks of that length are in doubt, and as far as a Student t of so few
        # runs lets any rule wait
        distances = np.concatenate([[0], np.geomspace(0.1 / np.sqrt(most), 30, 40)])
        found = border("curtailed", confidences, most, distances=distances, min_runs=min_runs,
                       walks=walks, seed=seed)
        for confidence, rows in found.groupby("level"):
            both_sides = lambda y: 2 * float(np.trapezoid(y, distances))
            disagree = density * both_sides(rows["disagree"])
            extra = density * both_sides(rows["runs"] - min(min_runs, most))
            frames.append((
                most, confidence, min(min_runs, most) + extra, 100 * disagree,
                4 * density**2 / (np.pi * disagree**2),
            ))
    return pd.DataFrame(frames, columns=["max_runs", "confidence", "runs", "disagree", "fixed"])


def disagreement_of_fixed(density: float, runs: np.ndarray) -> np.ndarray:
    r"""Percent of pairs of fixed designs that disagree, :math:`2f/\sqrt{\pi r}`; see `prices`."""
    return 200 * density / np.sqrt(np.pi * np.asarray(runs, dtype=float))


def density_at_border(fixed: pd.DataFrame) -> float:
    """Share of all data sets that lie in a unit of distance about the border.

    Parameters
    ----------
    fixed : DataFrame
        Rows of :func:`compare` for "fixed".

    Returns
    -------
    float
        Least squares fit of :func:`disagreement_of_fixed`.
    """
    law = disagreement_of_fixed(1.0, fixed["level"])
    return float(law @ fixed["disagree"] / (law @ law))


# ------------------------------------------------------------------ coins


def curtailed_coin(
    tosses: int, needed: int, confidence: Fraction, biases: Sequence[Fraction] = ()
) -> pd.DataFrame:
    """Stochastic curtailment of a coin, exactly.

    A run is a toss; the null hypothesis is rejected if at least `needed` of all tosses are heads.
    The rule has a uniform prior for the bias, and stops when one of the two decisions has
    probability `confidence` at least.

    Parameters
    ----------
    tosses, needed : int
    confidence : Fraction
    biases : sequence of Fraction
        Probabilities of heads.

    Returns
    -------
    DataFrame
        Columns `bias` (None: averaged over the prior), `tosses` (expected), `not_as_all`
        (probability of another decision than all tosses give), as fractions.

    Examples
    --------
    >>> print(curtailed_coin(3, 2, Fraction(3, 4), [Fraction(1, 2)]).to_string(index=False))
    bias tosses not_as_all
    None      1        1/6
     1/2      1        1/4
    """
    stops = list(_coin_stops(tosses, needed, confidence))
    rows = []
    for bias in (None, *biases):
        cost = wrong = Fraction(0)
        for seen, heads, ways, rejects in stops:
            p = ways * _probability(heads, seen - heads, bias)
            cost += p * seen
            after = _chance(tosses - seen, needed - heads, heads, seen - heads, bias)
            wrong += p * (1 - after if rejects else after)
        rows.append((bias, cost, wrong))
    return pd.DataFrame(rows, columns=["bias", "tosses", "not_as_all"]).astype(object)


def _coin_stops(
    tosses: int, needed: int, confidence: Fraction
) -> Iterator[tuple[int, int, int, bool]]:
    """(tosses, heads, number of sequences, decision) of each state in which the rule stops."""
    ways = {0: 1}
    for seen in range(tosses + 1):
        going = {}
        for heads, count in ways.items():
            rejects = _chance(tosses - seen, needed - heads, heads, seen - heads, None)
            if max(rejects, 1 - rejects) >= confidence:
                yield seen, heads, count, rejects * 2 >= 1
            else:
                for more in (heads, heads + 1):
                    going[more] = going.get(more, 0) + count
        ways = going


def _probability(heads: int, tails: int, bias: Fraction | None) -> Fraction:
    """Of one sequence with so many heads and tails; under the uniform prior if there is no bias."""
    if bias is None:
        return Fraction(1, (heads + tails + 1) * comb(heads + tails, heads))
    return bias**heads * (1 - bias) ** tails


def _chance(left: int, needed: int, heads: int, tails: int, bias: Fraction | None) -> Fraction:
    """Of at least `needed` heads in the tosses that are left, after so many heads and tails."""
    before = _probability(heads, tails, bias) if bias is None else 1
    total = Fraction(0)
    for more in range(max(needed, 0), left + 1):
        after = (
            _probability(heads + more, tails + left - more, None) / before if bias is None
            else _probability(more, left - more, bias)
        )
        total += comb(left, more) * after
    return total


# ------------------------------------------------------------------ sources


def source_outcomes(
    rng: np.random.Generator, *, source: str | dict, instances: int, experiments: int, max_runs: int,
    min_runs: int, folds: int, alpha: float, designs: Sequence[tuple[str, float]],
) -> np.ndarray:
    """Where all designs stop on one data set, with all tests; for :mod:`replib.experiments.engine`.

    Parameters
    ----------
    rng : Generator
    source : str or dict
        What :func:`replib.experiments.on_sources.correct_counts` draws the data set from.
    instances, experiments : int
        Size of the data set, and experiments on it.
    max_runs, min_runs, folds : int
        Of an experiment.
    alpha : float
        Significance level.
    designs : sequence of (str, float)
        Rules with their levels, as for :func:`stop`.

    Returns
    -------
    ndarray of int, shape (tests, designs, experiments, 2)
        Runs and decision, +1 where naive Bayes is better than C4.5; tests in the order of
        `replib.adaptive.TESTS`.
    """
    counts = networks.experiments.correct_counts(
        rng, source=source, instances=instances, experiments=experiments, runs=max_runs, folds=folds,
        learners=("naive_bayes", "c45"),
    )
    differences = (counts[..., 0].astype(int) - counts[..., 1]) / fold_sizes(instances, folds)
    return _outcomes(differences, alpha, min_runs, designs)


def _outcomes(
    differences: np.ndarray, alpha: float, min_runs: int, designs: Sequence[tuple[str, float]]
) -> np.ndarray:
    tests = []
    for test in adaptive.TESTS:
        seen = course(differences, test=test, alpha=alpha)
        stops = [stop(seen, rule, level, min_runs=min_runs) for rule, level in designs]
        tests.append([np.stack(stopped, axis=-1) for stopped in stops])
    return np.array(tests).astype(np.int16)


def source_experiment(
    network: str, *, instances: int = 300, experiments: int = 4, max_runs: int = 50,
    min_runs: int = 3, folds: int = 10, alpha: float = 0.05,
    levels: Mapping[str, Sequence[float]] = LEVELS, seed: int = SEED,
) -> engine.Experiment:
    """The experiment on data sets of one network.

    Parameters
    ----------
    network : str
        A source and the number of its network, such as "source2.0".
    instances, experiments, max_runs, min_runs, folds, alpha
        As for :func:`source_outcomes`.
    levels : mapping of str to sequence of float
        As `LEVELS`, from which the designs are taken in their order.
    seed : int

    Returns
    -------
    Experiment
    """
    stream = tuple(int(part) for part in network.removeprefix("source").split("."))
    return engine.Experiment(
        source_outcomes, seed=seed, stream=stream, parameters={
            "source": network, "instances": instances, "experiments": experiments,
            "max_runs": max_runs, "min_runs": min_runs, "folds": folds, "alpha": alpha,
            # a list, since what JSON makes of a mapping has no order of its own
            "designs": _designs(levels),
        },
    )


def plan() -> dict[str, tuple[engine.Experiment, int]]:
    """What is stored: the experiment of every network, and on how many of its data sets."""
    return {network: (source_experiment(network), DATASETS) for network in networks.names()}


def source_results(
    stored: Mapping[str, engine.Replications], networks: Sequence[str], datasets: int, **setting
) -> tuple[dict[str, engine.Replications], bool]:
    """Results on data sets of each network: the stored ones if there are such, or computed now.

    Parameters
    ----------
    stored : mapping of str to Replications
        By network.
    networks : sequence of str
        As for :func:`source_experiment`.
    datasets : int
        Data sets of each network.
    **setting
        Further arguments of :func:`source_experiment`.

    Returns
    -------
    results : dict of str to Replications
        By network.
    is_stored : bool
    """
    wanted = {network: source_experiment(network, **setting) for network in networks}
    if all(
        network in stored and stored[network].experiment == experiment
        and len(stored[network].counts) >= datasets
        for network, experiment in wanted.items()
    ):
        return {
            network: replace(stored[network], counts=stored[network].counts[:datasets])
            for network in networks
        }, True
    return {
        network: engine.replicate(experiment, datasets) for network, experiment in wanted.items()
    }, False


def on_sources(results: Mapping[str, engine.Replications]) -> pd.DataFrame:
    """Cost, rejections and replicability of all designs on each source.

    Parameters
    ----------
    results : mapping of str to Replications
        Of :func:`source_results`; the networks of a source are put together.

    Returns
    -------
    DataFrame
        Columns `source` (1 to 4), `test`, `rule`, `level`, `runs`; `rejects` with `rejects_error`,
        percent (on source 1 the Type I error, on the others power); `replicability` (normalised)
        with `standard_error`; `disagree` with `disagree_error`, percent of pairs; `as_all`, percent.
        Errors are those of the data sets drawn.
    """
    rows = []
    for source, designs, counts in _by_source(results):
        runs, decision = counts[..., 0], counts[..., 1]
        experiments = counts.shape[3]
        for t, test in enumerate(adaptive.TESTS):
            of_all = decision[:, t, _longest(designs)]
            for d, (rule, level) in enumerate(designs):
                rejects = decision[:, t, d] != 0
                r = replicability.r2_from_counts((~rejects).sum(axis=-1), experiments)
                share, share_error = _mean_and_error(rejects.mean(axis=-1))
                agree, agree_error = _mean_and_error(r)
                rows.append((
                    source, test, rule, level, runs[:, t, d].mean(),
                    100 * share, 100 * share_error,
                    replicability.normalized(agree), 2 * agree_error,
                    100 * (1 - agree), 100 * agree_error,
                    100 * (decision[:, t, d] == of_all).mean(),
                ))
    return pd.DataFrame(rows, columns=[
        "source", "test", *_DESIGN, "runs", "rejects", "rejects_error", "replicability",
        "standard_error", "disagree", "disagree_error", "as_all",
    ])


def rejections(frame: pd.DataFrame) -> pd.DataFrame:
    """Rejections of each design as a table for reading, one column a source.

    Parameters
    ----------
    frame : DataFrame
        Rows of one test of :func:`on_sources`.

    Returns
    -------
    DataFrame of str
        Percent, and in brackets two standard errors; indexed by design (:func:`titled`).
    """
    columns = {
        f"source {source}": [f"{r.rejects:.1f} (±{2 * r.rejects_error:.1f})" for r in rows.itertuples()]
        for source, rows in frame.groupby("source")
    }
    first = frame[frame["source"] == frame["source"].iloc[0]]
    return titled(pd.DataFrame({
        "rule": first["rule"].array, "level": first["level"].array, **columns,
    }))


def change_by_rule(
    results: Mapping[str, engine.Replications], test: str, rule: str, level: float
) -> pd.DataFrame:
    """What a rule changes beside all runs, on the same data sets and runs.

    Parameters
    ----------
    results : mapping of str to Replications
        Of :func:`source_results`.
    test : str
        One of `replib.adaptive.TESTS`.
    rule, level
        One of the designs of the results.

    Returns
    -------
    DataFrame
        Indexed by `source`; `runs` (mean); `rejects` of the rule, `all_runs` of all runs, and
        `change`, their difference, with `change_error`; and `differ`, how many decisions are not the
        same; percent and percentage points.
    """
    t = adaptive.TESTS.index(test)
    rows = {}
    for source, designs, counts in _by_source(results):
        d, longest = designs.index((rule, level)), _longest(designs)
        ours, theirs = counts[:, t, d, :, 1], counts[:, t, longest, :, 1]
        change, error = _mean_and_error(
            (ours != 0).mean(axis=-1) - (theirs != 0).mean(axis=-1)
        )
        rows[source] = {
            "runs": counts[:, t, d, :, 0].mean(), "rejects": 100 * (ours != 0).mean(),
            "all_runs": 100 * (theirs != 0).mean(), "change": 100 * change,
            "change_error": 100 * error, "differ": 100 * (ours != theirs).mean(),
        }
    return pd.DataFrame(rows).T.rename_axis("source")


def fixed_alike(frame: pd.DataFrame, rule: str, level: float) -> pd.DataFrame:
    """How long a fixed design must be to disagree as rarely as another design, on each source.

    Parameters
    ----------
    frame : DataFrame
        Rows of one test of :func:`on_sources`.
    rule, level
        One of its designs.

    Returns
    -------
    DataFrame
        Indexed by `source`; `runs` of the design, `disagree` (percent), and `fixed_alike`, the runs of
        a fixed design, between those there are by straight lines on logarithmic scales; NaN if even
        the longest disagrees more often.
    """
    rows = {}
    for source, designs in frame.groupby("source"):
        one = designs[(designs["rule"] == rule) & (designs["level"] == level)].iloc[0]
        fixed = designs[designs["rule"] == "fixed"].sort_values("level")
        disagree = np.minimum.accumulate(fixed["disagree"])
        alike = np.nan
        if one["disagree"] > 0 and one["disagree"] >= disagree.iloc[-1]:
            alike = np.exp(np.interp(
                -np.log(one["disagree"]), -np.log(disagree.clip(lower=1e-9)), np.log(fixed["level"])
            ))
        rows[source] = {"runs": one["runs"], "disagree": one["disagree"], "fixed_alike": alike}
    return pd.DataFrame(rows).T.rename_axis("source")


def ever_rejected(results: Mapping[str, engine.Replications], source: int = 1) -> pd.DataFrame:
    """Type I error of whoever looks after each run and stops at the first significant result.

    Parameters
    ----------
    results : mapping of str to Replications
        Of :func:`source_results`, with the rule "first_rejection".
    source : int

    Returns
    -------
    DataFrame
        Columns `test`, `runs` (at most), `rejects` (percent) with `standard_error`.
    """
    frames = []
    for found, designs, counts in _by_source(results):
        if found != source:
            continue
        first = counts[:, :, designs.index(("first_rejection", 1))]
        # all runs of a fixed design are as many as there may be
        runs = np.arange(1, designs[_longest(designs)][1] + 1)
        for t, test in enumerate(adaptive.TESTS):
            when, decision = first[:, t, :, 0, None], first[:, t, :, 1, None]
            share, error = _mean_and_error(((when <= runs) & (decision != 0)).mean(axis=1))
            frames.append(pd.DataFrame({
                "test": test, "runs": runs, "rejects": 100 * share, "standard_error": 100 * error,
            }))
    return pd.concat(frames, ignore_index=True)


def _by_source(
    results: Mapping[str, engine.Replications],
) -> Iterator[tuple[int, list[tuple[str, float]], np.ndarray]]:
    """Source, its designs, and the counts of all its networks, one data set after another."""
    for source in sorted({result.experiment.stream[0] for result in results.values()}):
        parts = [r for r in results.values() if r.experiment.stream[0] == source]
        counts = np.concatenate([part.counts for part in parts]).astype(int)
        designs = [tuple(design) for design in parts[0].experiment.parameters["designs"]]
        yield source, designs, counts


def _longest(designs: Sequence[tuple[str, float]]) -> int:
    """Place of the design with all runs."""
    return designs.index(("fixed", max(level for rule, level in designs if rule == "fixed")))


def _mean_and_error(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over data sets, the first axis, and its standard error."""
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))
