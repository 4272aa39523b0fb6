"""Words in an order: low < middle < high."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import DataError, illegal
from .line import LineSpace, Span, is_missing, read_interval, read_others


class OrdinalSpace(LineSpace):
    """Distance in ranks, as a share of the largest: |rank(a) − rank(b)| / (len(order) − 1).

    The centroid is the weighted median value. `order` gives the words from the lowest to the highest; case and blanks
    around them do not count, unless two of them differ by nothing else.

    >>> space = OrdinalSpace("pain", ["high", "low", None], ["low", "middle", "high"])
    >>> space.between([0], [1, 2]).tolist()
    [[1.0, 1.0]]
    """

    kind = "ordinal"

    def __init__(
        self,
        name: str,
        values: Sequence[Any],
        order: Sequence[Any],
        *,
        counts: Sequence[int] | None = None,
        others: Sequence[Any] = (),
    ) -> None:
        """`values`: the distinct values in the order of the table, None for missing; each must be in `order`.

        `others`: further candidates: words of the order, or intervals of it ("low-middle", "{low, middle}").
        """
        steps = [str(word).strip() for word in order]
        if len(steps) < 2 or len(set(steps)) < len(steps):
            raise illegal("order", f"the column '{name}'", "be two or more different words, lowest first", list(order))
        self.order = tuple(steps)
        ranks = {word: (float(i), float(i)) for i, word in enumerate(steps)}
        folded = {word.casefold(): span for word, span in ranks.items()}
        if len(folded) < len(ranks):
            folded = {}

        def rank(value: Any) -> Span | None:
            text = str(value).strip()
            return ranks.get(text) or folded.get(text.casefold())

        spans = [None if is_missing(v) else rank(v) for v in values]
        missing = np.asarray([is_missing(v) for v in values], bool)
        bad = sum(span is None for span in spans) - int(missing.sum())
        if bad:
            raise DataError(
                f"The column '{name}' is used as ordinal, but {bad:,} of its {len(values):,} distinct values are not in "
                f"the order {' < '.join(steps)}. Add them to it, or make them missing."
            )
        low = np.asarray([np.nan if s is None else s[0] for s in spans], np.float64)
        read = read_others(name, "ordinal", others, lambda text: read_interval(text, rank, True, (0.0, len(steps) - 1.0)))
        length = float(len(steps) - 1)
        self._lay(name, list(values), (low, low, missing), counts, lambda *_: length, others, read)
