"""Costs of chapters and stored runs: recorded seconds, seconds of the last build, minutes."""

import json
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import yaml

from companion.engine.build import chapters, files
from companion.engine.build.chapters import Chapter

#: Minutes of one core per stored run, measured by `results --estimate --record-costs`.
RUNS = chapters.ROOT / "book" / "results" / "costs.csv"

_REMARK = "# Seconds a chapter took, two at a time: python -m replib build --record-costs\n"


def recorded() -> dict[str, dict[str, float]]:
    """Return the seconds that each chapter took, by preset, when they were last recorded."""
    return yaml.safe_load((chapters.SOURCES / "costs.yml").read_text(encoding="utf-8")) or {}


def record(seconds: Mapping[str, float], preset: str | None) -> None:
    """Write the measured seconds of chapters into ``notebooks/costs.yml``."""
    costs = recorded()
    for name, spent in seconds.items():
        costs.setdefault(name, {})[preset or "paper"] = max(1, round(spent))
    files.write(chapters.SOURCES / "costs.yml", _REMARK + yaml.safe_dump(costs))


def of_last_build() -> dict[str, float]:
    """Return the seconds that the chapters took when they were last executed here."""
    try:
        return dict(json.loads((chapters.BUILD / "seconds.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # missing or damaged: only the seconds are lost
        return {}


def remember(seconds: Mapping[str, float]) -> None:
    """Store the seconds of the chapters, for the summary of the next build."""
    chapters.BUILD.mkdir(exist_ok=True)
    files.write(chapters.BUILD / "seconds.json", json.dumps(of_last_build() | dict(seconds)))


def of_runs() -> pd.DataFrame:
    """Return the costs of each stored run with today's code, by name.

    Columns `now` (minutes of one core, estimated), `timed` (number of experiments that were timed),
    `measured` (date) and `machine`.
    """
    if not RUNS.exists():
        return pd.DataFrame(columns=["now", "timed", "measured", "machine"])
    return pd.read_csv(RUNS, index_col="name")


def record_runs(measured: Mapping[str, Mapping[str, object]]) -> None:
    """Write the costs of runs, by name, and keep those of other runs."""
    known = of_runs().to_dict("index")
    rows = pd.DataFrame.from_dict(known | dict(measured), orient="index").rename_axis("name")
    files.write(RUNS, rows.to_csv())


def runs_read_by(chapter: Chapter) -> list[str]:
    """Return the names of the stored runs that a chapter read when it was last executed."""
    read = map(Path, chapters.executed_metadata(chapter.executed).get("data", ()))
    return sorted(file.stem for file in read if file.match("book/results/*.npz"))
