"""The command line: ``ostrya fit``, ``predict``, ``show``, ``plot`` and ``demo``."""

import sys

from ostrya.cli.plain_streams import take_any_text

INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback at any moment."""
    take_any_text()
    try:
        # Loading takes a second, in which people press Ctrl-C too.
        from ostrya.cli.app import app

        app()
    except KeyboardInterrupt:
        print("ostrya: interrupted; nothing was written", file=sys.stderr)
        sys.exit(INTERRUPTED)
