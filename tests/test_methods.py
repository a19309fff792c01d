"""Designs: their decisions and p-values by hand, on the splits that they need."""

import numpy as np
import pytest
from designs_by_hand import decided_by_hand
from scipy import stats

from companion.lab.experiments.splits import size_of_test_set
from replib import CV, RandomSplits, methods

#: Runs and folds of the blocks of each kind of splits.
SHAPES = {
    "cross_validation": (6, 5),
    "five_by_two_cv": (5, 2),
    "random_10": (100, 1),
    "random_33": (10, 1),
}


@pytest.mark.parametrize("name", methods.METHODS)
def test_decisions_and_p_values_are_those_by_hand(name):
    """Differences of few instances: ties, zeros and samples without variance occur."""
    design, rng = methods.METHODS[name], np.random.default_rng(3)
    shape = SHAPES[design.splits]
    wins = rng.integers(-2, 3, (60, *shape)) + rng.integers(-2, 3, (60, 1, 1))
    wins[:3] = np.reshape([-1, 0, 1], (3, 1, 1))
    blocks, alpha = wins / 43, 0.1
    expected = [decided_by_hand(name, block[: design.runs], alpha) for block in blocks]
    assert set(expected) == {-1, 0, 1}
    assert methods.decide(blocks, method=name, alpha=alpha).tolist() == expected
    rejected = methods.pvalues(blocks, method=name) < alpha
    assert rejected.tolist() == [decision != 0 for decision in expected]


@pytest.mark.parametrize(
    "name", [name for name, one in methods.METHODS.items() if one.runs]
)
def test_runs_beyond_those_needed_are_not_looked_at(name):
    design = methods.METHODS[name]
    block = np.random.default_rng(4).normal(0.02, 0.04, SHAPES[design.splits])[
        : design.runs
    ]
    more = np.concatenate([block, np.full((3, block.shape[1]), 9.0)])
    assert methods.pvalues(more, method=name) == methods.pvalues(block, method=name)


def test_the_number_of_random_splits_is_in_the_name_or_ten():
    runs = {
        name: one.runs
        for name, one in methods.METHODS.items()
        if "random" in one.splits
    }
    in_name = {
        name: name.rpartition("resampled_")[2] for name in runs if "resampled" in name
    }
    assert (
        runs == {name: int(in_name.get(name, 10)) for name in runs}
        and len(in_name) == 2
    )


def test_a_test_on_the_folds_of_one_run_needs_one_run():
    of_one = {
        name: one.runs
        for name, one in methods.METHODS.items()
        if one.scheme == "k_fold"
    }
    assert set(of_one.values()) == {1}
    others = [
        one for one in methods.METHODS.values() if one.splits == "cross_validation"
    ]
    assert sum(one.runs is None for one in others) == len(others) - len(of_one)


def test_shares_of_test_instances_are_those_of_the_random_splits():
    for percent in methods.TEST_PERCENT.values():
        assert size_of_test_set(100, percent / 100) == percent
    kinds = {design.splits for design in methods.METHODS.values()}
    assert kinds == {"cross_validation", "five_by_two_cv", *methods.TEST_PERCENT}


@pytest.mark.parametrize(
    "design, examined",
    [
        (CV(10, 10), True),
        (CV(10, 10, groups=True), False),
        (CV(9, 10), False),
        (RandomSplits(100, 0.1), True),
        (RandomSplits(100, 0.1, groups=True), False),
        (RandomSplits(100, 0.2), False),
        (RandomSplits(99, 0.1), False),
    ],
)
def test_evidence_is_for_the_splits_on_which_it_was_measured(design, examined):
    block = np.random.default_rng(5).normal(0.02, 0.04, design.shape)
    said = methods.in_use(block, design=design, alpha=0.05)["evidence"].iloc[0]
    assert said.startswith("Type I error" if examined else "not examined")
    other = methods.in_use(block, design=design, alpha=0.01)["evidence"]
    assert other.str.startswith("not examined").all()


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_a_level_is_held_if_the_limits_say_so(alpha):
    # by hand: Student's t with 9 degrees of freedom
    reach = stats.t.ppf(0.975, 9) * 0.001
    limit = 1.5 * alpha
    for rate, answer in (
        (limit - reach - 1e-9, "held"),
        (limit - reach + 1e-9, "not settled"),
        (limit + reach - 1e-9, "not settled"),
        (limit + reach + 1e-9, "not held"),
    ):
        said = methods.level_held(
            rate, standard_error=0.001, populations=10, alpha=alpha
        )
        assert said == answer


def test_one_population_settles_nothing():
    rates = [0.0, 1.0]
    said = methods.level_held(rates, standard_error=0, populations=1)
    assert said.tolist() == ["not settled"] * 2
    said = methods.level_held(rates, standard_error=0, populations=2)
    assert said.tolist() == ["held", "not held"]


def test_evidence_is_judged_by_the_error_between_networks():
    evidence = methods.find("corrected_repeated_cv").evidence
    assert evidence.level == "held"
    assert evidence._replace(type_1_error_deviation=0.1).level == "not settled"
    assert evidence._replace(type_1_error=0.2).level == "not held"


def test_what_is_about_these_models_has_a_star():
    table = methods.decision_table()
    for fear in table.columns:
        for trainings, cell in table[fear].items():
            designs = methods.recommended(fear, trainings)
            assert cell == " or ".join(design.describe() for design in designs)
            for design in designs:
                is_starred = design.describe().endswith("*")
                assert is_starred == (design.about == "these models")


def test_the_table_of_designs_lists_those_of_the_decision_table():
    listed = methods.design_table()
    assert listed["trainings"].is_monotonic_increasing
    named = {
        design.label
        for fear in methods.decision_table().columns
        for trainings in methods.decision_table().index
        for design in methods.recommended(fear, trainings)
    }
    assert set(listed.index) == named
    assert len(methods.design_table(every=True)) == len(methods.DESIGNS)


def test_what_the_table_does_not_have_is_refused():
    with pytest.raises(ValueError, match="one of 1, 10, 20, 100 and 300"):
        methods.recommended("a false alarm", 30)
    with pytest.raises(ValueError, match="fear"):
        methods.recommended("rain", 10)
