"""The bundled example is what its script makes, and as varied as the survey that it stands for."""

from __future__ import annotations

import csv
import runpy
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUNDLED = ROOT / "src" / "ontomask" / "data" / "visitors.csv"


def test_the_script_makes_the_file(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "make_visitors.py"
    if not script.exists():
        pytest.skip("scripts/ is not part of this distribution")
    made = runpy.run_path(str(script))
    made["main"].__globals__["TARGET"] = tmp_path / "visitors.csv"
    made["main"]()
    assert (tmp_path / "visitors.csv").read_bytes() == BUNDLED.read_bytes()


def test_it_is_as_varied_as_the_survey_of_fusion() -> None:
    with BUNDLED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = Counter((row["reason"], row["activity"]) for row in rows)
    assert len(rows) == 975
    assert 205 <= len(pairs) <= 215  # FUSION 4: 211
    assert 114 <= sum(n == 1 for n in pairs.values()) <= 122  # FUSION 4: 118
