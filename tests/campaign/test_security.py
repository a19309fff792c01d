"""Input from outside is bounded, checked, and never executed."""

import pickle
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from harness import ROOT, Command, is_a_sentence

from companion.engine.build import chapters
from companion.lab import datasets
from companion.lab.datasets import arff_file
from companion.lab.experiments.results import load_results

pytestmark = pytest.mark.campaign
#: What the title of a page becomes if it runs the script.
BROKEN = "broken into"
SCRIPT = f"<script>document.title='{BROKEN}'</script>"


class Dangerous:
    def __reduce__(self):
        return Path.touch, (Path("executed"),)


def test_no_pickle_from_outside(tmp_path, monkeypatch, record):
    monkeypatch.chdir(tmp_path)
    Path("x.json").write_text('{"a": {}}')
    np.savez("x.npz", a=np.array([Dangerous()], dtype=object))
    with pytest.raises(ValueError, match=r"x\.npz"):
        load_results("x")
    Path("x.npz").write_bytes(pickle.dumps(Dangerous()))
    with pytest.raises(ValueError, match=r"x\.npz"):
        load_results("x")
    record("Security", "a pickle in a file of results", 2, 2 * (not Path("executed").exists()),
           "refused, not executed")


BAD_ARFF = {
    "too large": b"@relation a\n" + b"%" * (arff_file.MOST_BYTES + 1),
    "no text": bytes(range(256)),
    "an archive": b"PK\x03\x04" + bytes(100),
    "a web page": b"<html><body>Sign in</body></html>",
    "a million attributes": b"@relation a\n" + b"@attribute a real\n" * 200_000 + b"@data\n",
    "a text attribute": b"@relation a\n@attribute a string\n@attribute b {c}\n@data\nx,c\n",
    "empty": b"",
}


@pytest.mark.parametrize("what", BAD_ARFF)
def test_bad_data_sets(what, tmp_path, record):
    (tmp_path / "iris.arff").write_bytes(BAD_ARFF[what])
    with pytest.raises(ValueError, match=r"iris\.arff") as refusal:
        datasets.read_arff(tmp_path / "iris.arff")
    record("Security", f"a data set that is {what}", 1, int("\n" not in str(refusal.value)),
           "refused by name")


@pytest.fixture(scope="module")
def title():
    """The title of a page after a browser has run its scripts."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("opening a page needs Chromium, which is not installed")

    def of(page: Path) -> str:
        document = subprocess.run(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom",
             "--virtual-time-budget=5000", page.as_uri()],
            capture_output=True, text=True, check=True, timeout=120,
        ).stdout
        return BeautifulSoup(document, "html.parser").title.get_text()

    return of


def test_the_browser_would_be_broken_into(title, tmp_path):
    (tmp_path / "page.html").write_text(f"<title>a page</title><p>{SCRIPT}</p>")
    assert title(tmp_path / "page.html") == BROKEN


def test_a_script_as_a_parameter_is_text(small_book, title, record):
    code, said = Command(small_book, "run", "small", "-p", "word", SCRIPT).ended()
    assert code == 0, said
    page, = small_book.glob("runs/small/*/small.html")
    fine = SCRIPT not in page.read_text() and title(page) != BROKEN
    record("Security", "a script as the value of a text, its page opened in Chromium", 1, int(fine),
           "shown as text")


def test_a_script_as_any_text_of_a_chapter(tmp_path, title, record):
    book = tmp_path / "book"
    shutil.copytree(ROOT, book, ignore=shutil.ignore_patterns(
        ".*", "_build", "runs", "chapters", "__pycache__", "tests",
    ))
    texts = [
        (chapter.name, name) for chapter in chapters.chapters()
        for name, parameter in chapter.parameters.items()
        if parameter.scalar == "str"
    ]
    survived = 0
    for chapter, name in texts:
        code, said = Command(book, "run", chapter, "-p", name, SCRIPT).ended()
        made = list(book.glob(f"runs/{chapter}/*/*.html"))
        fine = is_a_sentence(said) and not any(title(page) == BROKEN for page in made)
        survived += fine
        print(chapter, name, code, said[-500:], *made)
        for page in made:
            page.unlink()
    record("Security", "a script as each text that a chapter takes, pages opened in Chromium",
           len(texts), survived, "shown as text, or refused in a sentence")


def test_a_script_in_a_file_of_scores(tmp_path, title, record):
    scores = np.random.default_rng(1).normal(0.8, 0.02, (100, 2))
    table = pd.DataFrame(scores, columns=[SCRIPT, f"b{SCRIPT}"])
    table.to_csv(tmp_path / "scores.csv", index=False)
    page = tmp_path / "report.html"
    code, said = Command(
        ROOT, "compare", str(tmp_path / "scores.csv"), "--cv", "10x10", "--report", str(page),
    ).ended()
    assert code == 0, said
    record("Security", "scripts as names of classifiers, the report opened in Chromium", 1,
           int(SCRIPT not in page.read_text() and title(page) != BROKEN),
           "shown as text")
