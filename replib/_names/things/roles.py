"""What a column has by its name: labels of runs, folds, items or data sets."""

from typing import Any

from replib._names.words import plain_text

#: Names of columns that may say which task of a suite an item belongs to.
TASKS = ("task", "subtask", "benchmark", "subject", "suite")

#: Words for what a label is.  An index that is called so has such labels, and no others.
WORDS = {
    "run": ("run", "seed", "repeat", "repetition", "rep", "trial"),
    "fold": ("fold",),
    "item": ("item", "doc_id", "question", "question_id", "example", "instance"),
    "dataset": ("dataset", "data set", "data_set"),
    "split": ("split",),
    "cluster": ("cluster", "group"),
    "epoch": ("epoch", "step"),
    "model": ("model",),
    "score": ("score",),
    "truth": ("truth", "prediction"),
}

#: Names of a column that counts random splits.
SPLITS = ("split", "resample", "resampling", "resample_id")

#: Names of an index whose rows are models.
MODELS = ("model", "algorithm", "classifier", "learner", "method")
#: Names of columns that say which part of the data was used.
PARTS = (
    *("data", "data_split", "fold", "mode", "part", "partition", "phase", "set"),
    *("split", "stage", "subset"),
)
#: Names of columns that say of which metric a score is.
METRICS = ("metric", "metric_name", "measure", "scorer", "scoring")


def label_names(role: str) -> tuple[str, ...]:
    """Return the usual names of labels of a role, such as run and seed.

    >>> label_names("fold")
    ('fold',)
    """
    return WORDS.get(role, (role,))


def is_word_of_labels(name: Any) -> bool:
    """Return whether a name is one that labels of some design have, such as "seed"."""
    plain = plain_text(name)
    return any(plain in names for names in WORDS.values())
