"""Learners on data small enough to follow by hand, and on the four synthetic sources of 2004.

What is worked out *by hand* here uses whole numbers, fractions and the formulas of the papers, and
nothing of `replib.learners`: a chapter puts both side by side.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import log2, sqrt

import numpy as np
import pandas as pd
from scipy import special

from replib.experiments.splits import stratified_folds
from replib.learners import LEARNERS, Table, correct_counts, packed
from replib.learners.tree import Tree
from replib.papers import published
from replib.papers.networks import committed
from replib.papers.networks import search as margins

SEED = 2004

#: Sources of the papers by number, and how many networks are committed for each.
SOURCES = (1, 2, 3, 4)
NETWORKS = 10

_TRAINING_SETS_OF_THE_PAPERS = 1000

# ---------------------------------------------------------------- by hand

_DAYS = """
sun calm dry yes,  sun calm dry yes,  sun calm dry yes,  sun calm dry yes,  sun calm wet yes,
cloud calm dry yes, cloud calm wet yes, cloud calm dry no, cloud calm dry no,
cloud storm wet no, cloud storm wet no, cloud storm wet no,
rain calm dry yes, rain calm dry no, rain calm dry no, rain storm wet no
"""
_VALUES = {"sky": ["sun", "cloud", "rain"], "wind": ["calm", "storm"], "ground": ["dry", "wet"]}
_CLASSES = ["no", "yes"]

_AVERAGE_SLACK = 1e-3  # below the average gain, and still considered
_PRUNING_SLACK = 0.1  # errors that a leaf may be worse than its subtree


def days() -> tuple[pd.DataFrame, pd.Series]:
    """Sixteen days, their weather, and whether there was a walk: made up, to be counted by hand.

    Returns
    -------
    X : DataFrame
        Categorical columns `sky`, `wind`, `ground`.
    y : Series
        Categorical, `walk`.

    Examples
    --------
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
    """One day, as the learners of :func:`days` take it.

    Raises
    ------
    ValueError
        If there is no such weather.

    Examples
    --------
    >>> day("rain", "calm", "dry").to_dict("records")
    [{'sky': 'rain', 'wind': 'calm', 'ground': 'dry'}]
    """
    given = {"sky": sky, "wind": wind, "ground": ground}
    for name, value in given.items():
        if value not in _VALUES[name]:
            raise ValueError(f"{name} is one of {', '.join(_VALUES[name])}, not {value!r}")
    return pd.DataFrame({
        name: pd.Categorical([value], categories=_VALUES[name]) for name, value in given.items()
    })


def naive_bayes_by_hand(X: pd.DataFrame, y: pd.Series, row: Mapping[str, object]) -> pd.DataFrame:
    """The factors of naive Bayes for one row, each a fraction of counts.

    Parameters
    ----------
    X : DataFrame
        Categorical columns, nothing missing.
    y : Series
        Categorical.
    row : mapping
        A value for each column.

    Returns
    -------
    DataFrame
        One row a class: `prior`, a column for each attribute, their `product`, and `probability`,
        the product's share; all of them Fractions.

    Examples
    --------
    >>> X, y = days()
    >>> hand = naive_bayes_by_hand(X, y, {"sky": "rain", "wind": "calm", "ground": "dry"})
    >>> hand.loc["yes"].map(str).tolist()
    ['1/2', '2/11', '9/10', '7/10', '63/1100', '63/113']
    """
    classes = y.cat.categories
    table = {}
    for c in classes:
        rows = X[y == c]
        factors = {"prior": Fraction(len(rows) + 1, len(X) + len(classes))}
        for name in X.columns:
            values = X[name].cat.categories
            seen = int((rows[name] == row[name]).sum())
            factors[name] = Fraction(seen + 1, len(rows) + len(values))
        factors["product"] = np.prod(list(factors.values()))
        table[c] = factors
    frame = pd.DataFrame.from_dict(table, orient="index").rename_axis(y.name)
    return frame.assign(probability=frame["product"] / frame["product"].sum())


