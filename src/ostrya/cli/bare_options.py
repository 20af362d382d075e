"""Options whose value may be omitted: ``--guess`` alone means ``--guess auto``."""

from __future__ import annotations

import os
from typing import Any

from typer.core import TyperCommand

#: The value of each option if it is omitted.
BARE = {"--guess": "auto"}


class BareOptionCommand(TyperCommand):
    """A command that adds omitted values of options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments."""
        return super().parse_args(ctx, filled(args))


def filled(arguments: list[str]) -> list[str]:
    """Return the arguments with a value for every option without one.

    The next argument is the value of an option if it is a known value, or if it is
    neither an option nor a file.

    Examples
    --------
    >>> filled(["--guess", "cars.csv", "--target", "price"])
    ['--guess', 'auto', 'cars.csv', '--target', 'price']
    >>> filled(["cars.csv", "--guess", "thresholds+bounds"])
    ['cars.csv', '--guess', 'thresholds+bounds']
    """
    made: list[str] = []
    for place, argument in enumerate(arguments):
        if argument == "--":
            return [*made, *arguments[place:]]
        made.append(argument)
        rest = arguments[place + 1 : place + 2]
        if argument in BARE and not (rest and _is_value(rest[0])):
            made.append(BARE[argument])
    return made


def _is_value(text: str) -> bool:
    from ostrya._guesses.guess import PARTS  # slow to import

    if set(text.split("+")) <= {"auto", *PARTS}:
        return True
    is_option = text.startswith("-")
    # A word that is not a file is treated as a value, so that its error is reported.
    is_file = os.path.exists(text) or any(sign in text for sign in (".", "/", os.sep))
    return not is_option and not is_file
