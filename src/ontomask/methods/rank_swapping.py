"""Semantic rank swapping: near values change places, what they are together stays (SWAP, chapter 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from .._kernels.swapping import swap_along, swap_around
from .._progress import along, watched
from ..errors import illegal
from ..flow import Flow, Tuples, make_flow
from ..semantics.geometry import Geometry, build_geometry
from ..semantics.nearest import TupleIndex, arrange, build_index
from ..semantics.spaces.base import Ints, Longs, Space
from .base import Method, check_choice, check_k

LOOKED_AT = 10_000  # tuples from which it is told how many have been dealt with
Variant = Literal["joint", "dynamic", "static", "distributional", "unrestricted"]


@dataclass(frozen=True)
class RankSwapping(Method):
    """Values are swapped with those of near records; each value at most once, so every column keeps its value counts.

    variant: what "near" is, always in an interval of k records.
    "joint" (SWAP, algorithm 3): the k records nearest to a record, over all attributes; each attribute is swapped with a
    random record of them. Keeps what attributes say together, and gives probabilistic k-anonymity in the sense of SWAP
    3.5: a swapped value may come from any of the k records of an interval. For one attribute it is "dynamic".
    "dynamic" (algorithm 2): the same for each attribute by itself: the k nearest values.
    "static" (algorithm 1): the next k in the order of the distance to the value farthest from all.
    "distributional": the next k in the order of frequency, rarest first. "unrestricted": any; k has no effect.

    The release is not k-anonymous in the sense of classes of k equal records.
    """

    k: int
    variant: Variant = "joint"
    promises_k: ClassVar[bool] = False
    keeps_marginals: ClassVar[bool] = True
    presets: ClassVar = {
        "rank-swapping": {"variant": "joint"},
        **{f"rank-swapping-{v}": {"variant": v} for v in ("dynamic", "static", "distributional", "unrestricted")},
    }

    def __post_init__(self) -> None:
        check_k(self.k, "RankSwapping")
        check_choice("variant", "RankSwapping", self.variant, get_args(Variant))

    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        self.check_size(tuples.n)
        of = np.repeat(np.arange(tuples.p, dtype=np.int32), tuples.counts)
        if self.variant == "joint":
            targets, notes = self._joint(tuples, of, rng)
        else:
            targets, notes = self._each(tuples, of, rng)
            if tuples.weights is not None:
                notes["weightless"] = True
        flow = make_flow(of, targets, np.ones(len(of), np.int64), notes=notes)
        flow.check_marginals(tuples)
        return flow

    @property
    def fewest(self) -> int:
        return self.k + (self.variant != "unrestricted")  # a record is not in its own interval

    def check_size(self, n: int) -> None:
        if n < 2 or self.variant == "unrestricted":
            super().check_size(n)
        elif self.k >= n:
            must = f"be at most the number of records, {n:,}, less one: a record is not in its own interval"
            raise illegal("k", "RankSwapping", must, self.k, "Choose a smaller k, or mask more records.")

    def says(self, flow: Flow) -> str:
        """The marginals, which `mask` asserted; for joint, probabilistic k-anonymity as SWAP 3.5 has it."""
        notes: dict[str, Any] = flow.notes
        if "stayed" not in notes:  # in parts: what each of them has noted is not kept
            return "Every column holds the values it held, each as often (checked part by part)."
        stayed = ", ".join(f"{name} {alone:,}" for name, alone in notes["stayed"].items())
        of = " of the released records" if flow.suppressed else ""
        said = [f"Every column{of} holds the values it held, each as often (checked in the run)."]
        if "probabilistic_k" in notes:
            k = notes["probabilistic_k"]
            said.append(
                f"Probabilistic k-anonymity as SWAP 3.5 has it: every interval held {k:,} records, which counts as a chance of "
                f"at most 1/{k:,} to infer a value; the choice was among {notes['fewest_partners']:,} of them at least."
            )
        if "largest_rank_distance" in notes:
            said.append(f"The largest rank distance of a swap is {notes['largest_rank_distance']:,}.")
        said.append(f"Values that met nobody unswapped, and stayed: {stayed}.")
        if "equals" in notes:
            said.append(f"Joint equals {notes['equals']}.")
        if "weightless" in notes:
            said.append("Weights had no effect: this variant takes every column by itself.")
        return " ".join(said)

    def together(self, notes: Sequence[Mapping[str, Any]]) -> dict[str, object]:
        names = list(notes[0]["stayed"])
        found: dict[str, object] = {w: {n: sum(part[w][n] for part in notes) for n in names} for w in ("swaps", "stayed")}
        if all("probabilistic_k" in part for part in notes):
            found |= {w: min(part[w] for part in notes) for w in ("probabilistic_k", "fewest_partners")}
            found["class_probability"] = max(part["class_probability"] for part in notes)
        if all("largest_rank_distance" in part for part in notes):
            found["largest_rank_distance"] = max(part["largest_rank_distance"] for part in notes)
        return found

    def _joint(self, tuples: Tuples, of: Ints, rng: np.random.Generator) -> tuple[Ints, dict[str, object]]:
        """What each record becomes, int32[n, m], when records are swapped with their nearest."""
        partner, told = _swap_nearest(tuples.geometry, tuples.codes, tuples.counts, self.k, rng)
        targets = np.stack([tuples.codes[of[partner[:, j]], j] for j in range(tuples.m)], axis=1)
        notes = _notes(tuples.spaces, [told.stayed[j] for j in range(tuples.m)], tuples.n)
        notes |= {
            "probabilistic_k": told.interval,
            "class_probability": 1 / told.interval,
            "fewest_partners": told.fewest,
            "largest_rank_distance": told.largest,
        }
        if tuples.m == 1:
            notes["equals"] = "dynamic: there is one attribute only"
        return targets, notes

    def _each(self, tuples: Tuples, of: Ints, rng: np.random.Generator) -> tuple[Ints, dict[str, object]]:
        """What each record becomes, int32[n, m], when every attribute is swapped by itself.

        An attribute is swapped among its values with their counts. Records with the same value are exchangeable, so what
        became of that value is dealt out to them at random.
        """
        targets = np.empty((len(of), tuples.m), np.int32)
        stayed: list[int] = []
        largest = 0
        for j, space in along(list(enumerate(tuples.spaces))):
            records = np.bincount(tuples.codes[:, j], weights=tuples.counts, minlength=space.q).astype(np.int64)
            held, received, alone, farthest = self._column(space, records, rng)
            shuffled = rng.permutation(len(of))
            own = tuples.codes[of, j][shuffled]
            targets[shuffled[np.argsort(own, kind="stable")], j] = received[np.argsort(held, kind="stable")]
            stayed.append(alone)
            largest = max(largest, farthest)
        notes = _notes(tuples.spaces, stayed, tuples.n)
        if self.variant != "unrestricted":
            notes["largest_rank_distance"] = largest
        return targets, notes

    def _column(self, space: Space, records: Longs, rng: np.random.Generator) -> tuple[Ints, Ints, int, int]:
        """One attribute: of each record the value it held and the one it receives, int32[n] each, in any order; then the
        values that stayed and the largest rank distance of a swap."""
        values = np.flatnonzero(records).astype(np.int32)
        count = records[values]
        if self.variant == "dynamic":
            partner, told = _swap_nearest(build_geometry([space]), values[:, None], count, self.k, rng)
            held = np.repeat(values, count)
            return held, held[partner[:, 0]], int(told.stayed[0]), told.largest
        if self.variant == "unrestricted":
            held = np.repeat(values, count)
            pairs = rng.permutation(len(held))[: len(held) // 2 * 2].reshape(-1, 2)
            mate = np.arange(len(held))
            mate[pairs] = pairs[:, ::-1]
            return held, held[mate], len(held) % 2, 0
        if self.variant == "static":
            order = ranked(space, values, count)
        else:
            order = np.argsort(count, kind="stable")
        held = np.repeat(values[order], count[order])
        mate, alone, farthest = swap_along(len(held), self.k, rng)
        return held, held[mate], int(alone), int(farthest)


def ranked(space: Space, values: Ints, count: Longs) -> Longs:
    """The order of some values by their distance to the one with the largest sum of distances to all records (SWAP, definitions
    3 and 4): int64[len(values)]. Ties: the first."""
    distance = build_geometry([space]).table(0)[np.ix_(values, values)].astype(np.int64)
    marginal = int(np.argmax(distance @ count))
    order: Longs = np.argsort(distance[:, marginal], kind="stable")
    return order


@dataclass(frozen=True)
class _Told:
    """What a run of the kernel says: values that stayed by attribute, the smallest interval in records, the fewest records
    that there were to choose from, the largest rank of a chosen one."""

    stayed: Longs
    interval: int
    fewest: int
    largest: int


def _swap_nearest(geometry: Geometry, codes: Ints, counts: Longs, k: int, rng: np.random.Generator) -> tuple[Longs, _Told]:
    """Partner of each record in each attribute, int64[n, m]; records are laid out tuple by tuple."""
    p, m = codes.shape
    index = build_index(geometry, codes)
    xs = arrange(index, codes)
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    sums = np.zeros(p, np.int64)
    reach = np.zeros((p, m), np.int64)  # the largest distance from each tuple, by attribute
    for j in range(m):
        table = geometry.table(j)
        values, code = np.unique(codes[:, j], return_inverse=True)
        between = table[np.ix_(values, values)].astype(np.int64)
        records = np.bincount(code.reshape(-1), weights=counts, minlength=len(values)).astype(np.int64)
        sums += (between @ records)[code.reshape(-1)]
        reach[:, j] = between.max(axis=0)[code.reshape(-1)]
    most = np.stack([reach.sum(axis=1), reach.sum(axis=1) - reach[:, index.order[0]]], axis=1)
    circle = rng.permutation(p).astype(np.int32)
    turn = np.empty(p, np.int64)
    turn[circle] = np.arange(p)
    first = int(np.argmax(sums))  # SWAP eq. 10; ties: the first
    live: Any = _copy(index)
    some = circle[:LOOKED_AT]  # drawn at random
    with watched(lambda: float((live.place[some] < 0).mean())):
        partner, stayed, interval, fewest, largest = swap_around(
            index.arrays, live, xs, start, k, m, most, circle, turn, first, rng
        )
    return partner, _Told(stayed, int(interval), int(fewest), int(largest))


def _copy(index: TupleIndex) -> object:
    """The index with its own copy of what `remove` and `compact` change."""
    changed = ("cell_end", "cell_code", "cell", "cell_live", "bits", "points", "number", "place")
    return index.arrays._replace(**{name: getattr(index.arrays, name).copy() for name in changed})


def _notes(spaces: tuple[Space, ...], stayed: list[int], n: int) -> dict[str, object]:
    alone: Mapping[str, int] = {space.name: int(s) for space, s in zip(spaces, stayed, strict=True)}
    return {"swaps": {name: (n - s) // 2 for name, s in alone.items()}, "stayed": dict(alone)}
