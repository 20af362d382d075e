"""``--encoding`` reads CSV files that are not UTF-8."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.files import run, write
from cli.test_bad_input import assert_refused

TABLE = "größe;ort;urteil\n1,5;Köln;schön\n2,5;Köln;öde\n3,5;Bonn;öde\n1,0;Bonn;schön\n"
ENCODINGS = ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-8", "utf-8-sig"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_command_reads_a_file_in_its_encoding(encoding, tmp_path):
    table = write(tmp_path, TABLE.encode(encoding))
    model, page = tmp_path / "model.json", tmp_path / "page.html"
    named = ("--target", "urteil", "--encoding", encoding)
    done = run("fit", table, *named, "--leaf-penalty", 0.01, "-o", model)
    assert done.exit_code == 0, done.output
    assert "größe <= " in done.stdout
    assert "schön" in done.stdout
    done = run("predict", model, table, "--encoding", encoding, "--json")
    assert done.exit_code == 0, done.output
    labels = [row["prediction"] for row in json.loads(done.stdout)["predictions"]]
    assert labels == ["schön", "öde", "öde", "schön"]
    done = run("report", model, table, "--encoding", encoding, "-o", page)
    assert done.exit_code == 0, done.output
    assert "größe" in page.read_text(encoding="utf-8")
    done = run("frontier", table, *named, "--cv", 2, "--json")
    assert done.exit_code == 0, done.output


def test_bytes_that_are_not_utf8_are_located_and_the_option_is_named(tmp_path):
    table = write(tmp_path, TABLE.replace("größe", "x").encode("latin-1"))
    done = run("fit", table, "--target", "urteil")
    assert_refused(
        done,
        "not encoded in UTF-8",
        "byte 0xf6 in line 2",
        "--encoding cp1252 or latin-1",
    )


def test_utf16_is_recognised_and_suggested(tmp_path):
    table = write(tmp_path, TABLE.encode("utf-16"))
    done = run("fit", table, "--target", "urteil")
    assert_refused(done, "not encoded in UTF-8", "--encoding utf-16")


def test_bytes_outside_the_named_encoding_are_located(tmp_path):
    table = write(tmp_path, b"a,label\n1,x\n\x81,y\n")
    done = run("fit", table, "--target", "label", "--encoding", "cp1252")
    assert_refused(done, "not encoded in cp1252", "byte 0x81 in line 3", "--encoding")


@pytest.mark.parametrize("name", ["klingon", "zip", "rot13", "", "a\x00b"])
def test_an_unknown_encoding_is_refused_with_examples(name, tmp_path):
    done = run("fit", write(tmp_path), "--target", "label", "--encoding", name)
    assert done.exit_code == 2
    said = " ".join(done.stderr.replace("│", " ").split())
    assert "must be the name of a text encoding, for example" in said
    assert "Traceback" not in done.output


def test_parquet_has_no_encoding(tmp_path):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"a": [1, 2], "label": ["x", "y"]}), path)
    done = run("fit", path, "--target", "label", "--encoding", "latin-1")
    assert_refused(done, "--encoding can only be used for CSV files", "Omit --encoding")


def test_lazy_reads_utf8_and_says_so(tmp_path):
    table = write(tmp_path, TABLE.encode("latin-1"))
    named = ("fit", table, "--target", "urteil", "--lazy")
    done = run(*named, "--encoding", "latin-1")
    assert_refused(done, "--encoding iso8859-1 cannot be combined with --lazy")
    assert_refused(
        run(*named), "not encoded in UTF-8, which --lazy requires", "--encoding"
    )
    write(tmp_path, TABLE.encode())
    assert run(*named, "--encoding", "utf-8").exit_code == 0
