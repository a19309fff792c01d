"""What comes from outside is bounded, checked, and never executed."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from harness import Command

from replib import datasets
from replib.datasets import arff_file
from replib.experiments.results import load_results

pytestmark = pytest.mark.campaign
SCRIPT = "<script>document.title='broken into'</script>"


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


def test_html_of_parameters_is_text(small_book, record):
    command = Command(small_book, "run", "small", "-p", "word", SCRIPT)
    code, said = command.ended()
    assert code == 0, said
    page, = small_book.glob("runs/small/*/small.html")
    record("Security", "a script as the value of a text parameter", 1,
           int(SCRIPT not in page.read_text()), "shown as text")
