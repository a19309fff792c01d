"""What a stranger gets: wheels with their data, and the first screen of README, which runs."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
import yaml

import replib
from replib import methods
from replib._presentation.markup import as_markdown

ROOT = Path(__file__).resolve().parents[1]
#: The book's and the library's, which a package index shows.
READMES = {
    folder: (ROOT / folder / "README.md").read_text(encoding="utf-8")
    for folder in (".", "replib")
}
#: What the library needs, and what those packages need.
WITH_IT = {
    "cloudpickle",
    "joblib",
    "narwhals",
    "numpy",
    "pandas",
    "python-dateutil",
    "pytz",
    "replib",
    "scikit-learn",
    "scipy",
    "six",
    "threadpoolctl",
    "tqdm",
    "tzdata",
}


def run(*command, folder):
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Wheels of both distributions, made from a copy: setuptools leaves its work beside them."""
    folder = tmp_path_factory.mktemp("wheels")
    for name in ("replib", "book"):
        shutil.copytree(ROOT / name, folder / "source" / name)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder / "source")
    for source in ("source", "source/book"):
        run(
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "--wheel-dir",
            folder,
            f"./{source}",
            folder=folder,
        )
    return folder


@pytest.mark.slow
def test_the_wheels_have_their_data(wheels):
    for name, files in {
        f"replib-{replib.__version__}-*.whl": [
            "licenses/LICENSE",
            "replib/py.typed",
            "replib/data/evidence.csv",
            "replib/data/report.html",
            "replib/data/names/nouns.toml",
        ],
        f"replib_book-{replib.__version__}-*.whl": [
            "licenses/LICENSE",
            "published/cells.csv",
            "networks/networks.json",
            "datasets/fingerprints.csv",
            "templates/card.html",
        ],
    }.items():
        (wheel,) = wheels.glob(name)
        inside = ZipFile(wheel).namelist()
        for file in files:
            assert any(name.endswith(file) for name in inside), file
    assert next(wheels.glob("replib-*.whl")).stat().st_size < 1_000_000


