"""From file to verified file: the shell on Adult, 100 million records, a gigabyte of CSV on little memory.

Each figure comes from a process of its own, so that memory peaks and cold starts are what they say. Seconds of the clock
and of the processors (all threads) are both taken: the latter hold on a machine that others use, too. Files are made in a
temporary folder (about 6 GB at most; TMPDIR names another disk) and removed.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .data import folder

ROOT = Path(__file__).parents[1]
OVERRIDES = ROOT / "tests" / "golden" / "adult_overrides.csv"
QUASI = ("occupation", "native_country")
HEADER = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education_num",
    "marital_status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital_gain",
    "capital_loss",
    "hours",
    "native_country",
    "income",
]
RECORDS = 100_000_000
GIGABYTE = 10**9
LITTLE = {"few": "", "many": "", "text": ", a text column without repetitions"}


def run() -> dict[str, Any]:
    """Every figure, in seconds, megabytes and ratios."""
    work = Path(tempfile.mkdtemp(prefix="ontomask-bench-"))
    try:
        adult(work / "adult.csv")
        _room(work)
        return {**shell(work), **little_memory(work), **many_records(work)}
    finally:
        shutil.rmtree(work)


def _room(work: Path) -> None:
    """Said before an hour is spent."""
    free = shutil.disk_usage(work).free
    if free < 8 * GIGABYTE:
        sys.exit(f"This needs 8 GB in {work.parent}, which has {free / GIGABYTE:.1f}. Let TMPDIR name another disk.")


def adult(path: Path) -> None:
    """Adult's training part without missing values: 30,162 records, with a header."""
    with (folder() / "adult" / "adult.data").open(encoding="ascii") as file, path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(HEADER)
        for line in file:
            fields = [f.strip() for f in line.split(",")]
            if len(fields) == len(HEADER) and "?" not in fields:
                writer.writerow(fields)


def shell(work: Path) -> dict[str, float]:
    """`ontomask mask adult.csv …` as typed: kernels compiled anew, then cached (the best of three)."""
    command = [sys.executable, "-m", "ontomask", "mask", str(work / "adult.csv"), "-o", str(work / "masked.csv"), "--force"]
    for column in QUASI:
        command += ["-q", f"{column}=wordnet", "--overrides", f"{column}={OVERRIDES}"]
    command += ["--method", "sa-mdav", "-k", "5", "--seed", "1"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(work / "cache")}
    seconds, cpu = [], []
    for _ in range(4):
        start, used = time.perf_counter(), cpu_of_children()
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
        cpu.append(cpu_of_children() - used)
    return {
        "shell_not_cached_s": seconds[0],
        "shell_not_cached_cpu_s": cpu[0],
        "shell_cached_s": min(seconds[1:]),
        "shell_cached_cpu_s": min(cpu[1:]),
    }


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def many_records(work: Path) -> dict[str, float]:
    """100 million records of Adult's 394 tuples, Parquet to Parquet, beside what DuckDB itself needs at least."""
    big = work / "big.parquet"
    in_process("make", work, big)
    own = min((in_process("duckdb_alone", work, big) for _ in range(2)), key=lambda found: found["seconds"])
    ours = min((in_process("mask_parquet", work, big) for _ in range(2)), key=lambda found: found["seconds"])
    result = {
        "many_records": RECORDS,
        "many_duckdb_alone_s": own["seconds"],
        "many_duckdb_alone_cpu_s": own["cpu"],
        "many_ours_s": ours["seconds"],
        "many_ours_cpu_s": ours["cpu"],
        "many_ratio": ours["seconds"] / own["seconds"],
        "many_cpu_ratio": ours["cpu"] / own["cpu"],
        "many_peak_mb": ours["peak_mb"],
        "many_steps": ours["steps"],
        "many_input_mb": big.stat().st_size / 1e6,
    }
    for path in (big, work / "out.parquet"):
        path.unlink()
    return result


def little_memory(work: Path) -> dict[str, float]:
    """CSVs of 1 GB with memory_limit="500MB": few combinations, many, and many beside text of which no two are the same."""
    result: dict[str, float] = {}
    for name in LITTLE:
        path, out = work / "gigabyte.csv", work / "out.csv"
        records = in_process("make_csv", work, path, name)["records"]
        found = in_process("mask_csv", work, path, name)
        result |= {f"gigabyte_{name}_s": found["seconds"], f"gigabyte_{name}_peak_mb": found["peak_mb"]}
        result |= {f"gigabyte_{name}_records": records, f"gigabyte_{name}_tuples": found["tuples"]}
        result |= {f"gigabyte_{name}_cpu_s": found["cpu"]}
        out.unlink()
        path.unlink()
    return result


def in_process(name: str, *arguments: Any) -> Any:
    """What a function of this module returns, called in a process of its own."""
    code = f"import json, sys; from bench.end_to_end import {name}; print('@' + json.dumps({name}(*json.loads(sys.argv[1]))))"
    given = json.dumps([str(a) if isinstance(a, Path) else a for a in arguments])
    ran = subprocess.run([sys.executable, "-c", code, given], check=False, capture_output=True, text=True, cwd=ROOT)
    if ran.returncode:
        raise RuntimeError(f"{name} ended with {ran.returncode}:\n{ran.stderr[-2000:]}")
    return json.loads(ran.stdout[ran.stdout.rindex("@") + 1 :])


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# --- in processes of their own ---------------------------------------------------------------------------------------


