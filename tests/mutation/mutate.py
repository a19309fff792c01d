"""Are the tests sharp?  Change one thing in a module, run its tests, count what nobody notices.

A mutant is the module with one comparison, sign, operator, constant, condition or returned value
changed.  Each runs in a fork of this process, which has loaded the libraries beforehand, so that a
mutant costs little more than the first test that kills it.  Mutants that cannot be told from the
module are listed in equivalent.csv, each with the reason, and are not tried.

    python tests/mutation/mutate.py replib/schemes.py [--sample 50] [--workers 2]
    python tests/mutation/mutate.py --of-all 300
"""

import argparse
import ast
import copy
import csv
import importlib.abc
import importlib.util
import os
import random
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Modules that are tried, the tests that ought to kill their mutants, and which of these by name.
TARGETS = {
    "replib/schemes.py": (["tests/test_schemes.py", "tests/test_bad_input.py"], "schemes"),
    "replib/theory/distributions.py": (["tests/theory/test_mcnemar.py"], ""),
    "replib/theory/mcnemar.py": (
        ["tests/theory/test_mcnemar.py", "tests/test_bad_input.py"],
        "mcnemar or rejection or critical or agreement",
    ),
    "replib/theory/limits.py": (
        ["tests/theory/test_limits.py", "tests/test_bad_input.py"], "limit or worst or excess",
    ),
    "replib/theory/designs.py": (
        ["tests/theory/test_designs.py", "tests/test_bad_input.py"], "designs",
    ),
    "replib/theory/order_statistics.py": (
        ["tests/theory/test_order_statistics.py", "tests/test_bad_input.py"],
        "order_statistics or sorted",
    ),
    "replib/theory/rejection.py": (
        ["tests/theory/test_mcnemar.py", "tests/test_bad_input.py"],
        "mcnemar or rejection or agreement",
    ),
    "replib/theory/dependence.py": (
        ["tests/theory/test_dependence.py", "tests/test_bad_input.py"],
        "dependence or error or variances",
    ),
    "replib/replication_probability.py": (
        ["tests/test_replication_probability.py", "tests/test_bad_input.py"],
        "replication_probability",
    ),
    "replib/papers/ledger/assess.py": (["tests/papers/ledger/test_assess.py"], ""),
    "replib/papers/ledger/pooled.py": (["tests/papers/ledger/test_pooled.py"], ""),
    "replib/papers/ledger/verdicts.py": (["tests/papers/ledger/test_verdicts.py"], ""),
    "replib/significance/counts.py": (
        ["tests/significance/test_counts.py", "tests/significance/test_results.py"], "",
    ),
}

OTHER_COMPARISON = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}
OTHER_OPERATOR = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.MatMult: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
OTHER_FUNCTION = {"minimum": "maximum", "ceil": "floor", "min": "max", "any": "all", "sin": "cos"}
OTHER_FUNCTION |= {other: name for name, other in OTHER_FUNCTION.items()}
SPEED = 4  # a mutant that needs this many times as long as the module is dead


class _Sites(ast.NodeVisitor):
    """Nodes of running code: no annotation, no text of a refusal, no documentation."""

    def __init__(self) -> None:
        self.nodes: list[ast.AST] = []

    def generic_visit(self, node: ast.AST) -> None:
        self.nodes.append(node)
        for name, child in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_params", "decorator_list"):
                continue
            for one in child if isinstance(child, list) else [child]:
                if isinstance(one, ast.AST):
                    self.visit(one)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Nothing: tests need not know the words by heart."""

    visit_Import = visit_ImportFrom = visit_Raise

    def visit_Assign(self, node: ast.Assign) -> None:
        """A name for a type is no running code."""
        if not any(isinstance(name, ast.Name) and name.id == "__all__" for name in node.targets):
            self.generic_visit(node)


def changes(tree: ast.Module, source: str) -> Iterator[tuple[str, int, Callable]]:
    """Every change of one node: where and what, the node's place, and what changes it."""
    lines = source.splitlines()
    for place, node in enumerate(_nodes(tree)):
        for what, change in _changes(node):
            line = getattr(node, "lineno", 0)
            yield f"{line}: {what}: {lines[line - 1].strip()}", place, change


def mutants(source: str) -> Iterator[tuple[str, ast.Module]]:
    """Each of these changes, and the changed module."""
    tree = ast.parse(source)
    for what, place, change in changes(tree, source):
        other = copy.deepcopy(tree)
        change(_nodes(other)[place])
        yield what, ast.fix_missing_locations(other)


def _nodes(tree: ast.Module) -> list[ast.AST]:
    sites = _Sites()
    sites.visit(tree)
    return sites.nodes


