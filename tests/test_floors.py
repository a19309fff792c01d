"""The three floors: what may import what, what a plain installation needs, where tests stand."""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import grimp
import pytest
from importlinter import cli
from targets import MODULES_OF_FLOOR_1, own_tests

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_contract_holds(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_SUCCESS, capsys.readouterr().out


@pytest.mark.parametrize("module, imported, broken", [
    ("schemes", "from replib.papers import published", "replib.schemes is not allowed to import"),
    ("papers.ledger", "import replib.book", "replib.papers is not allowed to import replib.book"),
    ("attic", "", "replib.attic"),  # a module that no floor has
], ids=["library imports papers", "papers import book", "module on no floor"])
def test_the_contract_refuses(tmp_path, monkeypatch, capsys, module, imported, broken):
    floors = {
        part for layer in PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
        for part in re.findall(r"(?<!\()\b\w+\b(?!\))", layer)
    }
    for part in floors | {"book", "papers"}:
        (tmp_path / "replib" / part).mkdir(parents=True)
        (tmp_path / "replib" / part / "__init__.py").touch()
    (tmp_path / "replib" / "__init__.py").touch()
    (tmp_path / "replib" / "papers" / "published.py").touch()
    file = tmp_path / "replib" / (module.replace(".", "/") + ".py")
    file = file.with_suffix("") / "__init__.py" if module in floors else file
    file.write_text(imported)
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    monkeypatch.chdir(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] == "replib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_ERROR
    assert broken in capsys.readouterr().out


def test_library_and_papers_import_nothing_that_a_plain_installation_lacks():
    graph = grimp.build_graph("replib", include_external_packages=True, cache_dir=None)
    distributions = metadata.packages_distributions()

    def required(names) -> set[str]:
        return {re.match(r"[\w.-]+", name).group().lower() for name in names}

    brought = required(PROJECT["project"]["dependencies"])
    brought |= required(PROJECT["project"]["optional-dependencies"]["cluster"])  # asks for itself
    brought.add("llvmlite")  # numba's other half
    upstairs = [m for m in graph.modules if m == "replib.book" or m.startswith("replib.book.")]
    missing = {
        (module, package)
        for module in graph.modules - set(upstairs)
        for package in graph.find_modules_directly_imported_by(module)
        if not package.startswith("replib") and package.split(".")[0] not in sys.stdlib_module_names
        and not brought & {name.lower() for name in distributions[package.split(".")[0]]}
    }
    missing.discard(("replib.comparison.pictures", "matplotlib"))  # asks for itself
    assert missing == set()


def test_each_module_of_the_library_has_its_tests_at_its_own_place():
    places = {module: ROOT / "tests" / f"{own_tests(module)}.py" for module in MODULES_OF_FLOOR_1}
    assert len(places) > 60  # none has got lost on the way here
    assert [module for module, file in places.items() if not file.is_file()] == []
