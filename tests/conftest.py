"""What every test may use: the data folder, and hypothesis settings that do not fail on a slow machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Examples are drawn anew each time, which finds what nobody thought of; where CI is set they are always the same, so that
# the verdict on a change is about the change.
settings.register_profile(
    "ontomask",
    deadline=None,
    max_examples=60,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ontomask")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data that ONTOMASK_DATA names; tests that need it are skipped without it."""
    folder = os.environ.get("ONTOMASK_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("ONTOMASK_DATA is not set to the folder of real data sets")
    return Path(folder)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """The one Spark session of a test process; tests that need it are skipped where it cannot start."""
    pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'ontomask[spark]'")
    if not shutil.which("java"):
        pytest.skip("Java is not installed: Spark cannot start (Debian: apt-get install openjdk-17-jre-headless)")
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.memory": "1g",
        "spark.sql.codegen.wholeStage": "false",  # small tables: compiling a plan takes longer than running it
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # tests are over before C2 pays off
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
