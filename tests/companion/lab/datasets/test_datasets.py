"""The 27 data sets: Weka's, or an error that says what is different."""

import shutil

import pandas as pd
import pytest
from weka_and_openml import EVERY_NAME, same

from companion.lab import datasets
from companion.papers import published


@pytest.mark.parametrize("name", EVERY_NAME)
def test_as_the_file_has_it(name, folder, weka):
    same(datasets.load(name), datasets.read_arff(folder / f"{name}.arff"))


def test_names_are_those_of_the_paper():
    """Table 1 counts the class as an attribute in three rows, and the classes that occur."""
    printed = published.cells("bouckaert_frank2004.tab01")
    printed = printed[printed["unit"] != "count of 10"]
    known = datasets.table().loc[list(datasets.names())].set_index("paper_name")
    rows = printed[printed["row"].isin(known.index)]
    assert rows["row"].drop_duplicates().tolist() == known.index.tolist()
    key = rows["cell_id"].str.rsplit(".", n=1).str[-1]
    value = lambda part: rows[key.str.contains(part)].set_index("row")["value"]
    assert (value("instances") == known["instances"]).all()
    assert (value("classes") == known["classes_present"]).all()
    surplus = value("attributes") - known["numeric"] - known["nominal"]
    assert surplus[surplus != 0].to_dict() == {
        "arrhythmia": 1,
        "credit-rating": 1,
        "ecoli": 1,
    }


def test_zoo_without_the_name_of_the_animal(weka, tmp_path, monkeypatch, folder):
    zoo, noname = datasets.load("zoo"), datasets.load("zoo-noname")
    pd.testing.assert_frame_equal(zoo.X.drop(columns="animal"), noname.X)
    shutil.copy(folder / "zoo.arff", tmp_path)
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    same(datasets.load("zoo-noname"), noname)


def test_bad_names(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="name must be one of 'anneal', .* not 'Iris'"):
        datasets.load("Iris")
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path / "absent"))
    with pytest.raises(ValueError, match="REPLIB_DATA must name a folder"):
        datasets.load("iris")


@pytest.mark.parametrize(
    "lines, sentence",
    [
        (["1,x,2"], "line 4, must have 2 values, not 3"),
        (["1"], "line 4, must have 2 values, not 1"),
        (["one,x"], "line 4, attribute 'n' must have a number, not 'one'"),
        (["1,x", "1_000,x"], "line 5, attribute 'n' must have a number, not '1_000'"),
        (["nan,x"], "line 4, attribute 'n' must have a number, not 'nan'"),
        (["1,z"], "line 4, attribute 'y z' must have a declared value, not 'z'"),
        (["1,'x"], 'line 4, must have values between commas, not "\'x"'),
        (["{0 1}"], "line 4, must have values between commas, not '{0 1}'"),
        ([",x"], "line 4, must have values between commas, not ',x'"),
        (["1,'x'y"], "line 4, must have values between commas, not \"'x'y\""),
    ],
    ids=[
        "more",
        "fewer",
        "a word",
        "underscore",
        "nan",
        "undeclared",
        "an open quote",
        "sparse",
        "empty",
        "two in one",
    ],
)
def test_wrong_rows_are_refused_by_line(lines, sentence, tmp_path):
    file = tmp_path / "a.arff"
    head = "@attribute n REAL", "@attribute 'y z' {x, \"?\"}", "@DATA"
    file.write_text("\n".join([*head, *lines]))
    with pytest.raises(ValueError) as refusal:
        datasets.read_arff(file)
    assert str(refusal.value) == f"a.arff is not an ARFF file: {sentence}"


DECLARES_NOTHING = "must declare an attribute, or begin the data with @data"


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("@relation a\n@attribute n real\n", "it has no line @data"),
        (
            "@attribute n date\n@data\n",
            "line 1, attribute 'n' must be nominal or numeric, not date",
        ),
        (
            "@attribute n real\n% a\n@attribute n real\n@data\n",
            "line 3, attribute 'n' is declared twice",
        ),
        ("<html>", f"line 1, {DECLARES_NOTHING}"),
        (
            "@attribute '' real\n@attribute '' real\n@data\n",
            "line 2, attribute '' is declared twice",
        ),
        ("@attribute n {a, b\n@data\n", f"line 1, {DECLARES_NOTHING}"),
    ],
)
def test_wrong_declarations_are_refused_by_line(text, sentence, tmp_path):
    (tmp_path / "a.arff").write_text(text)
    with pytest.raises(ValueError) as refusal:
        datasets.read_arff(tmp_path / "a.arff")
    assert str(refusal.value) == f"a.arff is not an ARFF file: {sentence}"