def make(work: str, path: str) -> None:
    import duckdb

    con = duckdb.connect()
    con.execute(f"CREATE TABLE a AS SELECT *, row_number() OVER () - 1 AS i FROM '{work}/adult.csv'")
    con.execute(
        f"COPY (SELECT a.* EXCLUDE (i) FROM range({RECORDS}) r(n) JOIN a ON a.i = CAST(hash(r.n) % 30162 AS BIGINT)) "
        f"TO '{path}' (FORMAT parquet)"
    )


def duckdb_alone(work: str, path: str) -> dict[str, float]:
    """The least that any tool on DuckDB must do: count the tuples, join what they become, write. Order is not kept."""
    import duckdb

    start, used = time.perf_counter(), time.process_time()
    con = duckdb.connect()
    con.execute(f"CREATE TABLE m AS SELECT occupation, native_country, count(*) AS c FROM '{path}' GROUP BY ALL")
    con.execute("ALTER TABLE m ADD COLUMN o VARCHAR; ALTER TABLE m ADD COLUMN n VARCHAR")
    con.execute("UPDATE m SET o = reverse(occupation), n = reverse(native_country)")
    con.execute(
        f"COPY (SELECT t.* REPLACE (m.o AS occupation, m.n AS native_country) FROM '{path}' t "
        "JOIN m ON t.occupation = m.occupation AND t.native_country = m.native_country) "
        f"TO '{work}/out.parquet' (FORMAT parquet)"
    )
    return {"seconds": time.perf_counter() - start, "cpu": time.process_time() - used}


def mask_parquet(work: str, path: str) -> dict[str, Any]:
    import ontomask as om

    overrides = dict.fromkeys(QUASI, str(OVERRIDES))
    quasi = dict.fromkeys(QUASI, "wordnet")
    om.mask(f"{work}/adult.csv", quasi, om.Recoding(k=5), overrides=overrides)  # kernels and WordNet warm
    start, used = time.perf_counter(), time.process_time()
    masked = om.mask(path, quasi, om.Recoding(k=5), overrides=overrides)
    masked.write(f"{work}/out.parquet", force=True)
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    return {"seconds": seconds, "cpu": cpu, "peak_mb": peak_mb(), "steps": masked._steps.seconds}


def make_csv(work: str, path: str, name: str) -> dict[str, int]:
    """About a gigabyte of text; see `little_memory`."""
    import duckdb

    con = duckdb.connect()
    distinct = 20 if name == "few" else 900
    n, more = 15_500_000, "hash(i * 3) AS x, hash(i * 5) AS y"
    if name == "text":
        n, more = 9_800_000, "'came with ' || md5(i::VARCHAR) || ', left by ' || hash(i * 5) AS x"
    con.execute(
        f"COPY (SELECT i AS row, 'word ' || CAST(sqrt(hash(i) % {distinct**2}) AS INT) AS a, "
        f"'place ' || CAST(sqrt(hash(i * 7) % {distinct**2}) AS INT) AS b, {more} "
        f"FROM range({n}) t(i)) TO '{path}' (FORMAT csv)"
    )
    con.close()
    assert Path(path).stat().st_size > 0.95 * GIGABYTE
    return {"records": n}


def mask_csv(work: str, path: str, name: str) -> dict[str, Any]:
    import ontomask as om

    start, used = time.perf_counter(), time.process_time()
    method = om.Recoding(k=5) if name == "few" else om.Suppression(k=5)
    masked = om.mask(path, ["a", "b"], method, memory_limit="500MB")
    masked.write(f"{work}/out.csv", force=True)
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    return {"seconds": seconds, "cpu": cpu, "peak_mb": peak_mb(), "tuples": masked._tuples.p}


def table(r: dict[str, Any]) -> str:
    rows = [
        (
            "Adult, CSV to verified CSV from the shell, kernels cached",
            f"{r['shell_cached_s']:.1f} s ({r['shell_cached_cpu_s']:.1f} s of processor)",
            "2.5 s",
        ),
        (
            "the same, kernels compiled anew",
            f"{r['shell_not_cached_s']:.1f} s ({r['shell_not_cached_cpu_s']:.1f} s of processor)",
            "12 s",
        ),
        (
            f"{r['many_records'] / 1e6:,.0f} million records × 394 tuples, Parquet ({r['many_input_mb']:,.0f} MB) "
            "to verified Parquet",
            f"{r['many_ours_s']:.1f} s = {r['many_ratio']:.2f} × DuckDB's own GROUP BY + JOIN + COPY "
            f"({r['many_cpu_ratio']:.2f} × its processor time), "
            f"{r['many_peak_mb']:,.0f} MB",
            "1.5 ×, 4 GB",
        ),
    ]
    rows += [
        (
            f"{r[f'gigabyte_{name}_records']:,} records (1 GB CSV), {r[f'gigabyte_{name}_tuples']:,} tuples{more}, "
            "limit 500 MB",
            f"{r[f'gigabyte_{name}_s']:.1f} s ({r[f'gigabyte_{name}_cpu_s']:.1f} s of processor), "
            f"{r[f'gigabyte_{name}_peak_mb']:,.0f} MB with Python and its libraries",
            "",
        )
        for name, more in LITTLE.items()
        if f"gigabyte_{name}_cpu_s" in r
    ]
    lines = ["## From file to verified file", "", "| work | measured | at most |", "|---|---|---|"]
    lines += [f"| {a} | {b} | {c} |" for a, b, c in rows]
    lines += ["", "Seconds of the clock grow with what else the machine does, those of the processors (all threads) hardly."]
    return "\n".join(lines)
