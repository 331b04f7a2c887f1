"""The OpenAPI description as a page without scripts, so that it can be read offline and under our own policy."""

from __future__ import annotations

from html import escape
from typing import Any

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>nought: the API</title></head>
<body><main><h1>nought: the API</h1><p>{about} The same for machines: <a href="/openapi.json">openapi.json</a>.</p>
{calls}<h2>Things</h2>{things}</main></body></html>
"""


def reference(openapi: dict[str, Any]) -> str:
    """Every call with what it takes and gives, and the things these are made of."""
    calls = [
        _call(method, path, call)
        for path, methods in openapi["paths"].items()
        for method, call in methods.items()
    ]
    things = [_thing(name, schema) for name, schema in sorted(openapi["components"]["schemas"].items())]
    return PAGE.format(
        about=escape(openapi["info"]["description"]), calls="\n".join(calls), things="\n".join(things)
    )


def _call(method: str, path: str, call: dict[str, Any]) -> str:
    takes = [f"<code>{escape(p['name'])}</code>: {_type(p['schema'])}" for p in call.get("parameters", ())]
    takes += [_content(call["requestBody"])] if "requestBody" in call else []
    gives = [_content(answer) for status, answer in call["responses"].items() if status.startswith("2")]
    return (
        f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(call.get('description', ''))}</p>"
        f"<p>Takes {'; '.join(takes) or 'nothing'}. Gives {'; '.join(gives)}.</p>"
    )


def _content(body: dict[str, Any]) -> str:
    return (
        " or ".join(_type(kind.get("schema", {})) for kind in body.get("content", {}).values()) or "nothing"
    )


def _thing(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    fields = "".join(
        f"<li><code>{escape(field)}</code>{'' if field in required else ' (optional)'}: {_type(kind)}</li>"
        for field, kind in schema.get("properties", {}).items()
    )
    about = escape(schema.get("description", ""))
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{about}</p><ul>{fields}</ul>'


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(kind) for kind in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(escape(repr(value)) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(str(schema.get("const", schema.get("type", "anything"))))
