"""The result of a run."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from .._progress import patiently
from .._registry import REPORTS
from ..engines.base import CHANGED, Assignment, Engine, Source
from ..errors import DataError
from ..evaluation.evaluate import Evaluation, evaluate_flow
from ..flow import Flow, Tuples
from ..semantics.spaces.base import Ints, Space
from .confidential import Secrets, as_released
from .steps import Steps

if TYPE_CHECKING:
    from ..matching.matches import Matches
    from ..methods.base import Method
    from ..recipe import Recipe

T = TypeVar("T")


class Masked:
    """A masked table, and everything that is known about how it came to be.

    Nothing here is computed before it is asked for, except the flow and its verification.
    """

    def __init__(
        self,
        *,
        engine: Engine,
        owns_engine: bool,
        source: Source,
        stamp: tuple[tuple[int, int, int], ...],
        assignment: Assignment,
        tuples: Tuples,
        method: Method,
        matches: Mapping[str, Matches],
        secrets: Sequence[Secrets],
        about: dict[str, Any],
        recipe: Recipe,
        seed: int,
        steps: Steps,
        warnings: Sequence[str],
    ) -> None:
        self._engine = engine
        self._owns_engine = owns_engine
        self._source = source
        self._stamp = stamp
        self._assignment = assignment
        self._tuples = tuples
        self._flow: Flow = assignment.flow
        self._matches = dict(matches)
        self._secrets = list(secrets)
        self._steps = steps
        self.method = method
        self.about = about
        self.recipe = recipe
        self.seed = seed  # private: with the flow it can undo a masking
        self.warnings = list(warnings)

    @property
    def k(self) -> int:
        """The smallest class of the release."""
        return self._flow.k

    @cached_property
    def data(self) -> Any:
        """The masked table: the same kind of object as was given (a file or database: a pyarrow table)."""
        with self._steps("collect"):
            return self._of_unchanged(lambda: self._engine.collect(self._source, self._assignment))

    def _of_unchanged(self, read: Callable[[], T]) -> T:
        """What `read` gives; DataError where somebody wrote to the input since it was opened."""
        try:
            found = read()
        except DataError:
            if self._source.stamp() != self._stamp:
                raise DataError(CHANGED) from None
            raise
        if self._source.stamp() != self._stamp:
            raise DataError(CHANGED)
        return found

    @cached_property
    def flow(self) -> pa.Table:
        """source, target, count: how many records of which tuple became which target (−1: suppressed)."""
        return pa.table({"source": self._flow.source, "target": self._flow.target, "count": self._flow.count})

    @cached_property
    def tuples(self) -> pa.Table:
        """The distinct tuples of the original, as words, with their counts."""
        table = spoken(self._tuples.spaces, self._tuples.codes)
        return table.append_column(_free("count", table.column_names), pa.array(self._tuples.counts))

    @cached_property
    def targets(self) -> pa.Table:
        """The tuples of the release, as words, with their counts."""
        table = spoken(self._tuples.spaces, self._flow.targets)
        return table.append_column(_free("count", table.column_names), pa.array(self._flow.sizes))

    @cached_property
    def evaluation(self) -> Evaluation:
        """What the masking lost, and what can be found in it."""
        with self._steps("evaluate") as share:
            found = {s.name: as_released(s, self._flow, self._engine, self._source, self._assignment) for s in self._secrets}
            notes = {f"note {i + 1}": text for i, text in enumerate(self.about.get("notes", ()))}
            k = self.about["k"]
            return patiently(lambda: evaluate_flow(self._tuples, self._flow, k=k, confidential=found, notes=notes), share)

    @cached_property
    def patterns(self) -> pa.Table:
        """What the records have in common, for the method Patterns: one row per pattern, with the records that support it."""
        from .patterns import pattern_table

        return pattern_table(self._tuples, self._flow, self._secrets)

    def report(self, path: str | os.PathLike[str], private: bool = False) -> None:
        """The report of this masking as one HTML file; `private=True` may show values and must not be published."""
        self.evaluation  # noqa: B018 - a phase of its own
        with self._steps("report"):
            REPORTS.load("html")(self, path, private=private)

    def write(self, path: str | os.PathLike[str], force: bool = False, manifest: str | os.PathLike[str] | None = None) -> None:
        """The masked records into a file, in the format that its name says; verified before it appears.

        An existing file is kept unless `force`. `manifest`: a folder for the private manifest (see `ontomask.run.publish`).
        """
        from .publish import publish

        publish(self, Path(path), force=force, manifest=None if manifest is None else Path(manifest))

    def close(self) -> None:
        """Let go of the engine and its temporary files; called when the object goes, too."""
        self._engine.close()

    def __del__(self) -> None:
        if getattr(self, "_owns_engine", False):
            self._engine.close()

    def __repr__(self) -> str:
        f = self._flow
        gone = f", {f.suppressed:,} suppressed" if f.suppressed else ""
        return (
            f"<Masked by {self.about['method']}, k = {self.about['k']}: {self._tuples.n:,} records{gone}; "
            f"{self._tuples.p:,} distinct tuples became {len(f.targets):,}; smallest class {f.k:,}>"
        )


def spoken(spaces: Sequence[Space], codes: Ints) -> pa.Table:
    """Rows of candidate codes as the words that are written."""
    columns = {}
    for j, space in enumerate(spaces):
        used, inverse = np.unique(codes[:, j], return_inverse=True)
        words = space.words(used.tolist())
        try:
            array = pa.array(words)
        except (pa.ArrowInvalid, pa.ArrowTypeError):  # "*" beside numbers
            array = pa.array([None if w is None else str(w) for w in words], pa.string())
        columns[space.name] = array.take(pa.array(inverse.reshape(-1)))
    return pa.table(columns)


def _free(wish: str, taken: Sequence[str]) -> str:
    while wish in taken:
        wish += "_"
    return wish
