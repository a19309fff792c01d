"""One table of scores in the many forms that files have."""

import codecs

import numpy as np
import pytest

from replib.comparison import scores_file
from replib.comparison.gate import tables

SCORES = {"Bäume": [0.9, 0.8, 0.95, 0.85], "bayes": [0.7, 0.75, 0.65, 0.6]}
WIDE = "Bäume,bayes\n" + "\n".join(f"{a},{b}" for a, b in zip(*SCORES.values())) + "\n"
ORDER = [(1, 1), (1, 2), (2, 1), (2, 2)]
#: A line a classifier and split, in the order of the scores.
LONG = [
    f"{name},{run},{fold},{score}"
    for name, scores in SCORES.items() for (run, fold), score in zip(ORDER, scores)
]

FORMS = {
    "comma": WIDE.encode(),
    "byte order mark": codecs.BOM_UTF8 + WIDE.encode(),
    "latin-1": WIDE.encode("latin-1"),
    "utf-16": WIDE.encode("utf-16"),
    "lines of Windows": WIDE.replace("\n", "\r\n").encode(),
    "semicolons and decimal commas": WIDE.replace(",", ";").replace(".", ",").encode(),
    "tabulators": WIDE.replace(",", "\t").encode(),
    "bars with spaces": WIDE.replace(",", " | ").encode(),
    "remarks and empty lines": ("# made by hand\n\n" + WIDE.replace("\n", "\n\n")).encode(),
}


def same(found: tables.Table) -> bool:
    return list(found.scores) == list(SCORES) and all(
        np.array_equal(found.scores[name], scores) for name, scores in SCORES.items()
    )


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_alike(form, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(FORMS[form])
    found = scores_file.read(path)
    assert same(found) and found.design is None and found.notes == ()


@pytest.mark.parametrize("seed", range(5))
def test_the_rows_of_a_long_file_may_stand_in_any_order(seed, tmp_path):
    """But for the first, which says which classifier comes first."""
    shuffled = np.random.default_rng(seed).permutation(LONG[1:]).tolist()
    path = tmp_path / "scores.csv"
    path.write_text("model,run,fold,accuracy\n" + "\n".join([LONG[0], *shuffled]))
    found = scores_file.read(path)
    assert same(found) and found.design == (2, 2)


def test_the_rows_of_a_wide_file_are_ordered_by_number_not_by_letters(tmp_path):
    path = tmp_path / "scores.csv"
    rows = [f"{fold},{fold / 100},{fold / 200}" for fold in (10, 2, 1, 9, 3, 4, 5, 6, 7, 8)]
    path.write_text("fold,a,b\n" + "\n".join(rows))
    found = scores_file.read(path)
    np.testing.assert_allclose(found.scores["a"], np.arange(1, 11) / 100)
    np.testing.assert_allclose(found.scores["b"], np.arange(1, 11) / 200)
