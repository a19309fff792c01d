"""What is typed wrongly is answered in one sentence with exit 2, and nothing has been done."""

import os

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


def refusals(book, commands) -> list[tuple[list[str], int, str]]:
    """The commands that were not refused in one sentence with exit 2."""
    bad = []
    for arguments in commands:
        code, said = Command(book, *arguments).ended(60)
        in_a_sentence = said.startswith("Error: ") and said.count("\n") == 1 and len(said) < 600
        if code != 2 or not in_a_sentence or list(book.rglob("executed")):
            bad.append((arguments, code, said[-2000:]))
    print(*bad, sep="\n")
    return bad


def test_presets(book, record):
    bad = refusals(book, [["build", "--preset", f"wrong{i}"] for i in range(len(PRESETS))])
    record("Command line", "a preset that holds " + ", ".join(PRESETS), len(PRESETS),
           len(PRESETS) - len(bad), "one sentence, exit 2, nothing done")


def test_commands(book, record):
    bad = refusals(book, COMMANDS.values())
    record("Command line", ", ".join(COMMANDS), len(COMMANDS), len(COMMANDS) - len(bad),
           "one sentence, exit 2, nothing done")


@pytest.mark.parametrize("variable, value", [
    ("REPLIB_WORKERS", "many"), ("REPLIB_WORKERS", "0"), ("REPLIB_WORKERS", "-1"),
    ("REPLIB_WORKERS", "2.5"), ("REPLIB_DATA", "/nonexistent"),
])
def test_environment(variable, value, book, record):
    command = ["data"] if variable == "REPLIB_DATA" else ["results", "small", "--into", "."]
    code, said = Command(book, *command, **{variable: value}).ended(60)
    print(code, said[-2000:])
    fine = code == 2 and variable in said and said.count("\n") == 1
    record("Command line", f"{variable}={value}", 1, int(fine), "one sentence, exit 2")
