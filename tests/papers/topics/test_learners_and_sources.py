"""The chapter on learners and sources: what is worked out by hand is what the learners do."""

from collections import Counter
from fractions import Fraction
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from replib.learners import C45, TAN, DecisionStump, NaiveBayes, NearestNeighbour
from replib.papers import ledger, networks
from replib.papers.networks import search as margins
from replib.papers.topics import learners_and_sources as study

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


# ---------------------------------------------------------------- by hand


@given(rows_of_data)
def test_naive_bayes_by_hand(rows):
    X, y = frame_of(rows)
    hand = study.naive_bayes_by_hand(X, y, X.iloc[0])
    assert sum(hand["probability"]) == 1
    found = NaiveBayes().fit(X, y).predict_proba(X.iloc[:1])[0]
    assert_allclose(found, hand["probability"].astype(float), rtol=1e-12)


@given(rows_of_data)
def test_neighbours_by_hand(rows):
    X, y = frame_of(rows[1:])
    assume(y.nunique() == 2)
    new, _ = frame_of(rows)
    hand = study.neighbours_by_hand(X, y, new.iloc[0])
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
    hand = study.stumps_by_hand(X, y)
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
    hand = study.links_by_hand(X, y)
    bits = {frozenset((row.first, row.second)): row.bits for row in hand.itertuples()}
    assert hand["in_tree"].sum() == X.shape[1] - 1
    links = [{child, above} for child, above in TAN().fit(X, y).parent_.items() if above]
    of_tan = sum(bits[frozenset(link)] for link in links)
    assert of_tan == pytest.approx(hand.loc[hand["in_tree"], "bits"].sum(), abs=1e-9)


def test_bits_of_a_link_are_what_entropies_say():
    """I(a; b | c) = H(a, c) + H(b, c) - H(a, b, c) - H(c), on the days of the chapter."""
    X, y = study.days()

    def entropy(*columns):
        counts = Counter(zip(*columns))
        return sum(k / len(y) * log2(len(y) / k) for k in counts.values())

    for row in study.links_by_hand(X, y).itertuples():
        a, b = X[row.first], X[row.second]
        found = entropy(a, y) + entropy(b, y) - entropy(a, b, y) - entropy(y)
        assert row.bits == pytest.approx(found, abs=1e-12)


@given(rows_of_data)
def test_the_root_of_c45_has_the_best_gain_ratio_by_hand(rows):
    X, y = frame_of(rows)
    tree = C45(prune=False).fit(X, y).tree_
    assume(tree.size > 1)
    gains = study.gains_by_hand(X, y)
    root = tree.attributes.names[tree.attribute[0]]
    assert gains.at[root, "considered"]
    best = gains.loc[gains["considered"], "gain_ratio"].max()
    assert gains.at[root, "gain_ratio"] == pytest.approx(best, abs=1e-9)


def test_choices_by_hand_name_every_test_of_a_tree():
    X, y = random_frame(3, 60)
    tree = C45(prune=False).fit(X, y).tree_
    choices = study.choices_by_hand(tree, X, y)
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
        hand = study.pruning_by_hand(grown)
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
    X, y = study.days()
    gains = study.gains_by_hand(X, y)
    considered = gains[gains["considered"]]
    assert considered["gain"].idxmax() != considered["gain_ratio"].idxmax()
    grown, pruned = C45(prune=False).fit(X, y).tree_, C45().fit(X, y).tree_
    assert 1 < pruned.size < grown.size
    hand = study.pruning_by_hand(grown)
    by_c45 = nested(pruned, lambda node: not pruned.children(node))
    assert nested(grown, lambda node: hand.at[node, "kept"] != "tree") == by_c45


def test_a_day_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="sky is one of sun, cloud, rain, not 'snow'"):
        study.day("snow", "calm", "dry")


# ---------------------------------------------------------------- bit sets


@pytest.mark.parametrize("n", [16, 64, 65, 150])
def test_bit_sets_are_the_rows_and_their_counts(n):
    X, y = random_frame(n, n)
    frame = study.bit_sets(X, y)
    for (name, value), row in frame.iterrows():
        has = X[name] == value
        assert row["rows"] == "".join("01"[int(bit)] for bit in has)
        assert [row[c] for c in CLASSES] == [int((has & (y == c)).sum()) for c in CLASSES]


def test_bit_sets_and_plain_learners_agree_on_a_drawn_data_set():
    frame = study.engine_agreement("source3.0", instances=120, runs=2, folds=5)
    assert frame.index.tolist() == ["naive_bayes", "c45"]
    assert (frame["equal"] == frame["trainings"]).all() and (frame["trainings"] == 10).all()
    assert frame["accuracy"].between(50, 100).all()


# ---------------------------------------------------------------- sources


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_no_classifier_wins_where_the_class_is_an_independent_coin(p, q):
    frame = study.independent_classifiers(p, q)
    assert len(frame) == 16 and not frame.drop(columns="accuracy").duplicated().any()
    assert set(frame["accuracy"]) == {Fraction(1, 2)}


def test_no_classifier_wins_on_the_committed_networks_of_source_1():
    """Whatever is predicted for a combination is right half the time: exactly, bit for bit."""
    for name in networks.names(1):
        joint = networks.load(name).joint()
        assert_array_equal(joint[:, 0], joint[:, 1])


