"""Twenty records, and their masking with whatever a test changes about it."""

from __future__ import annotations

from typing import Any

import pandas as pd

import ontomask as om

PAIN = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache")]


def frame(n: int = 20) -> pd.DataFrame:
    words = ["colic", "ache", "lumbago", "migraine"]
    return pd.DataFrame({"pain": [words[i % 4] for i in range(n)], "sex": ["fm"[i % 2] for i in range(n)], "x": [1.5] * n})


def mask(data: Any = None, quasi: Any = None, method: Any = None, **options: Any) -> Any:
    data = frame() if data is None else data
    return om.mask(data, {"pain": PAIN} if quasi is None else quasi, method or om.Recoding(k=2), **options)
