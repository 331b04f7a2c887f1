"""Databases to test on: `url` runs a test on each."""

from server.people_support import postgres, url

__all__ = ["postgres", "url"]
