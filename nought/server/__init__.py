"""nought as a service: play, analyse and look inside over HTTP. docs/server.md says how."""
