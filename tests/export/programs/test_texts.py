"""Any text at all stays a text in every language, or is refused."""

from __future__ import annotations

import ast
import keyword
import shutil
import sqlite3
import subprocess
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import effort
from ostrya import OptimalTreeClassifier
from ostrya.export import to_pmml, to_python, to_sql
from ostrya.export.programs.c import _literal as in_c
from ostrya.export.programs.identifiers import RESERVED, identifiers
from ostrya.export.programs.javascript import _literal as in_javascript

pytestmark = pytest.mark.filterwarnings("ignore::ostrya.TableWarning")

# Letters of meaning to some language, among any others.
LETTERS = st.characters() | st.sampled_from("\"'`\\/*?<>{}$%\n\r\0-;#&")
TEXTS = st.text(LETTERS, max_size=12)


@given(st.lists(TEXTS, unique=True, max_size=8))
@settings(max_examples=effort.cases(300))
def test_identifiers_are_words_and_differ(names):
    words = identifiers(names)
    assert len(set(words)) == len(names)
    for name, word in zip(names, words, strict=True):
        assert word.isidentifier()
        assert word.isascii()
        assert not keyword.iskeyword(word)
        assert word not in RESERVED
        assert not word.startswith("_")
        if name.isascii() and name.isalpha() and name not in RESERVED:
            assert word == name


def or_refused(export, model, **options):
    """Return a program, or None where the language has no such text."""
    try:
        return export(model, **options)
    except ValueError as refusal:
        told = str(refusal)
    assert "must not contain" in told or "must not be empty" in told
    return None


@given(TEXTS, st.lists(TEXTS, min_size=3, max_size=3, unique=True))
@settings(max_examples=effort.cases(100))
def test_any_name_and_level(name, levels):
    cells = np.array(levels * 2, dtype=object).reshape(-1, 1)
    frame = pd.DataFrame(cells, columns=pd.Index([name], dtype=object), dtype=object)
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, ["a", "b", "b"] * 2)
    assume(made.encoder_.features[0].kind == "level")  # and no numbers as texts
    expected = made.predict(frame).tolist()[:3]
    module = {}
    tree = ast.parse(to_python(made))
    exec(compile(tree, "tree.py", "exec"), module)
    assert [module["predict"]({name: level}) for level in levels] == expected
    document = or_refused(to_pmml, made)
    if document is not None:
        elements = list(ElementTree.fromstring(document).iter())
        asked = {node.get("value") for node in elements if "operator" in node.attrib}
        assert asked <= set(levels)
        assert name in {node.get("name") for node in elements}
    expression = or_refused(to_sql, made, dialect="sqlite")
    if expression is None:
        return
    base = sqlite3.connect(":memory:")
    quoted = "`" + name.replace("`", "``") + "`"
    base.execute(f"CREATE TABLE t ({quoted})")
    base.executemany("INSERT INTO t VALUES (?)", [(level,) for level in levels])
    found = base.execute(f"SELECT {expression} FROM t ORDER BY rowid").fetchall()
    assert [row[0] for row in found] == expected


def draw_texts():
    """Return many texts at once: a compiler takes long to start."""
    found = []

    @given(st.lists(TEXTS, min_size=20, max_size=20))
    @settings(max_examples=effort.cases(50))
    def collect(texts):
        found.extend(texts)

    collect()
    return found


def can_be_c(text):
    return "\0" not in text and not any("\ud800" <= x <= "\udfff" for x in text)


def test_literals_of_c_are_their_texts(tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    texts = [text for text in draw_texts() if can_be_c(text)]
    literals = ",\n".join(f"{in_c(text)} /* {in_c(text)} */" for text in texts)
    (tmp_path / "t.c").write_text(
        "#include <stdio.h>\n#include <string.h>\n"
        f"static const char *texts[] = {{\n{literals}\n}};\n"
        "int main(void) {\n"
        "    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)\n"
        "        fwrite(texts[i], 1, strlen(texts[i]) + 1, stdout);\n"
        "    return 0;\n}\n",
        encoding="ascii",
    )
    flags = ["-std=c99", "-trigraphs", "-Wall", "-Werror", "-o", "t", "t.c"]
    subprocess.run(["gcc", *flags], cwd=tmp_path, check=True)
    told = subprocess.run(["./t"], cwd=tmp_path, check=True, capture_output=True)
    assert told.stdout.decode().split("\0")[:-1] == texts


def test_literals_of_javascript_are_their_texts(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("no node here")
    texts = draw_texts()
    literals = ",\n".join(map(in_javascript, texts))
    assert "<" not in literals
    (tmp_path / "t.mjs").write_text(
        f"const texts = [\n{literals}\n];\n"
        "const codes = (t) => Array.from(Array(t.length), (_, i) => t.charCodeAt(i));\n"
        "console.log(JSON.stringify(texts.map(codes)));\n",
        encoding="ascii",
    )
    told = subprocess.run(
        ["node", "t.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    wide = [text.encode("utf-16-le", "surrogatepass") for text in texts]
    codes = [
        [int.from_bytes(text[i : i + 2], "little") for i in range(0, len(text), 2)]
        for text in wide
    ]
    assert ast.literal_eval(told.stdout) == codes
