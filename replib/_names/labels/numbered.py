"""What labels with numbers say that the rows are: "fold 3", "lr=0.01", "rep1_fold5"."""

import re
from collections.abc import Collection, Iterable, Sequence

from replib._names.labels.checkpoints import state_of_training
from replib._names.metrics.quantities import quantity_of_metric
from replib._names.tables import any_of
from replib._names.things.kinds import (
    AMOUNT,
    ASKED,
    REPEATED,
    REPETITIONS,
    STATES,
    kind_beside_number,
    kind_in_role,
    only_count,
)
from replib._names.words import plain_text, words_of_column

#: Kinds of which labels with a number may be of another thing: a data set may be called
#: "set 1".
_NOT_NUMBERED = {
    *("metric", "model", "part of the data", "position", "rank", "sample", "series"),
    *("setting", "shot", "size", "task"),
}
#: A few words, in any language.
_TERM = r"[^\W\d_]+(?:[ _'’-][^\W\d_]+){0,3}"
#: Labels such as "fold 3", "seed=42" and "epoch=05-step=1955.ckpt".
_NUMBERED = re.compile(
    rf"(?P<words>{_TERM})[ _.:=#-]*(?P<number>\d+)"
    r"(?:_(?:test|train|val)_\w+)?"  # "split0_test_score" of scikit-learn
    r"(?:[-,;_ ]+[a-z_]+=[\d.e+-]+)*(?:\.(?:bin|ckpt|csv|json|log|pth?|txt))?",
    re.IGNORECASE,
)
#: Labels such as "grade III", "4 stars" and "2nd grade".
_LEVELS = (
    re.compile(
        rf"(?P<words>{_TERM}?)[ _.:=#-]*(?P<number>\d+|(?<=[ _.:=#-])(?:[a-g]|[ivx]+))",
        re.IGNORECASE,
    ),
    re.compile(rf"(?P<number>\d+)(?:st|nd|rd|th)?[ _-]*(?P<words>{_TERM})"),
)
#: Labels such as "prompt_A": of what is asked, repeated or has people, few have letters.
_LETTERED = re.compile(rf"(?P<words>{_TERM})[ _.:=#-]+(?P<letter>[A-Za-h])")
_LETTERED_KINDS = {*ASKED, "checkpoint", "fold", "person", "seed"}
_STARS = re.compile(r"(?P<words>[★⭐]+)️?[☆✩]*|(?P<number>\d) ?[★⭐]️?")
#: Labels such as "@5", "R@10", "top-5" and "Top 10 %".
_CUTOFF = re.compile(
    r"(?P<stem>.*?)[ _-]*(?P<sign>@|(?<![^\W_])(?:top|at|first|rank)(?![^\W\d_]))"
    r"[ _.:=#-]*(?:k ?= ?)?(?P<number>\d+(?:\.\d+)?) ?%?"
    r"(?: (?:items|results|hits|docs|documents|candidates|recommendations))?"
)
#: Labels such as "edge>1%", "p < 0.05" and ">= 3 stars", and those between such numbers.
_NUMBER = r"-?\d+(?:[.,]\d+)?(?:e-?\d+)?"
_UNIT = r" ?[kKM]? ?(?P<unit>[%°$€£]|[^\W\d_]+)??"
_COMPARED = re.compile(
    rf"(?P<stem>[^<>≤≥=\d]*?\d?) *(?P<sign>[<>]=?|[≤≥]) *[$€£]?{_NUMBER}{_UNIT}"
)
_BETWEEN = re.compile(
    rf"(?P<stem>[^<>≤≥=\d]*?) *{_NUMBER}[kKM%]? ?(?:-|–|to) ?{_NUMBER}{_UNIT}"
)
#: Letters of a metric before its cutoff, as in "R@5" and "Hit@10".
_MOST_LETTERS = 4
#: Labels such as "iris_fold3" and "mmlu 5-shot", of which each is a part of what stands
#: before.
_NUMBERED_PARTS = re.compile(
    r"(?P<thing>.*\w)[\W_]+"
    r"(?:(?P<word>[^\W\d_]+)[ _.:=#-]*\d+|\d+[ _-]?(?P<after>[^\W\d_]+))[)\]]?"
)
_KINDS_OF_PARTS = {*REPEATED, *STATES, "run", "shot", "threshold"}
#: A word and its number, and labels of several: "rep1_fold5", "Fold05.Rep1".
_WORD_AND_NUMBER = re.compile(r"([^\W\d_]+)[ _.:=#-]*(\d+)")
_SEVERAL_NUMBERED = re.compile(
    rf"{_WORD_AND_NUMBER.pattern}(?:[\W_]*{_WORD_AND_NUMBER.pattern})+"
)
_KINDS_OF_SEVERAL = {*REPEATED, *REPETITIONS, "split"}
#: Labels such as "lr=0.01".
_SETTING = re.compile(
    rf"(?P<words>{_TERM})[ _]*[=: ][ _]*-?[\d.]+(?:e-?\d+)?",
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
_IDENTIFIERS = {
    *("date", "exp", "experiment", "gpu", "host", "id", "idx", "index", "job", "jobid"),
    *("name", "node", "number", "pid", "port", "time", "uuid", "ver", "version"),
    "worker",
}
#: These do so alone: "r=1", but "eff_S=0.2".
_COUNTING_LETTERS = {"i", "j", "r", "s"}
#: Such as "T1024" and "PT-0031".
_IDENTIFIER = re.compile(r"(?P<stem>[^\W\d_]{1,5})[-_]?(?P<number>\d{3,})")
#: Two words, or one, before a number.
_NAMED_NUMBER = re.compile(r"([^\W\d_]+(?:[ _][^\W\d_]+)?)[ _.:=#-]*(\d+)")


def kind_of_numbered(labels: Iterable[str]) -> str | None:
    """Return what all labels number, such as "fold", or None.

    >>> kind_of_numbered(["fold 1", "Fold_2"]), kind_of_numbered(["iris", "fold 2"])
    ('fold', None)
    >>> kind_of_numbered(["rep1_fold1", "rep1_fold2"])
    'fold'
    """
    common = None
    numbers = set()
    labels = [*labels]
    folder = _common_folder(labels)
    for label in labels:
        kind, number = _kind_and_number(label.removeprefix(folder).strip())
        if kind is None or common not in (None, kind):
            return None  # most labels number nothing: the first one tells
        common = kind
        numbers.add(number)
    return common if len(numbers) > 1 else None


def are_samples(labels: Iterable[str], but_for: Collection[str] = ()) -> bool:
    """Return whether labels of runs number samples, by another word than some.

    Of other things than runs, a sample may be anything: a data set, or an item.

    >>> are_samples(["draw_0", "draw_1"]), are_samples(["seed 0", "seed 1"])
    (True, False)
    """
    matches = [_NUMBERED.fullmatch(label) for label in labels]
    words = {" ".join(words_of_column(x["words"])) if x else "" for x in matches}
    return bool(words) and all(
        kind_in_role(word) == "sample" and word not in but_for for word in words
    )


def _common_folder(labels: list[str]) -> str:
    """Return the folder that all labels are in, as "eval/fold1" and "eval/fold2" are."""
    folders = {label.rpartition("/")[0] for label in labels[:1] + labels[-1:]}
    folder = f"{folders.pop()}/" if len(folders) == 1 else "/"
    return folder if all(label.startswith(folder) for label in labels) else ""


def _kind_and_number(label: str) -> tuple[str | None, str]:
    """Return what a label numbers, or of what it is a state, and which of them it is."""
    kind, number = _numbered_kind(label)
    return (kind, number) if kind is not None else state_of_training(label)


def _numbered_kind(label: str) -> tuple[str | None, str]:
    """Return what a label numbers, and the number; of folds in runs, the folds."""
    match = _NUMBERED.fullmatch(label)
    if match is not None:
        kind = kind_in_role(match["words"])
        if kind is None:
            return _level_and_number(label)
        return (None if kind in _NOT_NUMBERED else kind), match["number"]
    if _SEVERAL_NUMBERED.fullmatch(label) is None:
        return _level_and_number(label)
    kinds = [kind_in_role(word) for word, _ in _WORD_AND_NUMBER.findall(label)]
    if not _KINDS_OF_SEVERAL.issuperset(kinds):
        return None, ""
    return ("fold" if "fold" in kinds else kinds[-1]), label


def _level_and_number(label: str) -> tuple[str | None, str]:
    """Return of what a label is a level, or a class, and the number that it has there."""
    stars = _STARS.fullmatch(label)
    if stars is not None:
        return "level", stars["number"] or str(len(stars["words"]))
    for pattern in _LEVELS:
        match = pattern.fullmatch(label)
        kind = None if match is None else kind_beside_number(match["words"])
        if match is not None and kind is not None:
            return kind, match["number"].casefold()
    lettered = _LETTERED.fullmatch(label)
    kind = None if lettered is None else kind_in_role(lettered["words"])
    if lettered is None or kind not in _LETTERED_KINDS:
        return None, ""
    return kind, lettered["letter"].casefold()


def are_cutoffs(labels: Sequence[str]) -> bool:
    """Return whether labels are the cutoffs of one ranking, with one metric or without.

    >>> are_cutoffs(["@1", "@5"]), are_cutoffs(["Top-1", "top 10%"]), are_cutoffs(["R@5", "R@9"])
    (True, True, True)
    >>> are_cutoffs(["R@5", "P@5"]), are_cutoffs(["rank 1", "rank 2"])
    (False, False)
    """
    matches = [_CUTOFF.fullmatch(plain_text(label)) for label in labels]
    known = [match for match in matches if match is not None]
    if len(known) < len(matches) or len({match["number"] for match in known}) < 2:
        return False
    stems = {match["stem"] for match in known}
    if len(stems) > 1 or not _may_be_metric(*stems):
        return False
    is_certain = all(match["sign"] in ("@", "top") for match in known)
    return is_certain or not only_count(match["number"] for match in known)


def kind_of_compared(labels: Sequence[str]) -> str | None:
    """Return "threshold" for labels such as "edge > 1%" and "edge > 2%", or None.

    Labels that lie on both sides of numbers, or between these, are levels.

    >>> kind_of_compared(["p<0.05", "p<0.01"]), kind_of_compared(["≥ 3 stars", "≥ 4 stars"])
    ('threshold', 'threshold')
    >>> kind_of_compared(["<50", "50-65", ">65"]), kind_of_compared(["x>1", "y>1"])
    ('level', None)
    """
    if not any(_COMPARED.fullmatch(label.strip()) for label in labels[:2]):
        return None
    compared = [_COMPARED.fullmatch(label.strip()) for label in labels]
    between = [
        _BETWEEN.fullmatch(label.strip())
        for label, match in zip(labels, compared)
        if match is None
    ]
    signs = [match for match in compared if match is not None]
    matches = [*signs, *(match for match in between if match is not None)]
    things = {
        (
            match["stem"].casefold().strip(" _"),
            (match["unit"] or "").casefold().rstrip("s"),
        )
        for match in matches
    }
    if len(matches) < len(labels) or len(things) > 1 or len({*labels}) < 2:
        return None
    sides = {match["sign"][0] in "<≤" for match in signs}
    return "level" if between or len(sides) > 1 else "threshold"


def _may_be_metric(stem: str) -> bool:
    """Return whether what stands before a cutoff may be a metric, or is nothing."""
    return len(stem) <= _MOST_LETTERS or quantity_of_metric(stem) is not None


def kind_of_parts(labels: Iterable[str], *, fewest_things: int = 1) -> str | None:
    """Return what numbers the parts of things that are labelled several times, or None.

    There must be `fewest_things` of them.

    >>> kind_of_parts(["iris_fold1", "iris_fold2"]), kind_of_parts(["monks-1", "monks-2"])
    ('fold', None)
    """
    kinds = set()
    things = []
    for label in labels:
        match = _NUMBERED_PARTS.fullmatch(label.strip())
        if match is None:
            return None
        kind = kind_in_role(match["word"] or match["after"])
        if kind not in _KINDS_OF_PARTS:
            return None
        kinds.add(kind)
        things.append(match["thing"].casefold())
    if len(kinds) > 1 or not fewest_things <= len(set(things)) < len(things):
        return None
    return kinds.pop()


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
    matches = [_PRECISION.fullmatch(plain_text(label)) for label in labels]
    known = [match for match in matches if match is not None]
    if len(known) < len(labels) or len({*labels}) < _FEWEST_PRECISIONS:
        return False
    bits = {match["bits"] or match["activations"] for match in known}
    # "q4_0" and "e4m3" are no other words
    return None in bits or not bits.isdisjoint(_USUAL_BITS)


def _are_values_of_a_setting(labels: Iterable[str]) -> bool:
    """Return whether labels are values of one known setting, such as "lr 0.1"."""
    settings = set()
    for label in labels:
        match = _SETTING.fullmatch(label.strip())
        if match is None:
            return False
        words = " ".join(words_of_column(match["words"]))
        if kind_in_role(words) != "setting":
            return False
        settings.add(words)
    return len(settings) == 1


def _vary_in_settings(labels: Iterable[str], most_names: int) -> bool:
    """Return whether labels such as "n=100,p=5" differ in settings, and in no repetition."""
    settings = [dict(_NAME_AND_VALUE.findall(label)) for label in labels]
    first, *others = settings or [{}]
    if not first or any(values.keys() != first.keys() for values in others):
        return False
    values_of_name = {name: [x[name] for x in settings] for name in first}
    varying = {name: x for name, x in values_of_name.items() if len({*x}) > 1}
    return 0 < len(varying) <= most_names and all(
        _is_setting(name, values) for name, values in varying.items()
    )


def _is_setting(name: str, values: Sequence[str]) -> bool:
    """Return whether a name is that of a setting with these values.

    It is if it names nothing else, and the values do not only count.
    """
    kind = kind_in_role(name)
    if kind is not None:
        return kind == "setting" or (kind == "threshold" and not only_count(values))
    words = words_of_column(name)
    if not _IDENTIFIERS.isdisjoint(words) or _COUNTING_LETTERS.issuperset(words):
        return False
    return all(map(AMOUNT.fullmatch, values)) and not only_count(values)


def are_identifiers(labels: Sequence[str]) -> bool:
    """Return whether labels are some letters and a high number each, which do not count.

    >>> are_identifiers(["T1024", "T1030", "T1037"]), are_identifiers(["T101", "T102", "T103"])
    (True, False)
    >>> are_identifiers(["job4711", "job4713", "job4720"]), are_identifiers(["f1", "f3", "f9"])
    (False, False)
    """
    matches = [_IDENTIFIER.fullmatch(label.strip()) for label in labels]
    known = [match for match in matches if match is not None]
    stems = {match["stem"].casefold() for match in known}
    if not known or len(known) < len(matches) or len(stems) > 1:
        return False
    (stem,) = stems
    if stem in _IDENTIFIERS or kind_in_role(stem) is not None:
        return False
    numbers = {int(match["number"]) for match in known}
    return len(numbers) == len(labels) and max(numbers) - min(numbers) >= len(labels)


def common_seed(labels: Iterable[str]) -> str | None:
    """Return the one seed that all labels have, among other numbers, or None.

    >>> common_seed(["0_seed=42", "1_seed=42"]), common_seed(["seed=1", "seed=2"])
    ('42', None)
    """
    seeds: set[str] = set()
    for label in labels:
        seeds_of_label = _seeds(label)
        if len(seeds_of_label) != 1:
            return None
        seeds |= seeds_of_label
    return seeds.pop() if len(seeds) == 1 else None


def _seeds(label: str) -> set[str]:
    """Return the numbers behind words for a seed."""
    return {
        number
        for words, number in _NAMED_NUMBER.findall(label)
        if "seed" in (kind_in_role(words), kind_in_role(re.split("[ _]", words)[-1]))
    }
