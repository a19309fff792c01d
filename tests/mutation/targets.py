"""Which modules are mutated, and the files of tests that ought to notice, the quickest first.

The module's own file, at its place under tests/, is the first unless another one is quicker; here
stands what is beyond it.  To each come the examples in its documentation, and what wrong arguments
of its public functions are answered (tests/test_bad_input.py).
"""

from pathlib import Path

_LIBRARY = Path(__file__).parents[2] / "replib"
_ELSEWHERE = {"book", "papers", "kernels"}

_COMPARISON = ["comparison/test_cross_checks", "comparison/test_wrong_inputs"]

_BEYOND = {
    "intervals": ["replicability/test_precision", "test_replication_probability"],
    "margins": ["test_adaptive", "comparison/test_agreement"],
    "replicability/estimators": ["replicability/test_precision"],
    "report": ["comparison/test_wrong_inputs"],
    "theory/distributions": ["theory/test_mcnemar"],
    "theory/rejection": ["theory/test_mcnemar"],
    "significance/counts": ["significance/test_all_tests"],
    "significance/ranks": ["significance/test_all_tests"],
    "significance/results": [
        "significance/test_all_tests", "significance/test_t", "significance/test_counts",
    ],
    "significance/samples": ["significance/test_ranks", "significance/test_t"],
    "significance/t": ["significance/test_all_tests"],
    "sources/bayesian_network": ["sources/test_flat_network"],
    "sources/flat_network": ["sources/test_bayesian_network"],
    "datasets/__init__": ["datasets/test_openml"],
    "datasets/arff_file": ["datasets/test_datasets"],
    "datasets/dataset": ["datasets/test_datasets"],
    "datasets/fingerprint": ["datasets/test_datasets"],
    "datasets/openml": ["datasets/test_datasets"],
    "experiments/designs": ["experiments/test_on_sources"],
    "experiments/engine": ["experiments/test_results", "experiments/test_engine"],
    "experiments/provenance": ["experiments/test_engine"],
    "experiments/splits": ["experiments/test_on_sources"],
    "comparison/benchmark": [*_COMPARISON, "test_report"],
    "comparison/command": ["comparison/test_wrong_inputs"],
    "comparison/design": ["comparison/test_two_classifiers", *_COMPARISON],
    "comparison/predictions": [*_COMPARISON, "test_report"],
    "comparison/result": [
        "comparison/test_words", "comparison/test_design", "comparison/test_tests_in_use",
        "comparison/test_command", *_COMPARISON, "test_report",
    ],
    "comparison/scores_file": ["comparison/test_wrong_inputs"],
    "comparison/tests_in_use": [*_COMPARISON, "test_report"],
    "comparison/two_classifiers": [
        "comparison/test_design", "comparison/test_command", *_COMPARISON,
    ],
    "comparison/words": ["comparison/test_command"],
    "learners/arrays": ["learners/test_scikit_learn_checks"],
    "learners/base": ["learners/test_scikit_learn_checks"],
    "learners/c45": ["learners/test_base"],
    "learners/cross_validation": ["learners/test_packed"],
    "learners/decision_stump": ["learners/test_base"],
    "learners/gaussian_naive_bayes": ["learners/test_scikit_learn_checks"],
    "learners/naive_bayes": ["learners/test_base", "learners/test_agreement_with_weka"],
    "learners/nearest_neighbour": ["learners/test_base", "learners/test_agreement_with_weka"],
    "learners/radial_svc": ["learners/test_scikit_learn_checks"],
    "learners/random_forest": ["learners/test_scikit_learn_checks"],
    "learners/scikit_learn": ["learners/test_scikit_learn_checks"],
    "learners/splits": ["learners/test_cross_validation", "learners/test_packed"],
    "learners/table": ["learners/test_base", "learners/test_cross_validation"],
    "learners/tree": ["learners/test_agreement_with_weka"],
}

#: Kernels have no files of their own: the learners that run them are tested.
_OF_KERNELS = {
    "bits": ["test_packed"],
    "c45": ["test_c45", "test_agreement_with_weka"],
    "forest": ["test_random_forest"],
    "packed_c45": ["test_packed"],
    "packed_naive_bayes": ["test_packed"],
    "radial_svm": ["test_radial_svc"],
}


def own_tests(module: str) -> str:
    """Of "datasets/openml" it is "datasets/test_openml"; a package as such goes by its name."""
    *package, name = module.split("/")
    if name == "__init__":
        name = package[-1] if package else "replib"
    return "/".join([*package, f"test_{name}"])


def _targets(modules: list[str]) -> dict[str, list[str]]:
    targets = {}
    for module in modules:
        own, others = own_tests(module), _BEYOND.get(module, [])
        files = others if own in others else [own, *others]
        targets[f"replib/{module}.py"] = [f"tests/{file}.py" for file in files]
    return targets


#: Without kernels, and without packages that only list their names.
MODULES_OF_FLOOR_1 = ["__init__", "datasets/__init__"] + sorted(
    file.relative_to(_LIBRARY).with_suffix("").as_posix()
    for file in _LIBRARY.rglob("[!_]*.py")
    if not _ELSEWHERE & {*file.relative_to(_LIBRARY).parts}
)

#: What these do shows only in other processes, which have the module as it is.
IN_OTHER_PROCESSES = {
    "replib/__main__.py", "replib/compiled.py", "replib/locks.py", "replib/workers.py",
}

FLOOR_1 = {
    module: tests for module, tests in _targets(MODULES_OF_FLOOR_1).items()
    if module not in IN_OTHER_PROCESSES
}

LEDGER = _targets([f"papers/ledger/{name}" for name in ("assess", "pooled", "verdicts")])

#: Compiled, and so anew for each mutant, which takes ten seconds: they have a sample of their own.
KERNELS = {
    f"replib/learners/kernels/{kernel}.py": [f"tests/learners/{file}.py" for file in files]
    for kernel, files in _OF_KERNELS.items()
}

TARGETS = LEDGER | FLOOR_1 | KERNELS