def test_margins_are_measured_again_on_other_samples():
    measured = study.remeasured_margins(training_sets=20, networks=1, instances=100)
    assert measured["source"].tolist() == [1, 2, 3, 4]
    assert measured.loc["source1.0", ["margin", "margin_error"]].tolist() == [0, 0]
    assert_allclose(measured["margin"], measured["c45"] - measured["naive_bayes"], atol=1e-9)
    assert_allclose(measured["margin_error"] * np.sqrt(20), measured["deviation"])
    assert (measured[["c45", "naive_bayes"]].max(axis=1) <= measured["bayes"] + 1e-9).all()
    other = study.remeasured_margins(training_sets=20, networks=1, instances=100, seed=1)
    assert (measured["margin"] != other["margin"])[1:].all()


def measured_with(shift):
    """Made-up margins: those printed, moved by `shift`."""
    return pd.DataFrame([
        {
            "source": source, "margin": target + (shift if source > 1 else 0),
            "margin_error": 0.05 if source > 1 else 0.0, "deviation": 3.0 if source > 1 else 0.0,
            "naive_bayes": 50.0, "c45": 50.0 + target, "bayes": 50.0 + target,
        }
        for source, target in margins.targets().items() for _ in range(4)
    ])


@pytest.mark.parametrize(
    ("shift", "verdict"), [(0.0, "in kind"), (0.2, "in kind"), (0.5, "differs")]
)
def test_verdicts_on_margins(shift, verdict):
    by_source = study.margins_by_source(measured_with(shift))
    # the mean of four independent margins; the paper's of a thousand training sets
    assert_allclose(by_source["margin_error"], [0, 0.025, 0.025, 0.025])
    assert_allclose(by_source["published_error"][2:], 3 / np.sqrt(1000))
    rows = ledger.compare(study.published_margins(by_source), chapter="test")
    verdicts = rows.set_index("id")["verdict"]
    assert len(verdicts) == 7
    assert verdicts.pop("bouckaert_frank2004.tab05.delta_accuracy.source1") == "exact"
    assert (verdicts == verdict).all()


@pytest.mark.parametrize(("accuracy", "verdict"), [(50.0, "exact"), (51.0, "differs")])
def test_verdict_on_the_accuracy_of_source_1(accuracy, verdict):
    measured = measured_with(0)
    measured.loc[2, "c45"] = accuracy  # one of the four networks of source 1
    frame = ledger.compare(study.accuracy_on_source_1(measured), chapter="test")
    assert frame["verdict"].tolist() == [verdict]


def test_unequal_classes_make_a_margin_on_source_1():
    frame = study.unequal_classes([0.5, 0.2], instances=100, training_sets=30, networks=2)
    assert frame.loc[0.5, ["margin", "margin_error"]].tolist() == [0, 0]
    assert_allclose(frame.loc[0.5, ["naive_bayes", "c45"]].astype(float), 50)
    assert frame.at[0.2, "naive_bayes"] <= 80 + 1e-9 and frame.at[0.2, "c45"] <= 80 + 1e-9
    assert frame.at[0.2, "margin_error"] > 0


# ---------------------------------------------------------------- learning curves


def test_a_point_of_a_curve_does_not_depend_on_the_others():
    options = {"training_sets": 5, "others": 3, "learners": ["naive_bayes", "c45", "tan"]}
    curves = study.learning_curves(["source2.0", "source4.1"], [20, 50], **options)
    alone = study.learning_curves(["source4.1"], [50], **options)
    same = curves.query("network == 'source4.1' and instances == 50").reset_index(drop=True)
    pd.testing.assert_frame_equal(same, alone)
    assert curves.groupby("learner")["training_sets"].unique().map(list).to_dict() == {
        "c45": [5], "naive_bayes": [5], "tan": [3],
    }


def test_learners_of_a_curve_see_the_same_samples():
    """Naive Bayes asked for by itself has the accuracies that it has beside C4.5."""
    both, one = (
        study.learning_curves(["source3.0"], [40], training_sets=6, learners=learners)
        for learners in (["naive_bayes", "c45"], ["naive_bayes"])
    )
    of_naive_bayes = both.query("learner == 'naive_bayes'").reset_index(drop=True)
    pd.testing.assert_frame_equal(of_naive_bayes, one)


def curve(margin, sizes=(10, 30, 100, 300, 1000), name="source2.0"):
    return pd.DataFrame({
        "source": 2, "network": name, "instances": sizes,
        "margin": [margin(n) for n in sizes], "standard_error": 0.1,
    })


def test_crossings_lie_on_lines_over_the_logarithm():
    curves = pd.concat([
        curve(lambda n: log2(n / 137), name="source2.0"),
        curve(lambda n: -1.0, name="source2.1"),
        curve(lambda n: 1.0, name="source2.2"),
        # ahead, behind, ahead again: it stays ahead from the last crossing on
        curve(lambda n: {10: 1.0, 30: -1.0, 100: 2.0, 300: -1.0, 1000: 1.0}[n], name="source2.3"),
    ])
    size = study.crossings(curves)["size"]
    assert size["source2.0"] == pytest.approx(137)
    assert np.isnan(size["source2.1"])
    assert size["source2.2"] == 10
    assert size["source2.3"] == pytest.approx(np.sqrt(300 * 1000))
    spread = study.spread_of_margins(curves).loc[2]
    assert spread["never"] == 1 and spread["ahead from, least"] == 10
