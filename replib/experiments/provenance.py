"""Where a number came from: the source that computed it, the packages, the machine."""

import ast
import hashlib
import platform
import subprocess
from functools import cache
from importlib import metadata, util
from pathlib import Path

import replib

#: Packages of which a version can change the numbers: name in Python, name of the distribution.
PACKAGES = {
    "numba": "numba",
    "numpy": "numpy",
    "pandas": "pandas",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
}

#: Endings of the files beside a package that count as its source.
DATA = {".csv", ".json"}


def source_digest(module: str) -> str:
    """Hash of a module's source and of all that it imports from its own package and from `replib`.

    Imports inside functions count too, and so do the data (`DATA`) beside an imported package.
    What a module imports under a name made at run time is not seen.  Modules of `PACKAGES` are left
    out: their versions tell them apart.

    Parameters
    ----------
    module : str
        Dotted name of a module that has a source file.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    ValueError
        If there is no such module, or it has no source file.

    Examples
    --------
    >>> len(source_digest("replib.experiments.provenance"))
    64
    """
    if _source(module) is None:
        raise ValueError(f"{module} is no module with a source file")
    own = {module.split(".")[0], replib.__name__} - PACKAGES.keys()
    waiting, sources = [module], {}
    while waiting:
        name = waiting.pop()
        if name.split(".")[0] in own and name not in sources and (file := _source(name)):
            sources[name] = file
            waiting += _imported(name, file)
    digest = hashlib.sha256()
    for name, source in sorted(sources.items()):
        beside = source.parent.iterdir() if source.stem == "__init__" else []
        data = sorted(file for file in beside if file.suffix in DATA)
        for file in [source, *data]:
            digest.update(f"{name} {file.name}\n".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def package_versions() -> dict[str, str]:
    """Versions of Python and of the installed `PACKAGES`.

    Examples
    --------
    >>> package_versions()["python"] == platform.python_version()
    True
    """
    versions = {"python": platform.python_version()}
    for package in PACKAGES.values():
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return versions


@cache
def code_version() -> str:
    """The commit of this checkout (``-dirty`` if it has changes), or the release of `replib`."""
    here = Path(__file__)

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=here.parent, capture_output=True, text=True, check=True
        ).stdout.strip()

    try:
        git("ls-files", "--error-unmatch", here.name)  # an installed copy is in no checkout of ours
        return git("describe", "--always", "--dirty")
    except (OSError, subprocess.CalledProcessError):
        return replib.__version__


def machine() -> str:
    """System, processor and Python implementation, such as ``Linux x86_64, CPython``."""
    return f"{platform.system()} {platform.machine()}, {platform.python_implementation()}"


def _source(module: str) -> Path | None:
    """Source file of a module; None if the name is not a module's or has no file."""
    try:
        spec = util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.has_location or not str(spec.origin).endswith(".py"):
        return None
    return Path(spec.origin)


def _imported(module: str, file: Path) -> set[str]:
    """Names that a module imports, and that may be modules, with the packages they are in."""
    package = module if file.stem == "__init__" else module.rpartition(".")[0]
    names = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = util.resolve_name("." * node.level + (node.module or ""), package)
            names.update(f"{origin}.{alias.name}" for alias in node.names)
    return {parent for name in names for parent in _with_parents(name)}


def _with_parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]
