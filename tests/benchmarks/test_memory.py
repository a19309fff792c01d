"""Memory of whole programs, from start to end: see conftest.py."""

import sys

import pytest

pytestmark = pytest.mark.benchmarks

SCORES = "import numpy as np; a, b = np.random.default_rng(0).normal(0.9, 0.03, (2, 100))"
ONE_TEST = {
    "replib": "import replib.comparison as r; r.compare_scores(a, b, cv='10x10').pvalue",
    "numpy": "",
    "scipy": "from scipy import stats; stats.ttest_rel(a, b)",
    "baycomp": "import baycomp; baycomp.two_on_single(a, b, runs=10)",
    "mlxtend": "from mlxtend.evaluate import mcnemar; mcnemar(np.array([[50, 9], [3, 10]]))",
    "statsmodels": "import statsmodels.api as sm; sm.OLS(a - b, np.ones(100)).fit().pvalues",
}
TABLE = """
import numpy as np
rng = np.random.default_rng(1)
X, y = rng.normal(size=(10_000, 10)), rng.integers(2, size=10_000)
folds = rng.permutation(len(y)) % 10
"""
TREES = {
    "replib": """
from companion.lab.learners import C45, Table, correct_counts
correct_counts(Table.from_frame(X, y), folds, learners=[C45(prune=False)])
""",
    "scikit-learn": """
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.tree import DecisionTreeClassifier
tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
cross_val_predict(tree, X, y, cv=PredefinedSplit(folds))
""",
}


@pytest.mark.parametrize(("work", "start", "programs"), [
    ("whole program: one test of 100 differences", SCORES, ONE_TEST),
    ("whole program: 10-fold cross-validation of an unpruned tree, 10,000 × 10 numeric",
     TABLE, TREES),
])
def test_a_whole_program(run_program, whole, work, start, programs):
    """The lesser of two times, because the first time it may compile."""
    found = {
        name: min(run_program([sys.executable, "-c", f"{start}\n{code}"])[1] for _ in range(2))
        for name, code in programs.items()
    }
    whole(work, found.pop("replib"), found)
