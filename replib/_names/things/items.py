"""What a column of a table of items has by its name: what an item is, an answer, or a group.

Whether items depend on each other cannot be seen in their scores, so a column that may
group them has to be given a role; a description of the items has none.
"""

from replib._names.things.truth import is_name_of_truth
from replib._names.words import words_of_column

#: What was asked of all models, item by item.
_QUESTIONS = {
    *("question", "prompt", "full prompt", "query", "problem", "premise", "input"),
    *("instruction", "user prompt"),
}
#: What is right, whatever a model answers: neither can differ between models.
_RIGHT = {
    *("reference", "references", "correct answer", "answer key", "target class"),
    *("true label", "class label", "label true", "gold answer", "reference answer"),
    *("expected output", "y test"),
}
#: Names of the truth that may be what a model answered, too.
_ALSO_ANSWERS = {"actual", "label", "labels", "y"}
#: Last words that do not say what a column has.
_FORMS = {"content", "str", "string", "text", "value"}
#: Last words of names of what describes an item.
_DESCRIPTIONS = {
    *("age", "attempt", "caption", "categories", "category", "choice", "choices"),
    *("class", "classes", "color", "colour", "count", "date", "day", "depth"),
    *("difficulty", "domain", "ethnicity", "explanation", "eye", "format", "gender"),
    *("genre", "grade", "hardness", "hint", "hops", "hour", "index", "kind", "lang"),
    *("language", "len", "length", "level", "modality", "month", "number", "option"),
    *("options", "organ", "position", "quarter", "race", "rarity", "rationale"),
    *("season", "severity", "sex", "side", "size", "stage", "style", "tag", "tags"),
    *("text", "timepoint", "tissue", "title", "topic", "turn", "turns", "type", "url"),
    *("visit", "week", "weekday", "weight", "year"),
}
#: Last words of names of what a model gave for an item.
_ANSWERS = {
    *("answer", "comment", "completion", "confidence", "correct", "extracted"),
    *("feedback", "generation", "judgement", "judgment", "output", "pred", "predicted"),
    *("prediction", "rank", "rationale", "reason", "reasoning", "response", "verdict"),
}
#: Words for what has several items, which may depend on each other.
_GROUPS = {
    *("animal", "article", "author", "batch", "book", "cell", "center", "centre"),
    *("chapter", "child", "client", "clinic", "clip", "cluster", "context"),
    *("conversation", "county", "customer", "device", "dialog", "dialogue"),
    *("dialogues", "doc", "document", "donor", "episode", "family", "farm", "frame"),
    *("group", "groups", "herd", "hospital", "household", "image", "img"),
    *("individual", "molecule", "mouse", "page", "paragraph", "participant"),
    *("passage", "patient", "person", "photo", "picture", "plate", "player", "plot"),
    *("project", "recording", "repo", "repository", "respondent", "scaffold", "scan"),
    *("scanner", "scene", "scenario", "school", "sequence", "session", "site", "slide"),
    *("speaker", "specimen", "station", "story", "student", "subj", "subject"),
    *("template", "thread", "tile", "track", "user", "vehicle", "video"),
    *("volunteer", "writer"),
}
#: Last words of a column of identifiers.  A "number" may be that of a line.
_IDENTIFIERS = {"id", "ids", "nr", "no", "uid", "uuid"}
#: These count what has a plural: "rooms_no".
_ALSO_COUNTS = {"nr", "no"}
#: Words that are one with it: "objid", but not "grid".
_WITH_IDENTIFIER = {"ccd", "fiber", "field", "gal", "obj", "parcel", "plate", "star"}
#: Things of which a table has several rows each, where a column of numbers is called so.
_NUMBERED_ALONE = {"healpix", "parcel", "polygon", "spaxel", "unit"}
#: Words of what has identifiers, and describes: a kind, a place or a maker, which other
#: things have in common.
_CATEGORIES = {
    *("accent", "admission", "agency", "agent", "airline", "airport", "app", "area"),
    *("attribute", "band", "bank", "bin", "biome", "brand", "breed", "browser"),
    *("campaign", "carrier", "cat", "categories", "category", "channel", "city"),
    *("cluster", "code", "color", "colour", "company", "concept", "condition"),
    *("conference", "config", "country", "creative", "crop", "cuisine", "cultivar"),
    *("currency", "degree", "department", "depot", "dept", "destination", "detector"),
    *("diagnosis", "dialect", "dish", "disposition", "district", "division"),
    *("dolocation", "domain", "drg", "dropoff", "ecoregion", "education", "element"),
    *("emotion", "filter", "flight", "fold", "format", "genre", "habitat", "icd"),
    *("industry", "instrument", "insurance", "intent", "job", "keyword", "kind"),
    *("landcover", "landuse", "lang", "language", "layer", "league", "license"),
    *("location", "major", "maker", "manager", "manufacturer", "market", "medication"),
    *("menu", "merchant", "method", "mode", "model", "motif", "nationality"),
    *("neighborhood", "neighbourhood", "occupation", "office", "order", "origin", "os"),
    *("passband", "payer", "period", "phase", "pickup", "plan", "platform", "policy"),
    *("port", "procedure", "product", "province", "pulocation", "quarter", "reason"),
    *("recipe", "region", "relation", "religion", "role", "route", "season", "sector"),
    *("segment", "service", "setting", "shift", "shop", "skill", "sku", "soil"),
    *("source", "spacegroup", "specialty", "species", "stadium", "state", "status"),
    *("stop", "store", "style", "subset", "supplier", "survey", "synset", "tariff"),
    *("task", "taxon", "team", "telescope", "template", "terminal", "territory"),
    *("time", "topic", "tournament", "treatment", "variety", "vendor", "venue"),
    *("version", "voice", "ward", "warehouse", "weather", "yes", "zip", "zone"),
}
#: Words of those who judged items.
_JUDGES = {
    *("annotator", "assessor", "coder", "evaluator", "expert", "grader", "judge"),
    *("labeler", "labeller", "rater", "reader", "reviewer", "worker"),
}
#: Words of what is counted within something else.
_POSITIONS = {
    *("atomic", "block", "chapter", "chunk", "cycle", "floor", "frame", "game", "gear"),
    *("index", "item", "lane", "lap", "line", "match", "page", "position", "rank"),
    *("round", "row", "seat", "sent", "sentence", "seq", "set", "step", "storey"),
    *("token", "tooth", "turn", "window"),
}


