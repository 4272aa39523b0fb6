"""What only the embedded engine has: two plans for the way out, and a limit on its memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ontomask as om
from ontomask.engines import plans
from tests.engines.people import QUASI, as_frame, given, people


@pytest.mark.parametrize("kind", ["pandas", "relation", "csv", "parquet", "jsonl", "duckdb"])
@pytest.mark.parametrize(
    "method", [om.Recoding(k=4), om.RankSwapping(k=10), om.Suppression(k=3)], ids=lambda m: type(m).__name__
)
def test_both_plans_give_the_same_release(method: Any, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = people()
    found = []
    for most in (2000, 0):  # tuples that are looked up; more are joined
        monkeypatch.setattr(plans, "MOST_LOOKED_UP", most)
        found.append(as_frame(om.mask(given(kind, frame, tmp_path / str(most)), QUASI, method, seed=1).data))
    assert found[0].astype(str).equals(found[1].astype(str))


def test_a_little_memory_is_enough(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"a": rng.integers(0, 40, 200_000), "b": rng.integers(0, 40, 200_000), "c": rng.random(200_000)})
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    data.to_csv(path, index=False)
    om.mask(path, ["a", "b"], om.Recoding(k=100), memory_limit="120MB", threads=2).write(out)
    written = pd.read_csv(out)
    assert np.allclose(written["c"], data["c"])
    assert om.verify(out, ["a", "b"], 100).kept
