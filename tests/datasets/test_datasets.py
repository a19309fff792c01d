"""The 27 data sets: Weka's, or an error that says what is different."""

import gzip
import hashlib
import io
import json
import re
import shutil
import threading
import urllib.request
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from click.testing import CliRunner

from replib import datasets
from replib.book.cli import main
from replib.datasets.fingerprint import verified
from replib.papers import published

EVERY_NAME = (*datasets.names(), "zoo")
# One of each trap: the value '?', absent classes, quotes and blanks, a range, a string-like number.
TRAPS = ("anneal", "glass", "breast-w", "credit-g", "vehicle", "labor", "zoo", "zoo-noname")


@pytest.fixture(scope="module")
def folder(shared) -> Path:
    return shared / "uci"


@pytest.fixture
def weka(folder, monkeypatch):
    """Read from the folder of Weka's files."""
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(folder))


class OpenML:
    """Answers scikit-learn's requests from ARFF texts, so that its own reading is tested too."""

    def __init__(self):
        self.files, self.asked = {}, []

    def publish(self, name, version, text, *, target, ignored=()):
        number = 100 * (len(self.files) + 1)
        self.files[number] = (name, version, text, target, ignored)

    def __call__(self, request, *_, **__):
        path = urlsplit(request.full_url).path
        self.asked.append(path)
        answer = self._answer(path)
        if answer is None:
            raise HTTPError(request.full_url, 412, "no such data set", {}, io.BytesIO())
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        response = io.BytesIO(gzip.compress(content))
        response.info = lambda: {"Content-Encoding": "gzip"}
        return response

    def _answer(self, path):
        if asked := re.search(r"/data_name/([^/]+)/.*data_version/(\d+)(.*)", path):
            return next(
                ({"data": {"dataset": [{"did": number, "name": name, "version": version}]}}
                 for number, (name, version, *_) in self.files.items()
                 if (name, version) == (asked[1], int(asked[2])) and not asked[3]), None)
        number = int(re.search(r"\d+$", path)[0]) if not path.endswith(".arff") else None
        if number is None or "/download" in path:
            number = int(re.search(r"(\d+)(\.arff)?$", path)[1])
            return self.files[number][2].encode()
        name, version, text, target, ignored = self.files[number]
        if "/features/" in path:
            return {"data_features": {"feature": [
                {"index": str(i), "name": a, "data_type": kind, "number_of_missing_values": "0",
                 "is_target": str(a == target).lower(), "is_ignore": str(a in ignored).lower(),
                 "is_row_identifier": "false"}
                for i, (a, kind) in enumerate(self._attributes(text))
            ]}}
        if "/qualities/" in path:
            return {"data_qualities": {"quality": []}}
        return {"data_set_description": {
            "id": str(number), "name": name, "version": str(version), "format": "ARFF",
            "status": "active", "visibility": "public", "default_target_attribute": target,
            "url": f"https://openml.test/download/{number}", "file_id": str(number), "licence": "",
            "description": "", "md5_checksum": hashlib.md5(text.encode()).hexdigest(),
        }}

    @staticmethod
    def _attributes(text):
        for line in text.splitlines():
            if found := re.match(r"@attribute\s+('[^']*'|\S+)\s+(.*)", line, re.I):
                yield found[1].strip("'"), "nominal" if found[2].startswith("{") else "numeric"


