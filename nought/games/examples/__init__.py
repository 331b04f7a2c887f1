"""Games to read, to play and to start from: `nought new mygame.py --like gomoku`."""
