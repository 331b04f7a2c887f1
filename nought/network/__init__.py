"""The network: its layers, its files, and evaluating positions with it."""

from nought.network.processor import limit_onednn

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
