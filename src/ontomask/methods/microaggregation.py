"""Microaggregation: records in clusters of at least k, each record the centroid of its cluster (THESIS 6).

`Microaggregation` is the front of a family: MDAV and its semantic adaptive successors here, what comes after in refined.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from .._kernels.farthest import LOOKED
from .._kernels.mdav import adaptive, of_k
from .._progress import counted, stages
from ..errors import illegal
from ..flow import Flow, Tuples, make_flow
from ..semantics.bags import empty_bag, whole_table, work_space
from ..semantics.farthest import build_far
from ..semantics.geometry import Geometry
from ..semantics.nearest import arrange, build_index
from ..semantics.operators import centroids_of, kind_number
from ..semantics.spaces.base import Ints, Longs
from .base import Method, check_choice, check_flag, check_k, check_k_of_table
from .distance import check_distance, measured_by
from .refined import GROWING, Effort, refine, work

Variant = Literal["sa-mdav", "sa-mdav-static", "mdav", "refined"]
Centroid = Literal["semantic", "mode", "lcs", "consensus"]


@dataclass(frozen=True)
class Microaggregation(Method):
    """Clusters of at least k records, each of which becomes its cluster's centroid.

    variant: "sa-mdav" (THESIS, algorithm 4): whole tuples, no upper size; while k records are left, a cluster grows from the
    tuple r farthest from the centroid of what is left, always by the tuple nearest to the cluster's current centroid, then
    one from the tuple farthest from r; what is left at the end joins the cluster with the nearest centroid (ties: the one that
    was formed first). "sa-mdav-static": clusters grow around their first tuple. "mdav" (algorithm 3): clusters of k
    records, equal records being taken in any order; the record s that is farthest from r is kept for its own cluster.
    Ties: the first tuple of the table. "refined" (docs/methods/refined.md): starts from "sa-mdav" and improves its clusters,
    so that the SSE of L never exceeds that of the start; a tuple's records may be split; representatives are those
    with the least Σ of squared distances.
    centroid: "semantic"; "mode", "lcs" (Abril et al. 2010) and "consensus" (Guzman-Arenas et al. 2011) are the baselines.
    "refined" only knows "semantic".
    weighted: the distance to a tuple counts once for each of its records (THESIS eq. 4.2-4.3); "mdav" compares
    records, so there it has no effect.
    distance: what clusters are formed by: None, the table's own measure; "equality" (with centroid="mode" and
    variant="mdav": Domingo-Ferrer & Torra 2005); or the name of a measure for the attributes with a taxonomy ("wup" with
    centroid="lcs": Abril et al. 2010).
    effort: how long "refined" goes on: "fast", "normal" or "thorough", each from where the one before it stops.
    """

    k: int
    variant: Variant = "sa-mdav"
    centroid: Centroid = "semantic"
    weighted: bool = True
    distance: str | None = None
    effort: Effort = "normal"

    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        **{name: {"variant": name} for name in get_args(Variant)},
        "mdav-equality": {"variant": "mdav", "distance": "equality", "centroid": "mode"},
        "mdav-wup": {"variant": "mdav", "distance": "wup", "centroid": "lcs"},
    }

    def __post_init__(self) -> None:
        check_k(self.k, "Microaggregation")
        check_choice("variant", "Microaggregation", self.variant, get_args(Variant))
        check_choice("centroid", "Microaggregation", self.centroid, get_args(Centroid))
        check_flag("weighted", "Microaggregation", self.weighted)
        check_distance("Microaggregation", self.distance)
        check_choice("effort", "Microaggregation", self.effort, get_args(Effort))
        if self.variant == "refined" and self.centroid != "semantic":
            raise illegal("centroid", "Microaggregation", "be 'semantic' where variant='refined'", self.centroid)

    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        check_k_of_table(self.k, "Microaggregation", tuples.n)
        geometry = measured_by(tuples, self.distance)
        codes = np.ascontiguousarray(tuples.codes, np.int32)
        counts = tuples.counts.astype(np.int64)
        if self.variant == "mdav":
            bag = whole_table(geometry, codes, counts)
            with counted(tuples.p, power=2) as counter:  # a cluster takes a look at all that is left
                source, cluster, records, _ = of_k(
                    geometry.layout, turned(geometry), codes, counts, self.k, kind_number(self.centroid), bag, counter
                )
        else:
            weight = counts if self.weighted else np.ones_like(counts)
            static = self.variant == "sa-mdav-static"
            growing, then = stages(GROWING, work(self.effort) if self.variant == "refined" else 1)
            with growing:
                cluster = grown(geometry, codes, counts, weight, self.k, self.centroid, static)
            source, records = np.arange(tuples.p, dtype=np.int32), counts
            if self.variant == "refined":
                with then:
                    best, done = refine(tuples, geometry, self.k, cluster, self.effort, rng)
                return best.flow(done)
        return centroids_for(geometry, codes, source, cluster, records, self.centroid)


def centroids_for(geometry: Geometry, codes: Ints, source: Ints, cluster: Ints, records: Longs, kind: str) -> Flow:
    """The flow in which `records[i]` records of tuple `source[i]` become the centroid of `cluster[i]`."""
    order = np.argsort(cluster, kind="stable")
    ptr = np.searchsorted(cluster[order], np.arange(int(cluster.max()) + 2))
    centre = centroids_of(geometry, codes, source[order], ptr, records[order], kind)
    return make_flow(source, centre[cluster], records, notes={"clusters": len(centre)})


def grown(geometry: Geometry, codes: Ints, counts: Longs, weight: Longs, k: int, centroid: str, static: bool) -> Ints:
    """The cluster of each tuple by SA-MDAV, int32[p]."""
    index = build_index(geometry, codes, queries="candidates")
    arranged = arrange(index, codes)
    p, m = codes.shape
    queries = np.full((3, arranged.shape[1]), -1, np.int32)
    queries[:, m:] = 0
    cluster = np.full(p, -1, np.int32)
    with counted(p) as counter:
        formed = adaptive(
            geometry.layout,
            turned(geometry),
            codes,
            counts,
            weight,
            k,
            kind_number(centroid),
            static,
            index.arrays,
            build_far(index, arranged, weight),
            index.order,
            whole_table(geometry, codes, counts),
            empty_bag(geometry),
            work_space(geometry),
            queries,
            np.empty(p + LOOKED, np.int32),
            np.empty(p + LOOKED, np.int64),
            cluster,
            counter,
        )
    place_leftovers(geometry, codes, counts, cluster, formed, centroid)
    return cluster


def place_leftovers(geometry: Geometry, codes: Ints, counts: Longs, cluster: Ints, formed: int, kind: str) -> None:
    """Tuples without a cluster (−1) join the one with the nearest centroid, ties: the first formed. `cluster` is changed."""
    left = np.flatnonzero(cluster < 0)
    if not len(left):
        return
    rows = np.flatnonzero(cluster >= 0)
    rows = rows[np.argsort(cluster[rows], kind="stable")]
    ptr = np.searchsorted(cluster[rows], np.arange(formed + 1))
    centre = centroids_of(geometry, codes, rows, ptr, counts[rows], kind)
    for t in left:
        apart = np.zeros(formed, np.int64)
        for j in range(geometry.m):
            apart += geometry.table(j)[:, codes[t, j]][centre[:, j]]
        cluster[t] = np.argmin(apart)


def turned(geometry: Geometry) -> Ints:
    """The distances by value, then candidate, so that all candidates of a value lie side by side."""
    tables = np.empty_like(geometry.distance)
    for j in range(geometry.m):
        h, q = int(geometry.h[j]), int(geometry.q[j])
        tables[geometry.at[j] : geometry.at[j] + h * q].reshape(q, h)[:] = geometry.table(j).T
    return tables
