"""Random experiments: what must not matter does not, and odd input is answered in one line.

``test_pair_tests.py`` has the relations of two models in arrays, and
``test_odd_values.py`` odd values in the cells of a table.  Here are experiments of
several models, rounded and with ties, in tables and files.
"""

import csv
import linecache
import pickle
import random
import tomllib
import unicodedata
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib import resources
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest

from replib import (
    Datasets,
    Items,
    Metric,
    Scores,
    Seeds,
    compare,
    from_arrays,
    from_wide,
    read,
)

#: For each design: the shape of a model's scores, and the columns of its labels.
DESIGNS = {
    "4x5": ((4, 5), ["run", "fold"]),
    "1x10": ((1, 10), ["run", "fold"]),
    "12 x 20%": ((12,), ["run"]),
    "seeds": ((7,), ["run"]),
    "paired seeds": ((7,), ["run"]),
    "items": ((1, 60), ["run", "item"]),
    "trainings": ((3, 40), ["run", "item"]),
    "clusters": ((2, 40), ["run", "item"]),
    "datasets": ((14,), ["dataset"]),
}
DECLARED = {
    "paired seeds": Seeds(paired=True),
    "trainings": Items(),
    "clusters": Items(cluster="text"),
    "datasets": Datasets(),
}
SHARE = Metric("share", better="higher", low=0, high=1)
PERCENT = Metric("share", better="higher", low=0, high=100)
ERROR = Metric("error", better="lower", low=0, high=1)
ANY = Metric("value", better="higher")
MODELS = ["naïve", "svm $C$", "树", "b", "a b"]
COLUMNS = ["difference", "low", "high", "p", "adjusted_p", "decision"]


def experiment(seed):
    """A random experiment: the name of its design, and its scores in a long table."""
    rng = np.random.default_rng(seed)
    kind = sorted(DESIGNS)[seed % len(DESIGNS)]
    shape, keys = DESIGNS[kind]
    n_models = int(rng.integers(2, 6))
    difficulty = rng.normal(0, 1, shape)
    spread = rng.choice([0.2, 1.0])
    skill = rng.normal(0, rng.choice([0.0, 1.0]), n_models)
    frames = []
    for model in range(n_models):
        latent = skill[model] + difficulty + spread * rng.normal(0, 1, shape)
        if kind in ("items", "trainings", "clusters") and seed % 2:
            values = (latent > 0).astype(float)
        else:
            values = (0.75 + 0.05 * latent).clip(0, 1).round(int(rng.integers(2, 5)))
        labels = np.unravel_index(np.arange(values.size), shape)
        columns = dict(zip(keys, labels))
        if kind == "clusters":
            columns["text"] = columns["item"] // 4
        frames.append(
            pd.DataFrame({"model": MODELS[model], **columns, "score": values.ravel()})
        )
    return kind, pd.concat(frames, ignore_index=True)


def answer(frame, kind, metric=SHARE, **options):
    """The pairs of a comparison, each in the order of its models' names, or a refusal."""
    try:
        design = DECLARED.get(kind, kind)
        table = frame
        if isinstance(frame, pd.DataFrame):
            table = Scores(frame, design=design, metric=metric)
        pairs = compare(table, **options).pairs
    except ValueError as refusal:
        return refusal
    rows = {}
    for row in pairs.to_dict("records"):
        numbers = np.array([row[column] for column in COLUMNS], dtype=float)
        if row["a"] > row["b"]:
            numbers = numbers[[0, 2, 1, 3, 4, 5]] * [-1, -1, -1, 1, 1, -1]
            row["a"], row["b"] = row["b"], row["a"]
        rows[row["a"], row["b"]] = numbers
    return rows


def renamed(rows, names):
    """The pairs with other names of the models, in order again."""
    result = {}
    for (a, b), numbers in rows.items():
        a, b = names[a], names[b]
        if a > b:
            a, b = b, a
            numbers = numbers[[0, 2, 1, 3, 4, 5]] * [-1, -1, -1, 1, 1, -1]
        result[a, b] = numbers
    return result


