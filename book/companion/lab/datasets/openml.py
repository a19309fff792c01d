"""Data sets from OpenML, fetched by scikit-learn."""

import warnings

from companion.lab.datasets.dataset import Dataset


def fetch(name: str, version: int) -> Dataset:
    """Fetch one version of a data set from OpenML; scikit-learn caches the file on disk.

    Raises
    ------
    ValueError
        If there is no such version, or the file does not have the announced checksum.
    OSError
        If the server cannot be reached.
    """
    from sklearn.datasets import fetch_openml  # importing it takes a second

    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", module=r"sklearn\.datasets"
        )  # its warnings of retries
        # The faster parser would read the value '?' of anneal as a missing cell.
        bunch = fetch_openml(
            name,
            version=version,
            as_frame=True,
            parser="liac-arff",
            n_retries=1,
            delay=0.5,
        )
    source = f"OpenML's {name}, version {version},"
    return Dataset(name, bunch.data, bunch.target, source)
