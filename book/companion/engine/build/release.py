"""A release: all published files, made from one commit, with checksums.

Distributions are made from a fresh copy of the commit, so that they contain nothing else; the
wheels are made from the source distributions, so that nothing is missing in these.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from companion.engine.build import citation

_SDIST = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"


class NotReady(Exception):
    """The reason, in one sentence, why a release cannot be made."""


def version(project: Path) -> str:
    """Return the version that a project is ready to release.

    Parameters
    ----------
    project : Path
        A checkout.

    Raises
    ------
    NotReady
        If the checkout has changes that are not committed, the two distributions have different
        versions, or CHANGELOG.md has no entry for the version.
    """
    if changed := _git(project, "status", "--porcelain").splitlines():
        raise NotReady(
            ("1 file differs" if len(changed) == 1 else f"{len(changed)} files differ")
            + f" from the commit, such as {changed[0][3:]}: commit or remove what differs"
        )
    library, book = (
        tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        for folder in (project, project / "book")
    )
    if library != book:
        raise NotReady(f"the versions must be the same, not {library} (replib) and {book} (book)")
    lines = (project / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    if not any(line.split()[:2] == ["##", library] for line in lines):
        raise NotReady(f"CHANGELOG.md must have an entry that begins with '## {library}'")
    return library


def make(
    project: Path, into: Path, release: str, site: Path, notebooks: Path, pdf: Path | None
) -> list[Path]:
    """Make all files of a release.

    Parameters
    ----------
    project : Path
        A checkout without changes.
    into : Path
        Folder for the files, which must not exist.
    release : str
        The version.
    site, notebooks : Path
        Folders of the site and of the executed notebooks.
    pdf : Path, optional
        The whole book on paper.

    Returns
    -------
    list of Path
        The files; the last one has the SHA-256 checksums of the others.

    Raises
    ------
    NotReady
        If the folder already exists, or a distribution cannot be made.
    """
    if into.exists():
        raise NotReady(f"{into} is there already: move or remove it")
    part = into.with_name(f"{into.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    seconds = int(_git(project, "show", "--no-patch", "--format=%ct", "HEAD"))
    when = datetime.fromtimestamp(seconds, UTC)
    name = f"book-{release}"
    source = part / f"{name}-source.tar.gz"
    _git(project, "archive", f"--prefix={name}/", f"--output={source.resolve()}", "HEAD")
    _run(["tar", "-xzf", source.name], part, seconds)
    for folder in (part / name, part / name / "book"):
        _distributions(folder, part, seconds)
    shutil.rmtree(part / name)
    (site / ".nojekyll").touch()  # GitHub Pages would leave out folders such as _static
    _zip(site, part / f"{name}-site.zip", when)
    _zip(notebooks, part / f"{name}-notebooks.zip", when)
    if pdf:
        shutil.copy(pdf, part / f"{name}.pdf")
    about = citation.given(project) | {"version": release, "date-released": when.date()}
    (part / "CITATION.cff").write_text(citation.cff(about), encoding="utf-8")
    (part / "codemeta.json").write_text(citation.codemeta(about, project), encoding="utf-8")
    sums = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}"
        for file in sorted(part.iterdir())
    ]
    (part / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="utf-8")
    part.rename(into)
    return [into / line.split()[1] for line in sums] + [into / "SHA256SUMS"]


def _distributions(folder: Path, into: Path, seconds: int) -> None:
    """Make the source distribution of a folder, and from it the wheel."""
    before = set(into.glob("*.tar.gz"))
    _run([sys.executable, "-c", _SDIST, into.resolve()], folder, seconds)
    [made] = set(into.glob("*.tar.gz")) - before
    _run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
          "--wheel-dir", ".", made.name], into, seconds)


def _run(command: list, folder: Path, seconds: int) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        problem = done.stderr.strip().splitlines()[-1:] or ["it did not say why"]
        raise NotReady(f"a distribution of {folder.name} could not be made: {problem[0]}")


def _zip(folder: Path, file: Path, when: datetime) -> None:
    """Pack a folder such that the same files give the same bytes."""
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            about = ZipInfo(path.relative_to(folder).as_posix(), when.timetuple()[:6])
            about.external_attr = 0o644 << 16
            packed.writestr(about, path.read_bytes(), ZIP_DEFLATED)


def _git(project: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=project, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotReady(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout
