"""Rates at which tests declare equivalence, or "not worse", when the truth lies on the margin.

    python tests/benchmarks/equivalence.py book/_static/equivalence.csv

writes the table that the guide shows.  Tango's test and the signed-rank test are
enumerated; the corrected t test is simulated on the thirty networks where one
classifier is better; the margin is each network's own true difference.
"""

import csv
import sys
from itertools import product
from pathlib import Path

import numpy as np
from scipy import special, stats

from companion.papers import networks
from companion.studies.since_the_papers import stored_differences
from replib.significance import corrected_resampled_t, signed_rank, tango

ALPHA = 0.05
COLUMNS = [
    "test",
    "level (%)",
    "truth on the margin for",
    "settings",
    "equivalent (%)",
    "not worse (%)",
]
#: Data sets that are drawn from each network.
DATASETS = 500

SHARES, MARGINS = np.arange(1, 9) / 20, (0.02, 0.05, 0.1, 0.15, 0.2)


def of_tango(n: int) -> np.ndarray:
    """Rates by margin and share of discordant items, shape (settings, 2)."""
    wins, losses = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)]).T
    counts, found = np.stack([wins, losses, n - wins - losses], axis=-1), []
    for margin in MARGINS:
        above = np.zeros((n + 1, n + 1), dtype=bool)
        above[wins, losses] = tango(wins, losses, n, shift=-margin).greater < ALPHA
        rejected = np.array([above & above.T, above])[:, wins, losses]
        for share in SHARES[margin - 1e-9 <= SHARES]:  # A is worse by the margin
            chance = (share - margin) / 2, (share + margin) / 2, 1 - share
            found.append(rejected @ stats.multinomial.pmf(counts, n, chance))
    return np.array(found)


def of_signed_rank(n: int) -> np.ndarray:
    """Rates by margin in standard deviations, for symmetric differences around the margin."""
    sizes = special.ndtri((n + np.arange(1, n + 1)) / (2 * n + 1))
    found = []
    for margin in (0.5, 1, 2, 8):
        x = sizes * np.array(list(product((-1, 1), repeat=n))) - margin
        above = signed_rank(x + margin, alternative="greater").pvalue < ALPHA
        below = signed_rank(x - margin, alternative="less").pvalue < ALPHA
        found.append([(above & below).mean(), above.mean()])
    return np.array(found)


def of_corrected_t(blocks: np.ndarray, alpha: float) -> np.ndarray:
    """Rates of one network from blocks of 10 x 10 differences; their mean is the truth."""
    result = corrected_resampled_t(blocks, test_train_ratio=1 / 9, axis=(-2, -1))
    margin, side = abs(blocks.mean()), np.sign(blocks.mean())
    z = np.stack([margin - side * result.estimate, margin + side * result.estimate])
    with np.errstate(
        divide="ignore", invalid="ignore"
    ):  # no variance: p is 0 or 1, or unknown
        below, above = stats.t.sf(z / result.standard_error, result.df) < alpha
    return np.array([(above & below).mean(), below.mean()])


def drawn(name: str, instances: int) -> np.ndarray:
    """Differences of two experiments on each of many data sets from a network."""
    counts = [
        stored_differences.differences(name, instances, i) for i in range(DATASETS)
    ]
    return np.stack(counts) / (instances / 10)


def row(test: str, on: str, rates: np.ndarray, alpha: float = ALPHA) -> list[str]:
    """Write rates, shape (settings, 2), as mean and range."""
    cells = [f"{x.mean():.1f} ({x.min():.1f} to {x.max():.1f})" for x in 100 * rates.T]
    return [test, f"{100 * alpha:g}", on, str(len(rates)), *cells]


def exact_rows() -> list[list[str]]:
    """Rows that are enumerated."""
    return [
        *(
            row(
                "Tango's score test",
                f"{n} items, by margin and discordant share",
                of_tango(n),
            )
            for n in (50, 200)
        ),
        *(
            row("shifted signed rank", f"{n} data sets, by margin", of_signed_rank(n))
            for n in (6, 8, 10, 12)
        ),
    ]


def main(file: Path) -> None:
    simulated = []
    for instances in (100, 300):
        blocks = [
            drawn(name, instances) for of in (2, 3, 4) for name in networks.names(of)
        ]
        simulated += [
            row(
                "corrected t, 10 × 10",
                f"networks, {instances} instances",
                np.array([of_corrected_t(one, alpha) for one in blocks]),
                alpha,
            )
            for alpha in (ALPHA, ALPHA / 2)
        ]
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(
            [COLUMNS, *simulated, *exact_rows()]
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
