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
from targets import WITH_OWN_TESTS, own_tests

ROOT = Path(__file__).resolve().parents[1]
PROJECT, BOOK = (
    tomllib.loads((folder / "pyproject.toml").read_text()) for folder in (ROOT, ROOT / "book")
)


def test_the_contract_holds(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_SUCCESS, capsys.readouterr().out


@pytest.mark.parametrize("module, imported, broken", [
    ("replib.schemes", "from companion.papers import published",
     "replib is not allowed to import companion.papers"),
    ("replib.significance", "import replib.comparison",
     "replib.significance is not allowed to import replib.comparison"),
    ("companion.papers.ledger", "import companion.engine",
     "companion.papers is not allowed to import companion.engine"),
    ("replib.attic", "", "replib.attic"),  # a module that no floor has
], ids=["library imports papers", "tests import the door", "papers import engine", "no floor"])
def test_the_contract_refuses(tmp_path, monkeypatch, capsys, module, imported, broken):
    layers = PROJECT["tool"]["importlinter"]["contracts"]
    floors = re.findall(r"\w+", " ".join(layers[1]["layers"]))
    for name in ("replib", "companion.papers.published", *layers[0]["layers"],
                 *(f"replib.{floor}" for floor in floors)):
        write_module(tmp_path, name)
    write_module(tmp_path, module, imported)
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    monkeypatch.chdir(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] in ("replib", "companion")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_ERROR
    assert broken in capsys.readouterr().out


def write_module(folder: Path, name: str, text: str = "") -> None:
    """A module as a package, in packages."""
    for part in name.split("."):
        folder = folder / part
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    (folder / "__init__.py").write_text(text)


@pytest.mark.parametrize("package, project", [("replib", PROJECT), ("companion", BOOK)])
def test_what_a_package_imports_comes_with_it(package, project):
    graph = grimp.build_graph(package, include_external_packages=True, cache_dir=None)
    distributions = metadata.packages_distributions()
    brought = required(PROJECT["project"]["dependencies"]) | {"joblib"}  # of scikit-learn
    if package == "companion":
        brought |= required(project["project"]["dependencies"])
        # distributed asks for itself, nbgrader too; the others come with what is required
        brought |= {"distributed", "nbgrader", "nbclient", "sphinx", "docutils", "traitlets",
                    "nbconvert", "ipython", "pygments", "markupsafe", "llvmlite"}
    missing = {
        (module, imported)
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
        if imported.split(".")[0] not in {package, "replib", *sys.stdlib_module_names}
        and not brought & {name.lower() for name in distributions[imported.split(".")[0]]}
    }
    asks_for_itself = ("replib.comparison.pictures", "matplotlib")
    assert missing - {asks_for_itself} == set()


def required(names) -> set[str]:
    return {re.match(r"[\w.-]+", name).group().lower() for name in names}


def test_importing_the_library_loads_nothing_else():
    program = "import sys, replib; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                            check=True).stdout.split()
    assert not {"numpy", "pandas", "scipy", "sklearn", "matplotlib", "numba"} & set(loaded)


def test_each_module_of_library_and_laboratory_has_its_tests_at_its_own_place():
    places = {module: ROOT / "tests" / f"{own_tests(module)}.py" for module in WITH_OWN_TESTS}
    assert len(places) > 60  # none has got lost on the way here
    assert [module for module, file in places.items() if not file.is_file()] == []
