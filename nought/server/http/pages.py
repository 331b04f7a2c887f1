"""The web page: files under static/, and index.html for the addresses that the page itself understands."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parents[1] / "static"


class Pages(StaticFiles):
    """Static files; a path without a dot that is no file is one of the page's own addresses."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or "." in path or path.split("/")[0] == "api":
                raise
            response = await super().get_response("index.html", scope)
        # asked for again each time, sent again only if changed
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_pages(app: FastAPI) -> None:
    """Last of all, since it answers every path."""
    app.mount("/", Pages(directory=STATIC, html=True, check_dir=False), name="pages")
