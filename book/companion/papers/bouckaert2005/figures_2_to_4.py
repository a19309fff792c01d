"""Figures 2 to 4: resampling, repeated cross-validation and its sorted form, nine graphs.

The simulation (`simulation.profile`) is passed in; the limit curves are those of
`replib.theory.designs`.  Replicabilities are normalised, in percent, unless a name says otherwise.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from companion.lab.sources import task_1
from companion.papers import published, stored
from companion.papers.bouckaert2005 import section_5, simulation
from companion.papers.bouckaert2005.section_4 import percent
from companion.papers.ledger import MAX_Z
from replib import schemes
from replib.theory import designs, worst_case_replicability


def limit_curves(
    sizes: Sequence[int] = simulation.SIZES, *, alpha: float = 0.05, most: float = 50.0,
    **parameters,
) -> pd.DataFrame:
    """Power and replicability of all designs in the limit, over the accuracy difference.

    `parameters` are those of `simulation.all_designs`; `most` is the largest difference in percent.
    McNemar's test stands without its correction.  Columns `figure`, `graph`, `design`, `size`,
    `difference`, `power`, `replicability` as `simulation.profile` has them.
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
    """d: the accuracy difference (a fraction) in units of its standard error on a data set.

    The standard deviation of one difference on Task I is that of the signs; McNemar's test divides
    by the root of the number of discordant instances instead.
    """
    variance = 0.5 if isinstance(design, designs.McNemar) else 0.5 - difference**2
    return np.sqrt(size / variance) * difference


