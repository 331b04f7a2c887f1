"""The network: its layers, its files, and evaluating positions with it."""

import os

from nought.network.processor import limit_onednn

# torch's threads wait for each other asleep, not spinning: beside other work on the same cores a training step
# was measured more than twenty times slower without it. Must stand before the first import of torch.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
limit_onednn()

from nought.network.checkpoint import Checkpoint, load_network, save_network
from nought.network.evaluator import NetworkEvaluator, choose_device, choose_devices
from nought.network.from_planes import FromPlanes
from nought.network.resnet import Network, Output, build_network, folded

__all__ = [
    "Checkpoint",
    "FromPlanes",
    "Network",
    "NetworkEvaluator",
    "Output",
    "build_network",
    "choose_device",
    "choose_devices",
    "folded",
    "load_network",
    "save_network",
]
