"""All that is fuzzed, by name."""

from __future__ import annotations

from tests.fuzz.game_files import Checked, GameFiles
from tests.fuzz.http_routes import Http
from tests.fuzz.live_socket import LiveSocket
from tests.fuzz.moves import Moves
from tests.fuzz.names import Names
from tests.fuzz.positions import Positions
from tests.fuzz.runs import Runs
from tests.fuzz.surface import Surface
from tests.fuzz.tcp_ports import TcpPorts
from tests.fuzz.weights import Weights

SURFACES: dict[str, type[Surface]] = {
    kind.name: kind
    for kind in (Http, LiveSocket, TcpPorts, Runs, Weights, Positions, GameFiles, Checked, Names, Moves)
}