def summary(simulated: pd.DataFrame, *, alpha: float = 0.05, **parameters) -> pd.DataFrame:
    """Type I error and replicability and worst case of each design and size, beside the limits.

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
    """The limits of each design of Figures 2 to 4, and how far the simulation is from its curves.

    Indexed by `design`; columns `type1_error`, `type1_replicability`, `worst_case`, the limits in
    percent; and a column a size: the mean square of the distance between simulated and limit power
    and replicability, in standard errors, over the steps with a power from 2 to 98 %.
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
    """What changes from one graph (figure, graph) to another, for each size, in percentage points.

    Columns `type1_error`, `type1_replicability`, `worst_case` and `power` (mean over the steps
    where either power lies between 5 and 95 %): second less first, each with its standard error
    (`_error`), and `power_ratio`, the largest ratio of the powers at a step where the first is
    above 10 %.  Both see the same data sets, so that the errors are, if anything, too large.
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
    simulated: pd.DataFrame | None = None, *, alpha: float = 0.05, **parameters
) -> pd.DataFrame:
    """Sections 4.2 and 4.3 for the ledger: eleven claims, three figures, cost and plateau.

    `simulated` is `simulation.profile` of `parameters`, which are those of
    `simulation.all_designs`; what is stored by default.  The claims compare three graphs a figure,
    so that with fewer there are no rows.
    """
    if simulated is None:
        simulated = simulation.profile(stored.load("profiles"))
    shown = simulated[simulated["figure"] <= 4]
    if (shown.groupby("figure")["graph"].nunique() < 3).any() or shown["size"].nunique() < 2:
        return pd.DataFrame(columns=["id", "rebuilt"])
    of = lambda first, second: comparison(simulated, first, second)
    table = summary(simulated, alpha=alpha, **parameters).set_index(["figure", "graph", "size"])
    ten, hundred, five_hundred = (2, 0), (2, 1), (2, 2)
    to_mcnemar, to_half = of((1, 0), ten), of((1, 2), ten)
    to_hundred, to_five_hundred = of(ten, hundred), of(hundred, five_hundred)
    to_folds = [of((2, graph), (3, graph)) for graph in range(3)]
    to_sorted = [of((3, graph), (4, graph)) for graph in range(3)]
    more_runs = of((3, 1), (3, 2))

    up = lambda frame, name: _surely(frame, name, 1)
    down = lambda frame, name: _surely(frame, name, -1)
    same = lambda frame, name: bool((frame[name].abs() <= MAX_Z * frame[f"{name}_error"]).all())
    span = lambda frame, name: _span(frame[name])
    folds_power = pd.concat(to_folds[1:])
    worst_of = lambda figure: [
        float(table.loc[(figure, graph), "limit_worst_case"].iloc[0]) for graph in range(3)
    ]
    resampling, folds, sorted_runs = worst_of(2), worst_of(3), worst_of(4)
    numbers = lambda values: ", ".join(f"{value:.1f}" for value in values)
    required, plateau = section_5.samples_required(), section_5.samples_of_the_plateau(alpha=alpha)
    errors_of_one_run = table.loc[(3, 0), "type1_error"]
    means = simulated[(simulated["figure"] == 5) & (simulated["graph"] == 1)]
    rows = [
        {"id": "cl.06", "erratum": "bouckaert2005.e24",
         "rebuilt": up(to_mcnemar, "power") and up(to_mcnemar, "worst_case")
         and bool((to_mcnemar["type1_replicability"] < 0).all()),
         "corrected": up(to_mcnemar, "power") and up(to_mcnemar, "worst_case")
         and _limit_gain((1, 0), ten, table) > 0,
         "note": f"power higher by {span(to_mcnemar, 'power')} points on average, worst case by "
                 f"{span(to_mcnemar, 'worst_case')}; Type I replicability changes by "
                 f"{_by_size(to_mcnemar, 'type1_replicability')}: lower only while the continuity "
                 "correction keeps McNemar's test from rejecting; in the limit it is higher by "
                 f"{_limit_gain((1, 0), ten, table):.1f}"},
        {"id": "cl.07", "rebuilt": down(to_half, "power") and down(to_half, "worst_case"),
         "note": f"power lower by {_span(-to_half['power'])} points on average, worst case by "
                 f"{_span(-to_half['worst_case'])}"},
        {"id": "cl.08", "erratum": "bouckaert2005.e56",
         "rebuilt": same(to_hundred, "type1_error") and up(to_hundred, "power")
         and up(to_hundred, "worst_case") and same(to_hundred, "type1_replicability"),
         "corrected": same(to_hundred, "type1_error") and up(to_hundred, "power")
         and up(to_hundred, "worst_case") and up(to_hundred, "type1_replicability"),
         "note": f"Type I error changes by {_by_size(to_hundred, 'type1_error')} points, power by "
                 f"a factor of up to {to_hundred['power_ratio'].max():.1f}, worst case by "
                 f"{span(to_hundred, 'worst_case')}: so far right; but Type I replicability "
                 f"rises by {span(to_hundred, 'type1_replicability')}"},
        {"id": "cl.09",
         "rebuilt": bool((to_five_hundred["power"] < to_hundred["power"] / 4).all())
         and up(to_five_hundred, "worst_case") and up(to_five_hundred, "type1_replicability"),
         "note": f"power rises by {span(to_five_hundred, 'power')} points on average (from 10x to "
                 f"100x by {span(to_hundred, 'power')}), worst case by "
                 f"{span(to_five_hundred, 'worst_case')}"},
        {"id": "cl.10", "erratum": "bouckaert2005.e57",
         "rebuilt": bool((folds_power["power"] > 0).all())
         and all(up(frame, "type1_replicability") for frame in to_folds)
         and all(up(frame, "worst_case") for frame in to_folds),
         "corrected": down(to_folds[0], "power")
         and all(same(frame, "power") for frame in to_folds[1:]),
         "note": f"in the limit the worst cases are {numbers(folds)} (resampling "
                 f"{numbers(resampling)}) and Type I replicability is higher, too; power is not: "
                 f"{numbers(to_folds[0]['power'])} points on average for 1x10, "
                 f"{numbers(to_folds[1]['power'])} for 10x10, {numbers(to_folds[2]['power'])} for "
                 "50x10"},
        {"id": "cl.11",
         "rebuilt": bool((errors_of_one_run < 50 * alpha).all())
         and down(to_sorted[0], "type1_replicability") and up(to_sorted[0], "worst_case"),
         "note": f"Type I error of 1x10: {_span(errors_of_one_run)} %; sorted: worst "
                 f"case higher by {span(to_sorted[0], 'worst_case')} points, Type I replicability "
                 f"lower by {_span(-to_sorted[0]['type1_replicability'])}"},
        {"id": "cl.12", "erratum": "bouckaert2005.e32",
         "rebuilt": bool((means[means["step"] == 0]["power"] < 200 * alpha).all()),
         "corrected": bool(mean_over_folds_on_task_1()["standard deviation"].iloc[0] == 0),
         "note": "the means over folds are all alike and reject unless the two classifiers have as "
                 "many wins; means over runs, uncorrected, have a Type I error of "
                 f"{_span(means[means['step'] == 0]['power'])} % with 10 runs"},
        {"id": "cl.13", "rebuilt": up(to_hundred, "worst_case"), "erratum": "bouckaert2005.e48",
         "note": "the contradiction is decided: from 10 to 100 samples the worst case rises by "
                 f"{span(to_hundred, 'worst_case')} points"},
        {"id": "cl.14", "erratum": "bouckaert2005.e58",
         "rebuilt": all(up(frame, "worst_case") for frame in to_sorted)
         and all((frame["power"] > -frame["power_error"]).all() for frame in to_sorted),
         "corrected": up(to_sorted[0], "worst_case")
         and all(down(frame, "power") for frame in to_sorted[1:]),
         "note": f"better for one run only: worst cases in the limit {numbers(sorted_runs)} "
                 f"against {numbers(folds)}; with 10 and 50 runs its power is lower by "
                 f"{_span(-to_sorted[1]['power'])} and {_span(-to_sorted[2]['power'])} points"},
        {"id": "cl.15", "rebuilt": required["per_point"].dropna().is_monotonic_increasing,
         "note": "samples of a tenth for a worst case of 30, 50, 70, 90 %, in the limit: "
                 + ", ".join(map(str, required["samples"]))},
        {"id": "cl.16",
         "rebuilt": bool((more_runs["power"] < 5).all()) and up(more_runs, "worst_case"),
         "note": f"from 10 to 50 runs power rises by {span(more_runs, 'power')} points on average, "
                 f"the worst case by {span(more_runs, 'worst_case')}"},
        {"id": "txt.plateau", "rebuilt": plateau,
         "holds": plateau <= published.value("bouckaert2005.txt.plateau"),
         "note": "the least number of samples of a tenth from which more of them add less than 5 "
                 "points of power at any difference, in the limit"},
        {"id": "txt.cost_ratio", "rebuilt": float(10 * Fraction(1, 10) / Fraction(1, 2)),
         "note": "counting test instances; counting training instances it is "
                 f"{float(10 * Fraction(9, 10) / Fraction(1, 2)):.0f}"},
    ]
    rows += [
        {"id": f"fig{figure:02d}", "rebuilt": _is_a_profile(shown[shown["figure"] == figure]),
         "in_kind": "the figure prints no numbers; the curves have the shape that is described"}
        for figure in (2, 3, 4)
    ]
    frame = pd.DataFrame(rows)
    frame["id"] = "bouckaert2005." + frame["id"]
    return frame


def _surely(frame: pd.DataFrame, name: str, sign: int) -> bool:
    """Whether the change has the sign at every size, and over all sizes is no chance."""
    change, error = sign * frame[name], frame[f"{name}_error"]
    return bool((change > 0).all() and change.sum() > MAX_Z * np.sqrt((error**2).sum()))


def _span(values: pd.Series) -> str:
    low, high = f"{values.min():.1f}", f"{values.max():.1f}"
    return low if low == high else f"{low} to {high}"


def _by_size(frame: pd.DataFrame, name: str) -> str:
    return ", ".join(
        f"{row[name]:+.1f} ± {row[f'{name}_error']:.1f} (n = {size})"
        for size, row in frame.iterrows()
    )


def _limit_gain(first: tuple[int, int], second: tuple[int, int], table: pd.DataFrame) -> float:
    column = table["limit_type1_replicability"].groupby(level=["figure", "graph"]).first()
    return column[second] - column[first]


def _is_a_profile(curves: pd.DataFrame) -> bool:
    """Power rises with difference and size; replicability is lowest about power 1/2, then 1."""
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
    test instances of a fold (A right alone minus B right alone); n is a multiple of `folds`.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    dealt = task_1.folds(rng, task_1.counts(rng, n), runs=runs, folds=folds)[0]
    # whole numbers, so that equal means are equal in floating point, too
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
    """Erratum e47: what the captions say, and what Section 4.3 calls the figures.

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
    """Erratum e48: worst-case replicability of resampling over the number of samples.

    In the limit of large data sets, with classifiers that ignore the training data and with the
    variance taken as known: the means of r random test sets in two experiments on the same data
    then have the correlation rt / (1 + (r-1) t).  Columns `samples`, `correlation`, `worst case`
    (normalised, percent) and `with s`, the same where the variance is estimated.
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
    """Erratum e49: the figures that one sentence compares: `figure`, `experiment`."""
    items = published.items().set_index("id")
    ids = ("bouckaert2005.fig01", "bouckaert2005.fig02")
    return pd.DataFrame({
        "figure": [1, 2], "experiment": [items.at[i, "title"] for i in ids],
    })
