"""Items in files and classes by their labels: "net/tcp.c:tcp_ack".

The name of a task before an item, as in "law/12", is no container.  What is one has the
form of code, or the ending of a file.  Issues of a repository ("django__django-11019") are
the items of a well-known benchmark, and are not asked about.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

#: Fewer containers are no clusters that a test could use.
_FEWEST_CONTAINERS = 5
#: Mean number of items of a container from which their dependence matters.
_FEWEST_EACH = 4
#: Different endings of files, by the number of these.
_SHARE_OF_ENDINGS = 0.4
#: Labels by what contains an item, and its plural.
_CONTAINED = {
    "files": re.compile(
        r"(?P<container>.*[\w)\]]\.(?P<ending>[a-z][a-z\d]{0,5}))(?:::?|[#@|!/\[]|->).+",
        re.IGNORECASE,
    ),
    "modules or classes": re.compile(
        r"(?P<container>(?:[^\W\d]\w*(?:\.|::)){2,}[^\W\d]\w*"
        r"|(?:[^\W\d]\w*(?:\.|::))+[A-Z][a-z]\w*)(?:\.|::|#)[^\W\d]\w*(?:\(.*\))?"
    ),
}


class Contained(NamedTuple):
    """Items of which several are in one container by their labels.

    Attributes
    ----------
    things : str
        What contains them, such as "files".
    n_containers : int
    first, second : str
        Labels of two items of one container.
    """

    things: str
    n_containers: int
    first: str
    second: str


def items_of_containers(labels: Sequence[str]) -> Contained | None:
    """Return two items of one container, if few containers have all items; else None.

    >>> labels = [f"src/mod{i}.c:fn_{j}" for i in range(5) for j in range(8)]
    >>> items_of_containers(labels)
    Contained(things='files', n_containers=5, first='src/mod0.c:fn_0', second='src/mod0.c:fn_1')
    >>> items_of_containers([f"law/{i}" for i in range(40)])
    """
    for things, pattern in _CONTAINED.items():
        containers = _containers(labels, pattern)
        are_several = len(containers) >= _FEWEST_CONTAINERS
        if are_several and len(labels) >= _FEWEST_EACH * len(containers):
            first, second, *_ = max(containers.values(), key=len)
            return Contained(things, len(containers), first, second)
    return None


def _containers(
    labels: Sequence[str], pattern: re.Pattern[str]
) -> dict[str, list[str]]:
    """Return the labels of each container; nothing if one has none, or these are tasks."""
    containers: dict[str, list[str]] = {}
    endings = set()
    for label in labels:
        match = pattern.fullmatch(label.strip())
        if match is None:
            return {}
        containers.setdefault(match["container"], []).append(label)
        endings.add(match.groupdict().get("ending"))
    # files share their endings: of "mmlu.law" and "mmlu.art" each has its own
    are_files = len(endings) <= _SHARE_OF_ENDINGS * len(containers)
    return containers if are_files else {}