@pytest.fixture
def openml(monkeypatch, tmp_path) -> OpenML:
    """OpenML, answering from here, and no folder."""
    server = OpenML()
    monkeypatch.delenv(datasets.FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", server)
    return server


def openml_text(folder: Path, name: str) -> str:
    """Weka's file as OpenML might have it: categories reversed, underscores, quotes everywhere."""
    found = datasets.read_arff(folder / f"{name}.arff")
    lines = [f"@RELATION {name}"]
    for attribute, labels, _ in found.attribute_table.itertuples(index=False):
        values = ",".join(f"'{label}'" for label in reversed(labels))
        spelled = re.sub(r"[^A-Za-z0-9_.-]", "_", attribute)
        lines.append(f"@ATTRIBUTE {spelled} {'{' + values + '}' if labels else 'REAL'}")
    table = found.X.join(found.y)
    cells = [[("?" if pd.isna(x) else f"'{x}'" if isinstance(x, str) else repr(x)) for x in column]
             for column in (table[name].tolist() for name in table)]
    return "\n".join(lines + ["@DATA"] + [",".join(row) for row in zip(*cells)])


def publish(openml, folder, name, version=1, edit=lambda text: text, **options):
    record = datasets.table().loc[name]
    text = edit(openml_text(folder, Path(record["file"]).stem))
    target = re.findall(r"@ATTRIBUTE (\S+)", text)[-1]
    openml.publish(record["openml_name"], version, text, target=target, **options)


def same(one: datasets.Dataset, other: datasets.Dataset) -> None:
    pd.testing.assert_frame_equal(one.X, other.X, check_exact=True)
    pd.testing.assert_series_equal(one.y, other.y)


# ---- Weka's files


@pytest.mark.parametrize("name", EVERY_NAME)
def test_as_the_file_has_it(name, folder, weka):
    same(datasets.load(name), datasets.read_arff(folder / f"{name}.arff"))


def test_counts_agree_with_an_independent_count(folder, weka):
    counted = pd.read_csv(folder / "SOURCES.csv")
    counted.index = counted["file"].str.removesuffix(".arff")
    for name in EVERY_NAME:
        facts = datasets.load(name).facts
        expected = counted.loc[name]
        assert (
            facts.instances, facts.attributes, facts.numeric, facts.nominal,
            facts.classes_declared, facts.classes_present, facts.missing_cells,
        ) == tuple(expected[[
            "instances", "attributes_excl_class", "numeric_attrs", "nominal_attrs",
            "classes_declared", "classes_present", "missing_cells",
        ]]), name


@pytest.mark.parametrize("name", ["anneal", "glass", "heart-h", "zoo", "zoo-noname", "audiology"])
def test_classes_are_those_of_weka(name, shared, weka):
    golden = np.load(shared / "golden" / "weka" / "cv" / f"{name}.npz")
    y = datasets.load(name).y
    np.testing.assert_array_equal(y.cat.codes, golden["true"])
    assert len(y.cat.categories) == golden["prob"].shape[-1]


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
    assert surplus[surplus != 0].to_dict() == {"arrhythmia": 1, "credit-rating": 1, "ecoli": 1}


def test_a_value_in_quotes_is_not_a_missing_cell(weka):
    anneal = datasets.load("anneal")
    assert anneal.facts.missing_cells == 0
    assert int((anneal.X == "?").to_numpy().sum()) == 22175


def test_zoo_without_the_name_of_the_animal(weka, tmp_path, monkeypatch, folder):
    zoo, noname = datasets.load("zoo"), datasets.load("zoo-noname")
    pd.testing.assert_frame_equal(zoo.X.drop(columns="animal"), noname.X)
    shutil.copy(folder / "zoo.arff", tmp_path)
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    same(datasets.load("zoo-noname"), noname)


# ---- what is refused, what is put right


EDITS = [
    # data set, what to replace, with what, what the sentence says
    ("iris", "5.1,3.5,1.4,0.2", "5.1,3.5,1.4,0.20000000000000004", "other cells in 'petalwidth'"),
    ("iris", "5.1,3.5,1.4,0.2", "5.1,3.5,1.4,?",
     "missing cells 1 instead of 0; other cells in 'petalwidth'"),
    ("iris", "5.1,3.5,1.4,0.2,Iris-setosa\n", "", "instances 149 instead of 150"),
    ("iris", "5.1,3.5,1.4,0.2,Iris-setosa\n4.9,3.0,1.4,0.2",
     "4.9,3.0,1.4,0.2,Iris-setosa\n5.1,3.5,1.4,0.2", "other cells in 'sepallength', 'sepalwidth'"),
    ("iris", "0.2,Iris-setosa\n4.9", "0.2,Iris-virginica\n4.9", "other cells in 'class'"),
    ("iris", "sepalwidth", "width", "no attribute 'sepalwidth'"),
    ("iris", "Iris-versicolor,Iris-virginica}", "Iris-versicolor,Iris-virginica,Iris-other}",
     "attribute 'class' also declares 'Iris-other'"),
    ("glass", ", 'vehic wind non-float'", "", "'Type' does not declare 'vehic wind non-float'"),
    ("hepatitis", "\n30,male", "\n30.5,male", "other cells in 'AGE'"),
    ("zoo", "legs INTEGER [0,9]", "legs {0,2,4,5,6,8}", "attribute 'legs' should be numeric"),
    ("vote", "'n','y','n','y','y','y','n'", "?,'y','n','y','y','y','n'",
     "missing cells 393 instead of 392"),
]


@pytest.mark.parametrize("name, old, new, sentence", EDITS, ids=range(len(EDITS)))
def test_any_other_file_is_refused(name, old, new, sentence, folder, tmp_path, monkeypatch):
    text = (folder / f"{name}.arff").read_text().replace("\r\n", "\n")
    assert old in text
    text = text.replace(old, new, 1)
    (tmp_path / f"{name}.arff").write_text(text)
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(datasets.DataMismatch, match=re.escape(sentence)) as refusal:
        datasets.load(name)
    assert f"is not Weka's {name}: " in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_every_cell_counts(weka):
    """Any single changed cell of any set changes its fingerprint, and the column is named."""
    rng = np.random.default_rng(27)
    for name in EVERY_NAME:
        found = datasets.load(name)
        row, column = int(rng.integers(len(found.X))), int(rng.integers(found.X.shape[1]))
        X = found.X.copy()
        cell = X.iloc[row, column]
        if isinstance(X.dtypes.iloc[column], pd.CategoricalDtype):
            others = [label for label in X.iloc[:, column].cat.categories if label != cell]
            X.iloc[row, column] = others[0]
        else:
            X.iloc[row, column] = 0.0 if np.isnan(cell) else np.nextafter(cell, np.inf)
        changed = re.escape(repr(X.columns[column]))
        with pytest.raises(datasets.DataMismatch, match=f"other cells in {changed}"):
            verified(name, replace(found, X=X), declares_all=True)


@pytest.mark.parametrize("name", EVERY_NAME)
def test_harmless_differences_are_put_right(name, folder, tmp_path, monkeypatch):
    """Reversed declared values and columns, quotes, other case: the same data set in the end."""
    expected = datasets.read_arff(folder / f"{name}.arff")
    (tmp_path / datasets.table().at[name, "file"]).write_text(
        openml_text(folder, name).replace("@ATTRIBUTE ", "@attribute ")
    )
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    same(datasets.load(name), expected)


def test_a_surplus_attribute_is_refused(weka):
    iris = datasets.load("iris")
    with pytest.raises(datasets.DataMismatch, match="not Weka's iris: a surplus attribute 'id'"):
        verified("iris", replace(iris, X=iris.X.assign(id=1.0)), declares_all=True)


# ---- ARFF


ARFF = "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n"
BAD_ARFF = [
    (ARFF.replace("a numeric", "a string"), "must be nominal or numeric; got string"),
    (ARFF.replace("{x,y}", "numeric").replace("1,x", "1,2"), "nominal class as its last attribute"),
    (ARFF.replace("@attribute a numeric\n", "").replace("1,x", "x"), "after others"),
    (ARFF.replace("1,x", "1,z"), "not an ARFF file"),
    (ARFF.replace("1,x", "1,x,y"), "not an ARFF file"),
    (ARFF.replace("1,x", "one,x"), "not an ARFF file"),
    ("sepal,class\n1,x\n", "not an ARFF file"),
    ("", "not an ARFF file"),
]


@pytest.mark.parametrize("text, sentence", BAD_ARFF, ids=range(len(BAD_ARFF)))
def test_bad_arff(text, sentence, tmp_path):
    (tmp_path / "bad.arff").write_text(text)
    with pytest.raises(ValueError, match=re.escape(sentence)) as refusal:
        datasets.read_arff(tmp_path / "bad.arff")
    assert "bad.arff" in str(refusal.value)


def test_reads_all_spellings(tmp_path):
    text = (
        "% a comment\r\n@RELATION 'a b'\r\n\r\n@ATTRIBUTE 'blank name' INTEGER [1,10]\r\n"
        "@attribute\ttabbed\tReal\r\n@attribute k { a, 'b c' ,\"d\"}\r\n"
        "@attribute class {yes,no}\r\n@DATA\r\n"
        "1, .6,'b c',yes\r\n-.3,?, a,no\r\n?,1e3,\"d\",yes\r\n%\r\n"
    )
    (tmp_path / "r.arff").write_bytes(text.encode())
    found = datasets.read_arff(tmp_path / "r.arff")
    np.testing.assert_array_equal(found.X["blank name"], [1, -0.3, np.nan])
    np.testing.assert_array_equal(found.X["tabbed"], [0.6, np.nan, 1000])
    assert found.X["k"].tolist() == ["b c", "a", "d"]
    assert found.X["k"].cat.categories.tolist() == ["a", "b c", "d"]


# ---- OpenML


@pytest.mark.parametrize("name", TRAPS)
def test_from_openml(name, folder, openml):
    """scikit-learn sorts the declared values and forgets the unused ones; Weka's come back."""
    publish(openml, folder, name)
    found = datasets.load(name)
    same(found, datasets.read_arff(folder / f"{name}.arff"))
    assert "OpenML" in found.source


def test_from_openml_where_quotes_were_lost(folder, openml):
    """OpenML counts the value '?' of anneal as missing; its unquoted form is put right."""
    publish(openml, folder, "anneal", edit=lambda text: text.replace("'?'", "?"))
    same(datasets.load("anneal"), datasets.read_arff(folder / "anneal.arff"))


def test_from_openml_where_the_animal_is_ignored(folder, openml):
    publish(openml, folder, "zoo-noname", ignored=("animal",))
    same(datasets.load("zoo-noname"), datasets.read_arff(folder / "zoo-noname.arff"))
    with pytest.raises(datasets.DataMismatch, match="no attribute 'animal'"):
        datasets.load("zoo")


def test_the_fingerprint_chooses_the_version(folder, openml):
    damage = lambda text: text.replace("\n5.1,", "\n5.2,", 1)
    publish(openml, folder, "iris", version=1, edit=damage)
    sentence = "version 1.*other cells in 'sepallength'.*version 2 not found$"
    with pytest.raises(datasets.DataMismatch, match=sentence):
        datasets.load("iris")
    publish(openml, folder, "iris", version=2)
    assert "version 2" in datasets.load("iris").source


def test_fetched_once(folder, openml):
    publish(openml, folder, "iris")
    first = datasets.load("iris")
    asked = len(openml.asked)
    same(datasets.load("iris"), first)
    assert len(openml.asked) == asked > 0


def test_the_folder_comes_first(folder, openml, monkeypatch, tmp_path):
    publish(openml, folder, "iris")
    shutil.copy(folder / "glass.arff", tmp_path)
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    assert datasets.load("glass").source == "glass.arff" and not openml.asked
    assert "OpenML" in datasets.load("iris").source


@pytest.mark.parametrize("failure", [
    URLError("Name or service not known"), TimeoutError("timed out"), ConnectionResetError("reset"),
    HTTPError("https://openml.test", 503, "busy", {}, io.BytesIO()),
], ids=lambda failure: type(failure).__name__)
def test_neither_folder_nor_network(failure, openml, monkeypatch, recwarn):
    def fails(*_, **__):
        raise failure

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", fails)
    with pytest.raises(datasets.DataUnavailable) as refusal:
        datasets.load("colic")
    sentence = str(refusal.value)
    assert "set REPLIB_DATA to a folder with Weka's colic.arff, or connect to" in sentence
    assert "\n" not in sentence and not recwarn.list


class Endless(BaseHTTPRequestHandler):
    """A server that never stops: plain zeros, or ones that `encoding` claims to be compressed."""

    encoding, sent = "identity", 0

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Encoding", self.encoding)
        self.end_headers()
        try:
            while True:
                type(self).sent += self.wfile.write(bytes(2**16))
        except ConnectionError:
            pass

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("encoding, sentence", [
    ("identity", r"answer exceeds 1 megabytes\)$"), ("gzip", r"answer is compressed, .*\)$"),
])
def test_a_server_that_sends_without_end(encoding, sentence, monkeypatch, tmp_path, recwarn):
    handler = type("Handler", (Endless,), {"encoding": encoding})
    monkeypatch.delenv(datasets.FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr("replib.datasets.openml.MOST_BYTES", 2**20)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/{{}}"
        monkeypatch.setattr("sklearn.datasets._openml._SEARCH_NAME", address)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(datasets.DataUnavailable, match=sentence) as refusal:
            datasets.load("iris")
        server.shutdown()
    assert "\n" not in str(refusal.value) and not recwarn.list
    assert handler.sent < 100 * 2**20
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_a_bounded_answer_is_read(folder, openml, monkeypatch):
    """With the real `urlopen` and a server of few words; nobody is asked for an archive."""
    publish(openml, folder, "iris")
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.headers.get("Accept-Encoding"))
            answer = openml._answer(self.path)
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            address = f"http://127.0.0.1:{server.server_port}"
            content = content.replace(b"https://openml.test", address.encode())
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", urllib.request.urlopen)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        for name in ("_SEARCH_NAME", "_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES"):
            whole = getattr(sklearn.datasets._openml, name)
            monkeypatch.setattr(f"sklearn.datasets._openml.{name}", whole.replace(
                "https://www.openml.org", f"http://127.0.0.1:{server.server_port}"
            ))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = datasets.load("iris")
        server.shutdown()
    same(found, datasets.read_arff(folder / "iris.arff"))
    assert asked and set(asked) <= {None, "identity"}


def test_not_at_openml(openml):
    with pytest.raises(datasets.DataUnavailable, match=r"set REPLIB_DATA.*version 1 not found\)$"):
        datasets.load("colic")


def test_bad_names(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="name must be one of 'anneal', .* not 'Iris'"):
        datasets.load("Iris")
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path / "absent"))
    with pytest.raises(ValueError, match="REPLIB_DATA must name a folder"):
        datasets.load("iris")


