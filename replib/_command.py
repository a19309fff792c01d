"""``replib compare`` and ``replib plan``: the library on the command line."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

import numpy as np

from replib import files
from replib._validation import one_line, shown
from replib.comparison import compare
from replib.planning import plan
from replib.readers import read
from replib.scores import Metric

#: When ``--fail-if`` fails: the decision about the pair, and whether it is equivalent.
_FAILS: dict[str, Callable[[int, bool], bool]] = {
    "worse": lambda decision, equivalent: decision < 0,
    "not-better": lambda decision, equivalent: decision < 1,
    "undecided": lambda decision, equivalent: decision == 0 and not equivalent,
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{one_line(message)}; see {self.prog} --help")


def main(name: str, arguments: Sequence[str] | None = None) -> int:
    """Run ``replib compare`` or ``replib plan``.

    Return 1 if ``--fail-if`` fails, 2 for input that cannot be used, 130 after Ctrl-C.
    """
    try:
        said, code = {"compare": _compare, "plan": _plan}[name](arguments)
        files.say(said, sys.stdout)
        return code
    except ValueError as refusal:
        said, code = str(refusal), 2
    except KeyboardInterrupt:
        said, code = "interrupted: nothing was written", 130
    except OSError as problem:  # standard output is full, or its reader has closed it
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (Python flushes it once more at exit)
        said, code = f"cannot write the result: {problem.strerror}", 2
    with suppress(OSError):
        files.say(f"Error: {said}", sys.stderr)
    return code


def _parser_of_compare() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="replib compare",
        description="Compare models by their scores, and say whether a rerun would agree.",
        epilog="FILE is a table (CSV, Parquet) with a column per model and a row per split, or "
        "with the columns model and score and those that the design needs; or a log or output "
        "folder of lm-evaluation-harness. NAME=FILE names the model.",
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+")
    add(
        "--design",
        metavar="D",
        help="how the scores were made: 10x10 (runs x folds), '30 x 10%%' "
        "(random splits), items, seeds or datasets; known for logs",
    )
    add("--metric", metavar="NAME", help="what the scores are, such as accuracy")
    add("--better", choices=("higher", "lower"), help="for an unknown metric")
    add(
        "--high",
        type=float,
        metavar="X",
        help="largest value of the metric: 100 for percent",
    )
    add(
        "--column",
        metavar="ROLE=NAME",
        action="append",
        default=[],
        type=_split,
        help="which column is model, score, run, fold, item, dataset or ignored",
    )
    add(
        "--where",
        metavar="COLUMN=VALUE",
        action="append",
        default=[],
        type=_split,
        help="only the rows with this value",
    )
    add(
        "--about",
        choices=("models", "training", "both"),
        help="for items in several trainings: what the question is about",
    )
    add("--pair", nargs=2, metavar=("A", "B"), help="only these two")
    add("--best", action="store_true", help="the best against the second")
    add(
        "--equivalence",
        type=float,
        metavar="D",
        help="differences up to D do not matter",
    )
    add("--alpha", type=float, default=0.05, help="significance level (0.05)")
    add("--json", action="store_true", help="print all numbers as JSON")
    add("--report", metavar="FILE", help="write a page with tables and a picture")
    add(
        "--fail-if",
        choices=tuple(_FAILS),
        help="with --pair: exit with 1 if A is worse than B, "
        "not better, or neither better, worse nor equivalent",
    )
    return parser


def _compare(arguments: Sequence[str] | None) -> tuple[str, int]:
    given = _parser_of_compare().parse_args(arguments)
    if given.fail_if and not given.pair:
        raise ValueError(
            "--fail-if asks about one model: name it and the other with --pair A B"
        )
    inputs = {os.path.realpath(file.rpartition("=")[2]) for file in given.files}
    if given.report and os.path.realpath(given.report) in inputs:
        raise ValueError(f"--report would overwrite the input {given.report!r}")
    metric = given.metric
    if given.better or given.high is not None:
        high = np.inf if given.high is None else given.high
        metric = Metric(metric, better=given.better, high=high)
    ignored = [name for role, name in given.column if role == "ignored"]
    data = read(
        *given.files,
        design=given.design,
        metric=metric,
        where=dict(given.where) or None,
        columns=dict(given.column) | {"ignored": ignored},
    )
    result = compare(
        data,
        about=given.about,
        equivalence=given.equivalence,
        alpha=given.alpha,
        pairs="best" if given.best else [tuple(given.pair)] if given.pair else "all",
    )
    said = (
        json.dumps(result.to_dict(), indent=1, allow_nan=False)
        if given.json
        else str(result)
    )
    if given.report:
        page = result.report(given.report)
        said += "" if given.json else f"\nopen {page}"
    first = result.pairs.iloc[0]
    fails = given.fail_if and _FAILS[given.fail_if](
        first["decision"], first.get("equivalent", False)
    )
    return said, int(bool(fails))


def _split(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, not {shown(text)}")
    return name, value


def _plan(arguments: Sequence[str] | None) -> tuple[str, int]:
    parser = _Parser(
        prog="replib plan",
        description="How many runs, seeds, items or data sets does a comparison need?",
    )
    parser.add_argument(
        "design", metavar="DESIGN", help="10x10, '30 x 10%%', items, seeds, datasets"
    )
    for name, kind, text in (
        (
            "difference",
            float,
            "that must be found; without it, the smallest that can be",
        ),
        ("sd", float, "of the differences, or of a model's scores over seeds"),
        (
            "discordant",
            float,
            "share of items that only one model has right, instead of --sd",
        ),
        ("n", int, "number of runs, splits, seeds, items, data sets"),
        ("equivalence", float, "plan to show that models differ by less"),
        ("power", float, "(0.8)"),
        ("alpha", float, "significance level (0.05)"),
        ("pairs", int, "number of pairs of models (1)"),
    ):
        parser.add_argument(f"--{name}", type=kind, metavar="X", help=text)
    given = {
        name: x
        for name, x in vars(parser.parse_args(arguments)).items()
        if x is not None
    }
    spreads = [given.pop(name) for name in ("sd", "discordant") if name in given]
    if len(spreads) != 1:
        raise ValueError(
            "say --discordant for items that are right or wrong, else --sd"
        )
    return str(plan(given.pop("design"), *spreads, **given)), 0
