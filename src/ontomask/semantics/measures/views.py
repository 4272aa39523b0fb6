"""Measures put together from several similarities: the same arithmetic for a matrix and for a list of pairs.

Such a measure is one function that takes a `View` of the concepts compared and returns their similarities; `by_view` makes a
`Measure` of it. Matrices are computed some rows at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import TaxonomyError, illegal
from ...taxonomy.graph import Ints
from ...taxonomy.taxonomy import Taxonomy
from .base import Distances, Floats, checked
from .items import Items
from .options import Adjustable, check_options, options_of

BLOCK = 1 << 20  # similarities computed at once


class View:
    """The concepts compared: left × right, or left[i] with right[i] where `paired`."""

    def __init__(self, taxonomy: Taxonomy, left: Ints, right: Ints, paired: bool) -> None:
        self.taxonomy, self.left, self.right, self.paired = taxonomy, left, right, paired

    def kept(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What a measure derives from the whole taxonomy, made once."""
        if key not in self.taxonomy.memo:
            self.taxonomy.memo[key] = make()
        return self.taxonomy.memo[key]

    def first(self, of: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A property of every concept, as the left ones have it; shaped for arithmetic with `second` and `products`."""
        mine: npt.NDArray[Any] = of[self.left]
        return mine if self.paired else mine[:, None]

    def second(self, of: npt.NDArray[Any]) -> npt.NDArray[Any]:
        mine: npt.NDArray[Any] = of[self.right]
        return mine if self.paired else mine[None, :]

    def products(self, left: Any, right: Any) -> Floats:
        """Scalar products of the rows of two sparse matrices, which stand beside `self.left` and `self.right`."""
        if self.paired:
            return np.asarray(left.multiply(right).sum(axis=1), np.float64).reshape(-1)
        found: Floats = (left @ right.T).toarray()
        return found

    def shared(self, items: Items) -> Floats:
        """How many items the two have in common."""
        from scipy.sparse import csr_matrix

        table = csr_matrix((np.ones(len(items.items)), items.items, items.ptr), shape=(len(items.ptr) - 1, max(1, items.size)))
        return self.products(table[self.left], table[self.right])


class ByView(Adjustable):
    """A measure that is arithmetic on a view; identical concepts are at distance 0 whatever it gives."""

    def __init__(self, name: str, similarity: Callable[..., Floats], symmetric: bool) -> None:
        self.name, self.similarity, self.symmetric = name, similarity, symmetric
        self.__doc__ = similarity.__doc__
        self.known = options_of(similarity)

    def matrix(
        self, taxonomy: Taxonomy, rows: Ints, columns: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        left, right = np.asarray(rows, np.int32), np.asarray(columns, np.int32)
        out = np.empty((len(left), len(right)), checked(dtype))
        self._ready(taxonomy, options)
        step = max(1, BLOCK // max(1, len(right)))
        for i in range(0, len(left), step):
            out[i : i + step] = self._distances(View(taxonomy, left[i : i + step], right, False), options)
        return out

    def pairs(
        self, taxonomy: Taxonomy, left: Ints, right: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        one, other = np.asarray(left, np.int32), np.asarray(right, np.int32)
        if one.shape != other.shape:
            raise illegal("right", "pairwise", f"be as long as 'left' ({len(one):,})", len(other))
        out = np.empty(len(one), checked(dtype))
        self._ready(taxonomy, options)
        for i in range(0, len(one), BLOCK // 64):
            part = slice(i, i + BLOCK // 64)
            out[part] = self._distances(View(taxonomy, one[part], other[part], True), options)
        return out

    def bound(self, taxonomy: Taxonomy, **options: Any) -> float:
        self._ready(taxonomy, options)
        return 1.0

    def _ready(self, taxonomy: Taxonomy, options: dict[str, Any]) -> None:
        check_options(self.name, options, self.known)
        if not len(taxonomy.glosses):
            named = f"the taxonomy '{taxonomy.name}'" if taxonomy.name else "this taxonomy"
            raise TaxonomyError(
                f"The measure '{self.name}' reads glosses (definitions), and {named} carries none. Load one that does, such as "
                "the folder of a WordNet dictionary, or choose a measure that needs none: logsc."
            )

    def _distances(self, view: View, options: dict[str, Any]) -> Floats:
        apart = 1.0 - self.similarity(view, **options)
        every = np.arange(len(view.taxonomy.graph))
        # Rounding may leave a hair outside [0, 1].
        return np.where(view.first(every) == view.second(every), 0.0, np.clip(apart, 0.0, 1.0))


def by_view(name: str, symmetric: bool = True) -> Callable[[Callable[..., Floats]], ByView]:
    """The measure of this name, from its similarity: `similarity(view, **options)`."""
    return lambda similarity: ByView(name, similarity, symmetric)
