"""``replib compare``: compare the scores in a file.

Slow packages, pandas and the book among them, are loaded only when they are needed.
"""

import argparse
import json
import os
import sys
from contextlib import suppress
from typing import Any

#: Options of the command line for phrases in sentences that are written for Python.
_OPTIONS = {
    "greater_is_better=False": "--errors", "say test_fraction": "say --test-fraction",
    "metric='": "--metric '", "metric=": "--metric", " or give names=": "",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code, 2 for input that cannot be used."""
    try:
        given = _parser().parse_args(arguments)
        from replib.comparison import output

        said = _compared(given)
        output.say(said, sys.stdout)
    except ValueError as refusal:
        return _refused(as_option(str(refusal)), 2)
    except KeyboardInterrupt:
        return _refused("interrupted: nothing was written", 130)
    except OSError as problem:  # standard output is full, or its reader has closed it
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (Python flushes it once more at exit)
        return _refused(f"cannot write the result: {problem.strerror}", 2)
    return 0


def _refused(sentence: str, code: int) -> int:
    from replib.comparison import output

    with suppress(OSError):
        output.say(f"Error: {sentence}", sys.stderr)
    return code


def as_option(sentence: str) -> str:
    """Replace Python arguments in a sentence by options of the command."""
    for python, option in _OPTIONS.items():
        sentence = sentence.replace(python, option)
    return sentence


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="replib compare",
        description="Compare classifiers by their scores on the same splits of one data set.",
        epilog="FILE has one column per classifier and one row per split, all folds of the first "
        "run first; or columns classifier and score. Columns run and fold say order and design.",
    )
    parser.add_argument("file", metavar="FILE", help="scores as CSV, or as a log (below)")
    parser.add_argument("more", metavar="FILE", nargs="*", help="logs of further runs and models")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--cv", metavar="RxK", help="repeated cross-validation, such as 10x10")
    how.add_argument("--test-fraction", type=float, metavar="F", help="random splits, such as 0.1")
    parser.add_argument("--pair", nargs=2, metavar=("A", "B"), help="only these two")
    parser.add_argument("--metric", metavar="NAME", help="what the scores are, such as accuracy")
    parser.add_argument("--errors", action="store_true", help="less is better")
    parser.add_argument("--alpha", type=float, default=0.05, help="significance level (0.05)")
    parser.add_argument("--rope", type=float, metavar="D", help="differences up to D do not matter")
    items = parser.add_argument_group(
        "scores per item", "FILE has columns item, model and score (run, group), or is a log of "
        "lm-evaluation-harness (.jsonl) or Inspect (.json)",
    )
    items.add_argument("--generalize", choices=("both", "items", "seeds"),
                       help="to new items, new seeds, or both (the default for two or more runs)")
    items.add_argument("--paired-runs", action="store_true", help="equal runs share their seeds")
    items.add_argument("--group", metavar="NAME", help="column or field that names the cluster")
    parser.add_argument("--csv", metavar="FILE", help="write all numbers there")
    parser.add_argument("--json", metavar="FILE", help="write all numbers there; - prints them")
    parser.add_argument(
        "--report", metavar="FILE", help="write a page with tables and pictures there"
    )
    return parser


def _compared(given: argparse.Namespace) -> str:
    from replib.comparison import Comparison, item_files, output, rules

    targets = {"--csv": given.csv, "--json": given.json, "--report": given.report}
    for file in (given.file, *given.more):
        output.check_targets(file, targets)
    result = (_of_items if item_files.holds_items(given.file) else _of_splits)(given)
    lines = [as_option(str(result))]
    if given.rope is not None:
        if not isinstance(result, Comparison):
            raise ValueError(
                "--rope is about two classifiers: say --pair with two of "
                f"{rules.listed(result.names)}"
            )
        shares = ", ".join(f"{a} {p:.3f}" for a, p in result.probabilities(given.rope).items())
        lines.append(
            f"Posterior probabilities with differences up to {given.rope:g} as equivalent: "
            f"{shares}."
        )
    numbers = json.dumps(result.to_dict(), indent=1, allow_nan=False) if given.json else ""
    if given.json == "-":
        lines = [numbers]
    elif given.json:
        lines.append(f"all numbers: {rules.shown(output.write(given.json, numbers))}")
    if given.csv:
        written = output.write(given.csv, output.safe_csv(result.to_frame()))
        lines += [f"all numbers: {rules.shown(written)}"] if given.json != "-" else []
    if given.report:
        written = result.report(given.report)
        lines += [f"open {rules.shown(written)}"] if given.json != "-" else []
    return "\n".join(lines)


def _of_splits(given: argparse.Namespace) -> Any:
    from replib.comparison import compare_scores, rules, scores_file

    said = {"--generalize": given.generalize, "--paired-runs": given.paired_runs,
            "--group": given.group, given.more[0] if given.more else "": given.more}
    if unused := [option for option, value in said.items() if value]:
        raise ValueError(
            f"{unused[0]} is for scores per item, and {given.file} does not have the columns item, "
            "model and score"
        )
    table = scores_file.read(given.file, metric=given.metric)
    if given.pair:
        unknown = [name for name in given.pair if name not in table.scores]
        if unknown:
            raise ValueError(
                f"there is no classifier {unknown[0]!r} in {given.file}: choose one of "
                f"{rules.listed(table.scores)}"
            )
        table = table.of_pair(*given.pair)
    if given.cv is None and given.test_fraction is None and not (table.design or table.seeds):
        n = len(next(iter(table.scores.values())))
        raise ValueError(
            f"how were the {n} splits made? Say --cv RUNSxFOLDS, such as --cv 10x10, or "
            "--test-fraction 0.1 for random splits"
        )
    return compare_scores(
        table, cv=given.cv, test_fraction=given.test_fraction, metric=given.metric,
        greater_is_better=not given.errors, alpha=given.alpha,
    )


def _of_items(given: argparse.Namespace) -> Any:
    from dataclasses import replace

    from replib.comparison import compare_item_scores, item_files, rules

    said = {"--cv": given.cv, "--test-fraction": given.test_fraction, "--errors": given.errors,
            "--rope": given.rope}
    if unused := [option for option, value in said.items() if value]:
        raise ValueError(f"{unused[0]} is not for scores per item, which {given.file} has")
    found = item_files.read(given.file, *given.more, metric=given.metric, group=given.group)
    pair = given.pair or tuple(found.scores)
    if len(pair) != 2 or not set(pair) <= set(found.scores):
        advice = ": say --pair with two of them" if len(found.scores) > 1 else ""
        rules.apply("item-models", source=given.file, count=len(found.scores),
                    names=rules.listed(found.scores), advice=advice)
    a, b = found.pair(*pair, paired_runs=given.paired_runs)
    result = compare_item_scores(
        a, b, groups=found.groups, paired_runs=given.paired_runs, generalize=given.generalize,
        names=pair, metric=found.metric, alpha=given.alpha,
    )
    return replace(result, notes=(*result.notes, *found.notes))
