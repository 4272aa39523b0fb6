"""ontomask: publish tables about people, masking words by what they mean.

>>> import ontomask as om
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name → where it lives. Imported on first use, so that `import ontomask` and `ontomask --help` are quick.
_PUBLIC = {
    "Taxonomy": "taxonomy.taxonomy",
    "load_taxonomy": "taxonomy.load",
    "join_taxonomies": "taxonomy.join",
    "match": "matching.match",
    "centroid": "semantics.operators",
    "Tuples": "flow",
    "Flow": "flow",
    "mask": "run.mask",
    "Masked": "run.masked",
    "Recipe": "recipe",
    "evaluate": "run.evaluate",
    "Evaluation": "evaluation.evaluate",
    "compare": "run.compare",
    "verify": "run.verify",
    "sets_of_long": "engines.baskets",
    "read_baskets": "engines.baskets",
    "Recoding": "methods.recoding",
    "Microaggregation": "methods.microaggregation",
    "Resampling": "methods.resampling",
    "RankSwapping": "methods.rank_swapping",
    "Patterns": "methods.patterns",
    "SetMicroaggregation": "methods.sets",
    "Generalisation": "methods.generalisation",
    "Suppression": "methods.suppression",
    "OntomaskError": "errors",
}

__all__ = [*_PUBLIC, "__version__"]

if TYPE_CHECKING:  # editors and type checkers see the names; nothing is imported at run time
    from .errors import OntomaskError as OntomaskError
    from .flow import Flow as Flow
    from .flow import Tuples as Tuples
    from .matching.match import match as match
    from .taxonomy.join import join_taxonomies as join_taxonomies
    from .taxonomy.load import load_taxonomy as load_taxonomy
    from .taxonomy.taxonomy import Taxonomy as Taxonomy


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(f"ontomask.{_PUBLIC[name]}"), name)
    raise AttributeError(f"module 'ontomask' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
