"""The nearest neighbour: brute force in exact fractions."""

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from companion.lab.learners import NearestNeighbour

bits = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=2, max_size=8)


def nominal(rows):
    """A table with a nominal attribute for each bit."""
    texts = [map(str, row) for row in rows]
    frame = pd.DataFrame(texts, columns=list("xyz"))
    return frame.astype(pd.CategoricalDtype(["0", "1"]))


@given(bits, bits, st.randoms(use_true_random=False))
def test_the_first_of_the_nearest_decides(train, test, random):
    labels = [0, 1, *(random.randrange(3) for _ in train[2:])]
    y = pd.Categorical(labels, categories=[0, 1, 2])
    learner = NearestNeighbour(ties="first").fit(nominal(train), y)
    expected = []
    for row in test:
        distances = [sum(a != b for a, b in zip(near, row)) for near in train]
        expected.append(labels[distances.index(min(distances))])
    assert learner.predict(nominal(test)).tolist() == expected


def test_ranges_are_those_of_the_training_set_unless_updated():
    X = pd.DataFrame({"x": [0.0, 1.0, 1.0], "y": [0.0, 0.0, 1.0]})
    new = pd.DataFrame({"x": [0.0, 0.45], "y": [100.0, 0.7]})
    fixed = NearestNeighbour().fit(X, list("abc"))
    assert fixed.predict(new).tolist() == ["c", "c"]
    # with y ranging to 100, 0.7 is as good as 0: the nearest in x decides
    widening = NearestNeighbour(update_ranges=True).fit(X, list("abc"))
    assert widening.predict(new).tolist() == ["a", "a"]
    assert widening.predict(new.iloc[::-1]).tolist() == ["c", "a"]
    assert widening.predict(new.iloc[1:]).tolist() == ["c"]  # each call starts anew
