"""Data sets in the form of Weka's files, and as scikit-learn may get them from OpenML."""

import re
from pathlib import Path

import pandas as pd
from sklearn.utils import Bunch

from companion.lab import datasets

EVERY_NAME = (*datasets.names(), "zoo")


class OpenML:
    """Stands in for scikit-learn's `fetch_openml`."""

    def __init__(self, folder: Path, scratch: Path):
        self.folder, self.scratch, self.files, self.failure = folder, scratch, {}, None

    def publish(self, name, version=1, edit=lambda text: text, ignored=()):
        record = datasets.table().loc[name]
        text = edit(openml_text(self.folder, Path(record["file"]).stem))
        self.files[record["openml_name"], version] = text, [*ignored]

    def __call__(self, name, *, version, **_):
        if self.failure:
            raise self.failure
        if (name, version) not in self.files:
            raise ValueError(f"Dataset {name} with version {version} not found.")
        text, ignored = self.files[name, version]
        file = self.scratch / "published.arff"
        file.write_text(text)
        found = datasets.read_arff(file)
        X = found.X.drop(columns=ignored).apply(_sorted)
        return Bunch(data=X, target=_sorted(found.y))


def _sorted(column):
    """Sort the declared values and forget those that do not occur, as scikit-learn does."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return column
    return column.cat.set_categories(sorted(column.dropna().unique()))


def openml_text(folder: Path, name: str) -> str:
    """Weka's file as OpenML might have it: categories reversed, underscores, quotes everywhere."""
    found = datasets.read_arff(folder / f"{name}.arff")
    lines = [f"@RELATION {name}"]
    for column in found.columns():
        attribute = column.name
        labels = list(column.cat.categories) if hasattr(column, "cat") else []
        values = ",".join(f"'{label}'" for label in reversed(labels))
        spelled = re.sub(r"[^A-Za-z0-9_.-]", "_", attribute)
        lines.append(f"@ATTRIBUTE {spelled} {'{' + values + '}' if labels else 'REAL'}")
    table = found.X.join(found.y)
    cells = [
        [
            ("?" if pd.isna(x) else f"'{x}'" if isinstance(x, str) else repr(x))
            for x in column
        ]
        for column in (table[name].tolist() for name in table)
    ]
    return "\n".join(lines + ["@DATA"] + [",".join(row) for row in zip(*cells)])


def same(one: datasets.Dataset, other: datasets.Dataset) -> None:
    pd.testing.assert_frame_equal(one.X, other.X, check_exact=True)
    pd.testing.assert_series_equal(one.y, other.y)
