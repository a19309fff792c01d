"""The check of a built site finds what a machine or a moment left, and nothing else."""

import importlib.util
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DAY = date(2026, 3, 9)


@pytest.fixture(scope="module")
def find_traces():
    """The script of the folder .ci, as a module."""
    file = ROOT / ".ci" / "find_traces.py"
    specification = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "text, kind",
    [
        ("made at 14:03:59", "a clock time"),
        ("100%|###| 10/10 [00:03<00:00]", "a clock time"),
        ("3.50it/s", "a clock time"),
        ("12 fit/s", "a clock time"),
        ("on 2026-03-09.", "the day of the build"),
        ("on Mar 09, 2026", "the day of the build"),
        (f"File {ROOT}/replib/x.py", "a path of this machine"),
        (f"{Path.home()}/.cache/x", "a path of this machine"),
        ("at rosalind:8888", "the name of the host"),
        ("", None),
        ("ratio 1:10, chapter 4:03, ISBN 1:02:03:04, 2025-03-09", None),
        (f"https://example.org{ROOT}x and rosalinda", None),
    ],
)
def test_a_trace_is_found_by_its_kind(find_traces, tmp_path, text, kind):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "page.html").write_text(f"<p>{text}</p>")
    (tmp_path / "picture.png").write_bytes(text.encode())
    kinds = find_traces.patterns(ROOT, DAY, "rosalind")
    lines = [*find_traces.traces(tmp_path, kinds)]
    assert [line.split(": ")[1] for line in lines] == ([kind] if kind else [])
    assert all(line.startswith("book/page.html: ") for line in lines)


@pytest.mark.parametrize("host", ["localhost", "vm"])
def test_a_name_that_says_nothing_is_not_searched_for(find_traces, host):
    assert "the name of the host" not in find_traces.patterns(ROOT, DAY, host)


def test_the_day_on_which_a_result_was_stored_is_no_trace(find_traces, tmp_path):
    (tmp_path / "book" / "results").mkdir(parents=True)
    assert "the day of the build" in find_traces.patterns(tmp_path, DAY, "")
    (tmp_path / "book" / "results" / "x.json").write_text('{"stored": "2026-03-09"}')
    assert "the day of the build" not in find_traces.patterns(tmp_path, DAY, "")
