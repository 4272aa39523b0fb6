"""Microaggregation of records that are sets (SETS; ALGORITHMS: MDAV over sets, medoids as centroids)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from .._kernels.sets import nearest_positions
from .._progress import done
from ..flow import Flow, Tuples, make_flow
from ..semantics.rulers import RecordRuler
from ..semantics.spaces.base import Ints, Longs
from ..semantics.spaces.sets import SetSpace
from .base import Method, check_choice, check_flag, check_k, check_k_of_table

Distance = Literal["average", "min", "max", "minsum", "maxsum"]


@dataclass(frozen=True)
class SetMicroaggregation(Method):
    """MDAV over sets: clusters of k records, each of which becomes its cluster's central record (SETS 3).

    distance: how two sets compare (SETS eq. 2-6): the "average", "min" or "max" over all pairs of their concepts, or the
    normalised sum of each concept's "minsum" or "maxsum" over the other set. semantic: by the meaning of the concepts;
    False: concepts are equal or different (SETS eq. 9). Ordinary attributes beside the set are averaged into the distance.

    The centroid of records is the one with the least sum of distances to all of them (eq. 7). While 3k records are left:
    r is the record farthest from the centroid of what is left, s the one farthest from r; r and its k−1 nearest are a
    cluster, and s, which is kept for it, with its k−1 nearest another. If then 2k are left, one more around the record
    farthest from the centroid; the rest is the last cluster. Ties: the first tuple of the table. In the release each concept
    of a cluster's centroid is shown as a random word of the table that means it.
    """

    k: int
    distance: Distance = "average"
    semantic: bool = True
    takes_sets: ClassVar[bool] = True
    in_parts: ClassVar[bool] = False  # it keeps no table of distances between tuples

    def __post_init__(self) -> None:
        check_k(self.k, "SetMicroaggregation")
        check_choice("distance", "SetMicroaggregation", self.distance, get_args(Distance))
        check_flag("semantic", "SetMicroaggregation", self.semantic)

    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        check_k_of_table(self.k, "SetMicroaggregation", tuples.n)
        ruler = RecordRuler(tuples.spaces, tuples.codes, tuples.counts, tuples.weights, self.distance, self.semantic)
        source, cluster, records = _clusters(ruler, tuples, self.k)
        centre = np.empty(int(cluster[-1]) + 1, np.int64)
        for c, members in enumerate(np.split(np.arange(len(source)), np.flatnonzero(np.diff(cluster)) + 1)):
            who = np.unique(source[members])
            held = np.bincount(np.searchsorted(who, source[members]), weights=records[members]).astype(np.int64)
            sums = [int(ruler.reach(int(t), who) @ held) for t in who] if len(who) > 1 else [0]
            centre[c] = who[int(np.argmin(sums))]
        flow = make_flow(source, tuples.codes[centre[cluster]], records, notes={"clusters": len(centre)})
        for j, space in enumerate(tuples.spaces):
            if isinstance(space, SetSpace):
                space.draw_terms(flow.targets[:, j], rng)
        return flow


def _clusters(ruler: RecordRuler, tuples: Tuples, k: int) -> tuple[Ints, Ints, Longs]:
    """MDAV: (tuple, cluster, records) of each piece of a tuple, cluster by cluster."""
    rest = tuples.counts.astype(np.int64)
    pieces: list[tuple[int, int, int]] = []
    left, formed = tuples.n, 0
    while left >= 2 * k:
        done(1 - (left / tuples.n) ** 2)  # a cluster takes a look at all that is left
        alive = np.flatnonzero(rest)
        middle = int(alive[np.argmin(ruler.sums(alive))])
        r = int(alive[np.argmax(ruler.reach(middle, alive))])
        from_r = ruler.reach(r, alive)
        seeds = [(r, from_r)]
        if left >= 3 * k:
            others = alive if rest[r] > 1 else alive[alive != r]  # s is another record than r
            s = int(others[np.argmax(from_r if rest[r] > 1 else from_r[alive != r])])
            seeds.append((s, ruler.reach(s, alive)))
            rest[s] -= 1  # kept for its own cluster
        for turn, (seed, apart) in enumerate(seeds):
            rest[seed] -= turn == 0
            taken = {seed: 1}
            need = k - 1
            there = np.flatnonzero(rest[alive])
            for at in there[nearest_positions(apart[there], need)] if need else ():
                if need == 0:
                    break
                t = int(alive[at])
                amount = min(need, int(rest[t]))
                taken[t] = taken.get(t, 0) + amount
                rest[t] -= amount
                need -= amount
            for t, amount in taken.items():
                pieces.append((t, formed, amount))
                ruler.lose(t, amount)
            formed += 1
            left -= k
    pieces += [(int(t), formed, int(rest[t])) for t in np.flatnonzero(rest)]
    source, cluster, records = np.asarray(pieces, np.int64).T
    return source.astype(np.int32), cluster.astype(np.int32), records
