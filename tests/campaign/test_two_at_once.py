"""Two commands at the same time leave the same files as one."""

import pytest
from harness import Command, forget, is_a_sentence, pages_of, results_of

pytestmark = pytest.mark.campaign

BUILD = ["build", "--preset", "quick", "--jobs", "1"]
RUN = ["run", "small", "-p", "n", "5"]
OTHER = ["run", "small", "-p", "n", "6"]
RESULTS = ["results", "small"]
PAIRS = {
    "two builds": (BUILD, BUILD), "two runs of one copy": (RUN, RUN),
    "two copies of one chapter": (RUN, OTHER), "a build during a run": (BUILD, RUN),
    "two long runs into one folder": (RESULTS, RESULTS),
}


@pytest.mark.parametrize("what", PAIRS)
def test_two_at_once(what, small_book, moments, record):
    times, survived = -(-moments // 20), 0
    forget(small_book)
    for one in PAIRS[what]:
        code, said = Command(small_book, *one, REPLIB_CACHE=str(small_book / "cache")).ended()
        assert code == 0, said
    good = results_of(small_book), pages_of(small_book)
    for attempt in range(times):
        forget(small_book)
        cache = str(small_book / f"cache{attempt}")
        started = [Command(small_book, *one, REPLIB_CACHE=cache) for one in PAIRS[what]]
        ends = [one.ended() for one in started]
        same = (results_of(small_book), pages_of(small_book)) == good
        fine = same and all(code == 0 and is_a_sentence(said) for code, said in ends)
        survived += fine
        if not fine:
            print(same, *ends)
    record("Two at once", what, times, survived, "both succeed; same bits as one after the other")
