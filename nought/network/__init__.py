"""The network: its layers, its files, and evaluating positions with it."""

from nought.network.checkpoint import Checkpoint, load_network, save_network
from nought.network.evaluator import NetworkEvaluator, choose_device
from nought.network.resnet import Network, Output, build_network, folded

__all__ = [
    "Checkpoint",
    "Network",
    "NetworkEvaluator",
    "Output",
    "build_network",
    "choose_device",
    "folded",
    "load_network",
    "save_network",
]
