"""Which modules are mutated, and the tests that ought to notice: files, the quickest first, and
which of their tests by name (as for `pytest -k`)."""

_WRONG = "tests/test_bad_input.py"


def _package(
    package: str, tests: dict[str, list[str]], wrong: str | None = None
) -> dict[str, tuple[list[str], str]]:
    """Modules of a package and the files, in the folder of tests of its name, that are theirs.

    `wrong` selects what wrong arguments of its functions are answered.
    """
    others = f"not test_bad_input or {wrong}"
    return {
        f"replib/{package}/{module}.py": (
            [file if "/" in file else f"tests/{package}/{file}.py" for file in files]
            + [_WRONG] * bool(wrong),
            others if wrong else "",
        )
        for module, files in tests.items()
    }


def _module(module: str, tests: list[str], wrong: str) -> dict[str, tuple[list[str], str]]:
    return {f"replib/{module}.py": ([*tests, _WRONG], f"not test_bad_input or {wrong}")}


LEDGER = _package("papers/ledger", {
    "assess": ["test_assess"], "pooled": ["test_pooled"], "verdicts": ["test_verdicts"],
})

THEORY = _package("theory", {
    "distributions": ["test_mcnemar"],
    "mcnemar": ["test_mcnemar"],
    "rejection": ["test_mcnemar"],
    "limits": ["test_limits"],
    "designs": ["test_designs"],
    "order_statistics": ["test_order_statistics"],
    "dependence": ["test_dependence"],
}, wrong="theory")

_SIGNIFICANCE = ["test_counts", "test_ranks", "test_t", "test_results"]
_COMPARISON = ["test_cross_checks", "test_wrong_inputs"]

FLOOR_1 = (
    THEORY
    | _module("__init__", ["tests/test_replicability.py"], "replicability")
    | _module("schemes", ["tests/test_schemes.py"], "schemes")
    | _module("replication_probability", ["tests/test_replication_probability.py"],
              "replication_probability")
    | _module("intervals", ["tests/test_replication_probability.py", "tests/test_replicability.py"],
              "intervals or replication_probability or replicability")
    | _module("multiple_comparisons", ["tests/test_multiple_comparisons.py"],
              "multiple_comparisons")
    | _module("margins", ["tests/test_margins.py", "tests/test_adaptive.py",
                          "tests/comparison/test_agreement.py"], "margins or adaptive")
    | _module("adaptive", ["tests/test_adaptive.py"], "adaptive")
    | _module("checks", ["tests/significance/test_counts.py"],
              "significance or theory or replicability or schemes or sources or splits")
    | _package("replicability", {
        "estimators": ["tests/test_replicability.py"],
        "precision": ["tests/test_replicability.py"],
    }, wrong="replicability")
    | _package("significance", {
        "counts": ["test_counts", "test_results"], "ranks": ["test_ranks", "test_results"],
        "results": ["test_results", "test_t", "test_counts"],
        "samples": _SIGNIFICANCE, "t": ["test_t", "test_results"],
    }, wrong="significance")
    | _package("sources", {
        "bayesian_network": ["test_sources"], "flat_network": ["test_sources"],
        "gaussian": ["test_sources"], "random_networks": ["test_sources"],
        "task_1": ["test_task_1"],
    }, wrong="sources")
    | _package("datasets", {
        "__init__": ["test_datasets"], "arff_file": ["test_datasets"],
        "dataset": ["test_datasets"], "fingerprint": ["test_datasets"],
    }, wrong="datasets")
    | _package("experiments", {
        "designs": ["test_on_sources"],
        "engine": ["test_engine", "test_results"],
        "on_datasets": ["test_on_datasets", "tests/papers/test_uci.py"],
        "on_sources": ["test_on_sources"],
        "provenance": ["test_provenance", "test_engine"],
        "results": ["test_results"],
        "splits": ["test_splits", "test_on_sources"],
    }, wrong="experiments")
    | _package("comparison", {
        "agreement": ["test_agreement"],
        "benchmark": _COMPARISON, "design": _COMPARISON, "predictions": _COMPARISON,
        "result": _COMPARISON, "scores_file": ["test_scores_file", "test_wrong_inputs"],
        "tests_in_use": _COMPARISON, "two_classifiers": _COMPARISON,
        "words": _COMPARISON, "command": ["test_wrong_inputs"],
    }, wrong="comparison")
    | _module("report", ["tests/comparison/test_cross_checks.py"], "report or comparison")
    | _package("learners", {
        "arrays": ["test_gaussian_naive_bayes", "test_radial_svc", "test_scikit_learn_checks"],
        "base": ["test_base", "test_scikit_learn_checks"],
        "c45": ["test_c45", "test_base"],
        "cross_validation": ["test_cross_validation", "test_packed"],
        "decision_stump": ["test_tan_and_stump", "test_base"],
        "gaussian_naive_bayes": ["test_gaussian_naive_bayes", "test_scikit_learn_checks"],
        "naive_bayes": ["test_naive_bayes", "test_agreement_with_weka", "test_base"],
        "nearest_neighbour": ["test_nearest_neighbour", "test_agreement_with_weka", "test_base"],
        "packed": ["test_packed"],
        "radial_svc": ["test_radial_svc", "test_scikit_learn_checks"],
        "random_forest": ["test_random_forest", "test_scikit_learn_checks"],
        "scikit_learn": ["test_scikit_learn", "test_tan_and_stump", "test_scikit_learn_checks"],
        "splits": ["test_cross_validation", "test_packed"],
        "table": ["test_base", "test_cross_validation", "test_tan_and_stump"],
        "tan": ["test_tan_and_stump"],
        "tree": ["test_tree", "test_agreement_with_weka"],
    }, wrong="learners")
    | {
        f"replib/learners/kernels/{module}.py": ([f"tests/learners/{one}.py" for one in files], "")
        for module, files in {
            "bits": ["test_packed"],
            "c45": ["test_c45", "test_agreement_with_weka"],
            "forest": ["test_random_forest"],
            "packed_c45": ["test_packed"],
            "packed_naive_bayes": ["test_packed"],
            "radial_svm": ["test_radial_svc"],
        }.items()
    }
)

#: The rest of floor 1: what these do shows only in other processes, which have the module as it is.
IN_OTHER_PROCESSES = {"replib/__main__.py", "replib/compiled.py", "replib/locks.py"}

TARGETS = LEDGER | FLOOR_1
