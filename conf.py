"""For `sphinx-build . FOLDER`: the settings are those of _config.yml, which jupyter-book reads."""

import sys
from pathlib import Path

PROJECT = Path(__file__).parent
sys.path[:0] = [str(PROJECT), str(PROJECT / "book")]

from companion.engine.build.configuration import settings  # noqa: E402

globals().update(settings(PROJECT))
