"""Digests of code: what does the same has one, and what does something else another."""

import subprocess
import sys
from types import FunctionType

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from replib._code import digest_of_code


def written(body):
    """The function `worth` or the class `Half` of a program."""
    names = {}
    exec(body, names)
    return names.get("worth") or names["Half"]


FUNCTION = "def worth(y, p):\n    return {}"
CLASS = "class Half:\n    def fit(self, X, y):\n        return {}"


@pytest.mark.parametrize(
    "holding",
    [
        lambda worth: worth,
        make_scorer,
        lambda worth: make_pipeline(FunctionTransformer(worth), LogisticRegression()),
    ],
)
def test_a_changed_function_is_told_by_its_code(holding):
    first, same, other = (
        digest_of_code(holding(written(FUNCTION.format(value))))
        for value in ("p - y", "p - y  # the same", "p + y")
    )
    assert first == same != other


@pytest.mark.parametrize("signature", ["y, p, cost={}", "y, p, *, cost={}"])
def test_a_changed_default_is_told(signature):
    first, other = (
        digest_of_code(written(f"def worth({signature.format(cost)}): return cost"))
        for cost in (1, 10)
    )
    assert first != other


def test_a_changed_method_is_told_by_its_code():
    first, same, other = (
        digest_of_code(written(CLASS.format(value))()) for value in ("1", "1", "2")
    )
    assert first == same != other


def test_where_a_function_stands_changes_nothing():
    lines = FUNCTION.format("p - y")
    assert digest_of_code(written(lines)) == digest_of_code(written(f"\n\n{lines}"))


def test_digests_are_those_of_another_process():
    program = (
        "from replib._code import digest_of_code\n"
        "def worth(y, p):\n    return y in {'a', 'b', 'c', 'd'}\n"
        "print(digest_of_code(worth))"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(3)
    }
    assert len(digests) == 1


def test_settings_are_no_code():
    assert digest_of_code(GaussianNB()) == digest_of_code(GaussianNB(var_smoothing=0.1))


def local() -> FunctionType:
    def inner(y, p):
        return 1

    return inner


@pytest.mark.parametrize("function", [lambda y, p: 1, local()])
def test_a_function_without_a_name_of_its_own_is_refused(function):
    with pytest.raises(
        ValueError, match="cache needs functions and classes with a name"
    ):
        digest_of_code(make_scorer(function))
