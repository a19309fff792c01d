"""The command `bench`: a reader's own test, measured next to those in use."""

import importlib
import io
import sys
import textwrap
from contextlib import redirect_stdout

import click

from companion.engine.verification import bad_input_refused
from companion.studies import bench as measurements
from replib import _files as files
from replib import methods
from replib._validation import one_line


@click.command()
@click.argument("test", metavar="MODULE:FUNCTION")
@click.option(
    "--size",
    type=click.Choice([str(size) for size in measurements.SIZES]),
    default=str(measurements.SIZES[-1]),
    show_default=True,
    help="Instances of each data set.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Significance level.",
)
@click.option(
    "--datasets",
    type=click.IntRange(min=1),
    metavar="N",
    help="Data sets of each network, for a slow test; all by default.",
)
@bad_input_refused()
def bench(test: str, size: str, alpha: float, datasets: int | None) -> None:
    """Measure a test of your own on cross-validations of known truth.

    FUNCTION takes an array of 10 runs x 10 folds, accuracies of A minus accuracies of
    B, and returns a p-value.  The table has the tests in use beside it.
    """
    function = find_test(test)
    # a test may print, and it is called thousands of times
    with redirect_stdout(io.StringIO()):
        own = measurements.measure(
            function, name=test, instances=int(size), alpha=alpha, datasets=datasets
        )
    files.say(table(own, int(size), alpha), sys.stdout)


def find_test(name: str) -> measurements.Test:
    """Return the function that MODULE:FUNCTION names."""
    module_name, _, function_name = name.partition(":")
    sys.path.insert(0, "")  # the current folder, as with python -m
    try:
        module = importlib.import_module(module_name.removesuffix(".py"))
        function = getattr(module, function_name)
    # importing runs whatever the module contains
    except (Exception, SystemExit) as problem:
        raise ValueError(
            f"the test must be MODULE:FUNCTION, such as my_tests:sign, not {name!r}: "
            + one_line(problem)
        ) from problem
    if not callable(function):
        raise ValueError(f"the test must be a function, and {name} is not")
    return function


def table(own: measurements.Row, instances: int, alpha: float) -> str:
    """Write a test next to those in use as text: first those that hold their level, by power."""
    rows = [own, *measurements.references(instances, alpha)]
    order = [methods.HELD, methods.NOT_SETTLED, methods.NOT_HELD]
    rows.sort(key=lambda row: (order.index(row.level(alpha)), -row.power[0]))
    width = max(len(row.name) for row in rows)
    heads = ("Type I error", "power", "replicability")
    lines = [" " * (width + 2) + "".join(f"{head:>16}" for head in heads)]
    for row in rows:
        star = "* " if row is own else "  "
        cells = [
            f"{value:.1f} ({error:.1f})"
            for value, error in (row.type_1, row.power, row.replicability)
        ]
        level = row.level(alpha)
        verdict = "" if level == methods.HELD else f"   level {level}"
        numbers = "".join(f"{cell:>16}" for cell in cells)
        lines.append(f"{star}{row.name:{width}}{numbers}{verdict}")
    of_source_1, of_others = own.datasets
    caption = (
        f"Percent at the level {alpha:g}, standard errors between networks in "
        f"brackets; two 10 x 10 cross-validations on each data set of {instances} "
        f"instances. {own.name} was measured on {of_source_1} data sets for its Type I "
        f"error and {of_others} for its power. Replicability is 2r - 1 under a new "
        "seed, on the source where it is least."
    )
    return "\n".join([*lines, "", *textwrap.wrap(caption, 88)])
