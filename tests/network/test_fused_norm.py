"""Norm, addition and rectifier in one operation do what torch's layers do. Without a GPU, its kernels run on the CPU."""

from __future__ import annotations

import copy
import ctypes
import functools
import pickle
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from nought.config import NetworkParameters
from nought.games import load
from nought.network import fused_norm
from nought.network.fused_norm import (
    Launch,
    LearningConvolution,
    Norms,
    as_torch,
    fits,
    norm_and_rectify,
    replace_layers,
    source,
)
from nought.network.resnet import Convolution, build_network, folded
from tests.support.skips import COMPILER, GPU, NVCC

HERE = Path(__file__).parent
CPU = torch.device("cpu")
KERNELS = ("norm_sums", "norm_apply", "norm_back_sums", "norm_back")


@pytest.fixture(autouse=True, scope="module")
def few_threads() -> Iterator[None]:
    """A CPU has few."""
    with pytest.MonkeyPatch.context() as patched:
        if not torch.cuda.is_available():
            patched.setattr(fused_norm, "THREADS", 32)
        yield


@pytest.fixture(scope="module")
def on_cpu(few_threads: None, tmp_path_factory: pytest.TempPathFactory) -> Launch:
    """The kernels, compiled for a CPU."""
    if shutil.which("g++") is None:
        pytest.skip(COMPILER)
    folder = tmp_path_factory.mktemp("norm")
    text = f'#include "{HERE / "cuda_on_cpu.h"}"\n' + source() + "".join(f"RUN({name})\n" for name in KERNELS)
    (folder / "norm.cpp").write_text(text, encoding="utf-8")
    command = ["g++", "-std=c++20", "-O0", "-shared", "-fPIC", "-pthread", "norm.cpp", "-o", "norm.so"]
    subprocess.run(command, cwd=folder, check=True, timeout=120)
    library = ctypes.CDLL(str(folder / "norm.so"))

    def launch(name: str, blocks: int, threads: int, *given: Tensor | int | None) -> None:
        numbers = [0 if g is None else g.data_ptr() if isinstance(g, Tensor) else g for g in given]
        getattr(library, f"run_{name}")(blocks, threads, (ctypes.c_uint64 * len(numbers))(*numbers))

    return launch


@pytest.mark.parametrize(
    ("channels", "positions", "processors"), [(64, 8, 3), (8, 2, 2), (96, 5, 2), (256, 3, 2), (16, 1, 1)]
)
def test_the_kernels_find_what_torch_does(
    on_cpu: Launch, channels: int, positions: int, processors: int
) -> None:
    norms = Norms.of(on_cpu, processors, CPU)
    assert as_torch(norms, CPU, channels, positions)
    assert norms.arrived.item() == 0  # ready for the next layer


def test_the_trial_sees_a_wrong_kernel(on_cpu: Launch) -> None:
    def wrong(name: str, blocks: int, threads: int, *given: Tensor | int | None) -> None:
        on_cpu(name, blocks, threads, *given)
        if name == "norm_back":
            given[-2][0, 0] += 10  # type: ignore[index]  # of the layer's gradient

    assert not as_torch(Norms.of(wrong, 2, CPU), CPU, 16, 2)


def test_what_is_no_number_is_seen(on_cpu: Launch) -> None:
    layer = torch.zeros((2, 8, 3, 3), dtype=torch.bfloat16)
    layer[0, 3] = torch.nan
    found = norm_and_rectify(layer, None, nn.BatchNorm2d(8), Norms.of(on_cpu, 2, CPU))
    assert found[:, 3].isnan().all() and not found[:, 4].isnan().any()


def test_a_network_learns_with_it_as_without(on_cpu: Launch) -> None:
    plain = build_network(load("tictactoe"), NetworkParameters(filters=16, blocks=2))
    for layer in plain.modules():
        if isinstance(layer, nn.BatchNorm2d):
            nn.init.ones_(layer.weight)
    fused = copy.deepcopy(plain)
    replace_layers(fused, lambda: Norms.of(on_cpu, 2, CPU))
    assert (
        isinstance(fused.stem, LearningConvolution) and fused.state_dict().keys() == plain.state_dict().keys()
    )
    planes = torch.empty((6, *plain.planes)).bernoulli_(0.3, generator=torch.Generator().manual_seed(0))
    for network in (plain, fused):
        with torch.autocast("cpu", torch.bfloat16):
            output = network(planes.contiguous(memory_format=torch.channels_last))
        (output.policy.square().sum() + output.value.sum()).backward()
    for one, other in zip(plain.parameters(), fused.parameters(), strict=True):
        assert one.grad is not None and other.grad is not None
        assert (one.grad - other.grad).norm() <= 0.05 * one.grad.norm() + 1e-4
    for one, other in zip(plain.buffers(), fused.buffers(), strict=True):
        torch.testing.assert_close(one, other, rtol=0.02, atol=0.01)
    fused.eval()
    plain.load_state_dict(fused.state_dict())
    assert torch.equal(fused(planes).policy, plain.eval()(planes).policy)  # who plays uses the plain layers


def test_such_a_network_can_be_copied_and_sent() -> None:
    network = build_network(load("tictactoe"), NetworkParameters(filters=16, blocks=1))
    replace_layers(network, functools.partial(fused_norm._on_gpu, CPU))
    sent = pickle.loads(pickle.dumps(copy.deepcopy(network)))
    assert isinstance(sent.stem, LearningConvolution)
    planes = torch.zeros((1, *network.planes))
    assert torch.equal(folded(sent)(planes).policy, folded(network)(planes).policy)  # what plays of it


@pytest.mark.parametrize(
    ("changes", "fit"),
    [
        ({}, True),
        ({"filters": 75}, False),
        ({"filters": 512}, False),
        ({"norm": "layer"}, False),
        ({"activation": "leaky"}, False),
    ],
)
def test_other_layers_are_left_alone(changes: dict[str, object], fit: bool) -> None:
    network = build_network(load("tictactoe"), NetworkParameters(**({"filters": 16, "blocks": 1} | changes)))  # type: ignore[arg-type]
    assert isinstance(network.stem, Convolution) and fits(network.stem) is fit


@pytest.mark.skipif(shutil.which("nvcc") is None, reason=NVCC)
def test_the_kernels_compile(tmp_path: Path) -> None:
    (tmp_path / "norm.cu").write_text(source(), encoding="utf-8")
    command = ["nvcc", "-gencode=arch=compute_90,code=sm_90", "-Xptxas", "-v", "-cubin", "norm.cu"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr
    assert said.stderr.count("0 bytes spill stores") == len(KERNELS)


@pytest.mark.skipif(not torch.cuda.is_available(), reason=GPU)
@pytest.mark.parametrize(("channels", "positions"), [(8, 1), (64, 1024), (96, 300), (128, 1024), (256, 77)])
def test_the_kernels_find_what_torch_does_on_a_gpu(channels: int, positions: int) -> None:
    device = torch.device("cuda")
    assert as_torch(fused_norm._on_gpu(device), device, channels, positions)
