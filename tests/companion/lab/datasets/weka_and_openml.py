"""Data sets in the form of Weka's files, and as OpenML, simulated here, might send them."""

import gzip
import hashlib
import io
import json
import re
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pandas as pd

from companion.lab import datasets

EVERY_NAME = (*datasets.names(), "zoo")


class OpenML:
    """Answers scikit-learn's requests from ARFF texts, so that its own reading is tested too."""

    def __init__(self):
        self.files, self.asked = {}, []

    def publish(self, name, version, text, *, target, ignored=()):
        number = 100 * (len(self.files) + 1)
        self.files[number] = (name, version, text, target, ignored)

    def __call__(self, request, *_, **__):
        path = urlsplit(request.full_url).path
        self.asked.append(path)
        answer = self._answer(path)
        if answer is None:
            raise HTTPError(request.full_url, 412, "no such data set", {}, io.BytesIO())
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        response = io.BytesIO(gzip.compress(content))
        response.info = lambda: {"Content-Encoding": "gzip"}
        return response

    def _answer(self, path):
        if asked := re.search(r"/data_name/([^/]+)/.*data_version/(\d+)(.*)", path):
            return next(
                ({"data": {"dataset": [{"did": number, "name": name, "version": version}]}}
                 for number, (name, version, *_) in self.files.items()
                 if (name, version) == (asked[1], int(asked[2])) and not asked[3]), None)
        number = int(re.search(r"\d+$", path)[0]) if not path.endswith(".arff") else None
        if number is None or "/download" in path:
            number = int(re.search(r"(\d+)(\.arff)?$", path)[1])
            return self.files[number][2].encode()
        name, version, text, target, ignored = self.files[number]
        if "/features/" in path:
            return {"data_features": {"feature": [
                {"index": str(i), "name": a, "data_type": kind, "number_of_missing_values": "0",
                 "is_target": str(a == target).lower(), "is_ignore": str(a in ignored).lower(),
                 "is_row_identifier": "false"}
                for i, (a, kind) in enumerate(self._attributes(text))
            ]}}
        if "/qualities/" in path:
            return {"data_qualities": {"quality": []}}
        return {"data_set_description": {
            "id": str(number), "name": name, "version": str(version), "format": "ARFF",
            "status": "active", "visibility": "public", "default_target_attribute": target,
            "url": f"https://openml.test/download/{number}", "file_id": str(number), "licence": "",
            "description": "", "md5_checksum": hashlib.md5(text.encode()).hexdigest(),
        }}

    @staticmethod
    def _attributes(text):
        for line in text.splitlines():
            if found := re.match(r"@attribute\s+('[^']*'|\S+)\s+(.*)", line, re.I):
                yield found[1].strip("'"), "nominal" if found[2].startswith("{") else "numeric"


def openml_text(folder: Path, name: str) -> str:
    """Weka's file as OpenML might have it: categories reversed, underscores, quotes everywhere."""
    found = datasets.read_arff(folder / f"{name}.arff")
    lines = [f"@RELATION {name}"]
    for attribute, labels, _ in found.attribute_table.itertuples(index=False):
        values = ",".join(f"'{label}'" for label in reversed(labels))
        spelled = re.sub(r"[^A-Za-z0-9_.-]", "_", attribute)
        lines.append(f"@ATTRIBUTE {spelled} {'{' + values + '}' if labels else 'REAL'}")
    table = found.X.join(found.y)
    cells = [[("?" if pd.isna(x) else f"'{x}'" if isinstance(x, str) else repr(x)) for x in column]
             for column in (table[name].tolist() for name in table)]
    return "\n".join(lines + ["@DATA"] + [",".join(row) for row in zip(*cells)])


def publish(openml, folder, name, version=1, edit=lambda text: text, **options):
    record = datasets.table().loc[name]
    text = edit(openml_text(folder, Path(record["file"]).stem))
    target = re.findall(r"@ATTRIBUTE (\S+)", text)[-1]
    openml.publish(record["openml_name"], version, text, target=target, **options)


def same(one: datasets.Dataset, other: datasets.Dataset) -> None:
    pd.testing.assert_frame_equal(one.X, other.X, check_exact=True)
    pd.testing.assert_series_equal(one.y, other.y)
