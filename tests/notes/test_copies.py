"""Copies: refused in all models, noted in some, and silent where chance may have made them."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from replib import Items, Metric, RandomSplits, Scores, Seeds
from replib._notes.copies import chance_of_equality, notes_about_copies
from replib._notes.values import notes_about_values
from replib.readers import from_arrays, from_predictions, from_search

evidence = import_module("benchmarks.false_notes")

ANY = Metric("quality", better="higher")
RNG = np.random.default_rng(1)


def notes(models, design="10x10"):
    """Notes on arrays of scores, or the refusal."""
    return evidence.notes(from_arrays(models, design=design, metric=ANY))


def test_chance_of_equality_counts_equal_pairs():
    blocks = RNG.integers(0, 4, size=(6, 3)), RNG.integers(0, 2, size=(3, 3))
    pairs = [
        block[i] == block[j]
        for block in blocks
        for i in range(len(block))
        for j in range(i)
    ]
    expected = (1 + np.sum(pairs)) / (1 + np.size(pairs))
    assert chance_of_equality(*blocks) == pytest.approx(expected)


@pytest.mark.parametrize(
    "design, copied",
    [
        ("10x10", lambda x: np.tile(x[:1], (10, 1))),
        ("10x10", lambda x: x[[0, 1, 2, 3, 4, 5, 6, 7, 8, 3]]),
        ("2x10", lambda x: x[[0, 0]]),
        (RandomSplits(30, 0.1), lambda x: np.tile(x.ravel()[:10], 3)),
        (RandomSplits(30, 0.1), lambda x: np.repeat(x.ravel()[:15], 2)),
        ("seeds", lambda x: np.tile(x[0, :5], 2)),
    ],
)
def test_runs_that_are_copies_in_all_models_are_refused(design, copied):
    a, b = RNG.normal(0.8, 0.02, (2, 10, 10)).round(3)
    (text,) = notes({"a": copied(a), "b": copied(b)}, design)
    assert "have the same scores in every model" in text or "repeated: draw" in text
    rest = copied(RNG.normal(0.8, 0.02, (10, 10)))
    rest = rest + RNG.normal(0, 0.02, rest.shape)
    assert all("copied?" in text for text in notes({"a": copied(a), "b": rest}, design))


@pytest.mark.parametrize("n_seeds", [2, 3, 5])
def test_seeds_without_spread_are_refused_only_in_all_models_that_differ(n_seeds):
    (refusal,) = notes({"a": [0.9] * n_seeds, "b": [0.91] * n_seeds}, "seeds")
    assert "no spread" in refusal
    assert notes({"a": [0.9] * n_seeds, "b": [0.9] * n_seeds}, "seeds") == []


def test_a_model_whose_seeds_are_equal():
    varying = [0.9, 0.913, 0.879, 0.917, 0.909]
    (note,) = notes({"rf": [0.9] * 5, "net": varying}, "seeds")
    assert (
        note
        == "All seeds of rf have the same score: deterministic, copied, or rounded?"
    )


def test_a_baseline_on_splits_is_no_copy():
    """Always the most frequent class: the score is the same on every split."""
    a = RNG.normal(0.8, 0.02, (10, 10))
    assert notes({"a": a, "most frequent": np.full((10, 10), 0.6)}) == []
    assert notes({"a": a, "never wrong": np.ones((10, 10))}) == []


def test_answers_at_temperature_zero():
    truth = RNG.integers(0, 2, 300)
    runs = np.where(RNG.random((5, 300)) < 0.2, 1 - truth, truth)
    copied = np.tile(runs[:1], (5, 1))

    def noted(**models):
        return evidence.notes(from_predictions(truth, models, metric="accuracy"))

    (note,) = noted(cold=copied, warm=runs)
    assert note == "All runs of cold have the same scores: deterministic, or copied?"
    (refusal,) = noted(cold=copied, other=np.tile(runs[1:2], (5, 1)))
    assert "one run repeated" in refusal
    assert noted(cold=copied, warm=runs, flawless=np.tile(truth, (5, 1))) == [note]


@pytest.mark.parametrize(("n_digits", "n_notes"), [(1, 0), (3, 1)])
def test_three_seeds_in_percent_with_one_decimal_may_be_equal(n_digits, n_notes):
    """Of models with a deviation of 0.4 points, one in fifty has three equal seeds."""
    varying = {"b": [91.312, 91.048, 91.607], "c": [90.244, 90.871, 90.413]}
    models = {name: np.round(seeds, n_digits) for name, seeds in varying.items()}
    table = {"a": [90.1] * 3} | models
    assert len(notes(table, "seeds")) == n_notes


@pytest.mark.parametrize(
    "design, shape, n_models, is_noted",
    [
        ("10x10", (10, 10), 2, True),
        ("10x10", (10, 10), 3, True),
        (RandomSplits(30, 0.2), (30,), 4, True),
        ("seeds", (8,), 3, True),
        (Seeds(paired=True), (8,), 3, True),
        ("datasets", (12,), 3, True),
        ("items", (100,), 3, True),
        ("1x2", (1, 2), 2, False),  # by chance
    ],
)
def test_equal_models_that_were_made_apart(design, shape, n_models, is_noted):
    models = dict(zip("abcd", RNG.normal(0.8, 0.1, (n_models, *shape)).round(3)))
    last = list(models)[-1]
    models[last] = models["a"]
    texts = notes(models, design)
    assert bool(texts) == is_noted
    assert all(f"a and {last} have the same score on every" in text for text in texts)


@pytest.mark.parametrize(
    "design", ["10x10", RandomSplits(100, 0.2), Seeds(paired=True)]
)
@pytest.mark.parametrize(
    ("one", "other", "is_noted"),
    [
        ("champion_v3", "xgb_prod_2023", True),
        ("champion_v3", "challenger_v3", True),
        ("RandomForest", "knn", True),
        ("C=1", "C=10", False),
        ("max_depth=9", "max_depth=None", False),
        ("100", "200", False),
        ("kNN (3)", "kNN (5)", False),
        ("decision_tree", "DecisionTreePruned", False),
        ("lbfgs", "newton-cg", False),
        ("without age", "income", False),  # a tree may not use a feature
        ("ZeroR", "SVM", False),  # one answer, too
    ],
)
def test_equal_models_on_the_same_splits_may_be_settings(design, one, other, is_noted):
    scores, rest = RNG.normal(0.8, 0.1, (2, 100)).round(3)
    shape = (10, 10) if design == "10x10" else (100,)
    models = {name: scores.reshape(shape) for name in (one, other)}
    texts = notes(models | {"third": rest.reshape(shape)}, design)
    expected = [f"{one} and {other} have the same score on every"] * is_noted
    assert [text.partition(" every")[0] + " every" for text in texts] == expected


def test_candidates_of_a_search_may_be_equal():
    scores = RNG.normal(0.8, 0.02, 10)
    results = {f"split{i}_test_score": [x, x] for i, x in enumerate(scores)}
    results |= {"params": [{"depth": 9}, {"depth": None}], "mean_test_score": [0.8] * 2}
    table = from_search(results, metric="accuracy", design="1x10")
    assert notes_about_values(table) == []


def test_a_long_list_of_equal_models_is_cut():
    seeds = [0.81, 0.83, 0.79, 0.85, 0.82, 0.8, 0.84]
    models = {f"m{i}": seeds for i in range(30)}
    (note,) = notes(models, "seeds")
    assert note.startswith("m0, m1, m2, m3, m4, m5, m6, m7, m8 and 21 more have")


# ---------------------------------------------------------------- constants


def test_five_copies_of_two_folds_are_just_rare_enough():
    """Ten equal runs have the chance 0.0019: half of RARE would let them pass."""
    a, b = np.tile([[0.8, 0.9]], (5, 1)), np.tile([[0.7, 0.9]], (5, 1))
    assert "repeated" in notes({"a": a, "b": b}, "5x2")[0]
    assert notes({"a": a[:4], "b": b[:4]}, "4x2") == []


def test_eight_seeds_with_two_scores_are_not_rare_enough():
    """Another model has the same with the chance 0.0030: twice RARE would note it."""
    seeds = [0.9, 0.8, 0.9, 0.9, 0.8, 0.9, 0.8, 0.9]
    assert notes({"a": seeds, "b": seeds}, "seeds") == []


@pytest.mark.parametrize("n_items, is_noted", [(140, False), (260, True)])
def test_models_with_a_twentieth_of_their_variance_for_themselves(n_items, is_noted):
    """Twice as much for themselves would note 140 equal items, half as much pass 260."""
    half = np.random.default_rng(7).permutation(n_items) % 2
    assert bool(notes({"a": half, "b": half}, "items")) == is_noted


@pytest.mark.parametrize("n_items, is_noted", [(50, False), (100, True)])
def test_runs_with_a_fifth_of_the_spread_of_others(n_items, is_noted):
    """A fifth, not a seventh or a third, is the root of a twentieth."""
    half = np.arange(n_items) % 2.0
    other = RNG.permuted(np.tile(half, (2, 1)), axis=1)
    design = Items(runs="samples")
    models = {"a": np.tile(half, (2, 1)), "b": other}
    assert bool(notes(models, design)) == is_noted


@pytest.mark.parametrize("n_models", [2, 30])
def test_two_equal_runs_of_one_model(n_models):
    rng = np.random.default_rng(5)
    models = {f"m{i}": rng.binomial(400, 0.8, (10, 10)) / 400 for i in range(n_models)}
    assert notes(models, "10x10") == []
    models["m1"][7] = models["m1"][2]
    (note,) = notes(models, "10x10")
    assert note == "Runs 3 and 8 of m1 have the same scores: copied?"
    models["m1"] = models["m1"].round()  # always right: runs may be equal
    assert notes(models, "10x10") == []


@pytest.mark.parametrize(
    "n_seeds, digits, paired, is_noted",
    [
        (5, 4, False, True),
        (4, 4, False, True),
        (4, 2, False, False),
        (5, 4, True, False),
    ],
)
def test_the_same_seeds_in_another_order(n_seeds, digits, paired, is_noted):
    """With two digits, one of 24 orders would be found too often by chance."""
    rng = np.random.default_rng(6)
    x = rng.normal(0.8, 0.02, n_seeds).round(digits)
    models = {"a": x, "b": x[::-1]}
    assert bool(notes(models, Seeds(paired=paired))) == is_noted
    # of many models, some pair has the same few scores by chance
    more = {f"m{i}": rng.normal(0.8, 0.02, 3).round(4) for i in range(30)}
    models = {name: x[:3] for name, x in models.items()}
    assert notes(models | more, Seeds(paired=paired)) == []


def test_orders_of_many_seeds_are_counted_without_overflow():
    x = np.random.default_rng(6).normal(0.8, 0.02, 200)
    assert notes({"a": x, "b": x[::-1]}, "seeds") == []


def test_two_equal_runs_of_items():
    rng = np.random.default_rng(8)
    hard = rng.normal(size=200)
    runs = [(hard + rng.normal(size=(4, 200)) < 0.5).astype(float) for _ in "ab"]
    models = dict(zip("ab", runs))
    assert notes(models, "items") == []
    models["a"][3] = models["a"][0]
    (note,) = notes(models, "items")
    assert note == "Runs 1 and 4 of a have the same scores: copied?"
    # of a model that is nearly certain, runs are equal by chance
    models["a"] = np.tile(runs[1][:1], (4, 1))
    models["a"][1:3, :2] = 1 - models["a"][1:3, :2]
    assert notes(models, "items") == []


@pytest.mark.parametrize("n_changed, is_noted", [(23, False), (24, True)])
def test_the_rarest_equal_runs_of_one_model_that_are_noted(n_changed, is_noted):
    """The second run differs by 23 items: 0.0000013, or by 24: 0.00000065.  Twice
    RARE_IN_A_MODEL would note the first, and half of it let the second pass."""
    runs = np.tile(RNG.integers(0, 2, 3000), (3, 1))
    runs[1, :n_changed] = 1 - runs[1, :n_changed]
    models = {"a": runs, "b": RNG.integers(0, 2, (3, 3000))}
    assert bool(notes(models, "items")) == is_noted


@pytest.mark.parametrize("design", ["seeds", Seeds(paired=True), RandomSplits(14, 0.2)])
@pytest.mark.parametrize(
    ("order", "is_noted"),
    [
        ([*range(7), *range(7)], True),
        ([*range(6), 10, *range(6), 11], True),
        ([*range(7), *range(6, -1, -1)], False),  # equal scores, but no series
        ([0, 1, *range(5, 15), 0, 1], False),  # two seeds, as few optima may give
    ],
)
def test_a_series_of_seeds_that_one_model_has_twice(design, order, is_noted):
    scores = RNG.normal(0.9, 0.01, 15).round(4)
    other = RNG.normal(0.9, 0.01, 14).round(4)
    texts = notes({"net": scores[order], "tree": other}, design)
    assert any("net has the same scores in" in text for text in texts) == is_noted
    # of two digits, such a series may be chance
    assert notes({"net": scores[order].round(2), "tree": other.round(2)}, design) == []


def test_a_learner_of_few_optima_repeats_itself():
    optima = [0.9123, 0.8971, 0.9046]
    scores = np.array(optima)[[0, 1, 2, 0, 1, 2, 0, 1, 2, 0]]
    other = RNG.normal(0.9, 0.01, 10).round(4)
    assert notes({"k-means": scores, "net": other}, "seeds") == []


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        *[
            (name, False)
            for name in ("classif.featureless", "ZeroR", "DummyClassifier")
        ],
        *[(name, False) for name in ("Majority class", "most_frequent", "prior")],
        *[(name, False) for name in ("weka.rules.ZeroR", "always yes", "0-R")],
        *[(name, True) for name in ("gbm", "prior network", "constant-Q", "model 2")],
    ],
)
def test_a_model_of_one_answer_has_equal_runs(name, is_noted):
    rng = np.random.default_rng(21)
    of_folds = rng.binomial(60, 0.66, 10) / 60
    models = {
        "rf": rng.binomial(60, 0.8, (5, 10)) / 60,
        name: np.tile(of_folds, (5, 1)),
    }
    assert bool(notes(models, "5x10")) == is_noted
    seeds = {"rf": rng.normal(0.8, 0.02, 5), name: np.full(5, 0.66)}
    assert bool(notes(seeds, "seeds")) == is_noted


def test_runs_are_called_by_their_labels():
    rng = np.random.default_rng(22)
    rows = [
        (model, run, fold, score)
        for model in ("a", "b")
        for run, scores in zip((10, 20, 30), rng.binomial(400, 0.8, (3, 10)) / 400)
        for fold, score in enumerate(scores)
    ]
    frame = pd.DataFrame(rows, columns=["model", "run", "fold", "score"])
    is_copy = (frame["model"] == "a") & (frame["run"] == 30)
    frame.loc[is_copy, "score"] = frame["score"][
        (frame["model"] == "a") & (frame["run"] == 10)
    ].to_numpy()
    table = Scores(frame, design="3x10", metric="accuracy")
    (note,) = notes_about_copies(table)
    assert note == "Runs 10 and 30 of a have the same scores: copied?"


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        *[(name, False) for name in ("MostPop", "ItemPop", "TopPop", "Most Popular")],
        *[(name, False) for name in ("Popularity", "BM25", "kNN (k=5)", "ItemKNN")],
        *[(name, False) for name in ("Seasonal naive", "persistence", "OLS", "lookup")],
        *[(name, False) for name in ("median baseline", "Rule-based", "last value")],
        *[(name, True) for name in ("PopNet", "DeepPop", "random forest", "NeuMF")],
        *[
            (name, True)
            for name in ("kNN-LM", "MeanTeacher", "lookup-free VQ", "RuleGNN")
        ],
    ],
)
def test_no_seed_changes_what_is_deterministic(name, is_noted):
    varying = np.random.default_rng(23).normal(0.07, 0.002, 5).round(4)
    models = {name: np.full(5, 0.0412), "net": varying}
    assert bool(notes(models, "seeds")) == is_noted


def test_what_is_learned_from_other_folds_differs():
    rng = np.random.default_rng(24)
    of_folds = rng.normal(0.66, 0.02, 10).round(4)
    varying = rng.normal(0.8, 0.02, (5, 10)).round(4)
    models = {"rf": varying, "OLS": np.tile(of_folds, (5, 1))}
    assert len(notes(models, "5x10")) == 1
