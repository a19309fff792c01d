"""What chapters show: numbers without the digits that another processor would round otherwise."""

import numpy as np

from replib import book
from replib.papers.bouckaert2005 import section_3


def test_numbers_in_prose_have_twelve_digits(monkeypatch):
    glued = {}
    monkeypatch.setattr("myst_nb.glue", lambda name, value, display: glued.update({name: value}))
    book.glue(third=np.float64(0.1) + 0.2, whole=np.int64(10**15), word="x")
    assert glued == {"third": 0.3, "whole": 10**15, "word": "x"}


def test_rows_that_travel_do_not_depend_on_the_order_of_a_sum():
    rows = section_3.ledger_rows()
    assert rows["rebuilt"].map(type).eq(float).any()
    nearly = rows.assign(rebuilt=[
        np.nextafter(x, 1) if isinstance(x, float) else x for x in rows["rebuilt"]
    ])
    (_, one), (_, other) = (
        book.ledger(given, chapter="mcnemar_theory")._repr_mimebundle_() for given in (rows, nearly)
    )
    assert one == other
