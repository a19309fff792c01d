"""Designs: what texts, splitters and pairs of row numbers say of how scores were made."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn import model_selection as ms

from replib.comparison import compare
from replib.designs import (
    CV,
    Datasets,
    Items,
    RandomSplits,
    Seeds,
    design_of_splits,
    find_design,
)

SEEDED = {"random_state": 0}
SPLITTERS = [
    (ms.KFold(5), CV(1, 5)),
    (ms.KFold(400), CV(1, 400)),
    (ms.GroupKFold(7), CV(1, 7, groups=True)),
    (ms.GroupKFold(200), CV(1, 200, groups=True)),
    (ms.ShuffleSplit(30, test_size=0.01, **SEEDED), RandomSplits(30, 0.01)),
    (ms.ShuffleSplit(30, **SEEDED), RandomSplits(30, 0.1)),
    # test sets without a row in common are no folds
    (ms.ShuffleSplit(3, test_size=0.01, **SEEDED), RandomSplits(3, 0.01)),
    (ms.StratifiedShuffleSplit(9, train_size=0.97, **SEEDED), RandomSplits(9, 0.03)),
    (
        ms.ShuffleSplit(9, test_size=0.013, train_size=0.7, **SEEDED),
        RandomSplits(9, 0.013, 0.7),
    ),
    (
        ms.GroupShuffleSplit(6, test_size=0.13, **SEEDED),
        RandomSplits(6, 0.13, groups=True),
    ),
    (ms.KFold(7, shuffle=True, **SEEDED), CV(1, 7)),
    (ms.StratifiedKFold(10), CV(1, 10)),
    (ms.RepeatedKFold(n_splits=5, n_repeats=3, **SEEDED), CV(3, 5)),
    (ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=10, **SEEDED), CV(10, 10)),
    (ms.GroupKFold(4), CV(1, 4, groups=True)),
    (ms.StratifiedGroupKFold(4), CV(1, 4, groups=True)),
    (ms.ShuffleSplit(30, test_size=0.1, **SEEDED), RandomSplits(30, 0.1)),
    (ms.ShuffleSplit(8, test_size=30, train_size=60, **SEEDED), RandomSplits(8, 1 / 3)),
    (ms.StratifiedShuffleSplit(12, test_size=0.25, **SEEDED), RandomSplits(12, 0.25)),
    (
        ms.GroupShuffleSplit(6, test_size=0.2, **SEEDED),
        RandomSplits(6, 0.2, groups=True),
    ),
]
REFUSED = [
    (ms.LeaveOneGroupOut(), "CV(1, n, groups=True)"),
    (ms.KFold(5, shuffle=True), "KFold shuffles without a seed"),
    (
        ms.ShuffleSplit(5, test_size=30, **SEEDED),
        "ShuffleSplit tests on a number of rows",
    ),
    (ms.KFold(4000), "design cannot be read from KFold"),
    (
        ms.KFold(5, shuffle=True, random_state=np.random.RandomState(0)),
        "KFold shuffles by a generator, which moves on",
    ),
    (
        ms.RepeatedStratifiedKFold(random_state=np.random.RandomState(0)),
        "a whole number as random_state=",
    ),
    (5, "design must be a text such as"),
    ({"10x10"}, "two or more pairs of row numbers"),
    ("10x10.5", 'design must be a text such as "10x10"'),
    ("9" * 5000 + "x10", 'design must be a text such as "10x10"'),
    ("1x1", "folds must be a whole number of at least 2"),
    ("30 x 100%", "test and train must be shares"),
    ([([0.5], [1]), ([0], [1])], "two or more pairs of row numbers"),
    ([([0, 1], [2])], "two or more pairs of row numbers"),
]
TEXTS = [
    ("10x10", CV(10, 10)),
    (" 5 × 2 ", CV(5, 2)),
    ("30 x 10%", RandomSplits(30, 0.1)),
    ("4 x 12.5%", RandomSplits(4, 0.125)),
    ("items", Items()),
    ("Seeds", Seeds()),
    ("datasets", Datasets()),
]


def same(found, expected):
    assert type(found) is type(expected) and str(found) == str(expected)
    if isinstance(found, CV | RandomSplits):
        assert found.ratio == pytest.approx(expected.ratio, rel=1e-12)
        assert (found.shape, found.groups) == (expected.shape, expected.groups)


@pytest.mark.parametrize("given, expected", SPLITTERS + TEXTS)
def test_splitters_and_texts(given, expected):
    same(find_design(given), expected)
    assert find_design(expected) is expected


@pytest.mark.parametrize("given, says", REFUSED)
def test_what_has_no_valid_test_is_refused(given, says):
    with pytest.raises(ValueError) as refusal:
        find_design(given)
    assert says in str(refusal.value) and "\n" not in str(refusal.value)


class OwnSplitter:
    """Random splits of its own, which say nothing of their sizes."""

    def __init__(self, n_tested):
        self.n_tested = n_tested

    def split(self, X, y=None, groups=None):
        rng = np.random.default_rng(0)
        for _ in range(4):
            rows = rng.permutation(len(X))
            tested = self.n_tested(len(X))
            yield rows[tested:], rows[:tested]


def test_the_share_of_a_splitter_of_ones_own_is_that_of_many_rows():
    found = find_design(OwnSplitter(lambda n: round(n * 0.0123)))
    assert found.test == pytest.approx(0.0123, rel=1e-3)
    with pytest.raises(ValueError, match="a share of the rows that depends on"):
        find_design(OwnSplitter(lambda n: 20))


def test_a_look_at_a_splitter_does_not_move_its_generator():
    first, second = (
        ms.KFold(3, shuffle=True, random_state=np.random.RandomState(0))
        for _ in range(2)
    )
    find_design(first, seeded=False)
    rows = np.zeros((30, 1))
    for (_, tested), (_, expected) in zip(first.split(rows), second.split(rows)):
        assert np.array_equal(tested, expected)


def test_numbers_of_a_design_are_plain_ones():
    design = CV(2.0, np.int64(3))
    assert repr(design) == "CV(runs=2, folds=3, groups=False, ratio=0.5)"
    assert repr(RandomSplits(np.int64(9), Fraction(1, 10))) == (
        "RandomSplits(splits=9, test=0.1, train=None, groups=False)"
    )
    assert RandomSplits(9, 10.0, 90).test == 10
    scores = {"a": [0.8, 0.9, 0.7, 0.75], "b": [0.7, 0.6, 0.7, 0.65]}
    found = compare(scores, design=CV(2.0, 2.0), metric="accuracy").pairs
    assert found.equals(compare(scores, design="2x2", metric="accuracy").pairs)


def test_every_splitter_of_scikit_learn_is_here():
    given = {type(x).__name__ for x, _ in SPLITTERS + REFUSED}
    there = {
        name
        for name in ms.__all__
        if "Halving" not in name and hasattr(getattr(ms, name), "split")
    }
    assert there - given <= {  # in test_training, or made by hand
        "BaseCrossValidator",
        "BaseShuffleSplit",
        "LeaveOneOut",
        "LeavePGroupsOut",
        "LeavePOut",
        "PredefinedSplit",
        "TimeSeriesSplit",
    }


def test_folds_of_unequal_sizes_have_the_mean_ratio():
    folds = np.repeat([0, 1, 2], [60, 120, 180])
    pairs = list(ms.PredefinedSplit(folds).split())
    assert design_of_splits(pairs).ratio == pytest.approx(
        (60 / 300 + 120 / 240 + 1) / 3
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: CV(0, 2),
        lambda: CV(1, 2, ratio=-1),
        lambda: CV(1, 2, ratio=0),
        lambda: CV(1, 2, ratio="x"),
        lambda: CV(1, 2, groups=1),
        lambda: RandomSplits(1, 0.1),
        lambda: RandomSplits(5, 0.6, 0.6),
        lambda: RandomSplits(5, 10),
        lambda: RandomSplits(5, 2.5, 10),
        lambda: Items(runs="seeds"),
        lambda: Items(cluster=3),
        lambda: Items(predicted="by_fold", cluster="text"),
        lambda: Datasets(Items()),
    ],
)
def test_designs_that_do_not_exist_are_refused(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize("text", ["1-fold", "0 folds", "10*1", "0/5"])
def test_no_design_is_proposed_that_would_be_refused(text):
    with pytest.raises(ValueError, match="design must be") as refused:
        find_design(text)
    assert str(refused.value).endswith(f"not {text!r}")