def gains_by_hand(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """What C4.5 weighs when it splits these rows.

    Parameters
    ----------
    X : DataFrame
        Categorical columns, nothing missing; fewer values than three tenths of the training rows,
        so that all attributes count in the average.
    y : Series
        Categorical.

    Returns
    -------
    DataFrame
        One row an attribute: `counts`, the rows of each class in each branch, as text; `gain` of
        information in bits; `split_information` in bits; `gain_ratio`; `considered`, whether at
        least two branches have two rows and the gain is not below the average of those that have.

    Examples
    --------
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
    """At each test of a tree: what :func:`gains_by_hand` would have chosen.

    Parameters
    ----------
    tree : Tree
        Grown on `X` and `y`.
    X, y
        As for :func:`gains_by_hand`.

    Returns
    -------
    DataFrame
        One row an inner node: `rows` that reach it, the attribute `by_hand`, and that
        `of_the_tree`.

    Examples
    --------
    >>> from replib.learners import C45
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
    """Errors that C4.5 expects of each node of a grown tree, and what it does about them.

    A leaf of n rows with e wrong ones expects the upper limit of a one-sided confidence interval
    for a binomial proportion, times n: exact if e = 0, the usual normal approximation with e + 1/2
    if e is at least 1.  Whole numbers of rows only; that a branch may take the place of its parent
    is left out.

    Parameters
    ----------
    tree : Tree
        Unpruned, grown on rows without missing values.
    confidence : float
        Level of the interval.

    Returns
    -------
    DataFrame
        One row a node, children before parents: `condition`, `rows`, `wrong`, `as_leaf` and
        `as_tree` (expected errors; of the leaves below it after their own pruning), `kept`: "leaf",
        "tree", or "leaf instead of tree".

    Examples
    --------
    >>> from replib.learners import C45
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
    """Training rows by their distance from one row: the number of attributes that differ.

    Parameters
    ----------
    X, y
        As for :func:`naive_bayes_by_hand`.
    row : mapping
        A value for each column.

    Returns
    -------
    DataFrame
        Indexed by `distance`, one column a class: the number of training rows.

    Examples
    --------
    >>> hand = neighbours_by_hand(*days(), {"sky": "rain", "wind": "calm", "ground": "wet"})
    >>> hand.to_dict("index")
    {1: {'no': 3, 'yes': 3}, 2: {'no': 5, 'yes': 5}}
    """
    distance = (pd.Series(row)[X.columns] != X).sum(axis=1).rename("distance")
    return pd.crosstab(distance, y, dropna=False)


def stumps_by_hand(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """Every test of one value against the rest, and the entropy that it leaves.

    Parameters
    ----------
    X, y
        As for :func:`naive_bayes_by_hand`.

    Returns
    -------
    DataFrame
        One row a test, the best first: `attribute`, `value`, the rows of each class that `hold` and
        that `fail`, as text, and `entropy` in bits, the mean over the rows.

    Examples
    --------
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

    The tree is found by trying all spanning trees.

    Parameters
    ----------
    X, y
        As for :func:`naive_bayes_by_hand`; at most six attributes.

    Returns
    -------
    DataFrame
        One row a pair: `first`, `second`, `bits`, and `in_tree`.

    Examples
    --------
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
    """In bits."""
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
    """Which rows reach each node of a tree of nominal tests."""
    reach = [pd.Series(True, index=X.index)]
    for node in range(1, tree.size):
        above = tree.parent[node]
        name = tree.attributes.names[tree.attribute[above]]
        value = X[name].cat.categories[node - tree.first_child[above]]
        reach.append(reach[above] & (X[name] == value))
    return reach


def _conditional_information(X: pd.DataFrame, y: pd.Series, a: str, b: str) -> float:
    n_abc = pd.Series(list(zip(X[a], X[b], y))).value_counts()
    n_ac = pd.Series(list(zip(X[a], y))).value_counts()
    n_bc = pd.Series(list(zip(X[b], y))).value_counts()
    n_c = y.value_counts()
    return sum(
        n / len(y) * log2(n * n_c[c] / (n_ac[u, c] * n_bc[v, c]))
        for (u, v, c), n in n_abc.items()
    )


def _connects(links: Sequence[tuple[str, str]], names: Sequence[str]) -> bool:
    """Whether links, one fewer than there are names, join all of them."""
    group = {name: {name} for name in names}
    for a, b in links:
        joined = group[a] | group[b]
        for name in joined:
            group[name] = joined
    return len(group[names[0]]) == len(names)


# ---------------------------------------------------------------- bit sets


def bit_sets(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """A data set as bit sets, with the counts that naive Bayes takes from them.

    Parameters
    ----------
    X, y
        As for :func:`naive_bayes_by_hand`.

    Returns
    -------
    DataFrame
        Indexed by `attribute` and `value`: `rows`, the packed set as text with the first row on the
        left, and a column for each class, the number of bits left after *and* with the class's set.

    Examples
    --------
    >>> bit_sets(*days()).at[("wind", "storm"), "rows"]
    '0000000001110001'
    """
    columns = np.stack([X[name].cat.codes for name in X.columns]).astype(np.int64)
    categories = [X[name].cat.categories for name in X.columns]
    classes = y.cat.categories
    labels = y.cat.codes.to_numpy(dtype=np.int64)
    table = packed.pack(columns, labels, [len(values) for values in categories], len(classes))
    names = [(name, v) for name, values in zip(X.columns, categories) for v in values]
    frame = pd.DataFrame(
        {"rows": [_as_text(words, len(X)) for words in table.values]},
        index=pd.MultiIndex.from_tuples(names, names=["attribute", "value"]),
    )
    for c, of_class in zip(classes, table.classes):
        frame[c] = np.bitwise_count(table.values & of_class).sum(axis=1, dtype=int)
    return frame


def _as_text(words: np.ndarray, n: int) -> str:
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return "".join(map(str, bits[:n]))


def engine_agreement(
    network: str, *, instances: int = 300, runs: int = 10, folds: int = 10, seed: int = SEED
) -> pd.DataFrame:
    """The learners on bit sets against the plain ones, in the cross-validations of one data set.

    Parameters
    ----------
    network : str
        Name of a committed network, which the data set is drawn from.
    instances, runs, folds : int
        Size of the data set, and of its repeated cross-validation.
    seed : int

    Returns
    -------
    DataFrame
        One row a learner: `trainings`, in how many of them the number of correct test rows is
        `equal`, and the mean `accuracy` in percent.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(23, 0)))
    drawn = committed.load(network)
    labels, columns = drawn.sample(instances, rng)
    test_folds = np.stack([stratified_folds(labels, folds, rng) for _ in range(runs)])
    names = list(packed.LEARNERS)
    data = (columns, labels, drawn.cardinality[1:], drawn.n_classes)
    quick = packed.correct_counts(packed.pack(*data), test_folds, learners=names)
    plain = correct_counts(Table.from_codes(*data), test_folds, learners=names)
    return pd.DataFrame({
        "trainings": runs * folds,
        "equal": (quick == plain).sum(axis=(0, 1)),
        "accuracy": 100 * plain.sum(axis=(0, 1)) / (runs * instances),
    }, index=pd.Index(names, name="learner"))


# ---------------------------------------------------------------- sources


def network_name(source: int, network: int) -> str:
    """Name of a committed network by its source and its place among those of that source.

    Examples
    --------
    >>> network_name(2, 0)
    'source2.0'
    """
    return f"source{source}.{network}"


def search_for_networks() -> pd.DataFrame:
    """How the committed networks were found.

    Returns
    -------
    DataFrame
        Indexed by `source`: the `printed` margin in percent; `arrows` that a candidate may have
        between its attributes, as text; how many candidates were `examined`, and `accepted` because
        their margin lies within the `tolerance`, in percent, of the printed one.
    """
    search, found = committed.search_terms(), committed.table()
    rows = {}
    for source, printed in margins.targets().items():
        arrows = margins.prior(source)["arrows"]
        rows[source] = {
            "printed": printed, "arrows": "none" if arrows is None else "{} to {}".format(*arrows),
            "examined": search["examined"][str(source)],
            "accepted": int((found["source"] == source).sum()), "tolerance": search["tolerance"],
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("source")


def remeasured_margins(
    *, instances: int = 300, training_sets: int = 1000, networks: int = NETWORKS, seed: int = SEED
) -> pd.DataFrame:
    """Margins of the committed networks on new training sets.

    A network was accepted because its measured margin was close to the paper's; measured again, on
    other samples, nothing favours the target.

    Parameters
    ----------
    instances : int
        Size of a training set.
    training_sets : int
        For each network, from 2.
    networks : int
        How many of each source, 1 to 10.
    seed : int

    Returns
    -------
    DataFrame
        Indexed by `network`, its name: `source`; in percent `margin`, the mean expected accuracy of
        C4.5 minus that of naive Bayes, its `margin_error`, the `deviation` of the difference from
        one training set to the next, `naive_bayes`, `c45`, and `bayes`, the largest accuracy
        possible.
    """
    rows = {}
    for source, place in product(SOURCES, range(networks)):
        name = network_name(source, place)
        network = committed.load(name)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(23, 1, source, place)))
        accuracy = 100 * margins.exact_accuracies(
            network, rng, training_sets=training_sets, instances=instances
        )
        difference = accuracy[:, 1] - accuracy[:, 0]
        deviation = difference.std(ddof=1)
        rows[name] = {
            "source": source, "margin": difference.mean(),
            "margin_error": deviation / np.sqrt(training_sets), "deviation": deviation,
            "naive_bayes": accuracy[:, 0].mean(), "c45": accuracy[:, 1].mean(),
            "bayes": 100 * network.bayes_accuracy,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("network")


def margins_by_source(measured: pd.DataFrame) -> pd.DataFrame:
    """Sources in one row each.

    Parameters
    ----------
    measured : DataFrame
        Of :func:`remeasured_margins`.

    Returns
    -------
    DataFrame
        Indexed by `source`: `networks`; the `printed` margin; the mean `margin` of the networks and
        its `margin_error`; the margins' least and most, `lowest` and `highest`; `published_error`,
        the standard error that a mean over the paper's 1000 training sets has; and the range of the
        networks' `bayes` accuracies, `bayes_lowest` to `bayes_highest`.  All in percent.
    """
    groups = measured.groupby("source")
    return pd.DataFrame({
        "networks": groups.size(),
        "printed": pd.Series(margins.targets()),
        "margin": groups["margin"].mean(),
        "margin_error": groups["margin_error"].agg(lambda e: np.sqrt((e**2).sum()) / len(e)),
        "lowest": groups["margin"].min(), "highest": groups["margin"].max(),
        "published_error": groups["deviation"].mean() / np.sqrt(_TRAINING_SETS_OF_THE_PAPERS),
        "bayes_lowest": groups["bayes"].min(), "bayes_highest": groups["bayes"].max(),
    }).loc[list(groups.groups)].rename_axis("source")


def published_margins(by_source: pd.DataFrame) -> pd.DataFrame:
    """Rows for the ledger: the margins, in both papers.

    Parameters
    ----------
    by_source : DataFrame
        Of :func:`margins_by_source`.

    Returns
    -------
    DataFrame
        `id`, `rebuilt`, `standard_error`, `published_error`, `in_kind`, `note`.
    """
    ids = {
        source: [f"bouckaert_frank2004.tab05.delta_accuracy.source{source}"]
        + ([f"bouckaert2004.txt.margin_source{source}"] if source > 1 else [])
        for source in by_source.index
    }
    found = "our networks were searched for that have this margin; the paper's are not printed"
    return pd.DataFrame([
        {
            "id": fact, "rebuilt": row["margin"], "standard_error": row["margin_error"],
            "published_error": row["published_error"] if source > 1 else np.nan,
            "in_kind": found if source > 1 else None,
            "note": None if source > 1 else "no classifier can do better or worse",
        }
        for source, row in by_source.iterrows() for fact in ids[source]
    ])


def accuracy_on_source_1(measured: pd.DataFrame) -> pd.DataFrame:
    """The row for the ledger: the expected accuracy of any learner on source 1.

    Parameters
    ----------
    measured : DataFrame
        Of :func:`remeasured_margins`.
    """
    of_source = measured[measured["source"] == 1]
    accuracies = of_source[["naive_bayes", "c45", "bayes"]].to_numpy()
    printed = published.value("bouckaert_frank2004.txt.source1_acc")
    worst = accuracies.flat[np.abs(accuracies - printed).argmax()]
    return pd.DataFrame([{
        "id": "bouckaert_frank2004.txt.source1_acc", "rebuilt": worst,
        "note": "the accuracy that is furthest from one half, of all networks and learners",
    }])


def independent_classifiers(p: Fraction, q: Fraction) -> pd.DataFrame:
    """Exact accuracies of all classifiers of two binary attributes that know nothing of the class.

    Parameters
    ----------
    p, q : Fraction
        Probabilities that the attributes are 1.

    Returns
    -------
    DataFrame
        One row for each of the 16 functions from two bits to a class: the class predicted for 00,
        01, 10 and 11, and `accuracy`, a Fraction, where the class is a fair coin.

    Examples
    --------
    >>> independent_classifiers(Fraction(1, 3), Fraction(1, 7))["accuracy"].unique()
    array([Fraction(1, 2)], dtype=object)
    """
    cells = list(product((0, 1), repeat=2))
    probability = {
        (a, b): (p if a else 1 - p) * (q if b else 1 - q) for a, b in cells
    }
    rows = []
    for predicted in product((0, 1), repeat=len(cells)):
        accuracy = sum(
            Fraction(1, 2) * probability[cell]
            for cell, guess in zip(cells, predicted) for truth in (0, 1) if guess == truth
        )
        rows.append((*predicted, accuracy))
    return pd.DataFrame(rows, columns=[*(f"{a}{b}" for a, b in cells), "accuracy"])


def unequal_classes(
    class_probabilities: Sequence[float],
    *,
    instances: int = 300,
    training_sets: int = 1000,
    networks: int = NETWORKS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Margins on source 1 when the classes are not equally likely.

    Parameters
    ----------
    class_probabilities : sequence of float
        Of the first class.
    instances, training_sets, networks : int
        As for :func:`remeasured_margins`.
    seed : int

    Returns
    -------
    DataFrame
        One row a class probability: the mean expected accuracies `naive_bayes` and `c45`, `margin`
        and `margin_error`, in percent, over all networks and training sets.
    """
    rows = []
    for place, p in enumerate(class_probabilities):
        parts = []
        for number in range(networks):
            network = committed.source({
                "network": network_name(1, number), "class_probabilities": [p, 1 - p],
            })
            rng = np.random.default_rng(
                np.random.SeedSequence(seed, spawn_key=(23, 2, place, number))
            )
            parts.append(margins.exact_accuracies(
                network, rng, training_sets=training_sets, instances=instances
            ))
        accuracy = 100 * np.concatenate(parts)
        # networks are strata: only the training sets are random
        variance = np.mean([(100 * (a[:, 1] - a[:, 0])).var(ddof=1) for a in parts])
        rows.append({
            "class_probability": p, "naive_bayes": accuracy[:, 0].mean(),
            "c45": accuracy[:, 1].mean(), "margin": (accuracy[:, 1] - accuracy[:, 0]).mean(),
            "margin_error": np.sqrt(variance / len(accuracy)),
        })
    return pd.DataFrame(rows).set_index("class_probability")


def noise_of_printed_margins(
    by_source: pd.DataFrame,
    *,
    instances: int = 300,
    training_sets: int = 50,
    networks: int = NETWORKS,
    seed: int = SEED,
) -> pd.DataFrame:
    """How exact a printed margin is, and how likely two measurements would print the same digits.

    A margin is a mean over 1000 random training sets, measured on one random test set of m
    instances. With g the chance over training sets that C4.5 classifies an instance correctly, less
    that of naive Bayes, the test set adds the variance of g over m; g and its variance are
    enumerated.  Two independent means with normal errors print the same two decimals with a chance
    of about 0.01 times the density of their difference at 0.

    Parameters
    ----------
    by_source : DataFrame
        Of :func:`margins_by_source`.
    instances, training_sets, networks : int
        As for :func:`remeasured_margins`; fewer samples do, as they only give a variance.
    seed : int

    Returns
    -------
    DataFrame
        Indexed by `source`, 2 to 4: standard errors in percent, of the `training sets` and of a
        test set of each of the papers' sizes; and `same digits`, the chance for two measurements,
        with one size each.
    """
    constants = published.design_constants().set_index("const_id")["value"]
    sizes = [
        int(constants[f"{paper}.c.test_instances"])
        for paper in ("bouckaert2004", "bouckaert_frank2004")
    ]
    rows = {}
    for source in by_source.index[by_source.index > 1]:
        variance = np.mean([
            _variance_on_instances(source, place, instances, training_sets, seed)
            for place in range(networks)
        ])
        of_training = by_source.at[source, "published_error"]
        rows[source] = {"training sets": of_training} | {
            f"test set of {m}": 100 * sqrt(variance / m) for m in sizes
        }
        both = sqrt(2 * of_training**2 + sum(100**2 * variance / m for m in sizes))
        rows[source]["same digits"] = 0.01 / (sqrt(2 * np.pi) * both)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("source")


def _variance_on_instances(
    source: int, place: int, instances: int, training_sets: int, seed: int
) -> float:
    """Variance, from one random instance to another, of how much likelier C4.5 is to be right."""
    network = committed.load(network_name(source, place))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(23, 4, source, place)))
    cardinality, k = network.cardinality[1:], network.n_classes
    grid = network.grid().astype(np.int64)
    unused = np.zeros(grid.shape[1], dtype=np.int64)
    every_combination = packed.pack(grid, unused, cardinality, k)
    everything = np.ones(instances, dtype=bool)
    total, squares = np.zeros((2, grid.shape[1], k))
    for _ in range(training_sets):
        labels, columns = network.sample(instances, rng)
        table = packed.pack(columns, labels, cardinality, k)
        c45 = packed.predict_tree(packed.grow(table, everything), every_combination)
        naive_bayes = packed.predict_naive_bayes(table, everything, every_combination)
        difference = np.eye(k)[c45] - np.eye(k)[naive_bayes]
        total += difference
        squares += difference**2
    # the mean product over pairs of different training sets: no noise of their own is in it
    squared = (total**2 - squares) / (training_sets * (training_sets - 1))
    joint = network.joint()
    return float((joint * squared).sum() - (joint * total).sum() ** 2 / training_sets**2)


