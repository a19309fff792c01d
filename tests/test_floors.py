"""The floors: which package may import which, what a plain installation needs, where tests are."""

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import grimp
import pytest
from importlinter import cli

ROOT = Path(__file__).resolve().parents[1]
PROJECT, BOOK = (
    tomllib.loads((folder / "pyproject.toml").read_text())
    for folder in (ROOT, ROOT / "book")
)


def test_the_contract_holds(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_SUCCESS, (
        capsys.readouterr().out
    )


@pytest.mark.parametrize("package, project", [("replib", PROJECT), ("companion", BOOK)])
def test_what_a_package_imports_comes_with_it(package, project):
    graph = grimp.build_graph(
        package,
        include_external_packages=True,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )
    distributions = metadata.packages_distributions()
    brought = required(PROJECT["project"]["dependencies"]) | {
        "joblib"
    }  # of scikit-learn
    if package == "companion":
        brought |= required(project["project"]["dependencies"])
        # distributed asks for itself, nbgrader too; Jupyter's server is what loads its
        # extension; the others come with what is required
        brought |= {
            "distributed",
            "nbgrader",
            "jupyter_server",
            "nbclient",
            "sphinx",
            "docutils",
            "nbconvert",
            "ipython",
            "pygments",
            "markupsafe",
            "llvmlite",
            "fonttools",  # with Matplotlib
        }
    own = {package, "replib", *sys.stdlib_module_names}
    missing = set()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            name = imported.split(".")[0]
            # what is not installed here is called as it is imported
            of_name = {part.lower() for part in distributions.get(name, [name])}
            if name not in own and not brought & of_name:
                missing.add((module, imported))
    asking = {("replib._presentation.pictures", "matplotlib")}  # for itself
    assert missing - asking == set()


def required(names) -> set[str]:
    return {re.match(r"[\w.-]+", name).group().lower() for name in names}


def test_importing_the_library_loads_nothing_else():
    program = "import sys, replib; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numpy", "pandas", "scipy", "sklearn", "matplotlib", "numba"} & set(
        loaded
    )


#: Private modules that are tested where they are used.
TESTED_WITH = {
    "_strata.py": "suites.py",
    "_by_task.py": "suites.py",
    "_power.py": "planning.py",
    "_matching.py": "arrays.py",
}


def place_of_tests(module: Path) -> Path:
    """Its own place under tests/: that of datasets/openml.py is datasets/test_openml.py.

    A private module has its tests at the same place: _validation.py at test_validation.py,
    and all modules of a private package in one folder, or one module: _labels in labels/.
    """
    for package in module.parts[:-1]:
        if package.startswith("_"):
            folder = ROOT / "tests" / package.removeprefix("_")
            return folder if folder.is_dir() else folder.parent / f"test{package}.py"
    name = TESTED_WITH.get(module.name, module.name.removeprefix("_"))
    return ROOT / "tests" / module.with_name(f"test_{name}")


@pytest.mark.parametrize("folder, package", [("replib", ""), ("book", "companion/lab")])
def test_each_module_of_library_and_laboratory_has_its_tests_at_its_own_place(
    folder, package
):
    root = ROOT / folder
    modules = [
        file.relative_to(root)
        for file in (root / package).rglob("*.py")
        if not file.name.startswith("__")
    ]
    # kernels are tested by the learners that call them
    tested = [module for module in modules if "kernels" not in module.parts]
    assert len(tested) > 20  # none has got lost on the way here
    assert [module for module in tested if not place_of_tests(module).exists()] == []
