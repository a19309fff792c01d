"""Are the tests sharp?  Change one thing in a module, run its tests, count what nobody notices.

Each mutant (changes.py) runs in a fork of this process, which has loaded the libraries beforehand,
so that it costs little more than the first test that kills it; which tests these are stands in
targets.py.  Mutants that cannot be told from the module are listed in equivalent.csv, each with the
reason, and are not tried.

    python tests/mutation/mutate.py replib/schemes.py [--sample 50]
    python tests/mutation/mutate.py replib book/companion/papers --of-all 300 --seed 4

The second line draws from all modules of the library and of what judges the published results.
With --results FILE it can be interrupted, and the same line goes on from there.
"""

import argparse
import ast
import contextlib
import csv
import doctest
import functools
import gc
import importlib.abc
import importlib.util
import os
import random
import re
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from changes import changes
from targets import LEDGER, OF_MODULES, OF_OTHER_PROCESSES, TARGETS
from tqdm import tqdm

ROOT = Path(__file__).parents[2]
SPEED = 4  # a mutant that needs this many times as long as the module is dead
LONGEST = 60  # seconds for a test of which it is not known yet how long it takes
LIBRARIES = (
    "hypothesis.extra.numpy", "joblib", "numba", "pandas", "pytest", "scipy.optimize",
    "scipy.stats", "sklearn.model_selection", "sklearn.naive_bayes", "sklearn.svm", "sklearn.tree",
    "statsmodels.api", "sympy",
)


def equivalent(module: str) -> set[str]:
    """What is listed of a module in equivalent.csv: "change: line", as `mutants` words them."""
    with Path(__file__).with_name("equivalent.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["module"] == module]
    return {f"{row['change']}: {row['line']}" for row in rows}


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the changed module to every importer."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        package = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=self, submodule_search_locations=package
        )

    def exec_module(self, module) -> None:
        exec(compile(self.tree, str(self.path), "exec"), vars(module))


class Trial:
    """A module with its tests, which can be run on any variant of it."""

    def __init__(self, module: str) -> None:
        self.path = ROOT / module
        parts = Path(module.removeprefix("book/")).with_suffix("").parts
        self.name = ".".join(part for part in parts if part != "__init__")
        self.source = self.path.read_text()
        public = re.findall(r"^(?:def|class) ([A-Za-z]\w*)", self.source, re.M)
        if "/kernels/" in module:  # which check nothing
            public = []
        self.tests = [
            ("", self.name),  # the examples in its documentation
            *((file, "") for file in TARGETS[module]),
            *([("tests/test_bad_input.py", f"wrong and ({' or '.join(public)})")] * bool(public)),
        ]

    def survives(self, tree: ast.Module) -> bool:
        """Whether no test fails on a variant, or takes much longer than on the module as it is."""
        return not any(self._fails(test, tree) for test in self.tests)

    def _fails(self, test: tuple[str, str], tree: ast.Module) -> bool:
        if test in _SECONDS:
            return not self._run(test, tree, 2 + int(SPEED * _SECONDS[test]))
        if self._run(test, tree, LONGEST):
            return False
        self._seconds(test)  # it has to pass on the module as it is
        return True

    def _seconds(self, test: tuple[str, str]) -> float:
        """What a test needs of a processor on the module as it is, where it has to pass."""
        if test not in _SECONDS:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            if not self._run(test, ast.parse(self.source), 600):
                raise SystemExit(f"{self.name}: {' '.join(test)} fails on the module as it is")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            _SECONDS[test] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return _SECONDS[test]

    def _run(self, test: tuple[str, str], tree: ast.Module, seconds: int) -> bool:
        """Whether a test passes within so many seconds of a processor."""
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            signal.alarm(10 * seconds)  # what waits for ever uses no processor
            os._exit(0 if self._passes(tree, *test) else 1)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it has left behind
        return status == 0

    def _passes(self, tree: ast.Module, file: str, which: str) -> bool:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        sys.meta_path.insert(0, _Mutated(self.name, self.path, tree))
        try:
            if not file:
                module = importlib.import_module(self.name)
                return not doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed
            return _pytest(file, which)
        except BaseException:
            return False


