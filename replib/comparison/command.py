"""``replib compare``: the scores of a CSV file, compared.

It loads nothing that takes time before it is needed: neither pandas nor the book.
"""

import argparse
import sys
from itertools import combinations


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code, 2 for input that cannot be used."""
    given = _parser().parse_args(arguments)
    try:
        print(_compared(given))
    except ValueError as refusal:
        print(f"Error: {refusal}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="replib compare",
        description="Compare classifiers by their scores on the same splits of one data set.",
        epilog="FILE has one column a classifier and one row a split, all folds of the first run "
        "first; or columns classifier and score. Columns run and fold say order and design.",
    )
    parser.add_argument("file", metavar="FILE", help="scores as CSV")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--cv", metavar="RxK", help="repeated cross-validation, such as 10x10")
    how.add_argument("--test-fraction", type=float, metavar="F", help="random splits, such as 0.1")
    parser.add_argument("--pair", nargs=2, metavar=("A", "B"), help="only these two")
    parser.add_argument("--errors", action="store_true", help="less is better")
    parser.add_argument("--alpha", type=float, default=0.05, help="significance level (0.05)")
    parser.add_argument("--rope", type=float, metavar="D", help="differences up to D do not matter")
    parser.add_argument("--csv", metavar="FILE", help="write all numbers there")
    parser.add_argument(
        "--report", metavar="FILE", help="write a page with tables and pictures there"
    )
    return parser


def _compared(given: argparse.Namespace) -> str:
    from replib.comparison import compare_scores, scores_file

    table = scores_file.read(given.file)
    scores = table.scores
    cv = given.cv
    if cv is None and given.test_fraction is None and table.design is None:
        n = len(next(iter(scores.values())))
        raise ValueError(
            f"how were the {n} splits made? Say --cv RUNSxFOLDS, such as --cv 10x10, or "
            "--test-fraction 0.1 for random splits"
        )
    pairs = list(combinations(scores, 2))
    if given.pair:
        unknown = [name for name in given.pair if name not in scores]
        if unknown:
            raise ValueError(
                f"there is no classifier {unknown[0]!r} in {given.file}; there are "
                f"{', '.join(scores)}"
            )
        pairs = [tuple(given.pair)]
    if given.report and len(pairs) > 1:
        raise ValueError(
            f"a report is about two classifiers: say --pair with two of {', '.join(scores)}"
        )
    results = [
        compare_scores(
            scores[a],
            scores[b],
            cv=cv,
            test_fraction=given.test_fraction,
            names=(a, b),
            greater_is_better=not given.errors,
            alpha=given.alpha,
        )
        for a, b in pairs
    ]
    lines = [str(result) for result in results]
    if given.rope is not None:
        lines += [_of_rope(result, given.rope) for result in results]
    if len(results) > 1:
        from replib.multiple_comparisons import adjusted_pvalues

        adjusted = adjusted_pvalues([result.pvalue for result in results], method="holm")
        better = [f"{a}, {b}: p = {p:.2g}" for (a, b), p in zip(pairs, adjusted)]
        lines.append(f"With Holm's correction for {len(pairs)} pairs: {'; '.join(better)}.")
    lines += [f"Note: {note}" for note in notes if not given.errors]
    if given.csv:
        import pandas as pd

        pd.concat([result.to_frame() for result in results]).to_csv(given.csv, index=False)
        lines.append(f"all numbers: {given.csv}")
    if given.report:
        lines.append(f"open {results[0].report(given.report)}")
    return "\n".join(lines)


def _of_rope(result, rope: float) -> str:
    shares = ", ".join(f"{name} {p:.3f}" for name, p in result.probabilities(rope).items())
    return f"Posterior probabilities with differences up to {rope:g} as equivalent: {shares}."