def says_what_was_asked(name: object) -> bool:
    """Return whether a column has the question or the right answer by its name.

    >>> names = ("gold_label", "Question", "question_text", "answer")
    >>> [says_what_was_asked(name) for name in names]
    [True, True, True, False]
    """
    words = words_of_column(name)
    plain = " ".join(words[:-1] if words[1:] and words[-1] in _FORMS else words)
    if plain in _QUESTIONS | _RIGHT:
        return True
    return is_name_of_truth(plain) and plain not in _ALSO_ANSWERS


def asks(name: object) -> bool:
    """Return whether a column has questions by its name.

    >>> asks("question"), asks("question_id"), asks("target")
    (True, False, False)
    """
    return " ".join(words_of_column(name)) in _QUESTIONS


def describes_items(name: object) -> bool:
    """Return whether a column by its name describes an item, and does not group items.

    >>> names = ("target", "class_id", "line_number", "patient_number", "question_id")
    >>> [describes_items(name) for name in names]
    [True, True, True, False, False]
    """
    words = [word for word in words_of_column(name) if word not in ("id", "name")]
    if words[-1:] == ["number"] and not _GROUPS.isdisjoint(words):
        words.pop()  # of a patient, for instance
    if words == ["text"] and "id" in words_of_column(name):
        return False  # several questions are about one text
    if not words:
        return False
    plain = " ".join(words)
    if words[-1] in _DESCRIPTIONS or plain in _RIGHT or is_name_of_truth(plain):
        return True
    return asks(name)


def has_answers(name: object) -> bool:
    """Return whether a column by its name has what a model gave for an item.

    >>> has_answers("model_response"), has_answers("prompt")
    (True, False)
    """
    words = words_of_column(name)
    return bool(words) and (words[-1] in _ANSWERS or " ".join(words) in _ALSO_ANSWERS)


def names_a_group(name: object) -> bool:
    """Return whether a column by its name has what several items may belong to.

    >>> [names_a_group(name) for name in ("patient_id", "SubjectID", "prompt_id", "target_id")]
    [True, True, True, False]
    """
    words = words_of_column(name)
    if describes_items(name):
        return False
    without_id = " ".join(word for word in words if word not in ("id", "name"))
    return not _GROUPS.isdisjoint(words) or without_id in {*_QUESTIONS, "text"}


def has_identifiers(name: object) -> bool:
    """Return whether a column by its name has identifiers of things, and not of categories.

    What is identified may have any name; whether several items are of one, the values show.

    >>> names = ("parcel_id", "objectId", "unit_nr", "objid", "unit", "ID_PLOT")
    >>> all(map(has_identifiers, names))
    True
    >>> any(map(has_identifiers, ("store_id", "grid", "floor_no", "rooms_no", "id")))
    False
    """
    words = words_of_column(name)
    plain = " ".join(words)
    is_one_word = plain.endswith("id") and plain[:-2] in _WITH_IDENTIFIER
    if is_one_word or plain in _NUMBERED_ALONE:
        return True
    if len(words) < 2 or describes_items(name):
        return False
    if words[-1] in _ALSO_COUNTS and words[-2].endswith("s"):
        return False
    is_numbered = words[-1] in _IDENTIFIERS or words[0] == "id"
    return is_numbered and (_CATEGORIES | _JUDGES | _POSITIONS).isdisjoint(words)
