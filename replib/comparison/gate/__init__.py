"""The gate: whatever is handed in is aligned, checked and named here, or refused in one sentence.

Every entrance (Python, the command line, the page of the book) asks the same table,
``gate/rules.json``, whether a mistake is refused or noted, and in which words.
"""

from replib.comparison.gate.entrances import Gated, benchmark, estimators, predictions, scores

__all__ = ["Gated", "benchmark", "estimators", "predictions", "scores"]
