"""Metrics without a direction: they are best at a value between the ends of their range.

Neither a larger nor a smaller calibration slope is better, but one nearer to 1.
"""

import re

from replib._names.languages import in_english
from replib._names.metrics.behind import are_of_quantity

#: Words before such a metric that say which one of it was taken, or on what.
_WHICH = (
    r"(?:(?:mean|average|avg|median|test|val|valid|validation|cv|external|internal"
    r"|corrected|apparent|optimism|weak|linear|logistic) )*"
)
_CALIBRATION = r"(?:re)?cal(?:ib(?:ration)?)?"
_COUNTS = (
    r"(?:[oe] [eo]|oe|(?:observed|obs)(?: to)? (?:expected|exp|predicted)"
    r"|(?:expected|exp|predicted)(?: to)? (?:observed|obs))"
)
_INTERVAL = r"(?:(?:prediction|confidence|credible|conformal) )?(?:intervals?|pi|ci)"
_LEVEL = r"(?:0 )?(?:68|8|80|9|90|95|99)"
_PROBABILITY = r"(?: (?:probability|rate))?"
#: Whole names of metrics, and where each is best.
_IDEALS = {
    rf"{_CALIBRATION}(?: (?:curve|line))? slope": "1",
    rf"slope of(?: the)? {_CALIBRATION}(?: (?:curve|line))?": "1",
    rf"{_COUNTS}(?: ratio)?": "1",
    r"standardi[sz]ed mortality ratio|spread skill ratio": "1",
    rf"{_CALIBRATION} (?:intercept|in the large)|citl": "0",
    rf"(?:{_INTERVAL} |empirical |nominal )?cov(?:er(?:age)?)?{_PROBABILITY}"
    rf"(?: (?:at|of))? ?{_LEVEL}(?: (?:percent|{_INTERVAL}))?": "its nominal value",
    rf"{_LEVEL}(?: {_INTERVAL})? coverage{_PROBABILITY}": "its nominal value",
    rf"(?:{_INTERVAL}|empirical|nominal|conformal) coverage{_PROBABILITY}"
    rf"|picp(?: {_LEVEL})?": "its nominal value",
}
_BIAS = (
    r"(?:(?:mean|average|avg|median|percent|percentage|relative|rel|forecast|prediction"
    r"|systematic|signed) )*bias(?: (?:error|deviation))?|m?mbe|mbd|pbias|mpe"
)
#: Metrics that are best at zero, and of which people also call the size so.
_SIGNED = re.compile(
    rf"{_BIAS}|mean signed (?:error|difference|deviation)|signed error"
    r"|mean(?: percentage)? (?:error|residual)"
    r"|(?:demographic|statistical) parity difference|average odds difference"
    r"|equal(?:i[sz]ed)? (?:opportunity|odds) difference"
)
#: What was predicted may stand behind a bias: "bias_delta_z".
_BIAS_AT_START = re.compile(rf"(?:{_BIAS}) (?P<behind>.+)")

