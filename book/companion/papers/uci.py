"""The 27 UCI data sets of the two papers of 2004: stored experiments, and decisions of tests.

An experiment is the number of correct test predictions of each learner in each fold.  A
test turns the differences between two learners into decisions, and ten decisions on a
data set are one cell of a table; the stored experiments are enough for many such
tables.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, reduce

import numpy as np
import pandas as pd
from scipy import stats

from companion.lab import datasets
from companion.lab.experiments import runner
from companion.lab.experiments.splits import fold_sizes, size_of_test_set
from companion.papers import ledger
from replib import replicability
from replib.significance import TestResult

#: Pairs of learners, A and B, by their names in the published cells.
PAIRS = {"nb_c45": (0, 1), "nb_nn": (0, 2), "c45_nn": (1, 2)}

#: Experiments on each data set in a published table.
TABLE = 10

#: Stored experiments on each data set.
EXPERIMENTS = 20 * TABLE

SEED = 2004

#: The stored experiments: the function of `companion.lab.experiments.on_datasets` and
#: its parameters.
SPLITS = {
    "uci_five_by_two_cv": ("cross_validation", {"runs": 5, "folds": 2}),
    "uci_cross_validation": ("cross_validation", {"runs": 10, "folds": 10}),
    "uci_resampling": (
        "resampling",
        {"runs": 100, "test_percent": 10, "stratified": False},
    ),
    "uci_stratified_resampling": (
        "resampling",
        {"runs": 100, "test_percent": 10, "stratified": True},
    ),
}

#: Where several training instances are equally near, all vote, as in Weka's IBk; or the
#: first one decides, as in Weka's IB1, with instances in random order or in the order
#: of Weka's stratified folds.  By reading: the parameters of an experiment, and the
#: splits for which it is stored.
NEIGHBOURS = {
    "first_neighbour": (
        {"shuffled": True},
        ("uci_five_by_two_cv", "uci_cross_validation", "uci_resampling"),
    ),
    "weka_order": (
        {"shuffled": True, "grouped": True},
        ("uci_five_by_two_cv", "uci_cross_validation"),
    ),
}

#: The order in which Weka's IB1 sees the training instances, by split: a stratified
#: cross-validation gives them fold by fold, and a random split shuffles them.
WEKA_ORDER = {
    "uci_five_by_two_cv": "weka_order",
    "uci_cross_validation": "weka_order",
    "uci_resampling": "first_neighbour",
}

#: The pair on whose printed counts IB1 was chosen before IBk
#: (`bouckaert_frank2004.neighbours`): what agrees with them by this choice alone is
#: explained by it, and no more.
CHOSEN_ON = "c45_nn"

#: Why IB1 is a candidate: the source says "the first one found is used", as the papers
#: say only "default settings as implemented in Weka".
EVIDENCE = (
    "if the first of equally near neighbours decides, as Weka documents its IB1; if all "
    "vote, as in its IBk, it does not agree"
)

Results = Mapping[str, runner.Replications]


def experiment(
    split: str, dataset: str, *, neighbour: str | None = None
) -> runner.Experiment:
    """The stored experiment for a data set and a way of splitting it (from `SPLITS`).

    With a `neighbour` (from `NEIGHBOURS`) it has the same splits and only this learner.

    >>> sorted(experiment("uci_five_by_two_cv", "iris").parameters.items())
    [('dataset', 'iris'), ('folds', 2), ('runs', 5)]
    """
    function, parameters = SPLITS[split]
    if neighbour:
        parameters = {
            **parameters,
            "learners": ["first_neighbour"],
            **NEIGHBOURS[neighbour][0],
        }
    stream = (list(SPLITS).index(split), datasets.names().index(dataset))
    return runner.Experiment(
        f"companion.lab.experiments.on_datasets:{function}",
        seed=SEED,
        stream=stream,
        parameters={"dataset": dataset, **parameters},
    )


def with_first_neighbour(
    results: Results, first: Results
) -> dict[str, runner.Replications]:
    """Stored experiments in which the first of equally near neighbours decides.

    As many as both have; `first` has the counts of this learner alone, on the same
    splits.
    """
    size = {
        name: min(len(one.counts), len(first[name].counts))
        for name, one in results.items()
    }
    return {
        name: replace(
            one,
            counts=np.concatenate(
                [one.counts[: size[name], ..., :2], first[name].counts[: size[name]]],
                axis=-1,
            ),
        )
        for name, one in results.items()
    }


def as_judged(results: Mapping[str, Results]) -> dict[str, Results]:
    """Results in which Weka's IB1 is the nearest neighbour, wherever they are stored.

    `results` are by the names of the stored runs; the others are returned as they are.
    """
    with_ib1 = {
        split: with_first_neighbour(results[split], results[f"{split}_{order}"])
        for split, order in WEKA_ORDER.items()
        if split in results and f"{split}_{order}" in results
    }
    return {**results, **with_ib1}


def first_neighbour(
    results: Mapping[str, Results], neighbour: str = "first_neighbour"
) -> dict[str, Results]:
    """:func:`with_first_neighbour` for every split that `results` also have with a neighbour."""
    return {
        split: with_first_neighbour(results[split], results[f"{split}_{neighbour}"])
        for split in NEIGHBOURS[neighbour][1]
        if f"{split}_{neighbour}" in results
    }


@lru_cache
def instances() -> dict[str, int]:
    """Sizes of the data sets, by name."""
    return datasets.table()["instances"].to_dict()


def test_sizes(split: str, dataset: str) -> np.ndarray | int:
    """Sizes of the test sets of a stored experiment: one per fold, or one for all resamplings."""
    n = instances()[dataset]
    _, parameters = SPLITS[split]
    if "folds" in parameters:
        return fold_sizes(n, parameters["folds"])
    return size_of_test_set(n, Fraction(parameters["test_percent"], 100))


test_sizes.__test__ = False  # not a test, despite its name


def differences(results: Results, split: str, pair: str) -> dict[str, np.ndarray]:
    """Accuracy of A minus accuracy of B, as fractions, in stored experiments of a split.

    By data set; shape (experiments, runs, folds) for cross-validation, (experiments,
    runs) for resampling.
    """
    a, b = PAIRS[pair]
    return {
        name: (result.counts[..., a].astype(int) - result.counts[..., b])
        / test_sizes(split, name)
        for name, result in results.items()
    }


def acceptances(
    samples: Mapping[str, np.ndarray],
    test: Callable[[np.ndarray], TestResult],
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Count how many of each ten experiments accept: a row per data set, a column per table from 0.

    `samples` all have the shape (experiments, ...); `test` uses the axes after the
    first.
    """
    every = np.stack(list(samples.values()))
    accepted = (
        (test(every).pvalue >= alpha).reshape(len(samples), -1, TABLE).sum(axis=-1)
    )
    return pd.DataFrame(accepted, index=list(samples))


