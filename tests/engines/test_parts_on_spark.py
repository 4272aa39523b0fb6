"""Tables that are masked in parts: on the executors as on one machine, and clear words when the executors cannot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ontomask as om
from ontomask.engines import executors
from ontomask.errors import DataError, DependencyError, ParameterError

pytestmark = pytest.mark.filterwarnings("default")  # what PySpark itself warns of is not ours

PAIN = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache"), ("pain", "symptom")]
QUASI = {"pain": PAIN, "age": "number", "size": "number"}


def people(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "pain": rng.choice(["colic", "ache", "lumbago", "migraine", None], n),
            "age": rng.integers(20, 60, n),
            "size": rng.integers(150, 190, n),
            "secret": rng.choice(["yes", "no"], n),
        }
    )


@pytest.mark.parametrize(
    ("method", "options"),
    [
        (om.Microaggregation(k=3, variant="sa-mdav"), {}),
        (om.RankSwapping(k=10), {"weights": {"pain": 3}}),
        (om.Recoding(k=2), {"missing": "suppress", "confidential": ["secret"]}),
    ],
)
def test_the_flow_is_that_of_one_machine(method: Any, options: dict[str, Any], spark: Any) -> None:
    frame = people()
    here = om.mask(frame, QUASI, method, seed=4, max_tuples=60, threads=1, **options)
    there = om.mask(frame, QUASI, method, seed=4, max_tuples=60, threads=1, engine="spark", **options)
    assert here._flow.notes["parts"] >= 5
    assert there._flow.notes == here._flow.notes
    assert there.flow.equals(here.flow)
    assert there.targets.equals(here.targets)
    assert there.data.equals(here.data)


class Refusing(om.Recoding):
    """A method whose error must come back from an executor as what it is."""

    def mask(self, tuples: Any, rng: np.random.Generator) -> Any:
        raise ParameterError(f"The 'k' parameter of Refusing must be another one. Got {self.k} instead.")


class Broken(om.Recoding):
    """A method that quotes the data in an error of its own."""

    def mask(self, tuples: Any, rng: np.random.Generator) -> Any:
        raise RuntimeError("secretvalue")


def test_an_error_on_an_executor_is_that_error_here(spark: Any) -> None:
    with pytest.raises(ParameterError, match=r"parameter of Refusing must be another one\. Got 3 instead\."):
        om.mask(people(), QUASI, Refusing(k=3), max_tuples=60, engine="spark")
    with pytest.raises(DataError, match="Spark refuses it") as found:
        om.mask(people(), QUASI, Broken(k=3), max_tuples=60, engine="spark")
    assert "secretvalue" not in str(found.value)


@contextmanager
def executors_with(folder: Path, spark: Any) -> Iterator[None]:
    """Executors whose Python looks into this folder first."""
    environment = spark.sparkContext.environment
    before = dict(environment)
    environment["PYTHONPATH"] = str(folder)
    try:
        yield
    finally:
        environment.clear()
        environment.update(before)


def test_executors_without_the_package_are_told_what_to_do(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "ontomask.py").write_text("raise ModuleNotFoundError(\"No module named 'ontomask'\", name='ontomask')\n")
    with executors_with(tmp_path, spark), pytest.raises(DependencyError) as found:
        om.mask(people(), QUASI, om.Recoding(k=3), max_tuples=60, engine="spark")
    assert f"do not have 'ontomask {om.__version__}'" in str(found.value)
    assert "Install it for the Python of every executor" in str(found.value)
    assert om.mask(people(), QUASI, om.Recoding(k=3), engine="spark").k >= 3  # at once, on the driver


def test_executors_with_another_version_are_refused() -> None:
    found, error = executors.attempt("99.0", lambda shared, rows: rows, None, None)
    assert found is None
    said = executors._ours(error, "99.0")
    assert isinstance(said, DependencyError)
    assert f"have ontomask {om.__version__}, the driver has 99.0" in str(said)


def test_an_executor_without_memory_says_what_to_lower() -> None:
    class Cast:
        value = None

    def work(shared: Any, rows: Any) -> Any:
        raise MemoryError

    found, error = executors.attempt(om.__version__, work, Cast, None)
    assert found is None
    assert "lower max_tuples" in str(executors._ours(error, om.__version__))
