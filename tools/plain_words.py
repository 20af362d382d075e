"""Check the wording of everything a user reads: ``python tools/plain_words.py``.

`BANNED` lists phrases that made readers stop, each with the reason and what to write
instead. The check covers the files and folders in `PAGES`: Markdown pages, and all
strings and comments of Python files. Code blocks and names in backticks are ignored.
``make lint`` runs it together with codespell.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Banned(NamedTuple):
    """A phrase that user-facing text must not contain."""

    pattern: str
    reason: str
    instead: str


BANNED = (
    Banned(
        r"\bgot (wrong|right)\b|\bgets? (it |them )?(wrong|right)\b",
        "colloquial for a term the field has",
        "misclassified, correctly classified",
    ),
    Banned(
        r"\blone leaf\b", "a private term", "a single leaf, a tree with a single leaf"
    ),
    Banned(
        r"\b(table|tree|search|column|it|this|that|engine|solver)s? wants?\b",
        "programs do not want anything",
        "expects, requires, must be",
    ),
    Banned(
        r"; say\b|\bsay (\w+=|both|neither|--)",
        "an instruction hidden in a clause",
        "Set ..., Use ..., Pass ...",
    ),
    Banned(
        r"\b(status|prices?|bounds?|columns?|files?) (says?|tells?|speaks?)\b",
        "things do not speak",
        "states, contains, shows, reports, means",
    ),
    Banned(r"\bspeaks? of\b", "things do not speak", "refers to, covers, describes"),
    Banned(
        r"\bsome (\d|dozens?\b|hundred|thousand|tenths?\b|seconds?\b|minutes?\b)",
        '"some" reads as "a few, unspecified"',
        "about",
    ),
    Banned(
        r"\b(per cent|of late|at hand|by chance|by trial|worth while)\b",
        "dated or ambiguous",
        "percent, recently, available, randomly, by a trial search, worthwhile",
    ),
    Banned(r"\bas if absent\b|\bas if they were absent\b", "a riddle", "are ignored"),
    Banned(r"\brivals?\b", "combative", "competitor, other package"),
    Banned(r"\bthe faster that serves\b", "clipped", "chooses the faster engine"),
    Banned(r"\bgoes? on from\b|\bgoes? on later\b", "vague", "resumes, continues"),
    Banned(
        r"\bin earnest\b|\bfor want of\b|\bsooner done\b",
        "literary",
        "in practice, for lack of, finished earlier",
    ),
    Banned(
        r"\b(in the midst of|now and then|all the while|without a word|anew)\b",
        "literary",
        "during, occasionally, meanwhile, silently, again",
    ),
    Banned(r"\bby turns\b", "dated", "in turn, alternately"),
    Banned(
        r"\bbeside\b",
        "stands for near, against and besides at once",
        "next to, compared with, in addition to",
    ),
    Banned(
        r"\b(is|are|was|were|be|been) told\b(?! apart)",
        "programs are not told anything",
        "receives, is reported, is shown",
    ),
    Banned(r"\b(what|that) came of (it|them|this)\b", "vague", "the result"),
    Banned(
        r"\brow prices?\b", "one bound, one name", "dual price, dual prices (bound B10)"
    ),
    Banned(
        r"\bclaim(s|ed)? (the|an) optimum\b|\bclaimed (result|optimum)\b",
        "a result is either proved or stated by a file",
        "is proved optimal, reports as optimal; the result stated in the file",
    ),
    Banned(r"\bseconds? of (a|the) processor\b", "translated", "processor seconds"),
    Banned(r"\d ?% right\b", "colloquial for a term the field has", "% correct"),
    Banned(r"\bdear(er|est)\b", "dated", "more expensive, most expensive"),
    Banned(r"\bmend(s|ed|ing)?\b", "dated", "fix, repair"),
    Banned(
        r"; (leave (it|one|them) out|give|name|make|drop|cut|ask for)\b",
        "an instruction hidden behind a semicolon",
        "a sentence of its own: 'Use ...', 'Drop ...', 'Omit ...'",
    ),
    Banned(r"; wants?\b", "programs do not want anything", "must be"),
    Banned(
        r"\btakes? (none|any|it|them) as\b|\bfor want\b|\bof one's own\b|\blest\b",
        "literary",
        "accepts, lacks, its own, so that ... not",
    ),
    Banned(
        r"\b(is|are) no (number|label|tree|date|column|file|text|size|dataframe)\b",
        "inverted negation",
        "is not a number, is not a label",
    ),
    Banned(
        r"\b(a mistake|fault) of (ours|ostrya)\b|\bclassifier of ours\b",
        "a private voice",
        "a bug in Ostrya, of this package",
    ),
    Banned(r"\brows? held out\b", "one term", "held-out row, held-out rows"),
    Banned(r"\bwhat helps\b.{0,14}:", "clipped", "Try, in this order: ...; ...; ..."),
    Banned(r"\bthat k lets in\b", "a riddle", "the best tree for this k"),
    Banned(
        r"\b(is|are) nothing that\b|\bwhich is no\b",
        "inverted negation",
        "<argument> must be ...; got ...",
    ),
    Banned(r"\bonly so many\b", "vague", "a limited number, the budget limits ..."),
)

PAGES = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"),
    *("CODE_OF_CONDUCT.md", "benchmarks/README.md", "benchmarks/results"),
    *("docs/index.md", "docs/papers.md", "docs/tutorials", "docs/how-to"),
    *("docs/explanation", "docs/reference", "docs/research", "examples"),
    "src/ostrya",
)
CODE_BLOCK = re.compile(r"^( *)```.*?^\1```", re.DOTALL | re.MULTILINE)
LITERAL = re.compile(r"``[^`]*``|`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$", re.DOTALL)


class Found(NamedTuple):
    """A banned phrase at a line of a file."""

    path: Path
    line: int
    text: str
    banned: Banned


def blank(match: re.Match[str]) -> str:
    """Replace text by spaces, so that line numbers do not change."""
    return re.sub(r"[^\n]", " ", match[0])


def prose_of_page(text: str) -> str:
    """Return a Markdown page without code, formulas and names in backticks."""
    return LITERAL.sub(blank, CODE_BLOCK.sub(blank, text))


def strings_of_module(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and content of each string and comment of a Python file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, LITERAL.sub(blank, node.value)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], LITERAL.sub(blank, token.string)


def find(path: Path, line: int, text: str) -> Iterator[Found]:
    """Yield the banned phrases of a text that starts at a line of a file."""
    for banned in BANNED:
        for match in re.finditer(banned.pattern, text, re.IGNORECASE):
            yield Found(
                path, line + text.count("\n", 0, match.start()), match[0], banned
            )


def files() -> Iterator[Path]:
    """Yield every file whose text users read."""
    for name in PAGES:
        place = ROOT / name
        if place.is_dir():
            yield from sorted(place.rglob("*.md"))
            yield from sorted(place.rglob("*.py"))
        else:
            yield place


def main() -> int:
    """Print what was found, and return how many phrases there were."""
    found: list[Found] = []
    for path in files():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            for line, string in strings_of_module(text):
                found += find(path, line, string)
        else:
            found += find(path, 1, prose_of_page(text))
    for each in found:
        print(
            f"{each.path.relative_to(ROOT)}:{each.line}: {each.text!r}: "
            f"{each.banned.reason}; write: {each.banned.instead}"
        )
    return len(found)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
