"""The rules on data sets drawn from sources: simulated and stored results, and their summaries."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from companion.lab.experiments import runner
from companion.papers import networks
from companion.studies.adaptive_design import experiments, on_sources
from replib import adaptive, replicability

SETTING = {"instances": 40, "experiments": 5, "max_runs": 6, "min_runs": 2, "folds": 4}
LEVELS = {"fixed": [1, 6], "agreeing": [2], "curtailed": [0.9], "first_rejection": [1]}
DESIGNS = [(rule, level) for rule, values in LEVELS.items() for level in values]


def made_up_results(datasets=30):
    """Two sources of two networks each, with made-up differences."""
    results = {}
    for name in ("source1.0", "source1.1", "source3.0", "source3.4"):
        experiment = experiments.source_experiment(
            name, **SETTING, alpha=0.1, levels=LEVELS
        )
        rng = np.random.default_rng(experiment.stream)
        shift = 0.0 if name.startswith("source1") else 0.05
        blocks = rng.normal(shift, 0.1, (datasets, 5, 6, 4)) + rng.normal(
            0, 0.03, (datasets, 1, 1, 1)
        )
        counts = np.stack([experiments._outcomes(b, 0.1, 2, DESIGNS) for b in blocks])
        results[name] = runner.Replications(experiment, counts, {}), blocks
    return {k: r for k, (r, _) in results.items()}, {
        k: b for k, (_, b) in results.items()
    }


def test_outcomes_are_those_of_the_rules_on_the_simulated_blocks(monkeypatch):
    rng = np.random.default_rng(1)
    counts = rng.integers(4, 10, (5, 6, 4, 2))
    asked = {}
    monkeypatch.setattr(
        networks.experiments,
        "correct_counts",
        lambda rng, **k: asked.update(k) or counts,
    )
    found = experiments.source_outcomes(
        rng, source="source2.1", **SETTING, alpha=0.3, designs=DESIGNS
    )
    assert asked == {
        "source": "source2.1",
        "instances": 40,
        "experiments": 5,
        "runs": 6,
        "folds": 4,
        "learners": ("naive_bayes", "c45"),
    }
    blocks = (counts[..., 0] - counts[..., 1]) / 10
    assert found.shape == (3, 5, 5, 2)
    for t, test in enumerate(adaptive.TESTS):
        seen = adaptive.course(blocks, test=test, alpha=0.3)
        stops = [
            adaptive.stop(seen, level, rule=rule, min_runs=2)
            for rule, level in (
                ("fixed", 1),
                ("fixed", 6),
                ("agreeing", 2),
                ("curtailed", 0.9),
                ("first_rejection", 1),
            )
        ]
        for d, stopped in enumerate(stops):
            assert_array_equal(found[t, d, :, 0], stopped.runs)
            assert_array_equal(found[t, d, :, 1], stopped.decision)


def test_sources_by_plain_means():
    results, blocks = made_up_results()
    frame = on_sources.on_sources(results).set_index(
        ["source", "test", "rule", "level"]
    )
    assert sorted(set(frame.index.get_level_values("source"))) == [1, 3]
    together = np.concatenate([blocks["source3.0"], blocks["source3.4"]])
    seen = adaptive.course(together, test="corrected", alpha=0.1)
    rejects = adaptive.stop(seen, 0.9, rule="curtailed", min_runs=2).decision != 0
    row = frame.loc[(3, "corrected", "curtailed", 0.9)]
    assert_allclose(row["rejects"], 100 * rejects.mean())
    assert_allclose(row["rejects_error"], 100 * stats.sem(rejects.mean(axis=1)))
    r = replicability.r2(rejects)
    assert_allclose(
        [row["replicability"], row["standard_error"]],
        [2 * r.mean() - 1, 2 * stats.sem(r)],
    )
    longest = seen.decision[..., -1]
    assert_allclose(frame.loc[(3, "corrected", "fixed", 6), "as_all"], 100)
    change = on_sources.change_by_rule(results, "corrected", "curtailed", 0.9).loc[3]
    by_set = rejects.mean(axis=1) - (longest != 0).mean(axis=1)
    assert_allclose(
        change[["change", "change_error"]],
        [100 * by_set.mean(), 100 * stats.sem(by_set)],
    )


def test_greed_starts_at_one_run_and_ends_at_the_rule():
    results, _ = made_up_results()
    greed = on_sources.ever_rejected(results, 1).set_index(["test", "runs"])["rejects"]
    frame = on_sources.on_sources(results).set_index(
        ["source", "test", "rule", "level"]
    )["rejects"]
    for test in adaptive.TESTS:
        assert_allclose(greed[test, 1], frame[1, test, "fixed", 1])
        assert_allclose(greed[test, 6], frame[1, test, "first_rejection", 1])
        assert (greed[test].diff().dropna() >= 0).all()
        assert greed[test, 6] >= frame[1, test, "agreeing", 2]


def test_fixed_designs_that_disagree_alike():
    """Exact under the law of the border; NaN where the longest design is not enough."""
    fixed = pd.DataFrame({"rule": "fixed", "level": [1, 4, 50]})
    fixed = fixed.assign(disagree=30 / np.sqrt(fixed["level"]), runs=fixed["level"])
    ours = pd.DataFrame(
        {"rule": "curtailed", "level": 0.9, "disagree": [30 / np.sqrt(17)], "runs": 5}
    )
    good = ours.assign(disagree=1.0)
    frame = pd.concat(
        [
            fixed.assign(source=1),
            ours.assign(source=1),
            fixed.assign(source=2),
            good.assign(source=2),
        ]
    )
    found = on_sources.fixed_alike(frame, "curtailed", 0.9)
    assert_allclose(found["fixed_alike"], [17, np.nan])
    assert_allclose(found["runs"], 5)
    assert [on_sources.in_words(runs) for runs in found["fixed_alike"]] == [
        "17",
        "none",
    ]