# ------------------------------------------------------------------ comparison with the papers


def cells(accepted: pd.DataFrame) -> pd.DataFrame:
    """Expected cells of a published table, from the stored experiments.

    A cell counts the acceptances of ten independently drawn experiments, so it is
    binomial.  If x of n experiments accept, its probability is estimated as (x + 1) /
    (n + 2): an event that n experiments did not show may still happen.  Indexed like
    `accepted`: `probability`; `rebuilt`, the mean count of ten; its `standard_error`;
    `published_error`, the standard deviation of one count; `law`, the probability of
    each count of ten, which with a uniform prior is beta-binomial.

    >>> cells(pd.DataFrame({0: [10, 4]}, index=["iris", "zoo"]))["rebuilt"].round(3).tolist()
    [9.167, 4.167]
    """
    tables, x = accepted.shape[1], accepted.sum(axis=1)
    p = (x + 1) / (TABLE * tables + 2)
    a, b = (np.asarray(k + 1)[:, None] for k in (x, TABLE * tables - x))
    law = stats.betabinom.pmf(np.arange(TABLE + 1), TABLE, a, b)
    deviation = np.sqrt(TABLE * p * (1 - p))
    return pd.DataFrame(
        {
            "probability": p,
            "rebuilt": TABLE * p,
            "standard_error": deviation / np.sqrt(tables),
            "published_error": deviation,
            "law": list(law),
        }
    )


