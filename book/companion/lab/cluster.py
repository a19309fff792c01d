"""What the workers of a dask cluster get from the process that asks: the data sets."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from distributed import Client, Worker, WorkerPlugin

from companion.lab import datasets
from replib._validation import listed


def provide(client: Client, parameters: Sequence[Mapping[str, object]]) -> None:
    """Send the workers the data sets that parameters name, or say which they lack.

    Those of the folder ``REPLIB_DATA`` here are sent, to workers that come later, too.
    Others each worker must have or be able to fetch.

    Raises
    ------
    DataUnavailable
        If some worker has not, and cannot.
    """
    known = datasets.table()["file"]
    names = sorted({text for text in _texts(list(parameters)) if text in known.index})
    if not names:
        return
    folder = os.environ.get(datasets.FOLDER_VARIABLE)
    here = [file for file in known[names] if folder and (Path(folder) / file).exists()]
    if here:
        contents = {file: (Path(folder) / file).read_bytes() for file in here}
        client.register_plugin(DataSets(contents))
    elsewhere = [name for name in names if known[name] not in here]
    if not elsewhere:
        return
    missing = client.run(_unavailable, elsewhere)
    without = [names for names in missing.values() if names]
    if without:
        lacking = sorted(set().union(*without))
        raise datasets.DataUnavailable(
            f"{len(without)} of {len(missing)} workers have no data set {listed(lacking)}: "
            f"set {datasets.FOLDER_VARIABLE} here to a folder with Weka's files, which are then "
            "sent to them"
        )


class DataSets(WorkerPlugin):
    """Lets a worker read files of data sets that it does not have itself.

    Parameters
    ----------
    contents : mapping of str to bytes
        By the name of the file.
    """

    name = "replib-data-sets"

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self.contents = contents

    def setup(self, worker: Worker) -> None:
        own = os.environ.get(datasets.FOLDER_VARIABLE)
        if own and all((Path(own) / file).exists() for file in self.contents):
            return
        folder = Path(worker.local_directory) / self.name
        folder.mkdir(exist_ok=True)
        for file, content in self.contents.items():
            (folder / file).write_bytes(content)
        os.environ[datasets.FOLDER_VARIABLE] = str(folder)


def _texts(value: object) -> Iterator[str]:
    """Yield all texts in a value of lists and mappings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _unavailable(names: Sequence[str]) -> list[str]:
    """Return the data sets that this worker cannot load."""
    lacking = []
    for name in names:
        try:
            datasets.load(name)
        except datasets.DataUnavailable:
            lacking.append(name)
    return lacking
