"""nought as a service: play, analyse and look inside over HTTP. docs/reference/server.md says how."""
