"""``python -m replib``, and the command ``replib``: its own commands and those of plug-ins."""

import sys
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points

import replib
from replib import __version__

#: Commands of the library.
COMMANDS = {
    "compare": "Compare models by scores in files or logs.",
    "plan": "How many runs, seeds or items does it take?",
}

#: Commands of the book's package, for a help text that loads nothing; a test compares
#: them.
BOOK_COMMANDS = [
    "bench",
    "build",
    "run",
    "serve",
    "notebook",
    "course",
    "list",
    "check",
    "data",
    "results",
]

_HOW_TO_GET_THE_BOOK = "install it from a checkout, with: pip install . ./book"


def main() -> None:
    """Run a command of the library, or one that another package provides."""
    command = sys.argv[1] if len(sys.argv) > 1 else "--help"
    try:
        _run(command)
    except KeyboardInterrupt:  # while packages were imported
        sys.exit(130)


def _run(command: str) -> None:
    if command in ("-h", "--help"):
        print(_help())
        return
    if command == "--version":
        print(f"replib {__version__}")
        return
    if command in COMMANDS:
        # imported here, because pandas and SciPy take a second to load
        sys.exit(import_module("replib._command").main(command, sys.argv[2:]))
    plugins = list(entry_points(group="replib.commands", name=command))
    if plugins:
        plugins[0].load()()
        return
    if command in BOOK_COMMANDS:
        refusal = f"{command} belongs to the book: {_HOW_TO_GET_THE_BOOK}"
    elif command in replib.__all__:
        refusal = f"{command} is no command, but a function of Python: replib.{command}"
    else:
        near = get_close_matches(command, COMMANDS, n=1)
        hint = f" (is it {near[0]}?)" if near else ""
        refusal = f"No such command {command!r}{hint}; replib --help lists them"
    print(f"Error: {refusal}", file=sys.stderr)
    sys.exit(2)


def _help() -> str:
    commands = [f"  {name:10}{purpose}" for name, purpose in COMMANDS.items()]
    lines = [
        "Usage: replib COMMAND [OPTIONS]...",
        "       replib --version",
        "",
        "Commands (COMMAND --help explains one):",
        *commands,
        "",
        f"Commands of the book: {', '.join(BOOK_COMMANDS)}",
        f"  {_HOW_TO_GET_THE_BOOK}",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
