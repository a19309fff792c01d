"""A release from a tiny tree: what it has, and what it refuses."""

import hashlib
import subprocess
import tarfile
from zipfile import ZipFile

import pytest
import yaml
from click.testing import CliRunner

from companion.engine import cli
from companion.engine.build import chapters
from companion.engine.build import release as releases

PYPROJECT = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "{name}"
version = "{version}"
description = "A tiny one"
requires-python = ">=3.11"
dependencies = []
[tool.setuptools.packages.find]
include = ["{package}*"]
[tool.setuptools.package-data]
"{package}" = ["*.csv"]
"""


def git(project, *words):
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words], cwd=project,
        check=True, capture_output=True,
    )


@pytest.fixture
def project(tmp_path):
    project = tmp_path / "project"
    for folder, name, package in ((project, "tiny", "tiny"), (project / "book", "big", "large")):
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").write_text("")
        (folder / package / "data.csv").write_text("a,b\n")
        (folder / "pyproject.toml").write_text(
            PYPROJECT.format(name=name, package=package, version="0.2.0")
        )
    (project / "CHANGELOG.md").write_text("# Changelog\n\n## 0.2.0 (2026-12-01)\n\n- New.\n")
    (project / "_config.yml").write_text('repository: {url: "https://code.example.org/a/b"}\n')
    (project / "CITATION.cff").write_text((chapters.ROOT / "CITATION.cff").read_text())
    git(project, "init", "--quiet")
    commit(project)
    return project


def commit(project):
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "State", "--date", "2026-12-01T12:00:00Z")


@pytest.fixture
def made_from(tmp_path):
    """Folders of a site and of notebooks, and a PDF."""
    for name in ("site/index.html", "site/_static/a.css", "notebooks/01_a.ipynb", "book.pdf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path / "site", tmp_path / "notebooks", tmp_path / "book.pdf"


def test_a_release_has_everything_and_its_checksums(project, made_from, tmp_path):
    (project / "tiny" / "ignored.csv").write_text("not committed")  # must not come along
    files = releases.make(project, tmp_path / "dist", "0.2.0", *made_from)
    names = {file.name for file in files}
    assert names == {
        "tiny-0.2.0.tar.gz", "tiny-0.2.0-py3-none-any.whl", "big-0.2.0.tar.gz",
        "big-0.2.0-py3-none-any.whl", "book-0.2.0-source.tar.gz", "book-0.2.0-site.zip",
        "book-0.2.0-notebooks.zip", "book-0.2.0.pdf", "CITATION.cff", "codemeta.json", "SHA256SUMS",
    }
    folder = tmp_path / "dist"
    assert {file.name for file in folder.iterdir()} == names
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    with ZipFile(folder / "big-0.2.0-py3-none-any.whl") as wheel:
        assert {"large/__init__.py", "large/data.csv"} <= set(wheel.namelist())
    with ZipFile(folder / "tiny-0.2.0-py3-none-any.whl") as wheel:
        assert "tiny/ignored.csv" not in wheel.namelist()
    with ZipFile(folder / "book-0.2.0-site.zip") as site:
        assert site.namelist() == [".nojekyll", "_static/a.css", "index.html"]
    with tarfile.open(folder / "book-0.2.0-source.tar.gz") as source:
        assert "book-0.2.0/book/large/data.csv" in source.getnames()
    cited = yaml.safe_load((folder / "CITATION.cff").read_text())
    assert cited["version"] == "0.2.0" and cited["repository-code"] == "https://code.example.org/a/b"
    when = subprocess.run(["git", "show", "-s", "--format=%cs"], cwd=project, capture_output=True)
    assert str(cited["date-released"]) == when.stdout.decode().strip()
    site, notebooks, _ = made_from
    again = releases.make(project, tmp_path / "again", "0.2.0", site, notebooks, None)
    assert {file.name for file in again} == names - {"book-0.2.0.pdf"}
    for file in again:  # the same commit gives the same bytes
        if file.name.endswith((".zip", ".whl", ".json", ".cff", "-source.tar.gz")):
            assert file.read_bytes() == (folder / file.name).read_bytes(), file.name


def test_a_project_is_ready(project):
    assert releases.version(project) == "0.2.0"


@pytest.mark.parametrize("file, text, is_committed, words", [
    ("tiny/new.py", "", False, "1 file differs from the commit, such as tiny/new.py: commit"),
    ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n", False, "such as CHANGELOG.md: commit"),
    ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.2.01\n", True, "begins with '## 0.2.0'"),
    ("book/pyproject.toml", PYPROJECT.format(name="b", package="l", version="0.1.9"), True,
     "not 0.2.0 (replib) and 0.1.9 (book)"),
], ids=["a new file", "a changed file", "no entry", "two versions"])
def test_what_is_not_ready_is_refused_in_a_sentence(project, file, text, is_committed, words):
    (project / file).write_text(text)
    if is_committed:
        commit(project)
    with pytest.raises(releases.NotReady, match="^[^\n]*$") as refusal:
        releases.version(project)
    assert words in str(refusal.value)


def test_a_folder_that_exists_is_kept(project, made_from, tmp_path):
    with pytest.raises(releases.NotReady, match="is there already: move or remove it"):
        releases.make(project, made_from[0], "0.2.0", *made_from)
    assert (made_from[0] / "index.html").exists()


def test_a_tree_that_cannot_be_built_is_refused_in_a_sentence(project, made_from, tmp_path):
    (project / "book" / "pyproject.toml").write_text("[project]\nname = 3\n")
    commit(project)
    with pytest.raises(releases.NotReady, match="^a distribution of book could not be made: .+$"):
        releases.make(project, tmp_path / "dist", "0.2.0", *made_from)
    assert not (tmp_path / "dist").exists()


def test_outside_git_nothing_is_released(tmp_path):
    with pytest.raises(releases.NotReady, match="^git status failed: "):
        releases.version(tmp_path)


def test_verdicts_that_fell_are_not_released(project, monkeypatch, tmp_path):
    committed = tmp_path / "ledger.csv"
    rows = cli.pd.read_csv(cli.COMMITTED)
    holds = rows.index[rows["verdict"] == "holds"][0]
    committed.write_text(rows.to_csv(index=False))
    rows.loc[holds, "verdict"] = "differs"
    monkeypatch.setattr(cli, "COMMITTED", committed)
    monkeypatch.setattr(cli, "_require_chapters", lambda: None)
    monkeypatch.setattr(cli, "current_rows", lambda: None)
    monkeypatch.setattr(cli.ledger, "assess", lambda _: rows.set_index("id"))
    monkeypatch.setattr(cli.releases, "version", lambda _: "0.2.0")
    answer = CliRunner().invoke(cli.main, ["release", "--into", str(tmp_path / "dist")])
    assert answer.exit_code == 1 and not (tmp_path / "dist").exists()
    assert answer.stderr == (
        "Error: 1 verdict is worse than the committed one, such as "
        f"{rows.loc[holds, 'id']}\n"
    )