def equivalent(module: str) -> set[str]:
    """What is listed of a module in equivalent.csv: "change: line", as `mutants` words them."""
    with Path(__file__).with_name("equivalent.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["module"] == module]
    return {f"{row['change']}: {row['line']}" for row in rows}


def _changes(node: ast.AST):
    put = lambda field, value: lambda other: setattr(other, field, value)
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in OTHER_COMPARISON:
            new = OTHER_COMPARISON[type(op)]
            yield f"{_name(op)} to {_name(new())}", lambda other: other.ops.__setitem__(0, new())
        case ast.BinOp(op=op) if type(op) in OTHER_OPERATOR:
            new = OTHER_OPERATOR[type(op)]
            yield f"{_name(op)} to {_name(new())}", put("op", new())
        case ast.AugAssign(op=op) if type(op) in OTHER_OPERATOR:
            yield f"{_name(op)} to other", put("op", OTHER_OPERATOR[type(op)]())
        case ast.BoolOp(op=op):
            new = ast.Or if isinstance(op, ast.And) else ast.And
            yield f"{_name(op)} to {_name(new())}", put("op", new())
        case ast.UnaryOp(op=ast.USub() as op):
            yield f"no {_name(op)}", put("op", ast.UAdd())
        case ast.UnaryOp(op=ast.Invert() as op, operand=operand):
            yield f"no {_name(op)}", put("operand", ast.UnaryOp(op=op, operand=operand))
        case ast.Constant(value=bool() as value):
            yield f"{value} to {not value}", put("value", not value)
        case ast.Constant(value=int() | float() as value):
            yield f"{value} to {value + 1}", put("value", value + 1)
        case ast.If() | ast.IfExp():
            yield "condition turned round", put(
                "test", ast.UnaryOp(op=ast.Not(), operand=node.test)
            )
        case ast.Attribute(attr=attr) if attr in OTHER_FUNCTION:
            yield f"{attr} to {OTHER_FUNCTION[attr]}", put("attr", OTHER_FUNCTION[attr])
        case ast.Return(value=ast.AST()):
            yield "returns nothing", put("value", None)


def _name(op: ast.AST) -> str:
    return type(op).__name__


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the changed module to whoever imports it."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def exec_module(self, module) -> None:
        exec(compile(self.tree, str(self.path), "exec"), vars(module))


def _passes(
    path: Path, tree: ast.Module, tests: list[str], which: str, seconds: int
) -> tuple[bool, float]:
    """Whether the tests pass on the changed module, and the seconds of a processor they needed."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))  # the system ends what is slow
        code = _pytest(path, tree, tests, which)
        os._exit(0 if code == 0 else 1)
    _, status, used = os.wait4(child, 0)
    return status == 0, used.ru_utime + used.ru_stime


def _pytest(path: Path, tree: ast.Module, tests: list[str], which: str) -> int:
    import hypothesis
    import pytest

    sys.meta_path.insert(0, _Mutated(".".join(path.with_suffix("").parts), ROOT / path, tree))
    hypothesis.settings.register_profile(
        "mutation", max_examples=15, derandomize=True, database=None, deadline=None
    )
    hypothesis.settings.load_profile("mutation")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    try:
        return pytest.main([
            "-x", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", "-o", "addopts=",
            "--rootdir", str(ROOT), "-k", which, *tests,
        ])
    except BaseException:
        return 1


def survivors(
    module: str, *, sample: int | None = None, seed: int = 0, workers: int = 1
) -> tuple[list[str], int]:
    """What the tests do not notice, and how many mutants were tried."""
    for heavy in ("hypothesis", "pandas", "pytest", "scipy.optimize", "scipy.stats", "sympy"):
        importlib.import_module(heavy)
    path, source = Path(module), (ROOT / module).read_text()
    tests, which = TARGETS[module]
    passes, used = _passes(path, ast.parse(source), tests, which, 600)
    if not passes:
        raise SystemExit(f"{module}: the tests fail on the module as it is")
    seconds = 2 + int(SPEED * used)
    known = equivalent(module)
    tried = [one for one in mutants(source) if one[0].split(": ", 1)[1] not in known]
    if sample is not None and sample < len(tried):
        tried = random.Random(seed).sample(tried, sample)
    with ThreadPoolExecutor(workers) as pool:
        runs = pool.map(lambda one: _passes(path, one[1], tests, which, seconds), tried)
        return [what for (what, _), (passes, _) in zip(tried, runs) if passes], len(tried)


def shares(modules: list[str], sample: int, seed: int) -> dict[str, int]:
    """How many mutants of each module are in a random sample of the mutants of all of them."""
    texts = {module: (ROOT / module).read_text() for module in modules}
    places = [module for module, text in texts.items() for _ in changes(ast.parse(text), text)]
    return dict(Counter(random.Random(seed).sample(places, min(sample, len(places)))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", default=list(TARGETS))
    parser.add_argument("--sample", type=int, help="of the mutants of each module, at random")
    parser.add_argument("--of-all", type=int, help="of the mutants of all modules, at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    samples = dict.fromkeys(given.modules, given.sample)
    if given.of_all is not None:
        samples = shares(given.modules, given.of_all, given.seed)
    all_killed = all_tried = 0
    for module, sample in samples.items():
        alive, tried = survivors(module, sample=sample, seed=given.seed, workers=given.workers)
        killed = tried - len(alive)
        all_killed, all_tried = all_killed + killed, all_tried + tried
        print(f"{module}: {killed} of {tried} killed ({100 * killed / tried:.1f} %)", flush=True)
        for what in alive:
            print(f"  survives {what}", flush=True)
    print(f"together {all_killed} of {all_tried} ({100 * all_killed / all_tried:.1f} %)")


if __name__ == "__main__":
    main()
