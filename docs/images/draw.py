"""Draw the picture of the README: ``python docs/images/draw.py``."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PLACE = Path(__file__).parent / "wine.svg"
README = Path(__file__).parents[2] / "README.md"


def picture() -> str:
    """Return the picture that the first lines of Python in the README make."""
    code = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)[0]
    made: dict[str, str] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "README.md", "exec"), made)
    return made["picture"] + "\n"


if __name__ == "__main__":
    PLACE.write_text(picture(), encoding="utf-8")
