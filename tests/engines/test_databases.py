"""SQLite and PostgreSQL by URL, the latter against a real cluster that the test starts."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import ontomask as om
from ontomask.errors import DataError

PAIN = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache")]
ROWS = [(i, ["colic", "ache", "lumbago", "migraine", None][i % 5], 20 + i % 7, f"note {i}") for i in range(200)]
QUASI = {"pain": PAIN, "age": "number"}

pytest.importorskip("adbc_driver_sqlite", reason="the extra 'databases' is not installed")


def test_sqlite(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "people file.db"
    with sqlite3.connect(path) as con:
        con.execute('CREATE TABLE "the people" (number INTEGER, pain TEXT, age INTEGER, note TEXT)')
        con.executemany('INSERT INTO "the people" VALUES (?, ?, ?, ?)', ROWS)
    con.close()
    url = f"sqlite:///{path}"
    masked = om.mask(url, QUASI, om.Recoding(k=4), drop=["number"], seed=1, engine=engine)
    assert masked.data.column_names == ["pain", "age", "note"]
    assert masked.data.column("note").to_pylist() == [row[3] for row in ROWS]
    assert om.verify(masked.data, ["pain", "age"], 4, engine=engine).kept
    assert om.verify(url + "#the%20people", ["note"], 2, engine=engine).classes == 200
    with pytest.raises(DataError, match="There is no table 'others'"):
        om.verify(url + "#others", ["note"], 2, engine=engine)
    with pytest.raises(DataError, match="four slashes"):
        om.verify("sqlite:///nowhere.db", ["note"], 2, engine=engine)
    assert not Path("nowhere.db").exists()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL cluster that lives as long as these tests."""
    pytest.importorskip("adbc_driver_postgresql", reason="the extra 'databases' is not installed")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not found and not shutil.which("pg_ctl"):
        pytest.skip("PostgreSQL's server is not installed")
    programs = found[-1].parent if found else Path(str(shutil.which("pg_ctl"))).parent
    folder = Path("/tmp") / f"ontomask-pg-{os.getpid()}"  # a socket's path must be short
    folder.mkdir(mode=0o700)
    user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        if subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode or not shutil.which("runuser"):
            folder.rmdir()
            pytest.skip("we are root, and there is no user 'postgres' to run the server")
        shutil.chown(folder, "postgres")
        user = ["runuser", "-u", "postgres", "--"]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def run(program: str, *arguments: str) -> None:
        command = [*user, str(programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, timeout=120)

    data = str(folder / "data")
    run("initdb", "-D", data, "-A", "trust", "-U", "tester", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-o", options, "-l", str(folder / "log"), "start")
    try:
        yield f"postgresql://tester@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def test_postgresql(cluster: str, engine: str) -> None:
    from adbc_driver_postgresql import dbapi

    schema = f"survey_{engine}"

    with dbapi.connect(cluster) as con, con.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {schema}")
        cursor.execute(f'CREATE TABLE {schema}."the people" (number int, pain text, age int, day date, note text)')
        for number, pain, age, note in ROWS:
            cursor.execute(
                f"INSERT INTO {schema}.\"the people\" VALUES ($1, $2, $3, DATE '2020-01-01' + $1::int, $4)",
                (number, pain, age, note),
            )
        con.commit()
    masked = om.mask(f"{cluster}#{schema}.the%20people", QUASI, om.Recoding(k=4), seed=1, engine=engine)
    assert masked.data.column("number").to_pylist() == [row[0] for row in ROWS]
    assert masked.data.column("note").to_pylist() == [row[3] for row in ROWS]
    assert str(masked.data.schema.field("day").type) == "date32[day]"
    assert om.verify(masked.data, ["pain", "age"], 4, engine=engine).kept
    with pytest.raises(DataError, match="There is no table 'people'"):
        om.verify(f"{cluster}#people", ["pain"], 2, engine=engine)
    with pytest.raises(DataError, match="PostgreSQL database cannot be read"):
        om.verify(cluster.replace("postgresql://tester@", "postgresql://nobody@"), ["pain"], 2, engine=engine)
