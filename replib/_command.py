"""``replib compare`` and ``replib plan``: the library on the command line."""

import argparse
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from replib import _files as files
from replib._names.models.releases import is_tested_against
from replib._sources import MOST_BYTES
from replib._validation import in_shell, one_line, shown
from replib.comparison import compare
from replib.designs import Items, find_design
from replib.planning import plan
from replib.readers import read
from replib.results import Result
from replib.scores import Metric

#: What may fail a build in continuous integration: see :func:`_fails`.
_CONDITIONS = ("worse", "maybe-worse", "not-better", "undecided")

#: The name of a file that is standard input.
_STANDARD_INPUT = "-"
#: Arguments that options are called after, where a refusal begins with one.
_ARGUMENTS = r"^(about|alpha|difference|equivalence|n|pairs|power) must\b"

#: Exit codes: a condition of ``--fail-if`` holds, input cannot be used, Ctrl-C.
_FAILED = 1
_REFUSED = 2
_INTERRUPTED = 130


class _Once(argparse.Action):
    """Store a value; refuse an option that is given twice, of which one would be ignored."""

    was_given = False

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if self.was_given:
            raise argparse.ArgumentError(self, "is given twice")
        self.was_given = True
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.register("action", None, _Once)  # of options that name no other action

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{one_line(message)}; see {self.prog} --help")


def main(name: str, arguments: Sequence[str] | None = None) -> int:
    """Run ``replib compare`` or ``replib plan``.

    Return 1 if ``--fail-if`` fails, 2 for input that cannot be used, 130 after Ctrl-C.
    """
    command = {"compare": _compare, "plan": _plan}[name]
    try:
        text, code = command(arguments)
        files.say(text, sys.stdout)
        return code
    except ValueError as problem:
        message = in_shell(problem, str(problem))
        message = re.sub(_ARGUMENTS, r"--\1 must", message)
        code = _REFUSED
    except KeyboardInterrupt:
        message = "interrupted: nothing was written"
        code = _INTERRUPTED
    except OSError as problem:  # standard output is full, or its reader has closed it
        # Python flushes it once more at exit
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (it must stay open until then)
        message = f"cannot write the result: {problem.strerror}"
        code = _REFUSED
    with suppress(OSError):
        files.say(f"Error: {message}", sys.stderr)
    return code


def _number(text: str) -> float:
    """Return a number; say how one is written that has a percent sign or a decimal comma."""
    try:
        return float(text)
    except ValueError:
        pass
    problem = f"must be a number, not {shown(text)}"
    if text.endswith("%"):
        with suppress(ValueError):
            percent = float(text.removesuffix("%"))
            problem += (
                f": write {percent / 100:g}, or {percent:g} if scores are percent"
            )
    elif "," in text:
        problem += ": write a point"
    raise argparse.ArgumentTypeError(problem)


def _whole_number(text: str) -> int:
    """Return a whole number."""
    try:
        return int(text)
    except ValueError:
        problem = f"must be a whole number, not {shown(text)}"
        raise argparse.ArgumentTypeError(problem) from None


