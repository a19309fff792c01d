"""What features tell of the test sets: the truth, rows of one group, and later rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection as ms
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from replib.training import train

MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
RNG = np.random.default_rng(9)
PATIENTS = np.repeat(np.arange(30), 4)
FRAME = pd.DataFrame(RNG.normal(size=(120, 3)), columns=["age", "dose", "bmi"])
READMITTED = pd.Series(
    (FRAME["age"] + RNG.normal(size=120) > 0).astype(int), name="y30"
)
COST = pd.Series(FRAME["dose"] + RNG.normal(size=120), name="cost")
LINEAR = {"ridge": Ridge(), "least squares": LinearRegression()}


def trained(X, y=READMITTED, models=MODELS, design="1x3", **options):
    return train(models, X, y, design=design, **options)


@pytest.mark.parametrize(
    ("column", "y", "what"),
    [
        (READMITTED, READMITTED, "values"),
        (READMITTED.rename("outcome"), READMITTED, "values"),
        (READMITTED.astype(float), READMITTED, "values"),
        (READMITTED.map({0: -1, 1: 5}), READMITTED, "name"),
        (READMITTED.rename("label"), READMITTED.map({0: "0", 1: "1"}), "values"),
        (COST, COST, "values"),
        (np.exp(COST), COST, "name"),
    ],
)
def test_the_truth_among_the_features_is_refused(column, y, what):
    models = LINEAR if y is COST else MODELS
    with pytest.raises(
        ValueError, match=rf"column '{column.name}' of X has the {what}"
    ):
        trained(FRAME.join(column), y, models)
    with pytest.raises(ValueError, match="^data set 'a': column"):
        train(models, {"a": (FRAME.join(column), y)}, design="1x3")
    # a transformer of columns may leave it out
    chosen = ColumnTransformer([("features", "passthrough", ["age", "dose"])])
    (first, chooser), (second, other) = models.items()
    models = {first: make_pipeline(chosen, chooser), second: other}
    assert trained(FRAME.join(column), y, models).models == (first, second)


def test_a_column_that_tells_the_truth_is_noted():
    X = FRAME.assign(code=READMITTED.map({0: 7, 1: 3}))
    (note,) = trained(X).notes
    assert note == "Column 'code' of X tells y exactly: is it the truth?"
    (note,) = trained(FRAME.assign(cents=100 * COST + 3), COST, LINEAR).notes
    assert "'cents' of X tells y" in note


THINGS = ["engine", "machine", "bearing", "composition", "parcel"]


@pytest.mark.parametrize(
    ("name", "values", "is_noted"),
    [
        ("patient_id", PATIENTS, True),
        ("SubjectID", PATIENTS * 10 + 3, True),
        ("site", PATIENTS % 9, True),
        ("hospital nr", PATIENTS % 2, True),
        ("user", RNG.permutation(PATIENTS), True),
        *((f"{name}_id", PATIENTS * 10 + 3, True) for name in THINGS),
        ("unit_nr", PATIENTS + 1, True),
        ("unit", PATIENTS + 1, True),
        ("objectId", PATIENTS + 1, True),
        ("material_id", np.arange(120), False),
        ("material_id", PATIENTS % 4, False),  # a category
        ("store_id", PATIENTS, False),
        ("product_id", PATIENTS, False),
        ("PULocationID", PATIENTS, False),
        ("line_no", PATIENTS + 2, False),
        ("floor_no", PATIENTS + 2, False),
        ("rooms_no", PATIENTS + 2, False),
        ("annotator_id", PATIENTS + 2, False),
        ("units", PATIENTS, False),
        ("patient_id", np.arange(120), False),  # each row its own
        ("school", PATIENTS % 2, False),  # a feature of two values
        ("group_size", PATIENTS, False),
        ("session", RNG.normal(size=120), False),
        ("visit", PATIENTS % 7, False),
    ],
)
def test_rows_of_one_group_in_training_and_test_sets_are_noted(name, values, is_noted):
    X = FRAME.assign(**{name: values})
    notes = trained(X).notes
    assert [f"same '{name}'" in note for note in notes] == [True] * is_noted
    by_index = trained(X.set_index(name), READMITTED.to_numpy()).notes
    assert len(by_index) == is_noted
    if is_noted and len(np.unique(values)) > 2:
        grouped = list(ms.GroupKFold(3).split(X, READMITTED, values))
        assert trained(X, design=grouped).notes == ()


def test_features_of_the_shipped_data_tell_nothing():
    for load, models in ((load_iris, MODELS), (load_wine, MODELS)):
        assert trained(*load(return_X_y=True, as_frame=True), models).notes == ()
    assert trained(*load_diabetes(return_X_y=True, as_frame=True), LINEAR).notes == ()


@pytest.mark.parametrize(
    ("times", "is_noted"),
    [
        (pd.date_range("2024-01-01", periods=120, freq="h"), True),
        (pd.date_range("2024-01-01", periods=120), True),
        (pd.to_datetime(RNG.integers(0, 10**18, 120)), False),  # of admissions
        (pd.RangeIndex(120), False),
    ],
)
def test_rows_in_a_row_of_times_are_noted(times, is_noted):
    in_index = trained(FRAME.set_axis(times), READMITTED.to_numpy())
    assert ["in time" in note for note in in_index.notes] == [True] * is_noted
