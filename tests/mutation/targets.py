"""Which modules are mutated, and the files of tests that ought to notice, the quickest first.

The module's own file, at its place under tests/, is the first unless another one is quicker; here
stands what is beyond it.  To each come the examples in its documentation, and what wrong arguments
of its public functions are answered (tests/test_bad_input.py).
"""

from pathlib import Path

_ROOT = Path(__file__).parents[2]

_COMPARISON = ["comparison/test_cross_checks", "comparison/test_wrong_inputs"]

_BEYOND = {
    "intervals": ["replicability/test_precision", "test_replication_probability"],
    "margins": ["test_adaptive", "comparison/test_agreement"],
    "replicability/estimators": ["replicability/test_precision"],
    "comparison/report": ["comparison/test_wrong_inputs"],
    "theory/distributions": ["theory/test_mcnemar"],
    "theory/rejection": ["theory/test_mcnemar"],
    "significance/counts": ["significance/test_all_tests"],
    "significance/ranks": ["significance/test_all_tests"],
    "significance/results": [
        "significance/test_all_tests", "significance/test_t", "significance/test_counts",
    ],
    "significance/samples": ["significance/test_ranks", "significance/test_t"],
    "significance/t": ["significance/test_all_tests"],
    "comparison/benchmark": [*_COMPARISON, "comparison/test_report"],
    "comparison/command": ["comparison/test_wrong_inputs"],
    "comparison/design": ["comparison/test_classifiers", *_COMPARISON],
    "comparison/items": ["comparison/test_metrics"],
    "comparison/many_classifiers": ["comparison/test_report"],
    "comparison/pictures": ["comparison/test_report"],
    "comparison/predictions": [*_COMPARISON, "comparison/test_report"],
    "comparison/result": [
        "comparison/test_words", "comparison/test_design", "comparison/test_tests_in_use",
        "comparison/test_command", *_COMPARISON, "comparison/test_report",
    ],
    "comparison/scores_file": ["comparison/test_wrong_inputs", "comparison/test_output"],
    "comparison/tests_in_use": [*_COMPARISON, "comparison/test_report"],
    "comparison/words": ["comparison/test_command", "comparison/test_report"],
}

_OF_THE_LABORATORY = {
    "sources/bayesian_network": ["sources/test_flat_network"],
    "sources/flat_network": ["sources/test_bayesian_network"],
    "datasets/__init__": ["datasets/test_openml"],
    "datasets/arff_file": ["datasets/test_datasets"],
    "datasets/dataset": ["datasets/test_datasets"],
    "datasets/fingerprint": ["datasets/test_datasets"],
    "datasets/openml": ["datasets/test_datasets"],
    "experiments/engine": ["experiments/test_results", "experiments/test_engine"],
    "experiments/provenance": ["experiments/test_engine"],
    "experiments/splits": ["experiments/test_on_sources"],
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
    "split_predictions": ["../../papers/topics/test_since_the_papers"],
    "packed_naive_bayes": ["test_packed"],
    "radial_svm": ["test_radial_svc"],
}


def own_tests(module: str) -> str:
    """Of "companion/lab/datasets/openml" it is "companion/lab/datasets/test_openml"; a package as
    such goes by its name."""
    if module == "comparison/rules" or module.startswith("comparison/gate/"):
        return "comparison/test_gate"  # one table, and all that applies it
    *package, name = module.split("/")
    if name == "__init__":
        name = package[-1] if package else "replib"
    return "/".join([*package, f"test_{name}"])


def _file(module: str) -> str:
    return f"{'book' if module.startswith('companion/') else 'replib'}/{module}.py"


def _beyond(module: str) -> list[str]:
    if module == "comparison/rules" or module.startswith("comparison/gate/"):
        return [f"comparison/test_{name}" for name in (
            "applied_rules", "thresholds", "gate", "items", "predictions", "scores_file",
            "wrong_inputs", "mistakes",
        )]
    inside = module.removeprefix("companion/lab/")
    found = _OF_THE_LABORATORY.get(inside, []) if inside != module else []
    return [f"companion/lab/{file}" for file in found] or _BEYOND.get(module, [])


def _targets(modules: list[str]) -> dict[str, list[str]]:
    targets = {}
    for module in modules:
        own, others = own_tests(module), _beyond(module)
        files = others if own in others else [own, *others]
        targets[_file(module)] = [f"tests/{file}.py" for file in files]
    return targets


def _modules(package: str, above: str) -> list[str]:
    """Modules of a package, without kernels and without packages that only list their names."""
    root = _ROOT / above
    found = (file.relative_to(root) for file in (root / package).rglob("[!_]*.py"))
    return sorted(file.with_suffix("").as_posix() for file in found if "kernels" not in file.parts)


#: The library and the laboratory, each module with tests of its own.
WITH_OWN_TESTS = [
    "__init__", *_modules("", "replib"),
    "companion/lab/datasets/__init__", *_modules("companion/lab", "book"),
]

#: Tests that run other processes, which have the module as it is, and so notice nothing.
OF_OTHER_PROCESSES = "the_command_refuses_in_one_line or a_killed_benchmark_goes_on"

#: What these do shows only in other processes, which have the module as it is.
IN_OTHER_PROCESSES = {
    "replib/__main__.py",
    *(f"book/companion/lab/{name}.py" for name in ("compiled", "locks", "workers")),
}

OF_MODULES = {
    module: tests for module, tests in _targets(WITH_OWN_TESTS).items()
    if module not in IN_OTHER_PROCESSES
}

LEDGER = _targets([
    *(f"companion/papers/ledger/{name}" for name in ("assess", "pooled", "verdicts")),
    "companion/papers/likelihood",
])

#: Compiled, and so compiled again for each mutant, which takes ten seconds: a sample of their own.
KERNELS = {
    f"book/companion/lab/learners/kernels/{kernel}.py":
        [f"tests/companion/lab/learners/{file}.py" for file in files]
    for kernel, files in _OF_KERNELS.items()
}

TARGETS = LEDGER | OF_MODULES | KERNELS
