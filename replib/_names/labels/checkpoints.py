"""Labels of states of one training: "ckpt_200k", "rl_model_20000_steps.zip", "last.pth"."""

import re
from collections.abc import Sequence

from replib._names.labels.portions import rise_in_round_steps
from replib._names.things.kinds import STATES, kind_in_role
from replib._names.words import split_at_capitals

#: Files of weights, and of their logs.
_EXTENSION = re.compile(
    r"(?:\.(?:bin|ckpt|csv|h5|hdf5|json|keras|log|model|msgpack|npz|onnx|pkl|pt|pth"
    r"|safetensors|tar|txt|weights|zip))+$",
    re.IGNORECASE,
)
_NUMBER = r"\d+(?:[.,]\d+)?(?:e[+-]?\d+)?"
_AMOUNT = rf"{_NUMBER}(?:[kmb]|st|nd|rd|th)?(?![^\W_])"
_TOKEN = re.compile(rf"(?P<amount>{_AMOUNT})|(?P<word>[^\W\d_]+)", re.IGNORECASE)
_STEPS = re.compile(rf"(?P<number>{_NUMBER})(?P<unit>[kmb]?)")
#: What a state may be called instead of its number.
_NAMED_STATES = {
    *("avg", "averaged", "best", "converged", "early", "ema", "end", "final", "first"),
    *("init", "initial", "interrupted", "last", "latest", "stop", "stopped", "swa"),
}
#: What is saved, which may stand beside a number, or a name, of a state.
_SAVED = {
    *("actor", "agent", "at", "after", "by", "critic", "ep", "k", "m", "model", "net"),
    *("network", "params", "policy", "rl", "save", "saved", "snapshot", "state"),
    *("weights",),
}
#: From here on a number of something saved counts steps; seeds are smaller, as a rule.
_MANY_STEPS = 10_000
_THOUSANDS = {"k": 1e3, "m": 1e6, "b": 1e9}


def state_of_training(label: str) -> tuple[str | None, str]:
    """Return of what kind a state of a training is by its label, and which; None if it is none.

    >>> state_of_training("ckpt_200k"), state_of_training("model_best.pth")
    (('checkpoint', 'ckpt_200k'), ('checkpoint', 'model_best.pth'))
    >>> state_of_training("10_epochs"), state_of_training("model_3"), state_of_training("best")
    (('epoch', '10_epochs'), (None, ''), (None, ''))
    """
    file = label.rpartition("/")[2]
    name = _EXTENSION.sub("", file)
    words, amounts = _words_and_amounts(name)
    if len(amounts) > 1 or _is_of_initialisation(label):
        return None, ""
    has_state = not _NAMED_STATES.isdisjoint(words)
    has_saved = not _SAVED.isdisjoint(words)
    counted = [word for word in words if word not in _NAMED_STATES | _SAVED]
    if not counted:  # a number alone may be that of a seed
        is_file = name != file
        is_state = has_state and (has_saved or is_file)
        return ("checkpoint", file) if is_state else (None, "")
    kind = kind_in_role(" ".join(counted))
    if kind not in STATES or not (amounts or has_state):
        return None, ""
    return (kind if amounts else "checkpoint"), file


def are_states(labels: Sequence[str]) -> bool:
    """Return whether labels of runs are names of states, or numbers of steps, and nothing else.

    >>> are_states(["best", "last"]), are_states(["200k", "400k", "600k"])
    (True, True)
    >>> are_states(["first", "second"]), are_states(["1", "2", "3"])
    (False, False)
    """
    words = [" ".join(_words_and_amounts(label)[0]) for label in labels]
    if all(map(_is_of_initialisation, labels)):
        return False
    return _NAMED_STATES.issuperset(words) or _are_steps(labels)


def _is_of_initialisation(label: str) -> bool:
    """Return whether a label numbers one of several initialisations, of which each is trained."""
    words, amounts = _words_and_amounts(label)
    return words == ["init"] and bool(amounts)


def _are_steps(labels: Sequence[str]) -> bool:
    """Return whether labels are numbers of steps in a round order, after which a model was saved.

    >>> _are_steps(["model_1e5", "model_2e5", "model_3e5"]), _are_steps(["net7", "net42"])
    (True, False)
    """
    steps = [_number_of_steps(label) for label in labels]
    known = sorted(step for step in steps if step is not None)
    return len(known) == len(labels) and rise_in_round_steps([*map(str, known)])


def _number_of_steps(label: str) -> int | None:
    """Return the only number of a label that has no words but those of what is saved."""
    words, amounts = _words_and_amounts(_EXTENSION.sub("", label.rpartition("/")[2]))
    steps = _STEPS.fullmatch(amounts[0].casefold()) if len(amounts) == 1 else None
    if steps is None or not _SAVED.issuperset(words):
        return None
    unit = _THOUSANDS.get(steps["unit"], 1)
    number = float(steps["number"].replace(",", ".")) * unit
    is_written_so = unit > 1 or "e" in steps["number"]
    return int(number) if is_written_so or number >= _MANY_STEPS else None


def _words_and_amounts(name: str) -> tuple[list[str], list[str]]:
    """Return the words of a name in lower case, and its numbers as they are written."""
    tokens = [*_TOKEN.finditer(split_at_capitals(name))]
    words = [token["word"].casefold() for token in tokens if token["word"]]
    return words, [token["amount"] for token in tokens if token["amount"]]
