"""Are the tests sharp?  Change one thing in a module, run its tests, count what nobody notices.

Each mutant (changes.py) runs in a fork of this process, which has loaded the libraries beforehand,
so that it costs little more than the first test that kills it; which tests these are stands in
targets.py.  Mutants that cannot be told from the module are listed in equivalent.csv, each with the
reason, and are not tried.

    python tests/mutation/mutate.py replib/schemes.py [--sample 50]
    python tests/mutation/mutate.py --of-all 300
"""

import argparse
import ast
import contextlib
import csv
import doctest
import gc
import importlib.abc
import importlib.util
import os
import random
import re
import resource
import signal
import sys
from collections import Counter
from pathlib import Path

from changes import changes
from targets import OF_MODULES, TARGETS
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
    """Gives the changed module to whoever imports it."""

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
        if test not in _SECONDS and self._run(test, tree, LONGEST):
            return False
        seconds = 2 + int(SPEED * self._seconds(test))
        return not self._run(test, tree, seconds)

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
        "--rootdir", str(ROOT), "-k", which, file,
    ])
    return code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def survivors(
    module: str, *, sample: int | None = None, seed: int = 0
) -> tuple[list[str], int]:
    """What the tests do not notice, which is printed at once, and how many mutants were tried."""
    for library in LIBRARIES:
        importlib.import_module(library)
    gc.freeze()  # or each child looks through all of them
    trial, known = Trial(module), equivalent(module)
    tried = [one for one in changes(trial.source) if one[0].split(": ", 1)[1] not in known]
    if sample is not None and sample < len(tried):
        tried = random.Random(seed).sample(tried, sample)
    alive = []
    for what, changed in tqdm(tried, desc=module, unit="change"):
        if trial.survives(changed()):
            print(f"{module} survives {what}", flush=True)
            alive.append(what)
    return alive, len(tried)


def shares(modules: list[str], sample: int, seed: int) -> dict[str, int]:
    """How many mutants of each module are in a random sample of the mutants of all of them."""
    places = [module for module in modules for _ in changes((ROOT / module).read_text())]
    return dict(Counter(random.Random(seed).sample(places, min(sample, len(places)))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help="of the library and the laboratory unless given")
    parser.add_argument("--sample", type=int, help="of the mutants of each module, at random")
    parser.add_argument("--of-all", type=int, help="of the mutants of all modules, at random")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "book")]
    modules = given.modules or sorted(OF_MODULES)
    samples = dict.fromkeys(modules, given.sample)
    if given.of_all is not None:
        samples = shares(modules, given.of_all, given.seed)
    all_killed = all_tried = 0
    for module, sample in samples.items():
        found, tried = survivors(module, sample=sample, seed=given.seed)
        killed = tried - len(found)
        all_killed, all_tried = all_killed + killed, all_tried + tried
        print(f"{module}: {_share(killed, tried)}", flush=True)
    print(f"together {_share(all_killed, all_tried)}")


def _share(killed: int, tried: int) -> str:
    return f"{killed} of {tried} killed ({100 * killed / max(tried, 1):.1f} %)"


if __name__ == "__main__":
    main()
