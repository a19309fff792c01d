"""``python -m replib``: the command line of the book."""

from replib.book.cli import main

if __name__ == "__main__":
    main()