# ---------------------------------------------------------------- learning curves


def learning_curves(
    names: Sequence[str],
    sizes: Sequence[int],
    *,
    learners: Sequence[str] = tuple(LEARNERS),
    training_sets: int = 400,
    others: int = 40,
    seed: int = SEED,
) -> pd.DataFrame:
    """Mean expected accuracy of learners over the size of the training set.

    Parameters
    ----------
    names : sequence of str
        Of committed networks.
    sizes : sequence of int
        Of training sets.
    learners : sequence of str
        Names in `replib.learners.LEARNERS`.
    training_sets : int
        Of each size up to 1000, for naive Bayes and C4.5, from 2.  Above there are fewer, in
        inverse proportion, but at least ten: larger training sets differ less.
    others : int
        The same for the other learners, which take longer; they see the first of these samples.
    seed : int

    Returns
    -------
    DataFrame
        One row a network, size and learner: `network`, `instances`, `learner`, `accuracy` and
        `standard_error` in percent, `training_sets`.
    """
    pair = margins.PAIR
    rest = [learner for learner in learners if learner not in pair]
    rows = []
    for name, instances in product(names, sizes):
        network = committed.load(name)
        for group, sets in ((pair, training_sets), (rest, others)):
            if not set(group) & set(learners):
                continue
            sets = _sets_of_size(sets, instances)
            accuracy = 100 * margins.exact_accuracies(
                network, _curve_rng(seed, name, instances), training_sets=sets,
                instances=instances, learners=group,
            )
            for learner, column in zip(group, accuracy.T):
                if learner in learners:
                    rows.append({
                        "network": name, "instances": instances, "learner": learner,
                        "accuracy": column.mean(),
                        "standard_error": column.std(ddof=1) / np.sqrt(sets),
                        "training_sets": sets,
                    })
    return pd.DataFrame(rows)


