"""Patterns: k-anonymous descriptions by anti-unification, without an ontology (PATTERN; ALGORITHMS 4.6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from .._kernels.patterns import split, values_in
from .._progress import check, done
from ..errors import DataError, illegal, plural
from ..flow import Flow, Tuples, make_flow
from ..semantics.spaces.base import Ints, Longs
from .base import Method, check_choice, check_k, check_k_of_table

Cover = Literal["k-anonymous", "first"]
INDIFFERENT = -1
MOST_ROWS = 1 << 27  # of all sets of one level together: two gigabytes


@dataclass(frozen=True, eq=False)
class Found:
    """The patterns of a table: conjunctions of values that at least k records of one confidential class share.

    Pattern i was found in the tuples `members[ptr[i]:ptr[i+1]]`: those of its class that agree with it and that no pattern of
    an earlier round covered. Records that agree with it and were covered before are not in its support.
    """

    values: Ints  # int32[r, m]: value codes, INDIFFERENT where the records disagree
    support: Longs  # int64[r] ≥ k: records
    classes: Ints  # int32[r]: confidential class
    condition: Ints  # int32[r]: which of the conditions was in force
    turn: Ints  # int32[r]: in which round it was found
    members: Longs
    ptr: Longs
    small: Longs  # tuples of classes of less than k records
    rest: Longs  # tuples that no pattern covers

    def __len__(self) -> int:
        return len(self.support)

    def of(self, i: int) -> Longs:
        """The tuples in which pattern i was found."""
        return self.members[self.ptr[i] : self.ptr[i + 1]]


@dataclass(frozen=True)
class Patterns(Method):
    """Records of one confidential class that agree on all but a few attributes become what they agree on.

    Each class of the confidential attributes that has at least k records is analysed. The pattern of a set of records is
    what they all agree on (their anti-unification). If it leaves at most `max_indifferent` attributes open, it is a result.
    Otherwise the set is split by an attribute on which it disagrees, the one with the fewest ("<") or the most (">") sets,
    by each of those that tie; sets of at least k records are analysed in turn. This is repeated on the records that no
    pattern covers until a round covers none, then with the next of the `conditions`. A missing value is a value like any
    other. Records that no pattern covers are discarded and counted.

    Ties make sets overlap: a record may agree with several patterns. cover="first": it takes the first one (patterns of an
    earlier round, of fewer splits, of an attribute and a value that come earlier in the table go first). This may leave less
    than k records to a pattern, so **it does not promise k**. cover="k-anonymous", the default: in the same order, a pattern
    takes the records that no earlier one took if they are at least k; the others fill up to k with records that earlier
    patterns can spare, or are left out; records whose patterns were all left out are discarded. A record is rewritten with
    what all records with the same pattern agree on, and the space's `top`, `*`, for the rest.
    """

    k: int
    max_indifferent: int = 2
    conditions: tuple[str, ...] = ("<", ">")
    cover: Cover = "k-anonymous"

    uses_confidential: ClassVar[bool] = True
    uses_distances: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_k(self.k, "Patterns")
        n = self.max_indifferent
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
            raise illegal("max_indifferent", "Patterns", "be an int ≥ 0", n, "The paper uses 2.")
        if isinstance(self.conditions, (list, str)):  # as recipes and the command line write it
            object.__setattr__(self, "conditions", tuple(self.conditions))
        given = self.conditions
        if not isinstance(given, tuple) or not given or any(c not in ("<", ">") for c in given):
            raise illegal("conditions", "Patterns", "be '<' (fewest sets), '>' (most sets) or several of them in order", given)
        check_choice("cover", "Patterns", self.cover, get_args(Cover))
        if self.cover == "first":
            object.__setattr__(self, "promises_k", False)

    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        check_k_of_table(self.k, "Patterns", tuples.n)
        found = self.find(tuples)
        if self.cover == "first":
            source, pattern, count = first_cover(found, tuples.counts)
        else:
            source, pattern, count = cover_by_k(found, tuples.counts, self.k)
        gone = tuples.counts - np.bincount(source, weights=count, minlength=tuples.p).astype(np.int64)
        without = np.flatnonzero(gone)
        small, rest = int(tuples.counts[found.small].sum()), int(tuples.counts[found.rest].sum())
        notes: dict[str, object] = {
            "patterns": len(found),
            "patterns used": len(np.unique(pattern)),
            "discarded: confidential class of fewer than k": small,
            "discarded: no pattern": rest,
            "discarded: pattern without k records left": int(gone.sum()) - small - rest,
        }
        notes["sentences"] = sentences(notes)
        top = np.asarray([space.top for space in tuples.spaces], np.int32)
        flow = make_flow(
            np.concatenate([source, without]),
            np.concatenate([agreed(tuples.codes, source, pattern, top), np.tile(top, (len(without), 1))]),
            np.concatenate([count, gone[without]]),
            suppressed=np.r_[np.zeros(len(source), bool), np.ones(len(without), bool)],
            notes=notes,
        )
        return replace(flow, found=found)

    def find(self, tuples: Tuples) -> Found:
        """The patterns alone, in the order in which they were found."""
        classes = np.zeros(tuples.p, np.int32) if tuples.confidential is None else tuples.confidential
        codes, counts = np.ascontiguousarray(tuples.codes, np.int32), tuples.counts.astype(np.int64)
        large = np.bincount(classes, weights=counts)[classes] >= self.k
        open_ = np.flatnonzero(large)
        results: list[tuple[Ints, Longs, Longs, int]] = []
        for c, condition in enumerate(self.conditions):
            while len(open_):
                done(1 - len(open_) / tuples.p)
                results_here = self._round(codes, counts, classes, open_, condition == ">")
                if not len(results_here[0]):
                    break
                results.append((*results_here, c))
                covered = np.zeros(tuples.p, bool)
                covered[results_here[1]] = True
                open_ = open_[~covered[open_]]
        sizes = [np.diff(ptr) for _, _, ptr, _ in results]
        ptr = np.concatenate([[0], np.cumsum(np.concatenate([*sizes, np.zeros(0, np.int64)]))]).astype(np.int64)
        members = np.concatenate([*(rows for _, rows, _, _ in results), np.zeros(0, np.int64)])
        owner = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
        return Found(
            values=np.concatenate([*(values for values, _, _, _ in results), codes[:0]]),
            support=np.bincount(owner, weights=counts[members], minlength=len(ptr) - 1).astype(np.int64),
            classes=classes[members[ptr[:-1]]],
            condition=np.repeat([c for *_, c in results], [len(s) for s in sizes]).astype(np.int32),
            turn=np.repeat(np.arange(len(results)), [len(s) for s in sizes]).astype(np.int32),
            members=members,
            ptr=ptr,
            small=np.flatnonzero(~large),
            rest=open_,
        )

    def _round(self, codes: Ints, counts: Longs, classes: Ints, open_: Longs, most: bool) -> tuple[Ints, Longs, Longs]:
        """One round of analyse-set on every class: (values, members, ptr) of its patterns, by number of splits.

        Whatever path led to a set, it holds all open rows of its class that agree with its pattern: a set whose pattern was
        seen before is the same set, and is not analysed again.
        """
        here = classes[open_]
        rows = open_[np.argsort(here, kind="stable")]
        ptr = np.searchsorted(np.sort(here), np.unique(np.r_[here, classes.max() + 1])).astype(np.int64)
        rows, ptr = _keep(rows, ptr, np.add.reduceat(counts[rows], ptr[:-1]) >= self.k)
        seen: set[bytes] = set()
        ready: list[tuple[Ints, Longs, Longs]] = []
        while len(ptr) > 1:
            check()
            sets = values_in(codes, rows, ptr)
            first = rows[ptr[:-1]]
            pattern = np.where(sets == 1, codes[first], INDIFFERENT).astype(np.int32)
            names = [row.tobytes() for row in np.column_stack([classes[first], pattern])]
            new = np.zeros(len(names), bool)
            for i, name in enumerate(names):
                new[i] = name not in seen
                seen.add(name)
            general = (sets > 1).sum(axis=1) > self.max_indifferent
            result = new & ~general
            ready.append((pattern[result], *_keep(rows, ptr, result)))
            ties = np.where(sets > 1, sets, -1 if most else np.iinfo(np.int32).max)
            wanted = ties.max(axis=1) if most else ties.min(axis=1)
            which, attribute = np.nonzero((ties == wanted[:, None]) & (new & general)[:, None])
            if np.diff(ptr)[which].sum() > MOST_ROWS:
                raise DataError(
                    f"So many attributes of the same number of values ({codes.shape[1]} attributes in all) make too many "
                    "overlapping sets of records to look for patterns in. Name fewer quasi-identifiers, or try the other "
                    "order of conditions."
                )
            rows, ptr = split(codes, counts, rows, ptr, which, attribute, self.k)
        values = np.concatenate([*(v for v, _, _ in ready), codes[:0]])
        members = np.concatenate([*(r for _, r, _ in ready), np.zeros(0, np.int64)])
        sizes = np.concatenate([*(np.diff(p) for _, _, p in ready), np.zeros(0, np.int64)])
        return values, members, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def sentences(notes: dict[str, object]) -> list[str]:
    """What was found and what was discarded, by reason, for the run's notes."""
    patterns, used = (int(str(notes[name])) for name in ("patterns", "patterns used"))
    said = [f"{plural(patterns, 'pattern')}, {used:,} of them used"]
    reasons = {name: int(str(n)) for name, n in notes.items() if name.startswith("discarded") and n}
    return said + [f"{name}: {plural(n, 'record')}" for name, n in reasons.items()]


