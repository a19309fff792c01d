"""Results worked out by hand are those of the learners."""

from collections import Counter
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from companion.lab.learners import C45, TAN, DecisionStump, NaiveBayes, NearestNeighbour
from companion.papers.topics.learners_and_sources import by_hand

VALUES = {"a": [*"uvw"], "b": [*"xy"], "c": [*"pqr"]}
CLASSES = [*"kl"]

rows_of_data = st.lists(
    st.tuples(*map(st.sampled_from, VALUES.values()), st.sampled_from(CLASSES)),
    min_size=12, max_size=40,
).filter(lambda rows: len({label for *_, label in rows}) == 2)


def frame_of(rows):
    frame = pd.DataFrame(rows, columns=[*VALUES, "label"])
    X = pd.DataFrame({
        name: pd.Categorical(frame[name], categories=values) for name, values in VALUES.items()
    })
    return X, pd.Series(pd.Categorical(frame["label"], categories=CLASSES), name="label")


def random_frame(seed, n):
    """Rows whose class depends on two of the three attributes, with some noise."""
    rng = np.random.default_rng(seed)
    a, b, c = (rng.integers(len(values), size=n) for values in VALUES.values())
    label = ((a == 0) ^ (b == 1)) ^ (rng.random(n) < 0.25)
    columns = zip(*(np.array(v)[x] for v, x in zip(VALUES.values(), (a, b, c))))
    return frame_of([(*values, CLASSES[int(k)]) for values, k in zip(columns, label)])


@given(rows_of_data)
def test_naive_bayes_by_hand(rows):
    X, y = frame_of(rows)
    hand = by_hand.naive_bayes_by_hand(X, y, X.iloc[0])
    assert sum(hand["probability"]) == 1
    found = NaiveBayes().fit(X, y).predict_proba(X.iloc[:1])[0]
    assert_allclose(found, hand["probability"].astype(float), rtol=1e-12)


@given(rows_of_data)
def test_neighbours_by_hand(rows):
    X, y = frame_of(rows[1:])
    assume(y.nunique() == 2)
    new, _ = frame_of(rows)
    hand = by_hand.neighbours_by_hand(X, y, new.iloc[0])
    assert hand.to_numpy().sum() == len(X)
    votes = hand.loc[hand.index.min()]
    learner = NearestNeighbour().fit(X, y)
    n = len(X)
    assert_allclose(
        learner.predict_proba(new.iloc[:1])[0], (votes + 1 / n) / (votes.sum() + 2 / n), rtol=1e-12
    )


@given(rows_of_data)
def test_stumps_by_hand(rows):
    X, y = frame_of(rows)
    hand = by_hand.stumps_by_hand(X, y)
    assert len(hand) == sum(map(len, VALUES.values()))
    assert hand["entropy"].is_monotonic_increasing
    stump = DecisionStump().fit(X, y)
    chosen = hand.query("attribute == @stump.attribute_ and value == @stump.split_").iloc[0]
    assert chosen["entropy"] <= hand["entropy"].min() + 1e-9
    holds, fails = ("+".join(map(str, counts.astype(int))) for counts in stump.counts_[:2])
    assert (chosen["hold"], chosen["fail"]) == (holds, fails)


@given(rows_of_data)
def test_links_by_hand(rows):
    X, y = frame_of(rows)
    hand = by_hand.links_by_hand(X, y)
    bits = {frozenset((row.first, row.second)): row.bits for row in hand.itertuples()}
    assert hand["in_tree"].sum() == X.shape[1] - 1
    links = [{child, above} for child, above in TAN().fit(X, y).parent_.items() if above]
    of_tan = sum(bits[frozenset(link)] for link in links)
    assert of_tan == pytest.approx(hand.loc[hand["in_tree"], "bits"].sum(), abs=1e-9)


def test_bits_of_a_link_are_what_entropies_say():
    """I(a; b | c) = H(a, c) + H(b, c) - H(a, b, c) - H(c), on the days of the chapter."""
    X, y = by_hand.days()

    def entropy(*columns):
        counts = Counter(zip(*columns))
        return sum(k / len(y) * log2(len(y) / k) for k in counts.values())

    for row in by_hand.links_by_hand(X, y).itertuples():
        a, b = X[row.first], X[row.second]
        found = entropy(a, y) + entropy(b, y) - entropy(a, b, y) - entropy(y)
        assert row.bits == pytest.approx(found, abs=1e-12)


@given(rows_of_data)
def test_the_root_of_c45_has_the_best_gain_ratio_by_hand(rows):
    X, y = frame_of(rows)
    tree = C45(prune=False).fit(X, y).tree_
    assume(tree.size > 1)
    gains = by_hand.gains_by_hand(X, y)
    root = tree.attributes.names[tree.attribute[0]]
    assert gains.at[root, "considered"]
    best = gains.loc[gains["considered"], "gain_ratio"].max()
    assert gains.at[root, "gain_ratio"] == pytest.approx(best, abs=1e-9)


def test_choices_by_hand_name_every_test_of_a_tree():
    X, y = random_frame(3, 60)
    tree = C45(prune=False).fit(X, y).tree_
    choices = by_hand.choices_by_hand(tree, X, y)
    assert len(choices) == tree.size - tree.n_leaves > 1
    assert choices["rows"].tolist() == tree.counts[choices.index].sum(axis=1).tolist()
    assert (choices["by_hand"] == choices["of_the_tree"]).all()


def nested(tree, is_leaf, node=0):
    """A tree as (attribute, subtrees); None for a leaf."""
    if is_leaf(node):
        return None
    return int(tree.attribute[node]), tuple(nested(tree, is_leaf, n) for n in tree.children(node))


def test_pruning_by_hand_is_that_of_c45_where_no_branch_can_be_raised():
    """A branch that is a leaf takes its parent's place as a leaf: raising changes nothing then."""
    compared = pruned_somewhere = kept_somewhere = 0
    for seed in range(150):
        X, y = random_frame(seed, 12 + seed % 50)
        grown = C45(prune=False).fit(X, y).tree_
        hand = by_hand.pruning_by_hand(grown)
        stops = lambda node: hand.at[node, "kept"] != "tree"
        inner = [node for node in range(grown.size) if grown.children(node)]
        weight = grown.counts.sum(axis=1)
        largest = [max(grown.children(node), key=lambda child: weight[child]) for node in inner]
        if not inner or not all(map(stops, largest)):
            continue
        pruned = C45().fit(X, y).tree_
        by_c45 = nested(pruned, lambda node: not pruned.children(node))
        assert nested(grown, stops) == by_c45
        compared += 1
        pruned_somewhere += pruned.size < grown.size
        kept_somewhere += pruned.size > 1
    assert min(compared - pruned_somewhere, pruned_somewhere, kept_somewhere) >= 10


def test_the_days_of_the_chapter_show_what_it_tells():
    """A split that is not the most informative one, and a subtree that pruning replaces."""
    X, y = by_hand.days()
    gains = by_hand.gains_by_hand(X, y)
    considered = gains[gains["considered"]]
    assert considered["gain"].idxmax() != considered["gain_ratio"].idxmax()
    grown, pruned = C45(prune=False).fit(X, y).tree_, C45().fit(X, y).tree_
    assert 1 < pruned.size < grown.size