def assert_same(changed, first, factor=1.0):
    """Two answers have the same pairs with the same numbers, or both are refusals."""
    if isinstance(first, ValueError) or isinstance(changed, ValueError):
        assert type(changed) is type(first), (changed, first)
        return
    assert set(changed) == set(first)
    scale = [factor, factor, factor, 1, 1, 1]
    for pair, numbers in first.items():
        np.testing.assert_allclose(
            changed[pair], numbers * scale, rtol=1e-7, atol=1e-12, err_msg=str(pair)
        )


#: Each design with scores and, where it has items, with right and wrong.
SEEDS = range(2 * len(DESIGNS))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_rows_columns_and_models_does_not_matter(seed):
    kind, frame = experiment(seed)
    rng = np.random.default_rng([seed, 1])
    first = answer(frame, kind)
    shuffled = frame.iloc[rng.permutation(len(frame))]
    assert_same(answer(shuffled, kind), first)
    columns = rng.permutation(frame.columns)
    assert_same(answer(shuffled[columns].reset_index(drop=True), kind), first)
    backwards = frame.sort_values("model", ascending=False, kind="stable")
    assert_same(answer(backwards, kind), first)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_unit_and_the_direction_of_the_metric_do_not_matter(seed):
    kind, frame = experiment(seed)
    first = answer(frame, kind)
    percent = frame.assign(score=100 * frame["score"])
    assert_same(answer(percent, kind, PERCENT), first, factor=100)
    error = frame.assign(score=1 - frame["score"])
    assert_same(answer(error, kind, ERROR), first)
    if set(frame["score"]) <= {0, 1}:
        return  # without a declared range, only 0 and 1 mean wrong and right
    free = answer(frame, kind, ANY)
    third = frame.assign(score=frame["score"] / 3)
    assert_same(answer(third, kind, ANY), free, factor=1 / 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_models_and_labels_of_runs_do_not_matter(seed):
    kind, frame = experiment(seed)
    rng = np.random.default_rng([seed, 2])
    first = answer(frame, kind)
    new_names = ["Ω", "$x_1$", "<b>", "100%", "a\N{COMBINING DIAERESIS}"]
    names = dict(zip(MODELS, rng.permutation(new_names).tolist()))
    expected = first
    if not isinstance(first, ValueError):
        expected = renamed(first, names)
    assert_same(answer(frame.assign(model=frame["model"].map(names)), kind), expected)
    labelled = frame.copy()
    for key in set(DESIGNS[kind][1]) | (set(frame) & {"text"}):
        labels = [f"{key} ${i}$" for i in rng.permutation(frame[key].max() + 1)]
        labelled[key] = frame[key].map(dict(enumerate(labels)))
    assert_same(answer(labelled, kind), first)


@pytest.mark.parametrize("seed", SEEDS)
def test_other_models_matter_for_the_correction_only(seed):
    kind, frame = experiment(seed)
    first = answer(frame, kind, ANY, correction="none")
    two = frame["model"].unique()[:2]
    pair = tuple(sorted(two))
    alone = answer(frame[frame["model"].isin(two)], kind, ANY, correction="none")
    if isinstance(first, ValueError):
        return
    if isinstance(alone, ValueError):  # the only pair may have no p-value
        assert np.isnan(first[pair][3])
        return
    # the intervals are wider where several are right together
    statistics = [0, 3, 5]
    np.testing.assert_allclose(
        alone[pair][statistics], first[pair][statistics], rtol=1e-7, atol=1e-12
    )


@pytest.mark.parametrize("seed", SEEDS[: len(DESIGNS)])
def test_containers_do_not_matter(seed, tmp_path):
    kind, frame = experiment(seed)
    first = answer(frame, kind)
    dtypes = {"score": "Float64", "model": "category"}
    assert_same(answer(frame.astype(dtypes), kind), first)
    assert_same(answer(frame.convert_dtypes(), kind), first)
    assert_same(answer(frame.astype({"score": object}), kind), first)
    exact = frame["score"].map(lambda x: Fraction(str(x)))
    assert_same(answer(frame.assign(score=exact), kind), first)
    decimals = frame["score"].map(lambda x: Decimal(str(x)))
    assert_same(answer(frame.assign(score=decimals), kind), first)
    frame.to_csv(tmp_path / "scores.csv", index=False)
    design = DECLARED.get(kind, kind)
    from_file = read(tmp_path / "scores.csv", design=design, metric=SHARE)
    assert_same(answer(from_file, kind), first)
    if kind == "clusters":
        return
    shape = DESIGNS[kind][0]
    arrays = {
        model: rows["score"].to_numpy().reshape(shape)
        for model, rows in frame.groupby("model", sort=False)
    }
    lists = {model: array.tolist() for model, array in arrays.items()}
    for scores in (arrays, lists):
        table = from_arrays(scores, design=design, metric=SHARE)
        assert_same(answer(table, kind), first)


# ---------------------------------------------------------------- odd input

X = np.random.default_rng(7).normal(0.8, 0.02, (5, 12)).round(3)
WHOLE = [0.81, 0.83, 0.8, 0.79, 0.84, 0.82]
#: Words that a refusal uses for what was handed in.
ARGUMENTS = (
    "scores",
    "score",
    "model",
    "design",
    "metric",
    "frame",
    "column",
    "row",
    "name",
)


def tied_names(first, second):
    return {first: WHOLE, second: WHOLE[::-1]}


ODD_SCORES = {
    "NaN": {"a": [*WHOLE, np.nan], "b": [*WHOLE, 0.8]},
    "infinite": {"a": [*WHOLE, np.inf], "b": [*WHOLE, 0.8]},
    "texts": {"a": list("xyz"), "b": list("xyz")},
    "numbers as texts": {"a": ["0.1", "0.2"], "b": ["0.3", "0.2"]},
    "empty": {},
    "empty lists": {"a": [], "b": []},
    "one model": {"a": WHOLE},
    "ragged": {"a": [[1, 2], [3]], "b": [[1, 2], [3, 4]]},
    "nested": {"a": [[[0.1]], [[0.2]]], "b": [[[0.1]], [[0.3]]]},
    "dictionaries": {"a": {"x": 1, "y": 2}, "b": {"x": 2, "y": 2}},
    "dictionaries of lists": {"a": {"run": [1, 2]}, "b": {"run": [2, 3]}},
    "fractions": {"a": [Fraction(1, 3), Fraction(1, 2), 1], "b": [0, 1, Fraction(2)]},
    "decimals": {"a": [Decimal("0.5"), Decimal("0.4")], "b": [Decimal(1), Decimal(0)]},
    "huge": {"a": [1e300, 2e300, 5e300], "b": [3e300, 1e300, 1e300]},
    "whole numbers without end": {"a": [10**400, 1, 2], "b": [1, 2, 4]},
    "tiny": {"a": [1e-300, 3e-300, 2e-300], "b": [1e-301, 2e-300, 5e-300]},
    "subnormal": {"a": [5e-324, 1e-323, 0], "b": [0, 0, 5e-324]},
    "complex": {"a": [1j, 2j], "b": [1, 2]},
    "dates": {"a": pd.date_range("2024", periods=3), "b": [1, 2, 3]},
    "scalars": {"a": 0.5, "b": 0.6},
    "arrays without axes": {"a": np.array(0.5), "b": np.array(0.6)},
    "texts for lists": {"a": "0.5", "b": "0.6"},
    "None": {"a": None, "b": WHOLE},
    "sets": {"a": {1, 2}, "b": {2, 3}},
    "generators": {"a": (x for x in WHOLE), "b": WHOLE},
    "masked": {"a": np.ma.masked_values([0.8, -1, 0.7], -1), "b": [0.7, 0.8, 0.6]},
    "Boolean": {"a": [True, False, True], "b": [False, True, True]},
    "sparse": {"a": pd.arrays.SparseArray(WHOLE), "b": WHOLE},
    "nullable": {"a": pd.array(WHOLE, "Float64"), "b": pd.array(WHOLE[::-1])},
    "nullable with gaps": {"a": pd.array([0.1, None, 0.3]), "b": [0.1, 0.2, 0.5]},
    "Series with an index": {"a": pd.Series(WHOLE, list("uvwxyz")), "b": WHOLE},
    "categories": {"a": pd.Categorical(WHOLE), "b": WHOLE[::-1]},
    "a table": {"a": pd.DataFrame({"x": WHOLE}), "b": WHOLE},
    "a structured array": {
        "a": np.array([(1, 2.0)], [("x", int), ("y", float)]),
        "b": WHOLE,
    },
    "other lengths": {"a": WHOLE, "b": WHOLE[:4]},
    "numbers as names": {1: WHOLE, 2: WHOLE[::-1]},
    "tuples as names": {("a", 1): WHOLE, ("b", 2): WHOLE[::-1]},
    "no name": {None: WHOLE, "b": WHOLE[::-1]},
    "an empty name": {"": WHOLE, "b": WHOLE[::-1]},
    "a blank name": {"  ": WHOLE, "b": WHOLE[::-1]},
    "dollar signs": tied_names("$x$", "$\\frac{"),
    "a new line": tied_names("a\nb", "b\ta"),
    "markup": tied_names("<script>alert(1)</script>", "&amp;"),
    "escapes": tied_names("\x1b[2J", "\x00"),
    "names from right to left": tied_names("שלום", "\u202eabc"),
    "pictures": tied_names("🤖", "👩‍🔬"),
    "a lone surrogate": tied_names("\ud800", "b"),
    "forms of one name": tied_names("é", unicodedata.normalize("NFD", "é")),
    "names alike but for blanks": tied_names("a", "a "),
    "reserved names": tied_names("run", "score"),
    "a long name": tied_names("x" * 10_000, "b"),
    "format fields": tied_names("{0}", "%s"),
    "a list of lists": [WHOLE, WHOLE[::-1]],
    "an array": X,
    "a text": "scores.csv",
    "a number": 3,
    "nothing": None,
}


def assert_answered(call):
    """A call gives a result that can be shown, or a line that names what is wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            result = call()
        except ValueError as refusal:
            text = str(refusal)
            assert text.isprintable(), text
            assert len(text) < 500, text
            # a model's scores are named by the model
            is_model = text.startswith(("a ", "b "))
            assert is_model or any(word in text for word in ARGUMENTS), text
            return
        str(result)
        repr(result)
        result.pairs.to_csv()
        result.ranks()
        pickle.loads(pickle.dumps(result))


@pytest.mark.parametrize("kind", ODD_SCORES)
def test_odd_scores_have_a_result_or_a_refusal_that_names_them(kind):
    scores = ODD_SCORES[kind]
    for design in ["seeds", "items", "datasets", "1x6", "6 x 10%"]:
        assert_answered(lambda: compare(scores, design=design, metric=ANY))


WIDE = pd.DataFrame(X[:3].T, columns=["a", "b", "c"])
ODD_FRAMES = {
    "duplicate columns": WIDE.set_axis(["a", "b", "a"], axis=1),
    "two levels of columns": WIDE.set_axis(
        pd.MultiIndex.from_tuples([("u", "a"), ("u", "b"), ("v", "a")]), axis=1
    ),
    "two levels of rows": WIDE.set_axis(
        pd.MultiIndex.from_product([range(3), range(4)]), axis=0
    ),
    "duplicate rows": WIDE.set_axis([0] * 12, axis=0),
    "dates as rows": WIDE.set_axis(pd.date_range("2024", periods=12), axis=0),
    "intervals as rows": WIDE.set_axis(pd.interval_range(0, 12), axis=0),
    "numbers as columns": WIDE.set_axis([0, 1, 2], axis=1),
    "categories as columns": WIDE.set_axis(
        pd.CategoricalIndex(["a", "b", "c"]), axis=1
    ),
    "categories": WIDE.astype("category"),
    "nullable": WIDE.astype("Float64"),
    "sparse": WIDE.astype(pd.SparseDtype(float)),
    "small floats": WIDE.astype("float16"),
    "texts": WIDE.astype(str),
    "texts of pandas": WIDE.astype("string"),
    "durations": WIDE.astype("int64").astype("timedelta64[ns]"),
    "lists in cells": WIDE.astype(object).map(lambda x: [x]),
    "no rows": WIDE.iloc[:0],
    "no columns": WIDE[[]],
    "gaps": WIDE.where(WIDE > 0.8),
    "nullable gaps": WIDE.where(WIDE > 0.8).convert_dtypes(),
    "transposed": WIDE.T,
    "a text column": WIDE.assign(note="x"),
    "a named index": WIDE.rename_axis("model"),
}
if find_spec("pyarrow"):  # a reader of Parquet files is optional
    ODD_FRAMES["Arrow"] = WIDE.astype("float64[pyarrow]")
    ODD_FRAMES["texts of Arrow"] = WIDE.astype(str).astype("string[pyarrow]")


@pytest.mark.parametrize("kind", ODD_FRAMES)
def test_odd_tables_have_a_result_or_a_refusal_that_names_them(kind):
    frame = ODD_FRAMES[kind]
    for design in ["seeds", "items", "datasets", "3x4", "12 x 10%"]:
        assert_answered(lambda: compare(from_wide(frame, design=design, metric=ANY)))


@pytest.mark.parametrize("kind", ["nullable", "sparse"])
def test_a_type_of_column_does_not_matter(kind):
    frame = ODD_FRAMES[kind]
    first = compare(from_wide(WIDE, design="3x4", metric=ANY)).pairs
    again = compare(from_wide(frame, design="3x4", metric=ANY)).pairs
    pd.testing.assert_frame_equal(first, again)


@pytest.mark.parametrize("value", [-1, 0, 2, "x", None, np.nan, [1], {}, WHOLE, "树$"])
@pytest.mark.parametrize(
    "option",
    [
        "design",
        "metric",
        "pairs",
        "correction",
        "alpha",
        "about",
        "equivalence",
        "better",
    ],
)
def test_odd_options_are_named(option, value):
    options = {"design": "seeds", "metric": ANY, option: value}
    try:
        compare({"a": X[0], "b": X[1]}, **options)
    except ValueError as refusal:
        text = str(refusal)
        assert text.isprintable(), text
        assert option in text, text
    except TypeError as error:  # Python's, of an argument that does not exist
        assert "unexpected keyword argument" in str(error), error


#: What may stand between two words of a name.
SIGNS = ["_", " ", "-", ".", "/", ":", "::", "#", "@", "=", "", "__", "|", " vs ", ", "]


@cache
def words_of_tables():
    """All short texts in the tables of words that the library knows, in order."""
    words = set()
    data = resources.files("replib").joinpath("data")
    for file in [data / "metrics.csv", *data.joinpath("names").iterdir()]:
        text = file.read_text("utf-8")
        if file.name.endswith(".toml"):
            words |= {*texts_within(tomllib.loads(text))}
        else:
            words |= {cell for row in csv.reader(text.splitlines()) for cell in row}
    return sorted(word for word in words if 0 < len(word) < 30)


def texts_within(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        value = [*value.values()]
    if isinstance(value, list):
        for member in value:
            yield from texts_within(member)


def random_name(chance, words):
    name = chance.choice(words)
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        name += chance.choice(SIGNS) + chance.choice([chance.choice(words), "2", "1.5"])
    return chance.choice([name, name.title(), name.upper()])


def random_labels(chance, words, n_labels):
    stem, sign = random_name(chance, words), chance.choice(SIGNS)
    return chance.choice(
        [
            [random_name(chance, words) for _ in range(n_labels)],
            [f"{stem}{sign}{number}" for number in range(n_labels)],
            [f"{number}{sign}{stem}" for number in range(n_labels)],
            [10 * 2**number for number in range(n_labels)],
        ]
    )


def is_of_replib(error):
    """Whether a statement of the library raises an error, and no call in it by accident."""
    traceback = error.__traceback__
    while traceback.tb_next:
        traceback = traceback.tb_next
    file = traceback.tb_frame.f_code.co_filename
    return "raise" in linecache.getline(file, traceback.tb_lineno) and "replib" in file


@pytest.mark.parametrize("seed", range(40))
def test_names_of_known_words_have_a_result_or_a_refusal(seed):
    chance, words = random.Random(seed), words_of_tables()
    kinds = {"seeds": "run", "datasets": "dataset", "1x6": "fold", "items": "item"}
    design, role = chance.choice([*kinds.items()])
    models = [random_name(chance, words) for _ in range(chance.choice([1, 2, 3]))]
    scores = np.random.default_rng(seed).random((6, len(models))).round(3)
    labels = random_labels(chance, words, 6)
    name = random_name(chance, words)
    frame = pd.DataFrame(scores, columns=models, index=pd.Index(labels, name=name))
    columns = None
    if chance.random() < 0.5:
        frame, columns = frame.reset_index(), {role: name}
    metric = chance.choice(["accuracy", "rmse", random_name(chance, words)])
    try:
        result = compare(
            from_wide(frame, design=design, metric=metric, columns=columns)
        )
    except ValueError as error:
        assert is_of_replib(error)
        assert "\n" not in str(error)
    else:
        assert str(result)
