"""Tables too large to be masked at once: split along their values into parts of near tuples, each masked on its own.

A part is cut in two where it is widest: along the attribute in which its records differ most, between two neighbouring
values (neighbours in the walk through the taxonomy, or on the line of numbers) that lie far apart, near the middle. Every part
keeps at least k records, no tuple lies in two, so the flows of the parts together are a flow of the table, and it keeps
the promise of the method.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from .._processes import each_part
from .._progress import done
from ..errors import illegal
from ..flow import SUPPRESSED, Flow, Tuples, make_flow
from ..semantics.geometry import shares
from ..semantics.spaces.base import Floats, Ints, Longs, Space
from ..semantics.spaces.part import line_up, part_of
from .base import Method

MOST_TUPLES = 5_000_000
SAMPLE = 200  # tuples of a part that are looked at to find out where it is widest
WINDOW = 0.2  # a cut leaves at least so much of the part on either side, where it can

NOTED = -1  # in place of a source: the row that carries the notes of a part
EachPart = Callable[[Callable[[Any, pa.Table], pa.Table], Any, pa.Table, pa.Schema, int], Iterator[pa.Table]]


@dataclass(frozen=True, eq=False)
class Parts:
    """`number` int32[p]: the part of each tuple; `cuts`: how often each attribute was cut, by its name."""

    number: Ints
    cuts: dict[str, int]

    def __len__(self) -> int:
        return int(self.number.max(initial=-1)) + 1


def split(tuples: Tuples, k: int, most_tuples: int = MOST_TUPLES, most_values: int | None = None) -> Parts:
    """Parts of at most `most_tuples` tuples and `most_values` distinct values in any attribute, each with at least k records.

    A part that cannot be cut without leaving fewer than k records on one side stays as it is.
    """
    if most_tuples < 1:
        raise illegal("most_tuples", "split", "be an int ≥ 1", most_tuples)
    places = [line_up(space) for space in tuples.spaces]
    share = shares(tuples.weights, tuples.m)
    number = np.zeros(tuples.p, np.int32)
    cuts = dict.fromkeys((s.name for s in tuples.spaces), 0)
    todo, cut = [np.arange(tuples.p)], 0
    while todo:
        part = todo.pop()
        values = [len(np.unique(tuples.codes[part, j])) for j in range(tuples.m)]
        crowded = [most_values is not None and v > most_values for v in values]
        found = None
        if len(part) > most_tuples or any(crowded):
            for j in _widest_first(tuples, part, share, crowded if any(crowded) else None):
                found = _cut(tuples, part, j, places[j], k)
                if found is not None:
                    cuts[tuples.spaces[j].name] += 1
                    break
        if found is None:
            number[part] = cut
            cut += 1
        else:
            todo += [part[~found], part[found]]  # the lower side is cut further first: parts are numbered along the line
    return Parts(number, cuts)


def mask_in_parts(
    method: Method,
    tuples: Tuples,
    rng: np.random.Generator,
    parts: Parts,
    workers: int = 1,
    each: EachPart = each_part,
) -> Flow:
    """The method on each part, in up to `workers` processes, or wherever `each` brings them (`Engine.each_part`).

    The result depends on the parts and `rng` alone. What travels: the tuples of a part as codes; once for each process
    the method and the spaces without their distances, which are cheaper made than sent.
    """
    order = np.argsort(parts.number, kind="stable")
    columns = {"part": parts.number[order], "source": order.astype(np.int32), "count": tuples.counts[order]}
    columns |= {f"c{j}": tuples.codes[order, j] for j in range(tuples.m)}
    if tuples.confidential is not None:
        columns["confidential"] = tuples.confidential[order]
    shared = Shared(tuples.spaces, tuples.weights, rng.spawn(len(parts)))
    alone = type(method).__module__ == "__main__"  # another process on this machine cannot find a script's own method
    found = []
    for result in each(partial(_mask_part, method), shared, pa.table(columns), _schema(tuples.m), 1 if alone else workers):
        found.append(result)
        done(len(found) / len(parts))
    return _joined(method, tuples.m, parts, pa.concat_tables(found))


def _joined(method: Method, m: int, parts: Parts, found: pa.Table) -> Flow:
    """The flows of the parts as one."""
    source, count = np.asarray(found.column("source")), np.asarray(found.column("count"))
    target = np.column_stack([np.asarray(found.column(f"t{j}")) for j in range(m)])
    flows = np.flatnonzero(source != NOTED)
    last = np.flatnonzero(source == NOTED)
    last = last[np.argsort(np.asarray(found.column("part"))[last])]
    said = [json.loads(text) for text in found.column("notes").take(pa.array(last)).to_pylist()]
    notes = method.together(said) | {"parts": len(parts), "cuts": {name: n for name, n in parts.cuts.items() if n}}
    return make_flow(
        source[flows],
        np.maximum(target[flows], 0),
        count[flows],
        suppressed=target[flows, 0] == SUPPRESSED,
        notes=notes,
    )


@dataclass(frozen=True, eq=False)
class Shared:
    """What every part needs: sent to each process once."""

    spaces: tuple[Space, ...]
    weights: Floats | None
    generators: list[np.random.Generator]  # of each part its own


def _schema(m: int) -> pa.Schema:
    """Source, target codes (−1 throughout: suppressed), count; a part's notes, as JSON, in a row of their own."""
    codes = [(f"t{j}", pa.int32()) for j in range(m)]
    return pa.schema([("part", pa.int32()), ("source", pa.int32()), ("count", pa.int64()), *codes, ("notes", pa.string())])