# ---- python -m replib data


def test_data_command(weka):
    result = CliRunner().invoke(main, ["data"])
    assert result.exit_code == 0, result.output
    for name in datasets.names():
        assert re.search(rf"^{re.escape(name)} ", result.stdout, re.M)
    assert "German credit" in result.stdout and "all 27 data sets are here" in result.stdout


def test_data_command_refuses_what_is_no_folder(monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, "no such folder")
    result = CliRunner().invoke(main, ["data"])
    assert result.exit_code == 2 and "REPLIB_DATA must name a folder" in result.stderr


def test_data_command_says_what_is_missing(folder, openml, monkeypatch, tmp_path):
    shutil.copy(folder / "iris.arff", tmp_path)
    glass = (folder / "glass.arff").read_text().replace("1.51793", "1.51794", 1)
    (tmp_path / "glass.arff").write_text(glass)
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))

    def unreachable(*_, **__):
        raise URLError("no network")

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", unreachable)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    result = CliRunner().invoke(main, ["data"])
    assert result.exit_code == 1
    assert re.search(r"^iris .*iris\.arff$", result.stdout, re.M)
    assert re.search(r"^glass .*other cells in 'RI'$", result.stdout, re.M)
    assert re.search(r"^colic .*not here$", result.stdout, re.M)
    assert "Error: 26 of 27 data sets are not here" in result.stderr
    assert "REPLIB_DATA" in result.stderr
