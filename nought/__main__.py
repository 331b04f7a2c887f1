"""`python -m nought` is the command `nought`."""

from nought.cli import main

if __name__ == "__main__":
    main()