#: Ratios that are best at 1, unless the smaller number was divided by the larger one, or
#: the other way round: then all are on one side of it.
_RATIOS = re.compile(
    r"(?:(?:mean|average|avg|median|total|overall|global|test|val|cv) )*"
    rf"(?:{_CALIBRATION} (?:ratio|factor)|pcoc|copc|click calibration"
    r"|(?:pred(?:icted)?|forecast|expected|simulated|modelled|modeled|sim|mod(?:el)?|pd)"
    r"(?: (?:to|over|by|vs|per))?"
    r" (?:obs(?:erved)?|actuals?|true|truth|measured|realised|realized|clicks|default rate)"
    r"(?: ratio)?"
    r"|(?:obs(?:erved)?|actuals?|measured|realised|realized)(?: (?:to|over|by|vs|per))?"
    r" (?:pred(?:icted)?|forecast|expected|simulated|modelled|modeled)(?: ratio)?"
    r"|a e(?: ratio)?|(?:bias|forecast bias|variance|variability|dispersion|spread|std|sd"
    r"|standard deviation|mean|mass|volume|flow|water balance|energy balance|count|amplitude"
    r"|hyp ref(?: length)?|speaking rate|pitch range) ratio"
    r"|(?:spread (?:error|rmse|skill)|ensemble spread)(?: ratio)?"
    r"|ratio of (?:the )?(?:means?|sums|totals|variances?|standard deviations?|sds|volumes"
    r"|predicted (?:to|and|over) \w+|observed (?:to|and|over) \w+)"
    r"|(?:kge )?(?:alpha|beta|gamma) ratio"
    r"|standardi[sz]ed incidence ratio"
    r"|(?:genomic )?inflation factor|lambda gc|reduced (?:chi2?|chi square[d]?|chisq)"
    r"|(?:chi2?|chi square[d]?|chisq) (?:per dof|dof|df|ndf)"
    r"|(?:infit|outfit)(?: (?:mnsq|mean square|msq))?|(?:mnsq|mean square) (?:infit|outfit)"
    r"|disparate impact(?: ratio)?|(?:adverse )?impact ratio|(?:demographic|statistical)"
    r" parity ratio|selection(?: rate)? ratio|(?:tpr|fpr|fnr|fdr|for|ppv|accuracy) ratio"
    r" (?:of|between) groups|equal(?:i[sz]ed)? odds ratio|equal opportunity ratio)"
)


def ideal_of_metric(name: str) -> str | None:
    """Return where a metric is best that is neither better higher nor lower, or None.

    >>> names = ("calibration_slope", "O/E ratio", "coverage at 95 %", "coverage", "slope")
    >>> [ideal_of_metric(name) for name in names]
    ['1', '1', 'its nominal value', None, None]
    """
    if "@" in name and "coverage" in name.casefold():
        return None  # of the first ten that are recommended
    for plain in _spellings(name):
        for pattern, ideal in _IDEALS.items():
            if re.fullmatch(f"{_WHICH}(?:{pattern})", plain):
                return ideal
    return None


def is_signed(name: str) -> bool:
    """Return whether a metric is best at zero, unless it is the size of what it is called after.

    >>> is_signed("bias"), is_signed("mean_error"), is_signed("mean absolute error")
    (True, True, False)
    """
    return any(map(_is_signed, _spellings(name)))


def _is_signed(plain: str) -> bool:
    """Return whether a name is that of a signed metric, perhaps with what was predicted behind.

    >>> [_is_signed(plain) for plain in ("bias delta z", "bias correction", "bias rmse")]
    [True, False, False]
    """
    if _SIGNED.fullmatch(plain):
        return True
    bias = _BIAS_AT_START.fullmatch(plain)
    return bias is not None and are_of_quantity(bias["behind"].split())


def is_ratio_to_ideal(name: str) -> bool:
    """Return whether a metric is a ratio that is best at 1, if it has values on both sides.

    >>> names = ("calibration_ratio", "predicted/actual", "Disparate Impact", "hit ratio")
    >>> [is_ratio_to_ideal(name) for name in names]
    [True, True, True, False]
    """
    return any(_RATIOS.fullmatch(plain) for plain in _spellings(name))


def is_best_between(name: str) -> bool:
    """Return whether a metric is best at a value between the ends of its range.

    >>> [is_best_between(name) for name in ("|bias|", "O/E ratio", "beta ratio", "hit ratio")]
    [True, True, True, False]
    """
    has_ideal = ideal_of_metric(name) is not None
    is_bias = any(_SIGNED.fullmatch(plain) for plain in _spellings(name))
    return has_ideal or is_bias or is_ratio_to_ideal(name)


def _spellings(name: str) -> list[str]:
    """Return a name in lower case with blanks between words, with its bracket and without."""
    name = in_english(name).strip()
    without_bracket = re.sub(r"(?<=.)\(.*?\)$", "", name)
    return [
        re.sub(r"[\W_]+", " ", spelling.casefold()).strip()
        for spelling in (name, without_bracket)
    ]
