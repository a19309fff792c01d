"""``python -m replib``, and the command ``replib``: ``compare`` of the library, the rest of the
book."""

import sys

#: What there is, for a help that loads nothing; a test holds the book's part to its commands.
COMMANDS = {
    "compare": "Compare classifiers by their scores in a CSV file.",
    "build": "Execute the stale CHAPTERs (all by default) and make the site.",
    "run": "Execute your own copy of CHAPTER with other parameters, under runs/.",
    "notebook": "Write CHAPTERs (all by default) as notebooks that run in JupyterLab.",
    "course": "Make what a course needs: editions, slides, handouts, assignments.",
    "list": "Show the chapters, their parameters, and what they cost.",
    "check": "Print the ledger; exit 1 if a verdict is worse than the committed one.",
    "data": "Show the 27 data sets, and fetch those that are not here.",
    "results": "Run the long experiments NAME... anew and store their counts; without a name, "
               "list them.",
}


def main() -> None:
    """Compare scores, or hand over to the book, or say what it misses."""
    first = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if first in ("-h", "--help"):
        print(_help())
        return
    if first == "compare":
        try:
            from replib.comparison.command import main as compare

            sys.exit(compare(sys.argv[2:]))
        except KeyboardInterrupt:  # of a program that was still being read
            print("Error: interrupted: nothing was written", file=sys.stderr)
            sys.exit(130)
    try:
        from replib.book.cli import main as book
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] == "replib":
            raise
        sys.exit(f"Error: the book needs {missing.name}: pip install 'replib[book]'")
    except KeyboardInterrupt:  # of a program that was still being read
        print("Error: interrupted before anything began", file=sys.stderr)
        sys.exit(130)
    book()


def _help() -> str:
    lines = [f"  {name:10}{what}" for name, what in COMMANDS.items()]
    return "\n".join([
        "Usage: replib COMMAND [OPTIONS]...", "",
        "  Compare classifiers of your own, or build, rerun and check the book on replicability.",
        "", "Commands:", *lines, "",
        "replib COMMAND --help says more.  All but compare need: pip install 'replib[book]'",
    ])


if __name__ == "__main__":
    main()