def _compare_parser() -> argparse.ArgumentParser:
    """Return what reads the arguments of ``replib compare``."""
    parser = _Parser(
        prog="replib compare",
        description="Compare models by their scores, and say whether a rerun would agree.",
        epilog="FILE is a table (CSV, Parquet) with a column per model and a row per split, or "
        "with the columns model and score (or the metric) and those that the design needs; a "
        "log, or a folder of logs, of lm-evaluation-harness, Inspect, lighteval, HELM or "
        "SWE-bench; or what Weights & Biases, MLflow, Keras, Lightning or OpenCompass export. "
        "NAME=FILE names the model, and - is standard input.",
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+")
    add(
        "--design",
        metavar="D",
        help="how the scores were made: 10x10 (runs x folds), '30 x 10%%' "
        "(random splits), items, seeds or datasets; known for logs",
    )
    add(
        "--cluster",
        metavar="COLUMN",
        help="items with the same value here depend on each other",
    )
    add(
        "--suite",
        metavar="COLUMN",
        help="names the task of an item, if there are several; known for logs",
    )
    add(
        "--mean",
        choices=("tasks", "items"),
        help="what is compared in a suite: the mean over tasks, or over all items",
    )
    add(
        "--metric",
        metavar="NAME",
        help="what the scores are, such as accuracy; of logs also TASK=NAME,TASK=NAME",
    )
    add("--better", choices=("higher", "lower"), help="for an unknown metric")
    add(
        "--high",
        type=_number,
        metavar="X",
        help="largest value of the metric: 100 for percent",
    )
    add(
        "--positive",
        metavar="LABEL",
        help="the class that a metric of predictions such as f1 is about",
    )
    add(
        "--column",
        metavar="ROLE=NAME",
        action="append",
        default=[],
        type=_name_and_value,
        help="which column is model, score, run, fold, item, dataset or ignored",
    )
    add(
        "--where",
        metavar="COLUMN=VALUE",
        action="append",
        default=[],
        type=_name_and_value,
        help="only the rows with this value; of a learning curve, epoch=last or best",
    )
    add(
        "--task",
        metavar="NAME",
        action="append",
        default=[],
        help="only this task; may be given several times",
    )
    add(
        "--missing",
        choices=("refuse", "common"),
        default="refuse",
        help="what to do with items, data sets, runs or splits that a model lacks: common "
        "keeps those that all models have",
    )
    add(
        "--about",
        choices=("models", "training", "both", "tasks"),
        help="for items in several trainings, or of several tasks: what the question is about",
    )
    add("--pair", nargs=2, metavar=("A", "B"), help="only these two")
    add("--best", action="store_true", help="the best against the second")
    add(
        "--equivalence",
        type=_number,
        metavar="D",
        help="differences up to D do not matter",
    )
    add("--alpha", type=_number, default=0.05, help="significance level (0.05)")
    add("--json", action="store_true", help="print all numbers as JSON")
    add("--report", metavar="FILE", help="write a page with tables and a picture")
    add(
        "--fail-if",
        choices=_CONDITIONS,
        help="with --pair: exit with 1 if A is worse than B; not shown to be at most "
        "--equivalence D worse; not better; or neither better, worse nor equivalent",
    )
    return parser


def _name_and_value(text: str) -> tuple[str, str]:
    """Return both sides of "NAME=VALUE"."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, not {shown(text)}")
    return name, value


def _compare(arguments: Sequence[str] | None) -> tuple[str, int]:
    """Return the text of a comparison, and the exit code."""
    options = _compare_parser().parse_args(arguments)
    result = _result(options)
    words = sys.argv[1:] if arguments is None else arguments
    command = shlex.join(["replib", "compare", *words])
    result = replace(result, record=result.record | {"command": command})
    if options.fail_if and _is_gate_of_reference(options):
        result = replace(result, notes=(*result.notes, _note_on_gate(*options.pair)))
    text = _printed(result, options)
    if options.fail_if and _fails(options.fail_if, result.pairs.iloc[0]):
        return text, _FAILED
    return text, 0


def compared(arguments: Sequence[str]) -> Result:
    """Return the result that ``replib compare`` prints for these arguments."""
    return _result(_compare_parser().parse_args(arguments))


def _result(options: argparse.Namespace) -> Result:
    """Return the result of a comparison with these options."""
    _check_compare_options(options)
    chosen = [*options.where, *(("task", name) for name in options.task)]
    with _with_standard_input(options.files) as inputs:
        data = read(
            *inputs,
            design=_design(options),
            metric=_metric(options),
            where=_conditions(chosen) or None,
            columns=_columns(options.column),
            missing=options.missing,
        )
    if options.mean is not None and data.strata is None:
        raise ValueError(
            "--mean is about several tasks, and these are items of one: say which column "
            "names the task, by --suite"
        )
    return compare(
        data,
        about=options.about,
        equivalence=options.equivalence,
        alpha=options.alpha,
        pairs=_pairs(options),
    )


@contextmanager
def _with_standard_input(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the names of files, where "-" is one with what standard input has."""
    paths = [_path_of_input(name) for name in names]
    if paths.count(_STANDARD_INPUT) > 1:
        raise ValueError("standard input can be read once: give - once")
    if _STANDARD_INPUT not in paths:
        yield list(names)
        return
    content = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(
            f"standard input has more than {MOST_BYTES / 1e6:.0f} MB: keep the rows and "
            "columns that matter"
        )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "standard input"
        path.write_bytes(content)
        inputs = list(names)
        index = paths.index(_STANDARD_INPUT)
        inputs[index] = f"{names[index].removesuffix(_STANDARD_INPUT)}{path}"
        try:
            yield inputs
        except ValueError as problem:
            message = in_shell(problem, str(problem))
            raise ValueError(message.replace(str(path), path.name)) from None


def _path_of_input(name: str) -> str:
    """Return FILE of "FILE" or "NAME=FILE"."""
    return name.rpartition("=")[2]


def _check_compare_options(options: argparse.Namespace) -> None:
    """Refuse options that do not fit each other."""
    if options.fail_if and not options.pair:
        raise ValueError(
            "--fail-if asks about one model: name it and the other with --pair A B"
        )
    if options.fail_if == "maybe-worse" and options.equivalence is None:
        raise ValueError(
            "--fail-if maybe-worse asks how much worse does not matter: say --equivalence D"
        )
    if options.best and options.pair:
        raise ValueError("--best and --pair ask for different pairs: say one of them")
    inputs = {os.path.realpath(_path_of_input(name)) for name in options.files}
    if options.report and os.path.realpath(options.report) in inputs:
        raise ValueError(f"--report would overwrite the input {options.report!r}")


def _design(options: argparse.Namespace) -> Any:
    """Return the design, with the columns that say which items belong together."""
    options_of_items = {
        "cluster": options.cluster,
        "suite": options.suite,
        "mean": options.mean,
    }
    fields = {name: x for name, x in options_of_items.items() if x is not None}
    if not fields:
        return options.design
    design: Any = Items(runs="samples")
    if options.design is not None:
        design = find_design(options.design)
    if not isinstance(design, Items):
        raise ValueError(
            f"--{next(iter(fields))} is about items, and the design is {design}"
        )
    return replace(design, **fields)


def _conditions(where: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the values of each column that choose rows: any of those of one column."""
    conditions: dict[str, list[str]] = {}
    for name, value in where:
        conditions.setdefault(name, []).append(value)
    return conditions


def _columns(column: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return the column of each role, and those that are ignored."""
    columns: dict[str, Any] = {"ignored": []}
    for role, name in column:
        if role == "ignored":
            columns["ignored"].append(name)
        elif role in columns:
            raise ValueError(
                f"--column {role}= is given twice: a role has one column, and others "
                "are ignored=NAME"
            )
        else:
            columns[role] = name
    return columns


def _metric(options: argparse.Namespace) -> Any:
    """Return the metric; its name alone, if nothing else is said of it."""
    name: Any = options.metric
    if "=" in (name or ""):
        return dict(_name_and_value(part) for part in name.split(","))
    more = (options.better, options.high, options.positive)
    if all(option is None for option in more):
        return name
    high = np.inf if options.high is None else options.high
    return Metric(name, better=options.better, high=high, positive=options.positive)


def _pairs(options: argparse.Namespace) -> Any:
    """Return the pairs that are compared, as `compare` takes them."""
    if options.best:
        return "best"
    return [tuple(options.pair)] if options.pair else "all"


def _printed(result: Result, options: argparse.Namespace) -> str:
    """Return what is printed of a result, whose page is written if it is asked for."""
    text = str(result)
    if options.json:
        text = json.dumps(result.to_dict(), indent=1, allow_nan=False)
    if options.report is None:
        return text
    page = result.report(options.report)
    # a program reads JSON, and a second line would be in its way
    return text if options.json else f"{text}\nopen {page}"


def _fails(condition: str, pair: "pd.Series[Any]") -> bool:
    """Return whether a condition of ``--fail-if`` holds for the first model of a pair."""
    if condition == "worse":
        return bool(pair["decision"] < 0)
    if condition == "maybe-worse":
        return not pair["not_worse"]
    if condition == "not-better":
        return bool(pair["decision"] < 1)
    is_equivalent = pair.get("equivalent", False)
    return bool(pair["decision"] == 0 and not is_equivalent)


def _is_gate_of_reference(options: argparse.Namespace) -> bool:
    """Return whether a build fails if the model fails that the other one is tested against.

    Who is undecided does not depend on the order.
    """
    first, second = options.pair
    return options.fail_if != "undecided" and is_tested_against(second, first)


def _note_on_gate(first: str, second: str) -> str:
    """Ask whether the model that may fail a build is the one under test."""
    return (
        f"--fail-if asks about {first}, the first of --pair: is {second} under test? Then "
        f"say --pair {shlex.join([second, first])}."
    )


def _plan_parser() -> argparse.ArgumentParser:
    """Return what reads the arguments of ``replib plan``."""
    parser = _Parser(
        prog="replib plan",
        description="How many runs, seeds, items or data sets does a comparison need?",
    )
    add = parser.add_argument
    add("design", metavar="DESIGN", help="10x10, '30 x 10%%', items, seeds, datasets")
    add(
        "--difference",
        type=_number,
        metavar="X",
        help="that must be found; without it, the smallest that can be",
    )
    add(
        "--sd",
        type=_number,
        metavar="X",
        help="of the differences, or of a model's scores over seeds",
    )
    add(
        "--discordant",
        type=_number,
        metavar="X",
        help="share of items that only one model has right, instead of --sd",
    )
    add(
        "--n",
        type=_whole_number,
        metavar="X",
        help="number of runs, splits, seeds, items, data sets",
    )
    add(
        "--equivalence",
        type=_number,
        metavar="X",
        help="plan to show that models differ by less",
    )
    add(
        "--not-worse",
        type=_number,
        metavar="X",
        help="plan to show that a model is not worse by X or more",
    )
    add("--power", type=_number, metavar="X", help="(0.8)")
    add("--alpha", type=_number, metavar="X", help="significance level (0.05)")
    add(
        "--pairs", type=_whole_number, metavar="X", help="number of pairs of models (1)"
    )
    add("--json", action="store_true", help="print all numbers as JSON")
    return parser


def _plan(arguments: Sequence[str] | None) -> tuple[str, int]:
    """Return the text of a plan, and the exit code."""
    options = vars(_plan_parser().parse_args(arguments))
    options = {name: value for name, value in options.items() if value is not None}
    design = options.pop("design")
    as_json = options.pop("json")
    option_of_spread = _option_of_spread(design, options)
    spread = options.pop(option_of_spread)
    try:
        result = plan(design, spread, **options)
    except ValueError as problem:
        # the options of the shell have names of their own for what Python calls spread
        message = in_shell(problem, str(problem))
        message = re.sub(r"^spread\b", f"--{option_of_spread}", message)
        raise ValueError(message) from None
    if as_json:
        return json.dumps(result.to_dict(), indent=1, allow_nan=False), 0
    return str(result), 0


def _option_of_spread(design: str, options: dict[str, Any]) -> str:
    """Return which option says the spread, "sd" or "discordant"; refuse a wrong one."""
    spreads = [name for name in ("sd", "discordant") if name in options]
    if len(spreads) != 1:
        raise ValueError(
            "say --discordant for items that are right or wrong, else --sd"
        )
    (spread,) = spreads
    right = "discordant" if isinstance(find_design(design), Items) else "sd"
    if spread != right:
        raise ValueError(f"--{spread} is not the spread of {design}: say --{right}")
    return spread
