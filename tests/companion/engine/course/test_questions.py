"""The question bank: every number is computed in two ways; the exam lasts ninety minutes."""

import re

import pytest

from companion.engine.course import questions

BANK = questions.bank()
NUMBERS = [one for one in BANK.values() if one.answer or one.check]


@pytest.mark.parametrize("one", NUMBERS, ids=lambda one: one.id)
def test_two_ways_lead_to_the_number_that_the_solution_prints(one):
    answer, check = questions.value(one.answer), questions.value(one.check)
    assert answer == pytest.approx(check, rel=1e-3, abs=1e-12)
    forms = [form or "g" for form in re.findall(r"\{answer:?([^{}]*)\}", one.solution)]
    assert forms
    assert [f"{answer:{form}}" for form in forms] == [
        f"{check:{form}}" for form in forms
    ]
    assert one.answer != one.check and "{answer" not in one.solved


@pytest.mark.parametrize("one", BANK.values(), ids=lambda one: one.id)
def test_a_question_is_complete(one):
    assert one.kind in ("number", "data", "proof", "discussion") and one.level in (
        1,
        2,
        3,
    )
    assert len(one.question) > 40 and len(one.solution) > 20 and 2 <= one.minutes <= 15
    assert bool(one.answer) == bool(one.check) == (one.kind in ("number", "data"))
    assert one.question.count("$") % 2 == one.solution.count("$") % 2 == 0
    for name in re.findall(r"`(\w+)\.csv`", one.question):
        assert not questions.table(name).empty


def test_each_session_has_questions_of_every_effort():
    assert len(BANK) >= 60
    names = re.findall(
        r"^- id: (\S+)$", (questions.COURSE / "questions.yml").read_text(), re.M
    )
    assert names == list(BANK)  # no name is given twice
    for session in range(1, 13):
        own = [one for one in BANK.values() if one.session == session]
        assert len(own) >= 6 and {one.level for one in own} >= {1, 2}
        assert {"discussion", "number"} <= {one.kind for one in own}
    assert [one.session for one in BANK.values()] == sorted(
        one.session for one in BANK.values()
    )


def test_the_exam_leaves_ten_of_ninety_minutes_for_reading_and_asks_of_every_session():
    chosen = questions.exam()["questions"]
    assert (
        sum(one.minutes for one in chosen) == 80 and questions.exam()["minutes"] == "90"
    )
    assert {one.session for one in chosen} == set(range(1, 13))
    kinds = [one.kind for one in chosen]
    assert "data" not in kinds and min(kinds.count(k) for k in ("number", "proof")) >= 2


def test_students_get_no_solution(tmp_path, monkeypatch):
    monkeypatch.setattr(questions.slides, "scripts_of", lambda site: "")
    (tmp_path / "book").mkdir()
    for solutions in (True, False):
        questions.write_all(tmp_path, solutions=solutions)
        for name, count in (("exam", 15), ("questions", len(BANK))):
            text = (tmp_path / "book" / "course" / f"{name}.html").read_text()
            assert ('class="solution"' in text) == solutions
            assert text.count('class="question"') == count
            assert ("80 points in 90 minutes, 10 of" in text) == (name == "exam")