def measures_of(counts: np.ndarray) -> dict[str, np.ndarray]:
    """Measures of counts of ten: consistent or not, almost or not, and estimated replicability."""
    differing = np.minimum(counts, TABLE - counts)
    return {
        "consistent": (differing == 0).astype(float),
        "almost_consistent": (differing <= 1).astype(float),
        "replicability_R": np.asarray(replicability.r2_from_counts(counts, TABLE)),
    }


def summaries(accepted: pd.DataFrame) -> pd.DataFrame:
    """The three bottom rows of each table: `consistent`, `almost_consistent`, `replicability_R`.

    Two numbers of data sets, and the mean raw R2; one row per table.

    >>> summaries(pd.DataFrame({0: [10, 1], 1: [5, 0]})).round(3).values.tolist()
    [[1.0, 2.0, 0.9], [1.0, 1.0, 0.722]]
    """
    found = measures_of(np.ascontiguousarray(accepted.to_numpy().T))
    return pd.DataFrame(
        {
            measure: values.mean(axis=-1)
            if measure == "replicability_R"
            else values.sum(axis=-1)
            for measure, values in found.items()
        },
        index=accepted.columns,
    )


def expected_summaries(probability: pd.Series) -> pd.DataFrame:
    """Exact bottom rows of a table of independent binomials: `mean`, `deviation`, and the `law`.

    The law has the probability of each number of data sets; it is None for R.

    >>> expected_summaries(pd.Series([0.0, 1.0]))[["mean", "deviation"]].values.tolist()
    [[2.0, 0.0], [2.0, 0.0], [1.0, 0.0]]
    """
    count = np.arange(TABLE + 1)
    weight = stats.binom.pmf(count, TABLE, np.asarray(probability)[:, None])
    rows = {}
    for measure, value in measures_of(count).items():
        is_count = measure != "replicability_R"
        value = value if is_count else value / len(weight)
        mean = weight @ value
        variance = np.maximum(weight @ (value * value) - mean**2, 0)
        law = (
            reduce(np.convolve, np.column_stack([1 - mean, mean])) if is_count else None
        )
        rows[measure] = {
            "mean": mean.sum(),
            "deviation": np.sqrt(variance.sum()),
            "law": law,
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def judged_summaries(accepted: pd.DataFrame) -> pd.DataFrame:
    """Expected bottom rows of a published table, from the stored experiments.

    Indexed by measure: `rebuilt`, the mean over our tables; its `standard_error`;
    `published_error`, the standard deviation for one table, whose cells are independent
    binomials with our frequencies; their `law`, as in :func:`expected_summaries`; and
    our `replicas`.
    """
    ours = summaries(accepted)
    # the standard deviation between a few tables of whole counts is too rough and often
    # zero
    expected = expected_summaries(accepted.mean(axis=1) / TABLE)
    return pd.DataFrame(
        {
            "rebuilt": ours.mean(),
            "standard_error": expected["deviation"] / np.sqrt(len(ours)),
            "published_error": expected["deviation"],
            "law": expected["law"],
            "replicas": ours.T.to_numpy().tolist(),
        }
    )


def chance_of_summaries(accepted: pd.DataFrame, printed: pd.Series) -> pd.Series:
    """Probability of bottom rows as far out as the printed ones, on either side, by measure.

    The distribution of one table of ten new experiments is exact: each cell is
    beta-binomial, given the stored frequencies and Jeffreys' prior.  A printed
    replicability stands for all that round to it.

    >>> chance = chance_of_summaries(pd.DataFrame({0: [10, 5]}), pd.Series({"consistent": 2.0}))
    >>> chance.round(3).to_dict()
    {'consistent': 0.027}
    """
    count = np.arange(TABLE + 1)
    x = accepted.sum(axis=1).to_numpy()[:, None] + 0.5
    weight = stats.betabinom.pmf(count, TABLE, x, TABLE * accepted.shape[1] + 1 - x)
    pairs, measures = TABLE * (TABLE - 1), measures_of(count)
    chances = {}
    for measure, value in printed.items():
        steps = np.rint(pairs * measures[measure]).astype(int)
        mass = reduce(np.convolve, [np.bincount(steps, row) for row in weight])
        total, rounded = np.arange(len(mass)) / pairs, 1e-9
        if measure == "replicability_R":
            total, rounded = total / len(weight), 0.0005 + 1e-9
        tails = (
            mass[total <= value + rounded].sum(),
            mass[total >= value - rounded].sum(),
        )
        chances[measure] = min(1.0, 2 * min(tails))
    return pd.Series(chances)


def simulated_tables(
    accepted: pd.DataFrame, tables: int = 1000, *, seed: int = SEED
) -> pd.DataFrame:
    """Simulate possible tables: ten new draws per cell, from the frequencies of `accepted`."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    p = accepted.mean(axis=1).to_numpy() / TABLE
    drawn = rng.binomial(TABLE, p[:, None], (len(p), tables))
    return pd.DataFrame(drawn, index=accepted.index)


def chance_of_disagreement(judged: pd.DataFrame, possible: pd.DataFrame) -> pd.Series:
    """Share of possible tables in which a number disagrees, by the rule of the ledger.

    `judged` is from :func:`cells` or :func:`judged_summaries`; `possible` has the same
    rows and one column per table.
    """
    outside = []
    for ours, theirs in zip(judged.itertuples(), possible.to_numpy()):
        if ours.law is not None:
            found = ledger.chances(ours.law)[theirs.astype(int)] < ledger.LEVEL
        else:
            reach = ledger.MAX_Z * np.hypot(ours.standard_error, ours.published_error)
            found = np.abs(theirs - ours.rebuilt) > reach + 0.0005
        outside.append(found.mean())
    return pd.Series(outside, judged.index)


def distance(judged: pd.DataFrame) -> pd.Series:
    """`printed` minus `rebuilt` in joint standard errors, with no allowance for rounding."""
    error = np.hypot(judged["standard_error"], judged["published_error"])
    return (judged["printed"] - judged["rebuilt"]) / error


def beside_the_first_neighbour(
    vote: pd.DataFrame, first: pd.DataFrame, *, max_z: float
) -> pd.DataFrame:
    """Printed numbers more than `max_z` from ours under a vote, and under the first neighbour.

    Both frames have `id`, `printed` and the columns that :func:`distance` needs.
    Indexed by id: `printed`, and for each neighbour `rebuilt` and `z`.
    """
    columns = {
        name: frame.assign(z=distance(frame)).set_index("id")[["rebuilt", "z"]]
        for name, frame in (("vote", vote), ("first", first))
    }
    both = pd.concat(columns, axis=1)
    both.insert(0, ("printed", ""), vote.set_index("id")["printed"])
    return both[both["vote", "z"].abs() > max_z]


def judged(first: pd.DataFrame, vote: pd.DataFrame) -> pd.DataFrame:
    """Ledger rows by Weka's two nearest neighbours, of which the first was chosen on one pair.

    `first` and `vote` are rows of the same facts, with their `pair`.  A row is judged
    by the first neighbour.  On the pair `CHOSEN_ON`, a number that agrees only under
    this choice has the vote's row, which the choice then explains.
    """
    agree = {
        name: ledger.compare(rows, chapter="")["verdict"].isin(ledger.AGREE).to_numpy()
        for name, rows in (("first", first), ("vote", vote))
    }
    by_choice = (
        (first["pair"] == CHOSEN_ON).to_numpy() & agree["first"] & ~agree["vote"]
    )
    rows = first.assign(
        reading=first["pair"].map({"nb_c45": "printed"}).fillna("inferred"),
        note=_notes(first, vote["rebuilt"].to_numpy(), agree["first"]),
    )
    explained = vote[by_choice].assign(
        other=first["rebuilt"].to_numpy()[by_choice],
        other_holds=True,
        evidence=EVIDENCE,
    )
    return pd.concat([rows[~by_choice], explained]).loc[first.index]


def _notes(first: pd.DataFrame, of_vote: np.ndarray, agrees: np.ndarray) -> pd.Series:
    """Return the notes of rows, and what a vote gives where the first neighbour fails."""
    own = first.get("note", pd.Series(None, first.index)).astype(object)
    own = own.where(own.notna(), None)
    notes = []
    for note, pair, number, is_right in zip(own, first["pair"], of_vote, agrees):
        beside = f"if all of equally near neighbours vote, {number:.3g}"
        has_neighbour = pair != "nb_c45"
        parts = [note, beside if has_neighbour and not is_right else None]
        notes.append("; ".join(part for part in parts if part) or None)
    return pd.Series(notes, first.index, dtype=object)
