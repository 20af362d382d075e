"""Each language really run: from a model and rows to labels and probabilities.

A row is a dict of plain values. The values of a column are all of one kind, or None.
"""

from __future__ import annotations

import datetime
import json
import shutil
import sqlite3
import subprocess

import numpy as np
import pytest

from export.programs.pmml_evaluator import evaluate
from ostrya.export import (
    to_c,
    to_javascript,
    to_onnx,
    to_pmml,
    to_python,
    to_sql,
)
from ostrya.export.programs.decisions import Decisions

EPOCH = datetime.datetime(1970, 1, 1)
NAN = float("nan")


def microseconds(value):
    """Return a time or a duration as the programs without either take them."""
    if isinstance(value, datetime.datetime):
        zone = None if value.tzinfo is None else datetime.timezone.utc
        value = value - EPOCH.replace(tzinfo=zone)
    if isinstance(value, datetime.timedelta):
        return value // datetime.timedelta(microseconds=1)
    return value


def plain(row):
    return {name: microseconds(value) for name, value in row.items()}


def keyed(decisions, rows):
    """Return rows as sequences where the columns have no names."""
    return rows if decisions.is_named else [list(row.values()) for row in rows]


def run_python(model, rows, folder, **words):
    module = {}
    exec(compile(to_python(model, **words), "tree.py", "exec"), module)
    rows = keyed(Decisions(model, **words), rows)
    labels = [module["predict"](row) for row in rows]
    return labels, [module["predict_proba"](row) for row in rows]


def run_javascript(model, rows, folder, **words):
    if shutil.which("node") is None:
        pytest.skip("no node here")
    rows = keyed(Decisions(model, **words), [plain(row) for row in rows])
    source = to_javascript(model, **words)
    (folder / "tree.mjs").write_text(source, encoding="ascii")
    (folder / "rows.json").write_text(json.dumps(rows))
    (folder / "run.mjs").write_text(
        "import {readFileSync} from 'node:fs';\n"
        "import {predict, predictProba} from './tree.mjs';\n"
        "const rows = JSON.parse(readFileSync('rows.json'));\n"
        "console.log(JSON.stringify([rows.map(predict), rows.map(predictProba)]));\n"
    )
    return json.loads(_output(["node", "run.mjs"], folder))


