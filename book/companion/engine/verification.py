"""Commands that verify: `check` the verdicts, `data` the data sets."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
import numpy as np
import pandas as pd
from tqdm import tqdm

from companion.engine.build import chapters as book
from companion.engine.build import files, staleness
from companion.engine.build.outputs import COMMITTED, committed_verdicts, current_rows
from companion.engine.show.display import format_number
from companion.lab import datasets
from companion.papers import ledger, published

DIGESTS = COMMITTED.with_suffix(".sha256")

#: What `data` shows of a data set, with the words for it.
_COUNTS = {
    "paper_name": "in the paper",
    "instances": "instances",
    "numeric": "numeric",
    "nominal": "nominal",
    "classes_present": "classes",
    "classes_declared": "declared",
    "missing_cells": "missing",
}


class Folder(click.Path):
    """A folder; an empty name, such as that of an unset variable, is not the current folder."""

    def convert(self, value, param, ctx):
        """Refuse an empty name."""
        if not str(value).strip():
            self.fail("the name of the folder is empty", param, ctx)
        return super().convert(value, param, ctx)


@contextmanager
def bad_input_refused() -> Iterator[None]:
    """Take a `ValueError` for bad input: an environment variable, or a file with data."""
    try:
        yield
    except datasets.DataMismatch:
        raise
    except ValueError as refusal:
        raise click.UsageError(str(refusal)) from refusal


@click.command()
@click.argument("modules", nargs=-1, metavar="[MODULE]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per fact.")
@click.option(
    "--accept", is_flag=True, help="Make the present verdicts the committed ones."
)
@click.option(
    "--compute", is_flag=True, help="Compute the rows now, without any chapter."
)
@click.option(
    "--tables",
    is_flag=True,
    help="Print how probable each table is as a whole, without facts.",
)
def check(
    modules: tuple[str, ...], as_json: bool, accept: bool, compute: bool, tables: bool
) -> None:
    """Print the ledger; exit 1 if a verdict is worse than the committed one.

    The rows are those of the executed chapters, which must be up to date. With
    --compute they are printed as they come; MODULEs, such as bouckaert2004 or
    bouckaert2004.table_1, compute a part.
    """
    if modules and (accept or not compute):
        raise click.UsageError(
            "a MODULE needs --compute, and cannot be accepted on its own"
        )
    if not compute:
        _require_chapters()
    show = _how_to_show(as_json, tables)
    rows = _computed(modules, show) if compute else current_rows()
    now = ledger.assess(rows)
    if modules:  # other parts of an item are not computed
        now = now.loc[rows["id"]].query("verdict != 'open'")
    if tables:
        click.echo(ledger.by_table(rows).round(3).to_string(na_rep=""))
    else:
        shown = set(rows["id"]) if compute else set()
        _show_the_others(now, shown, show)
        if not as_json:
            _show_counts(now["verdict"])
    before = committed_verdicts()
    before = before[before.index.isin(now.index)] if modules else before
    edited = set() if accept else _edited_tables()
    if accept:
        files.write(COMMITTED, now["verdict"].to_csv(lineterminator="\n"))
        files.write(DIGESTS, "\n".join(_digests()) + "\n")
    if not modules:
        _name_changed_runs()
    _refuse_worse(now["verdict"], before)
    if edited:
        names = ", ".join(sorted(edited))
        raise click.ClickException(f"changed since the last check --accept: {names}")


#: Prints a fact, given its id and its row of the ledger.
Show = Callable[[str, pd.Series], None]


def _how_to_show(as_json: bool, tables: bool) -> Show | None:
    """Return what prints a fact, or None if only tables are wanted."""
    if tables:
        return None
    return _print_json if as_json else _print_row


def _show_the_others(now: pd.DataFrame, shown: set[str], show: Show) -> None:
    """Show the facts that were not shown as they came, and every item."""
    for fact_id, row in now.iterrows():
        if row["kind"] == "item" or fact_id not in shown:
            show(fact_id, row)


def _show_counts(verdicts: pd.Series) -> None:
    counts = ledger.tally(verdicts)
    click.echo(f"\nEvery fact once:\n{counts.loc[:, counts.any()].to_string()}")


def _refuse_worse(now: pd.Series, before: pd.Series) -> None:
    """Name the verdicts that are worse than the committed ones, and end with an error."""
    fell = ledger.worse(now, before)
    for fact_id, row in fell.iterrows():
        click.echo(f"worse: {fact_id} was {row['before']}, is {row['now']}", err=True)
    if len(fell):
        raise click.ClickException(
            f"{len(fell)} verdicts are worse than the committed ones"
        )


def _edited_tables() -> set[str]:
    """Return the files that are not as they were when verdicts were accepted last."""
    accepted = set(DIGESTS.read_text().splitlines())
    changed = accepted.symmetric_difference(_digests())
    return {line[_LENGTH_OF_A_DIGEST + 2 :] for line in changed}


#: Of SHA-256 in hexadecimal digits; two spaces and the name of the file follow.
_LENGTH_OF_A_DIGEST = 64


def _digests() -> list[str]:
    """Return a line for each file of printed facts and for the ledger, as sha256sum writes it."""
    tables = (*sorted(published.FOLDER.glob("*.csv")), COMMITTED)
    return [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(book.ROOT)}"
        for file in tables
    ]


def _require_chapters() -> None:
    missing = [
        c.name
        for c in book.chapters()
        if not c.reads_ledger and staleness.is_stale(c, {})
    ]
    if missing:
        raise click.ClickException(
            f"not built with the papers' own values, or changed since: {', '.join(missing)}; "
            "`python -m replib build` does it, and `check --compute` needs no chapter"
        )


def _computed(modules: tuple[str, ...], show: Show | None) -> pd.DataFrame:
    """Return the rows of modules; show each as soon as its module is done, but not items."""
    from companion.engine import ledger_rows  # with all papers and all learners

    known = ledger_rows.modules()
    _refuse_unknown(modules, list(known))
    chosen = [
        module
        for name, module in known.items()
        if not modules or name.startswith(modules)
    ]
    found = []
    with tqdm(chosen, desc="rows", unit="module", disable=None) as progress:
        for rows in ledger_rows.rows(progress):
            found.append(rows)
            if show:
                now = ledger.assess(rows).loc[rows["id"]]
                with tqdm.external_write_mode():
                    for fact_id, row in now[now["kind"] != "item"].iterrows():
                        show(fact_id, row)
    return ledger.worst(pd.concat(found))


def _refuse_unknown(modules: tuple[str, ...], known: list[str]) -> None:
    for module in modules:
        if not any(name.startswith(module) for name in known):
            papers = ", ".join(dict.fromkeys(name.partition(".")[0] for name in known))
            raise click.UsageError(
                f"no module {module!r} has rows: begin with one of {papers}"
            )


def _name_changed_runs() -> None:
    """List stored runs that were made by other code than today's: their counts may differ."""
    from companion import stored  # with all learners and their kernels

    if changed := stored.changed():
        click.echo(
            f"stored by code other than today's: {', '.join(changed)}; "
            "`python -m replib results --verify 200` runs some of their replications again",
            err=True,
        )


