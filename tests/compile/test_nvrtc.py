"""CUDA's compiler, where torch brings it; without it there is a sentence instead of a traceback."""

from __future__ import annotations

import pytest
import torch

from nought.compile import nvrtc
from nought.compile.driver import GpuFailed
from tests.support.skips import GPU


def test_without_it_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    nvrtc._library.cache_clear()
    for version, why in ((None, "torch is here without CUDA"), ("999.1", r"no libnvrtc\.so\.999")):
        monkeypatch.setattr(torch.version, "cuda", version)
        with pytest.raises(GpuFailed, match=why):
            nvrtc.compiled("", "sm_90a")


@pytest.mark.skipif(not torch.cuda.is_available(), reason=GPU)
def test_it_compiles_and_says_what_is_wrong() -> None:
    assert nvrtc.compiled('extern "C" __global__ void nothing() {}', "sm_90a")[:4] == b"\x7fELF"
    with pytest.raises(GpuFailed, match="nowhere"):
        nvrtc.compiled('extern "C" __global__ void wrong() { nowhere(); }', "sm_90a")
