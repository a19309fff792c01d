"""Are the tests sharp?  Change one thing in a module, run its tests, count what nobody notices.

Each mutant (changes.py) runs in a fork of this process, which has loaded the libraries beforehand,
so that it costs little more than the first test that kills it.  Its tests are the examples in its
documentation and the files of targets.py.  Mutants that cannot be told from the module are listed
in equivalent.csv, each with the reason, and are not tried.

    python tests/mutation/mutate.py replib/schemes.py [--sample 50] [--workers 2]
    python tests/mutation/mutate.py --of-all 300 --figures book/_static/mutation.csv
"""

import argparse
import ast
import contextlib
import csv
import doctest
import importlib.abc
import importlib.util
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from changes import changes, mutants
from targets import FLOOR_1, TARGETS

ROOT = Path(__file__).parents[2]
SPEED = 4  # a mutant that needs this many times as long as the module is dead
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
        self.name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.tests, self.which = TARGETS[module]
        self.seconds = 600
        self.kept = Path(tempfile.mkdtemp())  # compiled code of the module as it is
        self.stale = _compiled_with(self.name)

    def passes(self, tree: ast.Module, keep: bool = False) -> tuple[bool, float]:
        """Whether the tests pass on a variant, and the seconds of a processor they needed."""
        folder = self.kept if keep else self._compiled_without_the_module()
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds))
            signal.alarm(5 * self.seconds)  # what waits for ever uses no processor
            os._exit(0 if self._survives(tree, folder) else 1)
        _, status, used = os.wait4(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it has left behind
        if folder not in (None, self.kept):
            shutil.rmtree(folder)
        return status == 0, used.ru_utime + used.ru_stime

    def _compiled_without_the_module(self) -> Path | None:
        """Numba takes a function with other constants for the one that it has compiled before, and
        does not see that one which is called has changed: a folder without all of these."""
        if not self.stale:
            return None
        folder = Path(tempfile.mkdtemp())
        for file in self.kept.rglob("*.nb[ic]"):
            if file.name.split(".")[0] not in self.stale:
                copy = folder / file.relative_to(self.kept)
                copy.parent.mkdir(exist_ok=True)
                os.link(file, copy)
        return folder

    def _survives(self, tree: ast.Module, compiled: Path | None) -> bool:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        if compiled:
            import numba

            numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = str(compiled)
        sys.meta_path.insert(0, _Mutated(self.name, self.path, tree))
        try:
            module = importlib.import_module(self.name)
            return not doctest.testmod(module).failed and all(map(self._passes, self.tests))
        except BaseException:
            return False

    def _passes(self, file: str) -> bool:
        import hypothesis
        import pytest

        hypothesis.settings.register_profile(
            "mutation", max_examples=15, derandomize=True, database=None, deadline=None
        )
        hypothesis.settings.load_profile("mutation")
        code = pytest.main([
            "-x", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", "-p", "no:xdist",
            "-o", "addopts=", "--rootdir", str(ROOT), "-k", self.which,
            file,
        ])
        return code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def _compiled_with(module: str) -> set[str]:
    """Names of files with compiled functions which contain those of a module, itself included."""
    imported = {}
    for file in (ROOT / "replib").rglob("*.py"):
        if "import njit" in (text := file.read_text()):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            nodes = ast.walk(ast.parse(text))
            imported[name] = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    found = {module} & imported.keys()
    while more := {name for name, names in imported.items() if names & found} - found:
        found |= more
    return {name.rpartition(".")[2] for name in found}


def survivors(
    module: str, *, sample: int | None = None, seed: int = 0, workers: int = 1
) -> tuple[list[str], int]:
    """What the tests do not notice, which is printed at once, and how many mutants were tried."""
    for library in LIBRARIES:
        importlib.import_module(library)
    trial, source = Trial(module), (ROOT / module).read_text()
    for keep in (True, False) if trial.stale else (True,):
        passes, used = trial.passes(ast.parse(source), keep)
        if not passes:
            raise SystemExit(f"{module}: the tests fail on the module as it is")
    trial.seconds = 2 + int(SPEED * used)
    known = equivalent(module)
    tried = [one for one in mutants(source) if one[0].split(": ", 1)[1] not in known]
    if sample is not None and sample < len(tried):
        tried = random.Random(seed).sample(tried, sample)
    alive = []
    with ThreadPoolExecutor(workers) as pool:
        runs = pool.map(lambda one: trial.passes(one[1])[0], tried)
        for (what, _), passes in zip(tried, runs):
            if passes:
                print(f"{module} survives {what}", flush=True)
                alive.append(what)
    shutil.rmtree(trial.kept)
    return alive, len(tried)


def shares(modules: list[str], sample: int, seed: int) -> dict[str, int]:
    """How many mutants of each module are in a random sample of the mutants of all of them."""
    texts = {module: (ROOT / module).read_text() for module in modules}
    places = [module for module, text in texts.items() for _ in changes(ast.parse(text), text)]
    return dict(Counter(random.Random(seed).sample(places, min(sample, len(places)))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", default=list(TARGETS))
    parser.add_argument("--sample", type=int, help="of the mutants of each module, at random")
    parser.add_argument("--of-all", type=int, help="of the mutants of floor 1, at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--figures", type=Path, help="CSV file to which the figures are added")
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    samples = dict.fromkeys(given.modules, given.sample)
    if given.of_all is not None:
        samples = shares(list(FLOOR_1), given.of_all, given.seed)
    all_killed = all_tried = 0
    for module, sample in samples.items():
        alive, tried = survivors(module, sample=sample, seed=given.seed, workers=given.workers)
        killed = tried - len(alive)
        all_killed, all_tried = all_killed + killed, all_tried + tried
        print(f"{module}: {killed} of {tried} killed ({100 * killed / tried:.1f} %)", flush=True)
    print(f"together {all_killed} of {all_tried} ({100 * all_killed / all_tried:.1f} %)")


if __name__ == "__main__":
    main()
