"""``python -m replib``, and the command ``replib``: ``compare`` of the library, the rest of the
book."""

import sys


def main() -> None:
    """Compare scores, or hand over to the book, or say what it misses."""
    if sys.argv[1:2] == ["compare"]:
        from replib.comparison.command import main as compare

        sys.exit(compare(sys.argv[2:]))
    try:
        from replib.book.cli import main as book
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] == "replib":
            raise
        sys.exit(f"Error: the book needs {missing.name}: pip install 'replib[book]'")
    book()


if __name__ == "__main__":
    main()
