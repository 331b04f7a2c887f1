"""Ways to play and to ask: in the terminal, in a window, for other programs, and a server from Python."""
