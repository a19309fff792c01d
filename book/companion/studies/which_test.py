"""Which test to use: costs and benefits of every design, as measured in this book.

A design is a way of splitting with a test.  On the 40 networks, source 1 has no
difference, so rejections are Type I errors; on sources 2 to 4 they are power.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from companion.lab.experiments import runner
from companion.papers import methods_of_2004, synthetic
from companion.papers.bouckaert2004 import table_1
from companion.studies.since_the_papers import measures
from replib import methods

#: The designs of the table.
DESIGNS = (
    "corrected_repeated_cv",
    "average_over_sorted_runs.paired_t",
    "average_over_sorted_runs.signed_rank",
    "corrected_resampled_100",
    "corrected_resampled_10",
    "five_by_two_cv",
    "k_fold.paired_t",
    "random_33.paired_t",
    "random_10.paired_t",
    "average_over_runs.paired_t",
    "use_all_data.paired_t",
)


def measured(
    results: Mapping[str, runner.Replications], names: Sequence[str] | None = DESIGNS
) -> pd.DataFrame:
    """Type I error, power, replicability and cost of the designs on the 40 networks.

    `results` are stored decisions, by network; `names` are designs, None for all.
    Indexed by design; columns `title`; `type_1`, `power` (mean over sources 2 to 4) and
    `replicability_normalized` (the least of the four sources), in percent, means over
    the ten networks of each source; the standard deviation of each between networks
    (``_deviation``); and `trainings` of each learner.
    """
    by_network = synthetic.tables_by_network(
        table_1.TABLE, synthetic.measures_by_network(results)
    )
    names = list(names or by_network["design"].unique())
    designs = {name: methods_of_2004.find(name) for name in names}
    table = table_1.trade_off(by_network, names)
    titles = {name: method.describe() for name, method in designs.items()}
    table.insert(0, "title", pd.Series(titles))
    return table.assign(trainings=[method.trainings() for method in designs.values()])


#: The stored runs behind the library's evidence: of designs, and of the bench.
OF_DESIGNS = ("synthetic_decisions", *(f"decisions_{name}" for name in methods.LATER))
OF_BENCH = ("since_the_papers", "since_the_papers_costly")
RUNS = OF_DESIGNS + OF_BENCH

#: Designs that are also methods of the bench, where more learners and sizes were run.
ON_THE_BENCH = {
    "corrected_repeated_cv": "corrected_t_all",
    "use_all_data.paired_t": "paired_t_all",
    "average_over_sorted_runs.paired_t": "sorted_runs_t",
    "k_fold.paired_t": "paired_t_folds",
    "five_by_two_cv": "five_by_two_t",
    "five_by_two_cv_f": "five_by_two_f",
}


#: Columns of :func:`measured` that have another name in `replib.methods.Evidence`.
_COLUMNS_OF_EVIDENCE = {
    "type_1": "type_1_error",
    "type_1_deviation": "type_1_error_deviation",
    "replicability_normalized": "replicability",
    "replicability_normalized_deviation": "replicability_deviation",
}


def write_evidence(load: Callable[[str], Mapping[str, runner.Replications]]) -> None:
    """Write the table that `replib.methods` reads from stored runs; `load` reads a run."""
    file = Path(methods.__file__).parent / "data" / "evidence.csv"
    table = pd.concat([evidence(load(run), run) for run in RUNS])
    # tests as printed, with their slips, are no methods of the library
    table = table.drop(methods_of_2004.PRINTED)
    networks = measures.by_network(*map(load, OF_BENCH)) / 100
    limits = ["type_1_error_least", "type_1_error_most"]
    for design in table.index:
        method = ON_THE_BENCH.get(design, design.removeprefix("bench."))
        if method in networks:
            extremes = networks[method].agg(["min", "max"]).round(4)
            table.loc[design, limits] = extremes.to_numpy()
    table[list(methods.Evidence._fields)].to_csv(
        file, lineterminator="\n", na_rep="nan"
    )


def evidence(results: Mapping[str, runner.Replications], run: str) -> pd.DataFrame:
    """Summarise a stored run's results by design, in the form of `replib.methods.Evidence`."""
    if run in OF_BENCH:
        return measures.evidence(results, run)
    table = measured(results, names=None).rename(columns=_COLUMNS_OF_EVIDENCE)
    columns = table.columns.intersection(methods.Evidence._fields)
    return (table[columns] / 100).round(4).assign(run=run)


def shown(measured: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """The table as text: mean ± standard deviation in percent, and whether the level is held."""
    columns = {
        "design": measured["title"],
        "Type I error (%)": _with_deviation(measured, "type_1"),
        "power (%)": _with_deviation(measured, "power"),
        "replicability (%)": _with_deviation(measured, "replicability_normalized"),
        "trainings": measured["trainings"],
        "level": levels(measured, alpha),
    }
    return pd.DataFrame(columns).set_index("design")


def _with_deviation(measured: pd.DataFrame, name: str) -> list[str]:
    """Write the mean and the standard deviation of each design."""
    means = measured[name]
    deviations = measured[f"{name}_deviation"]
    return [f"{mean:.1f} ± {sd:.1f}" for mean, sd in zip(means, deviations)]


def levels(measured: pd.DataFrame, alpha: float = 0.05) -> pd.Series:
    """Say of each design whether it holds its level: see `replib.methods.level_held`."""
    networks = methods.MEASURED_NETWORKS
    answers = methods.level_held(
        measured["type_1"] / 100,
        # of a single network, the deviation is not known
        standard_error=measured["type_1_deviation"].fillna(math.inf)
        / (100 * math.sqrt(networks)),
        populations=networks,
        alpha=alpha,
    )
    return pd.Series(answers, index=measured.index)
