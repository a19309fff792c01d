"""The origin of a number: the source that computed it, the packages, the machine."""

import ast
import hashlib
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata, util
from itertools import accumulate
from pathlib import Path
from typing import TypeGuard

import replib

#: Packages of this project, whose source counts wherever it is imported.
OURS = ("replib", "companion")

#: Distributions whose versions are stored with results.
PACKAGES = ("numba", "numpy", "pandas", "scipy", "scikit-learn")

#: Suffixes of the files next to a package that count as its source.
DATA = {".csv", ".json"}

_WITH_DOCSTRING = (ast.Module, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)


def closure(names: Iterable[str]) -> dict[str, Path]:
    """Return the source files, by dotted name, of all modules reached in `OURS` or a user's code.

    Parameters
    ----------
    names : iterable of str
        Dotted names to start from; modules of Python and of installed packages are
        skipped.
    """
    waiting = [parent for name in names for parent in _with_parents(name)]
    sources: dict[str, Path] = {}
    asked = set()
    while waiting:
        name = waiting.pop()
        if name in asked:
            continue
        asked.add(name)
        file = _source(name)
        if file:
            sources[name] = file
            waiting += _imports(name, file)
        else:
            waiting += _origin_of_offer(name)
    return sources


def digest_of(sources: Mapping[str, Path]) -> str:
    """Hash the meaning of source files, with the data (`DATA`) next to those of packages."""
    digest = hashlib.sha256()
    for name, source in sorted(sources.items()):
        digest.update(f"{name} {parsed(source).meaning}\n".encode())
        if source.stem == "__init__":
            for file in sorted(f for f in source.parent.iterdir() if f.suffix in DATA):
                digest.update(f"{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()


class Code:
    """The meaning and the imports of a piece of Python, without its comments and layout.

    Imports under ``if TYPE_CHECKING:`` never run, so they are no part of the meaning.
    In a package that loads its names when they are first used, they say where a name
    comes from (`offers`).

    Attributes
    ----------
    meaning : str
        Hash of the code without comments and docstrings.
    """

    def __init__(self, text: str | bytes):
        tree = ast.parse(text)
        self._offered: list[ast.ImportFrom] = []
        for node in [*ast.walk(tree)]:
            if _is_for_type_checkers(node):
                self._offered += [x for x in node.body if isinstance(x, ast.ImportFrom)]
                node.body = [ast.Pass()]
            elif isinstance(node, _WITH_DOCSTRING):
                node.body = [x for x in node.body if not _is_a_remark(x)]
        self._imported: list[tuple[int, str | None, str, str | None]] = []
        self._chains: set[tuple[str, ...]] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Import():
                    self._imported += [(0, None, a.name, a.asname) for a in node.names]
                case ast.ImportFrom():
                    self._imported += [
                        (node.level, node.module or "", a.name, a.asname)
                        for a in node.names
                    ]
                case ast.Attribute():
                    self._chains.add(_chain(node))
        self.meaning = hashlib.sha256(ast.dump(tree).encode()).hexdigest()

    def imports(self, package: str = "") -> set[str]:
        """Return names that the code imports and that may be modules, with their packages.

        An attribute of an imported name also counts: ``replib.schemes`` after
        ``import replib``.
        """
        bound: dict[str, str] = {}
        names = set()
        for level, module, name, alias in self._imported:
            if module is None:
                names.add(name)
                bound[alias or name.split(".")[0]] = (
                    name if alias else name.split(".")[0]
                )
            else:
                origin = util.resolve_name("." * level + module, package)
                names.add(f"{origin}.{name}")
                bound[alias or name] = f"{origin}.{name}"
        names |= {
            ".".join([bound[root], *rest])
            for root, *rest in self._chains
            if root in bound
        }
        return {parent for name in names for parent in _with_parents(name)}

    def offers(self, package: str = "") -> dict[str, str]:
        """Return the dotted origin of each name that a package imports for type checkers."""
        return {
            alias.asname or alias.name: f"{_origin(node, package)}.{alias.name}"
            for node in self._offered
            for alias in node.names
        }


def versions(modules: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python and of every distribution that modules import, even indirectly.

    Parameters
    ----------
    modules : iterable of str
        Dotted names.

    Examples
    --------
    >>> "numpy" in versions(["companion.lab.experiments.splits"])
    True
    """
    names = {name for source in closure(modules).items() for name in _imports(*source)}
    roots = {name.split(".")[0] for name in names} - {*OURS}
    return _versions({one for root in roots for one in _distributions().get(root, ())})


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the `PACKAGES`."""
    return _versions(PACKAGES)


def _versions(distributions: Iterable[str]) -> dict[str, str]:
    found = {name: metadata.version(name) for name in sorted(distributions)}
    return {"python": platform.python_version()} | found


@cache
def _distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


@cache
def code_version() -> str:
    """Return the commit of this checkout (``-dirty`` if changed), or `replib`'s release."""
    here = Path(__file__)

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments],
            cwd=here.parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    try:
        git("ls-files", "--error-unmatch", here.name)  # fails for an installed copy
        # Results that a run has just written do not change the source.
        source = here.parents[2], Path(replib.__file__).parent
        changes = git("status", "--porcelain", "--", *map(str, source))
        return git("describe", "--always") + ("-dirty" if changes else "")
    except (OSError, subprocess.CalledProcessError):
        return replib.__version__


def machine() -> str:
    """Return system, processor and implementation of Python, such as ``Linux x86_64, CPython``."""
    return (
        f"{platform.system()} {platform.machine()}, {platform.python_implementation()}"
    )


def parsed(file: Path) -> Code:
    """Return the code of a file; it is parsed again only if the file has changed."""
    return _parsed(file, file.stat().st_mtime_ns)


def _imports(module: str, file: Path) -> set[str]:
    return _imports_of(parsed(file), _package(module, file))


def _origin_of_offer(name: str) -> list[str]:
    """Return where a name comes from that its package loads when it is first used."""
    module, _, attribute = name.rpartition(".")
    file = _source(module) if module else None
    if file is None:
        return []
    origin = parsed(file).offers(_package(module, file)).get(attribute)
    return _with_parents(origin) if origin else []


def _package(module: str, file: Path) -> str:
    """Return the package in which the relative imports of a module start."""
    return module if file.stem == "__init__" else module.rpartition(".")[0]


@cache
def _imports_of(code: Code, package: str) -> set[str]:
    return code.imports(package)


@cache
def _parsed(file: Path, modified: int) -> Code:
    return Code(file.read_bytes())


def _chain(node: ast.expr) -> tuple[str, ...]:
    """Return ``("a", "b", "c")`` for ``a.b.c``; an empty root for attributes of anything else."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    return (node.id if isinstance(node, ast.Name) else "", *attributes)


def _origin(node: ast.ImportFrom, package: str) -> str:
    """Return the absolute name of the module from which a statement imports."""
    return util.resolve_name("." * node.level + (node.module or ""), package)


def _is_for_type_checkers(node: ast.AST) -> TypeGuard[ast.If]:
    """Return whether a block is read by type checkers only."""
    if not isinstance(node, ast.If):
        return False
    return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _is_a_remark(statement: ast.stmt) -> bool:
    """Return whether a statement is a text that is not used: a docstring."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _source(module: str) -> Path | None:
    """Return the source file of a module, unless it is Python's or installed and not `OURS`."""
    root, *parts = module.split(".")
    file = _root(root, tuple(sys.path))
    return file and _inside(file, tuple(parts))


@cache
def _root(name: str, path: tuple[str, ...]) -> Path | None:
    if name in sys.stdlib_module_names or name == "__main__":
        return None
    try:
        spec = util.find_spec(name)  # for a top-level name this imports nothing
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.has_location or not str(spec.origin).endswith(".py"):
        return None
    file = Path(spec.origin)
    installed = {"site-packages", "dist-packages"} & {*file.parts}
    return file if name in OURS or not installed else None


@cache
def _inside(file: Path, parts: tuple[str, ...]) -> Path | None:
    """Return the source file of the module with these names inside the package of a file."""
    for part in parts:
        if file.stem != "__init__":
            return None
        inside = (file.parent / part / "__init__.py", file.parent / f"{part}.py")
        file = next((candidate for candidate in inside if candidate.exists()), None)
        if file is None:
            return None
    return file


def _with_parents(name: str) -> list[str]:
    return list(accumulate(name.split("."), "{}.{}".format))