def _output(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def _c_value(value, is_text):
    if value is None:
        return "NULL" if is_text else "NAN"
    if is_text:
        return '"' + "".join(f"\\{byte:03o}" for byte in value.encode()) + '"'
    return repr(float(value))


def run_c(model, rows, folder, compiler="gcc", **words):
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    decisions = Decisions(model, **words)
    rows = [plain(row) for row in rows]
    columns = decisions.columns.values()
    lines = [
        "{"
        + ", ".join(
            _c_value(list(row.values())[column.place], column.kind == "text")
            for column in columns
        )
        + ("}," if columns else "0},")
        for row in rows
    ]
    (folder / "tree.h").write_text(to_c(model, **words), encoding="ascii")
    (folder / "run.c").write_text(
        "#include <math.h>\n#include <stdio.h>\n#include <stddef.h>\n"
        '#include "tree.h"\n'
        "static const struct tree_row rows[] = {\n" + "\n".join(lines) + "\n};\n"
        "int main(void) {\n"
        "    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {\n"
        "        const double *shares = tree_probabilities(&rows[i]);\n"
        '        printf("%d", tree_predict(&rows[i]));\n'
        "        for (int k = 0; k < tree_n_classes; k++)"
        ' printf(" %.17g", shares[k]);\n'
        '        printf("\\n");\n'
        "    }\n"
        "    for (int k = 0; k < tree_n_classes; k++) {\n"
        "        fwrite(tree_label(k), 1, strlen(tree_label(k)) + 1, stdout);\n"
        "    }\n"
        "    return 0;\n}\n"
    )
    language = ["-std=c99"] if compiler == "gcc" else ["-x", "c++"]
    flags = [*language, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", "run"]
    _output([compiler, *flags, "run.c"], folder)
    *told, names = _output(["./run"], folder).split("\n", len(rows))
    assert names.split("\0")[:-1] == [str(label) for label in decisions.labels]
    parts = [line.split() for line in told]
    labels = [decisions.labels[int(part[0])] for part in parts]
    return labels, [list(map(float, part[1:])) for part in parts]


def _results(execute, model, n_rows, words, dialect):
    labels = Decisions(model, **words).labels
    told = [execute(to_sql(model, "rows of", dialect=dialect, **words))]
    for label in labels:
        query = to_sql(model, "rows of", probability_of=label, dialect=dialect, **words)
        told.append(execute(query))
    found = [[row[-1] for row in rows] for rows in told]
    assert {len(column) for column in found} == {n_rows}
    return found[0], np.transpose(found[1:])


def run_sqlite(model, rows, folder, **words):
    base = sqlite3.connect(":memory:")
    names = ["`" + name.replace("`", "``") + "`" for name in rows[0]]
    base.execute(f"CREATE TABLE `rows of` ({', '.join(names)})")
    base.execute("CREATE TABLE precious (x)")
    marks = ", ".join("?" * len(names))
    cells = [[_for_sqlite(value) for value in row.values()] for row in rows]
    base.executemany(f"INSERT INTO `rows of` VALUES ({marks})", cells)
    found = _results(
        lambda query: base.execute(query).fetchall(), model, len(rows), words, "sqlite"
    )
    assert base.execute("SELECT count(*) FROM precious").fetchall() == [(0,)]
    return found


def _for_sqlite(value):
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return microseconds(value)


DUCKDB_TYPES = {
    "number": "DOUBLE",
    "text": "VARCHAR",
    "boolean": "BOOLEAN",
    "duration": "INTERVAL",
    "time": "TIMESTAMP",
}


def run_duckdb(model, rows, folder, **words):
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    asked = Decisions(model, **words).columns
    columns = []
    for place, name in enumerate(rows[0]):
        kind = DUCKDB_TYPES[asked[place].kind] if place in asked else "VARCHAR"
        if place in asked and asked[place].is_zoned:
            kind = "TIMESTAMPTZ"
        columns.append(f'"{name.replace(chr(34), chr(34) * 2)}" {kind}')
    base.execute("SET TimeZone = 'Asia/Tokyo'")
    base.execute(f'CREATE TABLE "rows of" ({", ".join(columns)})')
    base.execute("CREATE TABLE precious (x INTEGER)")
    marks = ", ".join("?" * len(columns))
    cells = [
        [value if place in asked else None for place, value in enumerate(row.values())]
        for row in rows
    ]
    base.executemany(f'INSERT INTO "rows of" VALUES ({marks})', cells)

    def execute(query):
        # Only what was added: to read zoned times back, duckdb wants another package.
        name = base.execute(f"DESCRIBE {query}").fetchall()[-1][0]
        quoted = '"' + name.replace('"', '""') + '"'
        return base.execute(f"SELECT {quoted} FROM ({query})").fetchall()

    found = _results(execute, model, len(rows), words, "duckdb")
    assert base.execute("SELECT count(*) FROM precious").fetchall() == [(0,)]
    return found


def run_pmml(model, rows, folder, **words):
    decisions = Decisions(model, **words)
    document = to_pmml(model, **words)
    found = [evaluate(document, plain(row)) for row in rows]
    by_text = {
        str(label).lower() if isinstance(label, bool) else str(label): label
        for label in decisions.labels
    }
    labels = [by_text[label] for label, _ in found]
    shares = [[told[text] for text in by_text] for _, told in found]
    return labels, shares


def run_onnx(model, rows, folder, **words):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    made = to_onnx(model, **words)
    session = runtime.InferenceSession(made.SerializeToString())
    feeds = {}
    for given in made.graph.input:
        values = [plain(row).get(given.doc_string) for row in rows]
        if given.type.tensor_type.elem_type == 8:  # strings
            cells = np.array([value or "" for value in values], dtype=object)
        else:
            cells = np.array([NAN if v is None else float(v) for v in values])
        feeds[given.name] = cells.reshape(-1, 1)
    labels, shares = session.run(["label", "probabilities"], feeds)
    return labels.tolist(), shares


RUNNERS = {
    "python": run_python,
    "javascript": run_javascript,
    "c": run_c,
    "sqlite": run_sqlite,
    "duckdb": run_duckdb,
    "pmml": run_pmml,
    "onnx": run_onnx,
}
