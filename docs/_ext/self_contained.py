"""The site loads nothing from elsewhere: a page that does fails the build."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

ELSEWHERE = re.compile(
    r"<(?:script|link|img|iframe|source|object)\b[^>]*?"
    r"\b(?:src|href|data)=[\"']?((?:https?:)?//[^\s\"'>]+)"
)


def check(app: Sphinx, failure: Exception | None) -> None:
    """Raise if a page asks for a script, style or picture of another host."""
    if failure is not None or app.builder.format != "html":
        return
    found = [
        f"{page.relative_to(app.outdir)} loads {address}"
        for page in sorted(Path(app.outdir).rglob("*.html"))
        for address in ELSEWHERE.findall(page.read_text(encoding="utf-8"))
    ]
    if found:
        raise ExtensionError("\n".join(found))


def setup(app: Sphinx) -> dict[str, Any]:
    """Look at the pages once all of them are written."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