@pytest.mark.slow
def test_the_first_screen_of_the_readme_runs_where_nothing_else_is_installed(
    wheels, tmp_path
):
    (wheel,) = wheels.glob("replib-*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", "empty", folder=tmp_path)
    python = tmp_path / "empty" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python)
    install = (*pip, "install", "--quiet", "--no-compile")
    run(*install, wheel, folder=tmp_path)
    listed = run(*pip, "list", "--format=freeze", folder=tmp_path)
    assert {
        re.split("==| @ ", line)[0].lower() for line in listed.splitlines()
    } <= WITH_IT
    done = subprocess.run(
        [tmp_path / "empty" / "bin" / "replib", "list"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "belongs to the book: install it" in done.stderr

    run(*install, f"{wheel}[report]", folder=tmp_path)
    blocks = re.findall(
        r"```(bash|python)\n(.*?)```", READMES["replib"], flags=re.DOTALL
    )
    calls = [
        line.split("#")[0].split()
        for language, text in blocks
        if language == "bash"
        for line in text.splitlines()
        if line.startswith("replib compare")
    ]
    for name, table in own_files().items():
        table.to_csv(tmp_path / name, index=False)
    for _, *words in calls:
        assert run(python.with_name("replib"), *words, folder=tmp_path).strip()
    assert calls and (tmp_path / "report.html").exists()
    example, printed = example_of(READMES["replib"])
    assert run(python, "-c", example, folder=tmp_path) == printed
    _, board = re.findall(r"```python\n(.*?)```", READMES["replib"], flags=re.DOTALL)
    assert "begin{tabular}" in run(python, "-c", board, folder=tmp_path)
    assert (tmp_path / "ranks.pdf").stat().st_size


def own_files():
    """Return the tables that the page of the package speaks of, by the names of their files."""
    rng = np.random.default_rng(1)
    splits = pd.DataFrame(rng.normal([0.85, 0.8], 0.03, size=(100, 2)))
    runs = pd.DataFrame(
        {
            "model": np.repeat(["adam", "sgd"], 5),
            "seed": [*range(5)] * 2,
            "val_acc": rng.normal(0.9, 0.01, 10),
        }
    )
    right = rng.random((200, 30)) < np.linspace(0.5, 0.9, 30)
    answers = pd.DataFrame(right.astype(int)).add_prefix("system ")
    return {
        "scores.csv": splits.set_axis(["tree", "bayes"], axis=1),
        "runs.csv": runs,
        "answers.csv": answers.assign(question_id=[f"q{i}" for i in range(200)]),
    }


def example_of(readme):
    """Return the first example of a README in Python, and what it is said to print."""
    found = re.search(
        r"```python\n(.*?)```\n\nprints\n\n```text\n(.*?)```", readme, re.DOTALL
    )
    return found.groups()


def test_both_readmes_show_one_example_and_what_it_prints(capsys):
    example, printed = example_of(READMES["."])
    assert example_of(READMES["replib"]) == (example, printed)
    exec(example, {})
    assert capsys.readouterr().out == printed


def test_the_page_of_the_package_recommends_what_the_library_does():
    table = methods.decision_table().rename_axis("trainings")
    assert as_markdown(table) in READMES["replib"]


def test_the_page_of_the_package_stands_alone():
    """A package index shows neither files beside the README nor addresses that are empty."""
    assert not re.search(r"\]\((?!https?:)", READMES["replib"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    configuration = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    addresses = {
        "Repository": configuration["repository"]["url"],
        "Documentation": configuration["html"]["baseurl"],
    }
    assert project.get("urls", {}) == {k: v for k, v in addresses.items() if v}
    words = project["description"] + " ".join(project["keywords"])
    for term in ("corrected t test", "Nadeau-Bengio", "McNemar", "error bars"):
        assert term in words


def test_the_lists_of_packages_hold_what_they_add():
    installed = set()
    for name in (
        "requirements.txt",
        "requirements-course.txt",
        "requirements-test.txt",
    ):
        text = (ROOT / name).read_text(encoding="utf-8")
        pins = re.findall(r"(?m)^[a-z0-9].*==\S+.*?(?= \\$)", text)
        assert pins and not installed & {*pins}, name
        assert name == "requirements.txt" or "-r requirements.txt\n" in text
        installed |= {*pins}


def test_javascript_has_at_most_100_columns():
    """As prettier writes it; what others wrote (KaTeX, reveal.js) is as they published it."""
    scripts = [*ROOT.glob("book/_static/*.js"), *ROOT.glob("book/companion/**/*.js")]
    assert len(scripts) > 10
    for script in scripts:
        for number, line in enumerate(script.read_text().splitlines(), 1):
            assert len(line) <= 100, f"{script.relative_to(ROOT)}:{number}"


WORKFLOWS = {
    file.stem: yaml.safe_load(file.read_text(encoding="utf-8"))
    for file in (ROOT / ".github" / "workflows").glob("*.yml")
}


def test_the_workflows_call_commands_that_there_are():
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"(?m)^([\w -]+):", makefile.replace(".PHONY:", ""))
    known = {name for line in targets for name in line.split()}
    called = {step["run"] for step in _steps() if "run" in step}
    makes = {line.split()[1] for line in called if line.startswith("make ")}
    assert {"test-all", "test-lowest", "book", "dist"} <= makes <= known
    assert ".ci/run" in called
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert set(re.findall(r"(?m)^make ([\w-]+)", script)) <= known


def test_only_the_release_of_a_tag_may_write():
    for workflow in WORKFLOWS.values():
        assert workflow["permissions"] == {"contents": "read"}
    rights = {
        job: settings.get("permissions", {})
        for workflow in WORKFLOWS.values()
        for job, settings in workflow["jobs"].items()
    }
    assert {job for job in rights if "write" in rights[job].values()} == {"release"}
    assert "release" in WORKFLOWS["release"]["jobs"]
    trigger = WORKFLOWS["release"][True]  # YAML reads the word on as true
    assert trigger == {"push": {"tags": ["v*"]}}


def test_actions_are_pinned_and_leave_no_credentials():
    for step in _steps():
        action = step.get("uses", "")
        assert re.fullmatch(r"(actions/[\w-]+@[0-9a-f]{40})?", action)
        if action.startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def _steps():
    jobs = [job for workflow in WORKFLOWS.values() for job in workflow["jobs"].values()]
    return [step for job in jobs for step in job["steps"]]
