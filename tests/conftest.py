"""What every test may use: the data folder, and hypothesis settings that do not fail on a slow machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ontomask", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("ontomask")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data that ONTOMASK_DATA names; tests that need it are skipped without it."""
    folder = os.environ.get("ONTOMASK_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("ONTOMASK_DATA is not set to the folder of real data sets")
    return Path(folder)
