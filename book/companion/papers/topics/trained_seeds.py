"""Three small neural networks, fifty seeds each: which test instances does each run get right?

The stored run keeps a bit per seed, network and test instance.  Chapter *Five seeds, one test set*
decomposes the variance of their differences and compares the agreement that five seeds predict with
the agreement of all fifty.
"""

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd

from replib.comparison import compare_item_scores

SEED = 2028
SEEDS = 50
#: Settings of `sklearn.neural_network.MLPClassifier`.
NETWORKS: dict[str, dict[str, object]] = {
    "16 units": {"hidden_layer_sizes": (16,), "solver": "adam", "learning_rate_init": 0.01},
    "64 units": {"hidden_layer_sizes": (64,), "solver": "adam", "learning_rate_init": 0.01},
    "64 units, SGD": {"hidden_layer_sizes": (64,), "solver": "sgd", "learning_rate_init": 0.05},
}
#: Training instances; all others are test instances.
TRAINING = {"digits": 300, "breast_cancer": 150}


@cache
def data(dataset: str, split: int) -> tuple[np.ndarray, ...]:
    """Training and test set (X, X, y, y) of a random stratified split, standardised."""
    from sklearn import datasets
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    X, y = getattr(datasets, f"load_{dataset}")(return_X_y=True)
    X, X_test, y, y_test = train_test_split(
        X, y, train_size=TRAINING[dataset], stratify=y, random_state=split
    )
    scaler = StandardScaler().fit(X)
    return scaler.transform(X), scaler.transform(X_test), y, y_test


def right(
    rng: np.random.Generator, *, dataset: str, order: str = "random", split: str = "fixed"
) -> np.ndarray:
    """Train each network once: whether it is right on each test instance, in packed bits.

    Parameters
    ----------
    rng : Generator
        Draws the seed of each network (and of the split).
    dataset : {"digits", "breast_cancer"}
    order : {"random", "fixed"}
        Of the training instances in each epoch: with "fixed" only the initialisation varies.
    split : {"fixed", "random"}
        A random split has other test instances in each replication.

    Returns
    -------
    ndarray of uint8, shape (networks, bytes)
    """
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    draw = lambda: int(rng.integers(2**31))
    X, X_test, y, y_test = data.__wrapped__(dataset, draw()) if split == "random" else data(
        dataset, 0
    )
    found = []
    for settings in NETWORKS.values():
        network = MLPClassifier(
            max_iter=60, batch_size=32, shuffle=order == "random", random_state=draw(), **settings
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # 60 epochs are the design
            found.append(network.fit(X, y).predict(X_test) == y_test)
    return np.packbits(found, axis=-1)


def experiments() -> dict[str, tuple[dict[str, str], tuple[int, ...]]]:
    """Parameters and stream of each stored experiment, by its name."""
    kinds = ({}, {"order": "fixed"}, {"split": "random"})
    names = ("seeds", "initialisation", "splits")
    return {
        f"{dataset}, {name}": ({"dataset": dataset, **kind}, (i, j))
        for i, dataset in enumerate(TRAINING) for j, (name, kind) in enumerate(zip(names, kinds))
    }


def unpacked(bits: np.ndarray, dataset: str) -> dict[str, np.ndarray]:
    """Arrays of seeds x test instances by network."""
    items = len(data(dataset, 0)[3])
    of_all = np.unpackbits(bits, axis=-1, count=items)
    return {name: of_all[:, i].astype(float) for i, name in enumerate(NETWORKS)}


def agreement(
    bits: np.ndarray, dataset: str, *, runs: int = 5, teams: int = 200, seed: int = SEED,
    questions: tuple[str, ...] = ("both", "items", "seeds"),
) -> pd.DataFrame:
    """Compare predicted and counted agreement of two teams with a few seeds each.

    Each team draws its seeds from those stored, without replacement; two teams share none.

    Returns
    -------
    DataFrame
        A row per pair of networks and question: `predicted` (mean over teams), `counted`, and the
        share of teams that find a significant difference.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(runs, teams)))
    scores = unpacked(bits, dataset)
    rows = []
    for a, b in combinations(scores, 2):
        found: dict[str, list[tuple[float, bool, int]]] = {question: [] for question in questions}
        for _ in range(teams):
            drawn = [rng.permutation(len(scores[a]))[: 2 * runs].reshape(2, runs) for _ in "ab"]
            for question in questions:
                first, second = (
                    compare_item_scores(scores[a][i], scores[b][j], generalize=question)
                    for i, j in zip(*drawn)
                )
                if first.agreement is not None:
                    found[question].append((
                        first.agreement.point, first.decision == second.decision, first.decision
                    ))
        for question, results in found.items():
            predicted, counted, decisions = np.array(results, dtype=float).T
            rows.append({
                "dataset": dataset, "a": a, "b": b, "question": question,
                "predicted": predicted.mean(), "counted": counted.mean(),
                "significant": (decisions != 0).mean(), "teams": len(counted),
            })
    return pd.DataFrame(rows)