#: What each test needs.
_SECONDS: dict[tuple[str, str], float] = {}


def _pytest(file: str, which: str) -> bool:
    import hypothesis
    import pytest

    hypothesis.settings.register_profile(
        "mutation", max_examples=15, derandomize=True, database=None, deadline=None
    )
    hypothesis.settings.load_profile("mutation")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # half a second each time
    code = pytest.main([
        "-x", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", "-o", "addopts=",
        "--rootdir", str(ROOT), "-k", f"({which or 'test'}) and not ({OF_OTHER_PROCESSES})", file,
    ])
    return code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


class Change(NamedTuple):
    """One change of one module: where and what, and what makes the changed module."""

    module: str
    number: int
    what: str
    made: Callable[[], ast.Module]


def changes_of(modules: list[str]) -> list[Change]:
    """Changes that can make a difference."""
    return [
        Change(module, number, what, made) for module in modules for known in [equivalent(module)]
        for number, (what, made) in enumerate(changes((ROOT / module).read_text()))
        if what.split(": ", 1)[1] not in known
    ]


def drawn(modules: list[str], number: int | None, seed: int) -> list[Change]:
    """A random sample of the changes of all modules, in random order; all of them by default."""
    found = changes_of(modules)
    if number is None:
        return found
    return random.Random(seed).sample(found, min(number, len(found)))


def tried(sample: list[Change], results: Path | None = None) -> dict[tuple[str, int, str], bool]:
    """Whether the tests notice each change of a sample.

    What they do not notice is printed at once.  A file of results is read first and continued, so
    that a trial may be interrupted.
    """
    noticed: dict[tuple[str, int, str], bool] = {}
    if results is not None and results.exists():
        with results.open(newline="", encoding="utf-8") as file:
            noticed = {(module, int(number), what): said == "noticed"
                       for module, number, said, what in csv.reader(file)}
    for library in LIBRARIES:
        importlib.import_module(library)
    gc.freeze()  # or each child looks through all of them
    trial = functools.cache(Trial)
    for module, number, what, made in tqdm(sample, unit="change"):
        key = module, number, what
        if key not in noticed:
            noticed[key] = seen = not trial(module).survives(made())
            if results is not None:
                with results.open("a", newline="", encoding="utf-8") as file:
                    row = [module, number, "noticed" if seen else "survives", what]
                    csv.writer(file).writerow(row)
        if not noticed[key]:
            print(f"{module} survives {what}", flush=True)
    return {one[:3]: noticed[one[:3]] for one in sample}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help="files, or folders of them; the library and the "
                        "laboratory unless given")
    parser.add_argument("--sample", type=int, help="of the mutants of each module, at random")
    parser.add_argument("--of-all", type=int, help="of the mutants of all modules, at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, help="a file that is continued if it exists")
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "book")]
    modules = [module for name in given.modules for module in inside(name)] or sorted(OF_MODULES)
    if given.of_all is not None:
        sample = drawn(modules, given.of_all, given.seed)
    else:
        sample = [one for module in modules for one in drawn([module], given.sample, given.seed)]
    found = tried(sample, given.results)
    for module in sorted({module for module, *_ in found}):
        print(f"{module}: {_share([seen for (of, *_), seen in found.items() if of == module])}")
    print(f"together {_share(list(found.values()))}")


def inside(name: str) -> list[str]:
    """The module of this name, or those in the folder, but for the kernels, which take long."""
    if name in TARGETS:
        return [name]
    folder = name.rstrip("/") + "/"
    return sorted(module for module in LEDGER | OF_MODULES if module.startswith(folder))


def _share(noticed: list[bool]) -> str:
    share = 100 * sum(noticed) / max(len(noticed), 1)
    return f"{sum(noticed)} of {len(noticed)} killed ({share:.1f} %)"


if __name__ == "__main__":
    main()
