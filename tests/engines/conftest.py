"""What holds for one engine holds for all: every test that takes `engine` runs once on each."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["duckdb", "spark"])
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine that can run: Spark's session is there, in `local[2]`."""
    if request.param == "spark":
        request.getfixturevalue("spark")
    return str(request.param)
