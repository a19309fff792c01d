"""Speed of Berrar's four studies, in ours and in plain scikit-learn: prints.

    python -m pytest tests/benchmarks/test_studies_speed.py -m benchmarks -s
"""

from time import process_time

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from companion.lab.experiments.engine import Experiment
from companion.papers.berrar2024 import (
    algorithms,
    over_data_sets,
    study_1,
    study_2,
    study_3,
    study_4,
)

pytestmark = pytest.mark.benchmarks


class PlainSVC:
    """What the same comparison costs with scikit-learn's own classes."""

    def __new__(cls):
        return make_pipeline(StandardScaler(), SVC())


PLAIN = {
    algorithms.NAIVE_BAYES[0]: GaussianNB, algorithms.SVM[0]: PlainSVC,
    algorithms.forest(10)[0]: lambda n_trees: RandomForestClassifier(n_estimators=n_trees),
}

EXPERIMENTS = {
    "study 1, group 1": over_data_sets.experiment(study_1.STUDY, 1),
    "study 1, group 11": over_data_sets.experiment(study_1.STUDY, 11),
    "study 1, group 21": over_data_sets.experiment(study_1.STUDY, 21),
    "study 2, group 5": over_data_sets.experiment(study_2.STUDY, 5),
    "study 3": next(iter(study_3.plan().values()))[0],
    "study 4, 15 features": study_4.plan((15,))["features_15"][0],
    "study 4, 500 trees": study_4.plan((15,), trees=study_4.DEFAULT_TREES)["features_15"][0],
}


def cpu_seconds(experiment: Experiment, replications: int) -> float:
    experiment.replication(0)
    start = process_time()
    for index in range(replications):
        experiment.replication(index)
    return (process_time() - start) / replications


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_seconds_per_replication(name, monkeypatch):
    experiment = EXPERIMENTS[name]
    with threadpool_limits(1):
        ours = cpu_seconds(experiment, 5)
        monkeypatch.setattr(
            algorithms, "_learner", lambda learner, rng: PLAIN[learner[0]](**learner[1])
        )
        plain = cpu_seconds(experiment, 1)
    print(f"\n{name:22} {ours:7.3f} s a replication, plain scikit-learn {plain:7.3f} s "
          f"({plain / ours:.1f} times)")
