"""The words of ledger rows: numbers in the texts of the file, and what a row says itself."""

import pandas as pd
import pytest

from companion.papers import ledger, published

FACT = "berrar2024.ex01.p"


@pytest.fixture
def note(monkeypatch):
    """A function that gives the fact a text and returns the note of a row about it."""

    def of(text, **row):
        monkeypatch.setattr(published, "judgements", lambda: {"note": {FACT: text}})
        frame = pd.DataFrame([{"id": FACT, "rebuilt": 0.0488} | row])
        return ledger.compare(frame, chapter="")["note"].item()

    return of


def test_a_text_of_the_file_takes_the_numbers_of_the_row(note):
    numbers = {"sizes": ledger.Span([3.06, 4, 5]), "runs": ledger.Listed([1, -2], "/")}
    assert (
        note("{sizes:.1f} in {runs:+d} runs", numbers=numbers)
        == "3.1 to 5.0 in +1/-2 runs"
    )


def test_a_row_that_speaks_for_itself_needs_no_numbers(note):
    assert note("{sizes:.1f}", note="its own: {}") == "its own: {}"


@pytest.mark.parametrize("row", [{}, {"numbers": {"size": 3}}])
def test_a_text_without_its_number_is_refused(note, row):
    with pytest.raises(ValueError, match=f"words of {FACT} need the number 'sizes'"):
        note("{sizes:.1f}", **row)
