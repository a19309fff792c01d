"""Figures 2 to 4: resampling, repeated cross-validation and its sorted form, in nine graphs.

The simulation (`simulation.profile`) is passed in; the limit curves are from
`companion.papers.bouckaert2005.models`.  Replicabilities are normalised and in percent unless a name
says otherwise.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy import stats

from companion.lab.experiments import runner
from companion.lab.sources import task_1
from companion.papers import published
from companion.papers.bouckaert2005 import limits, models, section_5, simulation
from companion.papers.bouckaert2005.figure_1 import agreement_of
from companion.papers.bouckaert2005.section_4 import percent
from companion.papers.ledger import LEVEL, MAX_Z
from replib import schemes
from replib.replicability import agreement

#: The stored run that :func:`ledger_rows` takes.
NEEDS = ("profiles",)

#: What the figures are compared by, in the order of :func:`summary`.
MEASURES = ("type1_error", "type1_replicability", "worst_case")


def limit_curves(
    sizes: Sequence[int] = simulation.SIZES,
    *,
    alpha: float = 0.05,
    most: float = 50.0,
    differences: Sequence[float] | None = None,
    **parameters,
) -> pd.DataFrame:
    """Power and replicability of all designs in the limit, against the accuracy difference.

    `parameters` are those of `simulation.all_designs`; the `differences`, in percent,
    are by default a grid up to `most`. McNemar's test is without its correction.
    Columns `figure`, `graph`, `design`, `size`, `difference`, `power`, `replicability`
    are as in `simulation.profile`.
    """
    difference = (
        np.linspace(0, most, 201) if differences is None else np.asarray(differences)
    )
    frames = []
    for figure, graph, design in simulation.designs_of(parameters):
        for size in sizes:
            shift = standardised(difference / 100, size, design)
            frames.append(
                pd.DataFrame(
                    {
                        "figure": figure,
                        "graph": graph,
                        "design": simulation.title(design),
                        "size": size,
                        "difference": difference,
                        "power": 100 * models.power(design, shift, alpha=alpha),
                        "replicability": percent(
                            models.replicability(design, shift, alpha=alpha)
                        ),
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def standardised(difference: np.ndarray, size: int, design: models.Model) -> np.ndarray:
    """The accuracy difference (a fraction) in units of its standard error on a data set.

    The standard deviation of one difference on Task I is that of the signs; McNemar's
    test divides by the square root of the number of discordant instances instead.
    """
    variance = 0.5 if isinstance(design, models.McNemar) else 0.5 - difference**2
    return np.sqrt(size / variance) * difference


def summary(
    simulated: pd.DataFrame, *, alpha: float = 0.05, **parameters
) -> pd.DataFrame:
    """Type I error, Type I replicability and worst case of each design and size, and their limits.

    Columns `figure`, `graph`, `design`, `size`, `type1_error`, `type1_replicability`,
    `worst_case` (lowest step), each with `_error`, and `limit_type1_error`,
    `limit_type1_replicability`, `limit_worst_case`.
    """
    of_graph = {
        (figure, graph): {
            f"limit_{name}": x
            for name, x in section_5.limits(design, alpha=alpha).items()
        }
        for figure, graph, design in simulation.designs_of(parameters)
    }
    names = ["figure", "graph", "design", "size"]
    return pd.DataFrame(
        [
            {**dict(zip(names, key)), **_landmarks(curve), **of_graph[key[:2]]}
            for key, curve in simulated.groupby(names)
        ]
    )


def _landmarks(curve: pd.DataFrame) -> dict[str, float]:
    """Type I error, Type I replicability and worst case (lowest step), each with its `_error`."""
    start, lowest = curve.iloc[0], curve.loc[curve["replicability"].idxmin()]
    places = (start, "power"), (start, "replicability"), (lowest, "replicability")
    return {
        name + ending: point[column + ending]
        for name, (point, column) in zip(MEASURES, places)
        for ending in ("", "_error")
    }


def agreement_with_limits(
    simulated: pd.DataFrame, *, alpha: float = 0.05, **parameters
) -> pd.DataFrame:
    """The limits of each design in Figures 2 to 4, and how far the simulation is from them.

    Indexed by `design`; columns `type1_error`, `type1_replicability`, `worst_case` are
    the limits in percent.  A column per size has the mean squared distance between
    simulated and limit power and replicability, in standard errors, over the steps with
    a power from 2 to 98%.
    """
    curves = limit_curves(
        simulated["size"].unique(),
        alpha=alpha,
        differences=simulated["difference"].unique(),
        **parameters,
    )
    found = agreement_of(simulated, curves, ("figure", "design", "size"), "difference")
    found["both"] = (found["power"] + found["replicability"]) / 2
    squares = found.query("2 <= figure <= 4").pivot(
        index="design", columns="size", values="both"
    )
    frame = pd.DataFrame(
        {
            simulation.title(design): section_5.limits(design, alpha=alpha)
            for figure, _, design in simulation.designs_of(parameters)
            if figure in (2, 3, 4)
        }
    ).T.rename_axis("design")
    return frame.join(squares.add_prefix("N = "))


def comparison(
    simulated: pd.DataFrame, first: tuple[int, int], second: tuple[int, int]
) -> pd.DataFrame:
    """Changes from one graph (figure, graph) to another, by size, in percentage points.

    Columns `type1_error`, `type1_replicability`, `worst_case` and `power` (mean over
    the steps with one power below 95% and the other above 5%): second minus first, each
    with its standard error (`_error`), and `power_ratio`, the largest ratio of the
    powers at a step where the first is above 10%.  Both graphs use the same data sets,
    so the errors are, if anything, too large.
    """
    rows = []
    for size, curves in simulated.groupby("size"):
        one, other = (
            curves[
                (curves["figure"] == figure) & (curves["graph"] == graph)
            ].reset_index(drop=True)
            for figure, graph in (first, second)
        )
        between = _is_between(one["power"], other["power"])
        error = np.hypot(one["power_error"], other["power_error"])[between]
        before, after = _landmarks(one), _landmarks(other)
        rows.append(
            {
                "size": size,
                **{name: after[name] - before[name] for name in MEASURES},
                **{
                    f"{n}_error": np.hypot(before[f"{n}_error"], after[f"{n}_error"])
                    for n in MEASURES
                },
                "power": (other["power"] - one["power"])[between].mean(),
                "power_error": np.sqrt((error**2).sum()) / between.sum(),
                "power_ratio": (other["power"] / one["power"])[one["power"] > 10].max(),
            }
        )
    return pd.DataFrame(rows).set_index("size")


# ------------------------------------------------------------------ the claims


def ledger_rows(
    simulated: pd.DataFrame | None = None,
    *,
    results: Mapping[str, Mapping[str, runner.Replications]] | None = None,
    alpha: float = 0.05,
    **parameters,
) -> pd.DataFrame:
    """Ledger rows of Sections 4.2 to 4.4 and the abstract: claims, figures, cost and plateau.

    `simulated` is `simulation.profile` for `parameters`, which are those of
    `simulation.all_designs`; by default it is the profile of `results`, the runs of
    `NEEDS`.  The claims compare three graphs per figure; with fewer there are no rows.
    """
    if simulated is None:
        simulated = simulation.profile(results["profiles"])
    shown = simulated[simulated["figure"] <= 4]
    if (shown.groupby("figure")["graph"].nunique() < 3).any() or shown[
        "size"
    ].nunique() < 2:
        return pd.DataFrame(columns=["id", "rebuilt"])
    table = summary(simulated, alpha=alpha, **parameters)
    rows = pd.DataFrame(
        [
            *claims(simulated, alpha, table),
            *claims_on_size(shown, table[table["figure"] <= 4]),
        ],
        columns=["id", "rebuilt", "corrected", "note"],
    )
    plateau = section_5.samples_of_the_plateau(alpha=alpha)
    others = pd.DataFrame(
        [
            {
                "id": "txt.plateau",
                "rebuilt": plateau,
                "holds": plateau <= published.value("bouckaert2005.txt.plateau"),
            },
            # ten test sets of a tenth of the data, in test sets of a half
            {
                "id": "txt.cost_ratio",
                "rebuilt": float(10 * Fraction(1, 10) / Fraction(1, 2)),
            },
            *(
                {"id": f"fig{figure:02d}", "rebuilt": _is_a_profile(curves)}
                for figure, curves in shown.groupby("figure")
                if figure > 1
            ),
        ]
    )
    return pd.concat([rows, others], ignore_index=True).assign(
        id=lambda frame: "bouckaert2005." + frame["id"]
    )


#: Graphs (figure, graph) of ten, a hundred and five hundred random test sets.
TEN, HUNDRED, FIVE_HUNDRED = (2, 0), (2, 1), (2, 2)


def claims(
    simulated: pd.DataFrame, alpha: float, table: pd.DataFrame
) -> Iterator[tuple]:
    """The claims of Sections 4.2 to 4.4, from a simulation, its level and its :func:`summary`.

    Yields the id, whether the claim holds, whether its correction does, and a note.
    """
    change = lambda first, second: comparison(simulated, first, second)
    limit = lambda measure, figure: (
        table[table["figure"] == figure]
        .groupby("graph")[f"limit_{measure}"]
        .first()
        .tolist()
    )
    each = lambda changes, name: ", ".join(
        f"{row[name]:+.1f} ± {row[f'{name}_error']:.1f} (n = {size})"
        for size, row in changes.iterrows()
    )

    # ten random test sets against one of a tenth and one of a half of the data
    one = change((1, 0), TEN)
    better = _rises(one, "power", "worst_case")
    gain, _, loss = limit("type1_replicability", 2)[0] - np.array(
        limit("type1_replicability", 1)
    )
    yield (
        "cl.06",
        better and _rises(-one, "type1_replicability"),
        better and gain > 0,
        (
            f"power higher by {_span(one['power'])} points on average, worst case by "
            f"{_span(one['worst_case'])}; Type I replicability changes by "
            f"{each(one, 'type1_replicability')}: lower only while the continuity "
            "correction keeps McNemar's test from rejecting; in the limit it is higher by "
            f"{gain:.1f}"
        ),
    )
    half = change((1, 2), TEN)
    lower = bool(loss < 0 and (half["type1_replicability"] < 0).all())
    yield (
        "cl.07",
        lower and _rises(-half, "power", "worst_case"),
        None,
        (
            f"power lower by {_span(-half['power'])} points on average, worst case by "
            f"{_span(-half['worst_case'])}; Type I replicability changes by "
            f"{each(half, 'type1_replicability')}, in the limit by {loss:.1f}"
        ),
    )

    # more random test sets
    more, most = change(TEN, HUNDRED), change(HUNDRED, FIVE_HUNDRED)
    better = _stays(more, "type1_error") and _rises(more, "power", "worst_case")
    yield (
        "cl.08",
        better and _stays(more, "type1_replicability"),
        better and _rises(more, "type1_replicability"),
        (
            f"Type I error changes by {each(more, 'type1_error')} points, power by "
            f"a factor of up to {more['power_ratio'].max():.1f}, worst case by "
            f"{_span(more['worst_case'])}: so far right; but Type I replicability "
            f"rises by {_span(more['type1_replicability'])}"
        ),
    )
    yield (
        "cl.09",
        bool((most["power"] < more["power"] / 4).all())
        and _rises(most, "worst_case", "type1_replicability"),
        None,
        (
            f"power rises by {_span(most['power'])} points on average (from 10x to "
            f"100x by {_span(more['power'])}), worst case by {_span(most['worst_case'])}"
        ),
    )

    # folds instead of as many random test sets
    first, *others = changes = [change((2, graph), (3, graph)) for graph in range(3)]
    power = [_numbers(of_graph["power"]) for of_graph in changes]
    yield (
        "cl.10",
        all((of_graph["power"] > 0).all() for of_graph in others)
        and all(
            _rises(of_graph, "type1_replicability", "worst_case")
            for of_graph in changes
        ),
        _rises(-first, "power")
        and all(_stays(of_graph, "power") for of_graph in others),
        (
            f"in the limit the worst cases are {_numbers(limit('worst_case', 3))} "
            f"(resampling {_numbers(limit('worst_case', 2))}) and Type I replicability is "
            f"higher, too; power is not: {power[0]} points on average for 1x10, "
            f"{power[1]} for 10x10, {power[2]} for 50x10"
        ),
    )

    # sorted runs, and means over runs or folds
    first, *others = changes = [change((3, graph), (4, graph)) for graph in range(3)]
    errors = table.query("figure == 3 and graph == 0")["type1_error"]
    yield (
        "cl.11",
        bool((errors < 50 * alpha).all())
        and _rises(-first, "type1_replicability")
        and _rises(first, "worst_case"),
        None,
        (
            f"Type I error of 1x10: {_span(errors)}%; sorted: worst "
            f"case higher by {_span(first['worst_case'])} points, Type I replicability "
            f"lower by {_span(-first['type1_replicability'])}"
        ),
    )
    means = simulated.query("figure == 5 and graph == 1 and step == 0")["power"]
    yield (
        "cl.12",
        bool((means < 200 * alpha).all()),
        bool(mean_over_folds_on_task_1()["standard deviation"].iloc[0] == 0),
        (
            "the means over folds are all alike and reject unless the two classifiers have as "
            "many wins; means over runs, uncorrected, have a Type I error of "
            f"{_span(means)}% with 10 runs"
        ),
    )
    yield (
        "cl.13",
        _stays(more, "worst_case"),
        _rises(more, "worst_case"),
        (
            "the contradiction is decided: from 10 to 100 samples the worst case does not remain the "
            f"same but rises by {_span(more['worst_case'])} points"
        ),
    )
    yield (
        "cl.14",
        all(_rises(of_graph, "worst_case") for of_graph in changes)
        and all(
            (of_graph["power"] > -of_graph["power_error"]).all() for of_graph in changes
        ),
        _rises(first, "worst_case")
        and all(_rises(-of_graph, "power") for of_graph in others),
        (
            f"better in the first graph: worst case in the limit {_numbers(limit('worst_case', 4))} "
            f"against {_numbers(limit('worst_case', 3))}; with 10 and 50 runs its power is lower by "
            f"{_span(-others[0]['power'])} and {_span(-others[1]['power'])} points"
        ),
    )

    # the price of replicability
    required = section_5.samples_required()
    yield (
        "cl.15",
        required["per_point"].dropna().is_monotonic_increasing,
        None,
        (
            "samples of a tenth for a worst case of 30, 50, 70, 90%, in the limit: "
            + ", ".join(map(str, required["samples"]))
        ),
    )
    fifty = change((3, 1), (3, 2))
    yield (
        "cl.16",
        bool((fifty["power"] < 5).all()) and _rises(fifty, "worst_case"),
        None,
        (
            f"from 10 to 50 runs power rises by {_span(fifty['power'])} points on average, "
            f"the worst case by {_span(fifty['worst_case'])}"
        ),
    )

    # the shapes of the curves
    apart, graphs = (
        [],
        simulated.set_index(["figure", "graph", "size", "step"]).sort_index(),
    )
    for graph in (1, 2):
        plain, ordered = (
            graphs.loc[(figure, graph), ["power", "replicability"]] for figure in (3, 4)
        )
        between = _is_between(plain["power"], ordered["power"])
        apart.append((plain - ordered)[between].abs().mean())
    yield (
        "cl.17",
        bool((pd.concat(apart) <= 5).all()),
        None,
        (
            "mean distances of power and replicability: "
            + "; ".join(
                f"{one['power']:.1f} and {one['replicability']:.1f} points with {runs} runs"
                for one, runs in zip(apart, (10, 50))
            )
        ),
    )
    curves = simulated.query("figure <= 4").groupby(["figure", "graph", "size"])
    start, least, end = (
        curves["replicability"].agg(how) for how in ("first", "min", "last")
    )
    noise = MAX_Z * curves["replicability_error"].first()
    bound = percent(agreement(alpha))
    yield (
        "cl.18",
        bool(((start + noise >= bound) & (end == 100) & (least < start)).all()),
        None,
        (
            f"at no difference {_span(start)}% (the bound is {bound:.1f}), at the largest "
            f"{_span(end)}%, in between at least {_span(least)}%"
        ),
    )


def claims_on_size(shown: pd.DataFrame, table: pd.DataFrame) -> Iterator[tuple]:
    """The claims of Sections 4.2 to 4.4 and the abstract on the size of the data set.

    From Figures 1 to 4 and their :func:`summary`; yields what :func:`claims` does.
    Worst cases stay the same if the range over sizes of no graph is larger than chance
    allows.
    """
    of_graphs = table.groupby(["figure", "graph"])
    worst, apart = of_graphs["worst_case"].mean(), of_graphs["worst_case"].agg(np.ptp)
    allowed = of_graphs["worst_case_error"].mean() * stats.studentized_range.isf(
        LEVEL / len(apart), shown["size"].nunique(), np.inf
    )
    for claim, figures in (("cl.21", [2]), ("cl.22", [3, 4]), ("cl.23", [1, 2, 3, 4])):
        yield (
            claim,
            bool((apart <= allowed)[figures].all()),
            None,
            (
                f"between sizes the worst cases of a graph differ by {_span(apart[figures])} points; "
                f"chance allows {_span(allowed[figures])}"
            ),
        )
    yield (
        "cl.24",
        bool((worst.groupby("figure").diff().dropna() > allowed.max()).all()),
        None,
        (f"worst cases of the graphs of Figures 1 to 4: {_numbers(worst)}"),
    )
    curves = shown.pivot(index=["figure", "graph", "step"], columns="size")
    more = curves["replicability"].iloc[:, -1] - curves["replicability"].iloc[:, 0]
    z = more / np.hypot(
        *curves["replicability_error"].iloc[:, [0, -1]].to_numpy().T
    ).clip(1e-9)
    yield (
        "cl.25",
        bool((z.groupby(level=[0, 1]).min() < -MAX_Z).all()),
        None,
        (
            f"slightly and not slightly: the largest drop of a graph, where power nears one half, is "
            f"{_span(-more.groupby(level=[0, 1]).min())} points"
        ),
    )
    gains = worst[TEN[0], 1] - worst[TEN], worst[3, 0] - worst[TEN]
    yield (
        "cl.26",
        min(gains) > apart.max(),
        None,
        (
            f"worst case: {gains[0]:.1f} points for ten times the samples, {gains[1]:.1f} for folds "
            f"instead of random test sets, at most {apart.max():.1f} between sizes"
        ),
    )
    unacceptable = published.value("bouckaert2005.txt.unacceptable")
    cheap = table.query("figure == 1 or (figure < 4 and graph == 0)")["worst_case"]
    yield (
        "cl.27",
        bool((cheap < unacceptable).all()),
        None,
        (
            f"one test set, ten of them or one cross-validation: worst cases {_span(cheap)}% at "
            f"{', '.join(map(str, shown['size'].unique()))} instances"
        ),
    )


def _rises(change: pd.DataFrame, *names: str) -> bool:
    """Return whether each rises at every size, and in sum by more than chance."""
    return all(
        (change[name] > 0).all()
        and change[name].sum() > MAX_Z * np.sqrt((change[f"{name}_error"] ** 2).sum())
        for name in names
    )


def _stays(change: pd.DataFrame, name: str) -> bool:
    """Return whether the change is within noise at every size."""
    return bool((change[name].abs() <= MAX_Z * change[f"{name}_error"]).all())


def _is_between(one: pd.Series, other: pd.Series) -> pd.Series:
    """Return where one power is below 95% and the other above 5%."""
    return ((one < 95) & (other > 5)) | ((other < 95) & (one > 5))


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
        if (power.iloc[:, -1] < 100).any() or (
            wide["replicability"].iloc[:, -1] < 100
        ).any():
            return False
    return True


# ------------------------------------------------------------------ errata


def mean_over_folds_on_task_1(
    n: int = 1000, runs: int = 10, folds: int = 10, seed: int = simulation.SEED
) -> pd.DataFrame:
    """Erratum e32: the samples of three averaging schemes from one data set of Task I.

    Columns `scheme`, `sample size`, `least`, `greatest`, `standard deviation` of the
    sample, in test instances of a fold (only A right minus only B right); n must be a
    multiple of `folds`.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    dealt = task_1.folds(rng, task_1.counts(rng, n), runs=runs, folds=folds)[0]
    # whole numbers, so that equal means are also equal in floating point
    block = dealt[..., 0] - dealt[..., 1]
    samples = {
        scheme: schemes.sample(block, scheme=scheme)
        for scheme in (
            "average_over_folds",
            "average_over_runs",
            "average_over_sorted_runs",
        )
    }
    return pd.DataFrame(
        [
            {
                "scheme": scheme,
                "sample size": x.size,
                "least": x.min(),
                "greatest": x.max(),
                "standard deviation": x.std(ddof=1),
            }
            for scheme, x in samples.items()
        ]
    )


def worst_case_by_samples(
    samples: Sequence[int] = (1, 10, 100, 500), test_fraction: float = 0.1
) -> pd.DataFrame:
    """Erratum e48: worst-case replicability of resampling by number of samples.

    In the limit of large data sets, with classifiers that ignore the training data and
    with a known variance, the means of r random test sets in two experiments on the
    same data have the correlation rt / (1 + (r-1) t).  Columns `samples`,
    `correlation`, `worst case` (normalised, percent) and `with s`, the worst case if
    the variance is estimated.
    """
    r = np.asarray(samples)
    correlation = r * test_fraction / (1 + (r - 1) * test_fraction)
    estimated = [
        percent(models.worst_case(models.Resampling(j, test_fraction))[1])
        if j > 1
        else np.nan
        for j in samples
    ]
    return pd.DataFrame(
        {
            "samples": r,
            "correlation": correlation,
            "worst case": percent(limits.worst_case_replicability(correlation)),
            "with s": estimated,
        }
    )