def _print_json(fact_id: str, row: pd.Series) -> None:
    rebuilt, error = _as_json(row["rebuilt"]), _as_json(row["standard_error"])
    published = row["printed"] if pd.isna(row["value"]) else row["value"]
    texts = ("reading", "chapter", "criterion", "independent")
    click.echo(
        json.dumps(
            {
                "id": fact_id,
                "published": published,
                "rebuilt": rebuilt,
                "standard_error": error,
                "verdict": row["verdict"],
                **{name: row[name] or None for name in texts},
            }
        )
    )


def _as_json(value: object) -> bool | float | None:
    """Return a rebuilt value as JSON has it: true or false, a number, or nothing."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if value is None or math.isnan(value):
        return None
    return float(value)


def _print_row(fact_id: str, row: pd.Series) -> None:
    if row["verdict"] != "open":
        rebuilt = format_number(row["rebuilt"])
        click.echo(
            f"{row['verdict']:<15} {row['printed']:>10} {rebuilt:>12}  {fact_id}"
        )


@click.command()
@bad_input_refused()
def data() -> None:
    """Show the 27 data sets, and fetch those that are not here."""
    problems, origins = [], {}
    for name in tqdm(
        datasets.names(), desc="data sets", unit="set", leave=False, disable=None
    ):
        try:
            origins[name] = datasets.load(name).source
        except (datasets.DataUnavailable, datasets.DataMismatch) as problem:
            problems.append(problem)
            is_missing = isinstance(problem, datasets.DataUnavailable)
            origins[name] = "not here" if is_missing else f"{problem}"
    shown = datasets.table().loc[list(origins), list(_COUNTS)].rename(columns=_COUNTS)
    click.echo(shown.assign(**{"read from": origins}).to_string())
    if problems:
        raise click.ClickException(
            f"{len(problems)} of {len(shown)} data sets are not here; {problems[0]}"
        )
    click.echo(f"all {len(shown)} data sets are here, and they are Weka's")
