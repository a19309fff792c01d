"""Small neural networks with 50 seeds each: which test instances does each run get right?

The stored runs have a bit per seed, network and test instance.  Chapter *Five seeds,
one test set* decomposes the variance of their differences.  The rule by which `replib`
predicts agreement was chosen on the run ``trained_seeds``; it is tested on the run
``trained_seeds_held_out``, which was made afterwards, with other networks, another
split and other seeds.
"""

from functools import cache

import numpy as np

from companion.lab.experiments import runner

SEED = 2028
SEED_HELD_OUT = 2029
SEEDS = 50
#: Settings of `sklearn.neural_network.MLPClassifier`, by set of networks.
NETWORKS: dict[str, dict[str, dict[str, object]]] = {
    "first": {
        "16 units": {
            "hidden_layer_sizes": (16,),
            "solver": "adam",
            "learning_rate_init": 0.01,
        },
        "64 units": {
            "hidden_layer_sizes": (64,),
            "solver": "adam",
            "learning_rate_init": 0.01,
        },
        "64 units, SGD": {
            "hidden_layer_sizes": (64,),
            "solver": "sgd",
            "learning_rate_init": 0.05,
        },
    },
    "held out": {
        "12 units": {
            "hidden_layer_sizes": (12,),
            "solver": "adam",
            "learning_rate_init": 0.01,
        },
        "32 units, tanh": {
            "hidden_layer_sizes": (32,),
            "activation": "tanh",
            "solver": "adam",
            "learning_rate_init": 0.01,
        },
        "32 and 16 units": {
            "hidden_layer_sizes": (32, 16),
            "solver": "adam",
            "learning_rate_init": 0.01,
        },
    },
}
#: The split of the data that all networks in a set share.
SPLITS = {"first": 0, "held out": 1}
#: Training instances; all others are test instances.
TRAINING = {"digits": 300, "breast_cancer": 150}


@cache
def data(dataset: str, split: int) -> tuple[np.ndarray, ...]:
    """Training and test sets (X, X, y, y) of a random stratified split, standardised."""
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
    rng: np.random.Generator,
    *,
    dataset: str,
    order: str = "random",
    split: str = "fixed",
    networks: str = "first",
) -> np.ndarray:
    """Train each network once, and pack into bits whether it is right on each test instance.

    Parameters
    ----------
    rng : Generator
        Draws the seed of each network (and of the split).
    dataset : {"digits", "breast_cancer"}
    order : {"random", "fixed"}
        Order of the training instances in each epoch; with "fixed", only the
        initialisation varies.
    split : {"fixed", "random"}
        A random split has different test instances in each replication.
    networks : {"first", "held out"}

    Returns
    -------
    ndarray of uint8, shape (networks, bytes)
    """
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    def draw_seed() -> int:
        return int(rng.integers(2**31))

    if split == "random":
        # each replication has a split of its own, which is not worth a place in the cache
        X, X_test, y, y_test = data.__wrapped__(dataset, draw_seed())
    else:
        X, X_test, y, y_test = data(dataset, SPLITS[networks])
    is_right = []
    for settings in NETWORKS[networks].values():
        network = MLPClassifier(
            max_iter=60,
            batch_size=32,
            shuffle=order == "random",
            random_state=draw_seed(),
            **settings,
        )
        with warnings.catch_warnings():
            # 60 epochs are the design
            warnings.simplefilter("ignore", ConvergenceWarning)
            is_right.append(network.fit(X, y).predict(X_test) == y_test)
    return np.packbits(is_right, axis=-1)


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments and their replications: seeds, initialisations only, and splits."""
    kinds = [
        ("seeds", {}, SEEDS),
        ("initialisation", {"order": "fixed"}, SEEDS // 2),
        ("splits", {"split": "random"}, SEEDS // 2),
    ]
    experiments = {}
    for i, dataset in enumerate(TRAINING):
        for j, (kind, options, replications) in enumerate(kinds):
            experiment = runner.Experiment(
                right,
                seed=SEED,
                parameters={"dataset": dataset, **options},
                stream=(i, j),
            )
            experiments[f"{dataset}_{kind}"] = experiment, replications
    return experiments


def plan_held_out() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments that had no part in the choice of the rule."""
    experiments = {}
    for i, dataset in enumerate(TRAINING):
        experiment = runner.Experiment(
            right,
            seed=SEED_HELD_OUT,
            parameters={"dataset": dataset, "networks": "held out"},
            stream=(i, 0),
        )
        experiments[f"{dataset}_held_out"] = experiment, SEEDS
    return experiments


def unpacked(
    bits: np.ndarray, dataset: str, networks: str = "first"
) -> dict[str, np.ndarray]:
    """Unpack arrays of seeds x test instances, by network."""
    _, _, _, y_test = data(dataset, SPLITS[networks])
    scores = np.unpackbits(bits, axis=-1, count=len(y_test))
    return {
        name: scores[:, i].astype(float) for i, name in enumerate(NETWORKS[networks])
    }