def margin_curves(
    sizes: Sequence[int], *, networks: int = NETWORKS, training_sets: int = 100, seed: int = SEED
) -> pd.DataFrame:
    """Margin of each network of sources 2 to 4 over the size of the training set.

    Parameters
    ----------
    sizes : sequence of int
    networks : int
        How many of each source, 1 to 10.
    training_sets : int
        Of each network and size, as for :func:`learning_curves`.
    seed : int

    Returns
    -------
    DataFrame
        One row a network and size: `source`, `network`, `instances`, `margin` and `standard_error`
        in percent.
    """
    rows = []
    for source, place, instances in product(SOURCES[1:], range(networks), sizes):
        name = network_name(source, place)
        sets = _sets_of_size(training_sets, instances)
        accuracy = 100 * margins.exact_accuracies(
            committed.load(name), _curve_rng(seed, name, instances), training_sets=sets,
            instances=instances,
        )
        difference = accuracy[:, 1] - accuracy[:, 0]
        rows.append({
            "source": source, "network": name, "instances": instances,
            "margin": difference.mean(),
            "standard_error": difference.std(ddof=1) / np.sqrt(sets),
        })
    return pd.DataFrame(rows)


def spread_of_margins(curves: pd.DataFrame) -> pd.DataFrame:
    """What the networks of a source have in common, and what not.

    Parameters
    ----------
    curves : DataFrame
        Of :func:`margin_curves`.

    Returns
    -------
    DataFrame
        Indexed by `source`: the least and most margin at the least and at the largest size, in
        percent, and from which size on C4.5 is ahead (:func:`crossings`): the least, the median and
        the most, and on how many networks it is `never` ahead at the end.
    """
    sizes = curves["instances"].min(), curves["instances"].max()
    size = crossings(curves).groupby("source")["size"]
    frame = {}
    for n in sizes:
        margin = curves[curves["instances"] == n].groupby("source")["margin"]
        frame[f"margin at {n}, least"], frame[f"margin at {n}, most"] = margin.min(), margin.max()
    frame |= {
        "ahead from, least": size.min(), "median": size.median(), "most": size.max(),
        "never": size.agg(lambda x: x.isna().sum()),
    }
    return pd.DataFrame(frame)


