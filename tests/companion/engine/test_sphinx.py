"""Sphinx in a process of its own: what is said of one that failed, and that none is left over."""

import signal

import pytest

from companion.engine import sphinx
from companion.engine.execution import ChapterFailed


@pytest.mark.parametrize("code, text, said", [
    (-9, "reading sources", "ended from outside, perhaps for want of memory"),
    (1, "fine\na.md:3: WARNING: no label\nfine", "without a warning:\na.md:3: WARNING: no label\n"),
    (1, "fine\nsphinx.errors.ThemeError: none\n", "without a warning:\nsphinx.errors.ThemeError"),
])
def test_what_went_wrong_is_said(tmp_path, code, text, said):
    log = tmp_path / "page.log"
    log.write_text(text)
    with pytest.raises(ChapterFailed) as failure:
        sphinx._raise_for(code, log)
    assert said in str(failure.value) and "fine" not in str(failure.value)


@pytest.fixture
def begun(monkeypatch):
    """The processes that were started."""
    processes, popen = [], sphinx.subprocess.Popen

    def remember(*args, **options):
        processes.append(popen(*args, **options))
        return processes[-1]

    monkeypatch.setattr(sphinx.subprocess, "Popen", remember)
    return processes


def test_a_process_that_is_given_nothing_to_make_ends(begun, tmp_path):
    log = tmp_path / "logs" / "page.log"
    with pytest.raises(KeyboardInterrupt), sphinx.started(log):
        raise KeyboardInterrupt
    [process] = begun
    assert process.returncode == -signal.SIGKILL
    assert log.read_text() == ""


def test_one_that_was_killed_before_it_was_asked_is_a_failure(begun, tmp_path):
    with sphinx.started(tmp_path / "page.log") as make:
        begun[0].kill()
        begun[0].wait()
        with pytest.raises(ChapterFailed, match="ended from outside"):
            make("site", tmp_path)
