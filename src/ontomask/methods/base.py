"""What a masking method is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from .._registry import METHODS
from ..errors import did_you_mean, illegal, unknown
from ..flow import Flow, Tuples


class Method(ABC):
    """A frozen dataclass whose fields are its settings, validated when made.

    `promises_k`: every class of the release has at least k records, or the records are suppressed; the run verifies it
    from the flow and from the written file. `keeps_marginals`: each attribute's value counts stay.
    `uses_confidential`: the tuples are also told apart by the confidential attributes (`Tuples.confidential`).
    `uses_distances`: False where it does not matter how far values lie apart; such a method always sees the whole table.
    `takes_sets`: a column may hold sets. `in_parts`: a table too large to be masked at once may be masked part by part.
    `presets`: for a class registered under several names, the settings that each name stands for.
    """

    k: int
    promises_k: ClassVar[bool] = True
    keeps_marginals: ClassVar[bool] = False
    uses_confidential: ClassVar[bool] = False
    uses_distances: ClassVar[bool] = True
    takes_sets: ClassVar[bool] = False
    in_parts: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}

    @abstractmethod
    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        """The flow of this method. `tuples` is not changed; all randomness comes from `rng`."""

    @property
    def fewest(self) -> int:
        """Records without which there is nothing to mask."""
        return self.k

    def check_size(self, n: int) -> None:
        """Can a table of n records be masked with this k?"""
        check_k_of_table(self.k, type(self).__name__, n)

    def says(self, flow: Flow) -> str:
        """What this masking kept of its promises beside k, in public sentences made from the flow's notes; often nothing."""
        return ""

    def together(self, notes: Sequence[Mapping[str, Any]]) -> dict[str, object]:
        """The notes of a table that was masked in parts, from those of the parts: what `says` needs of them."""
        return {}

    def settings(self) -> dict[str, object]:
        """The settings by name, as a recipe writes them."""
        from dataclasses import fields, is_dataclass

        if not is_dataclass(self):
            raise TypeError(f"{type(self).__name__} must be a dataclass")
        return {f.name: getattr(self, f.name) for f in fields(self)}


def make_method(name: str, k: int, /, **settings: object) -> Method:
    """The method registered under `name`, as the command line and recipes ask for it.

    >>> make_method("suppression", 5)
    Suppression(k=5)
    """
    from dataclasses import fields

    cls = METHODS.load(name)
    known = [f.name for f in fields(cls) if f.name != "k"]
    for given in settings:
        if given not in known:
            then = "k is given on its own (k=, -k)." if given == "k" else ""
            raise unknown("setting", given, known, then, of=f"of the method '{name}'")
    return cls(k=k, **{**cls.presets.get(name, {}), **settings})  # type: ignore[no-any-return]


def check_k(k: object, of: str) -> None:
    """k is an int ≥ 2, whatever the method."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 2:
        raise illegal("k", of, "be an int ≥ 2", k, "k = 5 is a common choice.")


def check_k_of_table(k: int, of: str, n: int) -> None:
    """k cannot exceed the number of records."""
    if k > n:
        raise illegal("k", of, f"be at most the number of records, {n:,}", k, "Choose a smaller k, or mask more records.")


def check_choice(parameter: str, of: str, value: object, legal: tuple[str, ...]) -> None:
    """A setting is one of a few words."""
    if value not in legal:
        raise illegal(parameter, of, f"be one of {', '.join(map(repr, legal))}", value, did_you_mean(str(value), legal).strip())


def check_flag(parameter: str, of: str, value: object) -> None:
    """A setting is on or off."""
    if not isinstance(value, (bool, np.bool_)):
        raise illegal(parameter, of, "be True or False", value)
