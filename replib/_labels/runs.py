"""Notes about runs, and clusters, that by their column are made otherwise than the design says."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from replib._labels.texts import is_labelled, labels_of_key, texts_of_key
from replib._names.labels.numbered import (
    are_samples,
    common_seed,
    kind_of_numbered,
)
from replib._names.labels.training_parts import is_of_training
from replib._names.things.kinds import kind_in_role, kind_of_name, plural
from replib._names.things.left_out import has_groups_left_out
from replib._names.words import words_of_column
from replib._validation import listed, shown
from replib.designs import CV, Items, RandomSplits, Seeds
from replib.scores import Predictions, Scores

#: More runs have no labels that somebody wrote.
_MOST_RUNS = 1000
#: Such as "seed3-resumed" and "run 3 (1)", but not "run3b".
_WITH_WORD = re.compile(
    r"(?P<label>.*[^\W_])(?:[-_. ]+[(\[]?[^\W\d_]+[)\]]?|[-_ ]*\(\d\))"
)
#: What a training may be called by, too, of the words for samples.
_TRIED = {"attempt", "generation", "retry", "try"}
#: Columns that may count repetitions, or else states of one training.
_STAGES = {"cycle", "generation", "period", "phase", "round", "rounds", "stage", "turn"}
#: So many scores have the order of their numbers by chance in one table of a million.
_FEWEST_STAGES = 8
_SAME_ORDER = 0.9
#: Last words of columns of outcomes, which are few, so that each has many items.
_OUTCOMES = {
    *("actual", "class", "diagnosis", "gold", "label", "labels", "outcome", "result"),
    *("sentiment", "target", "truth", "verdict", "winner", "y"),
}
_MOST_OUTCOMES = 10
#: Labels of classes in schools: "5a", "7 B".
_CLASS_OF_SCHOOL = re.compile(r"\d+ ?[A-Za-z]")
_FEWEST_ALIKE = 20
#: So many rows are looked at for the labels of their clusters.
_MOST_ROWS = 10_000


def notes_about_runs(table: Scores | Predictions) -> Iterator[str]:
    """Note runs that are made otherwise than the design says, and folds as clusters."""
    design = table.design
    if isinstance(design, CV) and not design.groups:
        yield from _groups_left_out(table)
    elif isinstance(design, Seeds):
        yield from _runs_of_one_seed(table)
        yield from _samples_as_seeds(table)
        yield from _runs_with_a_word(table)
        yield from _stages_of_training(table)
        yield from _parts_of_cv_as_seeds(table)
    elif isinstance(design, RandomSplits):
        yield from _runs_with_a_word(table)
        yield from _stages_of_training(table)
        yield from _bootstrap_samples_as_splits(table)
    elif isinstance(design, Items):
        yield from _column_of_other_runs(table, design)
        yield from _samples_as_trainings(table, design)
        yield from _folds_as_clusters(table, design)


def _groups_left_out(table: Scores | Predictions) -> Iterator[str]:
    """Note folds that are groups by the name of their column, such as "held_out_donor"."""
    name = table.columns.get("fold")
    labels = [*map(str, labels_of_key(table, "fold")[:_MOST_RUNS])]
    if name is not None and has_groups_left_out(name, labels):
        yield (
            f"Column {shown(name)} has the groups that were left out by its name: then the "
            "design says groups=True."
        )


def _runs_of_one_seed(table: Scores | Predictions) -> Iterator[str]:
    """Note runs that all have one seed in their labels, beside other numbers."""
    labels = _runs_of_first_model(table)
    seed = common_seed(labels) if len(labels) > 1 else None
    if seed is not None:
        yield (
            f"The seeds are called {listed(labels[:2])} and so on, of which each has the "
            f"seed {seed}: was each run trained with a seed of its own?"
        )


def _runs_with_a_word(table: Scores | Predictions) -> Iterator[str]:
    """Note a run that has the label of another and a word: "seed3" and "seed3-resumed"."""
    labels = _runs_of_first_model(table)
    numbered = {label for label in labels if re.search(r"\d", label)}
    for label in labels:
        match = _WITH_WORD.fullmatch(label)
        if match is not None and match["label"] in numbered:
            yield (
                f"{shown(label)} has the label of {shown(match['label'])} and another "
                "word: do both count as runs?"
            )
            return


def _runs_of_first_model(table: Scores | Predictions) -> list[str]:
    """Return the labels of the runs of a model that are texts."""
    if not texts_of_key(table, "run"):
        return []
    rows = table.frame
    is_of_first = (rows["model"] == rows["model"].iloc[0]).to_numpy()
    labels = rows["run"][is_of_first].iloc[:_MOST_RUNS].unique()
    return [label for label in labels if isinstance(label, str)]


def _stages_of_training(table: Scores | Predictions) -> Iterator[str]:
    """Note rounds, or stages, from one to the next of which the scores of all models rise."""
    column = table.columns.get("run")
    labels = _runs_of_first_model(table)
    words = {*words_of_column(column), *words_of_column(" ".join(labels[:1]))}
    stages = words & _STAGES
    if isinstance(table, Predictions) or not stages:
        return
    if all(_follow_their_numbers(model, table) for model in table.models):
        yield (
            f"The scores of all models rise or fall with the number of the "
            f"{min(stages)}: are the runs states of one training?"
        )


def _follow_their_numbers(model: str, table: Scores) -> bool:
    """Return whether the scores of a model have nearly the order of the numbers of its runs."""
    rows = table.frame[(table.frame["model"] == model).to_numpy()]
    digits = rows["run"].astype(str).str.extract(r"(\d+)\D*$", expand=False)
    if len(rows) < _FEWEST_STAGES or digits.isna().any():
        return False
    correlation = digits.astype(float).rank().corr(rows["score"].rank())
    return bool(abs(correlation) >= _SAME_ORDER)


def _parts_of_cv_as_seeds(table: Scores | Predictions) -> Iterator[str]:
    """Note seeds that are splits, or repetitions of a cross-validation, by their column."""
    column = table.columns.get("run")
    kind = kind_of_name(column)
    words = re.findall("[a-z]+", str(column).casefold())
    if kind == "split" or (kind == "repetition" and "cv" in words):
        yield (
            f"Column {shown(column)} has {plural(kind)} of a cross-validation by its "
            "name, and no seeds: say with design how the scores were made."
        )


def _bootstrap_samples_as_splits(table: Scores | Predictions) -> Iterator[str]:
    """Note splits that are bootstrap samples by their column, and not by their labels."""
    column = table.columns.get("run")
    kind = "bootstrap sample"
    if kind_of_name(column) != kind:
        return
    if kind_of_numbered(texts_of_key(table, "run")) == kind:
        return  # is noted where rows are
    yield (
        f"Column {shown(column)} may have bootstrap samples by its name: were the rows "
        "of each drawn without replacement?"
    )


def _column_of_other_runs(table: Scores | Predictions, design: Items) -> Iterator[str]:
    """Note trainings that are samples by the name of their column, or the reverse."""
    column = table.columns.get("run")
    kind = kind_of_name(column)
    if design.runs == "trainings" and kind == "sample":
        yield (
            f"Column {shown(column)} has samples by its name, and the runs are taken to "
            'be trainings: say Items(runs="samples") if they are none.'
        )
    elif design.runs == "samples" and kind == "seed" and is_of_training(column):
        yield (
            f"Column {shown(column)} has trainings by its name, and the runs are taken "
            'to be samples: say Items(runs="trainings") if they are none.'
        )


def _samples_as_seeds(table: Scores | Predictions) -> Iterator[str]:
    """Note seeds that are called like samples of one model: "draw_0", "draw_1"."""
    labels = _runs_of_first_model(table)
    if are_samples(labels, but_for=_TRIED):
        yield (
            f"The seeds are called {listed(labels[:2])} and so on: are they samples of "
            "one trained model?"
        )


def _samples_as_trainings(table: Scores | Predictions, design: Items) -> Iterator[str]:
    """Note runs of items that are samples by their labels, and not by their column alone."""
    is_noted = kind_of_name(table.columns.get("run")) == "sample"
    labels = _runs_of_first_model(table)
    if design.runs == "trainings" and not is_noted and are_samples(labels):
        yield (
            f"The runs are called {listed(labels[:2])} and so on, and are taken to be "
            'trainings: say Items(runs="samples") if they are none.'
        )


def _folds_as_clusters(table: Scores | Predictions, design: Items) -> Iterator[str]:
    """Note clusters that are folds, or outcomes, by their column or their labels."""
    if design.cluster is None or not is_labelled(table):
        return
    # of a wide table, the column is called after its role
    names = (table.columns.get("cluster"), design.cluster)
    labels = table.frame["cluster"].iloc[:_MOST_ROWS].astype(str).unique()
    kinds = {*map(kind_in_role, names), kind_of_numbered(labels)}
    if "fold" in kinds:
        yield (
            "The clusters are folds by their name: did the model of its fold predict each "
            'item? Then say Items(predicted="by_fold") instead.'
        )
    elif _are_outcomes(names, table) and not all(map(_CLASS_OF_SCHOOL.match, labels)):
        yield (
            f"The clusters are those of column {shown(names[0] or names[1])}, which has "
            "outcomes by its name: do items with one outcome depend on each other?"
        )


def _are_outcomes(names: Iterable[Any], table: Scores | Predictions) -> bool:
    """Return whether clusters are few and large, and their column is called after outcomes."""
    words = [words_of_column(name) for name in names if name is not None]
    last_words = {word for words_of_name in words for word in words_of_name[-1:]}
    if _OUTCOMES.isdisjoint(last_words):
        return False
    if isinstance(table, Predictions) or table.clusters is None:
        return False  # predictions have the truth beside them
    n_clusters = int(table.clusters.max()) + 1
    are_large = table.clusters.size >= _FEWEST_ALIKE * n_clusters
    return n_clusters <= _MOST_OUTCOMES and are_large


__all__ = ["notes_about_runs"]
