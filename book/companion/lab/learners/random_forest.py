"""Random forests, as in R's package randomForest."""

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from companion.lab.learners.arrays import ArrayClassifier
from companion.lab.learners.kernels.forest import count_votes, grow_forest, sort_columns


class RandomForest(ArrayClassifier):
    r"""Random forest classifier for two classes.

    Agrees in distribution with ``randomForest`` of R.  Each tree is grown on a
    bootstrap sample of the training rows, until all leaves are pure.  At each node
    Gini's criterion chooses a split among those of :math:`\lfloor\sqrt{d}\rfloor`
    features, drawn without replacement; if all of them are constant, the node stays a
    leaf.  The class with the most votes is predicted.  Ties of splits, of classes in a
    leaf and of votes are broken at random.

    Parameters
    ----------
    n_trees : int, default 10
        At least 1.
    random_state : int, SeedSequence, Generator or None, default None
        Seed, or source, of the random numbers; None draws a fresh seed.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    trees_ : Trees
        The nodes of all trees.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A fitted forest always predicts the same class for the same row: a tie of votes is broken at
    random, from a seed and the numbers of the row.  In R it is drawn again each time.

    R's default is 500 trees.

    References
    ----------
    L. Breiman. Random forests. Machine Learning 45:5-32, 2001.

    A. Liaw and M. Wiener. Classification and regression by randomForest. R News
    2(3):18-22, 2002.

    Examples
    --------
    >>> X = np.arange(20.0)[:, None]
    >>> learner = RandomForest(random_state=1).fit(X, X[:, 0] > 9)
    >>> learner.predict([[2.0], [17.0]]).tolist()
    [False, True]
    >>> learner.predict_proba([[2.0]]).tolist()
    [[1.0, 0.0]]
    """

    def __init__(
        self,
        n_trees: int = 10,
        *,
        random_state: int | np.random.Generator | None = None,
    ):
        self.n_trees = n_trees
        self.random_state = random_state

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the share of the trees that vote for each class.

        Parameters
        ----------
        X : array_like of float, shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of `classes_`; rows sum to 1.

        Raises
        ------
        ValueError
            If the shape differs from that in training, or a value is missing or
            infinite.
        """
        X = self._checked(X)
        votes = count_votes(self.trees_, X, np.arange(len(X)))
        return votes[:, : len(self.classes_)] / self.n_trees

    def count_correct_of_folds(
        self, X: np.ndarray, labels: np.ndarray, test_folds: np.ndarray
    ) -> np.ndarray:
        columns = sort_columns(X)
        rng = np.random.default_rng(self.random_state)
        correct = []
        for fold in range(test_folds.max() + 1):
            test = np.flatnonzero(test_folds == fold)
            train = np.flatnonzero(test_folds != fold)
            self._grow(columns, labels, train, rng)
            is_correct = self._elected(X, test) == labels[test]
            correct.append(np.count_nonzero(is_correct))
        return np.array(correct)

    def _learn(self, X: np.ndarray, labels: np.ndarray) -> None:
        if not isinstance(self.n_trees, Integral) or self.n_trees < 1:
            raise ValueError(
                f"n_trees must be a whole number of at least 1, not {self.n_trees!r}"
            )
        rng = np.random.default_rng(self.random_state)
        self._grow(sort_columns(X), labels, np.arange(len(X)), rng)

    def _grow(self, columns, labels, rows, rng) -> None:
        n_tried = int(np.sqrt(columns.shape[1]))
        self.trees_ = grow_forest(columns, labels, rows, self.n_trees, n_tried, rng)
        self._key = int(rng.integers(2**63))

    def _labels(self, X: np.ndarray) -> np.ndarray:
        return self._elected(X, np.arange(len(X)))

    def _elected(self, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
        votes = count_votes(self.trees_, X, rows)
        elected = votes.argmax(axis=1)
        tied = np.flatnonzero(votes[:, 0] == votes[:, 1])
        elected[tied] = _lots(X[rows[tied]], self._key) % np.uint64(2)
        return elected


def _lots(X: np.ndarray, key: int) -> np.ndarray:
    """Return a random word per row, always the same for the same numbers and key."""
    X = np.ascontiguousarray(X + 0.0)  # turns -0.0 into 0.0
    column_keys = np.arange(X.shape[1], dtype=np.uint64) + np.uint64(key)
    words = X.view(np.uint64) + _mixed(column_keys)
    return _mixed(np.bitwise_xor.reduce(_mixed(words), axis=1))


def _mixed(words: np.ndarray) -> np.ndarray:
    """Apply the step of the generator SplitMix64, which sends close words far apart."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
