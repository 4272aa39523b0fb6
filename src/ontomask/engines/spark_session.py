"""The Spark session of a process: the one that is there, or one of our own, which is quiet and has memory."""

from __future__ import annotations

import os
import re
from typing import Any

from ..errors import DataError, needs

LOG = "ONTOMASK_SPARK_LOG"  # names a file for what Java says; by default nobody reads it: it may quote values of the data
SHARE = 0.4  # of this machine's memory for Java, where Spark runs on this machine alone; its own default is 1 GB
SETTINGS = {
    "spark.driver.maxResultSize": "0",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
}
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}


def session(master: str, memory_limit: str | None) -> Any:
    """The active session; one with this master where there is none."""
    try:
        from py4j.protocol import Py4JError
        from pyspark import SparkContext
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise needs("pyspark", "spark", "The Spark engine") from None
    there = SparkSession.getActiveSession()
    if there is not None:
        return there
    settings = {"spark.app.name": "ontomask", "spark.master": master, **SETTINGS, **_memory(master, memory_limit)}
    try:
        if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
            _launch(settings)
        builder = SparkSession.builder
        for name, value in settings.items():
            builder = builder.config(name, value)
        made = builder.getOrCreate()
    except (PySparkException, Py4JError, ConnectionError):
        raise DataError(
            f"Spark could not be started with master '{master}'. It needs Java 17 or newer (Debian: apt-get install "
            f"openjdk-17-jre-headless), and a master that can be reached. What Java says goes to the file that {LOG} names."
        ) from None
    made.sparkContext.setLogLevel("ERROR")
    return made


def _launch(settings: dict[str, str]) -> None:
    """Java, started as PySpark starts it, but with its words kept away from the terminal."""
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    said = os.open(os.environ.get(LOG, os.devnull), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        SparkContext._ensure_initialized(gateway=launch_gateway(conf, popen_kwargs={"stderr": said}))
    finally:
        os.close(said)


def _memory(master: str, memory_limit: str | None) -> dict[str, str]:
    """Memory for a Spark that is this process's own; a cluster's, and what the user has set, stay as they are."""
    told = os.environ.get("PYSPARK_SUBMIT_ARGS", "") + os.environ.get("SPARK_DRIVER_MEMORY", "")
    if not master.startswith("local") or told or "SPARK_CONF_DIR" in os.environ:
        return {}
    limit = re.match(r"^\s*([\d.]+)\s*([KMGT]?i?)B?\s*$", memory_limit or "", re.IGNORECASE)
    if limit:
        size = float(limit[1]) * _UNITS[limit[2].upper()]
    else:
        size = SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {"spark.driver.memory": f"{max(512, int(size) >> 20)}m"}
