"""What a column of a table of items has by its name: what an item is, an answer, or a group.

Whether items depend on each other cannot be seen in their scores, so a column that may
group them has to be given a role; a description of the items has none.
"""

import re

from replib._names.labels import is_name_of_truth

#: What was asked of all models, item by item: it cannot differ between them.
_ASKED = {
    *("question", "prompt", "full prompt", "query", "problem", "premise"),
    *("input", "instruction", "reference", "references", "correct answer"),
    *("answer key", "correct", "target class", "true label", "class label"),
    *("label true", "gold answer", "reference answer", "y test"),
}
#: Last words of names of what describes an item.
_DESCRIPTIONS = {
    *("age", "attempt", "caption", "categories", "category", "choices", "class"),
    *("classes", "count", "date", "day", "depth", "difficulty", "domain", "ethnicity"),
    *("explanation", "eye", "format", "gender", "genre", "grade", "hardness", "hint"),
    *("hops", "hour", "index", "kind", "lang", "language", "len", "length", "level"),
    *("month", "number", "options", "position", "race", "rarity", "rationale"),
    *("severity", "sex", "side", "size", "stage", "style", "tag", "tags", "text"),
    *("timepoint", "title", "topic", "turn", "turns", "type", "url", "visit", "week"),
    *("weight", "year"),
}
#: Last words of names of what a model gave for an item.
_ANSWERS = {
    *("answer", "completion", "confidence", "extracted", "generation", "output"),
    *("pred", "predicted", "prediction", "rank", "reason", "response", "verdict"),
}
#: Words for what has several items, which may depend on each other.
_GROUPS = {
    *("animal", "article", "author", "batch", "book", "cell", "center", "centre"),
    *("chapter", "child", "client", "clinic", "clip", "cluster", "context"),
    *("conversation", "county", "customer", "device", "dialog", "dialogue"),
    *("dialogues", "doc", "document", "donor", "episode", "eye", "family", "farm"),
    *("group", "groups", "herd", "hospital", "household", "individual", "mouse"),
    *("page", "paragraph", "participant", "passage", "patient", "person", "plate"),
    *("player", "plot", "project", "recording", "repo", "repository", "respondent"),
    *("scaffold", "scan", "scanner", "scene", "scenario", "school", "sequence"),
    *("session", "site", "slide", "speaker", "specimen", "station", "story", "student"),
    *("subj", "subject", "template", "thread", "tile", "track", "user", "vehicle"),
    *("video", "volunteer", "writer"),
}


def words_of_column(name: object) -> list[str]:
    """Return the words of a column's name in lower case.

    Parameters
    ----------
    name : object

    Returns
    -------
    list of str

    Examples
    --------
    >>> words_of_column("patientID"), words_of_column("y_true")
    (['patient', 'id'], ['y', 'true'])
    """
    split = re.sub(r"([a-z])([A-Z])", r"\1 \2", str(name))
    return re.findall(r"[^\W\d_]+", split.casefold())


def says_what_was_asked(name: object) -> bool:
    """Return whether a column has the question or the right answer by its name.

    Parameters
    ----------
    name : object

    Returns
    -------
    bool

    Examples
    --------
    >>> [says_what_was_asked(name) for name in ("gold_label", "Question", "answer")]
    [True, True, False]
    """
    plain = " ".join(words_of_column(name))
    return is_name_of_truth(plain) or plain in _ASKED


def describes_items(name: object) -> bool:
    """Return whether a column by its name describes an item, and does not group items.

    Parameters
    ----------
    name : object

    Returns
    -------
    bool

    Examples
    --------
    >>> [describes_items(name) for name in ("target", "class_id", "difficulty", "video")]
    [True, True, True, False]
    """
    words = [word for word in words_of_column(name) if word not in ("id", "name")]
    if not words:
        return False
    plain = " ".join(words)
    return words[-1] in _DESCRIPTIONS or is_name_of_truth(plain) or plain in _ASKED


def has_answers(name: object) -> bool:
    """Return whether a column by its name has what a model gave for an item.

    Parameters
    ----------
    name : object

    Returns
    -------
    bool

    Examples
    --------
    >>> has_answers("model_response"), has_answers("prompt")
    (True, False)
    """
    words = words_of_column(name)
    return bool(words) and words[-1] in _ANSWERS


def names_a_group(name: object) -> bool:
    """Return whether a column by its name has what several items may belong to.

    Parameters
    ----------
    name : object

    Returns
    -------
    bool

    Examples
    --------
    >>> [names_a_group(name) for name in ("patient_id", "SubjectID", "site", "target_id")]
    [True, True, True, False]
    """
    words = words_of_column(name)
    return not _GROUPS.isdisjoint(words) and not describes_items(name)
