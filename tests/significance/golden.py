"""Reference values that other programs computed, in CSV files."""

import csv
from pathlib import Path

import numpy as np


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def count_list(text: str) -> np.ndarray:
    """Numbers in one field, separated by spaces."""
    return np.array([int(c) for c in text.split()])
