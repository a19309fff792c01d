"""Figures 2 to 4: resampling, repeated cross-validation and its sorted form, in nine graphs.

The simulation (`simulation.profile`) is passed in; the limit curves are from
`companion.papers.bouckaert2005.models`.  Replicabilities are normalised and in percent
unless a name says otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from companion.papers.ledger import LEVEL, MAX_Z, Listed, Span
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
    rows = {}
    for size, curves in simulated.groupby("size"):
        before = _graph(curves, first)
        after = _graph(curves, second)
        between = _is_between(before["power"], after["power"])
        error = np.hypot(before["power_error"], after["power_error"])[between]
        detected = before["power"] > 10
        rows[size] = {
            **_changes(_landmarks(before), _landmarks(after)),
            "power": (after["power"] - before["power"])[between].mean(),
            "power_error": np.sqrt((error**2).sum()) / between.sum(),
            "power_ratio": (after["power"] / before["power"])[detected].max(),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("size")


def _graph(curves: pd.DataFrame, graph: tuple[int, int]) -> pd.DataFrame:
    """Return the steps of one graph (figure, graph)."""
    shown = (curves["figure"] == graph[0]) & (curves["graph"] == graph[1])
    return curves[shown].reset_index(drop=True)


def _changes(
    before: Mapping[str, float], after: Mapping[str, float]
) -> dict[str, float]:
    """Return the change of each of `MEASURES`, and its standard error (`_error`)."""
    changes = {}
    for measure in MEASURES:
        changes[measure] = after[measure] - before[measure]
        error = f"{measure}_error"
        changes[error] = np.hypot(before[error], after[error])
    return changes


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
    graphs = shown.groupby("figure")["graph"].nunique()
    if (graphs < 3).any() or shown["size"].nunique() < 2:
        return pd.DataFrame(columns=["id", "rebuilt"])
    table = summary(simulated, alpha=alpha, **parameters)
    profile = Profile(simulated, table, alpha)
    rows = [
        *(claim(profile) for claim in CLAIMS),
        *claims_on_size(shown, table[table["figure"] <= 4]),
        _plateau(alpha),
        _cost_ratio(),
    ]
    for figure, curves in shown.groupby("figure"):
        if figure > 1:
            rows.append({"id": f"fig{figure:02d}", "rebuilt": _is_a_profile(curves)})
    frame = pd.DataFrame(rows)
    return frame.assign(id="bouckaert2005." + frame["id"])


def _plateau(alpha: float) -> dict[str, object]:
    samples = section_5.samples_of_the_plateau(alpha=alpha)
    printed = published.value("bouckaert2005.txt.plateau")
    return {"id": "txt.plateau", "rebuilt": samples, "holds": samples <= printed}


def _cost_ratio() -> dict[str, object]:
    """Ten test sets of a tenth of the data, in test sets of a half."""
    ratio = 10 * Fraction(1, 10) / Fraction(1, 2)
    return {"id": "txt.cost_ratio", "rebuilt": float(ratio)}


@dataclass(frozen=True)
class Profile:
    """A simulation with what the claims of Sections 4.2 to 4.4 compare.

    Attributes
    ----------
    simulated : DataFrame
        From `simulation.profile`.
    table : DataFrame
        Its :func:`summary`.
    alpha : float
        Its level.
    """

    simulated: pd.DataFrame
    table: pd.DataFrame
    alpha: float

    def change(self, first: tuple[int, int], second: tuple[int, int]) -> pd.DataFrame:
        """Return the :func:`comparison` of two graphs."""
        return comparison(self.simulated, first, second)

    def limits(self, measure: str, figure: int) -> np.ndarray:
        """Return the limit of a measure for each graph of a figure."""
        of_figure = self.table[self.table["figure"] == figure]
        return of_figure.groupby("graph")[f"limit_{measure}"].first().to_numpy()


# Graphs (figure, graph), as their titles name them.
TENTH, HALF = (1, 0), (1, 2)
TEN, HUNDRED, FIVE_HUNDRED = (2, 0), (2, 1), (2, 2)
TEN_RUNS, FIFTY_RUNS = (3, 1), (3, 2)


def ten_against_a_tenth(profile: Profile) -> dict[str, object]:
    """cl.06: ten random test sets of a tenth of the data, against one of them."""
    change = profile.change(TENTH, TEN)
    better = _rises(change, "power", "worst_case")
    ten = profile.limits("type1_replicability", 2)[0]
    gain = ten - profile.limits("type1_replicability", 1)[0]
    return {
        "id": "cl.06",
        "rebuilt": better and _rises(-change, "type1_replicability"),
        "corrected": bool(better and gain > 0),
        "numbers": {
            "power": Span(change["power"]),
            "worst_case": Span(change["worst_case"]),
            "type1_replicability": _by_size(change, "type1_replicability"),
            "gain": gain,
        },
    }


def ten_against_a_half(profile: Profile) -> dict[str, object]:
    """cl.07: ten random test sets of a tenth of the data, against one of a half."""
    change = profile.change(HALF, TEN)
    ten = profile.limits("type1_replicability", 2)[0]
    loss = ten - profile.limits("type1_replicability", 1)[2]
    is_lower = loss < 0 and (change["type1_replicability"] < 0).all()
    return {
        "id": "cl.07",
        "rebuilt": bool(is_lower and _rises(-change, "power", "worst_case")),
        "numbers": {
            "power": Span(-change["power"]),
            "worst_case": Span(-change["worst_case"]),
            "type1_replicability": _by_size(change, "type1_replicability"),
            "loss": loss,
        },
    }


def hundred_test_sets(profile: Profile) -> dict[str, object]:
    """cl.08: a hundred random test sets against ten."""
    change = profile.change(TEN, HUNDRED)
    keeps_level = _stays(change, "type1_error")
    better = keeps_level and _rises(change, "power", "worst_case")
    return {
        "id": "cl.08",
        "rebuilt": better and _stays(change, "type1_replicability"),
        "corrected": better and _rises(change, "type1_replicability"),
        "numbers": {
            "type1_error": _by_size(change, "type1_error"),
            "power_ratio": change["power_ratio"].max(),
            "worst_case": Span(change["worst_case"]),
            "type1_replicability": Span(change["type1_replicability"]),
        },
    }


def five_hundred_test_sets(profile: Profile) -> dict[str, object]:
    """cl.09: five hundred random test sets against a hundred."""
    before = profile.change(TEN, HUNDRED)
    change = profile.change(HUNDRED, FIVE_HUNDRED)
    levels_off = (change["power"] < before["power"] / 4).all()
    rises = _rises(change, "worst_case", "type1_replicability")
    return {
        "id": "cl.09",
        "rebuilt": bool(levels_off) and rises,
        "numbers": {
            "power": Span(change["power"]),
            "power_before": Span(before["power"]),
            "worst_case": Span(change["worst_case"]),
        },
    }


def folds_against_test_sets(profile: Profile) -> dict[str, object]:
    """cl.10: cross-validation against as many random test sets."""
    changes = [profile.change((2, graph), (3, graph)) for graph in range(3)]
    one_run, *more_runs = changes
    more_replicable = all(
        _rises(change, "type1_replicability", "worst_case") for change in changes
    )
    more_power = all((change["power"] > 0).all() for change in more_runs)
    as_much_power = all(_stays(change, "power") for change in more_runs)
    return {
        "id": "cl.10",
        "rebuilt": more_power and more_replicable,
        "corrected": _rises(-one_run, "power") and as_much_power,
        "numbers": {
            "folds": Listed(profile.limits("worst_case", 3)),
            "test_sets": Listed(profile.limits("worst_case", 2)),
            "power_1": Listed(changes[0]["power"]),
            "power_10": Listed(changes[1]["power"]),
            "power_50": Listed(changes[2]["power"]),
        },
    }


def sorting_one_run(profile: Profile) -> dict[str, object]:
    """cl.11: one cross-validation, and the same sorted."""
    change = profile.change((3, 0), (4, 0))
    errors = profile.table.query("figure == 3 and graph == 0")["type1_error"]
    too_careful = (errors < 50 * profile.alpha).all()
    lowers = _rises(-change, "type1_replicability")
    return {
        "id": "cl.11",
        "rebuilt": bool(too_careful) and lowers and _rises(change, "worst_case"),
        "numbers": {
            "type1_error": Span(errors),
            "worst_case": Span(change["worst_case"]),
            "type1_replicability": Span(-change["type1_replicability"]),
        },
    }


def means_over_runs(profile: Profile) -> dict[str, object]:
    """cl.12: means over folds and over runs, uncorrected."""
    errors = profile.simulated.query("figure == 5 and graph == 1 and step == 0")[
        "power"
    ]
    over_folds = mean_over_folds_on_task_1()["standard deviation"].iloc[0]
    return {
        "id": "cl.12",
        "rebuilt": bool((errors < 200 * profile.alpha).all()),
        "corrected": bool(over_folds == 0),
        "numbers": {"type1_error": Span(errors)},
    }


def worst_case_of_more_test_sets(profile: Profile) -> dict[str, object]:
    """cl.13: the worst case of a hundred random test sets against that of ten."""
    change = profile.change(TEN, HUNDRED)
    return {
        "id": "cl.13",
        "rebuilt": _stays(change, "worst_case"),
        "corrected": _rises(change, "worst_case"),
        "numbers": {"worst_case": Span(change["worst_case"])},
    }


def sorting_more_runs(profile: Profile) -> dict[str, object]:
    """cl.14: cross-validation, and the same with sorted runs."""
    changes = [profile.change((3, graph), (4, graph)) for graph in range(3)]
    one_run, *more_runs = changes
    more_replicable = all(_rises(change, "worst_case") for change in changes)
    as_much_power = all(
        (change["power"] > -change["power_error"]).all() for change in changes
    )
    less_power = all(_rises(-change, "power") for change in more_runs)
    return {
        "id": "cl.14",
        "rebuilt": more_replicable and as_much_power,
        "corrected": _rises(one_run, "worst_case") and less_power,
        "numbers": {
            "sorted": Listed(profile.limits("worst_case", 4)),
            "plain": Listed(profile.limits("worst_case", 3)),
            "power_10": Span(-changes[1]["power"]),
            "power_50": Span(-changes[2]["power"]),
        },
    }


def price_of_replicability(profile: Profile) -> dict[str, object]:
    """cl.15: the samples that each further point of replicability takes."""
    required = section_5.samples_required()
    return {
        "id": "cl.15",
        "rebuilt": required["per_point"].dropna().is_monotonic_increasing,
        "numbers": {"samples": Listed(required["samples"])},
    }


def fifty_runs(profile: Profile) -> dict[str, object]:
    """cl.16: fifty cross-validations against ten."""
    change = profile.change(TEN_RUNS, FIFTY_RUNS)
    little_power = (change["power"] < 5).all()
    return {
        "id": "cl.16",
        "rebuilt": bool(little_power) and _rises(change, "worst_case"),
        "numbers": {
            "power": Span(change["power"]),
            "worst_case": Span(change["worst_case"]),
        },
    }


def sorted_curves(profile: Profile) -> dict[str, object]:
    """cl.17: the curves of ten and fifty runs hardly change by sorting."""
    graphs = profile.simulated.set_index(["figure", "graph", "size", "step"])
    graphs = graphs.sort_index()[["power", "replicability"]]
    ten, fifty = (_distance(graphs.loc[3, n], graphs.loc[4, n]) for n in (1, 2))
    return {
        "id": "cl.17",
        "rebuilt": bool(max(ten.max(), fifty.max()) <= 5),
        "numbers": {
            "power_10": ten["power"],
            "replicability_10": ten["replicability"],
            "power_50": fifty["power"],
            "replicability_50": fifty["replicability"],
        },
    }


def _distance(plain: pd.DataFrame, ordered: pd.DataFrame) -> pd.Series:
    """Return the mean distance of two graphs in power and in replicability."""
    between = _is_between(plain["power"], ordered["power"])
    return (plain - ordered)[between].abs().mean()


def shape_of_the_curves(profile: Profile) -> dict[str, object]:
    """cl.18: replicability is high without a difference, falls, and rises to certainty."""
    shown = profile.simulated[profile.simulated["figure"] <= 4]
    curves = shown.groupby(["figure", "graph", "size"])["replicability"]
    start, least, end = curves.first(), curves.min(), curves.last()
    errors = shown.groupby(["figure", "graph", "size"])["replicability_error"].first()
    bound = percent(agreement(profile.alpha))
    starts_high = start + MAX_Z * errors >= bound
    return {
        "id": "cl.18",
        "rebuilt": bool((starts_high & (end == 100) & (least < start)).all()),
        "numbers": {
            "start": Span(start),
            "bound": bound,
            "end": Span(end),
            "least": Span(least),
        },
    }


#: The claims of Sections 4.2 to 4.4, in the order of the paper.
CLAIMS = (
    ten_against_a_tenth,
    ten_against_a_half,
    hundred_test_sets,
    five_hundred_test_sets,
    folds_against_test_sets,
    sorting_one_run,
    means_over_runs,
    worst_case_of_more_test_sets,
    sorting_more_runs,
    price_of_replicability,
    fifty_runs,
    sorted_curves,
    shape_of_the_curves,
)


def claims_on_size(shown: pd.DataFrame, table: pd.DataFrame) -> list[dict[str, object]]:
    """The claims of Sections 4.2 to 4.4 and the abstract on the size of the data set.

    From Figures 1 to 4 and their :func:`summary`.  Worst cases stay the same if the
    range over sizes of no graph is larger than chance allows.
    """
    of_graphs = table.groupby(["figure", "graph"])
    worst = of_graphs["worst_case"].mean()
    apart = of_graphs["worst_case"].agg(np.ptp)
    quantile = stats.studentized_range.isf(
        LEVEL / len(apart), shown["size"].nunique(), np.inf
    )
    allowed = of_graphs["worst_case_error"].mean() * quantile
    return [
        *(
            _does_not_depend_on_size(claim, apart[figures], allowed[figures])
            for claim, figures in _FIGURES_OF_CLAIMS.items()
        ),
        _each_graph_is_better(worst, allowed),
        _more_data_lower_replicability(shown),
        _design_matters_more(worst, apart),
        _cheap_designs_are_unacceptable(shown, table),
    ]


_FIGURES_OF_CLAIMS = {"cl.21": [2], "cl.22": [3, 4], "cl.23": [1, 2, 3, 4]}


def _does_not_depend_on_size(
    claim: str, apart: pd.Series, allowed: pd.Series
) -> dict[str, object]:
    return {
        "id": claim,
        "rebuilt": bool((apart <= allowed).all()),
        "numbers": {"apart": Span(apart), "allowed": Span(allowed)},
    }


def _each_graph_is_better(worst: pd.Series, allowed: pd.Series) -> dict[str, object]:
    steps = worst.groupby("figure").diff().dropna()
    return {
        "id": "cl.24",
        "rebuilt": bool((steps > allowed.max()).all()),
        "numbers": {"worst_case": Listed(worst)},
    }


def _more_data_lower_replicability(shown: pd.DataFrame) -> dict[str, object]:
    """cl.25: with more data replicability falls somewhere on each graph, beyond noise."""
    wide = shown.pivot(index=["figure", "graph", "step"], columns="size")
    replicability, errors = wide["replicability"], wide["replicability_error"]
    change = replicability.iloc[:, -1] - replicability.iloc[:, 0]
    error = np.hypot(errors.iloc[:, 0], errors.iloc[:, -1]).clip(1e-9)
    lowest_z = (change / error).groupby(["figure", "graph"]).min()
    lowest = change.groupby(["figure", "graph"]).min()
    return {
        "id": "cl.25",
        "rebuilt": bool((lowest_z < -MAX_Z).all()),
        "numbers": {"drop": Span(-lowest)},
    }


def _design_matters_more(worst: pd.Series, apart: pd.Series) -> dict[str, object]:
    """cl.26: more samples, and folds, change the worst case by more than the size of the data."""
    more_samples = worst[HUNDRED] - worst[TEN]
    folds = worst[3, 0] - worst[TEN]
    return {
        "id": "cl.26",
        "rebuilt": bool(min(more_samples, folds) > apart.max()),
        "numbers": {"samples": more_samples, "folds": folds, "apart": apart.max()},
    }


def _cheap_designs_are_unacceptable(
    shown: pd.DataFrame, table: pd.DataFrame
) -> dict[str, object]:
    unacceptable = published.value("bouckaert2005.txt.unacceptable")
    cheap = table.query("figure == 1 or (figure < 4 and graph == 0)")["worst_case"]
    return {
        "id": "cl.27",
        "rebuilt": bool((cheap < unacceptable).all()),
        "numbers": {
            "worst_case": Span(cheap),
            "sizes": Listed(shown["size"].unique()),
        },
    }


def _by_size(change: pd.DataFrame, measure: str) -> str:
    """Return the change of a measure at each size with its error, for a text."""
    parts = [
        f"{row[measure]:+.1f} ± {row[f'{measure}_error']:.1f} (n = {size})"
        for size, row in change.iterrows()
    ]
    return ", ".join(parts)


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


def _is_between(before: pd.Series, after: pd.Series) -> pd.Series:
    """Return where one power is below 95% and the other above 5%."""
    return ((before < 95) & (after > 5)) | ((after < 95) & (before > 5))


def _is_a_profile(curves: pd.DataFrame) -> bool:
    """Return whether power rises, and replicability is lowest about power 1/2 and reaches 1."""
    return all(_graph_is_a_profile(graph) for _, graph in curves.groupby("graph"))


def _graph_is_a_profile(graph: pd.DataFrame) -> bool:
    wide = graph.pivot(index="size", columns="step")
    power, replicability = wide["power"], wide["replicability"]
    noise = MAX_Z * np.sqrt(2) * (wide["power_error"] + 0.1)
    falls = [(power.diff(axis=axis) < -noise).any(axis=None) for axis in (0, 1)]
    lowest = replicability.idxmin(axis=1)
    at_lowest = [power.loc[size, step] for size, step in lowest.items()]
    is_lowest_in_the_middle = all(30 < value < 70 for value in at_lowest)
    ends = power.iloc[:, -1].min(), replicability.iloc[:, -1].min()
    return bool(not any(falls) and is_lowest_in_the_middle and min(ends) >= 100)


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
