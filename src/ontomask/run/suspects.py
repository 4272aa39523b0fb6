"""Columns that look as if they named people, and have been given no role: a warning by name, never by value."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ..engines.base import Engine, Source

ROWS = 20_000
CELLS = 2_000_000  # of the sample, whatever the number of columns
FEW = 20  # records below which "all distinct" says nothing
_NAMES = re.compile(
    r"(^|[_\W])(id|uid|uuid|ssn|nif|dni|iban|mrn|nhs|names?|surname|firstname|lastname|forename|e-?mails?|phone|tele(ph|f)one?"
    r"|mobile|address|postcode|zip(_?code)?|dob|birth(day|_?date)|passport|licen[cs]e|account|ip|patient|username|login)"
    r"([_\W]|\d*$)",
    re.IGNORECASE,
)
_MAIL = r"^[^@\s]+@[^@\s]+\.[^@\s]+$"


def suspects(engine: Engine, source: Source, settled: Sequence[str]) -> list[str]:
    """One sentence per suspicious column that is neither quasi, confidential nor dropped."""
    named = set(settled)
    others = [c.name for c in source.columns if c.name not in named and c.kind != "nested"]
    rows = min(ROWS, max(FEW, CELLS // max(1, len(others))))
    some = engine.sample(source, others, rows) if others else pa.table({})
    found = []
    for name in others:
        reason = _reason(name, some.column(name))
        if reason:
            found.append(
                f"The column '{name}' looks like an identifier ({reason}) and is released as it is. "
                f"Drop it, or name it as quasi or confidential."
            )
    index = getattr(source.options.get("data"), "index", None) if source.kind == "pandas" else None
    if index is not None and type(index).__name__ != "RangeIndex":
        found.append("The index of the table is released as it is. If it tells who is who: df.reset_index(drop=True).")
    return found


def _reason(name: str, column: pa.ChunkedArray) -> str:
    if _NAMES.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)):
        return "by its name"
    known = column.drop_null()
    if len(known) < FEW:
        return ""
    if pa.types.is_string(known.type) or pa.types.is_large_string(known.type):
        mails = pc.sum(pc.match_substring_regex(known, _MAIL)).as_py() or 0
        if mails * 2 > len(known):
            return "most of its values are mail addresses"
    return "all its values differ" if len(pc.unique(known)) == len(known) else ""
