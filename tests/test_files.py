"""Files are written whole or not at all."""

import io
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from replib._files import say, write


def test_writing_replaces_whole_files_only(tmp_path):
    target = tmp_path / "report.html"
    assert write(target, "one").read_text() == "one"
    assert target.stat().st_mode & 0o777 == 0o666 & ~os.umask(os.umask(0o22))
    with ThreadPoolExecutor(4) as pool:  # no two threads share a temporary file
        names = [tmp_path / f"{i}.txt" for i in range(200)]
        list(pool.map(lambda path: write(path, path.stem * 999), names))
    assert all(path.read_text() == path.stem * 999 for path in names)


def test_what_cannot_be_written_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    for name in ("", "missing/a.txt", "loop", "loop/a.txt"):
        with pytest.raises(ValueError, match="cannot write"):
            write(tmp_path / name, "x")
    with pytest.raises(ValueError, match="cannot write"):
        write(tmp_path / "a.txt", "\ud800")
    assert os.listdir(tmp_path) == ["loop"]
    assert (tmp_path / "loop").is_symlink()
    assert write("/dev/null", "x")


def test_text_for_terminals():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    say("−0.5 ± 0.1 ☃", stream)
    assert stream.buffer.getvalue() == b"-0.5 +- 0.1 \\u2603\n"
    with pytest.raises(OSError, match="closed"):
        say("x", None)
