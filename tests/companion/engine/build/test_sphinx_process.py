"""Sphinx in a process of its own: the message when it fails."""

import pytest

from companion.engine.build import sphinx_process
from companion.engine.build.execution import ChapterFailed


@pytest.mark.parametrize(
    "code, text, said",
    [
        (-9, "reading sources", "ended from outside, perhaps for lack of memory"),
        (
            1,
            "fine\na.md:3: WARNING: no label\nfine",
            "without a warning:\na.md:3: WARNING: no label\n",
        ),
        (
            1,
            "fine\nsphinx.errors.ThemeError: none\n",
            "without a warning:\nsphinx.errors.ThemeError",
        ),
    ],
)
def test_what_went_wrong_is_said(tmp_path, code, text, said):
    log = tmp_path / "page.log"
    log.write_text(text)
    with pytest.raises(ChapterFailed) as failure:
        sphinx_process._raise_for(code, log)
    assert said in str(failure.value) and "fine" not in str(failure.value)


def test_a_page_that_is_not_there_is_a_failure(tmp_path):
    with pytest.raises(ChapterFailed, match="could not be made"):
        sphinx_process.make_page(
            tmp_path, "x", tmp_path / "x.ipynb", log=tmp_path / "x.log"
        )


def test_a_fork_that_fails_says_why(tmp_path, monkeypatch, capfd):
    """With nothing that could make a page in the place of what is kept."""
    monkeypatch.setattr(sphinx_process, "_kept", object())
    notebook, log = tmp_path / "x.ipynb", tmp_path / "x.log"
    notebook.write_text("{}")
    with pytest.raises(ChapterFailed, match="has no attribute 'builder'"):
        sphinx_process.make_page(tmp_path, "x", notebook, log=log)
    assert "Traceback" in log.read_text()
    assert capfd.readouterr() == ("", "")


def test_sphinx_that_cannot_be_loaded_is_not_kept(tmp_path):
    log = tmp_path / "x.log"
    with pytest.raises(ChapterFailed, match="Sphinx failed"):
        sphinx_process.keep(tmp_path, "x", tmp_path / "x.ipynb", log=log)
    assert sphinx_process._kept is None and "Traceback" in log.read_text()


def test_on_macos_nothing_is_kept(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(sphinx_process.sys, "platform", "darwin")
    monkeypatch.setattr(
        sphinx_process, "make_page", lambda *page, log: made.append(page)
    )
    page = tmp_path, "x", tmp_path / "x.ipynb"
    sphinx_process.keep(*page, log=tmp_path / "x.log")
    assert made == [page] and sphinx_process._kept is None
