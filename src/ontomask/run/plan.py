"""Memory is planned, not discovered: how much a masking will need, and into how many parts the table is split for it."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass

import numpy as np

from .._processes import each_part
from .._progress import stages
from ..errors import DataError, illegal
from ..flow import Flow, Tuples
from ..methods.base import Method
from ..methods.parts import MOST_TUPLES, EachPart, Parts, mask_in_parts, split
from ..semantics.geometry import table_bytes
from ..semantics.spaces.base import Longs
from ..semantics.spaces.part import candidates_of

COPIES = 4  # the table of distances, its copies for searches by value and by candidate, and the order of neighbours
PER_TUPLE = 200  # codes, counts, indexes and clusters of one tuple
SHARE = 0.6  # of the memory that is free, where no limit is given
_UNITS = {"B": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}


_before: list[int] = []  # cores that the process used before a run was given `threads`; empty where none was


@dataclass(frozen=True)
class Limits:
    """How large a table may be that is masked at once. `memory_limit`: None for a share of what is free."""

    max_tuples: int = MOST_TUPLES
    memory_limit: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.max_tuples, bool) or not isinstance(self.max_tuples, (int, np.integer)) or self.max_tuples < 1:
            raise illegal("max_tuples", "mask", "be an int ≥ 1", self.max_tuples)
        if self.threads is not None and (
            isinstance(self.threads, bool) or not isinstance(self.threads, int) or self.threads < 1
        ):
            raise illegal("threads", "mask", "be an int ≥ 1, or None for all cores", self.threads)

    def apply(self) -> None:
        """Let the kernels of this process use so many cores, also for what is computed of the result later on.

        A run without `threads` gives back what an earlier run with `threads` took. What is computed does not depend on it.
        """
        if self.threads is None and not _before:
            return
        import numba

        if self.threads is None:
            numba.set_num_threads(_before.pop())
            return
        _before[:] = _before or [numba.get_num_threads()]
        numba.set_num_threads(min(self.threads, numba.config.NUMBA_NUM_THREADS))


@dataclass(frozen=True, eq=False)
class Plan:
    """`parts`: None where the table is masked at once; `needed`: bytes at most at a time, beside the program, the table's
    values and the taxonomies; `said`: the plan in words; `workers`: parts that are masked at a time on this machine.
    """

    parts: Parts | None
    needed: int
    said: str
    workers: int = 1


def masked_within(
    limits: Limits,
    method: Method,
    tuples: Tuples,
    rng: np.random.Generator,
    each: EachPart = each_part,
) -> Flow:
    """The method's flow, in parts where the table is too large; `notes["memory"]` says how it was done."""
    made = plan(tuples, method, limits)
    masking, _ = stages(19, 1)  # at last the flow is put in order and checked
    with masking:
        if made.parts is None:
            flow = method.mask(tuples, rng)
        else:
            flow = mask_in_parts(method, tuples, rng, made.parts, made.workers, each)
    flow.notes["memory"] = made.said
    return flow


def plan(tuples: Tuples, method: Method, limits: Limits) -> Plan:
    """Split where there are more than `max_tuples` tuples, or more distances than fit into the memory that may be used."""
    if not (method.uses_distances and method.in_parts):
        needed = PER_TUPLE * tuples.p
        return Plan(None, needed, f"about {size(needed)} for {tuples.p:,} tuples")
    max_tuples, may = limits.max_tuples, allowed(limits.memory_limit)
    tables = COPIES * table_bytes(tuples.spaces)
    needed = tables + PER_TUPLE * tuples.p
    if tuples.p <= max_tuples and needed <= may:
        return Plan(None, needed, f"about {size(needed)} for {tuples.p:,} tuples")
    parts, largest = _split(tuples, method, max_tuples, may, tables)
    if largest > may:
        raise DataError(
            f"This table needs about {size(needed)} of memory and may use {size(may)}; it cannot be split so that every part "
            "keeps k records. Raise memory_limit, or use fewer columns."
        )
    # As many at once as fit: what comes out depends on the parts alone, so the processes may be fewer than the cores.
    workers = max(1, min(limits.threads or os.cpu_count() or 1, len(parts), may // max(1, largest)))
    cuts = ", ".join(f"{name} {n:,}×" for name, n in parts.cuts.items() if n)
    planned = workers * largest + PER_TUPLE * tuples.p
    said = (
        f"{tuples.p:,} tuples were split into {len(parts):,} parts of near records, each masked on its own "
        f"(cut along: {cuts}), with about {size(planned)} at a time; at once they would have needed about {size(needed)}"
    )
    return Plan(parts, planned, said, workers)


def _split(tuples: Tuples, method: Method, max_tuples: int, may: int, tables: int) -> tuple[Parts, int]:
    """Parts of which two fit into what may be used, where they can be cut so small, and the bytes of the largest."""
    most = min(max_tuples, max(method.fewest, int(may / 2 / PER_TUPLE)))
    values = None
    if tables > may / 2:
        # q values have about r·q candidates, so m attributes of v values take COPIES · 4 · m · r · v² bytes.
        ratio = max(s.h / max(1, s.q) for s in tuples.spaces)
        values = max(2, int(math.sqrt(may / 2 / (4 * COPIES * tuples.m * ratio))))
    before = math.inf
    while True:
        parts = split(tuples, method.fewest, most, values)
        largest = max(part_bytes(tuples, rows) for rows in rows_of(parts))
        if values is None or values <= 2 or largest <= may / 2 or largest >= before:
            return parts, largest
        before = largest
        values = max(
            2, min(values - 1, int(0.9 * values * math.sqrt(may / 2 / largest)))
        )  # few values have more candidates each


def rows_of(parts: Parts) -> list[Longs]:
    """The tuples of each part."""
    order = np.argsort(parts.number, kind="stable")
    return np.split(order, np.cumsum(np.bincount(parts.number))[:-1])


def part_bytes(tuples: Tuples, rows: Longs) -> int:
    """What masking these tuples on their own takes."""
    cells = 0
    for j, space in enumerate(tuples.spaces):
        values = np.unique(tuples.codes[rows, j])
        cells += len(values) * candidates_of(space, values)
    return 4 * COPIES * cells + PER_TUPLE * len(rows)


def allowed(memory_limit: str | None) -> int:
    """Bytes that a masking may use: the limit, or a share of what is free.

    >>> allowed("500MB")
    500000000
    """
    if memory_limit is not None:
        found = re.match(r"^\s*([\d.]+)\s*([KMGT]?i?)B?\s*$", str(memory_limit), re.IGNORECASE)
        if found:
            return int(float(found[1]) * _UNITS[found[2].upper() or "B"])
    try:
        return int(SHARE * os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (ValueError, OSError, AttributeError):  # a system that does not say: enough for all but the largest tables
        return 4 * 10**9


def size(n: float) -> str:
    """
    >>> size(1_234_567)
    '1.2 MB'
    """
    for unit in ("B", "kB", "MB", "GB"):
        if n < 1000 or unit == "GB":
            return f"{n:.0f} {unit}" if unit in ("B", "kB") else f"{n:,.1f} {unit}"
        n /= 1000
    raise AssertionError
