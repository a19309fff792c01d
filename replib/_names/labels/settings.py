"""Labels that are values of a setting: "lr=0.01", "n=100,p=5", "FP16"."""

import re
from collections.abc import Iterable, Sequence

from replib._names.tables import any_of
from replib._names.things.kinds import AMOUNT, kind_in_role, only_count
from replib._names.words import TERM, matches_of_all, plain_text, words_of_column

#: Labels such as "lr=0.01".
_SETTING = re.compile(
    rf"(?P<words>{TERM})[ _]*[=: ][ _]*-?[\d.]+(?:e-?\d+)?",
    re.IGNORECASE,
)
#: Each of the settings of "lr=0.1,bs=32".
_NAME_AND_VALUE = re.compile(
    r"(?P<name>[^\W\d_](?:[^\W\d]|[ '’.-])*\d?)\s*=\s*(?P<value>[^\s,;=&|/_]+)(?=[\s,;&|/_]|$)"
)
#: In how many bits numbers are: "FP16", "INT8", "W4A16", "Q4_K_M", "E4M3".
_FORMATS = any_of(
    ("bf", "bfloat", "fixed", "float", "fp", "int", "mxfp", "nf", "nvfp", "posit")
    + ("tf", "uint")
)
_QUANTIZED = any_of(
    ("asym", "awq", "base", "baseline", "calibrated", "dynamic", "gptq", "ptq", "qat")
    + ("reference", "static", "sym")
)
_PRECISION = re.compile(
    rf"{_FORMATS}[-_ ]?(?P<bits>[234568]|16|32|64)(?:[-_ ]{_QUANTIZED})?"
    r"|w\d{1,2}a(?P<activations>\d{1,2})(?:kv\d{1,2})?|i?q\d_[a-z\d_]{1,6}|e\dm\d"
    r"|(?:full|half|mixed)[-_ ]precision"
)
#: Fewer labels may be anything, and so may those of fewer bits alone.
_FEWEST_PRECISIONS = 3
_USUAL_BITS = {"8", "16", "32"}
#: What tells runs apart, and is no setting.
IDENTIFIERS = {
    *("date", "exp", "experiment", "gpu", "host", "id", "idx", "index", "job", "jobid"),
    *("name", "node", "number", "pid", "port", "time", "uuid", "ver", "version"),
    "worker",
}
#: These do so alone: "r=1", but "eff_S=0.2".
_COUNTING_LETTERS = {"i", "j", "r", "s"}


def are_settings(labels: Sequence[str], *, most_names: int = 1) -> bool:
    """Return whether all labels are values of settings: of a learner, or of the data.

    At most `most_names` of the settings vary.

    >>> are_settings(["lr=0.1", "lr=0.01"]), are_settings(["noise=0.1", "noise=0.2"])
    (True, True)
    >>> are_settings(["eff_S=0.2", "eff_S=0.5"]), are_settings(["s=0.2", "s=0.5"])
    (True, False)
    >>> are_settings(["FP16", "INT8", "NF4"]), are_settings(["W8A8", "W4A16", "W4A4"])
    (True, True)
    >>> are_settings(["seed=1", "seed=7"]), are_settings(["job=10", "job=20"])
    (False, False)
    """
    if _are_precisions(labels) or _are_values_of_a_setting(labels):
        return True
    return _vary_in_settings(labels, most_names)


def _are_precisions(labels: Sequence[str]) -> bool:
    """Return whether labels say in how many bits numbers are.

    >>> _are_precisions(["FP16", "INT8", "NF4", "INT4"]), _are_precisions(["int2", "int3", "int4"])
    (True, False)
    """
    matches = matches_of_all(_PRECISION, map(plain_text, labels))
    if not matches or len({*labels}) < _FEWEST_PRECISIONS:
        return False
    bits = {match["bits"] or match["activations"] for match in matches}
    has_other_format = None in bits  # "q4_0" and "e4m3" are no other words
    return has_other_format or not bits.isdisjoint(_USUAL_BITS)


def _are_values_of_a_setting(labels: Iterable[str]) -> bool:
    """Return whether labels are values of one known setting, such as "lr 0.1"."""
    matches = matches_of_all(_SETTING, map(str.strip, labels))
    settings = {" ".join(words_of_column(match["words"])) for match in matches}
    return len(settings) == 1 and kind_in_role(settings.pop()) == "setting"


def _vary_in_settings(labels: Iterable[str], most_names: int) -> bool:
    """Return whether labels such as "n=100,p=5" differ in settings, and in no repetition."""
    settings = [dict(_NAME_AND_VALUE.findall(label)) for label in labels]
    first, *others = settings or [{}]
    if not first or any(values.keys() != first.keys() for values in others):
        return False
    values_by_name = {name: [values[name] for values in settings] for name in first}
    varying = [name for name, values in values_by_name.items() if len({*values}) > 1]
    return 0 < len(varying) <= most_names and all(
        _is_setting(name, values_by_name[name]) for name in varying
    )


def _is_setting(name: str, values: Sequence[str]) -> bool:
    """Return whether a name is that of a setting with these values.

    It is if it names nothing else, and the values do not only count.
    """
    kind = kind_in_role(name)
    if kind is not None:
        return kind == "setting" or (kind == "threshold" and not only_count(values))
    words = words_of_column(name)
    if not IDENTIFIERS.isdisjoint(words) or _COUNTING_LETTERS.issuperset(words):
        return False
    return all(map(AMOUNT.fullmatch, values)) and not only_count(values)
