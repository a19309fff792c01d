"""Wrong input is answered by one sentence with exit code 2, and nothing has been done."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from harness import Command

pytestmark = pytest.mark.campaign

PRESETS = {
    "a Python tag": b"small: !!python/object/apply:os.mkdir [executed]\n",
    "a tab": b"small:\n\tn: 4\n",
    "a NUL byte": b"small: {word: \0}\n",
    "a list": b"- small\n",
    "a list of values": b"small: [4]\n",
    "a word": b"small",
    "Latin-1": "small: {word: Größe}\n".encode("latin-1"),
    "UTF-16": "small: {word: Größe}\n".encode("utf-16"),
    "5000 brackets": b"small: " + b"[" * 5000,
    "an alias of itself": b"small: &a {n: *a}\n",
    "a number of 9000 digits": b"small: {n: " + b"9" * 9000 + b"}\n",
    "a date": b"small: {word: 2026-01-01}\n",
    "not a number": b"small: {n: .nan}\n",
    "an unknown chapter": b"large: {n: 4}\n",
    "an unknown parameter": b"small: {m: 4}\n",
    "two documents": b"small: {n: 4}\n---\nsmall: {n: 5}\n",
    "half of a set of braces": b"small: {n: 4",
}
COMMANDS = {
    "a preset that is a directory": ["build", "--preset", "folder"],
    "a preset that nobody may follow": ["build", "--preset", "circle"],
    "a preset of 5000 characters": ["build", "--preset", "x" * 5000],
    "a preset in another folder": ["build", "--preset", "../costs"],
    "a chapter of 5000 characters": ["run", "x" * 5000],
    "a parameter of 5000 characters": ["run", "small", "-p", "x" * 5000, "1"],
    "a value of 900 brackets": ["run", "small", "-p", "n", "[" * 900],
    "a value of 900 pairs of braces": ["run", "small", "-p", "n", "{" * 900 + "}" * 900],
    "a value of 100 000 digits": ["run", "small", "-p", "n", "9" * 100_000],
    "a Python tag as a value": [
        "run", "small", "-p", "n", "!!python/object/apply:os.mkdir [executed]",
    ],
    "code as a value": ["run", "small", "-p", "n", "__import__('os').mkdir('executed')"],
    "bytes that are no text": ["run", "small", "-p", "word", os.fsdecode(b"\xff")],
    "nothing as a value": ["run", "small", "-p", "n", ""],
    "no whole number of jobs": ["build", "--jobs", "9" * 30],
    "an unknown long run": ["results", "large"],
    "a long run of no replication": ["results", "small", "--size", "0"],
    "an unknown command": ["sudo"],
    "an unknown option": ["build", "--fast"],
}


@pytest.fixture(scope="module")
def book(small_book):
    presets = small_book / "notebooks" / "presets"
    for number, content in enumerate(PRESETS.values()):
        (presets / f"wrong{number}.yml").write_bytes(content)
    (presets / "folder.yml").mkdir()
    (presets / "circle.yml").symlink_to("circle.yml")
    return small_book


def refused(book, *arguments: str, **environment: str) -> bool:
    """Whether a command says one sentence, ends with exit 2, and has done nothing."""
    code, said = Command(book, *arguments, **environment).ended(60)
    in_a_sentence = said.startswith("Error: ") and said.count("\n") == 1 and len(said) < 600
    fine = code == 2 and in_a_sentence and not list(book.rglob("executed"))
    if not fine:
        print(arguments, environment, code, said[-2000:])
    return fine


@pytest.fixture
def record_refusals(book, record):
    def add(what: str, calls: list[tuple[list[str], dict[str, str]]]) -> None:
        with ThreadPoolExecutor(2) as both_cores:
            outcomes = both_cores.map(lambda call: refused(book, *call[0], **call[1]), calls)
        record("Command line", what, len(calls), sum(outcomes), "a sentence, exit 2, nothing done")
    return add


def test_presets(record_refusals):
    record_refusals(
        "wrong presets: tags of Python, other encodings, no mapping, deep nesting and the like",
        [(["build", "--preset", f"wrong{i}"], {}) for i in range(len(PRESETS))],
    )


def test_commands(record_refusals):
    record_refusals(
        "wrong commands and values: unknown names, deep nesting, code, bytes that are no text",
        [(arguments, {}) for arguments in COMMANDS.values()],
    )


def test_environment(record_refusals):
    record_refusals("wrong environment variables", [
        *((["results", "small"], {"REPLIB_WORKERS": value})
          for value in ("many", "0", "-1", "2.5")),
        (["data"], {"REPLIB_DATA": "/proc/nowhere"}),
    ])