def _mask_part(method: Method, shared: Shared, rows: pa.Table) -> pa.Table:
    """The flow of one part, whose rows may come in any order."""
    source = np.asarray(rows.column("source"))
    order = np.argsort(source)
    held = {name: np.asarray(rows.column(name))[order] for name in rows.column_names}
    m, number = len(shared.spaces), int(held["part"][0])
    codes = np.empty((len(order), m), np.int32)
    spaces: list[Space] = []
    back: list[Ints] = []
    for j, space in enumerate(shared.spaces):
        present, at, inverse = np.unique(held[f"c{j}"], return_index=True, return_inverse=True)
        by_appearance = np.argsort(at, kind="stable")  # value codes follow the order of the table, in a part as well
        renumber = np.empty(len(at), np.int32)
        renumber[by_appearance] = np.arange(len(at), dtype=np.int32)
        codes[:, j] = renumber[inverse.reshape(-1)]
        part, code = part_of(space, present[by_appearance])
        spaces.append(part)
        back.append(code)
    tuples = Tuples(codes, held["count"], tuple(spaces), shared.weights, held.get("confidential"))
    # A copy: a part that is masked again, because an executor was lost, draws the same once more.
    flow = method.mask(tuples, deepcopy(shared.generators[number]))
    kept = flow.target != SUPPRESSED
    target = np.full((len(flow.source) + 1, m), SUPPRESSED, np.int32)
    for j in range(m):
        target[:-1][kept, j] = back[j][flow.targets[flow.target[kept], j]]
    notes = json.dumps(flow.notes, default=lambda number: number.item())
    columns = {
        "part": np.full(len(target), number, np.int32),
        "source": np.append(held["source"][flow.source], np.int32(NOTED)),
        "count": np.append(flow.count, 0),
        **{f"t{j}": target[:, j] for j in range(m)},
        "notes": pa.array([None] * len(flow.source) + [notes], pa.string()),
    }
    return pa.table(columns, schema=_schema(m))


def _widest_first(tuples: Tuples, part: Longs, share: Floats, crowded: list[bool] | None) -> list[int]:
    """The attributes by mean distance between tuples of the part, largest first; of the `crowded` ones only."""
    sample = part[np.linspace(0, len(part) - 1, min(SAMPLE, len(part))).astype(np.int64)]
    spread = []
    for j, space in enumerate(tuples.spaces):
        codes = tuples.codes[sample, j]
        spread.append(-share[j] * float(space.between(codes, codes).mean()))
    allowed = [j for j in range(tuples.m) if crowded is None or crowded[j]]
    return sorted(allowed, key=lambda j: spread[j])


def _cut(tuples: Tuples, part: Longs, j: int, place: Longs, k: int) -> Any:
    """bool[len(part)]: who is on the upper side; None where no cut leaves k records on both."""
    space, codes = tuples.spaces[j], tuples.codes[part, j]
    values = np.unique(codes)
    values = values[np.argsort(place[values], kind="stable")]
    if len(values) < 2:
        return None
    rank = np.empty(space.q, np.int64)
    rank[values] = np.arange(len(values))
    at = rank[codes]
    held = np.cumsum(np.bincount(at, minlength=len(values)))[:-1]  # tuples below each possible cut
    records = np.cumsum(np.bincount(at, weights=tuples.counts[part], minlength=len(values)))
    legal = (records[:-1] >= k) & (records[-1] - records[:-1] >= k)
    if not legal.any():
        return None
    off = np.abs(held / len(part) - 0.5)
    near = legal & (off <= 0.5 - WINDOW)
    if not near.any():
        near = legal & (off <= off[legal].min())
    apart = space.along(values[:-1], values[1:])
    candidates = np.flatnonzero(near)
    best = candidates[np.lexsort((off[candidates], -apart[candidates]))[0]]
    return at > best
