"""Two commands at the same time leave what one leaves."""

import pytest
from harness import Command, is_a_sentence, results_of

pytestmark = pytest.mark.campaign

BUILD = ["build", "--preset", "quick", "--jobs", "1"]
RUN = ["run", "small", "-p", "n", "5"]
OTHER = ["run", "small", "-p", "n", "6"]
RESULTS = ["results", "small", "--into", "."]
PAIRS = {
    "two builds": (BUILD, BUILD), "two runs of one copy": (RUN, RUN),
    "two copies of one chapter": (RUN, OTHER), "a build during a run": (RUN, BUILD),
    "two long runs into one folder": (RESULTS, RESULTS),
}


@pytest.mark.parametrize("what", PAIRS)
def test_two_at_once(what, small_book, moments, record):
    times, survived, cache = -(-moments // 10), 0, str(small_book / "cache")
    for attempt in range(1 + times):
        for name in results_of(small_book):
            (small_book / name).unlink()
        cache = str(small_book / f"cache{attempt}")
        started = [Command(small_book, *one, REPLIB_CACHE=cache) for one in PAIRS[what]]
        if attempt == 0:  # one after the other, for comparison
            assert [one.ended()[0] for one in started[:1]] == [0]
        ends = [one.ended() for one in started]
        found = results_of(small_book)
        if attempt == 0:
            for one in PAIRS[what]:
                assert Command(small_book, *one, REPLIB_CACHE=cache).ended()[0] == 0
            good = results_of(small_book)
            continue
        fine = all(code == 0 and is_a_sentence(said) for code, said in ends)
        survived += fine and found == good
        if not fine:
            print(*ends)
    record("Two at once", what, times, survived, "both succeed; same bits as one after the other")
