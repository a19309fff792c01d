"""Would the page say the same again with another seed for its splits, or with other data?"""

import numpy as np
import pandas as pd
from tqdm import tqdm

from companion.papers.scikit_learn.fold_scores import corrected, scores
from replib import significance


def repeat(times: int, *, new_data: bool, seed: int = 2004) -> pd.DataFrame:
    """Repeat the comparison of the kernels rbf and linear.

    Parameters
    ----------
    times : int
        Repetitions, each with splits of its own.
    new_data : bool
        Whether each also has moons of its own; otherwise all use those of the page.
    seed : int

    Returns
    -------
    DataFrame
        One row per repetition: `difference` of the mean scores; `corrected` and
        `uncorrected`, two-sided p-values.
    """
    seeds = np.random.SeedSequence(seed, spawn_key=(int(new_data),)).generate_state(
        2 * times
    )
    rows = []
    for data_seed, splits_seed in tqdm(
        seeds.reshape(times, 2).tolist(), leave=False, disable=None
    ):
        found = scores(
            ("rbf", "linear"),
            data_seed=data_seed if new_data else 1,
            splits_seed=splits_seed,
        )
        x = (found["rbf"] - found["linear"]).to_numpy()
        rows.append(
            {
                "difference": x.mean(),
                "corrected": corrected(x).pvalue,
                "uncorrected": significance.paired_t(x).pvalue,
            }
        )
    return pd.DataFrame(rows)
