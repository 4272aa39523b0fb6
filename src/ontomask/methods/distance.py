"""A method that compares values otherwise than the table does: for baselines and studies."""

from __future__ import annotations

from copy import copy

from .._registry import MEASURES
from ..errors import did_you_mean, illegal
from ..flow import Tuples
from ..semantics.geometry import Geometry, build_geometry
from ..semantics.spaces.base import Space
from ..semantics.spaces.flat import FlatSpace
from ..semantics.spaces.taxonomy import TaxonomySpace


def check_distance(of: str, value: object) -> None:
    """None (the table's own measure), "equality", or the name of a measure for the attributes with a taxonomy."""
    if value not in (None, "equality", *MEASURES):
        hint = did_you_mean(str(value), ("equality", *MEASURES)).strip()
        raise illegal("distance", of, "be None, 'equality' or the name of a measure", value, hint)


def measured_by(tuples: Tuples, distance: str | None) -> Geometry:
    """The geometry of the table, or the one it has when the attributes are compared otherwise."""
    if distance is None:
        return tuples.geometry
    return build_geometry([_compared(space, distance) for space in tuples.spaces], tuples.weights)


def _compared(space: Space, distance: str) -> Space:
    if distance != "equality" and not isinstance(space, TaxonomySpace):
        return space
    other = copy(space)
    other.__dict__.pop("distances", None)
    other.__dict__.pop("largest", None)
    if isinstance(other, TaxonomySpace) and distance != "equality":
        other.measure, other.options = distance, {}
    else:
        other.__dict__["distances"] = FlatSpace.between(space, range(space.h), range(space.q))  # type: ignore[arg-type]
    return other
