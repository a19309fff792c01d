"""Costs of chapters: recorded seconds, and seconds of the last build."""

import json
from collections.abc import Mapping

import yaml

from companion.engine.build import chapters, files

_REMARK = (
    "# Seconds a chapter took, two at a time: python -m replib build --record-costs\n"
)

#: Seconds from a click on *Run* to the answer that are not those of the chapter's cells:
#: both runs are compared, the page is made, and the browser shows it.  Measured by
#: ``.ci/use_server.py seconds``.
SECONDS_OF_PAGE = 2


def recorded() -> dict[str, dict[str, float]]:
    """Return the seconds that each chapter took, by preset, when they were last recorded."""
    return (
        yaml.safe_load((chapters.SOURCES / "costs.yml").read_text(encoding="utf-8"))
        or {}
    )


def of_rerun(name: str, preset: str) -> float | None:
    """Return the seconds until a reader has the answer of a chapter; None if not recorded.

    Parameters
    ----------
    name : str
        Of the chapter.
    preset : {"paper", "quick"}
    """
    cells = recorded().get(name, {}).get(preset)
    return None if cells is None else cells + SECONDS_OF_PAGE


def record(seconds: Mapping[str, float], preset: str | None) -> None:
    """Write the measured seconds of chapters into ``notebooks/costs.yml``."""
    costs = recorded()
    for name, spent in seconds.items():
        costs.setdefault(name, {})[preset or "paper"] = max(1, round(spent))
    files.write(chapters.SOURCES / "costs.yml", _REMARK + yaml.safe_dump(costs))


def of_last_build() -> dict[str, float]:
    """Return the seconds that the chapters took when they were last executed here."""
    try:
        return dict(
            json.loads((chapters.BUILD / "seconds.json").read_text(encoding="utf-8"))
        )
    except (
        OSError,
        ValueError,
        TypeError,
    ):  # missing or damaged: only the seconds are lost
        return {}


def remember(seconds: Mapping[str, float]) -> None:
    """Store the seconds of the chapters, for the summary of the next build."""
    chapters.BUILD.mkdir(exist_ok=True)
    files.write(
        chapters.BUILD / "seconds.json", json.dumps(of_last_build() | dict(seconds))
    )
