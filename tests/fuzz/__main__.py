"""The fuzzer by itself: python -m tests.fuzz --help."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from nought.files import cache_folder
from tests.fuzz import __doc__ as about
from tests.fuzz.surface import Surface, fuzz
from tests.fuzz.surfaces import SURFACES
from tests.fuzz.watching import Watch

SAID_EVERY = 30.0  # seconds


def main() -> int:
    parser = argparse.ArgumentParser(
        "tests.fuzz", description=about, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--inputs", type=int, default=10_000, help="of all surfaces together, or of the one that is named"
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--only", choices=sorted(SURFACES))
    given = parser.parse_args()
    found = tried = 0
    with tempfile.TemporaryDirectory(prefix="nought-fuzz-") as folder:
        os.environ["NOUGHT_CONFIG"] = f"{folder}/config"
        os.mkdir(f"{folder}/config")
        os.environ.setdefault("NOUGHT_CACHE", str(cache_folder()))
        for kind in [SURFACES[given.only]] if given.only else SURFACES.values():
            count = given.inputs if given.only else max(1, round(given.inputs * kind.share))
            found += _try(kind, Path(folder) / kind.name, given.seed, given.first, count)
            tried += count
    print(f"{tried:,} inputs, {found} findings")
    return 1 if found else 0


def _try(kind: type[Surface], folder: Path, seed: int, first: int, count: int) -> int:
    """Fuzz a surface, and say how it went; how many different findings there are."""
    (folder / "files").mkdir(parents=True)
    os.chdir(folder / "files")
    surface = kind(folder / "files")
    seen: Counter[str] = Counter()
    begun = said = time.monotonic()

    def told(done: int) -> None:
        nonlocal said
        if time.monotonic() > said + SAID_EVERY:
            said = time.monotonic()
            print(f"{kind.name}: {done:,} of {count:,}", file=sys.stderr, flush=True)

    with Watch((folder / "files", folder.parent / "config", cache_folder()), kind.limit).on() as watch:
        try:
            for finding in fuzz(surface, watch, seed=seed, first=first, count=count, told=told):
                seen[finding.key] += 1
                if seen[finding.key] == 1:
                    print(
                        f"\n{finding.surface} {finding.number}: {finding.what}\n  of {finding.given}\n",
                        flush=True,
                    )
        finally:
            surface.close()
    seconds = time.monotonic() - begun
    print(
        f"{kind.name:<10} {count:>10,} inputs in {seconds:8.1f} s, {len(seen)} findings {dict(seen) or ''}",
        flush=True,
    )
    return len(seen)


if __name__ == "__main__":
    sys.exit(main())
