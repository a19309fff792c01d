"""Numbers of the library before its door was rebuilt (tests/data/before.json): they stay."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

BEFORE = json.loads((Path(__file__).parent / "data" / "before.json").read_text())


def splits(seed, models, *shape):
    """Scores of models on common splits, as fractions of fifty test instances."""
    rng = np.random.default_rng(seed)
    common = rng.normal(0.8, 0.04, shape)
    return {name: (50 * (common + rng.normal(0.012 * place, 0.03, shape))).round() / 50
            for place, name in enumerate(models)}


def answers(seed, runs, items=200, binary=True):
    """Scores of two models on items of different difficulty, in runs."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=items)
    of = {name: difficulty + rng.normal(mean, 1, (runs, 1)) * 0.2 + rng.normal(mean, 1, (runs, items))
          for name, mean in (("new", 0.9), ("old", 0.6))}
    return {name: (x > 0).astype(float) if binary else x for name, x in of.items()}


def clusters(items=200):
    return np.arange(items) // 7


def tables(seed, models, datasets=14):
    """A score for each data set and model."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.6, 0.95, (datasets, 1))
    scores = base + rng.normal(0, 0.02, (datasets, len(models))) + 0.01 * np.arange(len(models))
    return pd.DataFrame(scores.round(3), columns=list(models),
                        index=[f"data {i}" for i in range(datasets)])


def classes(seed, items=300):
    """Truth, and predicted classes and scores of two models."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, items)
    score = {name: truth + rng.normal(0, spread, items)
             for name, spread in (("new", 0.8), ("old", 1.0))}
    return truth, {name: (x > 0.5).astype(int) for name, x in score.items()}, score
