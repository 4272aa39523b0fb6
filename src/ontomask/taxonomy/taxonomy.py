"""The taxonomy as users meet it: concepts are named by id (str) or label; numbers stay inside."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._registry import MEASURES
from ..errors import UnknownConceptError
from .draft import Draft, Problem
from .graph import Graph, Ints
from .lexicon import Lexicon, fold


class Taxonomy:
    """An immutable is-a graph with its words.

    >>> tax = Taxonomy.from_edges([("colic", "pain"), ("ache", "pain"), ("pain", "symptom")])
    >>> len(tax), tax.depth("ache"), tax.lcs("colic", "ache")
    (4, 3, 'pain')
    """

    def __init__(
        self,
        graph: Graph,
        lexicon: Lexicon,
        name: str = "",
        version: str = "",
        licence: str = "",
        virtual_root: bool = False,
        problems: tuple[Problem, ...] = (),
        glosses: Mapping[int, str] | None = None,
        features: Mapping[int, list[str]] | None = None,
        xrefs: Mapping[int, list[str]] | None = None,
        aliases: Mapping[str, int] | None = None,
    ) -> None:
        self.graph = graph
        self.lexicon = lexicon
        self.name = name
        self.version = version
        self.licence = licence
        self.virtual_root = virtual_root
        self.problems = problems
        self.glosses = glosses or {}
        self.features = features or {}
        self.xrefs = xrefs or {}
        self.aliases = aliases or {}
        self.memo: dict[Hashable, Any] = {}  # what measures derive from the whole taxonomy, kept for the next call

    def __getstate__(self) -> dict[str, Any]:
        """For another process: what measures derive is cheaper made there than sent."""
        return {**vars(self), "memo": {}}

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str]],
        labels: Mapping[str, Sequence[str]] | None = None,
        name: str = "",
    ) -> Taxonomy:
        """From (child, parent) pairs; concepts are numbered in order of first appearance, child before parent.

        `labels` gives each id its labels, preferred first; an id without any is its own label.
        """
        from .build import build

        pairs = [(str(child), str(parent)) for child, parent in edges]
        given = {str(i): [str(t) for t in ([row] if isinstance(row, str) else row)] for i, row in (labels or {}).items()}
        draft = Draft(name=name, edges=pairs)
        known = dict.fromkeys(draft.ids())
        draft.concepts = [*known, *(i for i in given if i not in known)]
        draft.labels = {i: given.get(i) or [i] for i in draft.concepts}
        return build(draft)

    # --- numbers inside, names outside ---------------------------------------------------------------------------

    def index(self, concept: str) -> int:
        """The number of a concept given by id or, where no id fits, by label (its most frequent sense)."""
        found = self.lexicon.index.get(concept, self.aliases.get(concept))
        if found is not None:
            return found
        senses = self.lexicon.meanings(concept)
        if len(senses):
            return int(senses[0])
        raise UnknownConceptError(self._no_such(concept))

    def indices(self, concepts: Iterable[str]) -> Ints:
        return np.fromiter((self.index(c) for c in concepts), np.int32)

    def ids(self, indices: Iterable[int]) -> list[str]:
        return [self.lexicon.id(c) for c in indices]

    def _no_such(self, concept: str) -> str:
        from rapidfuzz import fuzz, process

        keys = self.lexicon.keys.to_pylist()
        near = process.extract(fold(str(concept)), keys, scorer=fuzz.ratio, limit=3, score_cutoff=70)
        hint = f" Did you mean {' or '.join(repr(n[0]) for n in near)}?" if near else ""
        return f"There is no concept '{concept}' in {self._title()}: it is neither an id nor a label.{hint}"

    def _title(self) -> str:
        return f"the taxonomy '{self.name}'" if self.name else "this taxonomy"

    # --- the graph -----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of concepts; a virtual root does not count."""
        return len(self.graph) - self.virtual_root

    def __contains__(self, concept: object) -> bool:
        return isinstance(concept, str) and (
            concept in self.lexicon.index or concept in self.aliases or len(self.lexicon.meanings(concept)) > 0
        )

    def __repr__(self) -> str:
        virtual = self.virtual_root
        links = len(self.graph.up) - (len(self.graph.children(self.graph.root)) if virtual else 0)
        parts = [f"{len(self):,} concepts", f"{links:,} is-a links", f"depth {self.max_depth - virtual}"]
        if virtual:
            parts.append(f"{len(self.roots):,} roots")
        name = " ".join(x for x in (self.name, self.version) if x)
        return f"<Taxonomy {name + ': ' if name else ''}{', '.join(parts)}>"

    @property
    def root(self) -> str:
        """The one concept above all others (virtual where the source has several roots)."""
        return self.lexicon.id(self.graph.root)

    @property
    def roots(self) -> list[str]:
        """The roots that the source has."""
        if self.virtual_root:
            return self.ids(sorted(self.graph.children(self.graph.root)))
        return [self.root]

    @property
    def max_depth(self) -> int:
        """D: depth of the taxonomy in nodes."""
        return int(self.graph.depth.max())

    def find(self, text: str) -> list[str]:
        """Ids of the concepts that have this label, most frequent sense first; case, spaces, hyphens do not count."""
        return self.ids(self.lexicon.meanings(text))

    def label(self, concept: str) -> str:
        return self.lexicon.label(self.index(concept))

    def labels(self, concept: str) -> list[str]:
        return self.lexicon.labels_of(self.index(concept))

    def gloss(self, concept: str) -> str | None:
        return self.glosses.get(self.index(concept))

    def parents(self, concept: str) -> list[str]:
        return self.ids(self.graph.parents(self.index(concept)))

    def children(self, concept: str) -> list[str]:
        return self.ids(self.graph.children(self.index(concept)))

    def ancestors(self, concept: str) -> list[str]:
        """T(c): the concept and everything above it, root first, itself last."""
        return self.ids(self.graph.ancestors(self.index(concept)))

    def descendants(self, concept: str) -> list[str]:
        """The concept and everything below it, nearest first."""
        return self.ids(self.graph.descendants(self.index(concept)))

    def depth(self, concept: str) -> int:
        """Nodes on the longest path up to the root; the root has depth 1."""
        return int(self.graph.depth[self.index(concept)])

    def lcs(self, *concepts: str) -> str:
        """The least common subsumer of two or more concepts."""
        return self.lexicon.id(self.graph.subsumer(self.indices(concepts)))

    def minimum_hierarchy(self, concepts: Iterable[str]) -> list[str]:
        """H(V): everything between the concepts and their least common subsumer, by depth, then number."""
        return self.ids(self.graph.minimum_hierarchy(self.indices(concepts)))

    # --- meanings ------------------------------------------------------------------------------------------------
    # Measures live in the room above; they are found by name, so this room does not import them.

    def distance(self, a: str, b: str, measure: str = "logsc", **options: Any) -> float:
        """The semantic distance of two concepts, given by id or label (a label: its most frequent sense)."""
        return float(self.pairwise([a], [b], measure=measure, **options)[0])

    def distances(
        self,
        values: Sequence[str],
        others: Sequence[str] | None = None,
        measure: str = "logsc",
        dtype: npt.DTypeLike = np.float64,
        **options: Any,
    ) -> npt.NDArray[np.floating[Any]]:
        """Matrix of distances values × others (default: × values), in the order given."""
        rows = self.indices(values)
        columns = rows if others is None else self.indices(others)
        return MEASURES.load(measure).matrix(self, rows, columns, dtype=dtype, **options)  # type: ignore[no-any-return]

    def pairwise(
        self,
        left: Sequence[str],
        right: Sequence[str],
        measure: str = "logsc",
        dtype: npt.DTypeLike = np.float64,
        **options: Any,
    ) -> npt.NDArray[np.floating[Any]]:
        """Distances of left[i] and right[i], as one array."""
        return MEASURES.load(measure).pairs(  # type: ignore[no-any-return]
            self, self.indices(left), self.indices(right), dtype=dtype, **options
        )
