"""The catalog of data sets: fetching, preparing, and naming what is missing."""

from __future__ import annotations

import gzip
import threading
from dataclasses import replace
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from benchmarks.__main__ import parser
from benchmarks.data import folder, read_rows
from benchmarks.sources import catalog as catalogs
from benchmarks.sources import stand_in
from benchmarks.sources.catalog import DataSet, absent, catalog
from benchmarks.sources.fetch import fetch
from benchmarks.sources.prepare import prepare, written

PAPER_COMMANDS = (
    "osdt table2",
    "osdt figure2",
    "osdt figure3",
    "osdt policies",
    "osdt roc",
    "gosdt table2",
    "gosdt schedules",
    "gosdt figure17",
    "gosdt scaling",
    "trees",
    "binoct",
    "figures",
    "guesses",
    "guesses-dl85",
    "topk figure2",
    "topk figure3",
    "topk figure4",
    "topk figure6",
    "topk robustness",
)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder without a log."""

    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path):
    """A folder of public files, and the address that serves them."""
    public = tmp_path / "public"
    public.mkdir()
    handler = partial(QuietHandler, directory=str(public))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield public, f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()


@pytest.fixture
def local(monkeypatch, tmp_path):
    """Put data sets into an empty catalog; their digest is that of `text`."""
    known: dict[str, DataSet] = {}
    template = next(iter(catalogs.catalog().values()))
    monkeypatch.setenv("OSTRYA_DATA", str(tmp_path / "data"))
    for module in ("catalog", "fetch", "command"):
        monkeypatch.setattr(f"benchmarks.sources.{module}.catalog", lambda: known)

    def add(name, text, sources, **preparation):
        known[name.removesuffix(".gz")] = replace(
            template,
            name=name.removesuffix(".gz"),
            file=name.replace(".gz", "") + (".csv.gz" if ".gz" in name else ".csv"),
            digest=sha256(text.encode()).hexdigest(),
            sources=tuple(sources),
            preparation=preparation,
        )

    return add


def put(public, path, text):
    target = public / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def test_a_set_is_downloaded_prepared_and_checked(server, local, tmp_path):
    public, address = server
    local("plain.gz", "a,b,y\n1,2,0\n3,4,1\n", ["o/r/c/t.csv"], kind="table")
    put(public, "o/r/c/t.csv", 'a;b;y\r\n 1;"2";0\r\n3;4;1\r\n')
    (line,) = fetch(["plain"], address)
    assert line.startswith("plain: ")
    stored = tmp_path / "data" / "plain.csv.gz"
    assert gzip.decompress(stored.read_bytes()).decode() == "a,b,y\n1,2,0\n3,4,1\n"
    assert list(fetch(["plain"], address)) == ["plain: already there"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a,y\n1,1\n", "the source has changed"),
        ("", "does not have the expected format"),
        (None, "could not be read"),
    ],
)
def test_a_wrong_source_leaves_no_file(server, local, tmp_path, text, reason):
    public, address = server
    local("plain", "a,y\n1,0\n", ["o/r/c/t.csv"], kind="table")
    if text is not None:
        put(public, "o/r/c/t.csv", text)
    (line,) = fetch(["plain"], address)
    assert reason in line
    assert "not fetched." in line
    assert not list(tmp_path.glob("data/*"))


def test_folds_fetch_the_table_that_they_divide(server, local):
    public, address = server
    whole = "a,y\n1,0\n2,1\n1,0\n"
    local("whole", whole, ["o/w.csv"], kind="table")
    local(
        "osdt_folds/whole",
        "row,test_fold\n0,1\n1,2\n2,2\n",
        ["o/1.csv", "o/2.csv"],
        kind="folds",
        of="whole",
    )
    put(public, "o/w.csv", whole)
    put(public, "o/1.csv", "a;y\n1;0\n")
    put(public, "o/2.csv", "a;y\n1;0\n2;1\n")
    lines = list(fetch(["osdt_folds/whole"], address))
    assert [line.partition(":")[0] for line in lines] == ["whole", "osdt_folds/whole"]
    assert not absent(["whole", "osdt_folds/whole"])


def test_a_folder_that_cannot_be_written_is_named(server, local, tmp_path):
    public, address = server
    (tmp_path / "data").write_text("a file where the folder should be")
    local("plain", "a,y\n1,0\n", ["o/t.csv"], kind="table")
    put(public, "o/t.csv", "a,y\n1,0\n")
    (line,) = fetch(["plain"], address)
    assert "OSTRYA_DATA" in line


def test_the_command_fails_if_a_set_is_not_fetched(server, local, capsys):
    _, address = server
    local("plain", "a,y\n1,0\n", ["o/t.csv"], kind="table")
    options = parser().parse_args(["data", "plain", "--fetch", "--server", address])
    with pytest.raises(SystemExit):
        options.call(options)
    assert "could not be read" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("preparation", "files", "expected"),
    [
        (
            {"kind": "monk"},
            ["a1,a2,a3,a4,a5,a6,class\n1,3,2,1,4,2,0\n"],
            "a1,a2,a3,a4,a5,a6,class\n3,2,1,4,2,1,1\n",
        ),
        (
            {
                "kind": "libsvm",
                "header": ["f1", "f2", "label"],
                "labels": {"-1": "0", "+1": "1"},
            },
            ["-1 1:167.000000 2:178.500000 \n", "+1 1:3 2:4\n"],
            "f1,f2,label\n167,178.5,0\n3,4,1\n",
        ),
        ({"kind": "label_first", "prefix": "x"}, ["1 0 0\n0 1 1\n"],
         "x0,x1,label\n0,0,1\n1,1,0\n"),
        ({"kind": "table", "labels": {"0.0": "0", "1.0": "1"}},
         ["a,t\n0.50,0.0\n1.0,1.0\n"], "a,t\n0.50,0\n1.0,1\n"),
        ({"kind": "table", "dropped": ["b"], "header": ["A", "Y"]},
         ["a,b,y\n1,2,3\n"], "A,Y\n1,3\n"),
        ({"kind": "table", "columns": ["b", "y"], "filled": "a"},
         ["name,a,y,b\nAda,1,0,7\nBob,,1,8\n"], "b,y\n7,0\n"),
        ({"kind": "table", "numbered": "a"},
         ["v,v,c\n1,2,A\n"], "a0,a1,class\n1,2,A\n"),
        ({"kind": "table", "one_hot_label": ["s", "t"], "label": "class"},
         ["a;s;t\n1;0;1\n2;1.0;0.0\n"], "a,class\n1,t\n2,s\n"),
    ],
)  # fmt: skip
def test_preparations(preparation, files, expected):
    assert written(prepare(preparation, files, [])) == expected


def test_the_data_sets_here_are_those_of_the_catalog():
    if not (folder() / "manifest.json").exists():
        pytest.skip("the data sets are not here")
    assert {name: each.state() for name, each in catalog().items()} == dict.fromkeys(
        catalog(), "present"
    )
    for name, each in catalog().items():
        rows = read_rows(name)
        assert (len(rows) - 1, len(rows[0])) == (each.rows, each.columns)


def test_folds_follow_from_their_public_form():
    name = "compas_binary12"
    if absent([name, f"osdt_folds/{name}"]):
        pytest.skip("the folds of OSDT are not here")
    whole, kept = read_rows(name), read_rows(f"osdt_folds/{name}")
    lines = {k: [";".join(whole[0])] for k in map(str, range(1, 11))}
    for row, fold in kept[1:]:
        lines[fold].append(";".join(whole[int(row) + 1]))
    tests = ["\n".join(each) for each in lines.values()]
    assert prepare({"kind": "folds"}, tests, whole) == kept


@pytest.mark.parametrize("command", PAPER_COMMANDS)
def test_absent_data_are_named_with_the_command_that_gets_them(
    command, monkeypatch, tmp_path
):
    monkeypatch.setenv("OSTRYA_DATA", str(tmp_path))
    options = parser().parse_args(command.split())
    with pytest.raises(SystemExit, match=r"python -m benchmarks data \S+.* --fetch"):
        options.call(options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("data nothing", "NAME must be a data set; got nothing"),
        ("topk figure4 --sets nothing", "--sets must be names among"),
        ("guesses --only nothing", "--only must be part of the name of a case"),
        ("figures --only nothing", "--only must be part of one of"),
    ],
)
def test_unknown_names_are_refused(arguments, message, monkeypatch, tmp_path):
    stand_in.write(tmp_path, ["compas"])
    monkeypatch.setenv("OSTRYA_DATA", str(tmp_path))
    options = parser().parse_args(arguments.split())
    with pytest.raises(SystemExit, match=message):
        options.call(options)


def test_the_list_tells_absent_from_present(monkeypatch, tmp_path, capsys):
    stand_in.write(tmp_path, ["compas"])
    monkeypatch.setenv("OSTRYA_DATA", str(tmp_path))
    options = parser().parse_args(["data", "compas", "fico"])
    options.call(options)
    told = capsys.readouterr().out
    assert "| compas | differs | 6,907 | 8 |" in told
    assert "| fico | absent | 10,459 | 24 | FICO challenge terms" in told
