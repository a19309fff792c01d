"""Figures 2 to 4: resampling, repeated cross-validation and its sorted form, in nine graphs.

The simulation (`simulation.profile`) is passed in; the limit curves are from
`replib.theory.designs`.  Replicabilities are normalised and in percent unless a name says
otherwise.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from companion.lab.experiments import engine
from companion.lab.sources import task_1
from companion.papers import published
from companion.papers.bouckaert2005 import section_5, simulation
from companion.papers.bouckaert2005.section_4 import percent
from companion.papers.ledger import MAX_Z
from replib import schemes
from replib.theory import designs, worst_case_replicability

#: The stored run that :func:`ledger_rows` takes.
NEEDS = ("profiles",)


def limit_curves(
    sizes: Sequence[int] = simulation.SIZES, *, alpha: float = 0.05, most: float = 50.0,
    **parameters,
) -> pd.DataFrame:
    """Power and replicability of all designs in the limit, against the accuracy difference.

    `parameters` are those of `simulation.all_designs`; `most` is the largest difference in percent.
    McNemar's test is without its correction.  Columns `figure`, `graph`, `design`, `size`,
    `difference`, `power`, `replicability` are as in `simulation.profile`.
    """
    difference = np.linspace(0, most, 201)
    frames = []
    for figure, graph, design in simulation.designs_of(parameters):
        for size in sizes:
            shift = standardised(difference / 100, size, design)
            frames.append(pd.DataFrame({
                "figure": figure, "graph": graph, "design": simulation.title(design), "size": size,
                "difference": difference, "power": 100 * designs.power(design, shift, alpha=alpha),
                "replicability": percent(designs.replicability(design, shift, alpha=alpha)),
            }))
    return pd.concat(frames, ignore_index=True)


def standardised(difference: np.ndarray, size: int, design: designs.Design) -> np.ndarray:
    """The accuracy difference (a fraction) in units of its standard error on a data set.

    The standard deviation of one difference on Task I is that of the signs; McNemar's test divides
    by the square root of the number of discordant instances instead.
    """
    variance = 0.5 if isinstance(design, designs.McNemar) else 0.5 - difference**2
    return np.sqrt(size / variance) * difference


def summary(simulated: pd.DataFrame, *, alpha: float = 0.05, **parameters) -> pd.DataFrame:
    """Type I error, Type I replicability and worst case of each design and size, and their limits.

    Columns `figure`, `graph`, `design`, `size`, `type1_error`, `type1_replicability`,
    `worst_case` (lowest step), each with `_error`, and `limit_type1_error`,
    `limit_type1_replicability`, `limit_worst_case`.
    """
    of_graph = {
        (figure, graph): {
            f"limit_{name}": x for name, x in section_5.limits(design, alpha=alpha).items()
        } for figure, graph, design in simulation.designs_of(parameters)
    }
    rows = []
    for key, curve in simulated.groupby(["figure", "graph", "design", "size"]):
        start, lowest = curve.iloc[0], curve.loc[curve["replicability"].idxmin()]
        rows.append({
            **dict(zip(("figure", "graph", "design", "size"), key)),
            "type1_error": start["power"], "type1_error_error": start["power_error"],
            "type1_replicability": start["replicability"],
            "type1_replicability_error": start["replicability_error"],
            "worst_case": lowest["replicability"],
            "worst_case_error": lowest["replicability_error"],
            **of_graph[key[0], key[1]],
        })
    return pd.DataFrame(rows)


def agreement_with_limits(
    simulated: pd.DataFrame, *, alpha: float = 0.05, **parameters
) -> pd.DataFrame:
    """The limits of each design in Figures 2 to 4, and how far the simulation is from them.

    Indexed by `design`; columns `type1_error`, `type1_replicability`, `worst_case` are the limits
    in percent.  A column per size has the mean squared distance between simulated and limit power
    and replicability, in standard errors, over the steps with a power from 2 to 98%.
    """
    rows = []
    for figure, graph, design in simulation.designs_of(parameters):
        if figure not in (2, 3, 4):
            continue
        row = {"design": simulation.title(design), **section_5.limits(design, alpha=alpha)}
        of_graph = simulated[(simulated["figure"] == figure) & (simulated["graph"] == graph)]
        for size, curve in of_graph.groupby("size"):
            shift = standardised(curve["difference"].to_numpy() / 100, size, design)
            power = 100 * designs.power(design, shift, alpha=alpha)
            agreement = percent(designs.replicability(design, shift, alpha=alpha))
            between = (power > 2) & (power < 98)
            z = np.concatenate([
                (curve["power"] - power) / curve["power_error"],
                (curve["replicability"] - agreement) / curve["replicability_error"],
            ])[np.tile(between, 2)]
            row[f"N = {size}"] = (z**2).mean()
        rows.append(row)
    return pd.DataFrame(rows).set_index("design")


def comparison(
    simulated: pd.DataFrame, first: tuple[int, int], second: tuple[int, int]
) -> pd.DataFrame:
    """Changes from one graph (figure, graph) to another, by size, in percentage points.

    Columns `type1_error`, `type1_replicability`, `worst_case` and `power` (mean over the steps
    with one power below 95% and the other above 5%): second minus first, each with its standard
    error (`_error`), and `power_ratio`, the largest ratio of the powers at a step where the first
    is above 10%.  Both graphs use the same data sets, so the errors are, if anything, too large.
    """
    rows = []
    for size, curves in simulated.groupby("size"):
        one, other = (
            curves[(curves["figure"] == figure) & (curves["graph"] == graph)].reset_index(drop=True)
            for figure, graph in (first, second)
        )
        between = ((one["power"] < 95) & (other["power"] > 5)) | (
            (other["power"] < 95) & (one["power"] > 5)
        )
        lowest = [curve.loc[curve["replicability"].idxmin()] for curve in (one, other)]
        error = np.hypot(one["power_error"], other["power_error"])[between]
        ratio = (other["power"] / one["power"])[one["power"] > 10]
        row = {"size": size}
        for name, column, (a, b) in (
            ("type1_error", "power", (one.iloc[0], other.iloc[0])),
            ("type1_replicability", "replicability", (one.iloc[0], other.iloc[0])),
            ("worst_case", "replicability", lowest),
        ):
            row[name] = b[column] - a[column]
            row[f"{name}_error"] = np.hypot(a[f"{column}_error"], b[f"{column}_error"])
        row["power"] = (other["power"] - one["power"])[between].mean()
        row["power_error"] = np.sqrt((error**2).sum()) / between.sum()
        row["power_ratio"] = ratio.max()
        rows.append(row)
    return pd.DataFrame(rows).set_index("size")


# ------------------------------------------------------------------ the claims


def ledger_rows(
    simulated: pd.DataFrame | None = None, *,
    results: Mapping[str, Mapping[str, engine.Replications]] | None = None, alpha: float = 0.05,
    **parameters,
) -> pd.DataFrame:
    """Ledger rows of Sections 4.2 to 4.4: thirteen claims, three figures, cost and plateau.

    `simulated` is `simulation.profile` for `parameters`, which are those of
    `simulation.all_designs`; by default it is the profile of `results`, the runs of `NEEDS`.  The
    claims compare three graphs per figure; with fewer there are no rows.
    """
    if simulated is None:
        simulated = simulation.profile(results["profiles"])
    shown = simulated[simulated["figure"] <= 4]
    if (shown.groupby("figure")["graph"].nunique() < 3).any() or shown["size"].nunique() < 2:
        return pd.DataFrame(columns=["id", "rebuilt"])
    of = Graphs(simulated, alpha, summary(simulated, alpha=alpha, **parameters))
    rows = [{"id": name, **claim(of)} for name, claim in CLAIMS.items()]
    rows += [
        {"id": f"fig{figure:02d}", "rebuilt": _is_a_profile(shown[shown["figure"] == figure]),
         "in_kind": "the figure prints no numbers; the curves have the shape that is described"}
        for figure in (2, 3, 4)
    ]
    return pd.DataFrame(rows).assign(id=lambda frame: "bouckaert2005." + frame["id"])


#: Graphs (figure, graph) of ten, a hundred and five hundred random test sets.
TEN, HUNDRED, FIVE_HUNDRED = (2, 0), (2, 1), (2, 2)


@dataclass(frozen=True)
class Graphs:
    """The graphs that the claims compare: a simulation, its level and its :func:`summary`."""

    simulated: pd.DataFrame
    alpha: float
    table: pd.DataFrame

    def change(self, first: tuple[int, int], second: tuple[int, int]) -> "Change":
        """Return the :func:`comparison` of two graphs."""
        return Change(comparison(self.simulated, first, second))

    def limit(self, measure: str, figure: int) -> list[float]:
        """Return a measure of the three graphs of a figure in the limit of large data sets."""
        own = self.table[self.table["figure"] == figure]
        return own.groupby("graph")[f"limit_{measure}"].first().tolist()

    def folds(self) -> list["Change"]:
        """Return the changes from the graphs of Figure 2 to those of Figure 3."""
        return [self.change((2, graph), (3, graph)) for graph in range(3)]

    def sorted_runs(self) -> list["Change"]:
        """Return the changes from the graphs of Figure 3 to those of Figure 4."""
        return [self.change((3, graph), (4, graph)) for graph in range(3)]


class Change:
    """A :func:`comparison` that can tell whether something rises, falls or stays."""

    def __init__(self, by_size: pd.DataFrame):
        self.by_size = by_size

    def __getitem__(self, name: str) -> pd.Series:
        return self.by_size[name]

    def rises(self, *names: str, sign: int = 1) -> bool:
        """Return whether each change has the sign at every size, and in sum is beyond chance."""
        return all(
            (sign * self[name] > 0).all()
            and sign * self[name].sum() > MAX_Z * np.sqrt((self[f"{name}_error"] ** 2).sum())
            for name in names
        )

    def falls(self, *names: str) -> bool:
        """Return whether each falls at every size, and in sum by more than chance."""
        return self.rises(*names, sign=-1)

    def stays(self, name: str) -> bool:
        """Return whether the change is within noise at every size."""
        return bool((self[name].abs() <= MAX_Z * self[f"{name}_error"]).all())

    def span(self, name: str, sign: int = 1) -> str:
        """Return the least and the greatest change in words."""
        return _span(sign * self[name])

    def each(self, name: str) -> str:
        """Return the change at each size in words."""
        return ", ".join(
            f"{row[name]:+.1f} ± {row[f'{name}_error']:.1f} (n = {size})"
            for size, row in self.by_size.iterrows()
        )


def mcnemar_and_resampling(of: Graphs) -> dict:
    """cl.06: ten random test sets have more power than one, and a higher worst case."""
    change = of.change((1, 0), TEN)
    better = change.rises("power", "worst_case")
    gain = of.limit("type1_replicability", 2)[0] - of.limit("type1_replicability", 1)[0]
    return {
        "rebuilt": better and bool((change["type1_replicability"] < 0).all()),
        "corrected": better and gain > 0,
        "note": f"power higher by {change.span('power')} points on average, worst case by "
                f"{change.span('worst_case')}; Type I replicability changes by "
                f"{change.each('type1_replicability')}: lower only while the continuity "
                "correction keeps McNemar's test from rejecting; in the limit it is higher by "
                f"{gain:.1f}",
    }


def resampling_and_half_the_data(of: Graphs) -> dict:
    """cl.07: ten random test sets of a tenth of the data have less power than one of a half."""
    change = of.change((1, 2), TEN)
    return {
        "rebuilt": change.falls("power", "worst_case"),
        "note": f"power lower by {change.span('power', -1)} points on average, worst case by "
                f"{change.span('worst_case', -1)}",
    }


def a_hundred_samples(of: Graphs) -> dict:
    """cl.08: 100 samples instead of 10 leave Type I error and replicability unchanged."""
    change = of.change(TEN, HUNDRED)
    better = change.stays("type1_error") and change.rises("power", "worst_case")
    return {
        "rebuilt": better and change.stays("type1_replicability"),
        "corrected": better and change.rises("type1_replicability"),
        "note": f"Type I error changes by {change.each('type1_error')} points, power by "
                f"a factor of up to {change['power_ratio'].max():.1f}, worst case by "
                f"{change.span('worst_case')}: so far right; but Type I replicability "
                f"rises by {change.span('type1_replicability')}",
    }


def five_hundred_samples(of: Graphs) -> dict:
    """cl.09: 500 samples instead of 100 add hardly any power, but add replicability."""
    before, change = of.change(TEN, HUNDRED), of.change(HUNDRED, FIVE_HUNDRED)
    return {
        "rebuilt": bool((change["power"] < before["power"] / 4).all())
        and change.rises("worst_case", "type1_replicability"),
        "note": f"power rises by {change.span('power')} points on average (from 10x to "
                f"100x by {before.span('power')}), worst case by {change.span('worst_case')}",
    }


def folds_for_samples(of: Graphs) -> dict:
    """cl.10: folds instead of as many random test sets raise power and replicability."""
    changes = of.folds()
    first, *others = changes
    mean = lambda change: _numbers(change["power"])
    return {
        "rebuilt": all((change["power"] > 0).all() for change in others)
        and all(change.rises("type1_replicability", "worst_case") for change in changes),
        "corrected": first.falls("power") and all(change.stays("power") for change in others),
        "note": f"in the limit the worst cases are {_numbers(of.limit('worst_case', 3))} "
                f"(resampling {_numbers(of.limit('worst_case', 2))}) and Type I replicability is "
                f"higher, too; power is not: {mean(first)} points on average for 1x10, "
                f"{mean(others[0])} for 10x10, {mean(others[1])} for 50x10",
    }


def one_sorted_run(of: Graphs) -> dict:
    """cl.11: one run has an acceptable Type I error; sorted, it has a higher worst case."""
    change = of.sorted_runs()[0]
    errors = of.table.query("figure == 3 and graph == 0")["type1_error"]
    return {
        "rebuilt": bool((errors < 50 * of.alpha).all())
        and change.falls("type1_replicability") and change.rises("worst_case"),
        "note": f"Type I error of 1x10: {_span(errors)}%; sorted: worst "
                f"case higher by {change.span('worst_case')} points, Type I replicability "
                f"lower by {change.span('type1_replicability', -1)}",
    }


def averages(of: Graphs) -> dict:
    """cl.12: averages over runs or folds hold the level."""
    means = of.simulated.query("figure == 5 and graph == 1 and step == 0")["power"]
    return {
        "rebuilt": bool((means < 200 * of.alpha).all()),
        "corrected": bool(mean_over_folds_on_task_1()["standard deviation"].iloc[0] == 0),
        "note": "the means over folds are all alike and reject unless the two classifiers have as "
                "many wins; means over runs, uncorrected, have a Type I error of "
                f"{_span(means)}% with 10 runs",
    }


def samples_and_the_worst_case(of: Graphs) -> dict:
    """cl.13: more samples raise the worst case; the paper also says the opposite."""
    change = of.change(TEN, HUNDRED)
    return {
        "rebuilt": change.rises("worst_case"),
        "note": "the contradiction is decided: from 10 to 100 samples the worst case rises by "
                f"{change.span('worst_case')} points",
    }


def sorting(of: Graphs) -> dict:
    """cl.14: sorted runs have higher worst cases, and no less power."""
    changes = of.sorted_runs()
    first, *others = changes
    return {
        "rebuilt": all(change.rises("worst_case") for change in changes)
        and all((change["power"] > -change["power_error"]).all() for change in changes),
        "corrected": first.rises("worst_case") and all(change.falls("power") for change in others),
        "note": "better for one run only: worst cases in the limit "
                f"{_numbers(of.limit('worst_case', 4))} against "
                f"{_numbers(of.limit('worst_case', 3))}; with 10 and 50 runs its power is lower by "
                f"{others[0].span('power', -1)} and {others[1].span('power', -1)} points",
    }


def samples_for_replicability(of: Graphs) -> dict:
    """cl.15: each further point of replicability costs more samples."""
    required = section_5.samples_required()
    return {
        "rebuilt": required["per_point"].dropna().is_monotonic_increasing,
        "note": "samples of a tenth for a worst case of 30, 50, 70, 90%, in the limit: "
                + ", ".join(map(str, required["samples"])),
    }


def fifty_runs(of: Graphs) -> dict:
    """cl.16: 50 runs instead of 10 add hardly any power, but add replicability."""
    change = of.change((3, 1), (3, 2))
    return {
        "rebuilt": bool((change["power"] < 5).all()) and change.rises("worst_case"),
        "note": f"from 10 to 50 runs power rises by {change.span('power')} points on average, "
                f"the worst case by {change.span('worst_case')}",
    }


def similar_profiles(of: Graphs) -> dict:
    """cl.17: the profiles of sorted runs are like those of repeated cross-validation."""
    apart, graphs = [], of.simulated.set_index(["figure", "graph", "size", "step"]).sort_index()
    for graph in (1, 2):
        plain, ordered = (
            graphs.loc[(figure, graph), ["power", "replicability"]] for figure in (3, 4)
        )
        between = ((plain["power"] < 95) & (ordered["power"] > 5)) | (
            (ordered["power"] < 95) & (plain["power"] > 5)
        )
        apart.append((plain - ordered)[between].abs().mean())
    return {
        "rebuilt": bool((pd.concat(apart) <= 5).all()),
        "note": "mean distances of power and replicability: " + "; ".join(
            f"{one['power']:.1f} and {one['replicability']:.1f} points with {runs} runs"
            for one, runs in zip(apart, (10, 50))
        ),
    }


def guaranteed_at_either_end(of: Graphs) -> dict:
    """cl.18: replicability is high where there is no difference or a large difference."""
    curves = of.simulated.query("figure <= 4").groupby(["figure", "graph", "size"])
    start, least, end = (curves["replicability"].agg(how) for how in ("first", "min", "last"))
    noise = MAX_Z * curves["replicability_error"].first()
    bound = percent((1 - of.alpha) ** 2 + of.alpha**2)
    return {
        "rebuilt": bool(((start + noise >= bound) & (end == 100) & (least < start)).all()),
        "note": f"at no difference {_span(start)}% (the bound is {bound:.1f}), at the largest "
                f"{_span(end)}%, in between at least {_span(least)}%",
    }


def plateau(of: Graphs) -> dict:
    """The number of samples beyond which more samples add little power."""
    found = section_5.samples_of_the_plateau(alpha=of.alpha)
    return {
        "rebuilt": found, "holds": found <= published.value("bouckaert2005.txt.plateau"),
        "note": "the least number of samples of a tenth from which more of them add less than 5 "
                "points of power at any difference, in the limit",
    }


def cost_ratio(of: Graphs) -> dict:
    """The cost of ten test sets of a tenth of the data, in test sets of a half."""
    return {
        "rebuilt": float(10 * Fraction(1, 10) / Fraction(1, 2)),
        "note": "counting test instances; counting training instances it is "
                f"{float(10 * Fraction(9, 10) / Fraction(1, 2)):.0f}",
    }


#: The function that checks each claim or value.
CLAIMS = {
    "cl.06": mcnemar_and_resampling, "cl.07": resampling_and_half_the_data,
    "cl.08": a_hundred_samples, "cl.09": five_hundred_samples, "cl.10": folds_for_samples,
    "cl.11": one_sorted_run, "cl.12": averages, "cl.13": samples_and_the_worst_case,
    "cl.14": sorting, "cl.15": samples_for_replicability, "cl.16": fifty_runs,
    "cl.17": similar_profiles, "cl.18": guaranteed_at_either_end,
    "txt.plateau": plateau, "txt.cost_ratio": cost_ratio,
}


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in values)


def _span(values: pd.Series) -> str:
    low, high = f"{values.min():.1f}", f"{values.max():.1f}"
    return low if low == high else f"{low} to {high}"


def _is_a_profile(curves: pd.DataFrame) -> bool:
    """Return whether power rises, and replicability is lowest about power 1/2 and reaches 1."""
    for _, graph in curves.groupby("graph"):
        wide = graph.pivot(index="size", columns="step")
        power, noise = wide["power"], MAX_Z * np.sqrt(2) * (wide["power_error"] + 0.1)
        for axis in (0, 1):
            if (power.diff(axis=axis) < -noise).any(axis=None):
                return False
        lowest = wide["replicability"].idxmin(axis=1)
        at_lowest = [power.loc[size, step] for size, step in lowest.items()]
        if not all(30 < value < 70 for value in at_lowest):
            return False
        if (power.iloc[:, -1] < 100).any() or (wide["replicability"].iloc[:, -1] < 100).any():
            return False
    return True


# ------------------------------------------------------------------ errata


def mean_over_folds_on_task_1(
    n: int = 1000, runs: int = 10, folds: int = 10, seed: int = simulation.SEED
) -> pd.DataFrame:
    """Erratum e32: the samples of three averaging schemes from one data set of Task I.

    Columns `scheme`, `sample size`, `least`, `greatest`, `standard deviation` of the sample, in
    test instances of a fold (only A right minus only B right); n must be a multiple of `folds`.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    dealt = task_1.folds(rng, task_1.counts(rng, n), runs=runs, folds=folds)[0]
    # whole numbers, so that equal means are also equal in floating point
    block = dealt[..., 0] - dealt[..., 1]
    samples = {
        scheme: schemes.sample(block, scheme=scheme)
        for scheme in ("average_over_folds", "average_over_runs", "average_over_sorted_runs")
    }
    return pd.DataFrame([
        {"scheme": scheme, "sample size": x.size, "least": x.min(), "greatest": x.max(),
         "standard deviation": x.std(ddof=1)}
        for scheme, x in samples.items()
    ])


