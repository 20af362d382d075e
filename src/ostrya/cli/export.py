"""``ostrya export``: write the tree of a model file as a program."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from ostrya._whole_file import write_whole
from ostrya.cli.columns import require_writable
from ostrya.cli.fit import Place
from ostrya.cli.messages import RefusalError, refusing, writing_to
from ostrya.cli.report import print_text
from ostrya.cli.show import Model, load
from ostrya.cli.speech import Quietness, Speech
from ostrya.export import to_c, to_javascript, to_onnx, to_pmml, to_python, to_sql

Name = Optional[str]  # noqa: UP045 (typer reads the older form on every Python)


class Language(str, enum.Enum):
    """The languages and formats of programs."""

    python = "python"
    c = "c"
    sql = "sql"
    javascript = "javascript"
    pmml = "pmml"
    onnx = "onnx"


class Dialect(str, enum.Enum):
    """The dialects of SQL."""

    standard = "standard"
    postgresql = "postgresql"
    duckdb = "duckdb"
    sqlite = "sqlite"


SUFFIXES = {
    ".py": Language.python,
    ".h": Language.c,
    ".sql": Language.sql,
    ".js": Language.javascript,
    ".mjs": Language.javascript,
    ".pmml": Language.pmml,
    ".onnx": Language.onnx,
}
WRITERS = {
    Language.python: to_python,
    Language.c: to_c,
    Language.javascript: to_javascript,
    Language.pmml: to_pmml,
}


@refusing
def export(
    model: Model,
    program: Annotated[
        Place,
        typer.Argument(
            help="Output file, with one of the suffixes "
            f"{', '.join(SUFFIXES)}. Default: the standard output.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        Optional[Language],  # noqa: UP045 (as above)
        typer.Option(
            help="The language.", show_default="determined by the suffix of the file"
        ),
    ] = None,
    table: Annotated[
        Name,
        typer.Option(
            metavar="TABLE",
            help="SQL: write a complete query for this table.",
        ),
    ] = None,
    probability_of: Annotated[
        Name,
        typer.Option(
            metavar="LABEL",
            help="SQL: return the probability of this label instead of the prediction.",
        ),
    ] = None,
    dialect: Annotated[
        Dialect, typer.Option(help="SQL: the database.")
    ] = Dialect.standard,
    quiet: Quietness = False,
) -> None:
    """Write the tree of a model as a self-contained program.

    The program is Python, C, JavaScript, SQL, PMML or ONNX, and makes the same
    predictions as the model.
    """
    program = None if str(program) == "-" else program
    language = to or _of_suffix(program)
    options = {
        "--table": table is not None,
        "--probability-of": probability_of is not None,
        "--dialect": dialect != Dialect.standard,
    }
    for option, is_given in options.items():
        if is_given and language != Language.sql:
            raise RefusalError(
                f"{option} can only be used for SQL. Omit it, or use --to sql"
            )
    if program is None and language == Language.onnx:
        raise RefusalError(
            "ONNX is a binary format and requires an output file, such as tree.onnx"
        )
    require_writable(program)
    fitted = load(model)
    source = ""
    if language == Language.sql:
        source = f"{_query(fitted, table, probability_of, dialect)}\n"
    elif language != Language.onnx:
        source = WRITERS[language](fitted)
    if program is None:
        print_text(source, "Pass an output file instead")
        return
    with writing_to(program):
        write_whole(program, source.encode() or _onnx(fitted))
    Speech(False if quiet else None).say(f"Wrote {program}")


def _of_suffix(program: Path | None) -> Language:
    if program is None:
        known = ", ".join(language.value for language in Language)
        raise RefusalError(
            f"the language is unknown. Pass an output file, or --to with one of {known}"
        )
    suffix = program.suffix.lower()
    if suffix not in SUFFIXES:
        raise RefusalError(
            f"{program}: the suffix must be one of {', '.join(SUFFIXES)}. Rename the "
            "file, or set the language with --to"
        )
    return SUFFIXES[suffix]


def _query(
    fitted: Any, table: str | None, probability_of: str | None, dialect: Dialect
) -> str:
    if probability_of is None:
        return to_sql(fitted, table, dialect=dialect.value)
    by_text = {str(label): label for label in fitted.classes_.tolist()}
    if probability_of not in by_text:
        raise RefusalError(
            f"--probability-of must be one of the labels "
            f"{', '.join(map(repr, by_text))}; got {probability_of!r}"
        )
    label = by_text[probability_of]
    return to_sql(fitted, table, probability_of=label, dialect=dialect.value)


def _onnx(fitted: Any) -> bytes:
    try:
        return bytes(to_onnx(fitted).SerializeToString())
    except ImportError as error:
        raise RefusalError(str(error)) from None
