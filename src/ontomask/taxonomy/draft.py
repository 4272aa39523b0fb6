"""What a reader found in a file: names and links, not yet checked, numbered or compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Problem:
    """One finding about a taxonomy file. Errors refuse the file, warnings are reported."""

    code: str  # the name of the check, e.g. "cycle"
    severity: str  # "error" | "warning"
    message: str
    line: int | None = None  # where in the file, 1-based, when known


SPELLED_OUT = 20  # bad lines that are reported one by one; the rest is counted


@dataclass
class Draft:
    """A taxonomy as a reader hands it over.

    `concepts` gives the numbering; ids that only occur in `edges` are numbered after them, in order of first
    appearance, child before parent. Labels are in order of preference: the first is the preferred one.
    """

    name: str = ""
    version: str = ""
    licence: str = ""
    format: str = ""
    concepts: list[str] = field(default_factory=list)  # ids in the order of the file
    edges: list[tuple[str, str]] = field(default_factory=list)  # (child id, parent id)
    labels: dict[str, list[str]] = field(default_factory=dict)  # id → labels, preferred first
    senses: dict[str, list[str]] = field(default_factory=dict)  # folded label → ids, most frequent sense first
    glosses: dict[str, str] = field(default_factory=dict)  # id → definition
    features: dict[str, list[str]] = field(default_factory=dict)  # id → parts, functions, attributes (meronyms …)
    xrefs: dict[str, list[str]] = field(default_factory=dict)  # id → ids elsewhere
    aliases: dict[str, str] = field(default_factory=dict)  # former or alternative id → id
    problems: list[Problem] = field(default_factory=list)  # what the reader itself noticed (bad lines …)
    skipped: int = 0  # bad lines that a lenient reader passed over

    def skip(self, what: str, line: int | None) -> None:
        """Report a line that is passed over because it is not as the format asks."""
        self.skipped += 1
        if self.skipped <= SPELLED_OUT:
            self.problems.append(Problem("bad-line", "warning", f"{what}: skipped", line))

    def findings(self) -> list[Problem]:
        """What the reader noticed, with the count of what is not spelled out."""
        more = self.skipped - SPELLED_OUT
        rest = [Problem("bad-line", "warning", f"{more:,} more bad lines were skipped")] if more > 0 else []
        return [*self.problems, *rest]

    def ids(self) -> list[str]:
        """Every concept once, in its number's order."""
        return list(dict.fromkeys(chain(self.concepts, chain.from_iterable(self.edges))))

    def links(self, index: Mapping[str, int]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The edges as numbers, (child, parent), each once, in the order of the file."""
        flat = np.fromiter(map(index.__getitem__, chain.from_iterable(self.edges)), np.int32, count=2 * len(self.edges))
        child, parent = flat[0::2], flat[1::2]
        _, first = np.unique(child.astype(np.int64) * len(index) + parent, return_index=True)
        first.sort()
        return child[first], parent[first]
