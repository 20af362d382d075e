"""The command line interface, ``ostrya``."""

import sys

from ostrya.cli.plain_streams import take_any_text

INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C always ends it without a traceback."""
    take_any_text()
    try:
        # Importing takes a second, in which users may press Ctrl-C as well.
        from ostrya.cli.app import app

        app()
    except KeyboardInterrupt:
        print("ostrya: interrupted; nothing was written", file=sys.stderr)
        sys.exit(INTERRUPTED)
