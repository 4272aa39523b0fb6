"""How the report says things."""

from __future__ import annotations

from ..semantics.spaces.base import Space
from ..semantics.spaces.sets import SetSpace, split


def said(space: Space, code: int) -> str:
    """A candidate in words."""
    value = space.say(int(code))
    if isinstance(space, SetSpace):
        value = [] if value is None else split(value, space.delimiter or "|") if isinstance(value, str) else value
    if value is None:
        return "(missing)"
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [str(v) for v in value]
        return "{" + ", ".join(items[:6]) + (f", … {len(items):,} in all" if len(items) > 6 else "") + "}"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
