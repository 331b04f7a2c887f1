"""The limit of a network's speed: its arithmetic, at the rate at which the machine multiplies matrices."""

from __future__ import annotations

import time

import torch
from torch import nn

from nought.network.resnet import Network

SIDES = {"cuda": 8192, "cpu": 1024}  # of the matrices
SECONDS = 0.5  # to measure for


def operations(network: Network) -> int:
    """Multiplications and additions in one evaluation, those of convolutions and linear layers."""
    _, rows, columns = network.planes
    count = 0
    for layer in network.modules():
        if isinstance(layer, nn.Conv2d):
            count += 2 * layer.weight.numel() * rows * columns  # every layer keeps the board's size
        elif isinstance(layer, nn.Linear):
            count += 2 * layer.weight.numel()
    return count


def matrix_rate(device: torch.device, precision: str) -> float:
    """Operations a second in a product of two large matrices of random numbers, on all cores or the GPU.

    Processors and GPUs with instructions for both take twice as many int8 as bfloat16. Torch's own product of int8 is often
    slower than that, and than our kernels."""
    if precision == "int8":
        twice = 2 * matrix_rate(device, "bfloat16")
        return twice if device.type == "cuda" else max(twice, _measured_rate(device, torch.int8))
    return _measured_rate(device, {"float32": torch.float32, "bfloat16": torch.bfloat16}[precision])


def _measured_rate(device: torch.device, kind: torch.dtype) -> float:
    side = SIDES[device.type]
    a, b = ((20 * torch.randn(side, side, device=device)).to(kind) for _ in range(2))
    multiply = torch._int_mm if kind is torch.int8 else torch.matmul

    def seconds(products: int) -> float:
        begin = time.perf_counter()
        for _ in range(products):
            multiply(a, b)
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        return time.perf_counter() - begin

    seconds(3)
    products = max(3, round(SECONDS / max(seconds(3) / 3, 1e-6)))
    return 2 * side**3 * products / seconds(products)
