"""Steps of Muon, compared with what they are by definition and with torch's AdamW."""

import copy
import math

import pytest
import torch

from nought.config import LearningParameters
from nought.learning.optimizer import make_optimizer, orthogonal

CPU = torch.device("cpu")


@pytest.mark.parametrize("shape", [(3, 8, 8), (2, 32, 288), (2, 32, 8)])
def test_orthogonal_matrices_have_the_directions_of_the_gradient_and_one_length(shape):
    torch.manual_seed(0)
    matrices = torch.randn(shape) * 0.01
    left, _, right = torch.linalg.svd(matrices, full_matrices=False)
    # in the directions of the gradient it is a diagonal matrix of about ones
    diagonal = left.transpose(1, 2) @ orthogonal(matrices) @ right.transpose(1, 2)
    lengths = diagonal.diagonal(dim1=1, dim2=2)
    assert lengths.min() > 0.6 and lengths.max() < 1.3
    assert torch.allclose(diagonal, torch.diag_embed(lengths), atol=1e-3)


def small_network():
    torch.manual_seed(1)
    return torch.nn.Sequential(
        torch.nn.Conv2d(2, 4, 3),
        torch.nn.BatchNorm2d(4),
        torch.nn.Conv2d(4, 4, 3),
        torch.nn.Flatten(),
        torch.nn.Linear(4, 3),
    )


def test_two_steps_by_hand():
    """Convolutions go along orthogonal matrices of Nesterov's mean; everything else as with torch's AdamW."""
    network = small_network()
    peer = copy.deepcopy(network)
    learning = LearningParameters(optimizer="muon", rate=0.01, weight_decay=0.1)
    optimizer = make_optimizer(network.parameters(), learning, CPU)
    peers = torch.optim.AdamW([p for p in peer.parameters() if p.ndim != 4], lr=0.01, weight_decay=0.1)
    kernel, mean = network[0].weight.detach().clone(), torch.zeros(4, 18)
    for step in range(2):
        gradients = [torch.randn_like(p) for p in network.parameters()]
        for one in (network, peer):
            for p, gradient in zip(one.parameters(), gradients, strict=True):
                p.grad = gradient.clone()
        optimizer.step()
        peers.step()
        gradient = gradients[0].reshape(4, 18)
        mean = 0.95 * mean + 0.05 * gradient
        turned = orthogonal((0.05 * gradient + 0.95 * mean)[None])[0]
        kernel = (1 - 0.01 * 0.1) * kernel - 0.01 * math.sqrt(18) * turned.reshape(4, 2, 3, 3)
        assert torch.allclose(network[0].weight, kernel, atol=1e-6), step
        for name, p in network.named_parameters():
            if p.ndim != 4:
                assert torch.allclose(p, dict(peer.named_parameters())[name], atol=1e-7), name
