"""Compiled code is kept between test runs, apart from the user's."""

import os
from pathlib import Path

os.environ["NOUGHT_CACHE"] = str(Path(__file__).parents[1] / ".pytest_cache" / "nought")
