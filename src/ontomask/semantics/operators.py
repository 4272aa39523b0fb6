"""The three operators of the semantic framework: compare, centroid, order (THESIS ch. 4; ALGORITHMS 3).

They work on distinct tuples (value codes) with counts over a `Geometry`, so they know neither words nor taxonomies, and
their distances are its exact fixed-point integers. `centroid` is the same operator for one attribute, by concept names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._kernels import centroid as kernels
from .._kernels.threads import in_parts
from .._registry import MEASURES
from ..errors import DataError, did_you_mean, illegal
from ..taxonomy.taxonomy import Taxonomy
from .geometry import BITS, Geometry, build_geometry
from .spaces.base import Ints, Longs
from .spaces.taxonomy import TaxonomySpace

KINDS = ("semantic", "mode", "lcs", "consensus", "random")
CANDIDATES = ("hierarchy", "values")
GROUPS = 1 << 14  # groups that are worth handing to another thread
BLOCK = 1 << 22  # distances held at once while one attribute's candidates are weighed


def compare(geometry: Geometry, reference: npt.ArrayLike, codes: Ints, counts: Longs | None = None) -> Longs:
    """Fixed-point distance of the reference (candidate codes) to every tuple, int64[p] (THESIS eq. 4.1, 4.3).

    With `counts` the distance to a group of equal records counts as often as there are records (wsd, eq. 4.2-4.3).
    """
    chosen = np.asarray(reference, np.int64)
    total = np.zeros(len(codes), np.int64)
    for j in range(geometry.m):
        total += geometry.table(j)[chosen[j]][codes[:, j]]
    return total if counts is None else total * counts


def centroid_of(
    geometry: Geometry,
    codes: Ints,
    counts: Longs | None = None,
    kind: str = "semantic",
    candidates: str = "hierarchy",
    rng: np.random.Generator | None = None,
) -> Ints:
    """The centroid of some tuples, one candidate code per attribute (THESIS definitions 7 and 8)."""
    size = len(codes)
    one: Ints = centroids_of(geometry, codes, np.arange(size), np.asarray([0, size]), counts, kind, candidates, rng)[0]
    return one


def centroids_of(
    geometry: Geometry,
    codes: Ints,
    rows: npt.ArrayLike,
    ptr: npt.ArrayLike,
    counts: npt.ArrayLike | None = None,
    kind: str = "semantic",
    candidates: str = "hierarchy",
    rng: np.random.Generator | None = None,
) -> Ints:
    """The centroids of many groups, int32[g, m]: group i holds the tuples `codes[rows[ptr[i]:ptr[i+1]]]`, at least one.

    `counts` stand beside `rows` (records that the group has of that tuple; default 1 each). Kinds, per attribute:
    "semantic": the candidate of H(values) with the least Σ w·sd, ties by most records of its own, then depth, then the
    smallest number; `candidates="values"` looks among the values only. "mode": the most frequent value (ties: the first in the
    table). "lcs": the least common subsumer (Abril et al. 2010). "consensus": the value with the least mean confusion
    (Guzman-Arenas et al. 2011). "random": the values of one record of the group, drawn by `rng`.
    """
    check_kind(kind, candidates, "centroid")
    at, bounds = np.asarray(rows, np.int64), np.asarray(ptr, np.int64)
    weights = np.ones(len(at), np.int64) if counts is None else np.asarray(counts, np.int64)
    codes = np.ascontiguousarray(codes, np.int32)
    if kind == "random":
        if rng is None:
            raise illegal("rng", "centroid", "be a numpy Generator where kind='random'", rng)
        before = np.concatenate([[0], np.cumsum(weights)])
        drawn = rng.integers(before[bounds[:-1]], before[bounds[1:]])
        record: Ints = codes[at[np.searchsorted(before, drawn, side="right") - 1]]
        return record
    found = np.empty((len(bounds) - 1, geometry.m), np.int32)

    def some(begin: int, end: int) -> None:
        groups = bounds[begin : end + 1]
        found[begin:end] = kernels.centroids(geometry.layout, codes, weights, at, groups, kind_number(kind, candidates))

    in_parts(some, len(found), GROUPS)
    return found


def order(geometry: Geometry, codes: Ints, counts: Longs | None = None, weighted: bool = False) -> Longs:
    """A group sorted by meaning (THESIS algorithm 1): positions of the tuples, int64[p].

    First the tuple farthest from the centroid, then the others by growing distance to it; ties in the order given. `weighted`
    takes the distance to a tuple as often as it has records.
    """
    own = np.ones(len(codes), np.int64) if counts is None else np.asarray(counts, np.int64)
    weights = own if weighted else None
    first = int(np.argmax(compare(geometry, centroid_of(geometry, codes, own), codes, weights)))
    to_first = compare(geometry, codes[first], codes, weights)
    to_first[first] = -1
    return np.argsort(to_first, kind="stable")


def check_kind(kind: str, candidates: str, of: str) -> None:
    """Both settings of a centroid are among the legal words."""
    for parameter, value, legal in (("kind", kind, KINDS), ("candidates", candidates, CANDIDATES)):
        if value not in legal:
            raise illegal(parameter, of, f"be one of {', '.join(map(repr, legal))}", value, did_you_mean(value, legal).strip())


def kind_number(kind: str, candidates: str = "hierarchy") -> int:
    """How kernels name a kind of centroid."""
    if kind == "semantic":
        return kernels.VALUES if candidates == "values" else kernels.SEMANTIC
    return {"mode": kernels.MODE, "lcs": kernels.LCS, "consensus": kernels.CONSENSUS}[kind]


def centroid(
    values: Iterable[str],
    tax: Taxonomy,
    counts: Sequence[int] | npt.ArrayLike | None = None,
    measure: str = "logsc",
    kind: str = "semantic",
    candidates: str = "hierarchy",
    seed: int | None = None,
    **options: Any,
) -> str:
    """The concept (its id) that stands best for some values, given by id or label, repeated or with `counts`.

    `kind` and `candidates` as in `centroids_of`; `options` go to the measure; `seed` draws the "random" one.

    >>> from ontomask import Taxonomy
    >>> tax = Taxonomy.from_edges([("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache")])
    >>> centroid(["colic", "lumbago", "migraine"], tax, counts=[1, 3, 2], measure="path")
    'lumbago'
    """
    check_kind(kind, candidates, "centroid")
    concepts, weights = _concepts_with_counts(values, tax, counts)
    if kind == "lcs":
        return tax.lexicon.id(tax.graph.subsumer(concepts))
    if kind == "mode":
        return tax.lexicon.id(int(concepts[np.argmax(weights)]))
    if kind == "random":
        drawn = np.random.default_rng(seed).integers(weights.sum())
        return tax.lexicon.id(int(concepts[np.searchsorted(np.cumsum(weights), drawn, side="right")]))
    if kind == "consensus":
        space = TaxonomySpace("values", tax, concepts, measure=measure, options=options)
        codes = np.arange(len(concepts), dtype=np.int32)[:, None]
        return tax.lexicon.id(int(space.concepts[centroid_of(build_geometry([space]), codes, weights, kind)[0]]))
    among = tax.graph.minimum_hierarchy(concepts) if candidates == "hierarchy" else concepts
    return tax.lexicon.id(_least(tax, among, concepts, weights, measure, options))


def _concepts_with_counts(values: Iterable[str], tax: Taxonomy, counts: Any) -> tuple[Ints, Longs]:
    """Distinct concept numbers in order of first appearance, and the records of each."""
    words: Counter[str] = Counter()
    if counts is None:
        words.update(values)
    else:
        given, numbers = list(values), np.asarray(counts)
        if numbers.shape != (len(given),) or numbers.dtype.kind not in "iu" or (numbers < 0).any():
            raise illegal("counts", "centroid", f"be {len(given):,} whole numbers ≥ 0, one per value", counts)
        for value, number in zip(given, numbers.tolist(), strict=True):
            words[value] += number
    records: dict[int, int] = {}
    for word, number in words.items():
        if number:
            concept = tax.index(word)
            records[concept] = records.get(concept, 0) + number
    if not records:
        raise DataError("A centroid needs at least one value. Got none: give values, and counts that are not all 0.")
    return np.fromiter(records, np.int32), np.fromiter(records.values(), np.int64)


def _least(tax: Taxonomy, among: Ints, concepts: Ints, weights: Longs, measure: str, options: dict[str, Any]) -> int:
    """The candidate with the least Σ w·sd; ties as in `centroids_of`. A block of candidates at a time: memory stays small."""
    used = MEASURES.load(measure)
    rows = max(1, BLOCK // len(concepts))
    sums = np.concatenate(
        [
            kernels.fixed_sums(
                used.matrix(tax, among[i : i + rows], concepts, dtype=np.float64, **options), weights, float(1 << BITS)
            )
            for i in range(0, len(among), rows)
        ]
    )
    own = np.zeros(len(tax.graph), np.int64)
    own[concepts] = weights
    return int(among[np.lexsort((among, -tax.graph.depth[among], -own[among], sums))[0]])
