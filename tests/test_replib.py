"""The package as a whole."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

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


def test_a_name_that_is_not_there_is_said_at_once():
    program = "import replib; replib.compere"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1] == (
        "AttributeError: module 'replib' has no attribute 'compere'. Did you mean: 'compare'?"
    )