def crossings(curves: pd.DataFrame) -> pd.DataFrame:
    """From which size on C4.5 is ahead of naive Bayes.

    Parameters
    ----------
    curves : DataFrame
        Of :func:`margin_curves`.

    Returns
    -------
    DataFrame
        Indexed by `network`: `source`, `size` of a training set beyond which the margin stays above
        0, on a line through the margins over the logarithm of the size; NaN if it is never above 0
        at the end, the least size if it is above 0 throughout.
    """
    rows = {}
    for name, curve in curves.groupby("network", sort=False):
        curve = curve.sort_values("instances")
        logs, margin = np.log(curve["instances"].to_numpy()), curve["margin"].to_numpy()
        behind = np.flatnonzero(margin <= 0)
        if len(behind) == 0:
            size = curve["instances"].iloc[0]
        elif behind[-1] == len(margin) - 1:
            size = np.nan
        else:
            i = behind[-1]
            share = -margin[i] / (margin[i + 1] - margin[i])
            size = np.exp(logs[i] + share * (logs[i + 1] - logs[i]))
        rows[name] = {"source": curve["source"].iloc[0], "size": size}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("network")


def _sets_of_size(sets: int, instances: int) -> int:
    return min(sets, max(10, sets * 1000 // instances))


def _curve_rng(seed: int, name: str, instances: int) -> np.random.Generator:
    source, place = name.removeprefix("source").split(".")
    key = (23, 3, int(source), int(place), instances)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
