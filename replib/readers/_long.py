"""Tables with a row per score or prediction."""

from typing import Any

import pandas as pd

from replib import _formats
from replib._tables.roles import score_column
from replib._validation import listed
from replib.designs import Items
from replib.scores import Predictions, Scores


def long_table(frame: pd.DataFrame, request: _formats.Request) -> Scores | Predictions:
    """Return the table that a frame with a row per score or prediction describes."""
    roles = roles_in(frame, request)
    if not has_predictions(roles) and not {"model", "score"} <= roles:
        raise ValueError(
            "a DataFrame must have columns model and score, or model, truth and "
            f"prediction, and has {listed(frame)}: for a column per model call from_wide"
        )
    options: dict[str, Any] = dict(
        metric=request.metric,
        columns=request.columns,
        where=request.where or None,
        missing=request.missing,
    )
    if has_predictions(roles):
        design = Items() if request.design is None else request.design
        return Predictions(frame, design=design, **options)
    return Scores(frame, design=request.design, **options)


def roles_in(frame: pd.DataFrame, request: _formats.Request) -> set[str]:
    """Return the roles of a long table that have a column."""
    roles = {
        role
        for role in ("model", "score", "truth", "prediction")
        if request.columns.get(role, role) in frame
    }
    metric = request.metric_name
    if isinstance(metric, str) and score_column(
        frame, metric, request.columns, request.where
    ):
        roles.add("score")
    return roles


def has_predictions(roles: set[str]) -> bool:
    return {"model", "truth", "prediction"} <= roles
