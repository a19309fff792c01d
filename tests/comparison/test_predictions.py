"""Two classifiers on one test set: every number of the comparison from the four counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replib import replication_probability
from replib.comparison.predictions import PredictionComparison, compare_counts

counts = st.integers(0, 40)


@pytest.mark.slow
@given(wins=counts, losses=counts, draws=st.integers(1, 100), alpha=st.sampled_from([0.01, 0.2]))
def test_numbers_of_four_counts(wins, losses, draws, alpha):
    found = compare_counts(wins, losses, draws, names=("A", "B"), alpha=alpha)
    n = wins + losses + draws
    pvalue = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert (found.n, found.estimate) == (n, (wins - losses) / n)
    assert found.pvalue == pytest.approx(pvalue, rel=1e-9)
    assert found.decision == (np.sign(wins - losses) if pvalue < alpha else 0)

    # Agresti and Min: half an instance more of each kind, then Wald
    p, q = (wins + 0.5) / (n + 2), (losses + 0.5) / (n + 2)
    error = np.sqrt((p + q - (p - q) ** 2) / (n + 2))
    interval = p - q + stats.norm.ppf([0.05, 0.95]) * error
    assert tuple(found.confidence_interval(0.9)) == pytest.approx(np.clip(interval, -1, 1))

    again = found.replication_probability()
    if wins + losses == 0:
        assert again is None
    else:
        most = max(wins, losses)
        assert again == replication_probability.binomial(most, wins + losses, alpha=alpha)


@given(wins=counts, losses=counts)
def test_the_sentence_names_the_one_that_was_ahead(wins, losses):
    said = compare_counts(wins, losses, 50, names=("A", "B")).sentence()
    if wins == losses == 0:
        assert said == "A and B were right and wrong on the same 50 instances."
    else:
        ahead, behind = ("A", "B") if wins >= losses else ("B", "A")
        most, fewest = max(wins, losses), min(wins, losses)
        assert said.startswith(f"On {wins + losses + 50} test instances {ahead} was ")
        assert f"only {ahead} was right on {most}, only {behind} on {fewest} (" in said


def test_the_interval_of_two_accuracies_covers():
    """Exactly, over all outcomes of 40 instances; Wald's does not."""
    n = 40
    wins, losses = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    possible = wins + losses <= n
    covered = {}
    for p10, p01 in ((0.05, 0.02), (0.1, 0.1), (0.3, 0.1), (0.02, 0.02), (0.4, 0.05)):
        probability = stats.multinomial.pmf(
            np.stack([wins, losses, n - wins - losses], -1)[possible], n, [p10, p01, 1 - p10 - p01]
        )
        held = [
            low <= p10 - p01 <= high for low, high in (
                PredictionComparison(("A", "B"), int(w), int(v), int(n - w - v), 0)
                .confidence_interval(0.95) for w, v in zip(wins[possible], losses[possible])
            )
        ]
        covered[p10, p01] = probability @ held
    assert min(covered.values()) > 0.94, covered
