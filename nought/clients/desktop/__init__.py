"""The desktop client: a window to play in, on any nought server."""
