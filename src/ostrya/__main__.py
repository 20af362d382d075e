"""Run the command ``ostrya`` as ``python -m ostrya``."""

from ostrya.cli import main

if __name__ == "__main__":
    main()
