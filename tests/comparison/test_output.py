"""Results on their way out: files, terminals, pipes and signals."""

import fcntl
import io
import json
import os
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replib.comparison import output, scores_file
from replib.comparison.command import main

RNG = np.random.default_rng(12)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.csv"
    a, b = RNG.normal([[0.9], [0.8]], 0.03, (2, 20))
    scores = pd.DataFrame({"=tree()": a, "bay\x1bes": b})
    scores.to_csv(path, index=False)
    return path


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "replib", "compare", *map(str, arguments)], text=True,
        stderr=subprocess.PIPE, check=False, **{"stdout": subprocess.PIPE} | options,
    )


def test_a_file_is_replaced_as_a_whole_or_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "result"
    assert output.write(path, "first") == path
    assert output.write("/dev/null", "first") == Path("/dev/null")

    def fail(*_):
        raise OSError(28, "full")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(ValueError, match="cannot write .*result: full"):
        output.write(path, "second")
    assert path.read_text() == "first" and os.listdir(tmp_path) == ["result"]


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    output.write(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_text() == "text"


@pytest.mark.parametrize("target, why", [
    ("no/file", "there is no folder no"), (".", "it is a folder"), ("\0", "must be the name"),
])
def test_what_cannot_be_written_is_said(target, why, tmp_path):
    with pytest.raises(ValueError, match=why):
        output.write(str(tmp_path / target), "text")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_and_a_full_terminal_get_a_sentence(file, capsys):
    assert main([str(file), "--cv", "2x10", "--json", "/dev/full"]) == 2
    assert capsys.readouterr().err == "Error: cannot write /dev/full: No space left on device\n"
    with open("/dev/full", "w") as full:
        done = run(file, "--cv", "2x10", stdout=full)
    assert done.returncode == 2
    assert done.stderr == "Error: cannot write the result: No space left on device\n"


@pytest.mark.slow
def test_a_closed_pipe_gets_a_sentence(file):
    reading, writing = os.pipe()
    os.close(reading)
    done = run(file, "--cv", "2x10", stdout=writing)
    os.close(writing)
    assert done.returncode == 2 and done.stderr == "Error: cannot write the result: Broken pipe\n"


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-8"])
def test_every_terminal_can_show_a_result(encoding):
    raw = io.BytesIO()
    output.say("−0.5 × tree … Bäume", stream := io.TextIOWrapper(raw, encoding=encoding))
    stream.flush()
    said = raw.getvalue().decode(encoding).strip()
    assert said == {
        "latin-1": "-0.5 x tree ... Bäume", "ascii": "-0.5 x tree ... B\\xe4ume",
        "utf-8": "−0.5 × tree … Bäume",
    }[encoding]


def test_names_are_harmless_on_a_terminal_and_in_a_spreadsheet(file, tmp_path, capsys):
    table, numbers, page = (tmp_path / name for name in ("all.csv", "all.json", "page.html"))
    files = ["--csv", str(table), "--json", str(numbers), "--report", str(page)]
    assert main([str(file), "--cv", "2x10", *files]) == 0
    for text in (capsys.readouterr().out, *(one.read_text("utf-8") for one in (table, page))):
        assert "\x1b" not in text and "bay\\x1bes" in text
    assert "\n'=tree()," in table.read_text("utf-8")
    assert "\x1b" not in json.dumps(json.loads(numbers.read_text("utf-8")), ensure_ascii=False)


@pytest.mark.parametrize("options", [
    ["--csv", "scores.csv"], ["--report", "./scores.csv"], ["--json", "link"], ["--csv", "hard"],
])
def test_the_scores_are_never_written_over(options, file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    os.symlink("scores.csv", "link")
    os.link("scores.csv", "hard")
    before = file.read_bytes()
    assert main(["scores.csv", "--cv", "2x10", *options]) == 2
    assert "names the file of scores itself" in capsys.readouterr().err
    assert file.read_bytes() == before


@pytest.mark.parametrize("path, why", [
    ("/dev/zero", "is a device"), ("/dev", "is a folder"), ("/no/such/file", "No such file"),
])
def test_what_is_not_a_file_is_not_read(path, why):
    with pytest.raises(ValueError, match=why):
        scores_file.read(path)


def test_a_large_file_is_not_read(tmp_path):
    path = tmp_path / "scores.csv"
    with path.open("wb") as sparse:
        sparse.truncate(3 * 10**9)
    with pytest.raises(ValueError, match="more than 10 MB"):
        scores_file.read(path)


def test_a_pipe_is_read_and_an_idle_one_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(scores_file, "_PATIENCE", 0.5)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="is a pipe, and for 0.5 seconds no program"):
        scores_file.read(tmp_path / "pipe")
    writer = subprocess.Popen(["sh", "-c", f"printf 'a,b\\n.9,.8\\n' > {tmp_path}/pipe"])
    assert list(scores_file.read(tmp_path / "pipe").scores) == ["a", "b"]
    assert writer.wait() == 0


@pytest.mark.slow
def test_ctrl_c_gets_a_sentence(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    program = subprocess.Popen(
        [sys.executable, "-m", "replib", "compare", str(tmp_path / "pipe"), "--cv", "2x10"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # a command in the background, as the tests may be, ignores the signal and hands that down
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    held = os.open(tmp_path / "pipe", os.O_WRONLY)  # opens when the program does, and stays open
    os.write(held, b"tree,forest\n")
    while int.from_bytes(fcntl.ioctl(held, termios.FIONREAD, bytes(4)), sys.byteorder):
        time.sleep(0.05)  # until the program has read it, and waits for more
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    os.close(held)
    assert (program.returncode, out, err) == (130, "", "Error: interrupted: nothing was written\n")
