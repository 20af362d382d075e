"""Write failing cases to files that contain the command to replay them."""

from __future__ import annotations

import base64
import json
import traceback
from pathlib import Path
from typing import Any

import numpy as np

from fuzz import ROOT
from fuzz.target import Case

FOLDER = ROOT / "fuzz" / "found"
# The end of a traceback is the most useful section of it.
MOST_WORDS = 4000


def write(name: str, seed: int, index: int, said: str, case: Case | None) -> Path:
    """Write a failing case; if None, replaying draws it from its seed and index."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{name}-{seed}-{index}.json"
    content = {
        "replay": f"python -m fuzz --replay {path.relative_to(ROOT)}",
        "target": name,
        "seed": seed,
        "index": index,
        "said": said[-MOST_WORDS:],
        "case": case,
    }
    path.write_text(json.dumps(content, default=_plain) + "\n", encoding="utf-8")
    return path


def read(path: Path) -> dict[str, Any]:
    """Read a file written by `write`."""
    content = json.loads(path.read_text(encoding="utf-8"), object_hook=_bytes)
    assert isinstance(content, dict)
    return content


def words(error: BaseException) -> str:
    """Return an error with its traceback."""
    return "".join(traceback.format_exception(error))


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode("ascii")}
    raise TypeError(f"a case holds {type(value).__name__}")


def _bytes(value: dict[str, Any]) -> Any:
    return base64.b64decode(value["base64"]) if set(value) == {"base64"} else value
