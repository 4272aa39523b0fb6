"""A Spark of our own: quiet, with memory, and with clear words where it cannot start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ontomask.engines.spark_session import _memory


def verify(folder: Path, master: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ontomask", "verify", str(folder), "-q", "sex", "-k", "2", "--engine", "spark"]
    quick = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
    told = {**os.environ, **quick, **environment}
    return subprocess.run([*command, "--master", master], capture_output=True, text=True, env=told, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people").mkdir()
    for i in range(2):
        pq.write_table(pa.table({"sex": ["f", "m"]}), tmp_path / "people" / f"{i}.parquet")
    return tmp_path / "people"


def test_a_command_says_what_it_found_and_nothing_else(folder: Path, tmp_path: Path, spark: object) -> None:
    ran = verify(folder, "local[1]", ONTOMASK_SPARK_LOG=str(tmp_path / "java.log"))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "people: 2-anonymous: 4 records in 2 classes; the smallest has 2.\n"
    assert "WARN" not in ran.stderr
    assert "Spark" in (tmp_path / "java.log").read_text()
    assert (tmp_path / "java.log").stat().st_mode & 0o077 == 0


def test_without_java_it_is_said_what_to_install(folder: Path, spark: object) -> None:
    ran = verify(folder, "local[1]", JAVA_HOME="/nowhere")
    assert ran.returncode != 0
    assert ran.stderr.startswith("Error: Spark could not be started with master 'local[1]'. It needs Java 17 or newer")
    assert len(ran.stderr.strip().splitlines()) == 1


def test_memory_is_set_where_spark_is_this_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYSPARK_SUBMIT_ARGS", "SPARK_DRIVER_MEMORY", "SPARK_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert _memory("local[2]", "4GiB") == {"spark.driver.memory": "4096m"}
    assert _memory("local", "100MB") == {"spark.driver.memory": "512m"}  # below that it does not start
    assert int(_memory("local[*]", None)["spark.driver.memory"].removesuffix("m")) >= 512
    assert _memory("spark://host:7077", "4GB") == {}
    monkeypatch.setenv("SPARK_DRIVER_MEMORY", "8g")
    assert _memory("local[2]", "4GB") == {}
