"""``python -m ostrya`` is the command ``ostrya``."""

from ostrya.cli import main

if __name__ == "__main__":
    main()
