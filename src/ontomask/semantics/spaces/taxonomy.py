"""Words that a taxonomy knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._registry import MEASURES
from ...taxonomy.taxonomy import Taxonomy
from .base import Floats, Ints, Space

MISSING = -1  # in `concepts`: the value that stands for "missing"


class TaxonomySpace(Space):
    """Candidates: the concepts of the values and all their ancestors.

    A missing value (`concepts[v] == MISSING`) is a value of its own: a child of the root, at distance 1 from every
    other candidate.
    """

    kind = "taxonomy"
    per_candidate = ("concepts", "_words")

    def __init__(
        self,
        name: str,
        taxonomy: Taxonomy,
        concepts: npt.ArrayLike,
        measure: str = "logsc",
        options: Mapping[str, Any] | None = None,
        words: Sequence[str | None] | None = None,
        others: npt.ArrayLike = (),
    ) -> None:
        """`concepts`: distinct concept numbers of the values, int32[q]; `words`: what is written for each candidate.

        `others`: concepts that no value means and that shall be candidates all the same (with their ancestors), because
        another tool's masked table uses them.
        """
        self.name = name
        self.taxonomy = taxonomy
        self.measure = measure
        self.options = dict(options or {})
        graph = taxonomy.graph
        values = np.asarray(concepts, np.int32)
        self.q = len(values)
        meant = values[values != MISSING]
        named = np.concatenate([meant, [graph.root], np.asarray(others, np.int32)]).astype(np.int32)
        above = np.zeros(len(graph), bool)  # by rank: what no value means and is a candidate all the same
        above[graph.ancestry.ranks[graph.ancestry.places(named)]] = True
        above[graph.rank[meant]] = False
        self.concepts = np.concatenate([values, graph.by_rank[above]]).astype(np.int32)  # concept number by candidate
        self.h = len(self.concepts)
        self._climb()
        missing = self.concepts == MISSING
        self.depth = np.where(missing, 2, graph.depth[self.concepts]).astype(np.int32)
        self.tie = np.where(missing, len(graph), self.concepts).astype(np.int32)
        self._words = list(words) if words is not None else None

    def _climb(self) -> None:
        """`up`, `links` and `top`: the taxonomy's ancestors as candidates."""
        graph, a = self.taxonomy.graph, self.taxonomy.graph.ancestry
        real = np.flatnonzero(self.concepts != MISSING)
        code = np.full(len(graph), -1, np.int32)  # candidate by rank
        code[graph.rank[self.concepts[real]]] = real
        self.top = int(code[graph.rank[graph.root]])
        places = a.places(self.concepts[real])
        up, links = code[a.ranks[places]], a.links[places]
        size = np.full(self.h, 2, np.int64)
        size[real] = np.diff(a.ptr)[self.concepts[real]]
        self.up_ptr = np.concatenate([[0], np.cumsum(size)])
        for candidate in np.flatnonzero(self.concepts == MISSING):  # at most one: a child of the root
            at = self.up_ptr[candidate]
            up = np.insert(up, at, [self.top, candidate])
            links = np.insert(links, at, [1, 0])
        self.up, self.links = up, links

    @cached_property
    def largest(self) -> float:
        measure = MEASURES.load(self.measure)
        return 1.0 if measure.bound(self.taxonomy, **self.options) <= 1.0 else super().largest

    def between(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> Floats:
        left, right = self.concepts[np.asarray(rows)], self.concepts[np.asarray(columns)]
        distances = MEASURES.load(self.measure).matrix(
            self.taxonomy, self._real(left), self._real(right), dtype=np.float64, **self.options
        )
        return _with_missing(distances, (left == MISSING)[:, None], (right == MISSING)[None, :])

    def _along(self, rows: Ints, columns: Ints) -> Floats:
        left, right = self.concepts[rows], self.concepts[columns]
        distances = MEASURES.load(self.measure).pairs(
            self.taxonomy, self._real(left), self._real(right), dtype=np.float64, **self.options
        )
        return _with_missing(distances, left == MISSING, right == MISSING)

    def _real(self, concepts: Ints) -> Ints:
        """The concepts with the root standing in for the missing value, for measures that know concepts only."""
        return np.where(concepts == MISSING, self.taxonomy.graph.root, concepts).astype(np.int32)

    def write_as(self, words: Sequence[str | None]) -> None:
        """From now on candidate c is written words[c] (None: a missing value): known once the candidates are."""
        if len(words) != self.h:
            raise ValueError(f"{len(words)} words for {self.h} candidates")
        self._words = list(words)

    def say(self, code: int) -> Any:
        if self._words is not None:
            return self._words[code]
        c = int(self.concepts[code])
        return None if c == MISSING else self.taxonomy.lexicon.label(c)


def _with_missing(distances: Floats, left: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_]) -> Floats:
    """A missing value is at distance 1 from everything but a missing value."""
    if not left.any() and not right.any():
        return distances
    return np.where(left & right, 0.0, np.where(left | right, 1.0, distances))
