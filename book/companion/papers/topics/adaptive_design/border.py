"""The border model: a data set is reduced to its distance from the border of a decision.

Distances are in standard deviations of a run.  Curtailment of a coin is an exact counterpart.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd

from companion.papers.topics.adaptive_design.rules import SEED, stop
from replib import adaptive, replicability


def border_course(
    distance: float, max_runs: int, *, walks: int = 4000, seed: int = SEED
) -> adaptive.Course:
    """Simulate experiments on a data set that is reduced to its distance from the border.

    Each run contributes a normal number with mean `distance` and standard deviation 1; the null
    hypothesis is rejected while their mean is positive.

    The course has the shape (walks, max_runs) and no p-values.
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
    """The cost of a rule, and how often it disagrees with itself, by distance from the border.

    Columns `level`, `distance`; `runs` (mean) with `runs_error`; `rejects`; `disagree`, probability
    that two experiments decide differently (unbiased); and `not_as_all`, share whose decision
    differs from that of all runs.
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
    r"""The cost of replicability where data sets are spread evenly about the border.

    Let a share f of the data sets lie in each unit of distance.  Then f times the integral over
    all distances of the probability of disagreement is the share of pairs that disagree, and
    the mean cost is `min_runs` plus f times the integral of the runs beyond them.  A fixed design
    of r runs disagrees with probability :math:`2\Phi(\delta\sqrt r)\,\Phi(-\delta\sqrt r)`, whose
    integral is :math:`2/\sqrt{\pi r}`.

    Columns `max_runs`, `confidence`; `runs` (mean cost) and `disagree` (percent) of the curtailed
    design; `fixed`, the runs of a fixed design that disagrees as often.
    """
    frames = []
    for most in max_runs:
        # dense where walks of that length are undecided, and as far out as Student's t with so few
        # runs can make any rule wait
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
    """Share of all data sets in a unit of distance about the border.

    A least-squares fit of :func:`disagreement_of_fixed`.
    """
    law = disagreement_of_fixed(1.0, fixed["level"])
    return float(law @ fixed["disagree"] / (law @ law))


def curtailed_coin(
    tosses: int, needed: int, confidence: Fraction, biases: Sequence[Fraction] = ()
) -> pd.DataFrame:
    """Exact results of stochastic curtailment of a coin.

    A run is a toss; the null hypothesis is rejected if at least `needed` of all tosses are heads.
    The rule has a uniform prior for the bias, and stops when one of the two decisions has at least
    the probability `confidence`.

    Columns `bias` (None: averaged over the prior), `tosses` (expected), `not_as_all` (probability
    of a decision other than that of all tosses), as fractions.

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
    """Probability of one sequence with these heads and tails; without a bias, by uniform prior."""
    if bias is None:
        return Fraction(1, (heads + tails + 1) * comb(heads + tails, heads))
    return bias**heads * (1 - bias) ** tails


def _chance(left: int, needed: int, heads: int, tails: int, bias: Fraction | None) -> Fraction:
    """Probability of at least `needed` heads in the tosses left, after these heads and tails."""
    if bias is not None:
        heads = tails = 0  # what has been seen says nothing more
    total = sum(
        comb(left, more) * _probability(heads + more, tails + left - more, bias)
        for more in range(max(needed, 0), left + 1)
    )
    return Fraction(total) / _probability(heads, tails, bias)
