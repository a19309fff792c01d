"""Fetching a data set from OpenML: scikit-learn reads it, and no server can make that endless."""

import socket
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from companion.lab.datasets.arff_file import MOST_BYTES
from companion.lab.datasets.dataset import Dataset

_SECONDS_TO_ANSWER = 10


def fetch(name: str, version: int) -> Dataset:
    """One version of a data set of OpenML; scikit-learn keeps the file on disk.

    Raises
    ------
    ValueError
        If there is no such version, or an answer is too large or compressed.
    OSError
        If the server cannot be reached, or falls silent.
    """
    from sklearn.datasets import fetch_openml  # importing it takes a second

    with _bounded(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"sklearn\.datasets")  # its retries, loudly
        # The faster parser would read the value '?' of anneal as a missing cell.
        bunch = fetch_openml(
            name, version=version, as_frame=True, parser="liac-arff", n_retries=1, delay=0.5
        )
    source = f"OpenML's {name}, version {version},"
    return Dataset(name, bunch.data, bunch.target, source)


class _Bound(urllib.request.BaseHandler):
    """Asks for plain answers, and gives up on one that is longer than any data set."""

    def https_request(self, request):
        request.remove_header("Accept-encoding")  # a small archive can hold a large file
        return request

    def https_response(self, request, response):
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise ValueError("OpenML's answer is compressed, which nobody asked for")
        read, left = response.read, MOST_BYTES

        def read_at_most(amount: int | None = None) -> bytes:
            nonlocal left
            piece = read(left + 1 if amount is None else min(amount, left + 1))
            left -= len(piece)
            if left < 0:
                raise ValueError(f"OpenML's answer exceeds {MOST_BYTES // 2**20} megabytes")
            return piece

        response.read = read_at_most
        return response

    http_request, http_response = https_request, https_response


@contextmanager
def _bounded() -> Iterator[None]:
    """Let `urllib` give up on answers without end and on servers that fall silent."""
    seconds, opener = socket.getdefaulttimeout(), urllib.request._opener
    socket.setdefaulttimeout(_SECONDS_TO_ANSWER)
    urllib.request.install_opener(urllib.request.build_opener(_Bound))
    try:
        yield
    finally:
        socket.setdefaulttimeout(seconds)
        urllib.request.install_opener(opener)
