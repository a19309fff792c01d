"""The package as a whole."""

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import replib


def test_dir_shows_the_public_names_only():
    assert dir(replib) == replib.__all__
    assert {"compare", "Scores", "CV", "read", "train", "plan"} < set(dir(replib))
    assert {"schemes", "significance", "designs"} < set(dir(replib))
    assert [name for name in dir(replib) if name.startswith("_")] == []


def test_each_public_name_is_an_object_of_its_module():
    for name in replib.__all__:
        value = getattr(replib, name)
        home = value.__name__ if inspect.ismodule(value) else value.__module__
        assert home.startswith("replib."), name


def test_a_star_brings_the_public_names():
    names = {}
    exec("from replib import *", names)
    assert set(names) - {"__builtins__"} == set(replib.__all__)


def test_editors_are_told_of_every_public_name():
    tree = ast.parse(Path(replib.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    told = {name.name: part.module for part in block.body for name in part.names}
    modules = [name for name, home in told.items() if home == "replib"]
    homes = {name: f"replib.{module}" for name, module in replib._HOMES.items()}
    assert told == homes | dict.fromkeys(modules, "replib")
    assert sorted(told) == replib.__all__


def _modules(*, private):
    """Names of the modules and packages right below `replib`."""
    names = [module.name for module in pkgutil.iter_modules(replib.__path__)]
    return [name for name in names if name.startswith("_") == private]


def _documented(module):
    """The module, and its public classes and functions with their methods."""
    yield module
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", "") != module.__name__:
            continue
        yield value
        if inspect.isclass(value):
            yield from (
                member for key, member in vars(value).items() if not key.startswith("_")
            )


@pytest.mark.parametrize("name", _modules(private=False))
def test_what_is_public_is_described_without_private_names(name):
    module = import_module(f"replib.{name}")
    private = {key for key in vars(module) if re.match("_[A-Za-z]", key)}
    private.update(_modules(private=True))
    for described in _documented(module):
        words = re.findall(r"(?<!\w)_[A-Za-z]\w*", inspect.getdoc(described) or "")
        assert private.isdisjoint(words), described


def test_a_name_that_is_not_there_is_said_at_once():
    program = "import replib; replib.compere"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1] == (
        "AttributeError: module 'replib' has no attribute 'compere'. Did you mean: 'compare'?"
    )