def _keep(rows: Longs, ptr: Longs, wanted: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[Longs, Longs]:
    """Only these of the sets."""
    sizes = np.diff(ptr)
    return rows[np.repeat(wanted, sizes)], np.concatenate([[0], np.cumsum(sizes[wanted])]).astype(np.int64)


def first_cover(found: Found, counts: Longs) -> tuple[Longs, Longs, Longs]:
    """(tuple, pattern, records): every record takes the first pattern that covers it."""
    source, at = np.unique(found.members, return_index=True)
    pattern = np.searchsorted(found.ptr, at, side="right") - 1
    return source, pattern, counts[source]


def cover_by_k(found: Found, counts: Longs, k: int) -> tuple[Longs, Longs, Longs]:
    """(tuple, pattern, records): every pattern that is used has at least k records."""
    free = counts.astype(np.int64).copy()
    owner = np.full(len(counts), -1, np.int64)  # the pattern that took the tuple first
    own = np.zeros(len(counts), np.int64)  # how many of its records are with it still
    size = np.zeros(len(found), np.int64)
    for i in range(len(found)):
        rows = found.of(i)
        taken = free[rows].sum()
        if taken >= k:
            rows = rows[free[rows] > 0]
            owner[rows], own[rows] = i, free[rows]
            free[rows] = 0
            size[i] = taken
    extra: list[tuple[int, int, int]] = []
    for i in np.flatnonzero(size == 0).tolist():
        rows = found.of(i)
        missing = k - int(free[rows].sum())
        if missing == k or not _spare(rows, owner, own, size, k, missing):
            continue
        extra += [(int(t), i, int(free[t])) for t in rows if free[t]]
        free[rows] = 0
        for t, given in _spare(rows, owner, own, size, k, missing):
            extra.append((t, i, given))
            own[t] -= given
            size[owner[t]] -= given
    source = np.flatnonzero(own)
    more = np.asarray(extra, np.int64).reshape(-1, 3)
    return np.r_[source, more[:, 0]], np.r_[owner[source], more[:, 1]], np.r_[own[source], more[:, 2]]


def _spare(rows: Longs, owner: Longs, own: Longs, size: Longs, k: int, missing: int) -> list[tuple[int, int]]:
    """(tuple, records) that other patterns can give so that they keep k themselves; nothing if they cannot give enough."""
    left: dict[int, int] = {}
    given: list[tuple[int, int]] = []
    for t in rows.tolist():
        q = int(owner[t])
        if q < 0 or not own[t]:
            continue
        can = left.setdefault(q, int(size[q]) - k)
        now = min(can, int(own[t]), missing)
        if now > 0:
            given.append((t, now))
            left[q] -= now
            missing -= now
            if not missing:
                return given
    return []


def agreed(codes: Ints, source: Longs, pattern: Longs, top: Ints) -> Ints:
    """For each entry what all entries of its pattern agree on, `top` elsewhere: int32[entries, m]."""
    out = codes[source].copy()
    if len(source):
        by_pattern = np.argsort(pattern, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(pattern[by_pattern]) != 0])
        number = np.empty(len(source), np.int64)
        number[by_pattern] = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(source)]))
        for j in range(codes.shape[1]):
            column = codes[source[by_pattern], j]
            differ = np.minimum.reduceat(column, starts) != np.maximum.reduceat(column, starts)
            out[differ[number], j] = top[j]
    return out
