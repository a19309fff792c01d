"""What an exact experiment of Berrar's first two studies cannot do without: prints.

    python -m pytest tests/benchmarks/test_floors.py -m benchmarks -s

An experiment draws normal numbers, multiplies matrices, takes exponentials in double precision for
the kernel that LIBSVM would store, and in single for decisions, and takes LIBSVM's steps.  Each is
timed alone, with data that stay in the processor's cache; matrix products count at the rate of
large ones, which is the highest.  What is left over is naive Bayes, standardising, copying, Python.
"""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from companion.lab.learners import radial_svc
from companion.lab.learners.kernels import radial_svm
from companion.papers.berrar2024 import over_data_sets, study_1, study_2

pytestmark = pytest.mark.benchmarks

GROUPS = {
    f"study {study.number}, group {group}": over_data_sets.experiment(study, group)
    for study, group in ((study_1.STUDY, 1), (study_1.STUDY, 11), (study_1.STUDY, 21),
                         (study_2.STUDY, 5))
}

def least(rounds_of, runs):
    """Milliseconds, the least of some rounds: what is in the way only makes them longer."""
    return {name: min(times) for name, times in rounds_of(runs, 9).items()}


def nanoseconds(rounds_of):
    """Nanoseconds of a draw, of a multiplication with its addition, and of two exponentials."""
    rng, square, block = np.random.default_rng(0), np.ones((2, 512, 512)), np.ones((16, 256))
    single = np.ones(block.shape, np.float32)

    def exponentials(function, x):
        x.fill(-1.0)
        for _ in range(100):
            function(x)
            np.negative(x, out=x)

    works = {
        "draw": (lambda: rng.standard_normal(100_000), 100_000),
        "product": (lambda: square[0] @ square[1], 512**3),
        "double": (lambda: exponentials(radial_svm.exponentiate, block), 100 * block.size),
        "single": (lambda: exponentials(radial_svm.exponentiate_single, single), 100 * block.size),
    }
    times = least(rounds_of, {name: work for name, (work, _) in works.items()})
    return {name: 1e6 * times[name] / size for name, (_, size) in works.items()}


@pytest.mark.parametrize("name", GROUPS)
def test_floor(name, rounds_of, monkeypatch):
    experiment, solved, judged = GROUPS[name], [], []

    def noting(function, calls):
        return lambda *given: (calls.append(given), function(*given))[1]

    with threadpool_limits(1):
        with monkeypatch.context() as patch:
            patch.setattr(radial_svc, "solve", noting(radial_svc.solve, solved))
            patch.setattr(radial_svc, "is_above", noting(radial_svc.is_above, judged))
            experiment.replication(0)
        cost = nanoseconds(rounds_of)
        took = least(rounds_of, {
            "whole": lambda: experiment.replication(0),
            "steps": lambda: [radial_svm.solve(*given) for given in solved],
        })
    parts = dict.fromkeys(("draws", "products", "exponentials"), 0.0) | {"steps": took["steps"]}
    for (_, sign, *_), (x, vectors, *_) in zip(solved, judged):
        pairs, decisions = len(sign) ** 2 / 2, len(x) * len(vectors)
        parts["draws"] += 1e-6 * cost["draw"] * (len(sign) + len(x)) * x.shape[1]
        parts["products"] += 1e-6 * cost["product"] * x.shape[1] * (
            pairs + decisions / 2  # in single precision two at a time
        )
        parts["exponentials"] += 1e-6 * (cost["double"] * pairs + cost["single"] * decisions)
    floor = sum(parts.values())
    print(
        f"\n{name:18} {took['whole']:6.1f} ms, at least {floor:5.1f}, "
        f"{took['whole'] / floor:.2f} times that: "
        + ", ".join(f"{part} {time:.1f}" for part, time in parts.items())
    )
