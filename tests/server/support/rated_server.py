"""A whole server for a test to kill: python rated_server.py DATABASE PORT. Random play has a rating in it."""

import sys

import uvicorn

from nought.server.app import create_app
from nought.server.settings import ServerLimits, Settings
from nought.server.thinking.agents import Roster


class Rated(Roster):
    def ratings(self, game):
        return {"random": [100.0, 50.0, 150.0], "rollout:30": [400.0, 350.0, 450.0]}


def main() -> None:
    database, port = sys.argv[1:]
    app = create_app(Settings(database=database, warm_up=False, limits=ServerLimits(rate=0)))
    roster = Rated(app.state.services.roster.runs)
    object.__setattr__(app.state.services, "roster", roster)
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
