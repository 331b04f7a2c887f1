"""Whoever compiles a module's functions does so alone; processes are stood in for by threads, whose locks are as much apart."""

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from tests.support.compiling import one_at_a_time


def test_one_after_the_other_and_one_inside_the_other(tmp_path):
    inside, seen = [], []

    def function() -> None:
        pass

    def compile(self, sig):
        inside.append(sig)
        seen.append(list(inside))
        time.sleep(0.01)
        if sig < 4:
            waits(self, sig + 4)  # a function that it calls
        inside.remove(sig)
        return sig

    waits = one_at_a_time(compile, tmp_path)
    function.__module__ = "nought_kernels"
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda sig: waits(SimpleNamespace(py_func=function), sig), range(4))
        assert list(found) == [0, 1, 2, 3]
    assert sorted(seen) == [[0], [0, 4], [1], [1, 5], [2], [2, 6], [3], [3, 7]]
