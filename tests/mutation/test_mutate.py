"""The mutator changes what it says; and (marked, for a long run) most of its mutants are killed."""

import ast
import re
import subprocess
import sys

import mutate
import pytest
from changes import changes
from targets import IN_OTHER_PROCESSES, KERNELS, OF_MODULES, TARGETS

SOURCE = '''"""Documentation with 3 < 4."""
def tail(x: int = 2):
    if x < 3 and x != 0:
        raise ValueError(f"{x + 1} is less than 3")
    return -x if x else x * 2
def nothing():
    return None
'''


def test_each_mutant_differs_from_the_source_in_one_place():
    tree = ast.dump(ast.parse(SOURCE))
    found = list(changes(SOURCE))
    texts = [ast.unparse(changed()) for _, changed in found]
    assert len(set(texts)) == len(found)
    assert all(ast.dump(ast.parse(text)) != tree for text in texts)
    lines = ast.unparse(ast.parse(SOURCE)).splitlines()
    for text in texts:
        assert sum(one != other for one, other in zip(text.splitlines(), lines)) == 1
    said = [what.split(": ")[1] for what, _ in found]
    assert sorted(said) == sorted([
        "2 to 3", "condition turned round", "And to Or", "Lt to LtE", "3 to 4", "NotEq to Eq",
        "0 to 1", "returns nothing", "condition turned round", "no USub", "Mult to Div", "2 to 3",
    ])


@pytest.mark.parametrize("module", TARGETS)
def test_every_mutant_that_is_called_equivalent_is_one_of_the_module(module):
    source = (mutate.ROOT / module).read_text()
    known = mutate.equivalent(module)
    assert known <= {what.split(": ", 1)[1] for what, _ in changes(source)}


def test_a_sample_of_all_is_as_large_as_asked_for():
    modules = ["replib/schemes.py", "replib/intervals.py"]
    of = lambda *given: [one[:3] for one in mutate.drawn(modules, *given)]
    assert len(set(of(20, 1))) == 20 and of(20, 1) == of(20, 1) != of(20, 2)
    assert set(of(20, 1)) <= set(of(None, 1)) and of(10**6, 1) != of(None, 1)


def test_a_trial_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(mutate.Trial, "survives", lambda self, tree: bool(asked.append(tree)))
    sample, file = mutate.drawn(["replib/schemes.py"], 5, 0), tmp_path / "results.csv"
    mutate.tried(sample[:3], file)
    monkeypatch.setattr(mutate.Trial, "survives", lambda self, tree: True)
    found = mutate.tried(sample, file)
    assert len(asked) == 3 and list(found.values()) == [True] * 3 + [False] * 2
    assert mutate.tried(sample, file) == found
    assert capsys.readouterr().out.count("replib/schemes.py survives") == 4


def test_a_folder_names_its_modules_but_for_kernels():
    assert mutate.inside("replib/schemes.py") == ["replib/schemes.py"]
    ledger = mutate.inside("book/companion/papers/")
    assert len(ledger) == 4 and set(ledger) == set(mutate.LEDGER)
    assert set(mutate.inside("replib")) == {one for one in OF_MODULES if one[:4] == "repl"}
    assert not set(KERNELS) & set(mutate.inside("book"))


def test_every_target_and_its_tests_exist():
    for module, tests in TARGETS.items():
        assert all((mutate.ROOT / name).is_file() for name in [module, *tests])


def test_every_module_of_the_library_and_the_laboratory_is_a_target():
    """But for those without anything to change, and those that only other processes run."""
    files = [
        file for folder in ("replib", "book/companion/lab")
        for file in (mutate.ROOT / folder).rglob("*.py")
    ]
    found = {str(file.relative_to(mutate.ROOT)): file.read_text() for file in files}
    mutable = {module for module, source in found.items() if any(changes(source))}
    assert mutable == OF_MODULES.keys() | KERNELS.keys() | IN_OTHER_PROCESSES


@pytest.mark.mutation
@pytest.mark.parametrize("module", TARGETS)
def test_nine_of_ten_mutants_are_killed(module):
    command = [sys.executable, mutate.__file__, module, "--sample", "60"]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    print(report)
    killed, tried = re.search(r"^together (\d+) of (\d+)", report, re.M).groups()
    assert int(killed) >= 0.9 * int(tried)
