"""The operators as one would write them on paper: record by record, no arrays, no shortcuts."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ontomask.semantics.geometry import Geometry


def above(g: Geometry, j: int, c: int) -> dict[int, int]:
    """Ancestors-or-self of a candidate with the links up to each."""
    i = int(g.first[j]) + c
    span = slice(int(g.up_ptr[i]), int(g.up_ptr[i + 1]))
    return dict(zip(g.up[span].tolist(), g.links[span].tolist(), strict=True))


def subsumer(g: Geometry, j: int, values: set[int]) -> int | None:
    ups = [above(g, j, v) for v in values]
    common = set.intersection(*(set(u) for u in ups))
    base = int(g.first[j])
    if not common:
        return None
    return min(common, key=lambda a: (-g.depth[base + a], sum(u[a] for u in ups), g.tie[base + a]))


def hierarchy(g: Geometry, j: int, values: set[int]) -> set[int]:
    """H(V)."""
    lcs = subsumer(g, j, values)
    if lcs is None:
        return values
    return {a for v in values for a in above(g, j, v) if lcs in above(g, j, a)}


def confusion(g: Geometry, j: int, a: int, b: int) -> int:
    """Links down to b from an ancestor of both."""
    ours, theirs = above(g, j, a), above(g, j, b)
    return min((theirs[x] for x in theirs if x in ours), default=1)


def best(g: Geometry, j: int, records: list[int], kind: str = "semantic", candidates: str = "hierarchy") -> int:
    """The centroid of one attribute of some records (value codes)."""
    own = Counter(records)
    values = set(records)
    base = int(g.first[j])
    table = g.table(j)
    if kind == "mode":
        return min(values, key=lambda v: (-own[v], v))
    if kind == "consensus":
        return min(values, key=lambda a: (sum(confusion(g, j, a, b) for b in records), -own[a], a))
    if kind == "lcs":
        lcs = subsumer(g, j, values)
        return int(g.top[j]) if lcs is None else lcs
    among = values if candidates == "values" else hierarchy(g, j, values)
    return min(among, key=lambda c: (sum(int(table[c, v]) for v in records), -own[c], -g.depth[base + c], g.tie[base + c]))


def centroid(
    g: Geometry, rows: list[tuple[int, ...]], kind: str = "semantic", candidates: str = "hierarchy"
) -> tuple[int, ...]:
    """The centroid of some records."""
    return tuple(best(g, j, [row[j] for row in rows], kind, candidates) for j in range(g.m))


def distance(g: Geometry, reference: tuple[int, ...], row: tuple[int, ...]) -> int:
    return sum(int(g.table(j)[reference[j], row[j]]) for j in range(g.m))


def records(codes: np.ndarray, counts: np.ndarray) -> list[tuple[int, ...]]:
    """One row per record, tuple after tuple."""
    return [tuple(row) for row, w in zip(codes.tolist(), counts.tolist(), strict=True) for _ in range(w)]
