"""What chapters and stored runs cost: seconds recorded and of the last build, minutes of runs."""

import json
import re
from collections.abc import Mapping

import pandas as pd
import yaml

from companion.engine import chapters, files
from companion.engine.chapters import Chapter

#: Minutes of one core that each stored run takes, as `results --estimate --record` measured them.
RUNS = chapters.ROOT / "book" / "results" / "costs.csv"

_REMARK = "# Seconds a chapter took, two at a time: python -m replib build --record-costs\n"


def recorded() -> dict[str, dict[str, float]]:
    """Seconds that each chapter took, by preset, when they were last recorded."""
    return yaml.safe_load((chapters.SOURCES / "costs.yml").read_text(encoding="utf-8")) or {}


def record(seconds: Mapping[str, float], preset: str | None) -> None:
    """Write the measured seconds of chapters into ``notebooks/costs.yml``."""
    costs = recorded()
    for name, spent in seconds.items():
        costs.setdefault(name, {})[preset or "paper"] = max(1, round(spent))
    files.write(chapters.SOURCES / "costs.yml", _REMARK + yaml.safe_dump(costs))


def of_last_build() -> dict[str, float]:
    """Seconds that the chapters took when they were last executed here."""
    try:
        return dict(json.loads((chapters.BUILD / "seconds.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # none, or a damaged one: only seconds are lost
        return {}


def remember(seconds: Mapping[str, float]) -> None:
    """Keep what the chapters took, for the summary of the next build."""
    chapters.BUILD.mkdir(exist_ok=True)
    files.write(chapters.BUILD / "seconds.json", json.dumps(of_last_build() | dict(seconds)))


def of_runs() -> pd.DataFrame:
    """What each stored run costs with today's code, by name.

    Columns `now` (minutes of one core, estimated), `timed` (experiments that were timed for it),
    `measured` (date) and `machine`.
    """
    if not RUNS.exists():
        return pd.DataFrame(columns=["now", "timed", "measured", "machine"])
    return pd.read_csv(RUNS, index_col="name")


def record_runs(measured: Mapping[str, Mapping[str, object]]) -> None:
    """Write what runs cost, by name, beside what is known of others."""
    known = of_runs().to_dict("index")
    rows = pd.DataFrame.from_dict(known | dict(measured), orient="index").rename_axis("name")
    files.write(RUNS, rows.to_csv())


def runs_read_by(chapter: Chapter) -> list[str]:
    """Names of the stored runs that the code of a chapter loads by name."""
    return sorted(set(re.findall(r"stored\.load\(\"(\w+)\"", "\n".join(chapter.code))))
