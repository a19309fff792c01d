"""Learners at work on data small enough to follow by hand.

Everything here uses whole numbers, fractions and the formulas of the papers, and nothing computed
by `companion.lab.learners`: the chapter compares the two.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import log2, sqrt

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.learners.tree import Tree

_DAYS = """
sun calm dry yes,  sun calm dry yes,  sun calm dry yes,  sun calm dry yes,  sun calm wet yes,
cloud calm dry yes, cloud calm wet yes, cloud calm dry no, cloud calm dry no,
cloud storm wet no, cloud storm wet no, cloud storm wet no,
rain calm dry yes, rain calm dry no, rain calm dry no, rain storm wet no
"""
_VALUES = {"sky": ["sun", "cloud", "rain"], "wind": ["calm", "storm"], "ground": ["dry", "wet"]}
_CLASSES = ["no", "yes"]
_AVERAGE_SLACK = 1e-3  # a gain this far below the average is still considered
_PRUNING_SLACK = 0.1  # a leaf may have this many more errors than its subtree


def days() -> tuple[pd.DataFrame, pd.Series]:
    """Sixteen days, their weather, and whether there was a walk: made up for counting by hand.

    Returns X, with the categorical columns `sky`, `wind`, `ground`, and the categorical y, `walk`.

    >>> X, y = days()
    >>> X.shape, y.value_counts().to_dict()
    ((16, 3), {'no': 8, 'yes': 8})
    """
    rows = [day.split() for day in _DAYS.split(",")]
    frame = pd.DataFrame(rows, columns=[*_VALUES, "walk"])
    for name, values in (_VALUES | {"walk": _CLASSES}).items():
        frame[name] = pd.Categorical(frame[name], categories=values)
    return frame.drop(columns="walk"), frame["walk"]


def day(sky: str, wind: str, ground: str) -> pd.DataFrame:
    """One day, in the form that learners of :func:`days` take.

    >>> day("rain", "calm", "dry").to_dict("records")
    [{'sky': 'rain', 'wind': 'calm', 'ground': 'dry'}]
    """
    given = {"sky": sky, "wind": wind, "ground": ground}
    return pd.DataFrame({
        name: pd.Categorical([value], categories=_VALUES[name]) for name, value in given.items()
    })


def naive_bayes_by_hand(X: pd.DataFrame, y: pd.Series, row: Mapping[str, object]) -> pd.DataFrame:
    """The factors of naive Bayes for one row, each a fraction of counts.

    One row per class: `prior`, a column per attribute, their `product`, and `probability`, the
    product's share; all of them are Fractions.

    >>> X, y = days()
    >>> hand = naive_bayes_by_hand(X, y, {"sky": "rain", "wind": "calm", "ground": "dry"})
    >>> hand.loc["yes"].map(str).tolist()
    ['1/2', '2/11', '9/10', '7/10', '63/1100', '63/113']
    """
    classes = y.cat.categories
    table = {}
    for c in classes:
        rows = X[y == c]
        factors = {"prior": Fraction(len(rows) + 1, len(X) + len(classes))} | {
            name: Fraction(
                int((rows[name] == row[name]).sum()) + 1, len(rows) + len(X[name].cat.categories)
            ) for name in X.columns
        }
        table[c] = factors | {"product": np.prod(list(factors.values()))}
    frame = pd.DataFrame.from_dict(table, orient="index").rename_axis(y.name)
    return frame.assign(probability=frame["product"] / frame["product"].sum())


def gains_by_hand(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """The numbers that C4.5 compares when it splits these rows.

    One row per attribute: `counts`, the rows of each class in each branch, as text; `gain` of
    information in bits; `split_information` in bits; `gain_ratio`; `considered`, whether at least
    two branches have two rows and the gain is not below the average over such attributes.

    >>> gains_by_hand(*days())[["gain", "gain_ratio", "considered"]].round(3)
             gain  gain_ratio  considered
    sky     0.420       0.271        True
    wind    0.311       0.384        True
    ground  0.049       0.051       False
    """
    rows = []
    for name in X.columns:
        counts = pd.crosstab(X[name], y, dropna=False)
        of_branch = counts.sum(axis=1)
        gain = _entropy(counts.sum()) - sum(
            n / len(X) * _entropy(counts.loc[value]) for value, n in of_branch.items()
        )
        split = _entropy(of_branch)
        rows.append({
            "counts": ", ".join(f"{v} {'+'.join(map(str, counts.loc[v]))}" for v in counts.index),
            "gain": gain, "split_information": split,
            "gain_ratio": gain / split if split > 0 else 0.0,
            "possible": (of_branch >= 2).sum() >= 2,
        })
    frame = pd.DataFrame(rows, index=list(X.columns))
    possible = frame.pop("possible")
    average = frame.loc[possible, "gain"].mean()
    frame["considered"] = (
        possible & (frame["gain"] >= average - _AVERAGE_SLACK) & (frame["gain"] > 1e-6)
    )
    return frame


def choices_by_hand(tree: Tree, X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """The choice of :func:`gains_by_hand` at each test of a tree.

    One row per inner node: `rows` that reach it, the attribute `by_hand`, and that `of_the_tree`.

    >>> from companion.lab.learners import C45
    >>> X, y = days()
    >>> choices_by_hand(C45(prune=False).fit(X, y).tree_, X, y).values.tolist()
    [[16, 'wind', 'wind'], [12, 'sky', 'sky']]
    """
    reach = _rows_of_nodes(tree, X)
    rows = []
    for node in range(tree.size):
        if tree.children(node):
            gains = gains_by_hand(X[reach[node]], y[reach[node]])
            rows.append({
                "node": node, "rows": int(reach[node].sum()),
                "by_hand": gains.loc[gains["considered"], "gain_ratio"].idxmax(),
                "of_the_tree": tree.attributes.names[tree.attribute[node]],
            })
    return pd.DataFrame(rows).set_index("node")


def pruning_by_hand(tree: Tree, confidence: float = 0.25) -> pd.DataFrame:
    """Errors that C4.5 expects at each node of a grown tree, and its decision to prune.

    The expected errors of a leaf with n rows, of which e are wrong, are n times the upper limit of
    a one-sided confidence interval for a binomial proportion: exact if e = 0, and the usual normal
    approximation with e + 1/2 if e is at least 1.  Only for whole numbers of rows; replacing a
    parent by one of its branches is left out.

    One row per node, children before parents: `condition`, `rows`, `wrong`, `as_leaf` and `as_tree`
    (expected errors; of the leaves below it after their own pruning), `kept`: "leaf", "tree", or
    "leaf instead of tree".

    >>> from companion.lab.learners import C45
    >>> X, y = days()
    >>> hand = pruning_by_hand(C45(prune=False).fit(X, y).tree_)
    >>> hand[["as_leaf", "as_tree"]].round(2).loc[1].tolist(), hand.at[1, "kept"]
    ([5.67, 6.32], 'leaf instead of tree')
    """
    z = float(special.ndtri(1 - confidence))
    best, rows = {}, []
    for node in reversed(range(tree.size)):
        n = int(tree.counts[node].sum())
        wrong = n - int(tree.counts[node].max())
        as_leaf = _expected_errors(n, wrong, confidence, z)
        below = tree.children(node)
        as_tree = sum(best[child] for child in below) if below else np.nan
        replaced = bool(below) and as_leaf <= as_tree + _PRUNING_SLACK
        best[node] = as_tree if below and not replaced else as_leaf
        kept = "leaf" if not below else "leaf instead of tree" if replaced else "tree"
        rows.append((node, tree.condition(node), n, wrong, as_leaf, as_tree, kept))
    columns = ["node", "condition", "rows", "wrong", "as_leaf", "as_tree", "kept"]
    return pd.DataFrame(rows, columns=columns).set_index("node")


def neighbours_by_hand(X: pd.DataFrame, y: pd.Series, row: Mapping[str, object]) -> pd.DataFrame:
    """Count training rows by distance from one row, the number of attributes that differ.

    Indexed by `distance`, one column per class: the number of training rows.

    >>> hand = neighbours_by_hand(*days(), {"sky": "rain", "wind": "calm", "ground": "wet"})
    >>> hand.to_dict("index")
    {1: {'no': 3, 'yes': 3}, 2: {'no': 5, 'yes': 5}}
    """
    distance = (pd.Series(row)[X.columns] != X).sum(axis=1).rename("distance")
    return pd.crosstab(distance, y, dropna=False)


def stumps_by_hand(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """Every test of one value against the rest, and the entropy that it leaves.

    One row per test, the best first: `attribute`, `value`; `hold` and `fail`, the rows of each
    class for which the test holds and fails, as text; `entropy` in bits, the mean over the rows.

    >>> stumps_by_hand(*days()).iloc[0].tolist()[:4]
    ['sky', 'sun', '0+5', '8+3']
    """
    rows = []
    for name in X.columns:
        for value in X[name].cat.categories:
            holds = X[name] == value
            sides = [y[holds].value_counts(sort=False), y[~holds].value_counts(sort=False)]
            entropy = sum(side.sum() / len(y) * _entropy(side) for side in sides)
            rows.append((name, value, *("+".join(map(str, side)) for side in sides), entropy))
    frame = pd.DataFrame(rows, columns=["attribute", "value", "hold", "fail", "entropy"])
    return frame.sort_values("entropy", kind="stable", ignore_index=True)


def links_by_hand(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """Mutual information of pairs of attributes given the class, and the best tree of such links.

    The best tree is found by trying all spanning trees.

    One row per pair: `first`, `second`, `bits`, and `in_tree`.

    >>> links = links_by_hand(*days())
    >>> links.loc[links["in_tree"], ["first", "second"]].values.tolist()
    [['sky', 'ground'], ['wind', 'ground']]
    """
    pairs = list(combinations(X.columns, 2))
    bits = {pair: _conditional_information(X, y, *pair) for pair in pairs}
    tree = max(
        (links for links in combinations(pairs, X.shape[1] - 1) if _connects(links, X.columns)),
        key=lambda links: sum(bits[link] for link in links),
    )
    return pd.DataFrame([
        {"first": a, "second": b, "bits": bits[a, b], "in_tree": (a, b) in tree} for a, b in pairs
    ])


def _entropy(counts: Sequence[int]) -> float:
    """Entropy in bits."""
    total = sum(counts)
    return sum(n / total * log2(total / n) for n in counts if n > 0)


def _expected_errors(n: int, wrong: int, confidence: float, z: float) -> float:
    if n == 0:
        return 0.0
    if wrong == 0:
        return n * (1 - confidence ** (1 / n))
    if wrong + 0.5 >= n:
        return float(n)
    f = (wrong + 0.5) / n
    spread = z * sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return n * (f + z * z / (2 * n) + spread) / (1 + z * z / n)


def _rows_of_nodes(tree: Tree, X: pd.DataFrame) -> list[pd.Series]:
    """The rows that reach each node of a tree of nominal tests."""
    reach = [pd.Series(True, index=X.index)]
    for node in range(1, tree.size):
        above = tree.parent[node]
        name = tree.attributes.names[tree.attribute[above]]
        value = X[name].cat.categories[node - tree.first_child[above]]
        reach.append(reach[above] & (X[name] == value))
    return reach


def _conditional_information(X: pd.DataFrame, y: pd.Series, a: str, b: str) -> float:
    n_abc, n_ac, n_bc = (Counter(zip(*of)) for of in ((X[a], X[b], y), (X[a], y), (X[b], y)))
    n_c = y.value_counts()
    return sum(
        n / len(y) * log2(n * n_c[c] / (n_ac[u, c] * n_bc[v, c]))
        for (u, v, c), n in n_abc.items()
    )


def _connects(links: Sequence[tuple[str, str]], names: Sequence[str]) -> bool:
    """Return whether links, one fewer than the names, join all of them."""
    group = {name: {name} for name in names}
    for a, b in links:
        joined = group[a] | group[b]
        for name in joined:
            group[name] = joined
    return len(group[names[0]]) == len(names)
