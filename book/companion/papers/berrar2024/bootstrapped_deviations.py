"""The bootstrapped deviation s* of Berrar (2024): its printed values, and readings of it.

Algorithm 1 draws cases with replacement and retrains both classifiers.  Other readings
resample less, or more; here they start from the same stored experiments.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.experiments.runner import Replications
from companion.papers import published
from companion.papers.berrar2024 import (
    algorithms,
    over_data_sets,
    study_1,
    study_2,
)
from companion.papers.berrar2024.printed import signed_rank_z
from companion.papers.berrar2024.rows import SEED

#: By study, the groups whose s* is printed or follows from a printed p-value and
#: estimate.
SHOWN = {1: (study_1.GROUP, study_1.HIGHLIGHTED), 2: (study_2.HIGHLIGHTED,)}


def printed() -> dict[tuple[int, int], float]:
    """s* by study and group: printed, or what makes Equation 11 give the printed P at 5%."""
    value = lambda key: published.value(f"berrar2024.{key}")
    implied = lambda figure: (
        (special.ndtri(1 - value(f"{figure}.p") / 2) - special.ndtri(1 - 0.05 / 2))
        / special.ndtri(value(f"{figure}.P"))
    )
    return {
        (1, study_1.GROUP): value("g3.s"),
        (1, study_1.HIGHLIGHTED): float(implied("fig10")),
        (2, study_2.HIGHLIGHTED): float(implied("fig12")),
    }


def of_data_sets(one: Replications, *, samples: int = 300) -> np.ndarray:
    """s* of 50 experiments if whole data sets are drawn with replacement and nothing is trained.

    One number per experiment, which needs only the result of that experiment.
    """
    rng = np.random.default_rng(np.random.SeedSequence(SEED))
    counts = one.counts[:50].astype(int)
    sets = counts.shape[1]
    cases = one.experiment.parameters["start"] + 10 * np.arange(1, sets + 1)
    difference = (counts[..., 0] - counts[..., 1]) / cases
    drawn = rng.integers(sets, size=(len(difference), samples, sets))
    return _deviation(difference[np.arange(len(difference))[:, None, None], drawn])


def of_test_cases(
    one: Replications, *, experiments: int = 3, samples: int = 300
) -> np.ndarray:
    """s* of the first experiments if only test cases are resampled: nothing is retrained."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED))
    parameters, found = one.experiment.parameters, []
    for index in range(experiments):
        columns = []
        for train, (x, y) in algorithms._pairs_of(
            one.experiment.seed,
            (*one.experiment.stream, index),
            parameters["start"],
            parameters["datasets"],
        ):
            first, second = (
                (algorithms._learner(learner, rng).fit(*train).predict(x) == y).astype(
                    int
                )
                for learner in parameters["learners"]
            )
            # the numbers of cases that only A, or only B, gets right are multinomial in
            # a sample
            only = [(first > second).mean(), (second > first).mean()]
            n10, n01, _ = rng.multinomial(
                len(y), [*only, 1 - sum(only)], size=samples
            ).T
            columns.append((n10 - n01) / len(y))
        found.append(_deviation(np.column_stack(columns)))
    return np.array(found)


def _deviation(difference: np.ndarray) -> np.ndarray:
    return np.std(signed_rank_z(difference), axis=-1, ddof=1)


def readings(
    number: int,
    results: Mapping[str, Replications],
    *,
    tested: int = 3,
    samples: int = 300,
) -> pd.DataFrame:
    """s* by reading, next to the printed value, for the groups of a study that the paper shows.

    Columns `group`, `reading`, `experiments` (how many it is based on), `least`,
    `mean`, `greatest`, `printed`.  "replications" is not a bootstrap but what a
    bootstrap should estimate.
    """
    originals = over_data_sets.of_groups(results)
    bootstrapped = over_data_sets.deviations(over_data_sets.of_bootstraps(results))
    rows = []
    for group in SHOWN[number]:
        one, z = (
            originals[group],
            over_data_sets.outcomes({group: originals[group]})["z"],
        )
        found = {
            "Algorithm 1": bootstrapped.loc[
                bootstrapped["group"] == group, "s"
            ].to_numpy(),
            "test cases alone": of_test_cases(one, experiments=tested, samples=samples),
            "data sets": of_data_sets(one, samples=samples),
            "replications": np.array([z.std()]),
        }
        rows += [
            (
                group,
                reading,
                len(z) if reading == "replications" else len(s),
                s.min(),
                s.mean(),
                s.max(),
                printed()[number, group],
            )
            for reading, s in found.items()
        ]
    columns = [
        "group",
        "reading",
        "experiments",
        "least",
        "mean",
        "greatest",
        "printed",
    ]
    return pd.DataFrame(rows, columns=columns)
