"""Tables with labels, and the notes that they draw."""

import numpy as np
import pandas as pd

from replib import Metric, Scores
from replib._labels import notes_about_labels
from replib.readers import from_arrays, from_wide

ANY = Metric("quality", better="higher")


def wide(labels, design="datasets", n_models=2, **columns):
    """A table of random scores with a row for each label."""
    rng = np.random.default_rng(4)
    scores = rng.normal(0.8, 0.03, (len(labels), n_models)).round(3)
    frame = pd.DataFrame(scores, index=labels, columns=["nb", "c45", "svm"][:n_models])
    return from_wide(frame.assign(**columns), design=design, metric=ANY)


def long(labels, design, key="run", names=("nb", "svm")):
    """A long table in which each model has each label."""
    rng = np.random.default_rng(4)
    rows = [(name, label, rng.random()) for name in names for label in labels]
    frame = pd.DataFrame(rows, columns=["model", key, "score"])
    return Scores(frame, design=design, metric=ANY)


def numbered(word, n=6):
    """Labels of one word with a number each."""
    return [f"{word}{i + 1}" for i in range(n)]


def notes(table):
    """What is asked about the labels of a table."""
    return list(notes_about_labels(table))


def notes_on(models, metric=ANY, design="datasets"):
    """What is asked about models that are given as arrays."""
    return notes(from_arrays(models, design=design, metric=metric))


def beside(n=30, design="items", digits=3, **columns):
    """Two networks with other columns beside them, which are computed from their scores."""
    rng = np.random.default_rng(4)
    scores = rng.normal(6, 1, n).round(digits)
    models = {"unet": scores, "vnet": (scores + rng.normal(0, 0.3, n)).round(digits)}
    computed = {name: column(models) for name, column in columns.items()}
    labels = [f"case {a}{b}" for a in "abcdefgh" for b in "klmnopqrst"][:n]
    frame = pd.DataFrame(models | computed, index=labels)
    return notes(from_wide(frame, design=design, metric=ANY))
