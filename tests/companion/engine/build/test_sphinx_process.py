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


@pytest.mark.parametrize("has_sphinx", [False, True])
def test_a_page_that_is_not_there_is_a_failure(tmp_path, monkeypatch, has_sphinx):
    monkeypatch.setattr(sphinx_process, "_has_sphinx", has_sphinx)
    with pytest.raises(ChapterFailed, match="could not be made"):
        sphinx_process.make(
            "page", tmp_path, tmp_path, tmp_path / "x.ipynb", log=tmp_path / "x"
        )
