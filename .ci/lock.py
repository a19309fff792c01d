"""Write the lists of packages, requirements*.txt: for all systems and Pythons, with hashes.

A list keeps the versions that it has; with the option ``--upgrade`` it takes the newest
ones.  The lists for courses and tests hold only what they add to the list of the book.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAD = """\
# For all systems and Pythons, with the hash of every file that may be installed; made by
#     make requirements
"""

_BOTH = ("pyproject.toml", "book/pyproject.toml")
#: What each list is made from, and the lists that it adds to.
LISTS = {
    "requirements-uv.txt": (["--group=install"], []),
    "requirements.txt": ([*_BOTH, "--extra=report"], []),
    "requirements-course.txt": (
        [*_BOTH, "--extra=report", "--extra=lab", "--extra=course"],
        ["requirements.txt"],
    ),
    "requirements-test.txt": (
        [*_BOTH, "--all-extras"],
        ["requirements.txt", "requirements-course.txt"],
    ),
}

#: The library is in this checkout, and is not a package of an index.
WITHOUT_REPLIB = "replib; python_version < '3'\n"

#: A pinned package with its markers, and the lines that belong to it.
_ENTRY = re.compile(r"(?m)^([a-z0-9].*?) *\\\n(?: .*\n)+")


def lock(name: str, options: list[str]) -> None:
    """Write a list, given options of ``uv pip compile``."""
    sources, bases = LISTS[name]
    constraints = [f"--constraints={base}" for base in bases]
    resolve(name, [*sources, *constraints, *options])
    in_bases = {entry[1] for base in bases for entry in entries(base)}
    added = [entry[0] for entry in entries(name) if entry[1] not in in_bases]
    includes = [f"-r {base}\n" for base in bases]
    text = HEAD + "".join([*includes, *added])
    (ROOT / name).write_text(text, encoding="utf-8")


def resolve(name: str, options: list[str]) -> None:
    """Let uv write a list of all packages, including those of the lists that it adds to."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header"]
    command += ["--universal", "--python-version=3.11", "--generate-hashes"]
    command += ["--override=-", f"--output-file={name}", *options]
    subprocess.run(command, cwd=ROOT, input=WITHOUT_REPLIB, text=True, check=True)


def entries(name: str) -> list[re.Match[str]]:
    """Return the packages of a list: the pin with its markers, and the whole entry."""
    return [*_ENTRY.finditer((ROOT / name).read_text(encoding="utf-8"))]


if __name__ == "__main__":
    for name in LISTS:
        lock(name, sys.argv[1:])
