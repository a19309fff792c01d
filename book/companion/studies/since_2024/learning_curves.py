"""What SHARP speaks of: learners with two fifths of the data, which may rank otherwise."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.studies.since_2024 import experiments
from companion.studies.since_the_papers.experiments import pairs_of, truth

#: A size of the bench near the training sets of SHARP, 120 instances of 300.
SMALL = 100
#: What is compared: as many trainings each.
METHODS = ("corrected_t_30", "sharp_30")


def directions(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Count significant differences for the learner that is better, and for the worse one.

    A row per network of sources 2 to 4 and pair of learners: `crosses`, whether the
    order after training on `SMALL` instances is not that after training on all; and for
    each of `METHODS` the shares of experiments that find the better learner
    (``_better``) and the worse one (``_worse``), better and worse on all instances.
    """
    rows = []
    for result in results.values():
        parameters = result.experiment.parameters
        source, n = parameters["source"], parameters["instances"]
        if experiments.is_null(source):
            continue
        widths = result.counts.reshape(-1, *result.counts.shape[2:])
        at_all = np.sign(truth(source, n))
        at_small = np.sign(truth(source, SMALL))
        for place, pair in enumerate(list(pairs_of(source))[: experiments.PAIRS]):
            row = {
                "source": source,
                "pair": pair,
                "crosses": at_all[place] != at_small[place],
            }
            for method in METHODS:
                of_method = widths[:, place, list(experiments.METHODS).index(method)]
                is_found = np.abs(of_method) < 1000
                is_better = np.sign(of_method) == at_all[place]
                row[f"{method}_better"] = np.mean(is_found & is_better)
                row[f"{method}_worse"] = np.mean(is_found & ~is_better)
            rows.append(row)
    return pd.DataFrame(rows)