def captions_of_figures_2_and_3() -> pd.DataFrame:
    """Erratum e47: the captions of the figures, and what Section 4.3 calls them.

    Columns `figure`, `caption`, `called in Section 4.3`.
    """
    items = published.items().set_index("id")
    return pd.DataFrame([
        {"figure": number, "caption": items.at[f"bouckaert2005.fig{number:02d}", "title"],
         "called in Section 4.3": called}
        for number, called in ((2, "repeated cross validation"), (3, "resampling"))
    ])


def worst_case_by_samples(
    samples: Sequence[int] = (1, 10, 100, 500), test_fraction: float = 0.1
) -> pd.DataFrame:
    """Erratum e48: worst-case replicability of resampling by number of samples.

    In the limit of large data sets, with classifiers that ignore the training data and with a known
    variance, the means of r random test sets in two experiments on the same data have the
    correlation rt / (1 + (r-1) t).  Columns `samples`, `correlation`, `worst case` (normalised,
    percent) and `with s`, the worst case if the variance is estimated.
    """
    r = np.asarray(samples)
    correlation = r * test_fraction / (1 + (r - 1) * test_fraction)
    estimated = [
        percent(designs.worst_case(designs.Resampling(j, test_fraction))[1]) if j > 1 else np.nan
        for j in samples
    ]
    return pd.DataFrame({
        "samples": r, "correlation": correlation,
        "worst case": percent(worst_case_replicability(correlation)), "with s": estimated,
    })


def comparison_of_section_4_2() -> pd.DataFrame:
    """Erratum e49: the figures that one sentence compares; columns `figure`, `experiment`."""
    items = published.items().set_index("id")
    ids = ("bouckaert2005.fig01", "bouckaert2005.fig02")
    return pd.DataFrame({
        "figure": [1, 2], "experiment": [items.at[i, "title"] for i in ids],
    })
