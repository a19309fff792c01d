"""ARFF files: all their spellings, and what is refused."""

import re
from io import StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import arff

from companion.lab import datasets

ARFF = "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n"
BAD_ARFF = [
    (
        ARFF.replace("{x,y}", "numeric").replace("1,x", "1,2"),
        "nominal class as its last attribute",
    ),
    (ARFF.replace("@attribute a numeric\n", "").replace("1,x", "x"), "after others"),
]


@pytest.mark.parametrize("text, sentence", BAD_ARFF, ids=range(len(BAD_ARFF)))
def test_bad_arff(text, sentence, tmp_path):
    (tmp_path / "bad.arff").write_text(text)
    with pytest.raises(ValueError, match=re.escape(sentence)) as refusal:
        datasets.read_arff(tmp_path / "bad.arff")
    assert "bad.arff" in str(refusal.value)


@pytest.mark.parametrize(
    "more, sentence", [(0, "not an ARFF file"), (1, "than 64 megabytes")]
)
def test_a_file_may_have_64_megabytes(more, sentence, tmp_path):
    path = tmp_path / "zeros.arff"
    with path.open("wb") as file:
        file.truncate(64 * 2**20 + more)
    with pytest.raises(ValueError, match=sentence):
        datasets.read_arff(path)


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


@given(
    st.lists(
        st.tuples(
            st.none() | st.floats(allow_nan=False, allow_infinity=False),
            st.sampled_from(["u", "v", "w", None]),
            st.sampled_from("yn"),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_cells_are_those_that_scipy_reads(tmp_path_factory, rows):
    head = "@relation r\n@attribute x real\n@attribute k {w,v,u}\n@attribute c {y,n}\n@data\n"
    text = head + "\n".join(
        ",".join("?" if cell is None else str(cell) for cell in row) for row in rows
    )
    path = tmp_path_factory.mktemp("arff") / "r.arff"
    path.write_text(text)
    found, (theirs, _) = datasets.read_arff(path), arff.loadarff(StringIO(text))
    np.testing.assert_array_equal(found.X["x"], theirs["x"])
    assert found.X["k"].cat.categories.tolist() == ["w", "v", "u"]
    assert (
        found.X["k"].astype(object).fillna("?").tolist()
        == theirs["k"].astype(str).tolist()
    )
    assert found.y.tolist() == theirs["c"].astype(str).tolist()
