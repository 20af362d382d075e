"""Measure tables that do not fit in memory, with each supported engine.

The table is generated here as several Parquet files: ten columns of numbers, dates,
categories and booleans, some with missing values, and a label from a rule with noise.
Every engine runs in a separate process. Its memory, including that of its workers, is
measured from outside. `python -m benchmarks.lazy run CASE` is that process.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import ROOT
from benchmarks.process import PAUSE, environment, how_it_died, resident

ENGINES = ("polars", "duckdb", "dask")
ROWS_OF_A_PART = 1_000_000
HEADER = (
    *("engine", "rows", "groups", "thresholds", "compress s", "search s", "peak MB"),
    *("status", "objective", "as in memory"),
)


@dataclass(frozen=True)
class LazyCase:
    """A folder of Parquet, and the engine that reads it."""

    engine: str
    folder: str
    thresholds: str | int = "auto"

    def to_json(self) -> str:
        """Return the case as one line."""
        return json.dumps(asdict(self))


def make_part(number: int, rows: int) -> Any:
    """Return some rows of the table; every part is the same on every machine."""
    import pyarrow as pa

    rng = np.random.default_rng(number)
    age = rng.integers(18, 91, rows)
    income = np.exp(rng.normal(10.0, 0.8, rows))
    score = rng.random(rows)
    risk = rng.beta(2.0, 5.0, rows)
    visits = rng.poisson(3.0, rows)
    days = rng.integers(0, 1000, rows)
    plan, region = rng.integers(0, 4, rows), rng.integers(0, 5, rows)
    is_active, is_owner = rng.random(rows) < 0.7, rng.random(rows) < 0.4
    label = (risk > 0.3) & (plan != 3) | (visits > 4) & ~is_active
    label ^= rng.random(rows) < 0.1
    signup = np.datetime64("2020-01-01") + days

    def named(codes: np.ndarray, names: list[str], missing: float) -> Any:
        places = pa.array(codes, pa.int32(), mask=rng.random(rows) < missing)
        return pa.DictionaryArray.from_arrays(places, names)

    columns = {
        "age": age.astype(np.int16),
        "income": pa.array(income, mask=rng.random(rows) < 0.05),
        "score": score,
        "risk": risk,
        "visits": visits.astype(np.int16),
        "signup": signup,
        "plan": named(plan, ["free", "basic", "plus", "pro"], 0.0),
        "region": named(region, ["north", "south", "east", "west", "isles"], 0.02),
        "active": is_active,
        "owner": is_owner,
        "label": label,
    }
    return pa.table(columns)


def write(folder: Path, rows: int) -> int:
    """Write the table in parts, unless they are there; return their bytes."""
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    for number, first in enumerate(range(0, rows, ROWS_OF_A_PART)):
        path = folder / f"part-{number:05}.parquet"
        if not path.exists():
            part = make_part(number, min(ROWS_OF_A_PART, rows - first))
            pq.write_table(part, path.with_suffix(".tmp"), compression="zstd")
            path.with_suffix(".tmp").rename(path)
    return sum(path.stat().st_size for path in folder.glob("*.parquet"))


def read(case: LazyCase) -> Any:
    """Return the table as the engine has it, with nothing read yet."""
    files = f"{case.folder}/*.parquet"
    if case.engine == "polars":
        import polars as pl

        return pl.scan_parquet(files)
    if case.engine == "duckdb":
        import duckdb

        duckdb.sql("SET memory_limit = '2GB'")
        return duckdb.read_parquet(files)
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    # They live as long as this process.
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit="1.5GiB", dashboard_address=None
    )
    Client(cluster)
    return dd.read_parquet(files)


def run(case: LazyCase) -> dict[str, Any]:
    """Return what one engine counted and what was found in it."""
    import ostrya

    table = read(case)
    start = time.perf_counter()
    compressed = ostrya.preprocessing.compress(
        table, "label", thresholds=case.thresholds
    )
    counted = time.perf_counter()
    model = ostrya.OptimalTreeClassifier(leaf_penalty=0.002, max_depth=4)
    model.fit(compressed)
    ended = time.perf_counter()
    same = ostrya.OptimalTreeClassifier(leaf_penalty=0.002, max_depth=4)
    same.fit(compressed.to_table(), compressed.labels, compressed.counts)
    return {
        "rows": compressed.n_rows,
        "groups": compressed.n_groups,
        "thresholds": sum(map(len, compressed.thresholds.values())),
        "compress_seconds": counted - start,
        "search_seconds": ended - counted,
        "status": model.status_,
        "objective": model.objective_,
        "is_as_in_memory": model.objective_ == same.objective_
        and model.n_leaves_ == same.n_leaves_,
        "tree": str(model.tree_),
    }


def measure(case: LazyCase) -> dict[str, Any]:
    """Run a case in a session of its own; its peak is that of all its processes."""
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.lazy", "run", case.to_json()],
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
        peak = 0
        try:
            while child.poll() is None:
                peak = max(peak, sum(map(resident, _session(child.pid))))
                time.sleep(5 * PAUSE)
        finally:
            if child.poll() is None:
                child.kill()
        output = child.communicate()[0].strip()
        log.seek(0)
        found = (
            json.loads(output.splitlines()[-1])
            if child.returncode == 0
            else how_it_died(child.returncode, log)
        )
    return {**found, "peak_memory": peak}


def _session(leader: int) -> list[int]:
    """Return the processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(after_name[3]) == leader:
            found.append(int(path.parent.name))
    return found


def row(case: LazyCase, found: dict[str, Any]) -> tuple[str, ...]:
    """Return the cells of one engine."""
    peak = f"{found['peak_memory'] / 1e6:.0f}"
    if "groups" not in found:
        message = found.get("message", "")[-200:].replace("\n", " ")
        return (case.engine, *[""] * 5, peak, f"{found['status']} {message}", "", "")
    return (
        case.engine,
        f"{found['rows']:,}",
        f"{found['groups']:,}",
        str(found["thresholds"]),
        f"{found['compress_seconds']:.0f}",
        f"{found['search_seconds']:.1f}",
        peak,
        found["status"],
        f"{found['objective']:.6f}",
        "yes" if found["is_as_in_memory"] else "NO",
    )


def report(
    rows: int, engines: tuple[str, ...], folder: Path, output: Path, keep: bool
) -> str:
    """Write the table, run every engine, and return a Markdown table."""
    own = folder / f"lazy-{rows}"
    try:
        size = write(own, rows)
        lines = [" | ".join(HEADER), " | ".join("---" for _ in HEADER)]
        for engine in engines:
            case = LazyCase(engine, str(own))
            lines.append(" | ".join(row(case, measure(case))))
    finally:
        if not keep:
            shutil.rmtree(own, ignore_errors=True)
    table = "\n".join(f"| {line} |" for line in lines)
    text = (
        f"{rows:,} rows x 10 columns of Parquet, {size / 1e9:.1f} GB in parts of "
        f"{ROWS_OF_A_PART:,} rows; all processes of an engine together.\n\n{table}\n"
    )
    output.write_text(text)
    return text


if __name__ == "__main__":
    print(json.dumps(run(LazyCase(**json.loads(sys.argv[2])))))
