"""The command ``replib``: its help is quick, and complete."""

import json
import subprocess
import sys

import pytest

from companion.engine.cli import main as book
from replib import __main__ as command
from replib.__main__ import BOOK_COMMANDS


def test_the_help_has_every_command_of_the_book():
    assert sorted(BOOK_COMMANDS) == sorted(book.list_commands(None))


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]])
def test_the_help_loads_nothing_that_takes_time(arguments):
    program = (
        f"import sys, json; sys.argv[1:] = {arguments}; from replib.__main__ import main; main();"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    *text, modules = done.stdout.splitlines()
    assert text[0].startswith("Usage: replib") and any(
        "compare" in line for line in text
    )
    assert not {"numpy", "pandas", "click", "IPython"} & set(json.loads(modules))


def test_ctrl_c_while_a_command_is_loaded_is_no_traceback(monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "import_module", interrupted)
    monkeypatch.setattr(sys, "argv", ["replib", "plan", "items"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 130


@pytest.mark.parametrize(
    "name, says",
    [
        ("comapre", "No such command 'comapre' (is it compare?); replib --help"),
        ("estimate", "estimate is no command, but a function of Python"),
        ("scores.csv", "No such command 'scores.csv'; replib --help lists them"),
    ],
)
def test_what_is_no_command_is_refused_with_what_it_may_be(
    monkeypatch, capsys, name, says
):
    monkeypatch.setattr(sys, "argv", ["replib", name])
    with pytest.raises(SystemExit) as end:
        command.main()
    assert end.value.code == 2
    assert says in capsys.readouterr().err
