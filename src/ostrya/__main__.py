"""``python -m ostrya`` is the command ``ostrya``."""

from ostrya.cli.app import main

if __name__ == "__main__":
    main()
