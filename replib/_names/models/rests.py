"""Names of what remains beside models: that none of them, or no single one, is best."""

from replib._names.words import plain_words

_RESTS = {
    *("abstain", "abstention", "both", "both bad", "draw", "drawn", "draws", "equal"),
    *("inconclusive", "neither", "no preference", "no winner", "nobody", "none"),
    *("other", "others", "rest", "same", "tie", "tie bothbad", "tied"),
    *("ties", "undecided"),
}


def is_rest(name: str) -> bool:
    """Return whether a name is that of what remains beside models, such as "tie".

    >>> is_rest("Tie"), is_rest("Tie (both bad)"), is_rest("tiesnet")
    (True, True, False)
    """
    plain = plain_words(name)
    return plain in _RESTS or plain.split(maxsplit=1)[:1] in (["tie"], ["ties"])
