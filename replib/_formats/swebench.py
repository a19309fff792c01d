"""Reports of SWE-bench: which instances of the benchmark a model resolved.

``make_run_report`` in ``swebench/harness/reporting.py`` of SWE-bench/SWE-bench writes
``<model>.<run id>.json`` with lists of identifiers.  The score of an instance that was
submitted is 1 if it is resolved; one with an empty patch or an error is not resolved, for a
crash is a score and not a hole.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from replib._bars import with_bar
from replib._formats import logs
from replib._formats.base import Content, Format, Request, own_name, summary_only
from replib._formats.documents import Peek, document, quoted_path
from replib._formats.logs import Log, Sample
from replib._sources import Source
from replib._validation import shown

#: What splits a version, as in gpt-4.1 or gemini-2.5-pro, and not a model and its run.
_IN_VERSION = r"\d\.\d{1,2}([^.\d][^.]*)?$"
#: Lists whose instances were submitted, in reports that do not list these by themselves.
_OUTCOMES = ("completed_ids", "empty_patch_ids", "error_ids", "unresolved_ids")


def recognises(peek: Peek) -> bool:
    """Return whether a file is a report: it lists what was resolved, and what was not."""
    return isinstance(peek.fields.get("resolved_ids"), list)


def read(sources: Sequence[Source], request: Request) -> Content:
    """Return 1 for each instance that a model resolved, else 0."""
    _check_names([path for name, path in sources if name is None])
    return logs.content([_log(source) for source in with_bar(sources, "file")], request)


FORMAT = Format(
    name="a report of SWE-bench",
    sign="*.json with resolved_ids (SWE-bench)",
    recognises=recognises,
    read=read,
    patterns=("*.json", "*/*.json"),
)

SUMMARY = summary_only(
    "a summary of SWE-bench",
    lambda peek: (
        isinstance(peek.fields.get("resolved"), list)
        and {"no_generation", "no_logs"} & peek.fields.keys() != set()
    ),
    "which lists only what was resolved: give the report <model>.<run id>.json of the "
    "evaluation, which also lists what was submitted",
)


def _log(source: Source) -> Log:
    name, path = source
    report = document(path)
    resolved = set(map(str, report["resolved_ids"]))
    lists = ["submitted_ids"] if report.get("submitted_ids") else _OUTCOMES
    submitted = {str(x): None for entry in lists for x in report.get(entry) or []}
    strangers = sorted(resolved.difference(submitted))
    if strangers:
        raise ValueError(
            f"{quoted_path(path)} has resolved instances that were not submitted, the "
            f"first {strangers[0]!r}"
        )
    model = _model(path) if name is None else _before_run_id(path)
    samples = [
        Sample(
            item=instance,
            scores={"resolve_rate": int(instance in resolved)},
            location=f"{name or model}/{path.name}:{instance}",
        )
        for instance in submitted
    ]
    return Log(source=source, model=model, task="swe-bench", samples=samples)


def _model(path: Path) -> str:
    """Return the model that a report is called after, also if it has no run id.

    >>> _model(Path("org__gpt-4.1.my_run.json")), _model(Path("org__gpt-4.1.json"))
    ('org__gpt-4.1', 'org__gpt-4.1')
    """
    return own_name(path) if _may_lack_run_id(path) else _before_run_id(path)


def _before_run_id(path: Path) -> str:
    """Return what is before the last point in the name of a report.

    >>> _before_run_id(Path("org__gpt-4.1.my_run.json"))
    'org__gpt-4.1'
    """
    return own_name(Path(own_name(path)))


def _may_lack_run_id(path: Path) -> bool:
    """Return whether the last point in the name of a report may be that of a version.

    >>> names = "gpt-4.1", "gemini-2.5-pro", "gpt-4.1.run1", "agent.1", "gpt-4.20250114"
    >>> [_may_lack_run_id(Path(f"{name}.json")) for name in names]
    [True, True, False, False, False]
    """
    return re.search(_IN_VERSION, own_name(path)) is not None


def _check_names(paths: Sequence[Path]) -> None:
    """Refuse reports that may be runs of one model, or of models with versions."""
    first: dict[str, Path] = {}
    for path in paths:
        other = first.setdefault(_before_run_id(path), path)
        are_alike = own_name(path) == own_name(other)
        if not are_alike and (_may_lack_run_id(path) or _may_lack_run_id(other)):
            raise ValueError(
                f"{quoted_path(other)} and {quoted_path(path)} may be two models or two "
                f"runs of {shown(_before_run_id(path))}: name all files, as in "
                f"{own_name(path)}={path}"
            )
