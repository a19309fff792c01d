"""Where numbers come from."""

import subprocess
from pathlib import Path

import pytest

from replib.experiments import provenance


def test_the_code_version_is_that_of_this_checkout():
    version = provenance.code_version()
    git = subprocess.run(
        ["git", "rev-parse", "--short=7",
         "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    if git.returncode:
        pytest.skip("the tests lie outside a checkout: there is no commit to compare with")
    assert git.stdout.strip() in version
