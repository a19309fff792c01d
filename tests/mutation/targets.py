"""Which modules are mutated, and the files of tests that ought to notice, the quickest first.

To each come the examples in its documentation, and what wrong arguments of its public functions are
answered (tests/test_bad_input.py).
"""

from os.path import normpath


def _package(package: str, tests: dict[str, list[str]]) -> dict[str, list[str]]:
    """Modules of a package and the files that are theirs, in the folder of tests of its name."""
    return {
        f"replib/{package}/{module}.py": [
            normpath(f"tests/{package}/{file}.py") for file in files
        ]
        for module, files in tests.items()
    }


LEDGER = _package("papers/ledger", {
    "assess": ["test_assess"], "pooled": ["test_pooled"], "verdicts": ["test_verdicts"],
})

_COMPARISON = ["test_cross_checks", "test_wrong_inputs"]

FLOOR_1 = {
    "replib/__init__.py": ["tests/test_replib.py"],
    "replib/adaptive.py": ["tests/test_adaptive.py"],
    "replib/checks.py": ["tests/test_checks.py"],
    "replib/intervals.py": [
        "tests/test_intervals.py", "tests/replicability/test_precision.py",
        "tests/test_replication_probability.py",
    ],
    "replib/margins.py": [
        "tests/test_margins.py", "tests/test_adaptive.py", "tests/comparison/test_agreement.py",
    ],
    "replib/multiple_comparisons.py": ["tests/test_multiple_comparisons.py"],
    "replib/replication_probability.py": ["tests/test_replication_probability.py"],
    "replib/replicability/estimators.py": [
        "tests/replicability/test_estimators.py", "tests/replicability/test_precision.py",
    ],
    "replib/replicability/precision.py": ["tests/replicability/test_precision.py"],
    "replib/report.py": [
        "tests/test_report.py", "tests/comparison/test_wrong_inputs.py",
    ],
    "replib/schemes.py": ["tests/test_schemes.py"],
} | _package("theory", {
    "dependence": ["test_dependence"],
    "designs": ["test_designs"],
    "distributions": ["test_distributions", "test_mcnemar"],
    "limits": ["test_limits"],
    "mcnemar": ["test_mcnemar"],
    "order_statistics": ["test_order_statistics"],
    "rejection": ["test_rejection", "test_mcnemar"],
}) | _package("significance", {
    "counts": ["test_counts", "test_all_tests"],
    "ranks": ["test_ranks", "test_all_tests"],
    "results": ["test_results", "test_all_tests", "test_t", "test_counts"],
    "samples": ["test_samples", "test_ranks", "test_t"],
    "t": ["test_t", "test_all_tests"],
}) | _package("sources", {
    "bayesian_network": ["test_bayesian_network", "test_flat_network"],
    "flat_network": ["test_flat_network", "test_bayesian_network"],
    "gaussian": ["test_gaussian"],
    "random_networks": ["test_random_networks"],
    "task_1": ["test_task_1"],
}) | _package("datasets", {
    "__init__": ["test_datasets", "test_openml"],
    "arff_file": ["test_arff_file", "test_datasets"],
    "dataset": ["test_dataset", "test_datasets"],
    "fingerprint": ["test_fingerprint", "test_datasets"],
    "openml": ["test_openml", "test_datasets"],
}) | _package("experiments", {
    "designs": ["test_designs", "test_on_sources"],
    "engine": ["test_results", "test_engine"],
    "on_datasets": ["test_on_datasets"],
    "on_sources": ["test_on_sources"],
    "provenance": ["test_provenance", "test_engine"],
    "results": ["test_results"],
    "splits": ["test_splits", "test_on_sources"],
}) | _package("comparison", {
    "agreement": ["test_agreement"],
    "benchmark": ["test_benchmark", *_COMPARISON, "../test_report"],
    "command": ["test_command", "test_wrong_inputs"],
    "design": ["test_design", "test_two_classifiers", *_COMPARISON],
    "predictions": ["test_predictions", *_COMPARISON, "../test_report"],
    "result": ["test_result", "test_words", *_COMPARISON, "test_command", "../test_report"],
    "scores_file": ["test_scores_file", "test_wrong_inputs"],
    "tests_in_use": ["test_tests_in_use", *_COMPARISON, "../test_report"],
    "two_classifiers": ["test_two_classifiers", "test_command", *_COMPARISON],
    "words": ["test_words", "test_command"],
}) | _package("learners", {
    "arrays": ["test_arrays", "test_scikit_learn_checks"],
    "base": ["test_base", "test_scikit_learn_checks"],
    "c45": ["test_c45", "test_base"],
    "cross_validation": ["test_cross_validation", "test_packed"],
    "decision_stump": ["test_decision_stump", "test_base"],
    "gaussian_naive_bayes": ["test_gaussian_naive_bayes", "test_scikit_learn_checks"],
    "naive_bayes": ["test_naive_bayes", "test_base", "test_agreement_with_weka"],
    "nearest_neighbour": ["test_nearest_neighbour", "test_base", "test_agreement_with_weka"],
    "packed": ["test_packed"],
    "radial_svc": ["test_radial_svc", "test_scikit_learn_checks"],
    "random_forest": ["test_random_forest", "test_scikit_learn_checks"],
    "scikit_learn": ["test_scikit_learn", "test_scikit_learn_checks"],
    "splits": ["test_splits", "test_cross_validation", "test_packed"],
    "table": ["test_table", "test_base", "test_cross_validation"],
    "tan": ["test_tan"],
    "tree": ["test_tree", "test_agreement_with_weka"],
})

#: Compiled, and so anew for each mutant, which takes ten seconds: they have a sample of their own.
KERNELS = _package("learners/kernels", {
    "bits": ["../test_packed"],
    "c45": ["../test_c45", "../test_agreement_with_weka"],
    "forest": ["../test_random_forest"],
    "packed_c45": ["../test_packed"],
    "packed_naive_bayes": ["../test_packed"],
    "radial_svm": ["../test_radial_svc"],
})

#: The rest of floor 1: what these do shows only in other processes, which have the module as it is.
IN_OTHER_PROCESSES = {"replib/__main__.py", "replib/compiled.py", "replib/locks.py"}

TARGETS = LEDGER | FLOOR_1 | KERNELS
