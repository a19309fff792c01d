"""The command `data`: which data sets are available."""

import re
import shutil
from urllib.error import URLError

from click.testing import CliRunner

from companion.engine.cli import main
from companion.lab import datasets


def test_data_command(weka):
    result = CliRunner().invoke(main, ["data"])
    assert result.exit_code == 0, result.output
    for name in datasets.names():
        assert re.search(rf"^{re.escape(name)} ", result.stdout, re.M)
    assert (
        "German credit" in result.stdout
        and "all 27 data sets are here" in result.stdout
    )


def test_data_command_refuses_what_is_no_folder(monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, "no such folder")
    result = CliRunner().invoke(main, ["data"])
    assert result.exit_code == 2 and "REPLIB_DATA must name a folder" in result.stderr


def test_data_command_says_what_is_missing(folder, openml, monkeypatch, tmp_path):
    shutil.copy(folder / "iris.arff", tmp_path)
    glass = (folder / "glass.arff").read_text().replace("1.51793", "1.51794", 1)
    (tmp_path / "glass.arff").write_text(glass)
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))

    openml.failure = URLError("no network")
    result = CliRunner().invoke(main, ["data"])
    assert result.exit_code == 1
    assert re.search(r"^iris .*iris\.arff$", result.stdout, re.M)
    assert re.search(r"^glass .*other cells$", result.stdout, re.M)
    assert re.search(r"^colic .*not here$", result.stdout, re.M)
    assert "Error: 26 of 27 data sets are not here" in result.stderr
    assert "REPLIB_DATA" in result.stderr
